package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
)

// A prompt begins with the text of the plan's level, which is not the tester's: it was inserted.
func TestPromptBeginsWithItsLevel(t *testing.T) {
	for level := range 4 {
		r, ctx := rig(t, 1, func(c *session.Choice) { c.Level = level })
		fatal.If(t, r.Engine.OpenTask(ctx))
		draft := r.Engine.State().Task().Draft()
		for _, part := range []struct {
			from int
			text string
		}{{1, "Return twice the number"}, {2, "0 ≤ n ≤ 1000"}, {3, "double(2)"}} {
			if strings.Contains(draft, part.text) != (level >= part.from) {
				t.Errorf("level %d begins with %q", level, draft)
			}
		}
		events, err := r.Store.Events(r.ID, 1)
		fatal.If(t, err)
		inserted := 0
		for _, e := range events {
			if p, is := e.Payload.(session.Inserted); is {
				if inserted++; p.Attempt != 1 || p.Splice.Insert != draft {
					t.Errorf("level %d: %+v", level, p)
				}
			}
		}
		if inserted > 1 || inserted == 1 != (level > 0) {
			t.Errorf("level %d: %d texts are inserted", level, inserted)
		}
	}
}

// failing judges nothing.
type failing struct{}

func (failing) Judge(context.Context, *benchmark.Task, string) (verdicts.Result, error) {
	return verdicts.Result{}, errors.New("the sandbox does not start")
}

// A call of the tester's own is run with the code under review, and only then; what it prints, or why it did not run, is
// recorded.
func TestScratch(t *testing.T) {
	r, ctx := rig(t, 1)
	if err := r.Engine.Scratch(ctx, "double(3)"); err == nil {
		t.Error("it ran before there is a task")
	}
	r.Client.Say("There is no code.")
	r.Client.Say(right)
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double"))
	until(t, ctx, r, in(session.Review))
	if err := r.Engine.Scratch(ctx, "double(3)"); err == nil {
		t.Error("it ran without code")
	}
	fatal.If(t, r.Engine.Judge(ctx, session.DecideRefine, true))
	fatal.If(t, r.Engine.Send(ctx, "With code"))
	until(t, ctx, r, judged(2))
	printed := func(n int, want string) {
		t.Helper()
		until(t, ctx, r, func(s *session.State) bool { return len(s.Attempt().Scratch) == n })
		run := r.Engine.State().Attempt().Scratch[n-1]
		input, err := r.Engine.Text(run.Input)
		fatal.If(t, err)
		output, err := r.Engine.Text(run.Output)
		fatal.If(t, err)
		if run.Attempt != 2 || input != "double(3)" || !strings.Contains(output, want) {
			t.Errorf("attempt %d, %q: %q", run.Attempt, input, output)
		}
	}
	fatal.If(t, r.Engine.Scratch(ctx, "double(3)"))
	printed(1, "double(3)")
	e := r.Reopen(t, func(c *engine.Config) { c.Judge = failing{} })
	fatal.If(t, e.Scratch(ctx, "double(3)"))
	printed(2, "the sandbox does not start")
	e = r.Reopen(t, func(c *engine.Config) { c.Judge, c.NoJudge = nil, "nothing runs code here" })
	if err := e.Scratch(ctx, "double(3)"); err == nil || err.Error() != "nothing runs code here" {
		t.Errorf("without a judge: %v", err)
	}
}

// The rating of the task closed last can be corrected, and no other.
func TestCorrect(t *testing.T) {
	r, ctx := rig(t, 2)
	if err := r.Engine.Correct(ctx); err == nil {
		t.Error("there is nothing to correct")
	}
	r.Client.Say(right)
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double"))
	until(t, ctx, r, judged(1))
	fatal.If(t, r.Engine.Judge(ctx, session.DecideSatisfied, true))
	if err := r.Engine.Correct(ctx); err == nil {
		t.Error("the rating is open")
	}
	rateAll(t, ctx, r)
	fatal.If(t, r.Engine.Commit(ctx))
	fatal.If(t, r.Engine.Correct(ctx))
	s := r.Engine.State()
	if s.Phase != session.Rate || s.Current != 0 {
		t.Fatalf("phase %s of task %d", s.Phase, s.Current)
	}
	id := s.Plan.Attributes[0].ID
	fatal.If(t, r.Engine.Rate(ctx, id, 2))
	fatal.If(t, r.Engine.Commit(ctx))
	if s = r.Engine.State(); s.Tasks[0].Ratings[id] != 2 || s.Tasks[0].Corrections != 1 {
		t.Errorf("%+v", s.Tasks[0])
	}
	fatal.If(t, r.Engine.OpenTask(ctx))
	if err := r.Engine.Correct(ctx); err == nil {
		t.Error("another task is open")
	}
}
