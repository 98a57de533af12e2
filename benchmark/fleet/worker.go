package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
)

// WorkerOptions configure a Worker.
type WorkerOptions struct {
	Link  Link
	Card  Card // Protocol and Slots are filled in by NewWorker
	Judge verdicts.Judge

	// Measure analyses a program without running it, and returns JSON. It is called if a sample's
	// coordinator requests it; nil: the coordinator measures.
	Measure func(task *benchmark.Task, code string, as assemble.Assembly) json.RawMessage

	// Libraries maps SHA-256 hashes to directories of packages on this machine.
	Libraries map[string]string

	// SelfTest lets the worker judge samples with known verdicts before the first work in each language:
	// see [selfTest].
	SelfTest bool
}

// WorkerCounts are statistics of a worker.
type WorkerCounts struct {
	Messages  int // taken
	Judged    int // samples
	Refused   int // results that existed already
	Skipped   int // samples of redelivered messages that had a result
	Divided   int // messages that were split
	GivenUp   int // samples that repeatedly crashed workers
	GivenBack int // samples left to other workers at the end
	Malformed int // invalid messages
}

// maxTries is how often a message is delivered before it is split, and a single sample before it is given
// up.
const maxTries = 3

// Worker takes work from a server and judges it.
type Worker struct {
	*connection
	o     WorkerOptions
	sets  sets
	slots chan *slot // free slots
	all   []*slot

	mu       sync.Mutex
	inHand   int // samples taken that have no result yet
	moved    chan struct{}
	counts   WorkerCounts
	reported map[string]bool         // other versions of coordinators already reported
	tests    map[string]func() error // self-tests, by language
}

// NewWorker connects to a server, for which it waits. It takes no work before Run.
func NewWorker(ctx context.Context, o WorkerOptions) (*Worker, error) {
	conn, err := await(ctx, o.Link)
	if err != nil {
		return nil, err
	}
	o.Card.Protocol, o.Card.Slots = protocol, max(o.Judge.Workers(), 1)
	w := &Worker{connection: conn, o: o, slots: make(chan *slot, o.Card.Slots), moved: make(chan struct{}, 1), reported: map[string]bool{}, tests: map[string]func() error{}}
	for range o.Card.Slots {
		s := &slot{}
		w.all = append(w.all, s)
		w.slots <- s
	}
	return w, nil
}

// Close disconnects from the server. Run does so itself.
func (w *Worker) Close() { w.nc.Close() }

// Counts returns the statistics so far.
func (w *Worker) Counts() WorkerCounts {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.counts
}

func (w *Worker) count(f func(*WorkerCounts)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(&w.counts)
}

// source is a consumer from which the worker takes messages.
type source struct {
	path, name string
	language   string
	consumer   jetstream.Consumer // nil: not found or created yet
}

// sources lists the kinds of work that the worker can do.
func (w *Worker) sources() []*source {
	card := w.o.Card
	var list []*source
	for _, language := range slices.Sorted(maps.Keys(card.Languages)) {
		n := need{version: card.Version, isolation: card.Isolation, language: language}
		list = append(list, &source{path: n.path(), name: n.consumer(), language: language})
		for _, digest := range slices.Sorted(maps.Keys(card.Libraries)) {
			if card.Libraries[digest] == language {
				n.library = digest
				list = append(list, &source{path: n.path(), name: n.consumer(), language: language})
			}
		}
	}
	return list
}

