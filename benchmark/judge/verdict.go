package judge

import "slices"

// precedence orders the verdicts: the first that applies is the sample's verdict.
var precedence = [...]Verdict{
	SandboxError, NoCode, CompileError, OutputLimit, MemoryLimit, TimeLimit, RuntimeError, WrongAnswer, Accepted,
}

// Verdicts returns all verdicts, the gravest first, and not_judged at the end.
func Verdicts() []Verdict { return append(slices.Clone(precedence[:]), NotJudged) }

// worst returns the verdict that comes first in the precedence.
func worst(a, b Verdict) Verdict {
	for _, v := range precedence {
		if v == a || v == b {
			return v
		}
	}
	return a
}

// verdictOf returns what a case's status means for the sample. A case that was not run means only
// that not all cases passed.
func verdictOf(s Status) Verdict {
	switch s {
	case Passed:
		return Accepted
	case NotRun, "":
		return WrongAnswer
	}
	return Verdict(s)
}
