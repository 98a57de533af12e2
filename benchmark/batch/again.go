package batch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"assay/benchmark/verdicts"
)

// A sample that only its limit of processor time kept from being accepted, on a machine that
// computed slowly, may have reached the limit because of other load. It is held back, and judged
// again alone after all others. Its first result is not recorded: after a crash the sample is
// judged from the start.
const (
	mostHeld    = 256              // further samples keep their first verdict
	leastAgain  = 10 * time.Second // judging again may take this long, or
	shareAgain  = 10               // 1/shareAgain of the evaluation's time, if that is longer
	againSuffix = " alone"         // of a submission's name: a fleet has stored the first result
)

// hold holds back a sample that should be judged again alone, and reports whether it did.
func (e *evaluation) hold(j job) bool {
	a := j.row.Allowed
	if j.row.Verdict != verdicts.TimeLimit || a == nil || !a.Near || a.Slowness == 0 || a.Alone {
		return false
	}
	e.holding.Lock()
	defer e.holding.Unlock()
	if len(e.held) >= mostHeld {
		return false
	}
	e.held = append(e.held, j)
	return true
}

// heldCount returns the number of samples held back.
func (e *evaluation) heldCount() int {
	e.holding.Lock()
	defer e.holding.Unlock()
	return len(e.held)
}

// judgeHeld judges the held samples again, for a time that an evaluation of this length can
// spare.
func (e *evaluation) judgeHeld(ctx context.Context, rows chan<- job) error {
	return e.judgeHeldFor(ctx, max(leastAgain, time.Since(e.started)/shareAgain), rows)
}

// judgeHeldFor judges one sample at a time, first those that passed most of their tests. When the
// time is used up, the rest keep their first results.
func (e *evaluation) judgeHeldFor(ctx context.Context, most time.Duration, rows chan<- job) error {
	slices.SortStableFunc(e.held, func(a, b job) int {
		return cmp.Compare(b.row.PassedTests*a.row.TotalTests, a.row.PassedTests*b.row.TotalTests)
	})
	start := time.Now()
	for e.heldCount() > 0 && ctx.Err() == nil {
		j := e.held[0]
		if time.Since(start) < most {
			if err := e.judgeAlone(ctx, &j); err != nil {
				return err
			}
		}
		e.holding.Lock()
		e.held = e.held[1:]
		e.holding.Unlock()
		rows <- j
	}
	return nil
}

// judgeAlone replaces a sample's result by the one it has alone, unless the sandbox fails.
func (e *evaluation) judgeAlone(ctx context.Context, j *job) error {
	again := *j
	again.alone = true
	again.row = Row{TaskID: j.row.TaskID, Sample: j.row.Sample, Unreviewed: j.row.Unreviewed, Content: j.row.Content, Task: j.row.Task}
	if err := e.judge(ctx, &again); err != nil {
		return fmt.Errorf("judging a sample again: %w", err)
	}
	if !again.row.again() {
		*j = again
	}
	return nil
}
