package sessions_test

import (
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/report/sessions"
)

// Resolved answers that a person has to look at count in every number as the study says; the log stays as it is.
func TestAnswersToReview(t *testing.T) {
	r := enginetest.RepositorySession(t)
	events, err := r.Store.Events(r.ID, 1)
	fatal.If(t, err)
	for rule, want := range map[string]struct {
		counts                        sessions.Reviewed
		accepted, judged, first, some int // some: of the first answers
		merged, notJudged             int // answers about merging: of accepted ones, and without a verdict
		text                          string
	}{
		"":         {sessions.Reviewed{Answers: 1}, 1, 2, 1, 2, 1, 0, "They count as resolved"},
		"resolved": {sessions.Reviewed{Answers: 1}, 1, 2, 1, 2, 1, 0, "They count as resolved"},
		"failed":   {sessions.Reviewed{Answers: 1, Failed: 1}, 0, 2, 0, 2, 0, 0, "They count as failed, as the study says"},
		"excluded": {sessions.Reviewed{Answers: 1, Excluded: 1}, 0, 1, 0, 1, 0, 1, "They are left out as if they had not been judged, as the study says"},
	} {
		changed := slices.Clone(events)
		for i := range changed {
			switch p := changed[i].Payload.(type) {
			case session.Opened:
				p.Plan.Study = &session.InStudy{Name: "s", Version: 1, Arm: "a", Tester: 1, Part: 1, ToReview: rule}
				changed[i].Payload = p
			case session.VerdictRecorded:
				if p.Verdict == "accepted" {
					p.ToReview = []string{"it names sys.exit"}
				}
				changed[i].Payload = p
			}
		}
		made, err := sessions.Build(changed)
		fatal.If(t, err)
		tests := made.Tests
		if tests.ToReview != want.counts || tests.Accepted.Count != want.accepted || tests.Accepted.N != want.judged || tests.First.Count != want.first || tests.First.N != want.some {
			t.Errorf("%q: %+v, accepted %d of %d, first %d of %d", rule, tests.ToReview, tests.Accepted.Count, tests.Accepted.N, tests.First.Count, tests.First.N)
		}
		if m := made.Merge; m.NotMergeable.N != want.merged || m.NotJudged != want.notJudged {
			t.Errorf("%q: merging %+v", rule, m)
		}
		for _, c := range made.Checks {
			if len(c.Faults) > 0 {
				t.Errorf("%q: %s: %q", rule, c.Name, c.Faults)
			}
		}
		var text strings.Builder
		fatal.If(t, made.Document().Markdown(&text, false))
		if !strings.Contains(text.String(), want.text) {
			t.Errorf("%q: the report does not say %q", rule, want.text)
		}
	}
	for i := range events {
		if p, is := events[i].Payload.(session.Opened); is {
			p.Plan.Study = &session.InStudy{Name: "s", Version: 1, Arm: "a", Tester: 1, Part: 1, ToReview: "perhaps"}
			events[i].Payload = p
		}
	}
	if _, err := sessions.Build(events); err == nil || !strings.Contains(err.Error(), `to_review of its study: "perhaps" is not known: write resolved, failed or excluded`) {
		t.Errorf("an unknown rule: %v", err)
	}
}
