package engine_test

import (
	"context"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
)

// step is an event at a given time in a task.
type step func(t *testing.T, ctx context.Context, r *enginetest.Rig)

func pass(ms int64) step {
	return func(_ *testing.T, _ context.Context, r *enginetest.Rig) { r.Clock.Advance(ms) }
}

// TestTimes holds the definitions of what a task's times are on every path: pauses and
// unobserved time are subtracted, being away or idle is counted and told, completion
// runs to the judgement that stands, and waiting for the model has a variant without it.
func TestTimes(t *testing.T) {
	act := func(do func(ctx context.Context, r *enginetest.Rig) error) step {
		return func(t *testing.T, ctx context.Context, r *enginetest.Rig) { t.Helper(); fatal.If(t, do(ctx, r)) }
	}
	open := act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.OpenTask(ctx) })
	edit := act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.Edit(ctx, "Double it") })
	send := act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.Send(ctx, "Double it") })
	pause := act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.Pause(ctx, "tester") })
	resume := act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.Resume(ctx) })
	undo := act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.Undo(ctx) })
	beat := act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.Beat(ctx) })
	active := act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.Active(ctx) })
	blur := act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.Focus(ctx, false) })
	focus := act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.Focus(ctx, true) })
	quit := act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.Close(ctx) })
	sleep := func(ms int64) step {
		return func(_ *testing.T, _ context.Context, r *enginetest.Rig) { r.Clock.Sleep(ms) }
	}
	again := func(ms int64) step { // the program is started again so much later
		return act(func(_ context.Context, r *enginetest.Rig) error { return r.Crash(ms) })
	}
	answer := func(n int) step {
		return func(t *testing.T, ctx context.Context, r *enginetest.Rig) {
			t.Helper()
			r.Client.Say(right)
			until(t, ctx, r, judged(n))
		}
	}
	judge := func(d session.Decision) step {
		return act(func(ctx context.Context, r *enginetest.Rig) error { return r.Engine.Judge(ctx, d, true) })
	}
	read, compose, wait, review, rate := session.Read, session.Compose, session.Wait, session.Review, session.Rate
	satisfied := judge(session.DecideSatisfied)
	type phases = map[session.Phase]int64
	for name, tc := range map[string]struct {
		steps    []step
		want     session.TaskTimes
		provider string
	}{
		"each phase": {
			[]step{open, pass(1000), edit, pass(200), send, pass(30), answer(1), pass(4), satisfied, pass(9)},
			session.TaskTimes{Completion: 1234, WithoutModel: 1204, Phases: phases{read: 1000, compose: 200, wait: 30, review: 4}}, "",
		},
		"a pause in every phase": {
			[]step{open, pass(1000), pause, pass(77), resume, pass(1), edit, pause, pass(77), resume, pass(200), send, pass(30), pause, pass(77), resume, answer(1), pause, pass(77), resume, pass(4),
				satisfied, pause, pass(77), resume, pass(5), beat},
			session.TaskTimes{Completion: 1235, WithoutModel: 1205, Paused: 5 * 77, Phases: phases{read: 1001, compose: 200, wait: 30, review: 4, rate: 5}}, "",
		},
		"an answer that comes during a pause ends the wait for nobody": {
			[]step{open, edit, send, pass(30), pause, pass(50), answer(1), pass(20), resume, pass(4), satisfied},
			session.TaskTimes{Completion: 34, WithoutModel: 4, Paused: 70, Phases: phases{read: 0, compose: 0, wait: 30, review: 4}}, "",
		},
		"a machine that sleeps": { // the monotonic clock stands still, wall time does not count
			[]step{open, pass(1000), sleep(60_000), beat, pass(10), edit, pass(5), send, answer(1), satisfied},
			session.TaskTimes{Completion: 1015, WithoutModel: 1015, Phases: phases{read: 1010, compose: 5, wait: 0, review: 0}}, "",
		},
		"the terminal loses the focus": {
			[]step{open, pass(1000), blur, pass(300), focus, pass(1), edit, send, blur, pass(40), answer(1), pass(2), focus, satisfied},
			session.TaskTimes{Completion: 1343, WithoutModel: 1303, Blurred: 342, Phases: phases{read: 1301, compose: 0, wait: 40, review: 2}}, "",
		},
		"silence is told, and counted": {
			[]step{open, active, pass(5000), beat, pass(700), active, pass(1), edit, send, answer(1), satisfied},
			session.TaskTimes{Completion: 5701, WithoutModel: 5701, Idle: 700, Phases: phases{read: 5701, compose: 0, wait: 0, review: 0}}, "",
		},
		"silence while waiting is none": {
			[]step{open, edit, send, active, pass(50_000), beat, pass(5), answer(1), active, satisfied},
			session.TaskTimes{Completion: 50_005, WithoutModel: 0, Phases: phases{read: 0, compose: 0, wait: 50_005, review: 0}}, "",
		},
		"a crash": { // what lies between the last event and the next start is a bound
			[]step{open, pass(1000), edit, pass(200), beat, pass(40), again(7000), pass(5), send, answer(1), satisfied},
			session.TaskTimes{Completion: 1205, WithoutModel: 1205, Unobserved: 7040, Phases: phases{read: 1000, compose: 205, wait: 0, review: 0}}, "",
		},
		"a crash while waiting": {
			[]step{open, edit, send, pass(30), beat, again(500), pass(5), send, pass(3), answer(1), satisfied},
			session.TaskTimes{Completion: 38, WithoutModel: 5, Unobserved: 500, Phases: phases{read: 0, compose: 5, wait: 33, review: 0}}, "",
		},
		"leaving, and going on another day": {
			[]step{open, pass(1000), edit, pass(200), quit, again(86_400_000), pass(5), send, answer(1), satisfied},
			session.TaskTimes{Completion: 1205, WithoutModel: 1205, Paused: 86_400_000, Phases: phases{read: 1000, compose: 205, wait: 0, review: 0}}, "",
		},
		"a judgement that is taken back": { // what came between is part of the work that the last one ends
			[]step{open, edit, send, answer(1), pass(4), satisfied, pass(100), undo, pass(20), satisfied, pass(3), beat},
			session.TaskTimes{Completion: 124, WithoutModel: 124, Phases: phases{read: 0, compose: 0, wait: 0, review: 24, rate: 103}}, "",
		},
		"a refinement that is taken back": {
			[]step{open, edit, send, answer(1), pass(4), judge(session.DecideRefine), pass(100), undo, pass(20), satisfied},
			session.TaskTimes{Completion: 124, WithoutModel: 124, Phases: phases{read: 0, compose: 100, wait: 0, review: 24}}, "",
		},
		"the chat page is not absence": {
			[]step{open, blur, pass(7), focus, edit, send, blur, pass(4000), focus, answer(1), blur, pass(9), focus, satisfied},
			session.TaskTimes{Completion: 4016, WithoutModel: 16, Blurred: 16, Phases: phases{read: 7, compose: 0, wait: 4000, review: 9}},
			"paste",
		},
		"two attempts": {
			[]step{open, edit, pass(1), send, pass(30), answer(1), pass(4), judge(session.DecideRefine), pass(200), send, pass(7), answer(2), pass(5), judge(session.DecideGiveUp)},
			session.TaskTimes{Completion: 247, WithoutModel: 210, Phases: phases{read: 0, compose: 201, wait: 37, review: 9}}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, ctx := rig(t, 1, func(c *session.Choice) {
				c.IdleMS = 5000
				if c.Model.Provider = "command"; tc.provider != "" {
					c.Model.Provider = tc.provider
				}
			})
			for _, s := range tc.steps {
				s(t, ctx, r)
			}
			events, err := r.Store.Events(r.ID, 1)
			fatal.If(t, err)
			s, intervals, err := session.Fold(events)
			fatal.If(t, err)
			got := session.TimesOf(s, intervals)[0]
			for p, ms := range tc.want.Phases {
				if got.Phases[p] != ms {
					t.Errorf("%s took %d ms, not %d", p, got.Phases[p], ms)
				}
			}
			got.Phases, tc.want.Phases = nil, nil
			if got.Completion != tc.want.Completion || got.WithoutModel != tc.want.WithoutModel || got.Paused != tc.want.Paused ||
				got.Unobserved != tc.want.Unobserved || got.Blurred != tc.want.Blurred || got.Idle != tc.want.Idle {
				t.Errorf("got  %+v\nwant %+v", got, tc.want)
			}
		})
	}
}
