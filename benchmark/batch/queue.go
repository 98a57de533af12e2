package batch

import (
	"context"
	"runtime"
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
// is there. Many more workers than there are processors are a fleet's, whose slots stay
// with their tasks themselves: they take the oldest.
type queue struct {
	mu     sync.Mutex
	room   *sync.Cond // for one more
	there  *sync.Cond // a job, or nothing follows
	jobs   []job      // the oldest first
	many   bool       // workers, who take the oldest
	on     []string   // each worker's task; "": none
	passed int        // how often the oldest was passed over
	closed bool
}

// newQueue makes a queue for about so many workers.
func newQueue(workers int) *queue {
	q := &queue{many: workers > 4*runtime.NumCPU()}
	q.room, q.there = sync.NewCond(&q.mu), sync.NewCond(&q.mu)
	return q
}

// join adds a worker and returns its number.
func (q *queue) join() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.on = append(q.on, "")
	return len(q.on) - 1
}

// plenty reports whether many samples wait.
func (q *queue) plenty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs) >= lookahead/2
}

// put waits for room and answers false if the context ends first.
func (q *queue) put(ctx context.Context, j job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) >= lookahead && ctx.Err() == nil {
		q.room.Wait()
	}
	if ctx.Err() != nil {
		return false
	}
	q.jobs = append(q.jobs, j)
	q.there.Signal() // whoever waits takes any
	return true
}

// close says that nothing follows.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.there.Broadcast()
}

// wake has who waits for room look again, after a context has ended.
func (q *queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.room.Broadcast()
}

// take waits for a job and answers false when there are none any more.
func (q *queue) take(worker int) (job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.closed {
		q.there.Wait()
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
	q.room.Signal()
	return j, true
}

// choose is the place of the job that suits the worker best.
func (q *queue) choose(worker int) int {
	if q.many || q.passed >= lookahead {
		return 0
	}
	mine := func(j job) bool { return j.sample.TaskID == q.on[worker] }
	if i := slices.IndexFunc(q.jobs, mine); i >= 0 {
		return i
	}
	nobodys := func(j job) bool { return !slices.Contains(q.on, j.sample.TaskID) }
	return max(slices.IndexFunc(q.jobs, nobodys), 0)
}