// Run takes work until the context ends; it then finishes the samples being judged, and returns the others.
// If the server does not permit its work it ends in the same way, with [ErrRefused].
func (w *Worker) Run(ctx context.Context) error {
	defer w.nc.Close()
	ctx, stop := w.unlessBarred(ctx)
	defer stop()
	bell := make(chan struct{}, 1)
	ring := func(*nats.Msg) {
		select {
		case bell <- struct{}{}:
		default:
		}
	}
	list := w.sources()
	for _, s := range list {
		if _, err := w.nc.Subscribe(bellSubject+s.path, ring); err != nil {
			return w.explain(err)
		}
	}
	if _, err := w.nc.Subscribe(whoSubject, w.answer); err != nil {
		return w.explain(err)
	}
	var messages sync.WaitGroup
	for next := 0; ctx.Err() == nil; {
		if !w.room() {
			w.pause(ctx, bell, false)
			continue
		}
		m, at := w.fetch(ctx, list, next)
		if m == nil {
			w.pause(ctx, bell, true)
			continue
		}
		next = at + 1 // the other kinds of work get their turn
		if job := w.open(ctx, m); job != nil {
			messages.Go(func() { w.handle(ctx, m, job, list[at].language) })
		}
	}
	refused := w.refusal() // later violations concern the returned work, which others get anyway
	messages.Wait()
	_ = w.nc.FlushTimeout(w.settings.Answer) // a lost acknowledgement costs others a check
	return refused
}

// room reports whether there are free slots without a sample in hand.
func (w *Worker) room() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.inHand < w.o.Card.Slots
}

// pause waits for a notification, for samples to be done, or for the next poll.
func (w *Worker) pause(ctx context.Context, bell <-chan struct{}, idle bool) {
	t := time.NewTimer(w.settings.Poll)
	defer t.Stop()
	if !idle {
		bell = nil // there is no room for more
	}
	select {
	case <-bell:
	case <-w.moved:
	case <-t.C:
	case <-ctx.Done():
	}
}

// fetch asks the sources for a message in turn, starting at next.
func (w *Worker) fetch(ctx context.Context, list []*source, next int) (jetstream.Msg, int) {
	for i := range list {
		at := (next + i) % len(list)
		s := list[at]
		if s.consumer == nil {
			asking, cancel := context.WithTimeout(ctx, w.settings.Answer)
			c, err := w.consumer(asking, s.name, s.path)
			cancel()
			if isGone(err) {
				_ = w.mend(ctx) // if that fails, it is retried
			}
			if err != nil {
				continue
			}
			s.consumer = c
		}
		messages, err := s.consumer.FetchNoWait(1)
		if err != nil {
			continue
		}
		for m := range messages.Messages() {
			return m, at
		}
		if err := messages.Error(); errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrConsumerDeleted) || errors.Is(err, jetstream.ErrConsumerNotFound) {
			s.consumer = nil // the server has lost it
		}
	}
	return nil, 0
}

// answer answers a coordinator that looks for workers.
func (w *Worker) answer(m *nats.Msg) {
	_ = m.Respond(encode(w.o.Card))
	asker, err := decodeCard(m.Data)
	if err != nil || asker.Protocol == protocol && asker.Version == w.o.Card.Version {
		return
	}
	w.mu.Lock()
	key := asker.Name + "\x00" + asker.Version
	reported := w.reported[key] || len(w.reported) >= maxCards
	w.reported[key] = true
	w.mu.Unlock()
	if !reported {
		w.say(fmt.Sprintf("%s has work for assay %s, and this is assay %s: none of it is taken; install the same version on both", asker.Name, asker.Version, w.o.Card.Version))
	}
}

// open decodes a message. It removes an invalid one from the queue: the coordinator notices that and sends
// the samples again.
func (w *Worker) open(ctx context.Context, m jetstream.Msg) *work {
	job, err := decodeWork(m.Data())
	if err == nil && token(job.Version) != token(w.o.Card.Version) {
		err = fmt.Errorf("the work is from assay %s, but this is %s", job.Version, w.o.Card.Version)
	}
	if err != nil {
		w.count(func(c *WorkerCounts) { c.Malformed++ })
		w.say("a message was left alone: " + err.Error())
		_ = m.TermWithReason("malformed")
		return nil
	}
	w.mu.Lock()
	w.counts.Messages++
	w.inHand += len(job.Samples)
	w.mu.Unlock()
	return job
}

