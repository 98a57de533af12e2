package cli

import (
	"hash/crc32"
	"os"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/judge"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
)

// judgeHere is the machine's judge; without a sandbox the test is skipped.
func judgeHere(t *testing.T) *judges.Execution {
	t.Helper()
	x := &judges.Execution{}
	if text, isolated := x.Describe(t.Context()); !isolated {
		t.Skipf("code cannot be run in isolation here: %s", text)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// Every recorded answer gets the verdict stated in its front matter, with extraction and judging as in a
// session.
func TestRecordingsGetTheirVerdicts(t *testing.T) {
	x := judgeHere(t)
	benchmarks, err := inputs.Bundled()
	if err != nil {
		t.Fatal(err)
	}
	recordings, err := inputs.RecordedAnswers()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	for _, r := range recordings {
		task, err := inputs.TaskOf(benchmarks, r.Task)
		if err != nil {
			t.Fatal(err)
		}
		if leftOut(t, x, task) {
			continue
		}
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			// A tenth of the time suffices: the loops are infinite.
			short := *task
			short.Limits = benchmark.Limits{CPUSeconds: 1}
			code := extract.Code(r.Text, &short).Code
			got, err := x.Judge(t.Context(), &short, code)
			if err != nil {
				t.Error(err)
				return
			}
			want := r.Expect
			if task.Tests.IsZero() {
				want = string(judge.NotJudged)
			}
			if r.Expect != "accepted" && r.Expect != "not_judged" && r.Fault == "" {
				t.Errorf("%s #%d: the fault is not named", r.Task, r.Attempt)
			}
			if !inputs.Expected(want, got.Verdict) || (r.Expect == "no_code") != (code == "") {
				t.Errorf("%s #%d is %s (%s), not %s; %d bytes of code", r.Task, r.Attempt, got.Verdict, got.Message, want, len(code))
			}
		})
	}
	wg.Wait()
}

// leftOut reports whether these tests skip a task: if its interpreter is missing, which is logged, and
// three of four tasks in other languages than Python, since these need a process or a compiler each, unless
// ASSAY_EXPECTED is "all". `assay tasks check` judges all of them.
func leftOut(t *testing.T, x *judges.Execution, task *benchmark.Task) bool {
	t.Helper()
	if task.Language == "python" || task.Tests.IsZero() {
		return false
	}
	if os.Getenv("ASSAY_EXPECTED") != "all" && crc32.ChecksumIEEE([]byte(task.ID))%4 != 0 {
		return true
	}
	err := x.Engine.Ready(task)
	if err != nil {
		t.Logf("%s is left out: %v", task.ID, err)
	}
	return err != nil
}

// Every reference solution of the bundled benchmarks is accepted.
func TestReferencesAreAccepted(t *testing.T) {
	x := judgeHere(t)
	benchmarks, err := inputs.Bundled()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range benchmarks {
		for i := range b.Tasks {
			task := &b.Tasks[i]
			if task.Tests.IsZero() || leftOut(t, x, task) {
				continue
			}
			if got, err := x.Judge(t.Context(), task, task.Reference); err != nil || got.Verdict != judge.Accepted {
				t.Errorf("%s: %s, %s, %v", task.ID, got.Verdict, got.Message, err)
			}
		}
	}
}

func TestRehearsal(t *testing.T) {
	play := inputs.Rehearsal()
	last, ok := play("badge-line", 3)
	if !ok || last == "" || strings.HasPrefix(last, "---") {
		t.Fatalf("got %q, %v", last, ok)
	}
	for _, row := range []struct {
		name    string
		task    string
		attempt int
		want    string
		ok      bool
	}{
		{"after the last the last repeats", "badge-line", 9, last, true},
		{"attempts begin with 1", "badge-line", 0, "", false},
		{"unknown task", "no-such-task", 1, "", false},
		{"no task", "", 1, "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, ok := play(row.task, row.attempt); got != row.want || ok != row.ok {
				t.Errorf("got %q, %v", got, ok)
			}
		})
	}
}
