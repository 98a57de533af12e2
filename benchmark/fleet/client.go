package fleet

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/data/language"
)

// ClientOptions configure a Client.
type ClientOptions struct {
	Link    Link
	Version string // of this assay; workers of another version get none of its work
	Run     string // the name under which results are found again; "": only those of this process

	// Isolation is the isolation that the work needs; see need.
	Isolation string

	// Tasks are the tasks that samples will belong to. Others may follow one by one.
	Tasks []benchmark.Task

	// Window is the number of samples in flight; 0: a thousand.
	Window int

	// Batch is the largest number of samples in a message; 0: fifty.
	Batch int

	// Ready returns why this machine, which also judges, cannot judge a task. Samples of such a task are
	// given up if no worker takes them for some time. nil: they wait.
	Ready func(*benchmark.Task) error

	// Later explains how to stop a waiting run and continue it, if that is possible.
	Later string
}

// Client is a judge whose work is done by workers. It is safe for concurrent use.
type Client struct {
	*connection
	o       ClientOptions
	resumed bool // an earlier process has left results
	ctx     context.Context
	cancel  context.CancelCauseFunc
	tasks   sync.WaitGroup // background goroutines

	mu        sync.Mutex
	places    map[*benchmark.Task]place // of the declared tasks
	sets      map[string]*packed
	libraries map[string]string // directory to SHA-256
	waiting   map[string]*awaited
	gathering map[gatherKey]*batch
	sent      map[string]*batch
	counts    Counts

	// abandoned contains the needs that no worker met for so long that samples no longer wait for them.
	abandoned map[need]bool

	catching sync.Mutex
	age      string    // of the streams when everything had been sent
	followed time.Time // creation time of the stream of results being read
	reading  jetstream.ConsumeContext

	people *people // the workers heard of
}

// Counts are statistics of a client.
type Counts struct {
	Samples   int // requested
	Found     int // requested samples with a result from an earlier process
	Messages  int // sent
	Lost      int // messages lost without a result, and sent again
	Unwanted  int // results that nobody waited for
	Malformed int // invalid messages
}

// place is the location of a task with its needs.
type place struct {
	set  *packed
	at   int
	hash string // of the task
	need need
}

// awaited is a sample that somebody waits for.
type awaited struct {
	task    *benchmark.Task
	place   place
	sample  sample
	bad     int    // number of invalid results
	badAt   uint64 // stream position of the last invalid result
	results []chan verdicts.Result
	batch   *batch
}

// gatherKey is what the samples of one message have in common.
type gatherKey struct {
	need need
	set  string
}

// batch is a message before and after it is sent.
type batch struct {
	name    string
	key     gatherKey
	set     *packed
	samples map[string]sample // samples without a result yet
	bytes   int
	sent    time.Time
	look    time.Time // when to check on it
	tries   int       // how often it was sent
	lost    int       // how often it was lost
	sending bool      // it is being sent to the queue
	closed  bool      // no more samples are added
}

// maxLost is how often a message may be lost before its samples are given up.
const maxLost = 5

// NewClient connects to a server and creates the streams of a fleet there.
func NewClient(ctx context.Context, o ClientOptions) (*Client, error) {
	o.Window, o.Batch = cmp.Or(o.Window, 1000), min(cmp.Or(o.Batch, 50), maxSamples)
	conn, err := dial(ctx, o.Link)
	if err != nil {
		return nil, err
	}
	c := &Client{connection: conn, o: o, places: map[*benchmark.Task]place{}, sets: map[string]*packed{}, libraries: map[string]string{},
		waiting: map[string]*awaited{}, gathering: map[gatherKey]*batch{}, sent: map[string]*batch{}, abandoned: map[need]bool{}, people: newPeople(conn)}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	if c.o.Run == "" {
		c.o.Run = rand.Text()
	} else {
		sum := sha256.Sum256([]byte(o.Run))
		c.o.Run = hex.EncodeToString(sum[:12])
	}
	context.AfterFunc(c.barred, func() { c.end(c.refusal()) })
	c.declare(o.Tasks)
	if err := c.begin(ctx); err != nil {
		c.cancel(nil)
		conn.nc.Close()
		if refused := c.refusal(); refused != nil {
			err = refused
		}
		return nil, conn.explain(err)
	}
	return c, nil
}

