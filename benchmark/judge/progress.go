package judge

import "context"

type progressKey struct{}

// Progress is how far a sample is.
type Progress struct {
	Done, Total int          // test cases that were run, and all of them
	Ended       []CaseResult // those that ended since the last report, as far as they are known before the verdict
}

// WithProgress is a context for Judge in which reached is called when a test case is
// begun. It may be called with the same numbers again, and begins anew when a sample is
// judged once more; of samples whose calls are made in one message nothing is heard. It
// must not block.
func WithProgress(ctx context.Context, reached func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, reached)
}

// Reached reports p to whoever made the context.
func Reached(ctx context.Context, p Progress) {
	if reached, ok := ctx.Value(progressKey{}).(func(Progress)); ok {
		reached(p)
	}
}

// reach reports that the test case of that index, from 1, is begun, and how those before it
// ended.
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
