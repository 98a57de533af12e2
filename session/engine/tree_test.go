package engine_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/session/trajectory"
)

// shop is a session of tasks that are repositories.
func shop(t *testing.T) (*enginetest.Rig, context.Context) {
	t.Helper()
	return rig(t, 1, func(c *session.Choice) { c.Benchmark = enginetest.Repositories(1) })
}

func answered(t *testing.T, ctx context.Context, r *enginetest.Rig, answer string) *session.Attempt {
	t.Helper()
	r.Client.Say(answer)
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Correct it."))
	until(t, ctx, r, func(s *session.State) bool { return s.Attempt().Verdict != nil && s.Attempt().Measured != nil })
	return r.Engine.State().Attempt()
}

// What an answer changes of a repository is recorded with the files' contents, before the verdict.
func TestTreeChanged(t *testing.T) {
	r, ctx := shop(t)
	a := answered(t, ctx, r, enginetest.ResolvingDiff)
	if a.Tree == nil || len(a.Tree.Files) != 1 {
		t.Fatalf("tree %+v", a.Tree)
	}
	f := a.Tree.Files[0]
	after, err := r.Engine.Text(f.After)
	fatal.If(t, err)
	if f.Path != "shop/cart.py" || f.Change != session.FileChanged || f.Added != 1 || f.Deleted != 1 || after == "" || f.Before == f.After {
		t.Errorf("%+v", f)
	}
	if a.Verdict.Resolution != "resolved" || a.Extracted.Method != "patch" || a.Measured.Problem == "" {
		t.Errorf("%+v %+v %+v", a.Verdict, a.Extracted, a.Measured)
	}
	if paths, err := r.Engine.Paths(ctx, 0); err != nil || len(paths) != 6 {
		t.Errorf("%q %v", paths, err)
	}
	if text, err := r.Engine.ReadFile(ctx, 0, "README.md"); err != nil || text != "# A shop\n" {
		t.Errorf("%q %v", text, err)
	}
	if _, err := r.Engine.ReadFile(ctx, 0, "logo.png"); err == nil {
		t.Error("a picture was read as text")
	}
}

// An answer that does not apply is recorded with the hunk and the reason.
func TestTreeUnchanged(t *testing.T) {
	r, ctx := shop(t)
	a := answered(t, ctx, r, enginetest.UnfittingDiff)
	if a.Tree == nil || a.Tree.Failed == nil || a.Tree.Failed.Hunk != 1 || a.Tree.Failed.Part == "" {
		t.Fatalf("tree %+v", a.Tree)
	}
}

// Changes that could not be recorded, since the repository could not be read, are recorded when the session
// is reopened where it can be.
func TestTreeReadLater(t *testing.T) {
	r, ctx := shop(t)
	r.Reopen(t, func(c *engine.Config) { c.Trees = nil })
	if a := answered(t, ctx, r, enginetest.ResolvingDiff); a.Tree != nil {
		t.Fatalf("tree %+v without a repository", a.Tree)
	}
	r.Reopen(t, func(*engine.Config) {})
	until(t, ctx, r, func(s *session.State) bool { return s.Attempt().Tree != nil })
}

// In a blind study what an agent printed, which may name it, is neither asked for nor kept.
func TestBlindTranscript(t *testing.T) {
	for _, shown := range []string{"", "Model A"} {
		r, err := enginetest.New(1, func(c *session.Choice) {
			c.Benchmark, c.Study = enginetest.Repositories(1), &session.InStudy{Name: "two agents", Shown: shown}
		})
		fatal.If(t, err)
		t.Cleanup(func() { _ = r.Engine.Close(context.Background()) })
		r.Client.Answer(llm.Answer{Text: enginetest.ResolvingDiff, Transcript: "I am made-up-1.", Steps: []trajectory.Step{{Text: "I am made-up-1."}}, InputTokens: 3, CostUSD: 0.5, FinishReason: "stop"})
		fatal.If(t, r.Engine.OpenTask(t.Context()))
		fatal.If(t, r.Engine.Send(t.Context(), "Correct it."))
		until(t, t.Context(), r, func(s *session.State) bool { return s.Attempt().Answer != nil })
		a, blind := r.Engine.State().Attempt().Answer, shown != ""
		if (a.Transcript == "") != blind || (a.Trajectory == "") != blind || (a.Steps == 0) != blind || (a.CostUSD == 0) != blind || a.InputTokens != 3 || r.Client.Requests()[0].Blind != blind {
			t.Errorf("shown as %q: %+v", shown, a)
		}
	}
}