// done records that n samples are not in hand any more.
func (w *Worker) done(n int) {
	w.mu.Lock()
	w.inHand -= n
	w.mu.Unlock()
	select {
	case w.moved <- struct{}{}:
	default:
	}
}

// handle judges the samples of a message, and acknowledges it when all results are stored.
func (w *Worker) handle(ctx context.Context, m jetstream.Msg, job *work, language string) {
	stop := w.hold(m)
	defer stop()
	tries := uint64(1)
	if meta, err := m.Metadata(); err == nil {
		tries = meta.NumDelivered
	}
	// Results of samples being judged when the context ends are still stored.
	last, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(w.settings.AckWait, cancel) })()
	all := len(job.Samples)
	if tries > 1 {
		job.Samples = w.unfinished(last, job)
		w.done(all - len(job.Samples))
	}
	if tries > maxTries {
		w.divide(last, m, job)
		w.done(len(job.Samples))
		return
	}
	tasks, err := w.sets.get(last, w.connection, job.Set)
	if err != nil && !errors.Is(err, errNotTheTasks) {
		w.say(err.Error())
		w.withoutTasks(last, m, job, err)
		w.done(len(job.Samples))
		return
	}
	left := job.Samples
	if w.prove(ctx, language) {
		left = w.judgeAll(ctx, last, job, tasks, err)
	} else {
		w.done(len(left))
	}
	switch {
	case left == nil:
		_ = m.Ack() // if it is lost, another worker finds the results
	case w.again(last, m, job, left, "back") == nil:
		w.count(func(c *WorkerCounts) { c.GivenBack += len(left) })
		_ = m.Ack()
	default:
		_ = m.Nak()
	}
}

// withoutTasks handles a message whose tasks cannot be fetched, which does not count as a try of its
// samples. If the tasks are lost, the coordinator notices that the message is gone, and sends both again.
func (w *Worker) withoutTasks(ctx context.Context, m jetstream.Msg, job *work, err error) {
	if errors.Is(err, jetstream.ErrObjectNotFound) || isGone(err) {
		_ = m.TermWithReason("its tasks are lost")
		return
	}
	if wait(ctx, w.settings.AckWait/10) == nil && w.again(ctx, m, job, job.Samples, "fetch") == nil {
		_ = m.Ack()
		return
	}
	_ = m.Nak()
}

