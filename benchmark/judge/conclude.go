package judge

// refuse sets the verdict of a sample none of whose cases could run.
func (r *run) refuse(cases []caseReport, f callFailure) {
	r.result.Total = len(cases)
	r.result.Cases = make([]CaseResult, len(cases))
	for i, c := range cases {
		c.Status = NotRun
		r.result.Cases[i] = r.caseResult(c)
	}
	r.result.Verdict, r.result.Message = Verdict(f.Status), f.Text
}

// nothingToRun is why the cases of an answer without code fail.
var nothingToRun = callFailure{Status(NoCode), "the answer has no code"}

// conclude derives the verdict from the cases.
func (r *run) conclude(done fromChecker) {
	r.result.Total = len(done.Cases)
	verdict := Accepted
	for _, c := range done.Cases {
		r.result.Cases = append(r.result.Cases, r.caseResult(c))
		if c.Status == Passed {
			r.result.Passed++
		}
		verdict = worst(verdict, verdictOf(c.Status))
	}
	if done.Aborted != nil {
		verdict = worst(verdict, verdictOf(done.Aborted.Status))
	}
	for _, k := range r.kills {
		verdict = worst(verdict, verdictOf(k.Status))
	}
	if r.refused != "" {
		verdict = worst(verdict, TimeLimit)
	}
	r.result.Verdict = verdict
	r.result.Message = r.reason(verdict, done)
}

// reason returns the text of the first failure that has the verdict.
func (r *run) reason(verdict Verdict, done fromChecker) string {
	for _, c := range r.result.Cases {
		if c.Status != Passed && c.Status != NotRun && verdictOf(c.Status) == verdict && c.Message != "" {
			return c.Message
		}
	}
	if done.Aborted != nil && verdictOf(done.Aborted.Status) == verdict {
		return StripEscapes(done.Aborted.Text)
	}
	for _, k := range r.kills {
		if verdictOf(k.Status) == verdict {
			return k.Text
		}
	}
	if verdict == TimeLimit {
		return r.refused
	}
	return ""
}

func (r *run) caseResult(c caseReport) CaseResult {
	return CaseResult{
		Index: c.Index, Name: c.Name, Status: c.Status, Edge: c.Edge,
		Call: StripEscapes(c.Call), Expected: StripEscapes(c.Expected), Got: StripEscapes(c.Got),
		Message: StripEscapes(c.Message), CPUMS: r.caseCPU[c.Index].Milliseconds(),
	}
}
