package sessions

import (
	"math"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
	"assay/session/report/figure"
)

// measure is a number that every result has. What is computed and shown of it follows from its declaration: means of
// groups and arms, comparisons, changes over periods, trends, their tables and figures, and the check against the
// dataset. repeat.R computes each once more.
type measure struct {
	id, name string // in analysis plans and report.json, and in words
	share    bool   // a difference of shares needs no standardising, and is shown in percent
	of       func(result) (value float64, known bool)

	low, high float64 // ends of the scale
	parts     int     // values that each is the sum of; 0: one

	// Of groups of results. An *report.Share counts, a *report.Estimate is a mean; nil: groups do not have it.
	field  func(*Slice) any
	place  int                              // in tables of groups; 0: not there
	column string                           // heading in tables
	short  string                           // in notes on methods
	read   func(report.Row) (float64, bool) // the value in the table of tasks
	rated  bool                             // by testers: a program has none
	judged bool                             // by tests, which some tasks do not have

	attribute bool // a single rating: its mixed model is fitted only where that decides

	decimals int                       // of means of arms and differences, not in percent
	rises    string                    // what Miah & Zhu found as tasks get harder: "rises" or "falls"; "": nothing
	axis     func(*Report) figure.Axis // of its mean; nil: of its name
	panel    string                    // in figures by groups

	said  *outcome // nil: arms are not compared by it
	ratio bool     // arms are compared by the ratio of the values, too, on the scale of their logarithms
}

// outcome has the words for a measure that arms are compared by.
type outcome struct {
	question string // what is asked of two arms
	more     string // what a reader is told of the arm with the greater value
	less     string // and of the one with the lower
	unit     string // of the difference
}

