package batch

import (
	"sync"
	"time"
)

// history records how long the samples of an evaluation took, by task. The expected time of a
// task is the mean over its samples and one more that took the mean of all tasks.
type history struct {
	mu    sync.Mutex
	tasks map[string]*past
	all   past
	work  time.Duration // of this run's samples, without reused ones
	known float64       // seconds: the sum over tasks of open*total/(n+1)
	prior float64       // the sum over tasks of open/(n+1)
}

// past records the times of a task's samples.
type past struct {
	n     int
	total time.Duration
	open  int  // samples not yet judged
	long  bool // more than longSample is expected

	workers int // working on the task; guarded by the queue's lock
}

// longSample is the expected time from which a sample's place in the queue matters.
const longSample = 100 * time.Millisecond

// newHistory starts with the number of samples of each task; those of the task "" may belong to
// any.
func newHistory(counts map[string]int) *history {
	h := &history{tasks: map[string]*past{}}
	for task, n := range counts {
		h.tasks[task] = &past{open: n}
		h.prior += float64(n)
	}
	return h
}

// of returns a task's past.
func (h *history) of(task string) *past {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.find(task)
}

func (h *history) find(task string) *past {
	p := h.tasks[task]
	if p == nil {
		p = &past{}
		h.tasks[task] = p
	}
	return p
}

// learn records how long a sample took, in this run or an earlier one.
func (h *history) learn(task string, took time.Duration, earlier bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.find(task)
	from := p
	if p.open == 0 {
		from = h.find("")
	}
	h.count(p, -1)
	if from != p {
		h.count(from, -1)
	}
	from.open = max(from.open-1, 0)
	p.n, p.total = p.n+1, p.total+took
	h.all.n, h.all.total = h.all.n+1, h.all.total+took
	p.long = h.expected(p) > longSample
	h.count(p, 1)
	if from != p {
		h.count(from, 1)
	}
	if !earlier {
		h.work += took
	}
}

// count adds a task to the sums, or subtracts it.
func (h *history) count(p *past, sign float64) {
	weight := sign * float64(p.open) / float64(p.n+1)
	h.known += weight * p.total.Seconds()
	h.prior += weight
}

// mean returns the mean of all samples, in seconds.
func (h *history) mean() float64 { return h.all.total.Seconds() / float64(max(h.all.n, 1)) }

// expected returns the expected time of a sample of the task.
func (h *history) expected(p *past) time.Duration {
	return time.Duration((p.total.Seconds() + h.mean()) / float64(p.n+1) * float64(time.Second))
}

// left estimates the time for the remaining samples, from the elapsed time of those judged; 0 if
// unknown.
func (h *history) left(elapsed time.Duration) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.work <= 0 {
		return 0
	}
	open := h.known + h.prior*h.mean()
	return time.Duration(open / h.work.Seconds() * float64(elapsed)).Round(time.Second)
}
