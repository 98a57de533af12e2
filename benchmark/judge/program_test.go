package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// ready skips a language that is not installed.
func ready(t *testing.T, j *Judge, task *benchmark.Task) {
	t.Helper()
	if err := j.Ready(task); err != nil {
		t.Skip(err)
	}
}

// TestCompileBombs: attack 43.
func TestCompileBombs(t *testing.T) {
	t.Parallel()
	j := hasty(t)
	for language, code := range map[string]string{
		"c":    "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(x)))\n#define C(x) B(B(B(x)))\nint main(void) { C(C(int y;)) }",
		"cpp":  "template<int N> struct A { static const long v = A<N - 1>::v + A<N - 2>::v; typedef A<N * 2> next; typename A<N + 1>::next x; };\nint main() { A<1> a; return A<100000>::v; }",
		"go":   "package main\nvar x = [1 << 40]int{1 << 39: 1}\nfunc main() { println(x[0]) }",
		"java": "class Main { " + strings.Repeat("static int f(){return 1;} ", 70000) + "public static void main(String[] a) {} }",
	} {
		t.Run(language, func(t *testing.T) {
			sampled.Row(t, 6)
			task := &benchmark.Task{ID: "p", Language: language, Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{}}}}
			ready(t, j, task)
			if r := judgeCode(t, j, task, code); r.Verdict != verdicts.CompileError || r.Message == "" {
				t.Errorf("%s %q", r.Verdict, r.Message)
			}
		})
	}
}

func TestStdin(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	const add = "import sys\nprint(sum(map(float, sys.stdin.read().split())))"
	for _, tt := range []struct {
		name, code string
		run        benchmark.Run
		limits     benchmark.Limits
		status     string
		message    string
	}{
		{"white space at the ends", "print('a  \\n\\nb\\t\\n\\n')", benchmark.Run{Output: "a\n\nb"}, benchmark.Limits{}, "passed", ""},
		{"white space within", "print('a  b')", benchmark.Run{Output: "a b"}, benchmark.Limits{}, "wrong_answer", ""},
		{"tokens", "print('a  b\\n 1')", benchmark.Run{Output: "a b 1", Compare: benchmark.Tokens}, benchmark.Limits{}, "passed", ""},
		{"tokens within the tolerance", add, benchmark.Run{Input: "0.1 0.2", Output: "0.3", Compare: benchmark.Tokens, Tolerance: 1e-9}, benchmark.Limits{}, "passed", ""},
		{"tokens beyond it", add, benchmark.Run{Input: "0.1 0.3", Output: "0.3", Compare: benchmark.Tokens, Tolerance: 1e-9}, benchmark.Limits{}, "wrong_answer", ""},
		{"nan is no number", "print('nan')", benchmark.Run{Output: "0.3", Compare: benchmark.Tokens, Tolerance: 9}, benchmark.Limits{}, "wrong_answer", ""},
		{"a token too few", "print(1)", benchmark.Run{Output: "1 1", Compare: benchmark.Tokens}, benchmark.Limits{}, "wrong_answer", ""},
		{"files", "print(open('a.txt').read() + open('b c.csv').read())", benchmark.Run{Output: "xy", Files: map[string]string{"a.txt": "x", "b c.csv": "y"}}, benchmark.Limits{}, "passed", ""},
		{"right output, wrong exit status", "print(1)\nraise SystemExit(3)", benchmark.Run{Output: "1"}, benchmark.Limits{}, "runtime_error", "exit status 3"},
		{"a large output", "print('x' * 500000)", benchmark.Run{Output: strings.Repeat("x", 500000)}, benchmark.Limits{}, "passed", ""},
		{"too large an output", "while True: print('x' * 1000)", benchmark.Run{Output: "1"}, benchmark.Limits{OutputKB: 64}, "output_limit", "printed more"},
		{"too much memory", "x = []\nwhile True: x.append(bytearray(b'x') * (1 << 20))", benchmark.Run{Output: "1"}, benchmark.Limits{MemoryMB: 100}, "memory_limit", ""},
		{"sleeps", "import time; time.sleep(99)", benchmark.Run{Output: "1"}, benchmark.Limits{WallSeconds: 0.3}, "time_limit", "idle"},
		{"orphan that holds the output open", "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(99)\nprint(1, flush=True)\nos._exit(0)", benchmark.Run{Output: "1"}, benchmark.Limits{}, "passed", ""},
		{"main is run", "if __name__ == '__main__': print(1)", benchmark.Run{Output: "1"}, benchmark.Limits{}, "passed", ""},
		{"escapes", "print('\\x1b[2J1')", benchmark.Run{Output: "1"}, benchmark.Limits{}, "wrong_answer", ""},
		// Forgery: there is nothing in the box that knows the answer.
		{"looks for the answer", "import os\nfor d, _, names in os.walk('/tmp'):\n    for n in names: print(open(os.path.join(d, n)).read())", benchmark.Run{Output: "xylograph"}, benchmark.Limits{}, "wrong_answer", ""},
		{"writes to every descriptor", "import os\nfor i in range(3, 99):\n    try: os.write(i, b'xylograph passed')\n    except OSError: pass", benchmark.Run{Output: "xylo"}, benchmark.Limits{}, "wrong_answer", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := &benchmark.Task{ID: "p", Language: "python", Limits: tt.limits, Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{tt.run}}}
			r := judgeCode(t, j, task, tt.code)
			if statuses(r) != tt.status || !strings.Contains(r.Message, tt.message) || strings.ContainsRune(r.Stdout+r.Message+r.Cases[0].Got, '\x1b') {
				t.Errorf("%s [%s] %q %+v, want [%s] %q", r.Verdict, statuses(r), r.Message, r.Cases, tt.status, tt.message)
			}
		})
	}
}

