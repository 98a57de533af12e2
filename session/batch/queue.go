package batch

import (
	"context"
	"slices"
	"sync"
)

// lookahead is how many samples wait for a worker at most, and how often one may be
// passed over by others.
const lookahead = 64

// queue hands jobs to workers. A task's tests are loaded by each checker that judges
// a sample of it, and files mostly hold a task's samples one after the other; so a
// worker stays with the task that it is on, and begins with one that no other worker
// is on. Where no such sample waits it takes the oldest: nobody waits for work that
// is there.
type queue struct {
	mu     sync.Mutex
	moved  *sync.Cond
	jobs   []job    // the oldest first
	on     []string // each worker's task; "": none
	passed int      // how often the oldest was passed over
	closed bool
}

func newQueue(workers int) *queue {
	q := &queue{on: make([]string, workers)}
	q.moved = sync.NewCond(&q.mu)
	return q
}

// put waits for room and answers false if the context ends first.
func (q *queue) put(ctx context.Context, j job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) >= lookahead && ctx.Err() == nil {
		q.moved.Wait()
	}
	if ctx.Err() != nil {
		return false
	}
	q.jobs = append(q.jobs, j)
	q.moved.Broadcast()
	return true
}

// close says that nothing follows.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.moved.Broadcast()
}

// wake has everyone look again, after a context has ended.
func (q *queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.moved.Broadcast()
}

// take waits for a job and answers false when there are none any more.
func (q *queue) take(worker int) (job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.closed {
		q.moved.Wait()
	}
	if len(q.jobs) == 0 {
		return job{}, false
	}
	i := q.choose(worker)
	if i == 0 {
		q.passed = 0
	} else {
		q.passed++
	}
	j := q.jobs[i]
	q.jobs = slices.Delete(q.jobs, i, i+1)
	q.on[worker] = j.sample.TaskID
	q.moved.Broadcast()
	return j, true
}

// choose is the place of the job that suits the worker best.
func (q *queue) choose(worker int) int {
	if q.passed >= lookahead {
		return 0
	}
	mine := func(j job) bool { return j.sample.TaskID == q.on[worker] }
	if i := slices.IndexFunc(q.jobs, mine); i >= 0 {
		return i
	}
	nobodys := func(j job) bool { return !slices.Contains(q.on, j.sample.TaskID) }
	return max(slices.IndexFunc(q.jobs, nobodys), 0)
}
