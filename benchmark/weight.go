package benchmark

import "assay/scoring"

// Weight returns a task's weight in the six-dimension score, by its difficulty and the share of people, 0 to 1,
// who solve it; nil: unknown. Without a difficulty it is assumed to be 1.
func Weight(d Difficulty, humanPassRate *float64) scoring.Weight {
	level := map[Difficulty]scoring.Difficulty{Easy: scoring.Easy, Medium: scoring.Medium, Hard: scoring.Hard}[d]
	if humanPassRate != nil {
		percent := 100 * *humanPassRate
		humanPassRate = &percent
	}
	w, err := scoring.QuestionWeight(level, humanPassRate)
	if err != nil {
		return scoring.Weight{Value: 1, Assumed: true}
	}
	return w
}
