package format

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"assay/benchmark"
)

var (
	mbppCall   = regexp.MustCompile(`\b(\w+)\s*\(`)
	mbppHeader = regexp.MustCompile(`^def check\(candidate\):[ \t]*\n`)
)

// asMBPP turns a task of MBPP in HumanEval's form back into what it is: a list of
// asserts that call functions by name. It does nothing to other tasks.
func asMBPP(task *benchmark.Task) {
	head := mbppHeader.FindString(task.Tests.Check)
	body := task.Tests.Check[len(head):]
	if head == "" || strings.Contains(body, "candidate") {
		return
	}
	var asserts []string
	for line := range strings.Lines(body) {
		switch rest, first := strings.CutPrefix(line, "    assert"); {
		case strings.TrimSpace(line) == "":
		case first && strings.TrimLeft(rest, " (") != rest:
			asserts = append(asserts, "assert"+strings.TrimRight(rest, "\r\n"))
		case len(asserts) > 0 && strings.HasPrefix(line, "     "): // an assert over several lines
			asserts[len(asserts)-1] += "\n" + strings.TrimRight(line, "\r\n")
		default:
			return
		}
	}
	if len(asserts) == 0 {
		return
	}
	task.Tests = benchmark.Tests{Style: benchmark.Asserts, Asserts: asserts}
	if strings.Contains(body, "math.") { // the form has lost MBPP's test_imports
		task.Tests.Setup = "import math\n"
	}
	task.Reference = mbppReference(task)
	// The form names the first function of the reference, which is sometimes
	// only a helper of the one that is tested.
	called := map[string]bool{}
	for _, m := range mbppCall.FindAllStringSubmatch(body, -1) {
		called[m[1]] = true
	}
	if called[task.EntryPoint] {
		return
	}
	for _, m := range mbppDef.FindAllStringSubmatch(task.Reference, -1) {
		if called[m[1]] {
			task.EntryPoint, task.Signature = m[1], benchmark.Signature{}
		}
	}
}

var mbppDef = regexp.MustCompile(`(?m)^def\s+(\w+)\s*\(`)

// mbppReference joins the prompt and the canonical solution without the
// docstring: it was added with an indentation of its own.
func mbppReference(task *benchmark.Task) string {
	body, found := strings.CutPrefix(task.Reference, task.Prompt)
	at := strings.Index(task.Prompt, "\n    '''")
	if !found || at < 0 {
		return task.Reference
	}
	return task.Prompt[:at+1] + body
}

// mbppPlusTask reads a task of EvalPlus's MBPP+: inputs, and a reference solution
// that says what must come out. The reference runs in the checker, beside the
// tests. An input on which it fails, because JSON could not hold the type that
// it wants, is no test.
func mbppPlusTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	values := map[string]string{}
	for _, name := range []string{"prompt", "entry_point", "canonical_solution"} {
		value, err := l.text(fields, name, true)
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(value) == "" {
			return nil, l.fail(name, "the field is empty: fill it in")
		}
		values[name] = value
	}
	var id json.Number
	if err := json.Unmarshal(fields["task_id"], &id); err != nil {
		return nil, l.fail("task_id", "the field must be a number or a text in quotes")
	}
	var tolerance float64
	if raw, ok := fields["atol"]; ok && json.Unmarshal(raw, &tolerance) != nil {
		return nil, l.fail("atol", "the field must be a number")
	}
	var inputs []json.RawMessage
	for _, name := range []string{"base_input", "plus_input"} {
		var more []json.RawMessage
		if raw, ok := fields[name]; ok && string(raw) != "{}" && json.Unmarshal(raw, &more) != nil {
			return nil, l.fail(name, "the field must be a list of lists of arguments")
		}
		for _, input := range more {
			if !strings.HasPrefix(strings.TrimSpace(string(input)), "[") {
				return nil, l.fail(name, "the field must be a list of lists of arguments")
			}
		}
		inputs = append(inputs, more...)
	}
	if len(inputs) == 0 {
		return nil, l.fail("base_input", "the task has no inputs")
	}
	task := &benchmark.Task{
		ID: "Mbpp/" + id.String(), Title: values["entry_point"], Language: "python", EntryPoint: values["entry_point"],
		Description: strings.TrimSpace(strings.Trim(strings.TrimSpace(values["prompt"]), `"'`)),
		Reference:   values["canonical_solution"],
		Tests:       benchmark.Tests{Style: benchmark.Check, Check: mbppCheck(values, inputs, tolerance)},
	}
	return task, nil
}

// mbppCheck writes a check function with an assert for each input.
func mbppCheck(values map[string]string, inputs []json.RawMessage, tolerance float64) string {
	var b strings.Builder
	list, _ := json.Marshal(inputs) // they were valid
	fmt.Fprintf(&b, "import copy, json, math, re\n_names = {'__name__': 'reference'}\nexec(%s, _names)\n_inputs = json.loads(%s, "+
		"object_hook=lambda d: float(d['$float']) if list(d) == ['$float'] else d)\n",
		pythonText(values["canonical_solution"]), pythonText(string(list)))
	fmt.Fprintf(&b, `
def _copy(i):
    return copy.deepcopy(_inputs[i])

def _wanted(i):
    try:
        return True, _names[%s](*_copy(i))
    except Exception:
        return False, None

def _close(a, b):
    if isinstance(b, re.Match):
        return bool(a)
    if type(b) is float and type(a) in (int, float) or type(a) is float and type(b) is int:
        return math.isclose(a, b, rel_tol=1e-7, abs_tol=%g)
    if type(a) in (list, tuple) and type(a) is type(b):
        return len(a) == len(b) and all(map(_close, a, b))
    return a == b

def check(candidate):
`, pythonText(values["entry_point"]), max(tolerance, 1e-6))
	for i := range inputs {
		fmt.Fprintf(&b, "    known, wanted = _wanted(%d)\n    assert not known or _close(candidate(*_copy(%d)), wanted)\n", i, i)
	}
	return b.String()
}

// pythonText writes text as a string of Python.
func pythonText(text string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range text {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String() + "'"
}
