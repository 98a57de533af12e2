// Package turns shares a few places among many who want them often: whoever wants one
// waits behind his own earlier wishes, and those who wait take turns. So one who asks for
// a hundred at once delays another by one place at most, not by a hundred.
package turns

import (
	"context"
	"sync"
)

// Turns are the places. It is safe for concurrent use.
type Turns struct {
	each int // places that one may have at a time

	mu      sync.Mutex
	free    int
	has     map[string]int
	waiting map[string][]chan struct{}
	queue   []string // who waits, in the order of their turns
}

// New makes places, of which each may have so many at a time. Both are at least 1.
func New(places, each int) *Turns {
	return &Turns{each: max(each, 1), free: max(places, 1), has: map[string]int{}, waiting: map[string][]chan struct{}{}}
}

// Take waits for a place and returns what gives it back, which is to be called once. The
// error is ctx's.
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

// Waiting is how many wishes are not granted yet.
func (t *Turns) Waiting() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, w := range t.waiting {
		n += len(w)
	}
	return n
}

// Taken is how many places somebody has.
func (t *Turns) Taken() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, has := range t.has {
		n += has
	}
	return n
}

// withdraw takes back a wish that is not granted. The caller holds mu.
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

// drop takes somebody who wants nothing any more out of the queue. The caller holds mu.
func (t *Turns) drop(who string) {
	delete(t.waiting, who)
	for i, w := range t.queue {
		if w == who {
			t.queue = append(t.queue[:i:i], t.queue[i+1:]...)
			return
		}
	}
}

// leave frees a place.
func (t *Turns) leave(who string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	if t.has[who]--; t.has[who] == 0 {
		delete(t.has, who)
	}
	t.grant()
}

// grant gives free places to those whose turn it is. The caller holds mu.
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
