package judge

import "context"

type progressKey struct{}

// Progress is the progress of judging a sample.
type Progress struct {
	Done, Total int          // test cases finished, and all
	Ended       []CaseResult // cases that ended since the last report, as far as known before the verdict
}

// WithProgress returns a context for Judge that calls reached at the start of each test case.
// reached may be called with the same numbers again, and starts over when a sample is judged
// again. It is not called for samples whose calls travel in one message. It must not block.
func WithProgress(ctx context.Context, reached func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, reached)
}

// Reached reports progress to the function given to WithProgress.
func Reached(ctx context.Context, p Progress) {
	if reached, ok := ctx.Value(progressKey{}).(func(Progress)); ok {
		reached(p)
	}
}

// reach reports that the test case with that index, from 1, starts, and how earlier ones ended.
func (r *run) reach(index, total int, ended ...caseReport) {
	if index <= 0 || index > total {
		return
	}
	p := Progress{Done: index - 1, Total: total}
	for _, c := range ended {
		p.Ended = append(p.Ended, r.caseResult(c))
	}
	Reached(r.ctx, p)
}
