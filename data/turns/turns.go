// Package turns shares a few slots fairly among clients: a client waits behind its own earlier requests,
// and waiting clients take turns. So a client with a hundred requests delays another by one slot at most,
// not by a hundred.
package turns

import (
	"context"
	"sync"
)

// Turns hands out slots. It is safe for concurrent use.
type Turns struct {
	each int // slots that a client may have at a time

	mu      sync.Mutex
	free    int
	has     map[string]int
	waiting map[string][]chan struct{}
	queue   []string // waiting clients in the order of their turns
}

// New returns places slots, of which a client may have each at a time. Both must be at least 1.
func New(places, each int) *Turns {
	return &Turns{each: max(each, 1), free: max(places, 1), has: map[string]int{}, waiting: map[string][]chan struct{}{}}
}

// Take waits for a slot and returns a function that releases it, to be called once. The error is ctx's.
func (t *Turns) Take(ctx context.Context, who string) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	granted := make(chan struct{})
	t.mu.Lock()
	if len(t.waiting[who]) == 0 {
		t.queue = append(t.queue, who)
	}
	t.waiting[who] = append(t.waiting[who], granted)
	t.grant()
	t.mu.Unlock()
	select {
	case <-granted:
	case <-ctx.Done():
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.withdraw(who, granted) {
			return nil, ctx.Err()
		}
	}
	return sync.OnceFunc(func() { t.leave(who) }), nil
}

// Waiting returns the number of waiting requests.
func (t *Turns) Waiting() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, w := range t.waiting {
		n += len(w)
	}
	return n
}

// Taken returns the number of slots in use.
func (t *Turns) Taken() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, has := range t.has {
		n += has
	}
	return n
}

// withdraw cancels a waiting request. The caller holds mu.
func (t *Turns) withdraw(who string, wish chan struct{}) bool {
	for i, w := range t.waiting[who] {
		if w == wish {
			t.waiting[who] = append(t.waiting[who][:i:i], t.waiting[who][i+1:]...)
			if len(t.waiting[who]) == 0 {
				t.drop(who)
			}
			return true
		}
	}
	return false
}

// drop removes a client without requests from the queue. The caller holds mu.
func (t *Turns) drop(who string) {
	delete(t.waiting, who)
	for i, w := range t.queue {
		if w == who {
			t.queue = append(t.queue[:i:i], t.queue[i+1:]...)
			return
		}
	}
}

// leave releases a slot.
func (t *Turns) leave(who string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	if t.has[who]--; t.has[who] == 0 {
		delete(t.has, who)
	}
	t.grant()
}

// grant assigns free slots in turn. The caller holds mu.
func (t *Turns) grant() {
	for i := 0; t.free > 0 && i < len(t.queue); {
		who := t.queue[i]
		if t.has[who] >= t.each {
			i++
			continue
		}
		wish := t.waiting[who][0]
		t.waiting[who] = t.waiting[who][1:]
		t.queue = append(t.queue[:i:i], t.queue[i+1:]...)
		if len(t.waiting[who]) > 0 {
			t.queue = append(t.queue, who) // behind all others
		} else {
			delete(t.waiting, who)
		}
		t.free--
		t.has[who]++
		close(wish)
	}
}
