package benchmark

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// testField is a field of tests, with the styles that use it.
type testField struct {
	name   string
	filled bool
	styles []Style
	needed bool   // required by those styles
	holds  string // its content, for messages
}

func (t Tests) fields() []testField {
	return []testField{
		{"cases", len(t.Cases) > 0, []Style{Calls}, len(t.Properties) == 0, ""},
		{"properties", len(t.Properties) > 0, []Style{Calls}, false, "; each states what holds for every input"},
		{"check", t.Check != "", []Style{Check}, true, "; it holds the source of check(candidate)"},
		{"asserts", len(t.Asserts) > 0, []Style{Asserts}, true, "; it lists assert statements"},
		{"unittest", t.Unittest != "", []Style{Unittest}, true, "; it holds the source of the test classes"},
		{"runs", len(t.Runs) > 0, []Style{Stdin, Execution, Output, Input}, true, "; it lists inputs and outputs"},
		{"script", t.Script != "", []Style{Script}, true, "; it holds the text that follows the program"},
		{"setup", t.Setup != "", []Style{Check, Asserts, Script, Input}, t.Style == Input, "; it holds the code of the function"},
		{"checker", t.Checker != "", []Style{Calls, Stdin}, false, ""},
		{"in_process", t.InProcess, []Style{Check, Asserts, Unittest}, false, ""},
	}
}

// testProblems lists what is wrong with a task's tests.
func (t *Task) testProblems() []string {
	var found []string
	add := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	style := t.Tests.Style
	switch style {
	case NoTests:
		if !t.Tests.IsZero() {
			add("field \"tests.style\" is missing; write one of %s", inQuotes(Styles[:]))
		}
		return found
	case Calls, Asserts, Unittest:
		if t.EntryPoint == "" {
			add("field \"entry_point\" is missing; tests of style %q call it", style)
		}
	case Check:
		if t.EntryPoint == "" {
			add("field \"entry_point\" is missing; check(candidate) is given it")
		}
	case Execution, Output, Input:
		found = append(found, t.predictionProblems()...)
	case Stdin, Script:
	default:
		add("field \"tests.style\": %q is not one of %s", style, inQuotes(Styles[:]))
		return found
	}
	for _, f := range t.Tests.fields() {
		belongs := strings.Contains(inQuotes(f.styles), fmt.Sprintf("%q", style))
		switch {
		case belongs && f.needed && !f.filled:
			add("field \"tests.%s\" is missing or empty%s", f.name, f.holds)
		case !belongs && f.filled:
			add("field \"tests.%s\" belongs to tests of style %s, not %q", f.name, inQuotes(f.styles), style)
		}
	}
	for i, c := range t.Tests.Cases {
		if problem := c.problem(); problem != "" {
			add("field \"tests.cases[%d]\": %s", i, problem)
		}
	}
	for i := range t.Tests.Properties {
		if problem := t.Tests.Properties[i].problem(); problem != "" {
			add("field \"tests.properties[%d]\": %s", i, problem)
		}
	}
	if used := t.Tests.usesChecker(); used && t.Tests.Checker == "" {
		add("field \"tests.checker\" is missing; \"compare\": \"checker\" needs the source of accept")
	} else if !used && t.Tests.Checker != "" {
		add("field \"tests.checker\" is never used; what it is to judge has \"compare\": \"checker\"")
	}
	for i, a := range t.Tests.Asserts {
		if strings.TrimSpace(a) == "" {
			add("field \"tests.asserts[%d]\" is empty; it holds an assert statement", i)
		}
	}
	for i, r := range t.Tests.Runs {
		if problem := r.problem(); problem != "" {
			add("field \"tests.runs[%d]\": %s", i, problem)
		}
	}
	return found
}

// predictionProblems lists what is wrong with a task whose answers state what a call returns, or the call.
func (t *Task) predictionProblems() []string {
	var found []string
	add := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	style := t.Tests.Style
	if style == Input && t.EntryPoint == "" {
		add("field \"entry_point\" is missing; an answer to tests of style %q calls it", style)
	}
	if t.Language != "python" {
		add("field \"language\": tests of style %q compare Python's literals; write python", style)
	}
	if t.Prompt != "" {
		add("field \"prompt\": an answer to tests of style %q is no program; show code in the description", style)
	}
	if len(t.Outputs) > 0 {
		add("field \"outputs\": an answer to tests of style %q is no program that could write files", style)
	}
	if len(t.Tests.Runs) > 1 {
		add("field \"tests.runs\": tests of style %q have one call; write a task for each", style)
	}
	for i, r := range t.Tests.Runs {
		switch {
		case strings.TrimSpace(r.Input) == "" || strings.TrimSpace(r.Output) == "":
			add("field \"tests.runs[%d]\": \"input\" holds a call and \"output\" the literal that it returns; one is empty", i)
		case r.Compare != "" || r.Tolerance != 0 || len(r.Files) > 0:
			add("field \"tests.runs[%d]\": tests of style %q have only \"input\" and \"output\"", i, style)
		}
	}
	return found
}

func inQuotes[S ~string](values []S) string {
	names := make([]string, len(values))
	for i, s := range values {
		names[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(names, ", ")
}

// usesChecker reports whether any comparison uses the task's own checker.
func (t Tests) usesChecker() bool {
	return slices.ContainsFunc(t.Cases, func(c Case) bool { return c.Compare == ByChecker }) ||
		slices.ContainsFunc(t.Runs, func(r Run) bool { return r.Compare == OutputByChecker })
}

func (r Run) problem() string {
	for name := range r.Files {
		if name == "" || name != path.Base(name) || name[0] == '.' || strings.ContainsAny(name, "/\x00") {
			return fmt.Sprintf("\"files\": %q is not a plain file name; a file lies in the program's working directory", name)
		}
	}
	switch {
	case r.Compare != "" && !slices.Contains(outputCompares[:], r.Compare):
		return fmt.Sprintf("\"compare\": %q is not one of %s", r.Compare, inQuotes(outputCompares[:]))
	case r.Tolerance < 0:
		return fmt.Sprintf("\"tolerance\": %v is below 0", r.Tolerance)
	case r.Tolerance > 0 && r.Compare != Tokens:
		return "\"tolerance\" needs \"compare\": \"tokens\""
	}
	return ""
}
