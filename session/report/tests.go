package report

import (
	"assay/benchmark/judge"
	"assay/session"
)

// Tests is what running the final answers found.
type Tests struct {
	PassRate Estimate       `json:"mean_pass_rate"` // mean over answers of passed / total
	Accepted Share          `json:"accepted"`       // answers that passed every test case
	Verdicts map[string]int `json:"verdicts"`       // of all analysed tasks; "" where none was recorded

	// The tester's judgement against the tests, over the judged answers.
	SatisfiedAccepted int `json:"satisfied_accepted"`
	SatisfiedFailed   int `json:"satisfied_failed"`
	UnhappyAccepted   int `json:"not_satisfied_accepted"`
	UnhappyFailed     int `json:"not_satisfied_failed"`
}

// verdict is that of the final answer, if it counts: not_judged and
// sandbox_error say nothing about the answer.
func (r result) verdict() (*session.VerdictRecorded, bool) {
	last := r.final()
	if last == nil || last.Verdict == nil {
		return nil, false
	}
	switch judge.Verdict(last.Verdict.Verdict) {
	case judge.NotJudged, judge.SandboxError:
		return last.Verdict, false
	}
	return last.Verdict, true
}

func testsOf(est *estimator, analysed []result) Tests {
	t := Tests{Verdicts: map[string]int{}}
	var rates []float64
	accepted, judged := 0, 0
	for _, r := range analysed {
		v, counts := r.verdict()
		if v == nil {
			t.Verdicts[""]++
			continue
		}
		t.Verdicts[clean(v.Verdict)]++
		if !counts {
			continue
		}
		judged++
		rate := 0.0
		if v.Total > 0 {
			rate = float64(v.Passed) / float64(v.Total)
		}
		rates = append(rates, rate)
		good := v.Verdict == string(judge.Accepted)
		if good {
			accepted++
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
	t.PassRate = est.mean(rates)
	t.Accepted = est.share(accepted, judged)
	return t
}
