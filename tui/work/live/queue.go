package live

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// Intent is an action of the engine that the tester has asked for, with its effects on the screen
// while it is under way and when it is done.
type Intent struct {
	Do        func(context.Context) error
	step      bool                     // it leads to another view: keys wait for that view
	work      bool                     // the tester's work: the log must have it before the session is left
	predicted bool                     // the screen shows its outcome already
	After     func(why string) tea.Cmd // is told why it failed, "" where it was done; may be nil
}

// Step returns an intent that leads to another view.
func Step(do func(context.Context) error) Intent { return Intent{Do: do, step: true, work: true} }

// Record returns an intent that records the tester's work and leaves the view as it is.
func Record(predicted bool, do func(context.Context) error) Intent {
	return Intent{Do: do, work: true, predicted: predicted}
}

// queue runs intents one by one, in the order of the keys that caused them, off the update path.
// Adding never blocks.
type queue struct {
	begin func(func()) // starts a goroutine of the session

	mu      sync.Mutex
	waiting []*job
	ended   []*job // whose outcomes are not taken yet
	running bool
}

type job struct {
	Intent
	err  error
	done chan struct{}
}

// DoneMsg is sent when an intent is done or has failed. Messages may overtake one another: queue.take
// returns the outcomes in the order of the intents.
type DoneMsg struct{}

// add appends an intent and returns the command that waits for its end.
func (q *queue) add(in Intent) tea.Cmd {
	j := &job{Intent: in, done: make(chan struct{})}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, j)
	if !q.running {
		q.running = true
		q.begin(q.drain)
	}
	return func() tea.Msg {
		<-j.done
		return DoneMsg{}
	}
}

// take returns the first intent that has ended and was not taken yet, nil if there is none.
func (q *queue) take() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ended) == 0 {
		return nil
	}
	j := q.ended[0]
	q.ended = q.ended[1:]
	return j
}

// end makes the outcome of an intent known. The caller holds mu.
func (q *queue) end(j *job) {
	q.ended = append(q.ended, j)
	close(j.done)
}

func (q *queue) drain() {
	var j *job
	whole := false
	defer func() {
		if !whole { // an intent panicked: release everybody who waits
			q.abandon(j)
		}
	}()
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			q.running = false
			q.mu.Unlock()
			whole = true
			return
		}
		j = q.waiting[0]
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		j.err = j.Do(context.Background())
		q.mu.Lock()
		q.end(j)
		q.mu.Unlock()
	}
}

// abandon releases everybody who waits for an intent that broke or will not run.
func (q *queue) abandon(broken *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.end(broken)
	for _, j := range q.waiting {
		q.end(j)
	}
	q.waiting, q.running = nil, false
}
