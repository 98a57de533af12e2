package batch

import (
	"fmt"
	"slices"
	"strings"

	"assay/benchmark/verdicts"
)

// Reviewing tells how resolved answers count that a person has to look at.
type Reviewing string

// The ways of counting such answers.
const (
	CountResolved Reviewing = "resolved" // as they were judged
	CountFailed   Reviewing = "failed"   // as wrong_answer, with no test passed
	LeaveOut      Reviewing = "excluded" // as not_judged, so in no metric
)

// Reviewings lists all ways.
func Reviewings() []Reviewing { return []Reviewing{CountResolved, CountFailed, LeaveOut} }

// ParseReviewing reads a way of counting; "" is [CountResolved].
func ParseReviewing(text string) (Reviewing, error) {
	if text == "" {
		return CountResolved, nil
	}
	if v := Reviewing(text); slices.Contains(Reviewings(), v) {
		return v, nil
	}
	return "", fmt.Errorf("%q is not known: write resolved, failed or excluded", text)
}

// Apply returns rows that count as v says. Their resolution and reasons stay. What it returned before, it returns as it is.
func (v Reviewing) Apply(rows []Row) []Row {
	if v != CountFailed && v != LeaveOut {
		return rows
	}
	rows = slices.Clone(rows)
	for i := range rows {
		r := &rows[i]
		if r.Verdict != verdicts.Accepted || len(r.ToReview) == 0 {
			continue
		}
		r.Verdict, r.PassedTests = verdicts.WrongAnswer, 0
		if v == LeaveOut {
			r.Verdict = verdicts.NotJudged
		}
		r.Message = "counted as " + string(v) + " since a person has to look at it: " + strings.Join(r.ToReview, "; ")
	}
	return rows
}
