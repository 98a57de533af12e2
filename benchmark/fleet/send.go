package fleet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay/benchmark"
	"assay/benchmark/verdicts"
)

// send puts a message into the queue, retrying as long as necessary.
func (c *Client) send(b *batch) {
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		err := c.trySend(b)
		if err == nil || c.ctx.Err() != nil {
			break
		}
		if errors.Is(err, nats.ErrMaxPayload) {
			c.giveUp(b, fmt.Sprintf("the sample is larger than the messages that %s takes (%d bytes); raise max_payload there", c.where, c.nc.MaxPayload()))
			return
		}
		if isGone(err) {
			_ = c.catchUp() // if that fails, it is retried
		}
		c.tellFull(err)
		if wait(c.ctx, pause) != nil {
			return
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	b.sending, b.look = false, time.Now().Add(c.settings.Sweep)
}

func (c *Client) trySend(b *batch) error {
	ctx, cancel := context.WithTimeout(c.ctx, time.Minute)
	defer cancel()
	if err := c.bring(ctx, b.set); err != nil {
		return err
	}
	c.mu.Lock()
	if len(b.samples) == 0 {
		c.mu.Unlock()
		return nil
	}
	w := work{Protocol: protocol, Version: c.o.Version, Run: c.o.Run, Batch: b.name, Set: b.set.hash, Library: b.key.need.library,
		Samples: slices.SortedFunc(maps.Values(b.samples), func(x, y sample) int {
			if x.Task != y.Task {
				return x.Task - y.Task // samples of a task are adjacent, so that its tests are loaded once
			}
			return strings.Compare(x.ID, y.ID)
		})}
	b.tries++
	try := b.tries
	c.counts.Messages++
	c.mu.Unlock()
	m := nats.NewMsg(b.key.need.subject(c.o.Run, b.name))
	m.Data = encode(w)
	ctx, cancel = context.WithTimeout(c.ctx, c.settings.Answer)
	defer cancel()
	if _, err := c.js.PublishMsg(ctx, m, jetstream.WithMsgID(fmt.Sprintf("%s.%d", b.name, try))); err != nil {
		return err
	}
	return c.nc.Publish(bellSubject+b.key.need.path(), nil)
}

// giveUp resolves all samples of a message as impossible to judge.
func (c *Client) giveUp(b *batch, why string) {
	c.mu.Lock()
	ids := slices.Collect(maps.Keys(b.samples))
	c.mu.Unlock()
	for _, id := range ids {
		c.resolve(id, verdicts.Result{Verdict: verdicts.SandboxError, Message: why})
	}
}

// takeBack removes the run's work from the queue.
func (c *Client) takeBack(ctx context.Context) error {
	return c.purge(ctx, c.connection.work, workSubject+"*.*.*.*."+c.o.Run+".>")
}

func (c *Client) purge(ctx context.Context, s jetstream.Stream, subject string) error {
	if err := s.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
		return fmt.Errorf("tidying up on %s: %w", c.where, err)
	}
	return nil
}

// follow starts reading the run's new results, and reports whether there are earlier ones. Those are looked
// up one by one when their samples are requested.
func (c *Client) follow(ctx context.Context) (earlier bool, err error) {
	config := jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy}
	last, err := c.results.GetLastMsgForSubject(ctx, resultSubject+c.o.Run+".>")
	switch {
	case err == nil:
		earlier = true
		config.DeliverPolicy, config.OptStartSeq = jetstream.DeliverByStartSequencePolicy, last.Sequence+1
	case !errors.Is(err, jetstream.ErrMsgNotFound):
		return false, err
	}
	return earlier, c.read(ctx, config)
}

// read starts a consumer for the run's results, replacing an earlier one.
func (c *Client) read(ctx context.Context, config jetstream.OrderedConsumerConfig) error {
	config.FilterSubjects = []string{resultSubject + c.o.Run + ".>"}
	results, err := c.results.OrderedConsumer(ctx, config)
	if err != nil {
		return err
	}
	reading, err := results.Consume(c.receive, jetstream.PullMaxMessages(2000), jetstream.ConsumeErrHandler(func(jetstream.ConsumeContext, error) {}))
	if err != nil {
		return err
	}
	c.mu.Lock()
	before := c.reading
	c.reading = reading
	c.mu.Unlock()
	if before != nil {
		before.Stop()
	}
	context.AfterFunc(c.ctx, reading.Stop)
	return nil
}

