package fleet

import (
	"context"
	"errors"
	"net"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// A worker that is started first waits for its server, and says so once.
func TestWorkerBeforeItsServer(t *testing.T) {
	t.Parallel()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	address := free.Addr().String()
	fatal.If(t, free.Close())
	said := make(chan string, 100)
	link := Link{URL: "nats://secret@" + address, Settings: quick(), Say: func(text string) { said <- text }}
	type made struct {
		w   *Worker
		err error
	}
	ready := make(chan made, 1)
	go func() {
		w, err := NewWorker(t.Context(), WorkerOptions{Link: link, Card: pythonCard("w"), Judge: &fake{workers: 1}})
		ready <- made{w, err}
	}()
	if text := <-said; !strings.Contains(text, "no NATS server answers at nats://"+address) || !strings.Contains(text, "waiting for it") {
		t.Errorf("it says %q", text)
	}
	s := startServer(t, t.TempDir(), address)
	got := <-ready
	fatal.If(t, got.err)
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { ended <- got.w.Run(ctx) }()
	tasks := fakeTasks(1)
	submit(t, startClient(t, Link{Server: s, Settings: quick()}, tasks, nil), tasks, 3, "")
	cancel()
	fatal.If(t, <-ended)
	if len(said) > 0 {
		t.Errorf("it also says %q", <-said)
	}
}

// Waiting ends with the context.
func TestWorkerWithoutServer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	link := Link{URL: "nats://127.0.0.1:1", Say: func(string) { cancel() }}
	if _, err := NewWorker(ctx, WorkerOptions{Link: link, Card: pythonCard("w"), Judge: &fake{workers: 1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}

// apt judges the known samples rightly, and counts them by language.
type apt struct {
	fake
	python, bash atomic.Int64
}

func (a *apt) Judge(ctx context.Context, s verdicts.Submission) (verdicts.Result, error) {
	for language, n := range map[string]*atomic.Int64{"python": &a.python, "bash": &a.bash} {
		for _, k := range knownSamples(language) {
			if s.Code == k.code && reflect.DeepEqual(*s.Task, k.task) {
				n.Add(1)
				return verdicts.Result{Verdict: k.want}, nil
			}
		}
	}
	return a.fake.Judge(ctx, s)
}

// A worker tests itself once for each language, when there is work in it.
func TestSelfTestByNeed(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	link, tasks, j := Link{Server: s, Settings: quick()}, fakeTasks(2), &apt{fake: fake{workers: 2}}
	card := pythonCard("w")
	card.Languages["bash"] = "5"
	startWorker(t, link, WorkerOptions{Judge: j, Card: card, SelfTest: true})
	submit(t, startClient(t, link, tasks, nil), tasks, 50, "")
	if python, bash := j.python.Load(), j.bash.Load(); python != int64(len(knownSamples("python"))) || bash != 0 {
		t.Errorf("%d known samples in Python and %d in Bash were judged", python, bash)
	}
}

// A worker that judges known samples wrongly leaves all work to others, and ends.
func TestWorkerThatFailsItsSelfTest(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	link, tasks := Link{Server: s, Settings: quick()}, fakeTasks(2)
	w, err := NewWorker(t.Context(), WorkerOptions{Link: link, Card: pythonCard("wrong"), Judge: lenient{}, SelfTest: true})
	fatal.If(t, err)
	c := startClient(t, link, tasks, nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		submit(t, c, tasks, 20, "")
	}()
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "takes no work") {
		t.Errorf("it ends with %v", err)
	}
	if n := w.Counts().Judged; n > 0 {
		t.Errorf("it has judged %d samples", n)
	}
	startWorker(t, link, WorkerOptions{Judge: &fake{workers: 2}})
	<-done
}
