package judge

import (
	"fmt"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
)

// Whoever asks is told which test case is begun, and how those before it ended, where they are run one by one.
func TestProgress(t *testing.T) {
	j := newJudge(t)
	task := callsTask(t, "f", `{"args":[0],"expected":0}`, `{"args":[1],"expected":1}`, `{"args":[2],"expected":2}`)
	task.Limits = benchmark.Limits{CPUSeconds: 0.3, CPUTotal: 5}
	inProcess := checkTask("", "f", "def check(candidate):\n    assert candidate(0) == 0\n    assert candidate(1) == 1\n    assert candidate(2) == 2\n")
	inProcess.Tests.InProcess = true
	for name, tc := range map[string]struct {
		task *benchmark.Task
		code string
		want string
	}{
		"call by call": {task, "import os\ndef f(x):\n    if x == 1: os._exit(0)\n    return x\n", "0/3 1/3 1 passed 2/3 2 runtime_error"},
		"in process":   {inProcess, "def f(x): return x\n", "0/3 1/3 1 passed 2/3 2 passed"},
	} {
		var said []string
		ctx := verdicts.WithProgress(t.Context(), func(p verdicts.Progress) {
			text := fmt.Sprintf("%d/%d", p.Done, p.Total)
			for _, c := range p.Ended {
				text += fmt.Sprintf(" %d %s", c.Index, c.Status)
			}
			if len(said) == 0 || said[len(said)-1] != text {
				said = append(said, text)
			}
		})
		if _, err := j.Judge(ctx, verdicts.Submission{Task: tc.task, Code: tc.code}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(said, " "); got != tc.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
