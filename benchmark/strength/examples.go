package strength

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/scoring/syntax"
)

// examples lets the reference solution compute the task's examples: the input is an expression and the
// output its value, or "raises" and the name of an exception. For whole programs they are standard input
// and output.
func (e Examiner) examples(ctx context.Context, x *Examination, task *benchmark.Task) error {
	for i, example := range task.Examples {
		number := i + 1
		tests, reason := exampleTests(task, example)
		if reason != "" {
			x.skip("example %d cannot be run: %s", number, reason)
			continue
		}
		t := *task
		t.Tests, t.Outputs = tests, nil
		r, err := e.Judge.Judge(ctx, verdicts.Submission{Task: &t, Code: task.Reference})
		if err != nil {
			return err
		}
		switch r.Verdict {
		case verdicts.Accepted:
			x.Examples++
		case verdicts.NotJudged:
			x.skip("example %d cannot be run: %s", number, r.Message)
		default:
			x.add(Fault, "examples", "example %d: the reference solution does not give %s for %s%s", number, example.Output, example.Input, firstFailure(r))
		}
	}
	return nil
}

// pythonRaises compares names of exceptions: the checker does not have the program's own classes, but their
// names.
const pythonRaises = `def _raises(f, name):
    try:
        f()
    except Exception as e:
        return name in (getattr(e, "_assay_names", None) or [c.__name__ for c in type(e).__mro__])
    return False
`

var anError = regexp.MustCompile(`(?i)^\s*(?:an? |raises |stops with an? )?error\b`)

var missing = regexp.MustCompile(`\bNA\b`)

var (
	aClass   = regexp.MustCompile(`^(?:raises |an? )?([A-Z]\w*)\b[^)\]]*$`)
	anErrors = regexp.MustCompile(`(?:Error|Exception|Warning|Iteration|Interrupt)$`)
)

// raised returns the name of the exception that an output stands for, or "": it must look like an
// exception's name, or occur in a test case.
func raised(task *benchmark.Task, output string) string {
	m := aClass.FindStringSubmatch(strings.TrimSpace(output))
	if m == nil {
		return ""
	}
	if name := m[1]; name != "True" && name != "False" && name != "None" && name == strings.TrimSpace(output) {
		return name
	}
	if anErrors.MatchString(m[1]) || slices.ContainsFunc(task.Tests.Cases, func(c benchmark.Case) bool { return c.Raises == m[1] }) {
		return m[1]
	}
	return ""
}

// lastExpression splits Python statements into those before the last, each on its own line, and the last
// one, an expression. ok is false for a single statement.
func lastExpression(input string) (before, last string, ok bool) {
	tree, err := syntax.Parse("python", []byte(input))
	if err != nil || !tree.Valid {
		return "", "", false
	}
	var statements []string
	for _, n := range namedChildren(tree.Root) {
		statements = append(statements, tree.Text(n))
	}
	n := len(statements)
	if n < 2 {
		return "", "", false
	}
	return strings.Join(statements[:n-1], "\n"), statements[n-1], true
}

// exampleTests converts an example to tests, or returns why it cannot.
func exampleTests(task *benchmark.Task, example benchmark.Example) (tests benchmark.Tests, reason string) {
	if task.Tests.Style == benchmark.Stdin {
		for _, r := range task.Tests.Runs {
			if len(r.Files) > 0 {
				return benchmark.Tests{}, "the program reads files, which an example does not show"
			}
		}
		return benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: example.Input, Output: example.Output}}}, ""
	}
	if example.Output == "" {
		return benchmark.Tests{}, "its result is not stated separately"
	}
	if task.Tests.Style.Predicts() {
		return benchmark.Tests{}, "an answer is no program"
	}
	if !strings.Contains(example.Input, task.EntryPoint+"(") || task.EntryPoint == "" {
		return benchmark.Tests{}, "its input is no call of the entry point"
	}
	wrong := raised(task, example.Output) // not in R, whose errors have no names
	switch task.Language {
	case "python":
		before, last, several := lastExpression(example.Input)
		if !several {
			last = example.Input
		}
		assertion, setup := fmt.Sprintf("assert (%s) == (%s)", last, example.Output), ""
		if wrong != "" {
			setup, assertion = pythonRaises, fmt.Sprintf("assert _raises(lambda: (%s), %q)", last, wrong)
		}
		if several {
			body := strings.ReplaceAll(before+"\n"+assertion, "\n", "\n    ")
			return benchmark.Tests{Style: benchmark.Check, Check: setup + "def check(" + task.EntryPoint + "):\n    " + body + "\n"}, ""
		}
		return benchmark.Tests{Style: benchmark.Asserts, Setup: setup, Asserts: []string{assertion}}, ""
	case "javascript":
		text := fmt.Sprintf("require('assert').deepStrictEqual(%s, %s);\n", example.Input, example.Output)
		if wrong != "" {
			text = fmt.Sprintf("require('assert').throws(() => (%s), {name: %q});\n", example.Input, wrong)
		}
		return benchmark.Tests{Style: benchmark.Script, Script: text}, ""
	case "r":
		// Missing values of any type are written NA.
		tolerance := "1e-12"
		if strings.Contains(example.Output, ".") {
			tolerance = "1e-6" // precision of R's output
		}
		text := fmt.Sprintf("got <- {%[1]s\n}\nstopifnot(isTRUE(all.equal(got, %[2]s, tolerance = %[4]s)) || isTRUE(all.equal(got, %[3]s, tolerance = %[4]s)))\n",
			example.Input, example.Output, missing.ReplaceAllString(example.Output, "NA_real_"), tolerance)
		if anError.MatchString(example.Output) {
			text = fmt.Sprintf("stopifnot(inherits(try({%s\n}, silent = TRUE), \"try-error\"))\n", example.Input)
		} else if tree, err := syntax.Parse("r", []byte(example.Output)); err != nil || !tree.Valid || len(namedChildren(tree.Root)) != 1 {
			return benchmark.Tests{}, "its output is no expression"
		}
		return benchmark.Tests{Style: benchmark.Script, Script: text}, ""
	}
	return benchmark.Tests{}, "examples in " + task.Language + " are not run"
}
