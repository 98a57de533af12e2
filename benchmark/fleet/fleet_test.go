package fleet

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// quick has short times for tests.
func quick() Settings {
	return Settings{AckWait: time.Second, Poll: 50 * time.Millisecond, Sweep: 500 * time.Millisecond, Answer: 500 * time.Millisecond}
}

// fake judges by the code alone, so that each verdict is known in advance.
type fake struct {
	workers int
	before  func(ctx context.Context, s verdicts.Submission) error
	judged  atomic.Int64
}

func (f *fake) Workers() int { return f.workers }

func (f *fake) Judge(ctx context.Context, s verdicts.Submission) (verdicts.Result, error) {
	f.judged.Add(1)
	if f.before != nil {
		if err := f.before(ctx, s); err != nil {
			return verdicts.Result{}, err
		}
	}
	return fakeResult(s.Task, s.Code), nil
}

func fakeResult(task *benchmark.Task, code string) verdicts.Result {
	h := fnv.New32a()
	fmt.Fprint(h, task.ID, code)
	cycle := [...]verdicts.Verdict{verdicts.Accepted, verdicts.WrongAnswer, verdicts.RuntimeError}
	n := int(h.Sum32() % 3)
	return verdicts.Result{Verdict: cycle[n], Passed: 3 - n, Total: 3, Message: task.ID}
}

func fakeTasks(n int) []benchmark.Task {
	list := make([]benchmark.Task, n)
	for i := range list {
		list[i] = benchmark.Task{ID: fmt.Sprint("t/", i), Language: "python", EntryPoint: "f", Tests: benchmark.Tests{Style: benchmark.Check, Check: "def check(f):\n    assert f() == 1"}}
	}
	return list
}

func startServer(t testing.TB, dir, listen string) *Server {
	t.Helper()
	s, err := StartServer(ServerOptions{Dir: dir, Listen: listen, Token: "secret"})
	fatal.If(t, err)
	t.Cleanup(s.Close)
	return s
}

func pythonCard(name string) Card {
	return Card{Name: name, Version: "1.0", Isolation: "bwrap", Languages: map[string]string{"python": "3"}}
}

// startWorker runs a worker until stop, which waits for its end.
func startWorker(t testing.TB, link Link, o WorkerOptions) (w *Worker, stop func()) {
	t.Helper()
	o.Link = link
	if o.Card.Name == "" {
		o.Card = pythonCard("w")
	}
	w, err := NewWorker(t.Context(), o)
	fatal.If(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return w, stop
}

func startClient(t testing.TB, link Link, tasks []benchmark.Task, change func(*ClientOptions)) *Client {
	t.Helper()
	o := ClientOptions{Link: link, Version: "1.0", Isolation: "bwrap", Tasks: tasks}
	if change != nil {
		change(&o)
	}
	c, err := NewClient(t.Context(), o)
	fatal.If(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// submit requests n samples with the client's window and checks each verdict.
func submit(t testing.TB, c *Client, tasks []benchmark.Task, n int, name string) map[verdicts.Verdict]int {
	t.Helper()
	var mu sync.Mutex
	got := map[verdicts.Verdict]int{}
	var next atomic.Int64
	var askers sync.WaitGroup
	for range min(c.Workers(), n) {
		askers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				task := &tasks[i*len(tasks)/n]
				s := verdicts.Submission{Task: task, Code: fmt.Sprint("code ", i%7)}
				if name != "" {
					s.Name = fmt.Sprint(name, i)
				}
				r, err := c.Judge(t.Context(), s)
				if err != nil {
					t.Error(err)
					return
				}
				if want := fakeResult(task, s.Code); r.Verdict != want.Verdict || r.Passed != want.Passed || r.Message != task.ID {
					t.Errorf("sample %d is %s (%s), not %s", i, r.Verdict, r.Message, want.Verdict)
				}
				mu.Lock()
				got[r.Verdict]++
				mu.Unlock()
			}
		})
	}
	askers.Wait()
	return got
}

// results counts the messages in the stream of results.
func results(t testing.TB, c *connection) int {
	t.Helper()
	info, err := c.results.Info(t.Context())
	fatal.If(t, err)
	return int(info.State.Msgs)
}

