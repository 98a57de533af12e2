package judge

import "context"

type progressKey struct{}

// WithProgress is a context for Judge in which reached is called when a test case is
// begun: with the number of those before it, and of all. It may be called with the same
// numbers again, and begins anew when a sample is judged once more; of samples whose
// calls are made in one message nothing is heard. It must not block.
func WithProgress(ctx context.Context, reached func(done, total int)) context.Context {
	return context.WithValue(ctx, progressKey{}, reached)
}

// Reached tells whoever made the context that done of total test cases have been run.
func Reached(ctx context.Context, done, total int) {
	if reached, ok := ctx.Value(progressKey{}).(func(done, total int)); ok {
		reached(done, total)
	}
}

// reach says that the test case of that index, from 1, is begun.
func (r *run) reach(index, total int) {
	if index > 0 && index <= total {
		Reached(r.ctx, index-1, total)
	}
}
