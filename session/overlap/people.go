package overlap

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// People records how the items, or pairs, that people rate were drawn from all. The others are left to judges, and since
// the draw was random, both together say what people would have said of all.
type People struct {
	Units int  `json:"units"` // items, or pairs whatever their sides, that people rate
	Of    int  `json:"of"`    // all items, or pairs, without attention checks
	Draw  Draw `json:"draw"`

	// Of a stratified draw: the field, and how many of each of its values were drawn. The probability that a unit is drawn is
	// Units/Of of its stratum.
	By     string  `json:"by,omitempty"`
	Strata []Drawn `json:"strata,omitempty"`
}

// Drawn is how many units of a stratum people rate.
type Drawn struct {
	Stratum string `json:"stratum"` // the value of the field, or both of a pair
	Units   int    `json:"units"`   // that people rate
	Of      int    `json:"of"`      // all of the stratum
}

// Draw is a way to draw a sample.
type Draw string

// Simple is a simple random sample without replacement: a permutation by the seed, of which the first units are taken.
const Simple Draw = "simple"

// Stratified draws equally many of each stratum of a field, each a simple random sample, but leaves one of each to judges.
const Stratified Draw = "stratified"

// people draws the units that people rate; all of them without a number. stratum returns a unit's value of o.PeopleBy.
func people[T any](all []T, o Setup, random *rand.Rand, stratum func(T) string) ([]T, *People, error) {
	switch {
	case o.People == 0:
		return all, nil, nil
	case o.People > len(all):
		return nil, nil, fmt.Errorf("people cannot rate %d: there are only %d", o.People, len(all))
	}
	p := &People{Units: o.People, Of: len(all), Draw: Simple}
	want := map[string]int{}
	if o.PeopleBy != "" {
		p.Draw, p.By = Stratified, o.PeopleBy
		if err := p.divide(countBy(all, stratum)); err != nil {
			return nil, nil, err
		}
		for _, s := range p.Strata {
			want[s.Stratum] = s.Units
		}
	}
	drawn := make([]T, 0, o.People)
	for _, i := range random.Perm(len(all)) {
		if p.By != "" {
			s := stratum(all[i])
			if want[s] == 0 {
				continue
			}
			want[s]--
		}
		if drawn = append(drawn, all[i]); len(drawn) == o.People {
			break
		}
	}
	return drawn, p, nil
}

// countBy counts units by stratum.
func countBy[T any](all []T, stratum func(T) string) map[string]int {
	sizes := map[string]int{}
	for _, unit := range all {
		sizes[stratum(unit)]++
	}
	return sizes
}

// divide divides the units that people rate among strata of these sizes: each unit to the stratum that has the fewest.
func (p *People) divide(sizes map[string]int) error {
	room := 0
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		if sizes[name] < 2 {
			return fmt.Errorf("only %d of %d have the %s %q: each value needs 2, one for people and one for judges; choose another field", sizes[name], p.Of, p.By, name)
		}
		p.Strata = append(p.Strata, Drawn{name, 0, sizes[name]})
		room += sizes[name] - 1
	}
	if p.Units < len(p.Strata) || p.Units > room {
		return fmt.Errorf("people cannot rate %d: give %d to %d, since of each of %d values of %s people rate at least one, and one is left to judges",
			p.Units, len(p.Strata), room, len(p.Strata), p.By)
	}
	for range p.Units {
		best := -1
		for i, s := range p.Strata {
			if s.Units < s.Of-1 && (best < 0 || s.Units < p.Strata[best].Units) {
				best = i
			}
		}
		p.Strata[best].Units++
	}
	return nil
}

// joined is the stratum of one or two answers.
func joined(values ...string) string {
	slices.Sort(values)
	return strings.Join(slices.Compact(values), " : ")
}

// weights returns what the rating of a unit counts, and what a judgement of a unit that nobody was asked for counts: the
// inverse of the probability that it was drawn, or was not. nil: all count 1.
func (h *Header) weights() func(u *unit) float64 {
	p := h.People
	if p == nil || p.Draw != Stratified {
		return nil
	}
	asked, of := map[[2]string]bool{}, h.strata()
	for _, id := range h.units(true) {
		asked[id] = true
	}
	return func(u *unit) float64 {
		s := p.Strata[slices.IndexFunc(p.Strata, func(d Drawn) bool { return d.Stratum == of(u, p.By) })]
		if asked[u.id] {
			return float64(s.Of) / float64(s.Units)
		}
		return float64(s.Of) / float64(s.Of-s.Units)
	}
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
	case p.Draw != Simple && p.Draw != Stratified:
		return fmt.Errorf("\"people\": \"draw\" is %q, not %q or %q", p.Draw, Simple, Stratified)
	case (p.Draw == Stratified) != (p.By != "") || p.By != "" && !slices.Contains(Fields(), p.By):
		return fmt.Errorf("\"people\": \"by\" is %q, which is no field of a draw that is %s", p.By, p.Draw)
	case p.Units != h.RatedByPeople() || p.Of != len(h.units(false)):
		return fmt.Errorf("\"people\": \"units\" is %d \"of\" %d, but people are asked for %d of %d", p.Units, p.Of, h.RatedByPeople(), len(h.units(false)))
	}
	return h.checkStrata()
}

// checkStrata checks the numbers of a stratified draw.
func (h *Header) checkStrata() error {
	p := h.People
	if p.By == "" {
		return nil
	}
	of := h.strata()
	count := func(ids [][2]string) map[string]int {
		return countBy(ids, func(id [2]string) string { return of(&unit{id: id}, p.By) })
	}
	all, drawn := count(h.units(false)), count(h.units(true))
	for i, s := range p.Strata {
		if s.Of != all[s.Stratum] || s.Units != drawn[s.Stratum] || s.Units < 1 || s.Units >= s.Of {
			return fmt.Errorf("\"people\": \"strata\"[%d]: %d \"of\" %d of %q, but people are asked for %d of %d", i, s.Units, s.Of, s.Stratum, drawn[s.Stratum], all[s.Stratum])
		}
	}
	if len(p.Strata) != len(all) {
		return fmt.Errorf("\"people\": \"strata\" has %d values of %s, but there are %d", len(p.Strata), p.By, len(all))
	}
	return nil
}
