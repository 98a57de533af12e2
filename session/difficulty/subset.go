package difficulty

import (
	"fmt"
	"math/rand/v2"

	"assay/scoring/irt"
)

// enoughToCheck is the number of respondents needed to choose tasks by one half of them and check the
// ranking of the other half, and splits how often that is done.
const (
	enoughToCheck = 8
	splits        = 8
)

// subset chooses the tasks that separate the respondents best. If there are enough respondents, halves of them choose
// tasks for the others; where these do not rank the others better than stratified random tasks do, the tasks are such
// random ones.
func (o Options) subset(r irt.Responses, e *irt.Estimates) (*Subset, error) {
	s := &Subset{ChosenBy: r.Respondents}
	var err error
	if s.Choice, err = irt.Subset(e, o.Subset); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(o.Seed, 1))
	switch n := len(r.Respondents); {
	case n < enoughToCheck:
		s.Note = fmt.Sprintf("Chosen by all %d respondents: too few to see how the tasks rank others.", n)
	default:
		c, err := irt.CompareSubsets(r, o.Subset, splits, random, o.fit)
		if err != nil {
			s.Note = "How the tasks rank other respondents is not known: " + err.Error() + "."
			break
		}
		if s.CrossFit = &c; !c.Better() {
			s.Choice = irt.Choice{Criterion: "stratified random", Chosen: r.Stratified(o.Subset, random)}
			s.Note = "The tasks that tell most do not rank other respondents better than random tasks of all difficulties do: the tasks are such random ones."
		}
	}
	for _, j := range s.Chosen {
		s.IDs = append(s.IDs, r.Items[j])
	}
	return s, nil
}
