package overlap

import (
	"fmt"
	"math/rand/v2"
)

// People records how the items, or pairs, that people rate were drawn from all. The others are left to judges, and since
// the draw was random, both together say what people would have said of all.
type People struct {
	Units int  `json:"units"` // items, or pairs whatever their sides, that people rate
	Of    int  `json:"of"`    // all items, or pairs, without attention checks
	Draw  Draw `json:"draw"`
}

// Draw is a way to draw a sample.
type Draw string

// Simple is a simple random sample without replacement: a permutation by the seed, of which the first units are taken.
const Simple Draw = "simple"

// people draws the units that people rate; all of them without a number.
func people[T any](all []T, o Setup, random *rand.Rand) ([]T, *People, error) {
	switch {
	case o.People == 0:
		return all, nil, nil
	case o.People > len(all):
		return nil, nil, fmt.Errorf("people cannot rate %d: there are only %d", o.People, len(all))
	}
	drawn := make([]T, 0, o.People)
	for _, i := range random.Perm(len(all))[:o.People] {
		drawn = append(drawn, all[i])
	}
	return drawn, &People{o.People, len(all), Simple}, nil
}

// decoys lists the wrong sides of attention checks.
func (h *Header) decoys() map[string]bool {
	found := map[string]bool{}
	for _, o := range h.Origins {
		if o.Decoy {
			found[o.Item] = true
		}
	}
	return found
}

// units lists what is rated: the items, or each pair once whatever its sides and without attention checks. byPeople
// chooses those that people are asked for.
func (h *Header) units(byPeople bool) [][2]string {
	asked := map[string]bool{}
	for _, w := range h.Work {
		for _, id := range w.Items {
			asked[id] = true
		}
	}
	var list [][2]string
	if len(h.Pairs) == 0 {
		for _, item := range h.Items {
			if !byPeople || asked[item.ID] {
				list = append(list, [2]string{item.ID})
			}
		}
		return list
	}
	decoys, seen := h.decoys(), map[[2]string]bool{}
	for _, p := range h.Pairs {
		if key := p.answers(); !seen[key] && !decoys[p.A] && !decoys[p.B] && (!byPeople || asked[p.ID] || asked[p.swapped().ID]) {
			seen[key] = true
			list = append(list, key)
		}
	}
	return list
}

// RatedByPeople returns the number of items, or of pairs without attention checks, that people are asked for.
func (h *Header) RatedByPeople() int { return len(h.units(true)) }

// checkPeople returns the first problem of the draw of what people rate.
func (h *Header) checkPeople() error {
	p := h.People
	switch {
	case p == nil:
		return nil
	case h.Rater != "":
		return fmt.Errorf("\"people\": one rater's file does not say how items were drawn")
	case p.Draw != Simple:
		return fmt.Errorf("\"people\": \"draw\" is %q, not %q", p.Draw, Simple)
	case p.Units != h.RatedByPeople() || p.Of != len(h.units(false)):
		return fmt.Errorf("\"people\": \"units\" is %d \"of\" %d, but people are asked for %d of %d", p.Units, p.Of, h.RatedByPeople(), len(h.units(false)))
	}
	return nil
}