// A final answer that is edited by hand is tested as edited; its attempt stays as it was. The tests of an edit
// that a crash interrupted run again.
func TestMended(t *testing.T) {
	r, ctx := shop(t)
	answered(t, ctx, r, enginetest.BreakingFiles)
	if err := r.Engine.Mend(ctx, "shop/words.py", "x", 1); err == nil {
		t.Error("an answer was edited before its judgement")
	}
	fatal.If(t, r.Engine.Judge(ctx, session.DecideGiveUp, true))
	cart, err := r.Engine.ReadFile(ctx, 0, "shop/cart.py")
	fatal.If(t, err)
	if words, err := r.Engine.ReadFile(ctx, 0, "shop/words.py"); err != nil || words != "HELLO = 'hi'\n" {
		t.Errorf("%q %v", words, err)
	}
	if paths, err := r.Engine.Paths(ctx, 0); err != nil || !slices.Contains(paths, "shop/new.py") {
		t.Errorf("%q %v", paths, err)
	}
	fatal.If(t, r.Engine.Mend(ctx, "shop/words.py", "HELLO = 'hello'\n", 9000))
	fatal.If(t, r.Engine.Mend(ctx, "shop/cart.py", strings.Replace(cart, "+= price", "+= price * count", 1), 20_000))
	fatal.If(t, r.Crash(1000))
	if err := r.Engine.Mend(ctx, "shop/cart.py", "a\x00b", 1); err == nil {
		t.Error("a binary file was kept")
	}
	until(t, ctx, r, func(s *session.State) bool {
		m := s.Task().Mends
		return len(m) == 2 && m[0].Verdict != nil && m[1].Verdict != nil
	})
	task := r.Engine.State().Task()
	last := task.Mends[1]
	added, deleted := session.Lines(last.Files)
	if added != 2 || deleted != 2 || last.MS != 20_000 || last.Verdict.Resolution != "resolved" || task.Mends[0].Verdict.Resolution != "unresolved" {
		t.Errorf("+%d -%d %+v %+v", added, deleted, last, task.Mends[0].Verdict)
	}
	if v := task.Attempts[0].Verdict; v.Resolution != "broke_tests" {
		t.Errorf("the attempt's verdict is %+v", v)
	}
}

// If the program is killed after any event of a session with a repository, the continued session gets what was
// under way, and keeps the rest: changes, verdicts, edits by hand, and the answer about merging.
func TestRepositoryKilledAnywhere(t *testing.T) {
	whole, ctx := shop(t)
	answered(t, ctx, whole, enginetest.BreakingFiles)
	fatal.If(t, whole.Engine.Judge(ctx, session.DecideGiveUp, true))
	fatal.If(t, whole.Engine.Mend(ctx, "shop/words.py", "HELLO = 'hello'\n", 9000))
	until(t, ctx, whole, func(s *session.State) bool { return s.Task().Mends[0].Verdict != nil })
	fatal.If(t, whole.Engine.MergeJudged(ctx, session.MergeJudged{Answer: session.MergeNo}))
	fatal.If(t, whole.Engine.Draft(ctx, session.WordsMerge, "too "))
	fatal.If(t, whole.Engine.MergeJudged(ctx, session.MergeJudged{Answer: session.MergeNo, Text: "too clever"}))
	events, err := whole.Store.Events(whole.ID, 1)
	fatal.If(t, err)
	texts := map[session.Ref][]byte{}
	for _, e := range events {
		for _, ref := range session.Refs(e.Payload) {
			text, err := whole.Store.Blob(ref)
			fatal.If(t, err)
			texts[ref] = text
		}
	}
	for cut := 1; cut <= len(events); cut++ {
		r := &enginetest.Rig{Clock: enginetest.NewClock(), Store: enginetest.NewStore(), Client: &enginetest.Client{}, ID: whole.ID}
		_, err := r.Store.Append(ctx, r.ID, events[:cut], texts)
		fatal.If(t, err)
		before, err := session.Replay(events[:cut])
		fatal.If(t, err)
		fatal.If(t, r.Crash(60_000))
		until(t, ctx, r, func(s *session.State) bool {
			for _, a := range s.Tasks[0].Attempts {
				if a.Answer != nil && (a.Tree == nil || a.Verdict == nil || a.Measured == nil) {
					return false
				}
			}
			for _, m := range s.Tasks[0].Mends {
				if m.Verdict == nil {
					return false
				}
			}
			return true
		})
		now := r.Engine.State()
		if len(now.Tasks[0].Mends) != len(before.Tasks[0].Mends) || !reflect.DeepEqual(now.Tasks[0].Merge, before.Tasks[0].Merge) || now.Words[session.WordsMerge] != before.Words[session.WordsMerge] {
			t.Errorf("cut after event %d (%s): %+v", cut, events[cut-1].Payload.Kind(), now.Tasks[0])
		}
		fatal.If(t, r.Engine.Close(ctx))
		kinds(t, r) // verifies the log
	}
}
