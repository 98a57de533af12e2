package data_test

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/benchmark"
	"assay/data"
	"assay/data/fatal"
)

//go:embed testdata/run_case.py
var harness string

// python finds an interpreter. The system's has priority: the one on the PATH is often a wrapper that takes
// longer to start than the tests to run.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no python3 to run the texts with")
	return ""
}

type outcome struct {
	Verdict string `json:"verdict"`
	Message string `json:"message"`
	Passed  int    `json:"passed"`
	Total   int    `json:"total"`
}

// run runs code against the task's tests under the harness's CPU limit.
func run(t *testing.T, interpreter string, task task, code string) outcome {
	t.Helper()
	request, err := json.Marshal(map[string]any{"code": code, "task": task.raw})
	fatal.If(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, interpreter, "-I", "-c", harness)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	cmd.Stdin = bytes.NewReader(request)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if ok && status.Signaled() && (status.Signal() == syscall.SIGXCPU || status.Signal() == syscall.SIGKILL) && ctx.Err() == nil {
			return outcome{Verdict: "time_limit"}
		}
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var result outcome
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return result
}

func TestEveryReferencePassesEveryCase(t *testing.T) {
	interpreter := python(t)
	for _, task := range starterTasks(t) {
		t.Run(task.ID, func(t *testing.T) {
			t.Parallel()
			want := "accepted"
			if task.Tests.Style == "" {
				want = "not_judged"
			}
			got := run(t, interpreter, task, task.Reference)
			if got.Verdict != want || got.Passed != got.Total {
				t.Errorf("got %+v, want %s", got, want)
			}
		})
	}
}

var (
	thinking = regexp.MustCompile(`(?s)<think>.*?</think>`)
	fence    = regexp.MustCompile("(?ms)^```python\n(.*?)^```")
)

// codeOf is all Python code of an answer, one block after the other.
func codeOf(answer string) string {
	var b strings.Builder
	for _, m := range fence.FindAllStringSubmatch(thinking.ReplaceAllString(answer, ""), -1) {
		b.WriteString(m[1] + "\n")
	}
	return b.String()
}

func TestEveryRecordingHasItsVerdict(t *testing.T) {
	interpreter := python(t)
	tasks := map[string]task{}
	for _, task := range starterTasks(t) {
		tasks[task.ID] = task
	}
	recordings := answers(t)
	for _, r := range recordings {
		t.Run(r.Task+"/"+string(rune('0'+r.Attempt)), func(t *testing.T) {
			t.Parallel()
			task, ok := tasks[r.Task]
			if !ok {
				t.Fatal("there is no such task")
			}
			got := outcome{Verdict: "no_code"}
			if code := codeOf(r.Text); code != "" {
				got = run(t, interpreter, task, code)
			}
			if got.Verdict != r.Expect {
				t.Errorf("got %+v, want %s", got, r.Expect)
			}
			if wrong := r.Expect != "accepted" && r.Expect != "not_judged"; wrong && r.Fault == "" {
				t.Error("the fault is not named")
			}
			if got.Total > 0 {
				t.Logf("%s: %d of %d (%s)", got.Verdict, got.Passed, got.Total, got.Message)
			}
		})
	}
}

// answers are the recorded answers of the benchmark "starter".
func answers(t *testing.T) []benchmark.RecordedAnswer {
	t.Helper()
	folder, err := data.Benchmark("starter")
	fatal.If(t, err)
	all, err := benchmark.ReadAnswers(folder)
	fatal.If(t, err)
	return all
}

func TestRecordingsCoverTheBenchmark(t *testing.T) {
	recordings := answers(t)
	count, verdicts := map[string]int{}, map[string]int{}
	for _, r := range recordings {
		count[r.Task]++
		verdicts[r.Expect]++
	}
	for _, task := range starterTasks(t) {
		if count[task.ID] < 3 {
			t.Errorf("%s has %d recordings: want at least 3", task.ID, count[task.ID])
		}
	}
	for _, v := range []string{"accepted", "wrong_answer", "runtime_error", "time_limit", "compile_error", "no_code"} {
		if verdicts[v] == 0 {
			t.Errorf("no recording is meant to be %s", v)
		}
	}
}
