package sessions

import (
	"fmt"

	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/session"
)

// Reviewed counts the answers of all attempts that are resolved and that a person has to look at.
type Reviewed struct {
	Answers  int `json:"answers"`           // of all attempts of analysed tasks
	Failed   int `json:"counted_as_failed"` // by the study's rule
	Excluded int `json:"left_out"`          // by the study's rule: as if they had not been judged
}

// review counts the answers of a session that a person has to look at as its study says. It changes the state.
func review(s *session.State) error {
	if s.Plan.Study == nil {
		return nil
	}
	rule, err := batch.ParseReviewing(s.Plan.Study.ToReview)
	if err != nil {
		return fmt.Errorf("session %s, to_review of its study: %w", clean(s.Session), err)
	}
	for i := range s.Tasks {
		for j := range s.Tasks[i].Attempts {
			for _, reply := range s.Tasks[i].Attempts[j].Replies() {
				v := reply.Verdict
				if v == nil {
					continue
				}
				row := rule.Apply([]batch.Row{{Verdict: verdicts.Verdict(v.Verdict), PassedTests: v.Passed, TotalTests: v.Total, Message: v.Message, ToReview: v.ToReview}})[0]
				v.Verdict, v.Passed, v.Message = string(row.Verdict), row.PassedTests, row.Message
			}
		}
	}
	return nil
}

// add counts an answer.
func (r *Reviewed) add(v *session.VerdictRecorded) {
	if v == nil || len(v.ToReview) == 0 {
		return
	}
	r.Answers++
	switch verdicts.Verdict(v.Verdict) {
	case verdicts.Accepted:
	case verdicts.NotJudged:
		r.Excluded++
	default:
		r.Failed++
	}
}

// rule says how such answers count.
func (r *Reviewed) rule() string {
	switch {
	case r.Failed == r.Answers:
		return "count as failed, as the study says"
	case r.Excluded == r.Answers:
		return "are left out as if they had not been judged, as the study says"
	case r.Failed+r.Excluded > 0:
		return "count as the study of each says"
	}
	return "count as resolved"
}
