package pairs

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Outcome is which of two answers is better.
type Outcome string

// The outcomes. Neither, which says that no answer is usable, counts as a tie.
const (
	A       Outcome = "a"
	B       Outcome = "b"
	Equal   Outcome = "="
	Neither Outcome = "0"
)

// Swapped returns the outcome as it is with the sides exchanged.
func (o Outcome) Swapped() Outcome {
	switch o {
	case A:
		return B
	case B:
		return A
	}
	return o
}

// Valid reports whether it is one of the outcomes.
func (o Outcome) Valid() bool { return o == A || o == B || o == Equal || o == Neither }

// Decided reports whether one of the answers is better.
func (o Outcome) Decided() bool { return o == A || o == B }

// Score is 1 if A is better, 0 if B is, otherwise 1/2.
func (o Outcome) Score() float64 {
	switch o {
	case A:
		return 1
	case B:
		return 0
	}
	return 0.5
}

// MaxMuch is the highest step of how much better an answer is.
const MaxMuch = 3

// Judgement is one comparison of the answers of two models, numbered from 0, to one task.
type Judgement struct {
	A, B    int // the models
	Outcome Outcome
	Much    int       // how much better it is, from 1 to [MaxMuch]; 0: not said
	Style   []float64 // covariates of A's answer minus those of B's; as many in all judgements

	Rater, Task int // clusters
}

// leastRaters is the number of raters from which they are a sample of raters, by which errors are clustered. With fewer,
// numbers speak of these raters only.
const leastRaters = 5

// clusterings returns the clusters of judgements by which errors are computed: by task, and with enough raters also by
// rater, and by both.
func clusterings(list []Judgement) (ways [][][]int, signs []float64) {
	var tasks, raters []int
	var both [][2]int
	for _, j := range list {
		tasks, raters, both = append(tasks, j.Task), append(raters, j.Rater), append(both, [2]int{j.Task, j.Rater})
	}
	ways, signs = [][][]int{stats.Clusters(tasks)}, []float64{1}
	if by := stats.Clusters(raters); len(by) >= leastRaters {
		ways, signs = append(ways, by, stats.Clusters(both)), append(signs, 1, -1)
	}
	return ways, signs
}

// ByRater reports whether errors are also clustered by rater.
func ByRater(list []Judgement) bool {
	ways, _ := clusterings(list)
	return len(ways) > 1
}

// contrast returns an estimate with its error from the judgements' parts of it: clustered by task and rater, V = V_task
// + V_rater - V_both (Cameron, Gelbach & Miller, Journal of Business & Economic Statistics 29, 2011), but no less
// than each of the first two, which G/(G-1) corrects; the degrees of freedom are those of the fewest clusters.
func contrast(value float64, parts []float64, ways [][][]int, signs []float64) (stats.Contrast, error) {
	total, least, df := 0.0, 0.0, math.Inf(1)
	for w, clusters := range ways {
		g, sum := float64(len(clusters)), 0.0
		if g < 2 {
			return stats.Contrast{}, fmt.Errorf("judgements of %d tasks: at least 2 are needed: %w", len(clusters), stats.ErrTooFew)
		}
		for _, members := range clusters {
			s := 0.0
			for _, i := range members {
				s += parts[i]
			}
			sum += s * s
		}
		sum *= g / (g - 1)
		total += signs[w] * sum
		if signs[w] > 0 {
			least, df = max(least, sum), min(df, g-1)
		}
	}
	return stats.Contrast{Value: value, SE: math.Sqrt(max(total, least)), DF: df}, nil
}

// check returns the first problem of judgements.
func check(models int, list []Judgement) error {
	for i, j := range list {
		switch {
		case j.A < 0 || j.A >= models || j.B < 0 || j.B >= models:
			return fmt.Errorf("judgement %d is of models %d and %d of %d: %w", i, j.A, j.B, models, stats.ErrShape)
		case j.A == j.B:
			return fmt.Errorf("judgement %d is of model %d with itself: %w", i, j.A, stats.ErrShape)
		case !j.Outcome.Valid():
			return fmt.Errorf("judgement %d is %q, not one of a, b, = and 0", i, j.Outcome)
		case j.Much < 0 || j.Much > MaxMuch:
			return fmt.Errorf("judgement %d is better by %d, not 0 to %d", i, j.Much, MaxMuch)
		case len(j.Style) != len(list[0].Style):
			return fmt.Errorf("judgement %d has %d covariates, the first one %d: %w", i, len(j.Style), len(list[0].Style), stats.ErrShape)
		}
		for _, v := range j.Style {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("judgement %d has a covariate of %v: %w", i, v, stats.ErrNotFinite)
			}
		}
	}
	return nil
}
