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