// hold periodically tells the server that a message is being worked on.
func (w *Worker) hold(m jetstream.Msg) (stop func()) {
	done := make(chan struct{})
	go func() {
		t := time.NewTicker(w.settings.AckWait / 4)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				_ = m.InProgress()
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

// unfinished returns the samples of a redelivered message that have no result.
func (w *Worker) unfinished(ctx context.Context, job *work) []sample {
	return slices.DeleteFunc(slices.Clone(job.Samples), func(s sample) bool {
		text, _, err := w.stored(ctx, job.Run, s.ID)
		if err != nil || text == nil {
			return false
		}
		w.count(func(c *WorkerCounts) { c.Skipped++ })
		return true
	})
}

// divide splits a message that was delivered too often. A message with a single sample is given up, since
// it crashed every worker. The sample is not measured either, since measuring may be the cause.
func (w *Worker) divide(ctx context.Context, m jetstream.Msg, job *work) {
	if len(job.Samples) == 1 {
		_, err := w.publish(ctx, job.Run, job.Samples[0].ID, encode(outcome{protocol, verdicts.Result{Verdict: verdicts.SandboxError, Worker: w.o.Card.Name, Assay: w.o.Card.Version, Measures: json.RawMessage("null"),
			Message: fmt.Sprintf("%d workers began to judge this sample, and none came to an end: it may end the worker itself", maxTries)}}))
		if err != nil {
			_ = m.Nak()
			return
		}
		w.count(func(c *WorkerCounts) { c.GivenUp++ })
		_ = m.Ack()
		return
	}
	for _, s := range job.Samples {
		if w.again(ctx, m, job, []sample{s}, s.ID) != nil {
			_ = m.Nak()
			return
		}
	}
	w.count(func(c *WorkerCounts) { c.Divided++ })
	_ = m.Ack()
}

// again puts samples of a message back into the queue, under the same subject.
func (w *Worker) again(ctx context.Context, m jetstream.Msg, job *work, samples []sample, why string) error {
	part := *job
	part.Samples = samples
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, w.settings.Answer)
	defer cancel()
	_, err = w.js.Publish(ctx, m.Subject(), encode(part), jetstream.WithMsgID(fmt.Sprintf("%s.%d.%s", job.Batch, meta.Sequence.Stream, why)))
	if err == nil {
		_ = w.nc.Publish(bellSubject+strings.Join(strings.Split(m.Subject(), ".")[2:6], "."), nil)
	}
	return err
}

// judgeAll judges the samples as slots become free, and stores their results. It returns the samples that
// it did not get to; broken is the reason why there are no tasks.
func (w *Worker) judgeAll(ctx, last context.Context, job *work, tasks []benchmark.Task, broken error) (left []sample) {
	var running sync.WaitGroup
	var mu sync.Mutex
	leave := func(s sample) {
		mu.Lock()
		left = append(left, s)
		mu.Unlock()
		w.done(1)
	}
	for waiting := slices.Clone(job.Samples); len(waiting) > 0; {
		var at *slot
		select {
		case at = <-w.slots:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			for _, s := range waiting {
				leave(s)
			}
			if at != nil {
				w.slots <- at
			}
			break
		}
		i := w.choose(job.Set, waiting, at)
		s := waiting[i]
		waiting = slices.Delete(waiting, i, i+1)
		running.Go(func() {
			text, err := w.judgeOne(last, job, s, tasks, broken)
			w.slots <- at
			first := false
			if err == nil {
				first, err = w.publish(last, job.Run, s.ID, text)
			}
			if errors.Is(err, nats.ErrMaxPayload) {
				text = encode(outcome{protocol, verdicts.Result{Verdict: verdicts.SandboxError, Message: "the result is larger than the messages that the server takes"}})
				first, err = w.publish(last, job.Run, s.ID, text)
			}
			if err != nil {
				leave(s)
				return
			}
			w.count(func(c *WorkerCounts) {
				c.Judged++
				if !first {
					c.Refused++
				}
			})
			w.done(1)
		})
	}
	running.Wait()
	return left
}

// judgeOne judges a sample and encodes its result.
func (w *Worker) judgeOne(ctx context.Context, job *work, s sample, tasks []benchmark.Task, broken error) ([]byte, error) {
	r := verdicts.Result{Verdict: verdicts.SandboxError}
	switch {
	case broken != nil:
		r.Message = broken.Error()
	case job.Library != "" && w.o.Libraries[job.Library] == "":
		r.Message = fmt.Sprintf("the library %.12s is not on %s", job.Library, w.o.Card.Name)
	case s.Task >= len(tasks):
		r.Message = fmt.Sprintf("the set of tasks has %d, and the sample is for number %d", len(tasks), s.Task+1)
	default:
		task := &tasks[s.Task]
		if task.Library != "" { // its path differs on this machine
			local := *task
			local.Library = w.o.Libraries[job.Library]
			task = &local
		}
		var err error
		if r, err = w.o.Judge.Judge(ctx, verdicts.Submission{Task: task, Code: s.Code, Assembly: s.Assembly, VerdictOnly: s.VerdictOnly, Alone: s.Alone}); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			r = verdicts.Result{Verdict: verdicts.SandboxError, Message: err.Error()}
		}
		if s.Measure && w.o.Measure != nil {
			r.Measures = w.o.Measure(task, s.Code, s.Assembly)
		}
	}
	r.Worker, r.Assay = w.o.Card.Name, w.o.Card.Version
	return shorten(r, int(w.nc.MaxPayload())), nil
}
