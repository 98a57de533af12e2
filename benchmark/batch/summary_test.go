package batch

import (
	"maps"
	"testing"

	"assay/benchmark/verdicts"
)

func TestPackagesNotInstalled(t *testing.T) {
	all := newTally(nil)
	for _, r := range []Row{
		{Verdict: verdicts.RuntimeError, Message: "ModuleNotFoundError: No module named 'numpy' (line 2: import numpy as np)"},
		{Verdict: verdicts.WrongAnswer, FirstFailed: "1 fails: expected 3 (No module named 'numpy.linalg')"},
		{Verdict: verdicts.Accepted, Message: "No module named 'numpy'"},
		{Verdict: verdicts.NotJudged, Message: "No module named 'numpy'"},
		{Verdict: verdicts.RuntimeError, Message: "Error: Cannot find module '@types/node'\nRequire stack:"},
		{Verdict: verdicts.RuntimeError, Message: "Error: Cannot find module './x'"},
		{Verdict: verdicts.RuntimeError, Message: "Error in library(dplyr) : there is no package called ‘dplyr’"},
	} {
		all.add(r)
	}
	if got, want := all.summary(nil, nil).Packages, map[string]int{"numpy": 2, "@types/node": 1, "dplyr": 1}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Samples of a task that are the same text, as with temperature 0, are counted by tasks; one other text makes them samples.
func TestIdenticalSamples(t *testing.T) {
	all := newTally(nil)
	for i, row := range []struct{ task, content string }{{"same", "a"}, {"same", "a"}, {"same", "a"}, {"one", "a"}, {"late", "a"}, {"late", "a"}, {"late", "b"}} {
		all.add(Row{TaskID: row.task, Sample: i, Content: row.content, Verdict: verdicts.Accepted, TotalTests: 1, PassedTests: 1})
	}
	if s := all.summary([]int{1}, nil); s.Identical != 1 || s.JSON().Identical != 1 {
		t.Errorf("%d tasks have identical samples, want 1", s.Identical)
	}
}
