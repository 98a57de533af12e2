package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/session/trajectory"
)

const right = "Here it is:\n\n```python\ndef double(n):\n    return 2 * n\n```\n"

// rig begins a session and ends its background work with the test.
func rig(t *testing.T, tasks int, adjust ...func(*session.Choice)) (*enginetest.Rig, context.Context) {
	t.Helper()
	r, err := enginetest.New(tasks, adjust...)
	fatal.If(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(func() {
		cancel()
		_ = r.Engine.Close(context.Background())
	})
	return r, ctx
}

// until waits for a state and fails the test if it is not reached.
func until(t *testing.T, ctx context.Context, r *enginetest.Rig, reached func(*session.State) bool) {
	t.Helper()
	if err := r.Until(ctx, reached); err != nil {
		t.Fatalf("%v: phase %s, last event %d", err, r.Engine.State().Phase, r.Engine.State().Seq)
	}
}

func judged(n int) func(*session.State) bool {
	return func(s *session.State) bool {
		a := s.Attempt()
		return a != nil && a.N == n && a.Verdict != nil
	}
}

func in(p session.Phase) func(*session.State) bool {
	return func(s *session.State) bool { return s.Phase == p }
}

// rateAll answers all questions about the final answer.
func rateAll(t *testing.T, ctx context.Context, r *enginetest.Rig) {
	t.Helper()
	for _, id := range r.Engine.State().Missing() {
		switch id {
		case session.LabelExplanation:
			fatal.If(t, r.Engine.Label(ctx, id, "yes"))
		case session.LabelErrorCause:
			fatal.If(t, r.Engine.Label(ctx, id, "code"))
		default:
			fatal.If(t, r.Engine.Rate(ctx, id, 4))
		}
	}
}

func kinds(t *testing.T, r *enginetest.Rig) []session.Kind {
	t.Helper()
	events, err := r.Store.Events(r.ID, 1)
	fatal.If(t, err)
	fatal.If(t, enginetest.Verify(events))
	list := make([]session.Kind, len(events))
	for i, e := range events {
		list[i] = e.Payload.Kind()
	}
	return list
}

// One task refined once: the whole process, and the resulting log.
func TestOneTask(t *testing.T) {
	r, ctx := rig(t, 1)
	e := r.Engine
	r.Client.Say("```python\ndef double(n): return n # wrong\n```")
	r.Client.Say(right)

	fatal.If(t, e.OpenTask(ctx))
	r.Clock.Advance(4000) // reading
	fatal.If(t, e.Edit(ctx, "Double"))
	r.Clock.Advance(6000) // composing
	fatal.If(t, e.Send(ctx, "Double a number"))
	until(t, ctx, r, judged(1))
	if v := e.State().Attempt().Verdict; v.Verdict != "wrong_answer" || v.Passed != 2 || v.Total != 3 {
		t.Fatalf("verdict %+v", v)
	}
	r.Clock.Advance(10000) // reviewing
	fatal.If(t, e.ShowTab(ctx, "tests", false))
	fatal.If(t, e.Judge(ctx, session.DecideRefine, true))
	r.Clock.Advance(1000)
	fatal.If(t, e.Send(ctx, "Twice, please"))
	until(t, ctx, r, judged(2))
	r.Clock.Advance(2000)
	fatal.If(t, e.Judge(ctx, session.DecideSatisfied, false))
	r.Clock.Advance(500)
	rateAll(t, ctx, r)
	fatal.If(t, e.Commit(ctx))

	s := e.State()
	if s.Closed != "finished" || s.Tasks[0].Outcome != session.Satisfied || len(s.Tasks[0].Attempts) != 2 {
		t.Fatalf("the session ended as %q, %+v", s.Closed, s.Tasks[0])
	}
	events, err := r.Store.Events(r.ID, 1)
	fatal.If(t, err)
	_, intervals, err := session.Fold(events)
	fatal.If(t, err)
	times := session.TimesOf(s, intervals)[0]
	if times.Completion != 23000 || times.Phases[session.Read] != 4000 || times.Phases[session.Compose] != 7000 ||
		times.Phases[session.Review] != 12000 || times.Phases[session.Rate] != 500 {
		t.Errorf("times %+v", times)
	}
	asked := r.Client.Requests()
	if len(asked) != 2 || len(asked[1].Messages) != 3 || asked[1].Messages[1].Role != llm.Assistant || asked[1].Messages[2].Text != "Twice, please" {
		t.Errorf("the second prompt was sent as %+v; the earlier turn must go along", asked[1].Messages)
	}
	fatal.If(t, enginetest.Verify(events))
}

// What an agent prints is streamed and kept beside its answer, with what it cost.
func TestTranscript(t *testing.T) {
	r, ctx := rig(t, 1)
	r.Client.Answer(llm.Answer{Text: right, Transcript: "I read the file.\n", CostUSD: 0.25, FinishReason: "stop",
		Steps: []trajectory.Step{{Text: "I read.", Calls: []trajectory.Call{{Tool: "Read", Input: "a", Output: "b"}}}, {Text: "Done."}}})
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double a number"))
	until(t, ctx, r, judged(1))
	answer := r.Engine.State().Attempt().Answer
	transcript, err := r.Engine.Text(answer.Transcript)
	fatal.If(t, err)
	text, err := r.Engine.Text(answer.Answer)
	fatal.If(t, err)
	steps, err := r.Engine.Text(answer.Trajectory)
	fatal.If(t, err)
	if read, err := trajectory.Parse(steps); err != nil || len(read) != 2 || read[0].Calls[0].Output != "b" || answer.Steps != 2 || answer.ToolCalls != 1 {
		t.Errorf("%d steps with %d calls are stored as %s: %v", answer.Steps, answer.ToolCalls, steps, err)
	}
	if transcript != "I read the file.\n" || r.Engine.Streamed("") != transcript || text != right || answer.CostUSD != 0.25 {
		t.Errorf("transcript %q, streamed %q, answer %q, cost %v", transcript, r.Engine.Streamed(""), text, answer.CostUSD)
	}
}

// Text that is not UTF-8 does not break the log or the offsets in a draft.
func TestNothingToUndo(t *testing.T) {
	r, ctx := rig(t, 1)
	events := len(kinds(t, r))
	if err := r.Engine.Undo(ctx); err == nil || len(kinds(t, r)) != events {
		t.Errorf("before the first judgement an undo is %v, and %d events are recorded", err, len(kinds(t, r))-events)
	}
}

func TestInvalidText(t *testing.T) {
	r, ctx := rig(t, 1)
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Edit(ctx, "a\xffb"))
	fatal.If(t, r.Engine.Edit(ctx, "a\xffbc"))
	fatal.If(t, r.Engine.Insert(ctx, "paste", "a\xffbc", "a\xffb\xfec"))
	fatal.If(t, r.Crash(10))
	if d := r.Engine.State().Task().Draft(); d != "a\ufffdb\ufffdc" {
		t.Errorf("the draft is %q", d)
	}
	kinds(t, r) // verifies the chain
}

