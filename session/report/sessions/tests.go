package sessions

import (
	"slices"
	"strings"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/report"
)

// Tests has the results of running the answers.
type Tests struct {
	PassRate  report.Estimate `json:"mean_pass_rate"`           // mean over final answers of passed / total
	PassRatio report.Estimate `json:"pass_ratio"`               // mean over final answers of (passed / total)²
	Accepted  report.Share    `json:"accepted"`                 // final answers that passed every test case
	First     report.Share    `json:"first_accepted"`           // first answers that did
	Verdicts  []report.Count  `json:"verdicts"`                 // on the final answers of all analysed tasks; "" where none was recorded
	All       []report.Count  `json:"verdicts_of_all_attempts"` // on the answers of every attempt
	NotJudged int             `json:"not_judged"`               // final answers that say nothing: no verdict, not_judged, sandbox_error
	ToReview  Reviewed        `json:"to_review,omitzero"`       // resolved answers that a person has to look at; absent: none
	Unseen    report.Share    `json:"judged_unseen"`            // final answers judged before the tester had seen the tests' results

	// The agreement of the tester's judgement with the tests, over the judged answers.
	SatisfiedAccepted int          `json:"satisfied_accepted"`
	SatisfiedFailed   int          `json:"satisfied_failed"`       // incorrect, but satisfactory
	UnhappyAccepted   int          `json:"not_satisfied_accepted"` // all tests passed, but not satisfactory
	UnhappyFailed     int          `json:"not_satisfied_failed"`   // tests failed, and not satisfactory
	Wrong             report.Share `json:"failed_of_satisfied"`    // of the satisfying answers those that failed a test
}

// verdict returns the verdict of the final answer if it counts: not_judged and sandbox_error do not depend on
// the answer.
func (r result) verdict() (*session.VerdictRecorded, bool) {
	last := r.final()
	if last == nil {
		return nil, false
	}
	return last.Verdict, says(last.Verdict)
}

func says(v *session.VerdictRecorded) bool {
	if v == nil {
		return false
	}
	switch verdicts.Verdict(v.Verdict) {
	case verdicts.NotJudged, verdicts.SandboxError:
		return false
	}
	return true
}

func passRate(v *session.VerdictRecorded) float64 {
	if v.Total == 0 {
		return 0
	}
	return float64(v.Passed) / float64(v.Total)
}

func testsOf(est *estimator, analysed []result) Tests {
	var t Tests
	var rates, ratios, accepted, first, unseen, wrong series
	reached, all := map[string]int{}, map[string]int{}
	for _, r := range analysed {
		for i := range r.Attempts {
			if v := r.Attempts[i].Verdict; v != nil {
				all[clean(v.Verdict)]++
				t.ToReview.add(v)
			} else {
				all[""]++
			}
		}
		if len(r.Attempts) > 0 && says(r.Attempts[0].Verdict) {
			first.addIf(r, r.Attempts[0].Verdict.Verdict == string(verdicts.Accepted))
		}
		if last := r.final(); last != nil && !r.in.header.Imported {
			unseen.addIf(r, !last.VerdictSeen)
		}
		v, counts := r.verdict()
		if v == nil {
			reached[""]++
		} else {
			reached[clean(v.Verdict)]++
		}
		if !counts {
			t.NotJudged++
			continue
		}
		rate := passRate(v)
		rates.add(r, rate)
		ratios.add(r, rate*rate)
		good := v.Verdict == string(verdicts.Accepted)
		accepted.addIf(r, good)
		if r.happy {
			wrong.addIf(r, !good)
		}
		switch {
		case r.happy && good:
			t.SatisfiedAccepted++
		case r.happy:
			t.SatisfiedFailed++
		case good:
			t.UnhappyAccepted++
		default:
			t.UnhappyFailed++
		}
	}
	t.PassRate, t.PassRatio = est.mean(rates.within(0, 1)), est.mean(ratios.within(0, 1))
	t.Accepted, t.First, t.Unseen, t.Wrong = est.rate(accepted), est.rate(first), est.rate(unseen), est.rate(wrong)
	t.Verdicts, t.All = counted(reached), counted(all)
	return t
}

// counted returns the counts in the order of their names.
func counted(m map[string]int) []report.Count {
	list := []report.Count{}
	for name, n := range m {
		list = append(list, report.Count{Name: name, Count: n})
	}
	slices.SortFunc(list, func(a, b report.Count) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func sumOfCounts(counts []report.Count) int {
	n := 0
	for _, c := range counts {
		n += c.Count
	}
	return n
}
