package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// KMStep is the Kaplan-Meier curve from one event time up to the next.
type KMStep struct {
	Time     float64 `json:"time"`
	AtRisk   int     `json:"at_risk"` // followed until just before Time
	Events   int     `json:"events"`  // at Time
	Censored int     `json:"censored"`
	Survival float64 `json:"survival"`

	// SE is Greenwood's standard error of Survival, and LogLog the interval on the scale of log(-log S).
	// Both are undefined (NaN) if Survival is 0, and the interval also if it is 1.
	SE     float64  `json:"se"`
	LogLog Interval `json:"log_log"`
}

// KM is a Kaplan-Meier curve with a step for every event time.
type KM struct {
	N     int
	Steps []KMStep
}

// KaplanMeier estimates the survival function from times, where event[i] tells whether time[i] is an event
// or a censoring. Censorings at an event's time come after it.
//
//	S(t)  = Π (1 - d/n)                        Kaplan & Meier, JASA 53 (1958)
//	SE    = S sqrt(Σ d/(n(n-d)))               Greenwood (1926)
//	bounds: S^exp(±z sqrt(Σ d/(n(n-d)))/log S) Kalbfleisch & Prentice (1980)
//
// These are the values of R's survfit(conf.type = "log-log"). Times are in any unit and must not be
// negative or NaN. Slices of different lengths, a bad time and a confidence not between 0 and 1 are errors.
func KaplanMeier(time []float64, event []bool, confidence float64) (KM, error) {
	if err := checkConfidence(confidence); err != nil {
		return KM{}, err
	}
	if len(time) != len(event) {
		return KM{}, fmt.Errorf("Kaplan-Meier: %d times but %d event marks", len(time), len(event))
	}
	order := make([]int, len(time))
	for i := range order {
		order[i] = i
		if !(time[i] >= 0) || math.IsInf(time[i], 0) {
			return KM{}, fmt.Errorf("Kaplan-Meier: time %d is %v; times are finite and not negative", i, time[i])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(time[a], time[b]) })
	z := NormalQuantile((1 + confidence) / 2)
	curve := KM{N: len(time)}
	atRisk, survival, greenwood := len(time), 1.0, 0.0
	for i := 0; i < len(order); {
		step := KMStep{Time: time[order[i]], AtRisk: atRisk}
		for ; i < len(order) && time[order[i]] == step.Time; i++ {
			if event[order[i]] {
				step.Events++
			} else {
				step.Censored++
			}
		}
		atRisk -= step.Events + step.Censored
		if step.Events == 0 {
			continue
		}
		n, d := float64(step.AtRisk), float64(step.Events)
		survival *= (n - d) / n
		greenwood += d / (n * (n - d)) // +Inf if the curve reaches 0
		step.Survival = survival
		step.SE, step.LogLog = uncertainty(survival, greenwood, z)
		curve.Steps = append(curve.Steps, step)
	}
	return curve, nil
}

// uncertainty returns Greenwood's standard error and the log-log interval.
func uncertainty(survival, greenwood, z float64) (float64, Interval) {
	if survival <= 0 {
		return math.NaN(), Interval{math.NaN(), math.NaN()}
	}
	root := math.Sqrt(greenwood)
	spread := z * root / math.Log(survival) // negative
	return survival * root, Interval{math.Pow(survival, math.Exp(-spread)), math.Pow(survival, math.Exp(spread))}
}

// At is S(t): 1 before the first event.
func (k KM) At(t float64) float64 {
	s := 1.0
	for _, step := range k.Steps {
		if step.Time > t {
			break
		}
		s = step.Survival
	}
	return s
}

// RestrictedMean returns the mean time up to the horizon tau, the area under the curve from 0 to tau, with its
// standard error:
//
//	RMST = ∫₀^τ S(t) dt,   SE² = Σ (∫ₜ^τ S)² d/(n(n-d)) over event times t < τ
//
// (Klein & Moeschberger, Survival Analysis, 2003, section 4.5.) Without censoring before tau it equals the
// mean of min(time, tau). tau must be positive and finite. The result is NaN without observations.
func (k KM) RestrictedMean(tau float64) (mean, se float64, err error) {
	if !(tau > 0) || math.IsInf(tau, 0) {
		return 0, 0, fmt.Errorf("restricted mean: the horizon is %v; it must be positive", tau)
	}
	if k.N == 0 {
		return math.NaN(), math.NaN(), nil
	}
	// From right to left: area is the integral of S from the step's time to tau.
	area, end, variance := 0.0, tau, 0.0
	for i := len(k.Steps) - 1; i >= 0; i-- {
		step := k.Steps[i]
		if step.Time >= tau {
			continue
		}
		area += step.Survival * (end - step.Time)
		end = step.Time
		if n, d := float64(step.AtRisk), float64(step.Events); n > d {
			variance += area * area * d / (n * (n - d))
		}
	}
	return area + end, math.Sqrt(variance), nil
}