// declare records the place of each task.
func (c *Client) declare(tasks []benchmark.Task) {
	from := 0
	for _, set := range cut(tasks) {
		p := pack(set)
		c.sets[p.hash] = p
		for i := range set {
			task := &tasks[from+i]
			n, err := c.needs(task)
			if err != nil {
				continue // its samples are not_judged, with the reason
			}
			c.places[task] = place{set: p, at: i, hash: task.Hash(), need: n}
		}
		from += len(set)
	}
}

// begin takes over from an earlier process of the run: it uses its results, and removes its work from the
// queue, since samples without a result are sent again.
func (c *Client) begin(ctx context.Context) error {
	ctx, stop := c.unlessBarred(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := c.takeBack(ctx); err != nil {
		return err
	}
	c.age, c.followed = c.connection.age()
	last, err := c.follow(ctx)
	if err != nil {
		return err
	}
	c.resumed = last
	if err := c.people.listen(c.card()); err != nil {
		return err
	}
	c.tasks.Go(c.lookAround)
	c.tasks.Go(c.lookAfter)
	return nil
}

func (c *Client) card() Card {
	return Card{Protocol: protocol, Name: cmp.Or(c.o.Link.Name, "coordinator"), Version: c.o.Version, Isolation: c.o.Isolation}
}

// Workers returns the number of samples that may be requested at a time.
func (c *Client) Workers() int { return c.o.Window }

// errClosed is the error after Close.
var errClosed = errors.New("the work is no longer wanted")

// Close removes the work that nobody waits for any more. Results stay, for continuing the run.
func (c *Client) Close() error {
	c.end(errClosed)
	c.tasks.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	err := c.takeBack(ctx)
	c.people.close()
	c.nc.Close()
	return err
}

// end stops sending and waiting.
func (c *Client) end(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel(why)
}

// Done removes the run's results from the server once they are stored elsewhere.
func (c *Client) Done(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, purgeTimeout)
	defer cancel()
	return c.purge(ctx, c.results, resultSubject+c.o.Run+".>")
}

// purgeTimeout is how long a server may take to remove millions of results.
const purgeTimeout = 5 * time.Minute

// needs returns what judging a task needs.
func (c *Client) needs(task *benchmark.Task) (need, error) {
	n := need{version: c.o.Version, isolation: c.o.Isolation, language: language.ID(task.Language)}
	if task.Library == "" {
		return n, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.libraries[task.Library]
	if !ok {
		var err error
		if known, err = judge.LibraryDigest(task.Library); err != nil {
			return n, fmt.Errorf("the library of %s tasks: %w", task.Language, err)
		}
		c.libraries[task.Library] = known
	}
	n.library = known
	return n, nil
}

// placeOf returns a task's place, creating a set for the task alone if necessary.
func (c *Client) placeOf(task *benchmark.Task) (place, error) {
	c.mu.Lock()
	p, ok := c.places[task]
	c.mu.Unlock()
	if ok {
		return p, nil
	}
	n, err := c.needs(task)
	if err != nil {
		return place{}, err
	}
	alone := pack([]benchmark.Task{*task})
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.sets[alone.hash]; known != nil {
		alone = known
	}
	c.sets[alone.hash] = alone
	return place{set: alone, hash: task.Hash(), need: n}, nil
}

// Judge lets a worker judge a submission. It waits as long as that takes; the error is for a cancelled
// context or a closed Client.
func (c *Client) Judge(ctx context.Context, s verdicts.Submission) (verdicts.Result, error) {
	if !s.Task.HasTests() {
		return verdicts.Result{Verdict: verdicts.NotJudged, Message: "the task has no tests: it is judged by the tester alone"}, nil
	}
	if err := judge.Known(s.Task); err != nil {
		return judge.NotReady(s.Task, err), nil
	}
	p, err := c.placeOf(s.Task)
	if err != nil {
		return judge.NotReady(s.Task, err), nil
	}
	if reason := c.givenUp(p.need, s.Task); reason != nil {
		return judge.NotReady(s.Task, reason), nil
	}
	id := nameOf(p, s)
	result := make(chan verdicts.Result, 1)
	first := c.await(id, s.Task, result)
	defer c.forget(id, result)
	if first {
		found, err := c.earlier(ctx, id, s.Task)
		if err != nil {
			return verdicts.Result{}, fmt.Errorf("judging task %s was interrupted: %w", s.Task.ID, err)
		}
		if !found {
			c.gather(p, sample{ID: id, Task: p.at, Code: s.Code, Assembly: s.Assembly, VerdictOnly: s.VerdictOnly, Alone: s.Alone, Measure: s.Measure})
		}
	}
	select {
	case r := <-result:
		return r, nil
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-c.ctx.Done():
		err = context.Cause(c.ctx)
	}
	return verdicts.Result{}, fmt.Errorf("judging task %s was interrupted: %w", s.Task.ID, err)
}

// nameOf identifies a sample by everything that its result depends on, and by its name in the run. A sample
// without a name always gets a new one.
func nameOf(p place, s verdicts.Submission) string {
	h := sha256.New()
	for _, part := range []string{p.hash, s.Code, string(s.Assembly), fmt.Sprint(s.VerdictOnly), p.need.path(), cmp.Or(s.Name, rand.Text())} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	if s.Alone {
		fmt.Fprint(h, "alone")
	}
	return hex.EncodeToString(h.Sum(nil)[:idBytes])
}

// await records that somebody waits for a sample, and reports whether nobody did before.
func (c *Client) await(id string, task *benchmark.Task, result chan verdicts.Result) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Samples++
	a := c.waiting[id]
	if a == nil {
		a, first = &awaited{task: task}, true
		c.waiting[id] = a
	}
	a.results = append(a.results, result)
	return first
}

