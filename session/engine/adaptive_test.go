package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/irt/adaptive"
	"assay/session"
	"assay/session/engine/enginetest"
)

// adaptiveRig begins an adaptive session over twelve tasks.
func adaptiveRig(t *testing.T, adjust func(*session.Plan)) (*enginetest.Rig, context.Context) {
	t.Helper()
	choice := session.Choice{Benchmark: enginetest.Benchmark(12), Seed: 1, Model: session.Model{Name: "scripted", Provider: "openai"}, Practice: true}
	plan, list, err := choice.Plan()
	fatal.If(t, err)
	plan.Adaptive = &session.Adaptive{Rules: adaptive.Rules{Least: 2, Most: 5, SE: 0.2, Among: 2, Exposure: 1}, Solved: session.SolvedWithinK, Seed: 9,
		Checks: map[int]session.Check{2: {Text: "choose 3", Score: 3}}}
	for i := range plan.Tasks {
		if !plan.Tasks[i].Practice {
			plan.Tasks[i].Item = &adaptive.Item{ID: plan.Tasks[i].ID, Slope: 1.2, Intercept: 2 - 0.4*float64(i), InterceptSE: 0.2}
		}
	}
	adjust(&plan)
	r, err := enginetest.Begin("01JTESTSESSION", plan, list)
	fatal.If(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		_ = r.Engine.Close(context.Background())
	})
	return r, ctx
}

// work does the next task; the answer is right or wrong.
func work(t *testing.T, ctx context.Context, r *enginetest.Rig, good bool) {
	t.Helper()
	fatal.If(t, r.Engine.OpenTask(ctx))
	text, decision := right, session.DecideSatisfied
	if !good {
		text, decision = strings.Replace(right, "2 * n", "n # wrong", 1), session.DecideGiveUp
	}
	r.Client.Say(text)
	fatal.If(t, r.Engine.Send(ctx, "Double"))
	until(t, ctx, r, func(s *session.State) bool { return judged(1)(s) && s.Attempt().Measured != nil })
	fatal.If(t, r.Engine.Judge(ctx, decision, true))
	for _, id := range r.Engine.State().Missing() {
		if id == session.CheckID {
			fatal.If(t, r.Engine.Rate(ctx, id, 3))
		}
	}
	rateAll(t, ctx, r)
	fatal.If(t, r.Engine.Commit(ctx))
}

// The tasks of an adaptive session are chosen as each ends, easier ones after failures; a killed program goes on with
// the task that was chosen; the log has every choice with its reason, and choosing anew gives the same.
func TestAdaptive(t *testing.T) {
	for _, c := range []struct {
		name string
		good bool
	}{{"able", true}, {"not able", false}} {
		t.Run(c.name, func(t *testing.T) {
			r, ctx := adaptiveRig(t, func(*session.Plan) {})
			if s := r.Engine.State(); len(s.Choices) != 0 || s.Progress().Place() != "practice, not counted" {
				t.Fatalf("before the practice: %v, %s", s.Choices, s.Progress().Place())
			}
			work(t, ctx, r, true)
			var places []string
			for n := 0; r.Engine.State().Closed == ""; n++ {
				s := r.Engine.State()
				places = append(places, s.Progress().Place())
				next := s.Next()
				fatal.If(t, r.Crash(1000))
				if again := r.Engine.State().Next(); again != next || next < 0 {
					t.Fatalf("task %d was chosen, after the crash it is %d", next, again)
				}
				work(t, ctx, r, c.good)
			}
			s := r.Engine.State()
			if want := []string{"task 1 of at most 5", "task 2 of at most 5", "task 3 of at most 5", "task 4 of at most 5", "task 5 of at most 5"}; !slices.Equal(places, want) {
				t.Errorf("places %v", places)
			}
			if len(s.Choices) != 6 || s.Choices[5].End != adaptive.Longest || s.Progress().String() != "5 of 5 tasks done" || s.Closed != "finished" {
				t.Errorf("%d choices, %s, %s", len(s.Choices), s.Progress(), s.Closed)
			}
			first, last := s.Choices[0].Index, s.Choices[4].Index
			if c.good != (last > first) {
				t.Errorf("from task %d to task %d", first, last)
			}
			if second := s.Choices[1].Index; s.Tasks[second].Checked != 3 || s.Tasks[first].Check != nil {
				t.Errorf("attention check: %+v, %+v", s.Tasks[second].Check, s.Tasks[first].Check)
			}
			a, err := s.Ability()
			fatal.If(t, err)
			if c.good != (a.Ability > 0) || a.Known != 5 || a.Pool != 12 || a.End != adaptive.Longest || !(a.Interval.Low < a.Ability && a.Ability < a.Interval.High) {
				t.Errorf("%+v", a)
			}
			events, err := r.Store.Events(r.ID, 1)
			fatal.If(t, err)
			fatal.If(t, enginetest.Verify(events))
			fatal.If(t, session.CheckChoices(events))
			for i, e := range events {
				if p, is := e.Payload.(session.TaskChosen); is && p.Index >= 0 {
					other := slices.IndexFunc(s.Tasks, func(task session.Task) bool { return !task.Practice && !task.Opened })
					p.Index, p.Task = other, s.Tasks[other].ID
					events[i].Payload = p
					break
				}
			}
			if err := session.CheckChoices(events); err == nil || !strings.Contains(err.Error(), "by the events before it the choice is") {
				t.Errorf("another choice: %v", err)
			}
		})
	}
}