func TestEachSampleHasOneResult(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	link := Link{Server: s, Settings: quick()}
	tasks := fakeTasks(20)
	a, b := &fake{workers: 2}, &fake{workers: 3}
	card := pythonCard("b")
	startWorker(t, link, WorkerOptions{Judge: a})
	startWorker(t, link, WorkerOptions{Judge: b, Card: card})
	c := startClient(t, link, tasks, func(o *ClientOptions) { o.Run = "run" })
	const n = 2000
	submit(t, c, tasks, n, "s")
	if judged := a.judged.Load() + b.judged.Load(); judged != n {
		t.Errorf("%d samples were judged, not %d", judged, n)
	}
	if a.judged.Load() == 0 || b.judged.Load() == 0 {
		t.Errorf("one of the workers had nothing to do: %d and %d samples", a.judged.Load(), b.judged.Load())
	}
	if got := results(t, c.connection); got != n {
		t.Errorf("there are %d results, not %d", got, n)
	}
	if counts := c.Counts(); counts.Messages > n/10 {
		t.Errorf("%d samples travelled in %d messages", n, counts.Messages)
	}
	fatal.If(t, c.Done(t.Context()))
	if got := results(t, c.connection); got != 0 {
		t.Errorf("%d results are left", got)
	}
}

// The server rejects a second result for a sample, however late it arrives.
func TestSecondResultIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, dir, "")
	w, err := NewWorker(t.Context(), WorkerOptions{Link: Link{Server: s, Settings: quick()}, Card: pythonCard("w"), Judge: &fake{workers: 1}})
	fatal.If(t, err)
	one := encode(outcome{protocol, verdicts.Result{Verdict: verdicts.Accepted}})
	two := encode(outcome{protocol, verdicts.Result{Verdict: verdicts.WrongAnswer}})
	if first, err := w.publish(t.Context(), "r", "x", one); err != nil || !first {
		t.Fatal("the first result was not stored:", err)
	}
	w.nc.Close()
	s.Close()
	s = startServer(t, dir, "") // no window of time that a restart would end
	w, err = NewWorker(t.Context(), WorkerOptions{Link: Link{Server: s}, Card: pythonCard("w"), Judge: &fake{workers: 1}})
	fatal.If(t, err)
	defer w.nc.Close()
	if first, err := w.publish(t.Context(), "r", "x", two); err != nil || first {
		t.Fatal("a second result was stored:", err)
	}
	text, _, err := w.stored(t.Context(), "r", "x")
	if err != nil || string(text) != string(one) {
		t.Fatalf("the result is %s (%v)", text, err)
	}
}

// A message that was held too long is redelivered; a late result and acknowledgement of the first holder
// have no effect.
func TestLateAcknowledgement(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	link := Link{Server: s, Settings: quick()}
	tasks := fakeTasks(1)
	c := startClient(t, link, tasks, func(o *ClientOptions) { o.Run = "run" })
	late, err := dial(t.Context(), link)
	fatal.If(t, err)
	defer late.nc.Close()
	n := need{version: "1.0", isolation: "bwrap", language: "python"}
	from, err := late.consumer(t.Context(), n.consumer(), n.path())
	fatal.If(t, err)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		submit(t, c, tasks, 30, "s")
	}()
	held, err := from.Next(jetstream.FetchMaxWait(10 * time.Second))
	fatal.If(t, err)
	job, err := decodeWork(held.Data())
	fatal.If(t, err)
	f := &fake{workers: 2}
	startWorker(t, link, WorkerOptions{Judge: f}) // gets it when AckWait is over
	<-asked
	for _, x := range job.Samples {
		if first, err := late.publish(t.Context(), job.Run, x.ID, encode(outcome{protocol, verdicts.Result{Verdict: verdicts.SandboxError}})); first || err != nil {
			t.Errorf("a late result was stored: %v", err)
		}
	}
	if err := held.Ack(); err != nil {
		t.Error(err)
	}
	if got := results(t, c.connection); got != 30 || f.judged.Load() != 30 {
		t.Errorf("%d results of %d judged samples, not 30", got, f.judged.Load())
	}
}

// A restarted coordinator finds its results.
func TestResultsOfAnEarlierProcess(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	link := Link{Server: s, Settings: quick()}
	tasks := fakeTasks(5)
	f := &fake{workers: 2}
	_, stop := startWorker(t, link, WorkerOptions{Judge: f})
	first := startClient(t, link, tasks, func(o *ClientOptions) { o.Run = "run" })
	submit(t, first, tasks, 200, "s")
	first.nc.Close() // as kill -9 does
	// A failure of the sandbox is retried.
	id := nameOf(first.places[&tasks[0]], verdicts.Submission{Task: &tasks[0], Code: "code 0", Name: "s0"})
	stop()
	between, err := dial(t.Context(), link)
	fatal.If(t, err)
	defer between.nc.Close()
	_, at, err := between.stored(t.Context(), first.o.Run, id)
	if err != nil || at == 0 {
		t.Fatal("the first sample's result is not there:", err)
	}
	fatal.If(t, between.results.DeleteMsg(t.Context(), at))
	if _, err := between.publish(t.Context(), first.o.Run, id, encode(outcome{protocol, verdicts.Result{Verdict: verdicts.SandboxError}})); err != nil {
		t.Fatal(err)
	}
	second := startClient(t, link, tasks, func(o *ClientOptions) { o.Run = "run" })
	g := &fake{workers: 2}
	startWorker(t, link, WorkerOptions{Judge: g})
	submit(t, second, tasks, 200, "s")
	if g.judged.Load() != 1 || second.Counts().Found != 199 {
		t.Errorf("%d samples were judged again and %d results found, not 1 and 199", g.judged.Load(), second.Counts().Found)
	}
}

