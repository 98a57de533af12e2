package format

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
)

// evalPlusTask reads a task of EvalPlus's HumanEval+ or MBPP+: inputs, and a reference solution that
// computes the expected results. The reference runs in the checker with the tests. Inputs on which it
// fails, because JSON cannot represent their type, are skipped. The contract is not needed, since the
// published inputs meet it.
//
// HumanEval+ has HumanEval's prompts, which the reference continues. MBPP+'s prompt is prose, and its
// reference is a whole program.
func evalPlusTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
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
	id, err := l.evalPlusID(fields["task_id"])
	if err != nil {
		return nil, err
	}
	var tolerance float64
	if raw, ok := fields["atol"]; ok && json.Unmarshal(raw, &tolerance) != nil {
		return nil, l.fail("atol", "the field must be a number")
	}
	inputs, base, err := l.evalPlusInputs(fields)
	if err != nil {
		return nil, err
	}
	if len(inputs) == 0 {
		return nil, l.unusable(id, "base_input", "the task has no inputs: add a list of arguments for each call")
	}
	task := &benchmark.Task{ID: id, Title: values["entry_point"], Language: "python", EntryPoint: values["entry_point"],
		Reference: values["canonical_solution"]}
	if strings.Contains(values["prompt"], "def "+task.EntryPoint+"(") {
		task.Prompt, task.Reference = values["prompt"], values["prompt"]+values["canonical_solution"]
		task.Signature, task.Description = describe(task.Prompt, task.EntryPoint)
	} else {
		task.Description = strings.TrimSpace(strings.Trim(strings.TrimSpace(values["prompt"]), `"'`))
		task.Signature, _ = describe(task.Reference, task.EntryPoint) // MBPP has no starter code
	}
	task.Tests = benchmark.Tests{Style: benchmark.Check, Check: evalPlusCheck(task, inputs, base, tolerance)}
	return task, nil
}

// evalPlusID returns the id of a task. The first versions of MBPP+ have only a number.
func (l *lines) evalPlusID(raw json.RawMessage) (string, error) {
	var number json.Number
	if json.Unmarshal(raw, &number) == nil && number != "" {
		return "Mbpp/" + number.String(), nil
	}
	var id string
	if json.Unmarshal(raw, &id) != nil || strings.TrimSpace(id) == "" {
		return "", l.fail("task_id", "the field must be a number or a text in quotes: write \"HumanEval/0\"")
	}
	return id, nil
}

// evalPlusInputs returns the inputs of the base tests, then those of the plus tests, and the number of the
// former.
func (l *lines) evalPlusInputs(fields map[string]json.RawMessage) (inputs []json.RawMessage, base int, err error) {
	for _, name := range []string{"base_input", "plus_input"} {
		var more []json.RawMessage
		if raw, ok := fields[name]; ok && string(raw) != "{}" && json.Unmarshal(raw, &more) != nil {
			return nil, 0, l.fail(name, "the field must be a list of lists of arguments")
		}
		for _, input := range more {
			if !strings.HasPrefix(strings.TrimSpace(string(input)), "[") {
				return nil, 0, l.fail(name, "the field must be a list of lists of arguments")
			}
		}
		if inputs = append(inputs, more...); name == "base_input" {
			base = len(inputs)
		}
	}
	return inputs, base, nil
}

// EvalPlusInputs returns the inputs of a task read from EvalPlus's format, as lists of arguments, and the
// number of base tests among them. Other tasks have none.
func EvalPlusInputs(task *benchmark.Task) (inputs []json.RawMessage, base int) {
	found := evalPlusWritten.FindStringSubmatch(task.Tests.Check)
	if found == nil {
		return nil, 0
	}
	base, err := strconv.Atoi(found[2])
	if err != nil || json.Unmarshal([]byte(fromPythonText(found[1])), &inputs) != nil || base > len(inputs) {
		return nil, 0
	}
	return inputs, base
}

// evalPlusWritten matches the inputs in a check function written by evalPlusCheck.
var evalPlusWritten = regexp.MustCompile(`(?m)^_inputs = json\.loads\('(.*)', object_hook=.*\n_base = (\d+)$`)

// mbppShapes describes how MBPP+ converts the lists of its JSON to arguments, by the number of the task:
// for each argument, separated by commas, or for all after a star. t is a tuple, l a list, s a set, d a
// tuple at every depth, k a mapping to tuples, f a float, c a complex number; what is in a tuple or list
// follows.
var mbppShapes = map[string]string{
	"*t":  "2 116 132 143 222 261 273 394 399 421 424 429 470 560 579 596 616 630 726 740 744 809",
	"*lt": "63 64 70 94 120 237 272 299 400 409 417 438 473 614 780",
	"lt":  "75 413 444 753", ",t": "106 750", "ls": "115", "f,c": "124", "c": "252", "k": "722",
	"t": "250 307 405 446 617 720 763 808", "*tt": "259 401 445", "tt": "278", "*d": "580 615 791",
}

func mbppShape(id string) string {
	number, found := strings.CutPrefix(id, "Mbpp/")
	for shape, numbers := range mbppShapes {
		if found && slices.Contains(strings.Fields(numbers), number) {
			return shape
		}
	}
	return ""
}

