package batch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"assay/benchmark/judge"
)

// A sample that nothing but its limit of processor time kept from being accepted, on a machine
// that computed slowly, may have met the limit because of what ran beside it. It is held back,
// and judged again alone when all others are done. Its first result is not recorded before:
// after a crash it is judged anew, as if it had not been.
const (
	mostHeld    = 256              // and what comes then keeps its first verdict
	leastAgain  = 10 * time.Second // that judging again may take, and in a long evaluation
	shareAgain  = 10               // one over a part of its time
	againSuffix = " alone"         // of a submission's name: a fleet has kept the first result
)

// hold keeps a sample to be judged again alone, and reports whether it does.
func (e *evaluation) hold(j job) bool {
	a := j.row.Allowed
	if j.row.Verdict != judge.TimeLimit || a == nil || !a.Near || a.Slowness == 0 || a.Alone {
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

// holds is how many samples are held back.
func (e *evaluation) holds() int {
	e.holding.Lock()
	defer e.holding.Unlock()
	return len(e.held)
}

// judgeHeld judges again what was held back, for not much longer than an evaluation of that
// length can spare.
func (e *evaluation) judgeHeld(ctx context.Context, rows chan<- job) error {
	return e.judgeHeldFor(ctx, max(leastAgain, time.Since(e.started)/shareAgain), rows)
}

// judgeHeldFor judges one sample at a time, those first that passed most of their tests. When
// the time is used up the others keep their first results.
func (e *evaluation) judgeHeldFor(ctx context.Context, most time.Duration, rows chan<- job) error {
	slices.SortStableFunc(e.held, func(a, b job) int {
		return cmp.Compare(b.row.PassedTests*a.row.TotalTests, a.row.PassedTests*b.row.TotalTests)
	})
	start := time.Now()
	for e.holds() > 0 && ctx.Err() == nil {
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

// judgeAlone gives a sample the result that it has alone. A sandbox that fails then leaves
// the first one.
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