// TestTimeOfRuns: the total is for all runs together; those that are not reached
// are not run.
func TestTimeOfRuns(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	task := &benchmark.Task{ID: "p", Language: "python", Limits: benchmark.Limits{CPUSeconds: 0.4, CPUTotal: 0.8},
		Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Output: "1"}, {Output: "1"}, {Output: "1"}, {Output: "1"}}}}
	r := judgeCode(t, j, task, "while True: pass")
	if r.Verdict != verdicts.TimeLimit || r.Cases[0].Status != verdicts.Status(verdicts.TimeLimit) || r.Cases[3].Status != verdicts.NotRun || r.Cases[0].CPUMS == 0 {
		t.Errorf("%s [%s]", r.Verdict, statuses(r))
	}
}

// TestMissingInterpreter: the message names the program and how to install it.
func TestMissingInterpreter(t *testing.T) {
	j := ownJudge(t)
	task := func(language string, style benchmark.Style) *benchmark.Task {
		return &benchmark.Task{ID: "p", Language: language, EntryPoint: "f", Tests: benchmark.Tests{Style: style, Runs: []benchmark.Run{{}}}}
	}
	path := t.TempDir()
	t.Setenv("PATH", path)
	for language, want := range map[string]string{"javascript": "apt-get install nodejs", "cpp": "apt-get install g++", "go": "https://go.dev/dl",
		"java": "default-jdk", "r": "r-base-core", "bash": "apt-get install bash", "c": "gcc"} {
		r := judgeCode(t, j, task(language, benchmark.Stdin), "x")
		if r.Verdict != verdicts.NotJudged || !strings.Contains(r.Message, want) || r.Total != 0 {
			t.Errorf("%s: %s %q", language, r.Verdict, r.Message)
		}
	}
	for _, tt := range []struct {
		task *benchmark.Task
		want string
	}{
		{task("cobol", benchmark.Stdin), `"cobol" cannot be judged; the languages are bash, c, clojure, cpp, csharp, d, elixir, go,`},
		{task("cobol", benchmark.Calls), "the languages are bash"},
		{task("c", benchmark.Calls), `cannot call functions in C`},
		{task("java", benchmark.Check), `cannot call functions in Java`},
		{task("javascript", benchmark.Check), `cannot call functions in JavaScript`},
	} {
		if err := j.Ready(tt.task); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// TestCompiledOnce: what a compiler made is kept by content.
func TestCompiledOnce(t *testing.T) {
	t.Parallel()
	j := ownJudge(t)
	task := &benchmark.Task{ID: "p", Language: "c", Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Output: ""}}}}
	ready(t, j, task)
	for _, code := range []string{"int main(void) { return 0; }", "int main(void) { return 0; }", "int main(void) { return 0; } "} {
		if r := judgeCode(t, j, task, code); r.Verdict != verdicts.Accepted {
			t.Errorf("%s %q", r.Verdict, r.Message)
		}
	}
	if n := len(j.made.kept); n != 2 {
		t.Errorf("%d artefacts are kept, want 2", n)
	}
	var small artefacts
	for i := range 5 {
		small.put([32]byte{byte(i)}, map[string]string{"main": strings.Repeat("x", maxArtefacts/2)})
	}
	if len(small.kept) > 2 || small.size > maxArtefacts {
		t.Errorf("%d artefacts of %d bytes are kept", len(small.kept), small.size)
	}
}

// TestUnprotected: without a sandbox, which takes the user's consent, all styles
// work, and every result says so.
func TestUnprotected(t *testing.T) {
	t.Parallel()
	box, err := sandbox.NewUnprotected(true)
	if err != nil {
		t.Skip(err)
	}
	defer box.Close()
	j, err := New(Options{Box: box})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	within := checkTask("", "f", "def check(c):\n    assert c(lambda: 2) == 2\n")
	within.Tests.InProcess = true
	of := func(language string, tests benchmark.Tests) *benchmark.Task {
		return &benchmark.Task{ID: "p", Language: language, EntryPoint: "f", Tests: tests}
	}
	two := benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: "1", Output: "2"}}}
	called := callsTask(t, "f", `{"args":[1],"expected":2}`).Tests
	for _, tt := range []struct {
		task *benchmark.Task
		code string
	}{
		{of("python", two), programs["python"].good}, {of("cpp", two), programs["cpp"].good}, {of("go", two), programs["go"].good},
		{of("java", two), programs["java"].good}, {of("python", called), "def f(x): return 2 * x"},
		{of("javascript", called), "const f = x => 2 * x"}, {of("r", called), "f <- function(x) 2 * x"}, {within, "def f(g): return g()"},
		{of("bash", benchmark.Tests{Style: benchmark.Script, Script: "\n"}), "true"},
	} {
		if err := j.Ready(tt.task); err != nil {
			t.Log(err)
			continue
		}
		if r := judgeCode(t, j, tt.task, tt.code); r.Verdict != verdicts.Accepted || r.Isolation != "unprotected" {
			t.Errorf("%s %s: %s %q %s", tt.task.Language, tt.task.Tests.Style, r.Verdict, r.Message, r.Isolation)
		}
	}
}
