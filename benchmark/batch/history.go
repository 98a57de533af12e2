package batch

import (
	"sync"
	"time"
)

// history is how long the samples of an evaluation took, by task. What is expected of a task
// is the mean of its samples and of one more that took as long as all tasks' do.
type history struct {
	mu    sync.Mutex
	tasks map[string]*past
	all   past
	work  time.Duration // of this run's samples, which others have left out
	known float64       // seconds: the sum over tasks of open*total/(n+1)
	prior float64       // the sum over tasks of open/(n+1)
}

// past is what is known of a task's samples.
type past struct {
	n     int
	total time.Duration
	open  int  // samples that are to come
	long  bool // more than longSample is expected of them

	workers int // that are on the task; the queue's lock guards it
}

// longSample is what a sample must be expected to take for its place in the queue to matter.
const longSample = 100 * time.Millisecond

// newHistory begins with how many samples are to come, by task; those of the task "" may be
// of any.
func newHistory(counts map[string]int) *history {
	h := &history{tasks: map[string]*past{}}
	for task, n := range counts {
		h.tasks[task] = &past{open: n}
		h.prior += float64(n)
	}
	return h
}

// of is a task's past.
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

// learn takes note of how long a sample took, in this run or an earlier one.
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

// count adds a task to the sums, or takes it away.
func (h *history) count(p *past, sign float64) {
	weight := sign * float64(p.open) / float64(p.n+1)
	h.known += weight * p.total.Seconds()
	h.prior += weight
}

// mean is that of all samples, in seconds.
func (h *history) mean() float64 {
	return h.all.total.Seconds() / float64(max(h.all.n, 1))
}

// expected is how long a sample of the task is expected to take.
func (h *history) expected(p *past) time.Duration {
	return time.Duration((p.total.Seconds() + h.mean()) / float64(p.n+1) * float64(time.Second))
}

// left estimates how long the samples that are to come take, after those that were judged took
// so long; 0 while there is no telling.
func (h *history) left(elapsed time.Duration) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.work <= 0 {
		return 0
	}
	open := h.known + h.prior*h.mean()
	return time.Duration(open / h.work.Seconds() * float64(elapsed)).Round(time.Second)
}
