package evaluations_test

import (
	"testing"

	"assay/benchmark/judge"
	"assay/session/report/evaluations"
)

// Verdicts that a program could forge are counted, those that do not count apart.
func TestVerdictsThatCouldBeForged(t *testing.T) {
	rows := run("a", map[string][]int{"easy-2022-1": {10, 0, 10}})
	rows.Rows[0].Isolation, rows.Rows[1].Isolation = judge.InProcess, judge.InProcess
	rows.Rows[1].Verdict = judge.NotJudged
	r, err := evaluations.Build([]evaluations.Results{rows}, evaluations.Options{Tasks: eight()})
	if err != nil || r.Runs[0].Forgeable != 1 {
		t.Errorf("%v, %+v, want 1", err, r.Runs)
	}
}
