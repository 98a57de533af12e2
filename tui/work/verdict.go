package work

import (
	"fmt"
	"strings"

	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
)

// Tests tells the result of an attempt's tests as far as the plan lets it be seen, as [frame.Theme.Chip] draws it.
func Tests(plan session.Plan, a *session.Attempt, brief bool) string {
	switch {
	case plan.Sees(a) == session.SeeNothing:
		return "– hidden"
	case a.Verdict == nil:
		return "– none"
	}
	return verdictText(a.Verdict, brief)
}

// verdictText is a verdict as a sign, a word unless it is brief, and the share of tests passed.
func verdictText(v *session.VerdictRecorded, brief bool) string {
	sign, word := "✗", frame.OneLine(strings.ReplaceAll(v.Verdict, "_", " "))
	if v.Resolution != "" {
		word = frame.OneLine(outcomes.Outcome(v.Resolution).Words())
	}
	share := fmt.Sprintf("%d/%d", v.Passed, v.Total)
	outcome := outcomes.Outcome(v.Resolution)
	switch tampered, unfit := outcome == outcomes.Tampered, outcome == outcomes.PatchFailed; {
	case tampered && brief:
		return "✗ tampered"
	case unfit && brief:
		return "✗ not applied"
	case tampered || unfit:
		share = ""
	}
	switch verdicts.Verdict(v.Verdict) {
	case verdicts.Accepted:
		sign = "✓"
	case verdicts.NotJudged:
		if sign, share = "–", ""; brief {
			word = "none"
		}
	case verdicts.SandboxError:
		sign, share = "!", ""
	}
	if brief && share != "" {
		word = ""
	}
	return strings.Join(strings.Fields(sign+" "+word+" "+share), " ")
}
