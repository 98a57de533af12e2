package sessions

import (
	"errors"
	"math"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// Ratings are the scores of the final answers, given up or not.
type Ratings struct {
	Attributes []Rating     `json:"attributes"` // in the order of the plan
	Total      Rating       `json:"total"`      // of the tasks with every attribute rated
	Labels     []LabelCount `json:"labels"`     // what testers said of the final answers beside the scores

	// Alpha is Cronbach's alpha over the tasks with every attribute rated: the internal consistency of the
	// attributes.
	Alpha report.Estimate `json:"cronbach_alpha"`
}

// Rating is one attribute over the analysed tasks.
type Rating struct {
	ID     string          `json:"id"`               // of the attribute in the logs
	Name   string          `json:"name"`             // of the attribute
	Max    int             `json:"max"`              // the best possible
	Low    string          `json:"low"`              // what the lowest score means
	High   string          `json:"high"`             // what the highest score means
	Mean   report.Estimate `json:"mean"`             // of the scores
	SD     report.Number   `json:"sd"`               // of the scores
	Of     report.Number   `json:"share_of_max"`     // mean / max
	Scores []int           `json:"counts,omitempty"` // tasks with score 1, 2, … up to max
}

// LabelCount counts the values of a label over the tasks that asked for it.
type LabelCount struct {
	Label string       `json:"label"` // its id in the logs
	Name  string       `json:"name"`  // of the label
	Value string       `json:"value"` // one of those that it can have
	Share report.Share `json:"share"` // of the tasks asked those with the value
}

func ratingsOf(est *estimator, analysed []result, attributes []session.Attribute, labels []session.Label) Ratings {
	r := Ratings{Labels: labelsOf(est, analysed, labels)}
	for _, a := range attributes {
		var s series
		scores := make([]int, a.Max())
		for _, t := range analysed {
			if score, rated := t.Ratings[a.ID]; rated {
				s.add(t, float64(score))
				scores[score-1]++
			}
		}
		one := rating(est, s.within(session.MinScore, float64(a.Max())), a.Max())
		one.ID, one.Name, one.Scores = clean(a.ID), clean(a.Name), scores
		low, high := a.Anchors()
		one.Low, one.High = clean(low), clean(high)
		r.Attributes = append(r.Attributes, one)
	}
	r.Total = rating(est, measureOf("total", attributes).series(analysed), session.MaxTotal(attributes))
	r.Total.ID, r.Total.Name = "total", "Total"
	r.Alpha = alpha(analysed, attributes)
	return r
}

// alpha returns Cronbach's alpha with its interval, over tasks or, of several testers, over testers.
func alpha(analysed []result, attributes []session.Attribute) report.Estimate {
	var rows [][]float64
	var by []int
	for _, t := range analysed {
		if _, whole := total(t.Task, attributes); !whole {
			continue
		}
		var row []float64
		for _, a := range attributes {
			row = append(row, float64(t.Ratings[a.ID]))
		}
		rows, by = append(rows, row), append(by, t.in.tester)
	}
	e := report.Estimate{N: len(rows), Value: report.Number(math.NaN())}
	c, err := stats.CronbachAlpha(rows)
	if err != nil {
		e.Method = "no interval: alpha is not defined"
		return e
	}
	e.Value = report.Number(c.Alpha)
	units, over := stats.Clusters(by), "testers"
	if len(units) < 2 {
		units, over = singles(len(rows)), "tasks"
	}
	iv, err := stats.CronbachInterval(rows, units, report.Confidence)
	switch {
	case errors.Is(err, stats.ErrTooFew):
		e.Method = "no interval: fewer than ten " + over
	case err != nil:
		e.Method = "no interval: alpha is not defined without one of the " + over
	default:
		e.Interval, e.Method = &iv, "jackknife, over "+over
	}
	return e
}

func rating(est *estimator, s series, most int) Rating {
	r := Rating{Max: most, Mean: est.mean(s), SD: report.Number(stats.SD(s.x))}
	r.Of = r.Mean.Value / report.Number(most)
	return r
}

func labelsOf(est *estimator, analysed []result, labels []session.Label) []LabelCount {
	all := []LabelCount{}
	for _, l := range labels {
		for _, value := range l.Values {
			var s series
			for _, t := range analysed {
				if is, set := t.Labels[l.ID]; set {
					s.addIf(t, is == value)
				}
			}
			if len(s.x) > 0 {
				all = append(all, LabelCount{clean(l.ID), clean(l.Name), clean(value), est.rate(s)})
			}
		}
	}
	return all
}
