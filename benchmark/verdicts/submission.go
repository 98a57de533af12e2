package verdicts

import (
	"context"

	"assay/benchmark"
	"assay/benchmark/assemble"
)

// Submission is a piece of code to be judged.
type Submission struct {
	Task     *benchmark.Task
	Code     string
	Assembly assemble.Assembly

	// VerdictOnly ends judging at the first failing test case, where only the verdict matters.
	// The remaining cases may be not_run.
	VerdictOnly bool

	// Alone judges a sample while this Judge works on nothing else, within twice the limit of
	// processor time unless the task sets the limit. It is for a sample that only the limit kept
	// from being accepted, see [Allowance.Near].
	Alone bool

	// Measure also asks for [Result.Measures]. Only a fleet makes them: callers of a Judge on
	// this machine measure themselves.
	Measure bool

	// Name distinguishes submissions of the same code. It lets a submission that is repeated
	// after a crash find its earlier result. Judging does not depend on it.
	Name string
}

// Judge judges code. It is safe for concurrent use. The error is for a cancelled context or a closed Judge.
type Judge interface {
	Judge(ctx context.Context, s Submission) (Result, error)
	Workers() int // samples that it judges at a time
}

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
