package judge

import "assay/benchmark/verdicts"

// refuse sets the verdict of a sample none of whose cases could run.
func (r *run) refuse(cases []caseReport, f callFailure) {
	r.result.Total = len(cases)
	r.result.Cases = make([]verdicts.CaseResult, len(cases))
	for i, c := range cases {
		c.Status = verdicts.NotRun
		r.result.Cases[i] = r.caseResult(c)
	}
	r.result.Verdict, r.result.Message = verdicts.Verdict(f.Status), f.Text
}

// nothingToRun is why the cases of an answer without code fail.
var nothingToRun = callFailure{verdicts.Status(verdicts.NoCode), "the answer has no code"}

// conclude derives the verdict from the cases.
func (r *run) conclude(done fromChecker) {
	r.result.Total = len(done.Cases)
	verdict := verdicts.Accepted
	for _, c := range done.Cases {
		r.result.Cases = append(r.result.Cases, r.caseResult(c))
		if c.Status == verdicts.Passed {
			r.result.Passed++
		}
		verdict = verdicts.Worst(verdict, verdicts.Of(c.Status))
	}
	if done.Aborted != nil {
		verdict = verdicts.Worst(verdict, verdicts.Of(done.Aborted.Status))
	}
	for _, k := range r.kills {
		verdict = verdicts.Worst(verdict, verdicts.Of(k.Status))
	}
	if r.refused != "" {
		verdict = verdicts.Worst(verdict, verdicts.TimeLimit)
	}
	r.result.Verdict = verdict
	r.result.Message = r.reason(verdict, done)
}

// reason returns the text of the first failure that has the verdict.
func (r *run) reason(verdict verdicts.Verdict, done fromChecker) string {
	for _, c := range r.result.Cases {
		if c.Status != verdicts.Passed && c.Status != verdicts.NotRun && verdicts.Of(c.Status) == verdict && c.Message != "" {
			return c.Message
		}
	}
	if done.Aborted != nil && verdicts.Of(done.Aborted.Status) == verdict {
		return verdicts.StripEscapes(done.Aborted.Text)
	}
	for _, k := range r.kills {
		if verdicts.Of(k.Status) == verdict {
			return k.Text
		}
	}
	if verdict == verdicts.TimeLimit {
		return r.refused
	}
	return ""
}

func (r *run) caseResult(c caseReport) verdicts.CaseResult {
	return verdicts.CaseResult{
		Index: c.Index, Name: c.Name, Status: c.Status, Edge: c.Edge,
		Call: verdicts.StripEscapes(c.Call), Expected: verdicts.StripEscapes(c.Expected), Got: verdicts.StripEscapes(c.Got),
		Message: verdicts.StripEscapes(c.Message), CPUMS: r.caseCPU[c.Index].Milliseconds(),
	}
}