// In a fresh context only the prompt is sent, and the editor starts with the previous prompt.
func TestFreshContext(t *testing.T) {
	r, ctx := rig(t, 1, func(c *session.Choice) { c.Context = session.Fresh })
	r.Client.Say(right)
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double a number"))
	until(t, ctx, r, judged(1))
	fatal.If(t, r.Engine.Judge(ctx, session.DecideRefine, false))
	task := r.Engine.State().Task()
	if task.Draft() != "Double a number" || task.InsertedBytes() != len("Double a number") {
		t.Fatalf("the draft is %q with %d bytes inserted", task.Draft(), task.InsertedBytes())
	}
	r.Client.Say(right)
	fatal.If(t, r.Engine.Send(ctx, "Double a number n"))
	until(t, ctx, r, judged(2))
	sent := r.Engine.State().Attempt().Sent
	if len(sent.Messages) != 1 || sent.Inserted != len("Double a number") || sent.Bytes != len("Double a number n") {
		t.Errorf("sent %+v", sent)
	}
}

// A provider's error costs no attempt and loses no prompt.
func TestProviderError(t *testing.T) {
	r, ctx := rig(t, 1)
	r.Client.Fail(&llm.Error{Class: llm.Unreachable, Message: "localhost refused the connection", Advice: "start the model server", Partial: "half"})
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double a number"))
	until(t, ctx, r, in(session.Compose))
	a := r.Engine.State().Attempt()
	if a.N != 1 || a.Failed == nil || a.Failed.Class != "unreachable" || a.Failed.Advice != "start the model server" {
		t.Fatalf("attempt %+v", a)
	}
	if r.Engine.State().Task().Draft() != "Double a number" {
		t.Fatal("the prompt is lost")
	}
	if text, err := r.Engine.Text(a.Failed.Partial); err != nil || text != "half" {
		t.Fatalf("the part that had arrived is %q, %v", text, err)
	}
	r.Client.Say(right)
	fatal.If(t, r.Engine.Send(ctx, "Double a number"))
	until(t, ctx, r, judged(1))
	if a := r.Engine.State().Attempt(); a.N != 1 || a.Tries != 2 {
		t.Errorf("the second try is attempt %d, try %d", a.N, a.Tries)
	}
}