// forget records that somebody has stopped waiting.
func (c *Client) forget(id string, result chan verdicts.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.waiting[id]
	if a == nil {
		return
	}
	for i, r := range a.results {
		if r == result {
			a.results = append(a.results[:i], a.results[i+1:]...)
			break
		}
	}
	if len(a.results) == 0 {
		c.drop(id, a)
	}
}

// drop removes a sample from the lists.
func (c *Client) drop(id string, a *awaited) {
	delete(c.waiting, id)
	c.takeOut(id, a)
}

// takeOut removes a sample from its message.
func (c *Client) takeOut(id string, a *awaited) {
	if b := a.batch; b != nil {
		a.batch = nil
		delete(b.samples, id)
		if len(b.samples) == 0 && b.closed {
			delete(c.sent, b.name)
		}
	}
}

// resolve passes a result to those who wait for it.
func (c *Client) resolve(id string, r verdicts.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.resolveLocked(id, r)
}

// resolveLocked is resolve for a caller that holds the lock.
func (c *Client) resolveLocked(id string, r verdicts.Result) {
	a := c.waiting[id]
	if a == nil {
		c.counts.Unwanted++
		return
	}
	for _, result := range a.results {
		result <- r // buffered
	}
	a.results = nil
	c.drop(id, a)
}

// earlier looks for the result of an earlier process of the run. A sandbox failure is judged again, as for
// results in files.
func (c *Client) earlier(ctx context.Context, id string, task *benchmark.Task) (bool, error) {
	if !c.resumed {
		return false, nil
	}
	ctx, stop := c.unlessBarred(ctx)
	defer stop()
	var text []byte
	var at uint64
	for {
		var err error
		if text, at, err = c.stored(ctx, c.o.Run, id); err == nil {
			break
		}
		if isGone(err) {
			_ = c.mend(ctx) // if that fails, it is retried
		}
		if err := wait(ctx, time.Second); err != nil {
			return false, err
		}
	}
	if text == nil {
		return false, nil
	}
	r, err := decodeOutcomeOf(task, text)
	if err != nil || r.Verdict == verdicts.SandboxError {
		if err := c.results.DeleteMsg(ctx, at); err != nil {
			return false, fmt.Errorf("removing an invalid result: %w", err)
		}
		return false, nil
	}
	c.mu.Lock()
	c.counts.Found++
	c.mu.Unlock()
	c.resolve(id, r)
	return true, nil
}
