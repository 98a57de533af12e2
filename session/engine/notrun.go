package engine

import (
	"context"
	"sync"

	"assay/benchmark"
)

// readiness caches, by task index, why its code cannot run.
type readiness struct {
	mu    sync.Mutex
	asked map[int]bool
	known map[int]string
}

// NotRun returns why code for the task with that index cannot run on this machine, "" if it can. It looks
// for the programs that the task needs in the background; Changes signals when why is known.
func (e *Engine) NotRun(index int) (why string, known bool) {
	switch {
	case !e.tasks[index].HasTests():
		return "", true // nothing is missing
	case e.cfg.Judge == nil:
		return e.cfg.NoJudge, true
	}
	judge, ok := e.cfg.Judge.(interface {
		Ready(ctx context.Context, task *benchmark.Task) error
	})
	if !ok || e.background().Err() != nil {
		return "", true
	}
	r := &e.readiness
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked[index] {
		why, known = r.known[index]
		return why, known
	}
	if r.asked == nil {
		r.asked, r.known = map[int]bool{}, map[int]string{}
	}
	r.asked[index] = true
	e.job(func() {
		why := ""
		if err := judge.Ready(e.background(), e.tasks[index]); err != nil {
			why = err.Error()
		}
		r.mu.Lock()
		r.known[index] = why
		r.mu.Unlock()
		e.notify()
	})
	return "", false
}