// What is not a choice of the pool, or not now, is refused.
func TestAdaptiveRefuses(t *testing.T) {
	r, ctx := adaptiveRig(t, func(*session.Plan) {})
	work(t, ctx, r, true)
	s := r.Engine.State()
	chosen := s.Choices[0]
	for name, p := range map[string]session.Payload{
		"a second choice": session.TaskChosen{Index: chosen.Index, Task: chosen.Task},
		"another task":    session.TaskOpened{Index: chosen.Index%12 + 1, Task: s.Tasks[chosen.Index%12+1].ID},
		"the end":         session.Closed{Reason: "finished"},
	} {
		if err := s.Clone().Apply(session.Event{Seq: s.Seq + 1, Stamp: s.Last, Payload: p}); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	fatal.If(t, r.Engine.Skip(ctx, "too long"))
	if s = r.Engine.State(); len(s.Choices) != 2 || s.Choices[1].Index == chosen.Index {
		t.Errorf("after a skipped task: %v", s.Choices)
	}
	a, err := s.Ability()
	fatal.If(t, err)
	if a.Asked != 2 || a.Known != 0 {
		t.Errorf("a skipped task told something: %+v", a)
	}
	for name, change := range map[string]func(*session.Plan){
		"no item":    func(p *session.Plan) { p.Tasks[3].Item = nil },
		"other item": func(p *session.Plan) { p.Tasks[3].Item = p.Tasks[4].Item },
		"response":   func(p *session.Plan) { p.Adaptive.Solved = "x" },
		"rules":      func(p *session.Plan) { p.Adaptive.Rules.Among = 0 },
	} {
		plan := s.Plan
		plan.Tasks = slices.Clone(plan.Tasks)
		adaptive := *plan.Adaptive
		plan.Adaptive = &adaptive
		change(&plan)
		if plan.Validate() == nil {
			t.Errorf("%s: the plan was accepted", name)
		}
	}
}

// A survey follows the last chosen task, and the session ends after it.
func TestAdaptiveSurvey(t *testing.T) {
	r, ctx := adaptiveRig(t, func(p *session.Plan) {
		p.Adaptive.Rules.Most = 2
		p.Survey = []session.Question{{ID: "q", Text: "?"}}
	})
	for range 3 {
		work(t, ctx, r, true)
	}
	if s := r.Engine.State(); s.Closed != "" || len(s.Asked()) != 1 || s.Next() >= 0 {
		t.Fatalf("%q, %v, %d", s.Closed, s.Asked(), s.Next())
	}
	fatal.If(t, r.Engine.Answer(ctx, "q", "fine"))
	fatal.If(t, r.Engine.Finish(ctx))
	if got := fmt.Sprint(r.Engine.State().Closed); got != "finished" {
		t.Error(got)
	}
}
