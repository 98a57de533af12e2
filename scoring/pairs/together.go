package pairs

import (
	"fmt"
	"math"
	"slices"

	"assay/scoring/ppi"
	"assay/scoring/stats"
)

// Shares is what a judge says of a comparison: the shares of its judgements in favour of each side. The others are ties.
type Shares struct{ A, B float64 }

func sharesOf(o Outcome) Shares {
	switch o {
	case A:
		return Shares{A: 1}
	case B:
		return Shares{B: 1}
	}
	return Shares{}
}

// Together estimates strengths and effects from people's judgements, which the scale was fitted to, and a judge's: of the
// same comparisons, in their order, and of others that nobody judged, whose outcomes do not matter (PPI++, see
// [ppi.Coefficient]; λ is tuned for each coefficient). What people judged is a random sample of all. Without ties of
// people those of the judge count one half for each side.
func (s *Scale) Together(judged []Shares, others []Judgement, otherJudged []Shares, confidence float64) (strengths, effects []ppi.Both, err error) {
	f := s.fit
	if len(judged) != len(f.list) || len(others) != len(otherJudged) {
		return nil, nil, fmt.Errorf("a judge's outcomes of %d and %d comparisons, for %d and %d: %w", len(judged), len(otherJudged), len(f.list), len(others), stats.ErrShape)
	}
	if err := check(f.models, slices.Concat(f.list[:1], others)); err != nil {
		return nil, nil, err
	}
	n, values := float64(len(f.list)), slices.Concat(f.centred(f.beta))
	rows := make([][]ppi.Rated, f.models+f.effects) // by coefficient
	influence := func(j Judgement, outcomes Shares) []float64 {
		return slices.Concat(f.step(f.score(j, outcomes, f.beta)))
	}
	for i, j := range f.list {
		human, judge := influence(j, sharesOf(j.Outcome)), influence(j, judged[i])
		for c := range rows {
			rows[c] = append(rows[c], ppi.Rated{Human: values[c] + n*human[c], Judged: n * judge[c], Cluster: j.Task, Rater: j.Rater})
		}
	}
	for i, j := range others {
		judge := influence(j, otherJudged[i])
		for c := range rows {
			rows[c] = append(rows[c], ppi.Rated{Human: math.NaN(), Judged: n * judge[c], Cluster: j.Task})
		}
	}
	for c := range rows {
		both, err := ppi.Coefficient(rows[c], confidence)
		if err != nil {
			return nil, nil, err
		}
		if c < f.models {
			strengths = append(strengths, both)
		} else {
			effects = append(effects, both)
		}
	}
	return strengths, effects, nil
}
