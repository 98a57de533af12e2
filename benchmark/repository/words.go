package repository

// Outcomes lists the outcomes, the best first.
func Outcomes() []Outcome {
	return []Outcome{Resolved, Partly, Unresolved, BrokeTests, PatchFailed, TimeLimit, MemoryLimit, OutputLimit, Tampered, EnvironmentError}
}

// Words names an outcome in a few plain words.
func (o Outcome) Words() string {
	switch o {
	case Resolved:
		return "resolved"
	case Partly:
		return "partly resolved"
	case Unresolved:
		return "not resolved"
	case BrokeTests:
		return "breaks tests that passed before"
	case PatchFailed:
		return "does not apply"
	case TimeLimit:
		return "time limit"
	case MemoryLimit:
		return "memory limit"
	case OutputLimit:
		return "output limit"
	case Tampered:
		return "tampered with the tests' report"
	case EnvironmentError:
		return "the tests cannot run here"
	}
	return string(o)
}

// Explained explains an outcome that its words do not, or returns "".
func (o Outcome) Explained() string {
	switch o {
	case PatchFailed:
		return "The answer's changes do not fit the repository, so no test was run."
	case Tampered:
		return "Tests that assay planted beside the real ones, some of which must fail, are missing or wrong in the report. The answer changes what tests report, so that none of them counts."
	case EnvironmentError:
		return "This is a fault of this machine, not of the answer. It counts in no metric."
	}
	return ""
}