func TestStop(t *testing.T) {
	r, ctx := rig(t, 1)
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double a number"))
	r.Engine.Stop()
	until(t, ctx, r, in(session.Compose))
	if b := r.Engine.State().Attempt().Broken; b == nil || b.Reason != "stopped" {
		t.Errorf("interrupted as %+v", b)
	}
}

// stopsAtOnce stops an answer as soon as its prompt is on disk, before Send has returned, as a key pressed
// early does.
type stopsAtOnce struct {
	*enginetest.Store
	stop func()
}

func (s *stopsAtOnce) Append(ctx context.Context, id string, events []session.Event, texts map[session.Ref][]byte) ([]session.Event, error) {
	sealed, err := s.Store.Append(ctx, id, events, texts)
	if events[len(events)-1].Payload.Kind() == session.KindPromptSent {
		s.stop()
	}
	return sealed, err
}

// An answer can be stopped as soon as it is awaited.
func TestStopAtOnce(t *testing.T) {
	r, ctx := rig(t, 1)
	store := &stopsAtOnce{Store: r.Store}
	cfg := r.Config()
	cfg.Store = store
	var err error
	r.Engine, err = engine.Reopen(ctx, cfg, r.ID)
	fatal.If(t, err)
	store.stop = r.Engine.Stop
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double it."))
	until(t, ctx, r, in(session.Compose))
	if a := r.Engine.State().Attempt(); a.Broken == nil || a.Broken.Reason != "stopped" {
		t.Errorf("the attempt is %+v", a)
	}
}

// A second Send while an answer is awaited does not affect that answer.
func TestSendTwice(t *testing.T) {
	r, ctx := rig(t, 1)
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double it."))
	for _, text := range []string{"Double it.", "Double it again."} {
		if err := r.Engine.Send(ctx, text); !errors.Is(err, session.ErrNotNow) {
			t.Errorf("sending %q again: %v", text, err)
		}
	}
	r.Client.Say(right)
	until(t, ctx, r, judged(1))
}

