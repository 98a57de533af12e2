package difficulty

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"assay/scoring/irt"
)

// enoughToCheck is the number of respondents needed to choose tasks by one half of them and check the
// ranking of the other half.
const enoughToCheck = 8

// subset chooses the tasks that separate the respondents best. If there are enough respondents, every
// second one is used for choosing, and the others for the check.
func (o Options) subset(r irt.Responses, e *irt.Estimates) (*Subset, error) {
	chooser, rest := r, irt.Responses{}
	s := &Subset{ChosenBy: r.Respondents}
	if len(r.Respondents) >= enoughToCheck {
		chooser, rest = halves(r)
		s.ChosenBy = chooser.Respondents
		var err error
		if e, err = o.fit(chooser); err != nil {
			return nil, fmt.Errorf("choosing tasks by half of the respondents: %w", err)
		}
	} else {
		s.Note = fmt.Sprintf("Chosen by all %d respondents: too few to see how the tasks rank others.", len(r.Respondents))
	}
	var err error
	if s.Choice, err = irt.Subset(e, o.Subset); err != nil {
		return nil, err
	}
	for _, j := range s.Chosen {
		s.IDs = append(s.IDs, r.Items[j])
	}
	if len(rest.Respondents) > 0 {
		const subsets = 1000
		ranking, err := irt.CompareRanking(rest, s.Chosen, rand.New(rand.NewPCG(o.Seed, 1)), subsets)
		if err != nil {
			s.Note = "How the tasks rank the other half of the respondents is not known: " + err.Error() + "."
		} else {
			s.Ranking = &ranking
		}
	}
	return s, nil
}

// halves divides the respondents alternately, in descending order of their means.
func halves(r irt.Responses) (first, second irt.Responses) {
	order := make([]int, len(r.Respondents))
	means := make([]float64, len(order))
	for i := range order {
		order[i] = i
		n := 0
		for _, s := range r.Scores[i] {
			if !math.IsNaN(s) {
				means[i], n = means[i]+s, n+1
			}
		}
		means[i] /= float64(max(n, 1))
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(means[b], means[a]) })
	first.Items, second.Items = r.Items, r.Items
	for place, i := range order {
		to := &first
		if place%2 == 1 {
			to = &second
		}
		to.Respondents, to.Scores = append(to.Respondents, r.Respondents[i]), append(to.Scores, r.Scores[i])
		if r.Trials != nil {
			to.Trials = append(to.Trials, r.Trials[i])
		}
	}
	return first, second
}
