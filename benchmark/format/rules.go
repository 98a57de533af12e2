package format

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
)

// Rules are those of another program by which tasks are judged in place of their own.
type Rules string

// LiveCodeBenchRules are what LiveCodeBench's harness does with every function: names of the modules that it
// imports, and then those of builtins again, so that pow is not math's; a tuple that equals an expected list; output
// by lines and values, whatever the exit status; and 6 s for each test case.
const LiveCodeBenchRules Rules = "livecodebench"

// Apply changes tasks so that the rules hold for them. Tasks of LiveCodeBench's own files have them already.
func (r Rules) Apply(b *benchmark.Benchmark) error {
	switch r {
	case "":
		return nil
	case LiveCodeBenchRules:
	default:
		return fmt.Errorf("there are no rules %q; there are %s", r, LiveCodeBenchRules)
	}
	for i := range b.Tasks {
		t := &b.Tasks[i]
		if t.Language != "python" || !t.Program() || strings.HasPrefix(t.Prompt, liveCodeBenchPrompt()) {
			continue
		}
		t.Limits.CPUSeconds, t.Limits.CPUTotal = 6, max(60, t.Limits.CPUTotal)
		if t.Tests.Style != benchmark.Script { // whose text may continue a prompt
			t.Prompt = liveCodeBenchPrompt() + withBuiltins(strings.TrimLeft(t.Prompt, "\n"))
		}
		if t.Tests.Style == benchmark.Stdin {
			t.Prompt += liveCodeBenchEnd
		}
		t.Tests = asLiveCodeBench(t.Tests)
	}
	return nil
}

// lastImport matches the last import of a prompt, at the beginning of a line.
var lastImport = regexp.MustCompile(`(?s)^(.*\n|)((?:from|import) [^\n]*)(\n|$)`)

// withBuiltins restores the names of builtins after a prompt's imports. What follows them may be a definition
// that an answer completes.
func withBuiltins(prompt string) string {
	return lastImport.ReplaceAllString(prompt, "${1}${2}\nfrom builtins import *\n")
}

// listForTuple makes a check of a function compare as LiveCodeBench does.
const listForTuple = `

_exact = check

def check(candidate):
    def function(*args, **kwargs):
        value = candidate(*args, **kwargs)
        return list(value) if type(value) is tuple else value
    _exact(function)
`

// asLiveCodeBench returns tests to which a tuple is as good as a list, and outputs are compared by
// [benchmark.Decimals].
func asLiveCodeBench(t benchmark.Tests) benchmark.Tests {
	const returned = "        return value\n    _check(method)"
	switch {
	case t.Style == benchmark.Stdin:
		t.Runs = slices.Clone(t.Runs)
		for i := range t.Runs {
			if t.Runs[i].Compare != benchmark.OutputByChecker {
				t.Runs[i].Compare = benchmark.Decimals
			}
		}
	case t.Style == benchmark.Calls && t.Checker == "":
		cases := make([]benchmark.Case, len(t.Cases))
		for i, c := range t.Cases {
			if cases[i] = c; c.Raises == "" && (c.Compare == "" || c.Compare == benchmark.Exact) {
				cases[i].Compare, t.Checker = benchmark.ByChecker, liveCodeBenchCompare
			}
		}
		t.Cases = cases
	case t.Style == benchmark.Check && strings.Contains(t.Check, returned): // see callOfMethod
		t.Check = strings.Replace(t.Check, returned, "        return list(value) if type(value) is tuple else value\n    _check(method)", 1)
	case t.Style == benchmark.Check:
		t.Check += listForTuple
	}
	return t
}