// Messages lost by a server are sent again.
func TestLostMessages(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	link := Link{Server: s, Settings: quick()}
	tasks := fakeTasks(1)
	c := startClient(t, link, tasks, nil)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		submit(t, c, tasks, 100, "")
	}()
	until(t, func() bool { return c.Counts().Messages >= 2 })
	fatal.If(t, c.connection.work.Purge(t.Context()))
	startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1}})
	<-asked
	if c.Counts().Lost == 0 {
		t.Error("no message counts as lost")
	}
}

// until waits for a condition that another goroutine or process fulfils.
func until(t testing.TB, is func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !is() {
		if wait(ctx, 5*time.Millisecond) != nil {
			t.Fatal("it did not come to that within a minute")
		}
	}
}

// A sample that repeatedly ends its worker is abandoned, with the reason, and the others in its message are
// judged.
func TestPoison(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	settings := quick()
	settings.AckWait = 200 * time.Millisecond
	link := Link{Server: s, Settings: settings}
	tasks := fakeTasks(1)
	c := startClient(t, link, tasks, nil)
	bad := make(chan verdicts.Result, 1)
	go func() {
		r, err := c.Judge(t.Context(), verdicts.Submission{Task: &tasks[0], Code: "poison", Measure: true})
		if err != nil {
			t.Error(err)
		}
		bad <- r
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		submit(t, c, tasks, 20, "")
	}()
	for {
		w, err := NewWorker(t.Context(), WorkerOptions{Link: link, Card: pythonCard("w"), Judge: &fake{workers: 1}})
		fatal.If(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		w.o.Judge = &fake{workers: 1, before: func(ctx context.Context, s verdicts.Submission) error {
			if s.Code == "poison" {
				w.nc.Close() // nothing is heard of this worker any more
				cancel()
				return errors.New("killed")
			}
			return nil
		}}
		ended := make(chan error, 1)
		go func() { ended <- w.Run(ctx) }()
		select {
		case <-ended:
			cancel()
			continue
		case r := <-bad:
			if r.Verdict != verdicts.SandboxError || !strings.Contains(r.Message, "3 workers began to judge this sample") {
				t.Errorf("the sample is %s: %s", r.Verdict, r.Message)
			}
			if string(r.Measures) != "null" {
				t.Errorf("somebody is to measure what ended three workers: %s", r.Measures)
			}
			<-done
			cancel()
			<-ended
			return
		}
	}
}

// A worker asked to stop finishes the samples being judged and returns the others.
func TestGivenBack(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	settings := quick()
	settings.AckWait = time.Minute // what is not given back comes too late
	settings.Linger = time.Second  // the samples come in one message
	link := Link{Server: s, Settings: settings}
	tasks := fakeTasks(1)
	begun, goOn := make(chan struct{}, 100), make(chan struct{})
	slow := &fake{workers: 1, before: func(context.Context, verdicts.Submission) error {
		begun <- struct{}{}
		<-goOn
		return nil
	}}
	c := startClient(t, link, tasks, nil)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		submit(t, c, tasks, 40, "")
	}()
	w, stop := startWorker(t, link, WorkerOptions{Judge: slow})
	<-begun
	ended := make(chan struct{})
	go func() { stop(); close(ended) }()
	until(t, func() bool { return w.inHandNow() == 1 })
	close(goOn)
	<-ended
	if got := w.Counts(); got.Judged != 1 || got.GivenBack == 0 {
		t.Errorf("%d samples were judged and %d given back", got.Judged, got.GivenBack)
	}
	startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1}})
	<-asked
	if got := results(t, c.connection); got != 40 {
		t.Errorf("there are %d results, not 40", got)
	}
}

func (w *Worker) inHandNow() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.inHand
}

