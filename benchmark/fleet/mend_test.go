package fleet

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/judge"
)

// within is a context for what must come to an end by itself.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// A language that assay does not know is not waited for.
func TestUnknownLanguageIsNotJudged(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	tasks := fakeTasks(2)
	tasks[0].Language = "cobol"
	tasks[1].Language, tasks[1].Tests = "cobol", benchmark.Tests{Style: benchmark.Stdin}
	c := startClient(t, Link{Server: s, Settings: quick()}, tasks, nil)
	for i, want := range []string{`task t/0 is written in "cobol", which cannot be judged`, `programs in the language "cobol" cannot be judged`} {
		r, err := c.Judge(within(t), judge.Submission{Task: &tasks[i], Code: "x", Name: "a"})
		if err != nil || r.Verdict != judge.NotJudged || !strings.Contains(r.Message, want) {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// What nobody takes and this machine cannot judge is not judged; what it only does not take
// yet waits, and what somebody takes is judged.
func TestWorkThatNobodyTakesIsGivenUp(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "127.0.0.1:0")
	link := Link{Server: s, Settings: quick()}
	link.Settings.Ask, link.Settings.Patient, link.Settings.GiveUp = 20*time.Millisecond, 40*time.Millisecond, 60*time.Millisecond
	tasks := fakeTasks(2)
	tasks[0].Language, tasks[0].Tests = "r", benchmark.Tests{Style: benchmark.Stdin}
	startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1}})
	c := startClient(t, link, tasks, func(o *ClientOptions) {
		o.Ready = func(task *benchmark.Task) error {
			if task.Language == "r" {
				return errors.New("R is not installed")
			}
			return nil
		}
	})
	for _, name := range []string{"a", "b"} { // the second does not wait
		r, err := c.Judge(within(t), judge.Submission{Task: &tasks[0], Code: "x", Name: name})
		if err != nil || r.Verdict != judge.NotJudged || r.Message != "R is not installed" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if n := c.Counts().Samples; n != 1 {
		t.Errorf("%d samples were sent, not 1", n)
	}
	submit(t, c, tasks[1:], 3, "s")
	card := pythonCard("other")
	card.Languages = map[string]string{"r": "4"}
	startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1}, Card: card})
	until(t, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.abandoned) == 0
	})
	submit(t, c, tasks[:1], 3, "late")
}