// catchUp recreates lost streams and their contents: tasks before the next message, and messages when they
// are next checked.
func (c *Client) catchUp() error {
	if err := c.mend(c.ctx); err != nil {
		return err
	}
	c.catching.Lock()
	defer c.catching.Unlock()
	age, made := c.connection.age()
	if age == c.age {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.ctx, startTimeout)
	defer cancel()
	if !made.Equal(c.followed) {
		if err := c.read(ctx, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy}); err != nil {
			return err
		}
		c.followed = made
	}
	c.age = age
	c.mu.Lock()
	sets := slices.Collect(maps.Values(c.sets))
	for _, b := range c.sent {
		b.lost = 0
		if !b.sending {
			b.look = time.Now()
		}
	}
	c.mu.Unlock()
	for _, p := range sets {
		p.forget()
	}
	return nil
}

// receive handles one result.
func (c *Client) receive(m jetstream.Msg) {
	_, id, _ := strings.Cut(strings.TrimPrefix(m.Subject(), resultSubject), ".")
	meta, err := m.Metadata()
	if err != nil {
		return // not from a stream
	}
	at := meta.Sequence.Stream
	if err := c.accept(id, m.Data()); err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.ctx.Err() == nil {
			c.tasks.Go(func() { c.malformed(id, at, err) })
		}
	}
}

// accept passes a valid result on.
func (c *Client) accept(id string, text []byte) error {
	c.mu.Lock()
	a := c.waiting[id]
	c.mu.Unlock()
	task := &benchmark.Task{}
	if a != nil {
		task = a.task
	}
	r, err := decodeOutcomeOf(task, text)
	if err != nil && a != nil {
		return err
	}
	c.resolve(id, r) // only counted if nobody waits
	return nil
}

// maxBad is how often a sample is sent again because of an invalid result.
const maxBad = 3

// malformed removes an invalid result from the stream, where it would block a valid one, and sends the
// sample again, a few times.
func (c *Client) malformed(id string, at uint64, cause error) {
	c.mu.Lock()
	a := c.waiting[id]
	known := a == nil || a.badAt == at // it is being removed
	if !known {
		c.counts.Malformed++
		a.badAt = at
	}
	c.mu.Unlock()
	if known {
		return
	}
	ctx, cancel := context.WithTimeout(c.ctx, c.settings.Answer)
	defer cancel()
	err := c.results.DeleteMsg(ctx, at)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.waiting[id] != a:
	case err != nil:
		a.badAt = 0 // check once more
	case a.bad == maxBad:
		c.resolveLocked(id, verdicts.Result{Verdict: verdicts.SandboxError, Message: fmt.Sprintf("workers brought %d results that are none, the last: %v", maxBad+1, cause)})
	case a.sample.ID != "": // otherwise it has not been sent yet, and will be
		a.bad++
		c.takeOut(id, a)
		c.gatherLocked(a.place, a.sample)
	}
}

// lookAfter periodically checks on messages that have been under way for long.
func (c *Client) lookAfter() {
	for wait(c.ctx, c.settings.Sweep/5) == nil {
		if c.catchUp() != nil {
			continue // the server does not answer at the moment
		}
		now := time.Now()
		var due []*batch
		c.mu.Lock()
		for _, b := range c.sent {
			if now.After(b.look) {
				due = append(due, b)
			}
		}
		c.mu.Unlock()
		for _, b := range due {
			if c.lookAt(b) != nil {
				break // the server does not answer at the moment
			}
		}
	}
}

// lookAt fetches results that were not delivered, and sends samples again that are neither in the queue nor
// have a result, because they were lost.
func (c *Client) lookAt(b *batch) error {
	ctx, cancel := context.WithTimeout(c.ctx, 2*c.settings.Answer)
	defer cancel()
	_, err := c.connection.work.GetLastMsgForSubject(ctx, b.key.need.subject(c.o.Run, b.name))
	gone := errors.Is(err, jetstream.ErrMsgNotFound)
	if err != nil && !gone {
		return err
	}
	c.mu.Lock()
	b.look = time.Now().Add(c.settings.Sweep)
	ids := slices.Collect(maps.Keys(b.samples))
	c.mu.Unlock()
	if !gone {
		return nil
	}
	for _, id := range ids {
		text, at, err := c.stored(ctx, c.o.Run, id)
		if err != nil {
			return err
		}
		if text == nil {
			continue
		}
		if err := c.accept(id, text); err != nil {
			c.malformed(id, at, err)
		}
	}
	c.mu.Lock()
	left := len(b.samples)
	if left > 0 {
		b.lost++
		c.counts.Lost++
		b.sending, b.look = true, time.Now().Add(time.Hour)
	}
	lost := b.lost
	c.mu.Unlock()
	switch {
	case left == 0:
	case lost > maxLost:
		c.giveUp(b, fmt.Sprintf("the sample's message was lost %d times without a result: the server or a worker does not keep it", maxLost))
	default:
		b.set.forget() // the tasks may be lost, too
		c.send(b)
	}
	return nil
}
