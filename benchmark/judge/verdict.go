package judge

import "slices"

// precedence orders the verdicts: of all that applies, the first is the
// sample's verdict.
var precedence = [...]Verdict{
	SandboxError, CompileError, OutputLimit, MemoryLimit, TimeLimit, RuntimeError, WrongAnswer, Accepted,
}

// Verdicts are all verdicts there are, the gravest first, and not_judged at the end.
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

// verdictOf is what a case's status means for the sample. A case that was not
// run says nothing beyond that not all were passed.
func verdictOf(s Status) Verdict {
	switch s {
	case Passed:
		return Accepted
	case NotRun, "":
		return WrongAnswer
	}
	return Verdict(s)
}
