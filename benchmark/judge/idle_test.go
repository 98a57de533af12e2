package judge

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// TestIdleLimit: a test case may wait for as long as it may compute, 0.5 s here, unless its task says otherwise; and
// what a busy machine makes it wait for does not count.
func TestIdleLimit(t *testing.T) {
	t.Parallel()
	j := hasty(t)
	const program = "import os, threading, time\n" + burn + "def f(x):\n    "
	for _, tt := range []struct {
		name, body string
		verdict    verdicts.Verdict
	}{
		{"returns", "pass", verdicts.Accepted},
		{"sleeps for less", "time.sleep(0.15)", verdicts.Accepted},
		{"sleeps for longer", "time.sleep(1.5)", verdicts.TimeLimit},
		{"sleeps often", "[time.sleep(0.05) for _ in range(40)]", verdicts.TimeLimit},
		{"computes and then sleeps", "burn(0.2); time.sleep(1.5)", verdicts.TimeLimit},
		{"computes between naps", "[(burn(0.01), time.sleep(0.1)) for _ in range(20)]", verdicts.TimeLimit},
		{"waits for itself", "lock = threading.Lock(); lock.acquire(); lock.acquire()", verdicts.TimeLimit},
		{"waits for a child that sleeps", "os.system('sleep 5')", verdicts.TimeLimit},
		{"computes", "burn(0.35)", verdicts.Accepted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			calls := callsTask(t, "f", `{"args":[1],"expected":1}`)
			whole := &benchmark.Task{ID: "t/1", Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: "1", Output: "1"}}}}
			together := checkTask("", "f", "def check(candidate):\n    assert candidate(1) == 1\n")
			together.Tests.InProcess = true
			code := program + tt.body + "\n    return x\n"
			for style, s := range map[string]verdicts.Submission{"calls": {Task: calls, Code: code}, "a whole program": {Task: whole, Code: code + "print(f(1))\n"}, "one process": {Task: together, Code: code}} {
				r := judgeCode(t, j, s.Task, s.Code)
				if r.Verdict != tt.verdict || tt.verdict == verdicts.TimeLimit && !strings.Contains(r.Message, "idle") {
					t.Errorf("%s: %s %q", style, r.Verdict, r.Message)
				}
				s.Task.Limits.WallSeconds = 30
				if tt.verdict == verdicts.TimeLimit && strings.Contains(tt.body, "time.sleep") {
					if r := judgeCode(t, j, s.Task, s.Code); r.Verdict != verdicts.Accepted {
						t.Errorf("%s that may wait for 30 s: %s %q", style, r.Verdict, r.Message)
					}
				}
			}
		})
	}
}

// TestIdleInManyCalls: what the calls of one case wait for is added up, and that of other cases is not.
func TestIdleInManyCalls(t *testing.T) {
	t.Parallel()
	j := hasty(t)
	const code = "import time\ndef f(x):\n    time.sleep(0.4)\n    return x\n"
	one := checkTask("", "f", "def check(candidate):\n    assert [candidate(i) for i in range(6)] == list(range(6))\n")
	var cases []string
	for i := range 6 {
		cases = append(cases, fmt.Sprintf(`{"args":[%d],"expected":%d}`, i, i))
	}
	for verdict, task := range map[verdicts.Verdict]*benchmark.Task{verdicts.TimeLimit: one, verdicts.Accepted: callsTask(t, "f", cases...)} {
		if r := judgeCode(t, j, task, code); r.Verdict != verdict {
			t.Errorf("%s %q, want %s", r.Verdict, r.Message, verdict)
		}
	}
}

// TestBusyMachine: right programs that compute, call after call or with many processes, take many times their limit
// of elapsed time beside other work, and are right.
func TestBusyMachine(t *testing.T) {
	j := hasty(t)
	for range sampled.Of(1, 6) * runtime.NumCPU() { // more take all other tests their time
		cmd := exec.Command("python3", "-c", "while True: pass")
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	}
	children := sampled.Of(5, 15)
	processes := &benchmark.Task{ID: "t/1", Language: "bash", Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Output: fmt.Sprintln(children)}}}}
	calls := checkTask("", "f", fmt.Sprintf("def check(candidate):\n    assert [candidate(i) for i in range(%d)] == list(range(%[1]d))\n", sampled.Of(25, 100)))
	computes := callsTask(t, "f", `{"args":[1],"expected":1}`)
	for name, s := range map[string]verdicts.Submission{
		"many processes": {Task: processes, Code: fmt.Sprintf("n=0; for i in {1..%d}; do n=$(expr $n + 1); done; echo $n", children)},
		"many calls":     {Task: calls, Code: burn + "def f(x):\n    burn(0.002)\n    return x\n"},
		"computes":       {Task: computes, Code: burn + "def f(x):\n    burn(" + fmt.Sprint(float64(sampled.Of(5, 30))/100) + ")\n    return x\n"},
	} {
		if r := judgeCode(t, j, s.Task, s.Code); r.Verdict != verdicts.Accepted {
			t.Errorf("%s: %s %q in %d ms", name, r.Verdict, r.Message, r.WallMS)
		}
	}
}