// Work is sent only to workers that can run it, and work without such a worker is reported.
func TestWorkGoesWhereItCanRun(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "127.0.0.1:0")
	link := Link{Server: s, Settings: quick()}
	tasks := fakeTasks(2)
	tasks[1].Language, tasks[1].Tests = "r", benchmark.Tests{Style: benchmark.Stdin}
	said := make(chan string, 10)
	python, r := &fake{workers: 1}, &fake{workers: 1}
	other := pythonCard("old")
	other.Version = "0.9"
	other.Languages = map[string]string{"r": "4"}
	startWorker(t, link, WorkerOptions{Judge: python})
	toldWorker := make(chan string, 1)
	withSay := link
	withSay.Say = func(text string) { toldWorker <- text }
	startWorker(t, withSay, WorkerOptions{Judge: r, Card: other})
	link.Say = func(text string) { said <- text }
	link.Name = "coordinator-7"
	c := startClient(t, link, tasks, nil)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		submit(t, c, tasks, 20, "")
	}()
	text := <-said
	for _, want := range []string{"10 samples wait", "r tasks with isolation by bwrap", "old is assay 0.9", "w cannot run r", "ASSAY_NATS=nats://TOKEN@127.0.0.1:", " assay worker"} {
		if !strings.Contains(text, want) {
			t.Errorf("what is said lacks %q: %s", want, text)
		}
	}
	if text := <-toldWorker; !strings.Contains(text, "coordinator-7 has work for assay 1.0, and this is assay 0.9") {
		t.Errorf("the worker says %s", text)
	}
	if r.judged.Load() != 0 {
		t.Error("a worker of another version took work")
	}
	fits := pythonCard("r")
	fits.Languages = map[string]string{"r": "4"}
	startWorker(t, Link{Server: s, Settings: quick()}, WorkerOptions{Judge: r, Card: fits})
	<-asked
	if python.judged.Load() != 10 || r.judged.Load() != 10 {
		t.Errorf("%d samples in Python and %d in R", python.judged.Load(), r.judged.Load())
	}
}

// The server restarts during work, and work continues.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, dir, "127.0.0.1:0")
	address := s.Address()
	_, listen, _ := strings.Cut(address, "@")
	var said sync.Map
	link := Link{URL: address, Settings: quick(), Say: func(text string) { said.Store(text, true) }}
	tasks := fakeTasks(3)
	gate := make(chan struct{})
	var begun sync.Once
	f := &fake{workers: 2, before: func(context.Context, verdicts.Submission) error {
		begun.Do(func() { close(gate) })
		return nil
	}}
	c := startClient(t, link, tasks, func(o *ClientOptions) { o.Window = 200 })
	startWorker(t, Link{URL: address, Settings: quick()}, WorkerOptions{Judge: f})
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		submit(t, c, tasks, 3000, "")
	}()
	<-gate
	s.Close()
	startServer(t, dir, listen)
	<-asked
	if got := results(t, c.connection); got != 3000 {
		t.Errorf("there are %d results, not 3000", got)
	}
	c.Close() // before the server is gone
	lost := false
	said.Range(func(text, _ any) bool {
		lost = lost || strings.Contains(text.(string), "is lost") && !strings.Contains(text.(string), "secret")
		return true
	})
	if !lost {
		t.Error("nothing was said of the lost connection")
	}
}

// Errors name their cause and a remedy.
func TestErrors(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "127.0.0.1:0")
	_, host, _ := strings.Cut(s.Address(), "@")
	for _, x := range []struct{ url, want string }{
		{"nats://127.0.0.1:1", "no NATS server answers at nats://127.0.0.1:1"},
		{"nats://" + host, "refused access"},
		{"nats://wrong@" + host, "give --creds FILE"},
		{"nats://wrong@127.0.0.1:port", "…@127.0.0.1:port is not the URL of a NATS server"},
		{"nats://wro%ng@127.0.0.1:1", "…@127.0.0.1:1 is not the URL of a NATS server"},
		{"nats://user:wrong@127.0.0.1:1, nats://wrong@127.0.0.1:2", "no NATS server answers at nats://127.0.0.1:1,nats://127.0.0.1:2"},
	} {
		_, err := NewClient(t.Context(), ClientOptions{Link: Link{URL: x.url}, Version: "1.0"})
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.url, err)
		}
		if err != nil && strings.Contains(strings.ReplaceAll(err.Error(), "%", ""), "wrong") {
			t.Errorf("the error has the token: %v", err)
		}
	}
	if _, err := NewClient(t.Context(), ClientOptions{Link: Link{URL: "nats://" + host}}); !errors.Is(err, ErrRefused) {
		t.Errorf("not refused: %v", err)
	}
}

// Counts returns the statistics so far.
func (c *Client) Counts() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts
}
