package evaluations_test

import (
	"strings"
	"testing"

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

// A run whose samples were judged by different rules, or with a library only in part, says how many each.
func TestMixedRulesAreNamed(t *testing.T) {
	rows := run("a", map[string][]int{"easy-2022-1": {10, 0, 10}})
	rows.Rows[1].Rules, rows.Rows[1].Library = "livecodebench", "numpy 1"
	r := build(t, []evaluations.Results{rows}, evaluations.Options{Tasks: eight()})
	if got := strings.Join(append(r.Runs[0].Rules, r.Runs[0].Libraries...), "; "); got != "none (2 of 3 samples); livecodebench (1 of 3 samples); none (2 of 3 samples); numpy 1 (1 of 3 samples)" {
		t.Error(got)
	}
}
