package evaluations_test

import (
	"strings"
	"testing"

	"assay/benchmark/batch"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session/report/evaluations"
)

// Verdicts that a program could forge are counted, those that do not count apart.
func TestVerdictsThatCouldBeForged(t *testing.T) {
	rows := run("a", map[string][]int{"easy-2022-1": {10, 0, 10}})
	rows.Rows[0].Isolation, rows.Rows[1].Isolation = verdicts.InProcess, verdicts.InProcess
	rows.Rows[1].Verdict = verdicts.NotJudged
	r, err := evaluations.Build([]evaluations.Results{rows}, evaluations.Options{Tasks: eight()})
	if err != nil || r.Runs[0].Forgeable != 1 {
		t.Errorf("%v, %+v, want 1", err, r.Runs)
	}
}

// Outcomes of repository tasks are counted among the samples for such tasks, run by run.
func TestOutcomes(t *testing.T) {
	a, b := run("a", map[string][]int{"easy-2022-1": {10, 0, 10}}), run("b", map[string][]int{"easy-2022-1": {10}})
	a.Rows[0].Resolution, a.Rows[1].Resolution = outcomes.Resolved, outcomes.Tampered
	r := build(t, []evaluations.Results{a, b}, evaluations.Options{Tasks: eight()})
	for _, o := range r.Runs[0].Outcomes {
		want := map[string]int{"resolved": 1, "tampered": 1}[o.Name]
		if o.Count != want || o.N != 2 || o.Interval != nil { // three samples of one task depend on each other
			t.Errorf("%+v", o)
		}
	}
	var text strings.Builder
	fatal.If(t, r.Markdown(&text))
	page := text.String()
	if len(r.Runs[1].Outcomes) != 0 || !strings.Contains(page, "| resolved | 1 (50 %) | – |") || strings.Contains(page, "| patch_failed |") {
		t.Errorf("%+v\n%s", r.Runs[1].Outcomes, page)
	}
}

// Resolved answers that a person has to look at are counted, with the reasons in the table of samples.
func TestToReview(t *testing.T) {
	a := run("a", map[string][]int{"easy-2022-1": {10, 0, 10}})
	a.Rows[0].ToReview = []string{"a.py:1 names stack frames: _getframe", "b.py is a file that neither the reference nor a test names"}
	r := build(t, []evaluations.Results{a}, evaluations.Options{Tasks: eight()})
	var text strings.Builder
	fatal.If(t, r.Markdown(&text))
	if r.Runs[0].ToReview != 1 || !strings.Contains(text.String(), "1 resolved samples name what could influence tests") {
		t.Errorf("%d\n%s", r.Runs[0].ToReview, text.String())
	}
}

// A rule counts them as failed, or leaves them out of every metric; both keep them among the samples, with the reasons.
func TestToReviewByRule(t *testing.T) {
	for _, tt := range []struct {
		rule     batch.Reviewing
		accepted int
		counted  int
		says     string
	}{
		{"", 2, 3, "They count here as resolved;"},
		{batch.CountResolved, 2, 3, "They count here as resolved;"},
		{batch.CountFailed, 1, 3, "They count here as failed;"},
		{batch.LeaveOut, 1, 2, "They are left out here, as samples that were not judged;"},
	} {
		a := run("a", map[string][]int{"easy-2022-1": {10, 0, 10}})
		a.Rows[0].ToReview = []string{"a.py:1 names stack frames: _getframe"}
		r := build(t, []evaluations.Results{a}, evaluations.Options{Tasks: eight(), Reviewing: tt.rule})
		var text strings.Builder
		fatal.If(t, r.Markdown(&text))
		if got := r.Runs[0]; got.Accepted != tt.accepted || got.Counted != tt.counted || got.Samples != 3 || got.ToReview != 1 || !strings.Contains(text.String(), tt.says) {
			t.Errorf("%q: %+v\n%s", tt.rule, got, text.String())
		}
		if a.Rows[0].Verdict != verdicts.Accepted {
			t.Errorf("%q changed the results", tt.rule)
		}
	}
}

// A run whose samples were judged by different rules, or with a library only in part, says how many each.
func TestMixedRulesAreNamed(t *testing.T) {
	rows := run("a", map[string][]int{"easy-2022-1": {10, 0, 10}})
	rows.Rows[1].Rules, rows.Rows[1].Library = "livecodebench", "numpy 1"
	r := build(t, []evaluations.Results{rows}, evaluations.Options{Tasks: eight()})
	if got := strings.Join(append(r.Runs[0].Rules, r.Runs[0].Libraries...), "; "); got != "none (2 of 3 samples); livecodebench (1 of 3 samples); none (2 of 3 samples); numpy 1 (1 of 3 samples)" {
		t.Error(got)
	}
}