// measuresOf returns the measures of results with k attempts, in the order of the tables of arms. The time to satisfaction
// is restricted to a horizon in seconds, as #attempt_k is to k: giving up is a competing end, after which nobody is
// satisfied. So its mean is the area above the cumulative incidence of satisfaction up to the horizon (Andersen,
// Statistics in Medicine 32, 2013); who gives up soon is not quick.
func measuresOf(k int, horizon float64, attributes []session.Attribute) []measure {
	percent := func(name string) func(*Report) figure.Axis {
		return func(*Report) figure.Axis { return figure.Axis{Name: name, Unit: "%", To: 100} }
	}
	return []measure{
		{id: "satisfied", name: "satisfied", share: true, high: 1, axis: percent("satisfied"),
			of:    func(r result) (float64, bool) { return one(r.happy), true },
			field: func(s *Slice) any { return &s.Satisfied }, column: "satisfied, %", place: 2, short: "satisfied",
			read: func(r report.Row) (float64, bool) { return one(r.Is("satisfied")), true },
			said: &outcome{"Are testers satisfied more often with", "testers were satisfied more often with", "testers were satisfied less often with", "percentage points"}},
		{id: "attempts", name: "attempts", low: 1, high: float64(max(k, 1)), decimals: 2, rises: "rises", panel: "mean attempts",
			axis:  func(*Report) figure.Axis { return figure.Axis{Name: "attempts", Zero: true} },
			of:    func(r result) (float64, bool) { return float64(r.counted), true },
			field: func(s *Slice) any { return &s.Attempts }, column: "attempts", place: 1, short: "attempts",
			read: func(r report.Row) (float64, bool) { return r.Number("attempt_k"), true },
			said: &outcome{"Do tasks take fewer attempts with", "tasks took more attempts with", "tasks took fewer attempts with", "attempts"}},
		{id: "time", name: "time to satisfaction, s", high: horizon, decimals: 1,
			of: func(r result) (float64, bool) {
				if !r.happy {
					return horizon, true
				}
				return min(seconds(r.times.Completion), horizon), true
			},
			ratio: true, said: &outcome{"Are testers satisfied sooner with", "it took testers longer to be satisfied with", "testers were satisfied sooner with", "s"}},
		{id: "work", name: "completion time, s", high: math.Inf(1), decimals: 1, rises: "rises", panel: "mean completion time", axis: func(r *Report) figure.Axis { axis, _ := r.timeAxis(); return axis },
			of:    func(r result) (float64, bool) { return seconds(r.times.Completion), true },
			field: func(s *Slice) any { return &s.Completion }, column: "completion time, s", place: 3, short: "time",
			read:  func(r report.Row) (float64, bool) { return r.Number("completion_ms") / 1000, true },
			ratio: true, said: &outcome{"", "testers worked longer on tasks with", "testers worked less long on tasks with", "s"}},
		{id: "total", name: "total quality", low: float64(len(attributes) * session.MinScore), high: float64(session.MaxTotal(attributes)), parts: len(attributes),
			decimals: 2, rated: true, rises: "falls", panel: "mean total quality", axis: func(r *Report) figure.Axis { return r.totalAxis("total quality") },
			of: func(r result) (float64, bool) {
				sum, whole := total(r.Task, attributes)
				return float64(sum), whole
			},
			field: func(s *Slice) any { return &s.Total }, column: "total quality", place: 4, short: "total quality",
			read: func(r report.Row) (float64, bool) { return r.Number("total"), r.Text("total") != "" },
			said: &outcome{"Do testers rate the answers higher with", "answers were rated higher with", "answers were rated lower with", "points"}},
		{id: "tests", name: "tests passed", share: true, high: 1, judged: true, axis: percent("tests passed"),
			of: func(r result) (float64, bool) {
				v, counts := r.verdict()
				if !counts {
					return 0, false
				}
				return passRate(v), true
			},
			field: func(s *Slice) any { return &s.PassRate }, column: "tests passed, %",
			read: func(r report.Row) (float64, bool) {
				passed, all := r.Number("tests_passed"), r.Number("tests_total")
				return passed / max(all, 1), r.Text("tests_passed") != ""
			},
			said: &outcome{"Do answers pass more of the tests with", "answers passed more of the tests with", "answers passed fewer of the tests with", "percentage points"}},
		{id: "accepted", name: "accepted", share: true, high: 1, judged: true,
			of: func(r result) (float64, bool) {
				v, counts := r.verdict()
				return one(counts && v.Verdict == "accepted"), counts
			},
			field: func(s *Slice) any { return &s.Accepted }, column: "accepted, %",
			read: func(r report.Row) (float64, bool) {
				return one(r.Text("verdict") == "accepted"), r.Text("tests_passed") != ""
			}},
	}
}

// ratingOf returns the measure of one attribute.
func ratingOf(a session.Attribute) measure {
	return measure{id: "rating:" + clean(a.ID), name: clean(a.Name), low: session.MinScore, high: float64(a.Max()), attribute: true,
		of: func(r result) (float64, bool) {
			score, rated := r.Ratings[a.ID]
			return float64(score), rated
		}}
}

// adaptiveMeasures are the measures by which adaptive sessions are compared: what is expected on all tasks of the pool,
// and the ability. Means of the tasks that were chosen are of other tasks in each session.
func adaptiveMeasures() []measure {
	return []measure{
		{id: "score", name: "expected share right of all tasks", share: true, high: 1,
			of:   func(r result) (float64, bool) { return r.in.ability.Total.Score, true },
			said: &outcome{"Are more tasks solved with", "more of all tasks are expected to be solved with", "fewer of all tasks are expected to be solved with", "percentage points"}},
		{id: "ability", name: "ability", low: math.Inf(-1), high: math.Inf(1), decimals: 2,
			of:   func(r result) (float64, bool) { return r.in.ability.Ability, true },
			said: &outcome{"", "abilities were higher with", "abilities were lower with", "standard deviations"}},
	}
}

