package pairs

import (
	"errors"

	"assay/scoring/stats"
)

// Rate is how often a model's answers are better.
type Rate struct {
	Judgements, Wins, Losses, Ties, Neither int
	// Rate is the share of wins, where ties and neither count one half; undefined without judgements.
	Rate     float64
	Interval *stats.Interval // nil: the judgements are of fewer than 5 tasks, or of fewer than 2 raters as clusters
}

// leastTasks is the number of tasks from which win rates have intervals: fewer do not show how tasks differ.
const leastTasks = 5

// WinRate returns how often the answers of a model are better than those of another, or than all others' for other -1.
// The interval is that of [stats.MeanOnScale] with the error at clusters.
func WinRate(list []Judgement, model, other int, confidence float64) (Rate, error) {
	var r Rate
	own := of(list, model, other)
	var scores []float64
	for _, j := range own {
		scores = append(scores, j.Outcome.Score())
		switch j.Outcome {
		case A:
			r.Wins++
		case B:
			r.Losses++
		case Neither:
			r.Neither++
		default:
			r.Ties++
		}
	}
	if r.Judgements = len(own); r.Judgements == 0 {
		return r, nil
	}
	var err error
	r.Rate, r.Interval, err = mean(own, scores, 0, 1, confidence)
	return r, err
}

// Graded is how much better a model's answers are.
type Graded struct {
	Judgements int             // which say how much, and ties
	Mean       float64         // from -3, far worse, to 3, far better; ties are 0
	Interval   *stats.Interval // nil as in [Rate]
}

// HowMuch returns how much better the answers of a model are than those of another, or than all others' for other -1, as
// [WinRate] does.
func HowMuch(list []Judgement, model, other int, confidence float64) (Graded, error) {
	var own []Judgement
	var grades []float64
	for _, j := range of(list, model, other) {
		if sign := 2*j.Outcome.Score() - 1; sign == 0 || j.Much > 0 {
			own, grades = append(own, j), append(grades, sign*float64(j.Much))
		}
	}
	g := Graded{Judgements: len(own)}
	if len(own) == 0 {
		return g, nil
	}
	var err error
	g.Mean, g.Interval, err = mean(own, grades, -MaxMuch, MaxMuch, confidence)
	return g, err
}

// of lists the judgements of a model against another, or against all for other -1, with the model at side A.
func of(list []Judgement, model, other int) (own []Judgement) {
	for _, j := range list {
		if j.B == model {
			j.A, j.B, j.Outcome = j.B, j.A, j.Outcome.Swapped()
		}
		if j.A == model && (other < 0 || j.B == other) {
			own = append(own, j)
		}
	}
	return own
}

// mean returns the mean of judgements' scores on a scale, with the interval of [stats.MeanOnScale] at clusters.
func mean(list []Judgement, scores []float64, low, high, confidence float64) (float64, *stats.Interval, error) {
	m := stats.Mean(scores)
	ways, signs := clusterings(list)
	if len(ways[0]) < leastTasks {
		return m, nil, nil
	}
	parts := make([]float64, len(scores))
	for i, s := range scores {
		parts[i] = (s - m) / float64(len(scores))
	}
	c, err := contrast(m, parts, ways, signs)
	if errors.Is(err, stats.ErrTooFew) {
		return m, nil, nil
	}
	if err != nil {
		return m, nil, err
	}
	units := stats.Units{Mean: m, Per: max(1, float64(len(scores))/(c.DF+1)), Error: c.SE, Number: c.DF + 1}
	iv, err := stats.MeanOnScale(units, low, high, confidence)
	return m, &iv, err
}
