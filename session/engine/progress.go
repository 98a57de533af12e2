package engine

import "sync"

// progress is how far the tests of the latest attempt are: a slot for the latest value
// that the screen reads when it likes. It is not stored.
type progress struct {
	mu            sync.Mutex
	task, attempt int
	done, total   int
}

// set keeps how far an attempt is, and says whether that is news.
func (p *progress) set(task, attempt, done, total int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	news := p.task != task || p.attempt != attempt || p.done != done || p.total != total
	p.task, p.attempt, p.done, p.total = task, attempt, done, total
	return news
}

// Progress says how many test cases of how many were run on the code of an attempt,
// 0 of 0 where that is not known.
func (e *Engine) Progress(task, attempt int) (done, total int) {
	p := &e.progress
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.task != task || p.attempt != attempt {
		return 0, 0
	}
	return p.done, p.total
}
