package sessions

import (
	"math"
	"slices"

	"assay/scoring"
	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// Attempts is the distribution of the number of attempts.
//
// #attempt_k counts a task on which the tester was not satisfied as k, given up
// earlier or not, so that its mean is the restricted mean to k of the
// Kaplan-Meier curve of satisfaction. Censored treats a task given up after j
// attempts as unknown beyond j instead.
type Attempts struct {
	K        int             `json:"k"`                 // attempts allowed for each task
	Mean     report.Estimate `json:"attempt_k_mean"`    // of #attempt_k, over the analysed tasks
	SD       report.Number   `json:"attempt_k_sd"`      // of #attempt_k
	Censored report.Estimate `json:"censored_mean"`     // restricted mean to k, with tasks given up after j attempts unknown beyond j
	Happy    report.Estimate `json:"mean_of_satisfied"` // over the satisfied tasks alone
	Success  report.Share    `json:"satisfied"`         // tasks whose tester was satisfied, of those analysed
	Made     int             `json:"made"`              // attempts in all

	// PerAttempt is the number of satisfied tasks divided by that of attempts: the success probability of an
	// attempt if it is constant (the maximum-likelihood estimate of a geometric distribution).
	PerAttempt report.Number `json:"satisfied_per_attempt"`
	Median     report.Number `json:"median_attempt"` // the first within which half of the tasks or more were satisfied

	Steps []AttemptStep `json:"steps"` // one for each attempt, 1 to k
}

// AttemptStep is what happened at one attempt.
type AttemptStep struct {
	Attempt   int          `json:"attempt"`   // its number, from 1
	Satisfied int          `json:"satisfied"` // tasks satisfied at it
	GaveUp    int          `json:"gave_up"`   // tasks given up after it; at k, exhausted ones too
	Within    report.Share `json:"within"`    // satisfied within so many attempts, of all

	// The Kaplan-Meier curve of not being satisfied yet, given-up tasks
	// followed to k.
	AtRisk   int           `json:"at_risk"`
	Survival report.Number `json:"survival"` // share of tasks not satisfied after it
	// Both take tasks to be independent; with several testers there is neither, and the
	// interval of Within stands.
	SE     report.Number   `json:"se"`                // Greenwood's standard error of the survival
	LogLog *stats.Interval `json:"log_log,omitempty"` // pointwise log-log interval of the survival
}

func attemptsOf(est *estimator, analysed []result, k int) Attempts {
	a := Attempts{K: k}
	var counted, happy, success series
	var event []bool
	for _, r := range analysed {
		counted.add(r, float64(r.counted))
		event = append(event, r.happy)
		success.addIf(r, r.happy)
		if r.happy {
			happy.add(r, float64(r.attempts))
		}
		a.Made += r.attempts
	}
	a.PerAttempt = report.Number(success.sum() / float64(a.Made))
	a.Mean = est.mean(counted.within(1, float64(k)))
	a.SD = report.Number(stats.SD(counted.x))
	a.Happy = est.mean(happy.within(1, float64(k)))
	a.Success = est.rate(success)
	a.Censored = censoredMean(est, analysed, k)
	curve, err := stats.KaplanMeier(counted.x, event, report.Confidence)
	if err != nil { // no attempts are a bad time
		curve = stats.KM{}
	}
	a.Steps = stepsOf(est, analysed, k, curve)
	a.Median = report.Number(math.NaN())
	if i := slices.IndexFunc(a.Steps, func(s AttemptStep) bool { return 2*s.Within.Count >= s.Within.N }); i >= 0 && len(analysed) > 0 {
		a.Median = report.Number(a.Steps[i].Attempt)
	}
	return a
}

// censoredMean returns the restricted mean if tasks given up early are censored. Its interval is that of a
// mean of the jackknife's pseudo-values (Andersen, Klein & Rosthøj, Biometrika 90, 2003).
func censoredMean(est *estimator, analysed []result, k int) report.Estimate {
	restricted := func(without int) (float64, error) {
		var tasks []scoring.TaskAttempts
		for i, r := range analysed {
			if i != without {
				tasks = append(tasks, scoring.TaskAttempts{Made: r.attempts, Satisfied: r.happy})
			}
		}
		score, err := scoring.AttemptK(tasks, k)
		return score.Censored.Value, err
	}
	e := report.Estimate{N: len(analysed), Value: report.Number(math.NaN()), Method: "no interval: there are no tasks"}
	if len(analysed) == 0 {
		return e
	}
	value, err := restricted(-1)
	if err != nil {
		e.Method = "no interval: " + err.Error()
		return e
	}
	e.Value, e.Method = report.Number(value), "no interval: fewer than two values"
	if len(analysed) < 2 {
		return e
	}
	s := series{low: 1, high: float64(k)}
	known := map[scoring.TaskAttempts]float64{} // equal tasks have equal values
	for i, r := range analysed {
		kind := scoring.TaskAttempts{Made: r.attempts, Satisfied: r.happy}
		if _, is := known[kind]; !is {
			others, err := restricted(i)
			if err != nil {
				e.Method = "no interval: " + err.Error()
				return e
			}
			n := float64(len(analysed))
			known[kind] = n*value - (n-1)*others
		}
		s.add(r, known[kind])
	}
	return est.weighted(e, s, func(int) float64 { return 1 })
}

func stepsOf(est *estimator, analysed []result, k int, curve stats.KM) []AttemptStep {
	steps := make([]AttemptStep, k)
	atRisk := len(analysed)
	for n := 1; n <= k; n++ {
		s := AttemptStep{Attempt: n, AtRisk: atRisk, Survival: report.Number(curve.At(float64(n))), SE: report.Number(math.NaN())}
		var within series
		for _, r := range analysed {
			within.addIf(r, r.happy && r.attempts <= n)
			switch {
			case r.attempts != n:
			case r.happy:
				s.Satisfied++
			default:
				s.GaveUp++
			}
		}
		atRisk -= s.Satisfied
		s.Within = est.rate(within)
		for _, step := range curve.Steps {
			if step.Time > float64(n) || est.testers > 1 {
				break
			}
			if s.SE, s.LogLog = report.Number(step.SE), nil; !math.IsNaN(step.LogLog.Low) {
				bounds := step.LogLog
				s.LogLog = &bounds
			}
		}
		steps[n-1] = s
	}
	return steps
}

// final returns the attempt whose judgement ended the task.
func (r result) final() *session.Attempt {
	for i := len(r.Attempts) - 1; i >= 0; i-- {
		if r.Attempts[i].Decision != "" {
			return &r.Attempts[i]
		}
	}
	return nil
}
