// Package verdicts owns the values that describe judging: what is judged, verdicts, results of cases, output files and
// isolation. It runs nothing: benchmark/judge does.
package verdicts

import "slices"

// precedence orders the verdicts: the first that applies is the sample's verdict.
var precedence = [...]Verdict{
	SandboxError, NoCode, CompileError, OutputLimit, MemoryLimit, TimeLimit, RuntimeError, WrongAnswer, Accepted,
}

// Verdicts returns all verdicts, the gravest first, and not_judged at the end.
func Verdicts() []Verdict { return append(slices.Clone(precedence[:]), NotJudged) }

// Worst returns the verdict that comes first in the precedence.
func Worst(a, b Verdict) Verdict {
	for _, v := range precedence {
		if v == a || v == b {
			return v
		}
	}
	return a
}

// Of returns what a case's status means for the sample. A case that was not run means only
// that not all cases passed.
func Of(s Status) Verdict {
	switch s {
	case Passed:
		return Accepted
	case NotRun, "":
		return WrongAnswer
	}
	return Verdict(s)
}
