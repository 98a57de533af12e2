package report

import (
	"math"

	"assay/scoring"
	"assay/scoring/stats"
	"assay/session"
)

// Attempts is how many attempts the tasks took.
//
// #attempt_k counts a task on which the tester was not satisfied as k, given up
// earlier or not, so that its mean is the restricted mean to k of the
// Kaplan-Meier curve of satisfaction. Censored treats a task given up after j
// attempts as unknown beyond j instead.
type Attempts struct {
	K        int      `json:"k"`                 // attempts allowed for each task
	Mean     Estimate `json:"attempt_k_mean"`    // of #attempt_k, over the analysed tasks
	SD       Number   `json:"attempt_k_sd"`      // of #attempt_k
	Censored Estimate `json:"censored_mean"`     // restricted mean to k, with tasks given up after j attempts unknown beyond j
	Happy    Estimate `json:"mean_of_satisfied"` // over the satisfied tasks alone
	Success  Share    `json:"satisfied"`         // tasks whose tester was satisfied, of those analysed
	Made     int      `json:"made"`              // attempts in all

	// PerAttempt is satisfied tasks by attempts made: the chance of an attempt, were it
	// the same for all (the maximum-likelihood estimate of a geometric distribution).
	PerAttempt Number `json:"satisfied_per_attempt"`
	Median     Number `json:"median_attempt"` // of satisfaction, from the curve

	Steps []AttemptStep `json:"steps"` // one for each attempt, 1 to k
}

// AttemptStep is what happened at one attempt.
type AttemptStep struct {
	Attempt   int   `json:"attempt"`   // its number, from 1
	Satisfied int   `json:"satisfied"` // tasks satisfied at it
	GaveUp    int   `json:"gave_up"`   // tasks given up after it; at k, exhausted ones too
	Within    Share `json:"within"`    // satisfied within so many attempts, of all

	// The Kaplan-Meier curve of not being satisfied yet, given-up tasks
	// followed to k.
	AtRisk   int    `json:"at_risk"`
	Survival Number `json:"survival"` // share of tasks not satisfied after it
	// Both take tasks to be independent; with several testers there is neither, and the
	// interval of Within stands.
	SE     Number          `json:"se"`                // Greenwood's standard error of the survival
	LogLog *stats.Interval `json:"log_log,omitempty"` // pointwise log-log interval of the survival
}

func attemptsOf(est *estimator, analysed []result, k int) Attempts {
	a := Attempts{K: k}
	var counted, happy, success series
	var event []bool
	var tasks []scoring.TaskAttempts
	for _, r := range analysed {
		counted.add(r, float64(r.counted))
		event = append(event, r.happy)
		success.addIf(r, r.happy)
		tasks = append(tasks, scoring.TaskAttempts{Made: r.attempts, Satisfied: r.happy})
		if r.happy {
			happy.add(r, float64(r.attempts))
		}
		a.Made += r.attempts
	}
	a.PerAttempt = Number(success.sum() / float64(a.Made))
	a.Mean = est.mean(counted.within(1, float64(k)))
	a.SD = Number(stats.SD(counted.x))
	a.Happy = est.mean(happy.within(1, float64(k)))
	a.Success = est.rate(success)
	a.Censored = censoredMean(tasks, k, est.testers)
	curve, err := stats.KaplanMeier(counted.x, event, Confidence)
	a.Median = Number(math.NaN())
	if err == nil {
		a.Median = Number(curve.Median())
	}
	a.Steps = stepsOf(est, analysed, k, curve)
	return a
}

// censoredMean is the restricted mean where a task given up early is censored
// then, with the normal interval of its standard error.
// With several testers it has none, since that error takes tasks to be independent.
func censoredMean(tasks []scoring.TaskAttempts, k, testers int) Estimate {
	e := Estimate{N: len(tasks), Value: Number(math.NaN()), Method: "no interval: there are no tasks"}
	if len(tasks) == 0 {
		return e
	}
	score, err := scoring.AttemptK(tasks, k)
	if err != nil {
		e.Method = "no interval: " + err.Error()
		return e
	}
	e.Value, e.Method = Number(score.Censored.Value), "no interval: all values are equal"
	if testers > 1 {
		e.Method = "no interval: the standard error takes tasks to be independent"
	} else if score.Censored.Method != "" {
		e.Interval, e.Method = &score.Censored.Interval, score.Censored.Method+"'s standard error"
	}
	return e
}

func stepsOf(est *estimator, analysed []result, k int, curve stats.KM) []AttemptStep {
	steps := make([]AttemptStep, k)
	atRisk := len(analysed)
	for n := 1; n <= k; n++ {
		s := AttemptStep{Attempt: n, AtRisk: atRisk, Survival: Number(curve.At(float64(n))), SE: Number(math.NaN())}
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
			if s.SE, s.LogLog = Number(step.SE), nil; !math.IsNaN(step.LogLog.Low) {
				bounds := step.LogLog
				s.LogLog = &bounds
			}
		}
		steps[n-1] = s
	}
	return steps
}

// final is the attempt whose judgement ended the task.
func (r result) final() *session.Attempt {
	for i := len(r.Attempts) - 1; i >= 0; i-- {
		if r.Attempts[i].Decision != "" {
			return &r.Attempts[i]
		}
	}
	return nil
}
