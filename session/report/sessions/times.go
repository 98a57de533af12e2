package sessions

import (
	"math"
	"slices"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// Times are durations in seconds. Completion is the time from opening a task to the judgement that ends it,
// without the rating.
type Times struct {
	Completion   Durations  `json:"completion"`         // from opening a task to the judgement that ends it
	WithoutModel *Durations `json:"without_wait_model"` // completion without the waiting for the model; null where that was not measured
	Rating       *Durations `json:"rating"`             // of the form of ratings; null where it was not measured
	Phases       []PhaseSum `json:"phases"`             // of the analysed tasks; none for imported ones

	// The overlays, in seconds over all analysed tasks. Paused and unobserved
	// time is not part of any duration; blurred and idle time is.
	Paused     report.Number `json:"paused"`
	Unobserved report.Number `json:"unobserved"` // between two runs of the program, without a pause
	Blurred    report.Number `json:"blurred"`    // while the terminal did not have the focus
	Idle       report.Number `json:"idle"`       // beyond the idle threshold
	// AtMost is the mean completion time if all unobserved time was work.
	AtMost report.Number `json:"completion_mean_at_most"`

	// WithAttempts is Spearman's rank correlation of the completion times with the
	// numbers of attempts; its p takes tasks to be independent, and is not given where
	// several testers worked.
	WithAttempts  report.Number `json:"rank_correlation_with_attempts"`
	WithAttemptsP report.Number `json:"rank_correlation_with_attempts_p"` // of no correlation; null with several testers
}

// Durations describe one duration over tasks, in seconds.
type Durations struct {
	Mean   report.Estimate `json:"mean"`   // over the tasks
	SD     report.Number   `json:"sd"`     // standard deviation
	Median report.Number   `json:"median"` // of the tasks

	// MedianRange is the median's interval by order statistics; none for fewer than six values, or for
	// several testers, whose tasks are not independent.
	MedianRange *stats.Interval `json:"median_interval,omitempty"`

	Min       report.Number `json:"min"`            // the shortest
	Max       report.Number `json:"max"`            // the longest
	Geometric report.Number `json:"geometric_mean"` // of positive durations; undefined if one is 0
	Quantiles []Quantile    `json:"quantiles"`      // by several definitions, since studies differ in them
	ECDF      []ECDFPoint   `json:"ecdf"`           // the empirical distribution at some times
}

// Quantile is a quantile by a named definition.
type Quantile struct {
	P     float64       `json:"p"`     // the probability, 0 to 1
	Type  int           `json:"type"`  // the definition's number in Hyndman & Fan (1996)
	Name  string        `json:"name"`  // of the definition
	Value report.Number `json:"value"` // in seconds
}

// ECDFPoint is the share of tasks done within so many seconds.
type ECDFPoint struct {
	Seconds float64      `json:"seconds"` // the time
	Within  report.Share `json:"within"`  // tasks done within it
}

// PhaseSum is the time that went to one phase.
type PhaseSum struct {
	Phase   string          `json:"phase"`   // what the tester did
	Seconds report.Number   `json:"seconds"` // over all tasks
	Mean    report.Estimate `json:"mean"`    // of a task
}

func timesOf(est *estimator, analysed []result) Times {
	var completion, without, rating series
	imported := len(analysed) == 0
	phases, each := map[session.Phase]int64{}, map[session.Phase]*series{}
	for _, phase := range phasesOfTask() {
		each[phase] = &series{}
	}
	var paused, unobserved, blurred, idle int64
	for _, r := range analysed {
		imported = imported || r.in.header.Imported
		completion.add(r, seconds(r.times.Completion))
		without.add(r, seconds(r.times.WithoutModel))
		rating.add(r, seconds(r.times.Phases[session.Rate]))
		for _, phase := range phasesOfTask() {
			phases[phase] += r.times.Phases[phase]
			each[phase].add(r, seconds(r.times.Phases[phase]))
		}
		paused, unobserved = paused+r.times.Paused, unobserved+r.times.Unobserved
		blurred, idle = blurred+r.times.Blurred, idle+r.times.Idle
	}
	t := Times{
		Completion: durations(est, completion), Phases: []PhaseSum{},
		Paused: report.Number(seconds(paused)), Unobserved: report.Number(seconds(unobserved)),
		Blurred: report.Number(seconds(blurred)), Idle: report.Number(seconds(idle)),
		AtMost: report.Number(math.NaN()),
	}
	t.WithAttempts, t.WithAttemptsP = report.Number(math.NaN()), report.Number(math.NaN())
	if rho, err := stats.Spearman(declared("attempts").series(analysed).x, completion.x); err == nil {
		t.WithAttempts = report.Number(rho.Rho)
		if est.testers == 1 {
			t.WithAttemptsP = report.Number(rho.P)
		}
	}
	if len(analysed) > 0 {
		t.AtMost = t.Completion.Mean.Value + t.Unobserved/report.Number(len(analysed))
	}
	if imported {
		return t
	}
	w, rate := durations(est, without), durations(est, rating)
	t.WithoutModel, t.Rating = &w, &rate
	for _, phase := range phasesOfTask() {
		t.Phases = append(t.Phases, PhaseSum{string(phase), report.Number(seconds(phases[phase])), est.mean(*each[phase])})
	}
	return t
}

func phasesOfTask() []session.Phase {
	return []session.Phase{session.Read, session.Compose, session.Wait, session.Review, session.Rate}
}

func durations(est *estimator, s series) Durations {
	x := s.x
	d := Durations{
		Mean: est.mean(s), SD: report.Number(stats.SD(x)), Median: report.Number(stats.Median(x)),
		Min: report.Number(math.NaN()), Max: report.Number(math.NaN()), Geometric: report.Number(geometric(x)), Quantiles: []Quantile{}, ECDF: []ECDFPoint{},
	}
	if len(x) == 0 {
		return d
	}
	d.Min, d.Max = report.Number(slices.Min(x)), report.Number(slices.Max(x))
	if iv, err := stats.MedianInterval(x, report.Confidence); err == nil && est.testers == 1 {
		d.MedianRange = &iv
	}
	for _, p := range []float64{0.90, 0.98} {
		for _, t := range []stats.QuantileType{stats.InverseECDF, stats.Weibull, stats.Linear} {
			// Neither the probability nor the type can be wrong here.
			q, _ := stats.Quantile(x, p, t)
			d.Quantiles = append(d.Quantiles, Quantile{p, int(t), t.String(), report.Number(q)})
		}
	}
	for _, at := range append(ecdfPoints(), float64(d.Max)) {
		within := series{by: s.by, of: s.of}
		for _, v := range x {
			if v <= at {
				within.x = append(within.x, 1)
			} else {
				within.x = append(within.x, 0)
			}
		}
		point := ECDFPoint{at, est.rate(within)}
		d.ECDF = append(d.ECDF, point)
		if point.Within.Count == len(x) {
			break
		}
	}
	return d
}

// ecdfPoints returns the seconds at which the distribution is given, up to the first that no task exceeds; 100
// and 150 are those of Miah & Zhu.
func ecdfPoints() []float64 {
	return []float64{10, 20, 30, 45, 60, 80, 100, 120, 150, 180, 240, 300, 600, 900, 1800, 3600}
}

// geometric returns the geometric mean, NaN if a value is not positive.
func geometric(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += math.Log(v)
	}
	if math.IsInf(sum, 0) || len(x) == 0 {
		return math.NaN()
	}
	return math.Exp(sum / float64(len(x)))
}
