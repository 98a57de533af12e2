package fleet

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// within is a context with a timeout for work that has to end by itself.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// Samples in a language that assay does not know do not wait for a worker.
func TestUnknownLanguageIsNotJudged(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	tasks := fakeTasks(2)
	tasks[0].Language = "cobol"
	tasks[1].Language, tasks[1].Tests = "cobol", benchmark.Tests{Style: benchmark.Stdin}
	c := startClient(t, Link{Server: s, Settings: quick()}, tasks, nil)
	for i, want := range []string{`task t/0 is written in "cobol", which cannot be judged`, `programs in the language "cobol" cannot be judged`} {
		r, err := c.Judge(within(t), verdicts.Submission{Task: &tasks[i], Code: "x", Name: "a"})
		if err != nil || r.Verdict != verdicts.NotJudged || !strings.Contains(r.Message, want) {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// A sample that no worker accepts and this machine cannot judge is not judged; if only workers are missing,
// it waits; if a worker accepts it, it is judged.
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
		r, err := c.Judge(within(t), verdicts.Submission{Task: &tasks[0], Code: "x", Name: name})
		if err != nil || r.Verdict != verdicts.NotJudged || r.Message != "R is not installed" {
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

// Streams lost during work are recreated by those who need them, each of whom reports it once.
func TestLostStreams(t *testing.T) {
	t.Parallel()
	for _, lost := range [][]string{{workStream}, {resultStream}, {workStream, resultStream, "OBJ_" + taskBucket}} {
		t.Run(strings.Join(lost, "+"), func(t *testing.T) {
			t.Parallel()
			s := startServer(t, t.TempDir(), "")
			tasks := fakeTasks(1)
			link := Link{Server: s, Settings: quick()}
			begun, goOn := make(chan struct{}, 100), make(chan struct{})
			startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1, before: func(context.Context, verdicts.Submission) error {
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
				fatal.If(t, c.js.DeleteStream(t.Context(), name))
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

// Tasks lost by the object store are stored again, however often workers have requested them, and no sample
// is abandoned.
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
	fatal.If(t, c.connection.tasks.Delete(t.Context(), c.places[&tasks[0]].set.hash))
	w, _ := startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1}})
	<-ended
	if n := w.Counts().GivenUp; n != 0 {
		t.Errorf("%d samples were given up", n)
	}
}

// withOutput is a result with a file of the given name.
func withOutput(names ...string) verdicts.Result {
	r := verdicts.Result{Verdict: verdicts.Accepted, Passed: 1, Total: 1}
	for _, name := range names {
		r.Outputs = append(r.Outputs, verdicts.OutputFile{Name: name, Problem: "none"})
	}
	return r
}

func TestOutputNames(t *testing.T) {
	t.Parallel()
	task := &benchmark.Task{Outputs: []string{"a.txt", "b/c.txt"}}
	for _, good := range [][]string{nil, {"a.txt"}, {"a.txt", "b/c.txt"}} {
		if _, err := decodeOutcomeOf(task, encode(outcome{protocol, withOutput(good...)})); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range [][]string{{"../../x"}, {"/etc/passwd"}, {""}, {"a.txt", "a.txt"}, {"other.txt"}} {
		if _, err := decodeOutcomeOf(task, encode(outcome{protocol, withOutput(bad...)})); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// liar sends malformed results a number of times.
type liar struct {
	fake
	lies int64
}

func (l *liar) Judge(ctx context.Context, s verdicts.Submission) (verdicts.Result, error) {
	r, err := l.fake.Judge(ctx, s)
	if l.judged.Load() <= l.lies {
		r = withOutput("../../x")
	}
	return r, err
}

// A malformed result is removed, and its sample judged again; a sample whose results are always malformed
// counts as a failure of the sandbox.
func TestMalformedResults(t *testing.T) {
	t.Parallel()
	for _, lies := range []int64{1, 3, 100} {
		s := startServer(t, t.TempDir(), "")
		link := Link{Server: s, Settings: quick()}
		tasks := fakeTasks(1)
		l := &liar{fake: fake{workers: 1}, lies: lies}
		_, stop := startWorker(t, link, WorkerOptions{Judge: l})
		c := startClient(t, link, tasks, func(o *ClientOptions) { o.Run = "run" })
		if lies < 100 {
			submit(t, c, tasks, 1, "s")
		} else if r, err := c.Judge(within(t), verdicts.Submission{Task: &tasks[0], Code: "x", Name: "a"}); err != nil || r.Verdict != verdicts.SandboxError || !strings.Contains(r.Message, "../../x") {
			t.Errorf("%+v, %v", r, err)
		}
		if want := min(lies, maxBad) + 1; l.judged.Load() != want {
			t.Errorf("after %d lies it was judged %d times, not %d", lies, l.judged.Load(), want)
		}
		stop()
		if n := results(t, c.connection); lies == 100 && n != 0 {
			t.Errorf("%d malformed results stay", n)
		}
	}
}

// A malformed result of an earlier process is removed, and the sample judged again.
func TestMalformedResultOfAnEarlierProcess(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	link := Link{Server: s, Settings: quick()}
	tasks := fakeTasks(1)
	first := startClient(t, link, tasks, func(o *ClientOptions) { o.Run = "run" })
	id := nameOf(first.places[&tasks[0]], verdicts.Submission{Task: &tasks[0], Code: "code 0", Name: "s0"})
	if _, err := first.publish(t.Context(), first.o.Run, id, encode(outcome{protocol, withOutput("../x")})); err != nil {
		t.Fatal(err)
	}
	first.nc.Close()
	second := startClient(t, link, tasks, func(o *ClientOptions) { o.Run = "run" })
	startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1}})
	submit(t, second, tasks, 1, "s")
}
