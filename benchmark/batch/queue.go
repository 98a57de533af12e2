package batch

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

const (
	// lookahead is how many samples wait for a worker at most, and how often one may be
	// passed over by others. It is more than the tasks of most benchmarks, whose samples
	// come in turns where a file holds one model after the other.
	lookahead     = 512
	lookaheadText = 64 << 20 // bytes of them, but for one that is larger
	manyWait      = 32       // samples, for which another worker is worth its start
)

// queue hands jobs to workers, none of which has jobs of its own that another could not take.
//
// Samples that are expected to take long go first, so that none begins when all others are
// done. Then a worker stays with the task that it is on, and begins with one that no other
// worker is on: a task's tests are loaded by each checker that judges a sample of it, and
// files mostly hold a task's samples one after the other. Where no such sample waits it takes
// the oldest: nobody waits for work that is there. Many more workers than there are processors
// are a fleet's, whose slots stay with their tasks themselves.
type queue struct {
	mu      sync.Mutex
	room    *sync.Cond // for one more
	there   *sync.Cond // a job, or nothing follows
	jobs    []*job     // the oldest first
	text    int        // bytes of their samples
	many    bool       // workers, who do not look for their tasks
	on      []*past    // each worker's task; nil: none
	passed  int        // how often the oldest was passed over
	closed  bool
	history *history
}

// newQueue makes a queue for about so many workers.
func newQueue(workers int, h *history) *queue {
	q := &queue{many: workers > 4*runtime.NumCPU(), history: h}
	q.room, q.there = sync.NewCond(&q.mu), sync.NewCond(&q.mu)
	return q
}

// join adds a worker and returns its number.
func (q *queue) join() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.on = append(q.on, nil)
	return len(q.on) - 1
}

// plenty reports whether many samples wait.
func (q *queue) plenty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs) >= manyWait
}

// full reports whether no more samples may wait.
func (q *queue) full() bool {
	return len(q.jobs) >= lookahead || q.text >= lookaheadText
}

// put waits for room and answers false if the context ends first.
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

// choose is the place of the job that suits the worker best.
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
	mine := func(j *job) bool { return j.past == q.on[worker] }
	if i := slices.IndexFunc(q.jobs, mine); i >= 0 {
		return i
	}
	nobodys := func(j *job) bool { return j.past.workers == 0 }
	return max(slices.IndexFunc(q.jobs, nobodys), 0)
}

// longest is the place of the job that is expected to take longest, if that is long; else -1.
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
