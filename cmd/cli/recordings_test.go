package cli

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/data/fatal"
	"assay/data/sampled"
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
// session, and every reference solution is accepted.
func TestRecordingsGetTheirVerdicts(t *testing.T) {
	t.Parallel()
	x := judgeHere(t)
	benchmarks, err := inputs.Bundled()
	fatal.If(t, err)
	recordings, err := inputs.RecordedAnswers()
	fatal.If(t, err)
	judged := judgedTasks(t, x, benchmarks)
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	expect := func(what string, task *benchmark.Task, code, want string) {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			got, err := x.Judge(t.Context(), task, code)
			if err != nil || !got.Met(want) {
				t.Errorf("%s is %s (%s), not %s; %d bytes of code; %v", what, got.Verdict, got.Message, want, len(code), err)
			}
		})
	}
	for id, task := range judged {
		if !task.Tests.IsZero() {
			expect("the reference of "+id, task, task.Reference, string(verdicts.Accepted))
		}
	}
	for _, r := range recordings {
		task := judged[r.Task]
		if task == nil || task.Repository != nil { // repositories: see benchmark/repository
			continue
		}
		want, what := r.Expect, fmt.Sprintf("%s #%d", r.Task, r.Attempt)
		if task.Tests.IsZero() {
			want = string(verdicts.NotJudged)
		}
		if r.Expect != "accepted" && r.Expect != "not_judged" && r.Fault == "" {
			t.Errorf("%s: the fault is not named", what)
		}
		// A sixth of the time suffices: the loops are infinite.
		short := *task
		if r.Expect == string(verdicts.TimeLimit) {
			short.Limits = benchmark.Limits{CPUSeconds: 0.5}
		}
		code := extract.Code(r.Text, &short).Code
		if (r.Expect == "no_code") != (code == "") {
			t.Errorf("%s has %d bytes of code", what, len(code))
		}
		expect(what, &short, code, want)
	}
	wg.Wait()
}

// judgedTasks are the bundled tasks that are judged here, by id: every sixth in Python, and one in each other
// language, since these need a process or a compiler for each answer; all if ASSAY_TESTS is "all". `assay
// tasks check` judges all of them. A language whose tools are missing is left out, which is logged.
func judgedTasks(t *testing.T, x *judges.Execution, benchmarks []*benchmark.Benchmark) map[string]*benchmark.Task {
	t.Helper()
	all := map[string]*benchmark.Task{}
	seen := map[string]int{} // by language
	for _, b := range benchmarks {
		for i := range b.Tasks {
			task := &b.Tasks[i]
			seen[task.Language]++
			if n := seen[task.Language]; !sampled.All && n > 1 && (task.Language != "python" || n%6 != 1) {
				continue
			}
			if task.Language != "python" && !task.Tests.IsZero() {
				if err := x.Engine.Ready(task); err != nil {
					t.Logf("%s is left out: %v", task.ID, err)
					continue
				}
			}
			all[task.ID] = task
		}
	}
	return all
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
