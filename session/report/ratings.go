package report

import (
	"assay/scoring/stats"
	"assay/session"
)

// Ratings are the scores of the final answers, given up or not.
type Ratings struct {
	Attributes []Rating     `json:"attributes"`
	Total      Rating       `json:"total"` // of the tasks with every attribute rated
	Labels     []LabelCount `json:"labels"`
}

// Rating is one attribute over the analysed tasks.
type Rating struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Max    int      `json:"max"` // the best possible
	Mean   Estimate `json:"mean"`
	SD     Number   `json:"sd"`
	Of     Number   `json:"share_of_max"`     // mean / max
	Scores []int    `json:"counts,omitempty"` // tasks with score 1, 2, 3, 4, 5
}

// LabelCount is how often a label got a value, of the tasks that were asked.
type LabelCount struct {
	Label string `json:"label"`
	Name  string `json:"name"`
	Value string `json:"value"`
	Share Share  `json:"share"`
}

func ratingsOf(est *estimator, analysed []result, attributes []session.Attribute) Ratings {
	r := Ratings{Labels: labelsOf(est, analysed)}
	for _, a := range attributes {
		var x []float64
		scores := make([]int, session.MaxScore)
		for _, t := range analysed {
			if score, rated := t.Ratings[a.ID]; rated {
				x = append(x, float64(score))
				scores[score-1]++
			}
		}
		one := rating(est, x, session.MaxScore)
		one.ID, one.Name, one.Scores = clean(a.ID), clean(a.Name), scores
		r.Attributes = append(r.Attributes, one)
	}
	r.Total = rating(est, totals(analysed, attributes), session.MaxScore*len(attributes))
	r.Total.ID, r.Total.Name = "total", "Total"
	return r
}

func rating(est *estimator, x []float64, most int) Rating {
	r := Rating{Max: most, Mean: est.mean(x), SD: Number(stats.SD(x))}
	r.Of = r.Mean.Value / Number(most)
	return r
}

// total is the sum of a task's scores, where every attribute has one.
func total(t *session.Task, attributes []session.Attribute) (sum int, whole bool) {
	for _, a := range attributes {
		score, rated := t.Ratings[a.ID]
		if !rated {
			return 0, false
		}
		sum += score
	}
	return sum, true
}

func totals(analysed []result, attributes []session.Attribute) []float64 {
	var x []float64
	for _, t := range analysed {
		if sum, whole := total(t.Task, attributes); whole {
			x = append(x, float64(sum))
		}
	}
	return x
}

func labelsOf(est *estimator, analysed []result) []LabelCount {
	all := []LabelCount{}
	for _, l := range session.Labels() {
		counts, n := map[string]int{}, 0
		for _, t := range analysed {
			if value, set := t.Labels[l.ID]; set {
				counts[value]++
				n++
			}
		}
		if n == 0 {
			continue
		}
		for _, value := range l.Values {
			all = append(all, LabelCount{l.ID, l.Name, value, est.share(counts[value], n)})
		}
	}
	return all
}
