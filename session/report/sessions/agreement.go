package sessions

import (
	"maps"
	"math"
	"slices"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// Agreed is how far testers agree on one attribute, over the answers that several of
// them rated: the same text to the same task.
type Agreed struct {
	Attribute string        `json:"attribute"`          // its name
	Answers   int           `json:"answers"`            // that two testers or more rated
	Ratings   int           `json:"ratings"`            // of those answers
	Alpha     report.Number `json:"krippendorff_alpha"` // Krippendorff's, for ordinal data
	Problem   string        `json:"problem,omitempty"`  // why there is none
}

// agreementOf returns nil if no answer was rated by two testers. Testers who write their own prompts get
// different answers, and ratings of different answers do not measure agreement.
func agreementOf(analysed []result, attributes []session.Attribute) []Agreed {
	type unit struct{ task, answer string }
	rated := map[unit]map[int]result{}
	var order []unit // a map's own would make sums differ in their last digits
	for _, r := range analysed {
		last := r.final()
		if last == nil || last.Answer == nil || last.Answer.Answer == "" {
			continue
		}
		u := unit{r.same(), string(last.Answer.Answer)}
		if rated[u] == nil {
			rated[u] = map[int]result{}
			order = append(order, u)
		}
		rated[u][r.in.tester] = r // a tester's later rating stands
	}
	var all []Agreed
	for _, a := range attributes {
		agreed := Agreed{Attribute: clean(a.Name), Alpha: report.Number(math.NaN())}
		var units [][]float64
		for _, u := range order {
			var values []float64
			for _, tester := range slices.Sorted(maps.Keys(rated[u])) {
				if score, is := rated[u][tester].Ratings[a.ID]; is {
					values = append(values, float64(score))
				}
			}
			if len(values) >= 2 {
				units = append(units, values)
				agreed.Answers++
				agreed.Ratings += len(values)
			}
		}
		if agreed.Answers == 0 {
			continue
		}
		alpha, err := stats.KrippendorffAlpha(units, stats.Ordinal)
		if err != nil {
			agreed.Problem = "all ratings are equal"
		} else {
			agreed.Alpha = report.Number(alpha.Alpha)
		}
		all = append(all, agreed)
	}
	return all
}