// Everything that a crash interrupted is restored.
func TestCrash(t *testing.T) {
	for _, tc := range []struct {
		name  string
		until func(t *testing.T, ctx context.Context, r *enginetest.Rig)
		check func(t *testing.T, ctx context.Context, r *enginetest.Rig)
	}{
		{"composing", func(t *testing.T, ctx context.Context, r *enginetest.Rig) {
			fatal.If(t, r.Engine.Edit(ctx, "Dou"))
		}, func(t *testing.T, ctx context.Context, r *enginetest.Rig) {
			if d := r.Engine.State().Task().Draft(); d != "Dou" {
				t.Errorf("the draft is %q", d)
			}
		}},
		{"streaming", func(t *testing.T, ctx context.Context, r *enginetest.Rig) {
			fatal.If(t, r.Engine.Send(ctx, "Double"))
		}, func(t *testing.T, ctx context.Context, r *enginetest.Rig) {
			s := r.Engine.State()
			if b := s.Attempt().Broken; s.Phase != session.Compose || b == nil || b.Reason != "crashed" || s.Task().Draft() != "Double" {
				t.Errorf("phase %s, %+v, draft %q", s.Phase, b, s.Task().Draft())
			}
		}},
		{"rating", func(t *testing.T, ctx context.Context, r *enginetest.Rig) {
			r.Client.Say(right)
			fatal.If(t, r.Engine.Send(ctx, "Double"))
			until(t, ctx, r, judged(1))
			fatal.If(t, r.Engine.Judge(ctx, session.DecideGiveUp, true))
			fatal.If(t, r.Engine.Rate(ctx, "accuracy", 2))
			fatal.If(t, r.Engine.Label(ctx, session.LabelErrorCause, "code"))
		}, func(t *testing.T, ctx context.Context, r *enginetest.Rig) {
			s := r.Engine.State()
			if s.Phase != session.Rate || s.Task().Ratings["accuracy"] != 2 || s.Task().Labels[session.LabelErrorCause] != "code" {
				t.Errorf("phase %s, %v, %v", s.Phase, s.Task().Ratings, s.Task().Labels)
			}
			fatal.If(t, r.Engine.Undo(ctx))
			if _, has := r.Engine.State().Task().Labels[session.LabelErrorCause]; has {
				t.Error("the undo of before the crash is gone")
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, ctx := rig(t, 1)
			fatal.If(t, r.Engine.OpenTask(ctx))
			tc.until(t, ctx, r)
			fatal.If(t, r.Crash(60_000))
			tc.check(t, ctx, r)
			events, err := r.Store.Events(r.ID, 1)
			fatal.If(t, err)
			_, intervals, err := session.Fold(events)
			fatal.If(t, err)
			if times := session.TimesOf(r.Engine.State(), intervals)[0]; times.Unobserved != 60_000 {
				t.Errorf("the gap is %d ms of unobserved time, want 60000", times.Unobserved)
			}
		})
	}
}

// A verdict that a crash interrupted is made when the session is reopened.
func TestCrashWhileJudging(t *testing.T) {
	r, ctx := rig(t, 1)
	fatal.If(t, r.Engine.OpenTask(ctx))
	r.Client.Say(right)
	fatal.If(t, r.Engine.Send(ctx, "Double"))
	until(t, ctx, r, judged(1))
	// The log as it was before the code was extracted.
	all, err := r.Store.Events(r.ID, 1)
	fatal.If(t, err)
	cut := slices.IndexFunc(all, func(e session.Event) bool { return e.Payload.Kind() == session.KindCodeExtracted })
	fresh := enginetest.NewStore()
	texts := map[session.Ref][]byte{}
	for _, ref := range []session.Ref{r.Engine.State().Attempt().Answer.Answer, r.Engine.State().Attempt().Sent.Prompt, r.Engine.State().Plan.Tasks[0].Content} {
		texts[ref], err = r.Store.Blob(ref)
		fatal.If(t, err)
	}
	_, err = fresh.Append(ctx, r.ID, all[:cut], texts)
	fatal.If(t, err)
	r.Store = fresh
	fatal.If(t, r.Crash(1000))
	until(t, ctx, r, judged(1))
	if v := r.Engine.State().Attempt().Verdict.Verdict; v != "accepted" {
		t.Errorf("verdict %s", v)
	}
}

// A full disk loses nothing: the intent fails, and an answer waits for free space.
func TestFullDisk(t *testing.T) {
	r, ctx := rig(t, 1)
	fatal.If(t, r.Engine.OpenTask(ctx))
	full := errors.New("no space left on device")
	r.Store.Fail(full)
	if err := r.Engine.Edit(ctx, "Double"); !errors.Is(err, full) {
		t.Fatalf("the edit ended with %v", err)
	}
	if r.Engine.State().Task().Draft() != "" {
		t.Error("a draft that was not stored is shown as stored")
	}
	r.Store.Fail(nil)
	fatal.If(t, r.Engine.Edit(ctx, "Double"))
	fatal.If(t, r.Engine.Send(ctx, "Double"))
	r.Store.Fail(full)
	r.Client.Say(right)
	for !strings.Contains(r.Engine.Trouble(), "no space") {
		select {
		case <-ctx.Done():
			t.Fatal("the trouble was not shown")
		case <-r.Engine.Changes():
		}
	}
	r.Store.Fail(nil)
	until(t, ctx, r, judged(1))
	if r.Engine.Trouble() != "" {
		t.Errorf("the trouble is over, and this is shown: %s", r.Engine.Trouble())
	}
}

// The last of k attempts cannot be refined; giving up there is exhaustion.
func TestLastAttempt(t *testing.T) {
	r, ctx := rig(t, 1, func(c *session.Choice) { c.K = 1 })
	fatal.If(t, r.Engine.OpenTask(ctx))
	r.Client.Say("I cannot.")
	fatal.If(t, r.Engine.Send(ctx, "Double"))
	until(t, ctx, r, judged(1))
	if err := r.Engine.Judge(ctx, session.DecideRefine, false); !errors.Is(err, session.ErrNotNow) {
		t.Fatalf("refining attempt 1 of 1 ended with %v", err)
	}
	fatal.If(t, r.Engine.Judge(ctx, session.DecideGiveUp, false))
	rateAll(t, ctx, r)
	fatal.If(t, r.Engine.Commit(ctx))
	if o := r.Engine.State().Tasks[0].Outcome; o != session.Exhausted {
		t.Errorf("outcome %s", o)
	}
}

// Pauses, suspensions, idleness and focus are recorded, and only pauses are subtracted from the times.
func TestOverlays(t *testing.T) {
	r, ctx := rig(t, 1, func(c *session.Choice) { c.IdleMS = 5000 })
	e := r.Engine
	fatal.If(t, e.OpenTask(ctx))
	fatal.If(t, e.Active(ctx))
	r.Clock.Advance(3000)
	fatal.If(t, e.Pause(ctx, "tester"))
	if err := e.Edit(ctx, "x"); !errors.Is(err, session.ErrNotNow) {
		t.Fatalf("an edit during a pause ended with %v", err)
	}
	r.Clock.Advance(100_000)
	fatal.If(t, e.Resume(ctx))
	fatal.If(t, e.Active(ctx))
	fatal.If(t, e.Focus(ctx, false))
	r.Clock.Advance(2000)
	fatal.If(t, e.Focus(ctx, true))
	r.Clock.Advance(6000)
	fatal.If(t, e.Beat(ctx)) // idle for longer than the threshold
	r.Clock.Advance(1000)
	fatal.If(t, e.Active(ctx))
	r.Clock.Sleep(30_000)
	fatal.If(t, e.Beat(ctx)) // the machine slept
	events, err := r.Store.Events(r.ID, 1)
	fatal.If(t, err)
	_, intervals, err := session.Fold(events)
	fatal.If(t, err)
	times := session.TimesOf(e.State(), intervals)[0]
	if times.Paused != 100_000 || times.Blurred != 2000 || times.Idle != 1000 || times.Phases[session.Read] != 12_000 {
		t.Errorf("times %+v", times)
	}
	for _, want := range []session.Kind{session.KindIdleStarted, session.KindIdleEnded, session.KindSuspended, session.KindHeartbeat} {
		if !slices.Contains(kinds(t, r), want) {
			t.Errorf("the log has no %s", want)
		}
	}
}

// TestStoppedProcess: a stopped process is no work. What comes first after it tells, a key or a heartbeat.
func TestStoppedProcess(t *testing.T) {
	for _, first := range []string{"key", "heartbeat"} {
		t.Run(first, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, ctx := rig(t, 1)
				e := r.Engine
				fatal.If(t, e.OpenTask(ctx))
				ticks, beating := make(chan time.Time), make(chan struct{})
				watch, stop := context.WithCancel(ctx)
				go func() { defer close(beating); e.Pulse(watch, ticks) }()
				beat := func() {
					ticks <- time.Time{}
					synctest.Wait()
				}
				beat()
				for range 5 {
					r.Clock.Advance(10_000)
					beat()
				}
				r.Clock.Advance(100_000) // without a tick
				if first == "key" {
					fatal.If(t, e.Edit(ctx, "x"))
				}
				beat()
				r.Clock.Advance(7_000)
				fatal.If(t, e.Edit(ctx, "xy"))
				stop()
				<-beating
				events, err := r.Store.Events(r.ID, 1)
				fatal.If(t, err)
				_, intervals, err := session.Fold(events)
				fatal.If(t, err)
				times := session.TimesOf(e.State(), intervals)[0]
				if worked := times.Phases[session.Read] + times.Phases[session.Compose]; times.Unobserved != 100_000 || worked != 57_000 || e.State().Worked(r.Clock.Stamp()) != 57_000 {
					t.Errorf("%d ms unobserved, %d ms worked: %+v", times.Unobserved, worked, times)
				}
			})
		})
	}
}
