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

// What a server loses in the middle is made again by those who miss it, and said once by each.
func TestLostStreams(t *testing.T) {
	t.Parallel()
	for _, lost := range [][]string{{workStream}, {resultStream}, {workStream, resultStream, "OBJ_" + taskBucket}} {
		t.Run(strings.Join(lost, "+"), func(t *testing.T) {
			t.Parallel()
			s := startServer(t, t.TempDir(), "")
			tasks := fakeTasks(1)
			link := Link{Server: s, Settings: quick()}
			begun, goOn := make(chan struct{}, 100), make(chan struct{})
			startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1, before: func(context.Context, judge.Submission) error {
				begun <- struct{}{}
				<-goOn
				return nil
			}}})
			said := make(chan string, 100)
			link.Say = func(text string) { said <- text }
			c := startClient(t, link, tasks, nil)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				submit(t, c, tasks, 60, "s") // some with the worker, some in the queue
			}()
			<-begun
			until(t, func() bool { return c.Counts().Messages >= 2 })
			for _, name := range lost {
				if err := c.js.DeleteStream(t.Context(), name); err != nil {
					t.Fatal(err)
				}
			}
			close(goOn)
			<-ended
			submit(t, c, tasks, 10, "later")
			select {
			case text := <-said:
				if !strings.Contains(text, "has lost "+lost[0]) && len(lost) == 1 || strings.Contains(text, "wait for a worker") {
					t.Error(text)
				}
			default:
				t.Error("it was not said")
			}
		})
	}
}

// Tasks that the object store has lost are brought again, however often workers asked for
// them, and no sample is given up for it.
func TestLostTasks(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	tasks := fakeTasks(1)
	link := Link{Server: s, Settings: quick()}
	c := startClient(t, link, tasks, nil)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		submit(t, c, tasks, 1, "s")
	}()
	until(t, func() bool { return c.Counts().Messages > 0 })
	until(t, func() bool {
		info, err := c.connection.work.Info(t.Context())
		return err == nil && info.State.Msgs > 0
	})
	if err := c.connection.tasks.Delete(t.Context(), c.places[&tasks[0]].set.hash); err != nil {
		t.Fatal(err)
	}
	w, _ := startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1}})
	<-ended
	if n := w.Counts().GivenUp; n != 0 {
		t.Errorf("%d samples were given up", n)
	}
}
