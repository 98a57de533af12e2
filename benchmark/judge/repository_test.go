package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/testlog"
	"assay/benchmark/verdicts"
)

// TestRepositoryWithoutTable: a judge without a table of environments judges no repository task, and
// reports why.
func TestRepositoryWithoutTable(t *testing.T) {
	task := &benchmark.Task{ID: "a", Language: "python", Repository: &benchmark.Repository{Name: "o/r", FailToPass: []string{"t"}}}
	j := newJudge(t)
	if err := Known(task); err != nil {
		t.Error(err)
	}
	if err := j.Ready(task); err == nil || !strings.Contains(err.Error(), "whole repository") {
		t.Error(err)
	}
	result, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: "x"})
	if err != nil || result.Verdict != verdicts.NotJudged || !strings.Contains(result.Message, "whole repository") {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestRepositoryResult: each outcome has a verdict, and each test of the lists is a case.
func TestRepositoryResult(t *testing.T) {
	for outcome, want := range map[outcomes.Outcome]verdicts.Verdict{outcomes.Resolved: verdicts.Accepted, outcomes.Partly: verdicts.WrongAnswer,
		outcomes.PatchFailed: verdicts.CompileError, outcomes.Tampered: verdicts.RuntimeError, outcomes.EnvironmentError: verdicts.NotJudged, outcomes.TimeLimit: verdicts.TimeLimit} {
		for _, enforced := range []map[string]string{nil, {"net": "namespace"}} { // nil: the tests did not run
			got := repositoryResult(repository.Result{Outcome: outcome, Enforcement: enforced})
			if got.Verdict != want || got.Resolution != outcome || verdicts.Forgeable(got.Isolation) != (enforced != nil) {
				t.Errorf("%s: %+v", outcome, got)
			}
		}
	}
	r := repositoryResult(repository.Result{Outcome: outcomes.BrokeTests, Tests: []repository.Test{
		{ID: "a", Passed: true, Status: testlog.XFail, Note: "expected"}, {ID: "b", Status: testlog.Failed, Output: "1 != 2"},
		{ID: "c", Status: testlog.Error}, {ID: "d"}}})
	if got, want := statuses(r), "passed wrong_answer runtime_error not_run"; got != want || r.Passed != 1 || r.Total != 4 {
		t.Errorf("%s, want %s: %+v", got, want, r)
	}
	for _, outcome := range []outcomes.Outcome{outcomes.Tampered, outcomes.TimeLimit, outcomes.MemoryLimit, outcomes.OutputLimit} {
		if r := repositoryResult(repository.Result{Outcome: outcome, Tests: []repository.Test{{ID: "a", Passed: true}}}); r.Passed != 0 || r.Total != 1 || statuses(r) != "not_run" {
			t.Errorf("%s: %+v", outcome, r)
		}
	}
	if r.Cases[0].Message != "expected" || r.Cases[1].Message != "1 != 2" {
		t.Errorf("%+v", r.Cases)
	}
}
