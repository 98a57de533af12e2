package sessions_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/report/sessions"
)

// merged works through a session of repository tasks: an accepted answer that would not be merged, and a wrong
// one that is edited by hand and would be merged with small changes.
func merged(t *testing.T) *sessions.Report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r, err := enginetest.New(2, func(c *session.Choice) { c.Benchmark = enginetest.Repositories(2) })
	fatal.If(t, err)
	defer func() { _ = r.Engine.Close(context.Background()) }()
	for i, tc := range []struct {
		answer   string
		decision session.Decision
		mend     string
		merge    session.MergeJudged
	}{
		{enginetest.ResolvingDiff, session.DecideSatisfied, "", session.MergeJudged{Answer: session.MergeNo, Reasons: []string{"style", "scope"}, Text: "too clever"}},
		{enginetest.BreakingFiles, session.DecideGiveUp, "HELLO = 'hello'\n", session.MergeJudged{Answer: session.MergeChanges, Reasons: []string{"style"}}},
	} {
		r.Client.Say(tc.answer)
		fatal.If(t, r.Engine.OpenTask(ctx))
		fatal.If(t, r.Engine.Send(ctx, "Correct it."))
		fatal.If(t, r.Until(ctx, func(s *session.State) bool {
			return s.Attempt() != nil && s.Attempt().Verdict != nil && s.Attempt().Measured != nil
		}))
		fatal.If(t, r.Engine.Judge(ctx, tc.decision, true))
		if tc.mend != "" {
			fatal.If(t, r.Engine.Mend(ctx, "shop/words.py", tc.mend, 3000))
			fatal.If(t, r.Until(ctx, func(s *session.State) bool { return s.Tasks[i].Mends[0].Verdict != nil }))
		}
		for _, a := range r.Engine.State().Plan.Attributes {
			fatal.If(t, r.Engine.Rate(ctx, a.ID, 3))
		}
		for _, l := range r.Engine.State().Plan.LabelsFor(r.Engine.State().Task().Decided(10)) {
			fatal.If(t, r.Engine.Label(ctx, l.ID, l.Values[0]))
		}
		fatal.If(t, r.Engine.MergeJudged(ctx, tc.merge))
		fatal.If(t, r.Engine.Commit(ctx))
	}
	events, err := r.Store.Events(r.ID, 1)
	fatal.If(t, err)
	made, err := sessions.Build(events)
	fatal.If(t, err)
	fatal.If(t, enginetest.Verify(events)) // the report changes nothing of them
	return made
}

// Answers about merging stand against the tests, with an interval for accepted answers that are not mergeable.
func TestMerge(t *testing.T) {
	r := merged(t)
	m := r.Merge
	if m == nil || m.Answered != 2 || m.Accepted != (sessions.MergeAnswers{No: 1}) || m.Failed != (sessions.MergeAnswers{Changes: 1}) || m.OwnWords != 1 {
		t.Fatalf("%+v", m)
	}
	if m.NotMergeable.Count != 1 || m.NotMergeable.N != 1 || m.NotMergeable.Interval == nil || m.Rejected.Count != 1 {
		t.Errorf("%+v", m)
	}
	if len(m.Reasons) != 2 || m.Reasons[1].Count != 2 {
		t.Errorf("%+v", m.Reasons)
	}
	if d := r.Mended; d == nil || d.Answers != 1 || d.Lines.Value != 2 || d.Seconds.Value != 3 || d.Before != 0 || d.After != 0 || d.Judged != 1 {
		t.Errorf("%+v", d)
	}
	if r.Tests.Accepted.Count != 1 {
		t.Errorf("an edit by hand changed the tests' results: %+v", r.Tests.Accepted)
	}
	for _, c := range r.Checks {
		if len(c.Faults) > 0 {
			t.Errorf("%s: %q", c.Name, c.Faults)
		}
	}
	var text strings.Builder
	fatal.If(t, r.Document().Markdown(&text, false))
	for _, want := range []string{"Would the testers merge the answers?", "Accepted by the tests and not mergeable: 1 of 1", "not in the project's style", "edited by hand"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report does not have %q", want)
		}
	}
}
