package judge

import (
	"os/exec"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// pythonNames prints the names of Python's functions and of the methods of its types.
const pythonNames = `import builtins
kinds = str, list, dict, set, frozenset, tuple, int, float, complex, bytes, bytearray, range, object
names = {n for k in kinds for n in dir(k)} | {n for n in dir(builtins) if callable(getattr(builtins, n)) and not isinstance(getattr(builtins, n), type(Exception)) or n in ('list', 'set', 'type')}
print(*sorted(n for n in names | {'accept', 'method', 'candidate', 'solution', 'Solution'} if n[0] != '_'))`

// TestNamesOfPython: a right answer is accepted whatever method of a built-in value or function of Python has the name
// of the entry point, alone and as a method of class Solution: each name in one of seven ways, and in all if
// ASSAY_TESTS is "all".
func TestNamesOfPython(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	out, err := exec.Command(j.python.Executable, "-I", "-S", "-c", pythonNames).Output()
	if err != nil {
		t.Fatal(err)
	}
	const code, method = "def NAME(a, b):\n    return a[0] + b\n", "class Solution:\n    def NAME(self, a, b):\n        return a[0] + b\n"
	asserts := func(call string) benchmark.Tests {
		return benchmark.Tests{Style: benchmark.Asserts, Asserts: []string{"assert " + call + "([1, 3], 2) == 3", "assert " + call + "([3], 1) == 4"}}
	}
	check := func(call string) benchmark.Tests {
		return benchmark.Tests{Style: benchmark.Check, Check: "def check(candidate):\n    assert " + call + "([1, 3], 2) == 3\n    assert " + call + "([3], 1) == 4\n"}
	}
	calls := callsTask(t, "f", `{"args":[[1,3],2],"expected":3}`, `{"args":[[3],1],"expected":4}`).Tests
	for i, name := range strings.Fields(string(out)) {
		for k, tt := range []struct {
			style, entry, code string
			tests              benchmark.Tests
			description        string
		}{
			{"calls", name, code, calls, ""},
			{"check", name, code, check("candidate"), ""},
			{"check by its name", name, code, check(name), ""},
			{"asserts", name, code, asserts(name), ""},
			{"a method, check", "Solution", method, check("candidate()." + name), ""},
			{"a method, asserts", "Solution", method, asserts("Solution()." + name), ""},
			{"a method of a named object", "Solution", method, benchmark.Tests{Style: benchmark.Asserts, Setup: "s = Solution()\n", Asserts: asserts("s." + name).Asserts},
				"Complete this code:\n\nclass Solution:\n    def " + name + "(self, a, b):"},
		} {
			if !sampled.OneIn(21, i-k) {
				continue
			}
			task := &benchmark.Task{ID: "t", Language: "python", EntryPoint: tt.entry, Description: tt.description, Tests: tt.tests}
			for bad, want := range map[string]verdicts.Verdict{"b": verdicts.Accepted, "b * 2": verdicts.WrongAnswer} {
				program := strings.ReplaceAll(strings.Replace(tt.code, "+ b", "+ "+bad, 1), "NAME", name)
				if r := judgeCode(t, j, task, program); r.Verdict != want || r.Isolation != "isolated" {
					t.Errorf("%s: %s: %s %q, want %s, of\n%s", tt.style, name, r.Verdict, r.Message, want, program)
				}
			}
		}
	}
}