// mbppRules are EvalPlus's rules for tasks of MBPP+ with several correct answers, by function: an
// expression of got, wanted, exact (whether they are equal) and args.
var mbppRules = map[string]string{
	"are_equivalent":      "True",
	"sum_div":             "exact or got == 0",
	"surface_Area":        "exact or abs(got - round(args[0] ** 2 + 2 * args[0] * math.sqrt((args[0] / 2) ** 2 + args[1] ** 2))) <= _atol",
	"digit_distance_nums": "exact or got == sum(abs(int(a) - int(b)) for a, b in zip(*(str(n).zfill(max(len(str(m)) for m in args)) for n in args)))",
}

// Functions of MBPP+ whose lists are compared as sets, and those for which only returning something counts.
const (
	mbppAsSets  = "similar_elements find_char_long common_in_nested_lists extract_singly larg_nnum intersection_array find_dissimilar Diff"
	mbppNotNone = "check_str text_match_three text_starta_endb"
)

// evalPlusRule returns the expression that decides for a task whether a result counts as equal.
func evalPlusRule(task *benchmark.Task) string {
	if !strings.HasPrefix(task.ID, "Mbpp/") {
		return "exact"
	}
	switch rule := mbppRules[task.EntryPoint]; {
	case rule != "":
		return rule
	case slices.Contains(strings.Fields(mbppAsSets), task.EntryPoint):
		return "set(got) == set(wanted)"
	case slices.Contains(strings.Fields(mbppNotNone), task.EntryPoint):
		return "(got if isinstance(got, bool) else got is not None) == (wanted is not None)"
	}
	return "exact"
}

// evalPlusCheck writes a check function with an assert for each input. Its rules are EvalPlus's: results
// are equal or, with a tolerance, of the same type and close as in numpy's allclose; floats always have a
// tolerance.
func evalPlusCheck(task *benchmark.Task, inputs []json.RawMessage, base int, tolerance float64) string {
	var b strings.Builder
	list, _ := json.Marshal(inputs) // they are valid
	fmt.Fprintf(&b, "import copy, json, math, re\n_names = {'__name__': 'reference'}\nexec(%s, _names)\n_inputs = json.loads(%s, "+
		"object_hook=lambda d: float(d['$float']) if list(d) == ['$float'] else d)\n_base = %d\n_atol = %g\n",
		pythonText(task.Reference), pythonText(string(list)), base, tolerance)
	if shape := mbppShape(task.ID); shape != "" {
		fmt.Fprintf(&b, evalPlusShapes, pythonText(shape))
	}
	agrees := "_equal(i, got, wanted)"
	if task.ID == "HumanEval/32" { // any zero of the polynomial is correct
		agrees = fmt.Sprintf("abs(sum(c * math.pow(got, n) for n, c in enumerate(_inputs[i][0]))) <= %g", max(tolerance, 1e-6))
	}
	fmt.Fprintf(&b, `
def _copy(i):
    return copy.deepcopy(_inputs[i])

def _wanted(i):
    try:
        return True, _names[%s](*_copy(i))
    except Exception:
        return False, None

def _floats(value):
    return type(value) is float or type(value) in (list, tuple) and len(value) > 0 and all(type(v) is float for v in value)

def _close(a, b, atol):
    if type(a) in (list, tuple) and type(b) in (list, tuple):
        return len(a) == len(b) and all(_close(x, y, atol) for x, y in zip(a, b))
    return type(a) in (int, float, bool, complex) and type(b) in (int, float, bool, complex) and (a == b or abs(a - b) <= atol + 1e-7 * abs(b) < math.inf)

def _equal(i, got, wanted):
    if isinstance(wanted, re.Match):
        return bool(got)
    args = _copy(i)
    exact = got == wanted
    exact = %s
    atol = _atol or (1e-6 if _floats(wanted) else 0)
    return exact or atol > 0 and type(got) is type(wanted) and _close(got, wanted, atol)

def _agrees(i, got, wanted):
    return %s

def check(candidate):
`, pythonText(task.EntryPoint), evalPlusRule(task), agrees)
	for i := range inputs {
		fmt.Fprintf(&b, "    known, wanted = _wanted(%[1]d)\n    assert not known or _agrees(%[1]d, candidate(*_copy(%[1]d)), wanted)\n", i)
	}
	return b.String()
}

// evalPlusShapes converts the inputs to their shapes.
const evalPlusShapes = `
def _as(kind, value):
    if kind in ('f', 'c'):
        return (float if kind == 'f' else complex)(value)
    if kind == 'k':
        return {k: _as('t', v) for k, v in value.items()}
    if kind == 's':
        return set(value) if type(value) is list and value else {}
    if kind == '' or type(value) is not list:
        return value
    inner = [_as(kind if kind == 'd' else kind[1:], v) for v in value]
    return inner if kind[0] == 'l' else tuple(inner)

def _shaped(args, shape=%s):
    kinds = [shape[1:]] * len(args) if shape[0] == '*' else shape.split(',') + [''] * len(args)
    return [_as(kind, arg) for kind, arg in zip(kinds, args)]

_inputs = [_shaped(args) for args in _inputs]
`

// fromPythonText reverses pythonText, given the text between the quotes.
func fromPythonText(text string) string {
	return pythonEscape.ReplaceAllStringFunc(text, func(escape string) string {
		if escape[1] != 'U' {
			return escape[1:]
		}
		r, _ := strconv.ParseUint(escape[2:], 16, 32) // eight hexadecimal digits
		return string(rune(r))
	})
}

var pythonEscape = regexp.MustCompile(`\\(?:U[0-9a-f]{8}|[^U])`)

// pythonText writes text as a Python string literal.
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