// measureOf returns a measure, of ratings by these attributes.
func measureOf(id string, attributes []session.Attribute) measure {
	for _, m := range append(measuresOf(1, 0, attributes), adaptiveMeasures()...) {
		if m.id == id {
			return m
		}
	}
	return measure{id: id, name: id, said: &outcome{}}
}

// declared returns a measure as far as it does not depend on the plan.
func declared(id string) measure { return measureOf(id, nil) }

// session reports whether the value is of a session, not of a result.
func (m measure) session() bool { return m.id == "score" || m.id == "ability" }

// holds reports whether a value is on the scale.
func (m measure) holds(v float64) bool { return v >= m.low-1e-9 && v <= m.high+1e-9 }

// clamp cuts the interval of a difference to what differences on the scale can be.
func (m measure) clamp(iv *stats.Interval) *stats.Interval {
	if span := m.high - m.low; iv != nil {
		iv.Low, iv.High = max(iv.Low, -span), min(iv.High, span)
	}
	return iv
}

// scale returns the factor and the number of decimals with which the measure is shown.
func (m measure) scale() (times float64, decimals int) {
	if m.share {
		return 100, 1
	}
	return 1, m.decimals
}

// series returns the values of some results.
func (m measure) series(group []result) series {
	s := series{parts: m.parts}
	for _, r := range group {
		if v, known := m.of(r); known {
			s.add(r, v)
		}
	}
	if math.IsInf(m.high, 1) {
		return s
	}
	return s.within(m.low, m.high)
}

// at returns the estimate of a group.
func (m measure) at(s *Slice) *report.Estimate {
	if share, is := m.field(s).(*report.Share); is {
		return &share.Estimate
	}
	return m.field(s).(*report.Estimate)
}

// drawn returns the axis of the mean, and by what the mean is multiplied there.
func (m measure) drawn(r *Report) (figure.Axis, float64) {
	axis, scale := m.axis(r), 1.0
	switch axis.Unit {
	case "%":
		scale = 100
	case "min":
		scale = 1.0 / 60
	}
	return axis, scale
}

// Slice is the tasks with one value.
type Slice struct {
	Value      string          `json:"value"`           // "" where the task has none
	N          int             `json:"n"`               // results: analysed tasks, each counted for every tester who did it
	Tasks      int             `json:"tasks"`           // different tasks
	Testers    int             `json:"testers"`         // who did them
	Small      bool            `json:"small"`           // fewer tasks, or fewer of several testers, than deserve a conclusion
	Attempts   report.Estimate `json:"attempt_k_mean"`  // mean of #attempt_k
	Satisfied  report.Share    `json:"satisfied"`       // tasks whose tester was satisfied
	Completion report.Estimate `json:"completion_mean"` // mean completion time in seconds
	Total      report.Estimate `json:"total_mean"`      // mean total of the ratings
	PassRate   report.Estimate `json:"mean_pass_rate"`  // mean of passed / total test cases
	Accepted   report.Share    `json:"accepted"`        // final answers that passed every test case

	Attributes []report.Estimate `json:"attribute_means"` // mean of each attribute, in the order of the plan
	Steps      []int             `json:"satisfied_at"`    // tasks satisfied at attempt 1, 2, … k
	Never      int               `json:"never_satisfied"` // tasks whose tester was never satisfied
}

// whole returns the means over all results.
func (r *Report) whole() *Slice {
	return &Slice{Attempts: r.Tries.Mean, Satisfied: r.Tries.Success, Completion: r.Times.Completion.Mean,
		Total: r.Ratings.Total.Mean, PassRate: r.Tests.PassRate, Accepted: r.Tests.Accepted}
}

// total returns the sum of a task's scores, if every attribute has one.
func total(t *session.Task, attributes []session.Attribute) (sum int, whole bool) {
	for _, a := range attributes {
		score, rated := t.Ratings[a.ID]
		if !rated {
			return 0, false
		}
		sum += score
	}
	return sum, len(attributes) > 0
}
