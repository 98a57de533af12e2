package batch

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

const (
	// lookahead is the maximum number of samples that wait for a worker, and the maximum number
	// of times that the oldest is passed over. It exceeds the number of tasks of most benchmarks,
	// whose samples alternate where a file lists one model after another.
	lookahead     = 512
	lookaheadText = 64 << 20 // bytes of waiting samples, unless a single one is larger
	manyWait      = 32       // waiting samples that are worth starting another worker
)

// queue distributes jobs to workers. No worker has jobs of its own that another could not take.
//
// Samples that are expected to take long go first, so that none starts when all others are done.
// Then a worker stays with its task, and a new task is one that no other worker is on: each
// checker that judges a task's sample loads its tests, and most files group samples by task.
// Where no such sample waits, a worker takes the oldest: no worker is idle while there is work.
// If there are many more workers than processors they belong to a fleet, which assigns tasks to
// slots itself.
type queue struct {
	mu      sync.Mutex
	room    *sync.Cond // signalled when there is room for a job
	ready   *sync.Cond // signalled when a job waits, or the queue is closed
	jobs    []*job     // the oldest first
	text    int        // bytes of their samples
	many    bool       // workers of a fleet, which do not choose by task
	on      []*past    // the task of each worker; nil: none yet
	passed  int        // how often the oldest was passed over
	closed  bool
	history *history
}

// newQueue returns a queue for about that many workers.
func newQueue(workers int, h *history) *queue {
	q := &queue{many: workers > 4*runtime.NumCPU(), history: h}
	q.room, q.ready = sync.NewCond(&q.mu), sync.NewCond(&q.mu)
	return q
}

// join adds a worker and returns its number.
func (q *queue) join() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.on = append(q.on, nil)
	return len(q.on) - 1
}

// plenty reports whether enough samples wait for one more worker.
func (q *queue) plenty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs) >= manyWait
}

// full reports whether the queue has no room.
func (q *queue) full() bool { return len(q.jobs) >= lookahead || q.text >= lookaheadText }

// put waits for room. It returns false if the context ends first.
func (q *queue) put(ctx context.Context, j job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.full() && ctx.Err() == nil {
		q.room.Wait()
	}
	if ctx.Err() != nil {
		return false
	}
	j.past = q.history.of(j.sample.TaskID)
	q.jobs = append(q.jobs, &j)
	q.text += len(j.sample.Text)
	q.ready.Signal() // any waiting worker can take it
	return true
}

// close marks the end of the jobs.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.ready.Broadcast()
}

// wake makes a waiting put check its context again.
func (q *queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.room.Broadcast()
}

// take waits for a job. It returns false when the queue is closed and empty.
func (q *queue) take(worker int) (job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.closed {
		q.ready.Wait()
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
	if on := q.on[worker]; on != nil {
		on.workers--
	}
	j := *q.jobs[i]
	q.jobs = slices.Delete(q.jobs, i, i+1)
	q.text -= len(j.sample.Text)
	q.on[worker] = j.past
	j.past.workers++
	q.room.Signal()
	return j, true
}

// choose returns the index of the job that suits the worker best.
func (q *queue) choose(worker int) int {
	if q.passed >= lookahead {
		return 0
	}
	if i := q.longest(); i >= 0 {
		return i
	}
	if q.many {
		return 0
	}
	sameTask := func(j *job) bool { return j.past == q.on[worker] }
	if i := slices.IndexFunc(q.jobs, sameTask); i >= 0 {
		return i
	}
	untaken := func(j *job) bool { return j.past.workers == 0 }
	return max(slices.IndexFunc(q.jobs, untaken), 0)
}

// longest returns the index of the job with the longest expected time, or -1 if none is long.
func (q *queue) longest() int {
	q.history.mu.Lock()
	defer q.history.mu.Unlock()
	place, most := -1, longSample
	for i, j := range q.jobs {
		if j.past.long && !j.ready {
			if took := q.history.expected(j.past); took > most {
				place, most = i, took
			}
		}
	}
	return place
}
