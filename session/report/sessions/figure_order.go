package sessions

import (
	"slices"
	"strings"

	"assay/session/report"
	"assay/session/report/figure"
)

// trendFigure shows the measures by period, over all test sets; nil if fewer than two periods have enough
// results.
func (r *Report) trendFigure() (figure.Mark, bool) {
	if len(r.Order) == 0 {
		return nil, false
	}
	points := 0
	measures := measuresOf(1, 0, nil)
	note := "Means, adjusted for test set and arm. Bands are 95 % intervals of the deviation from the testers' own means. A trend may be learning, tiredness, or chance."
	if !r.Order[0].Adjust {
		note = "Means, not adjusted: the effects of period and test set cannot be told apart. A trend may be that of the tasks, learning, tiredness, or chance."
	}
	m := figure.Multiples{Own: true, About: r.about("Periods in the order worked", r.Counts.Analysed, note)}
	for _, o := range r.Order {
		at := slices.IndexFunc(measures, func(m measure) bool { return m.name == o.Measure })
		y, unit := measures[at].drawn(r)
		name, _, _ := strings.Cut(o.Measure, ",")
		line := figure.Line{About: figure.About{Of: "tasks"}, X: figure.Axis{Name: "period", Whole: true}, Y: y}
		curve, n := figure.Curve{Name: name}, 0
		for i, p := range o.Periods {
			if p.Results < report.Small {
				continue
			}
			low, high := bounds(p.Estimate)
			curve.Points = append(curve.Points, figure.Point{X: float64(i + 1), Y: unit * float64(p.Value), Low: unit * low, High: unit * high})
			n += p.Results
		}
		if points = max(points, len(curve.Points)); len(curve.Points) == 0 {
			continue
		}
		line.Curves = []figure.Curve{curve}
		m.Panels = append(m.Panels, figure.Panel{Name: name, N: n, Mark: line})
	}
	return m, points > 1
}
