package engine

import (
	"slices"
	"sync"
	"time"

	"assay/benchmark/verdicts"
	"assay/session"
)

// Progress is the progress of an attempt's tests; zero if unknown.
type Progress struct {
	Done, Total int
	Ended       []verdicts.CaseResult // results so far, in index order
	Elapsed     time.Duration         // since the tests began
}

// progress holds the progress of the latest attempt's tests. The screen reads the latest value when it
// likes; it is not stored.
type progress struct {
	mu            sync.Mutex
	task, attempt int
	began         int64 // monotonic reading, in milliseconds
	latest        Progress
}

// begin resets the progress for a new attempt.
func (p *progress) begin(task, attempt int, mono int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.task, p.attempt, p.began, p.latest = task, attempt, mono, Progress{}
}

// set records the progress of an attempt, and reports whether it has changed.
func (p *progress) set(task, attempt int, reached verdicts.Progress) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.task != task || p.attempt != attempt {
		return false
	}
	now := &p.latest
	if reached.Done < now.Done { // the sample is being judged again
		*now = Progress{}
	}
	news := now.Done != reached.Done || now.Total != reached.Total || len(reached.Ended) > 0
	now.Done, now.Total = reached.Done, reached.Total
	if len(reached.Ended) > 0 { // slices already returned must not change
		now.Ended = append(slices.Clone(now.Ended), reached.Ended...)
	}
	return news
}

// Progress returns the progress of the tests of an attempt's answer; the side is "" where one model answers.
func (e *Engine) Progress(task, attempt int, side session.Side) Progress {
	now := e.cfg.Stamp().Mono
	p := &e.progress[side.Index()]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.task != task || p.attempt != attempt {
		return Progress{}
	}
	latest := p.latest
	latest.Elapsed = time.Duration(max(0, now-p.began)) * time.Millisecond
	return latest
}
