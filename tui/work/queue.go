package work

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// queue runs intents one by one, in the order of the keys that caused them, off the update path.
// Adding never blocks.
type queue struct {
	begin func(func()) // starts a goroutine of the session

	mu      sync.Mutex
	waiting []*job
	running bool
}

type job struct {
	intent
	done chan error
}

// doneMsg is sent when an intent is done or has failed.
type doneMsg struct {
	of  *job
	err error
}

// add appends an intent and returns the command that waits for its end.
func (q *queue) add(in intent) tea.Cmd {
	j := &job{in, make(chan error, 1)}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, j)
	if !q.running {
		q.running = true
		q.begin(q.drain)
	}
	return func() tea.Msg { return doneMsg{j, <-j.done} }
}

func (q *queue) drain() {
	var j *job
	whole := false
	defer func() {
		if !whole { // an intent panicked: release everybody who waits
			close(j.done)
			q.abandon()
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
		j.done <- j.do(context.Background())
	}
}

// abandon releases everybody who waits for an intent that will not run.
func (q *queue) abandon() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.waiting {
		close(j.done)
	}
	q.waiting, q.running = nil, false
}
