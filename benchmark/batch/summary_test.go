package batch

import (
	"maps"
	"testing"

	"assay/benchmark/judge"
)

func TestPackagesNotInstalled(t *testing.T) {
	all := newTally(nil)
	for _, r := range []Row{
		{Verdict: judge.RuntimeError, Message: "ModuleNotFoundError: No module named 'numpy' (line 2: import numpy as np)"},
		{Verdict: judge.WrongAnswer, FirstFailed: "1 fails: expected 3 (No module named 'numpy.linalg')"},
		{Verdict: judge.Accepted, Message: "No module named 'numpy'"},
		{Verdict: judge.NotJudged, Message: "No module named 'numpy'"},
		{Verdict: judge.RuntimeError, Message: "Error: Cannot find module '@types/node'\nRequire stack:"},
		{Verdict: judge.RuntimeError, Message: "Error: Cannot find module './x'"},
		{Verdict: judge.RuntimeError, Message: "Error in library(dplyr) : there is no package called ‘dplyr’"},
	} {
		all.add(r)
	}
	if got, want := all.summary(nil, nil).Packages, map[string]int{"numpy": 2, "@types/node": 1, "dplyr": 1}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
