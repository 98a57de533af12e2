package fleet

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
)

// A worker measures the judged program if the coordinator requests it; one that cannot measure returns only
// the verdict.
func TestWorkersMeasure(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	link := Link{Server: s, Settings: quick()}
	tasks := fakeTasks(2)
	tasks[0].Prompt = "def f():\n"
	tasks[1].Language, tasks[1].Tests = "r", benchmark.Tests{Style: benchmark.Stdin}
	var mu sync.Mutex
	var programs []string
	startWorker(t, link, WorkerOptions{Judge: &fake{workers: 2}, Measure: func(task *benchmark.Task, code string, as assemble.Assembly) json.RawMessage {
		mu.Lock()
		defer mu.Unlock()
		programs = append(programs, string(as)+": "+code)
		return json.RawMessage(`{"of":"` + task.ID + `"}`)
	}})
	without := pythonCard("without")
	without.Languages = map[string]string{"r": "4"}
	startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1}, Card: without})
	c := startClient(t, link, tasks, nil)
	for _, x := range []struct {
		s    verdicts.Submission
		want string
	}{
		{verdicts.Submission{Task: &tasks[0], Code: "    return 1\n", Assembly: assemble.Completion, Measure: true}, `{"of":"t/0"}`},
		{verdicts.Submission{Task: &tasks[0], Code: "    return 2\n", Assembly: assemble.Completion}, ""},
		{verdicts.Submission{Task: &tasks[1], Code: "cat(1)", Assembly: assemble.Program, Measure: true}, ""},
	} {
		r, err := c.Judge(t.Context(), x.s)
		if err != nil || string(r.Measures) != x.want || r.Verdict != fakeResult(x.s.Task, x.s.Code).Verdict {
			t.Errorf("%q: %s with measures %s, not %s (%v)", x.s.Code, r.Verdict, r.Measures, x.want, err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(programs) != 1 || programs[0] != "completion:     return 1\n" {
		t.Errorf("what was measured is %q", programs)
	}
}

// A shortened result keeps its measures.
func TestMeasuresAreNotShortened(t *testing.T) {
	r := verdicts.Result{Verdict: verdicts.Accepted, Stdout: strings.Repeat("x", 1<<20), Measures: json.RawMessage(`{"parses":true}`)}
	got, err := decodeOutcome(shorten(r, 64<<10))
	if err != nil || string(got.Measures) != `{"parses":true}` {
		t.Errorf("the measures are %s, %v", got.Measures, err)
	}
}
