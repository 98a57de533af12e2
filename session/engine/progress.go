package engine

import (
	"slices"
	"sync"
	"time"

	"assay/benchmark/judge"
)

// Progress is how far the tests of an attempt are; zero where that is not known.
type Progress struct {
	Done, Total int
	Ended       []judge.CaseResult // those whose outcome is known, in the order of their index
	Elapsed     time.Duration      // since the tests began
}

// progress keeps how far the tests of the latest attempt are: a slot for the latest value
// that the screen reads when it likes. It is not stored.
type progress struct {
	mu            sync.Mutex
	task, attempt int
	began         int64 // monotonic reading, in milliseconds
	latest        Progress
}

// begin forgets the attempt before.
func (p *progress) begin(task, attempt int, mono int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.task, p.attempt, p.began, p.latest = task, attempt, mono, Progress{}
}

// set keeps how far an attempt is, and reports whether that is news.
func (p *progress) set(task, attempt int, reached judge.Progress) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.task != task || p.attempt != attempt {
		return false
	}
	now := &p.latest
	if reached.Done < now.Done { // the sample is judged once more
		*now = Progress{}
	}
	news := now.Done != reached.Done || now.Total != reached.Total || len(reached.Ended) > 0
	now.Done, now.Total = reached.Done, reached.Total
	if len(reached.Ended) > 0 { // what was handed out stays as it is
		now.Ended = append(slices.Clone(now.Ended), reached.Ended...)
	}
	return news
}

// Progress reports how far the tests of an attempt are.
func (e *Engine) Progress(task, attempt int) Progress {
	now := e.cfg.Stamp().Mono
	p := &e.progress
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.task != task || p.attempt != attempt {
		return Progress{}
	}
	latest := p.latest
	latest.Elapsed = time.Duration(max(0, now-p.began)) * time.Millisecond
	return latest
}
