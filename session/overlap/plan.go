package overlap

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"assay/session"
)

// Setup says what a plan is to be.
type Setup struct {
	Raters   []string
	Overlap  int // how many people rate each item
	PerRater int // how many items each has; 0: as many as there are
	Stratify []string
	Seed     uint64
	Tests    session.TestsSeen // empty: what the study shows before a judgement
}

// Check says what cannot be planned.
func (o Setup) Check() error {
	switch {
	case len(o.Raters) == 0:
		return errors.New("there are no raters")
	case o.Overlap < 1 || o.Overlap > len(o.Raters):
		return fmt.Errorf("%d people cannot rate each item: there are %d raters", o.Overlap, len(o.Raters))
	case o.PerRater < 0:
		return fmt.Errorf("%d items for each rater: give a number from 1, or 0 for all", o.PerRater)
	}
	for i, f := range o.Stratify {
		if !slices.Contains(Fields(), f) || slices.Contains(o.Stratify[:i], f) {
			return fmt.Errorf("items cannot be stratified by %q: choose from %s, each at most once", f, strings.Join(Fields(), ", "))
		}
	}
	for i, name := range o.Raters {
		if err := CheckName(name); err != nil {
			return err
		}
		if slices.ContainsFunc(o.Raters[:i], func(other string) bool { return strings.EqualFold(other, name) }) {
			return fmt.Errorf("the rater %q is duplicated", name)
		}
	}
	return nil
}

// Make draws items from a pool and deals them to raters. Nobody rates what comes of his own
// prompts, as far as testers and raters go by the same names. The same pool, setup and seed
// give the same plan.
func Make(p *Pool, o Setup) (Header, error) {
	if err := o.Check(); err != nil {
		return Header{}, err
	}
	var list []*candidate
	for i := range p.list {
		c := &p.list[i]
		if may := slices.DeleteFunc(slices.Clone(o.Raters), c.wrote); len(may) >= o.Overlap {
			list = append(list, c)
		} else {
			p.Left["with too few raters who did not write the prompts"]++
		}
	}
	if len(list) == 0 {
		return Header{}, errors.New("there are no outputs to rate again" + reasons(p.Left))
	}
	slices.SortFunc(list, func(a, b *candidate) int { return strings.Compare(a.item.ID, b.item.ID) })
	n := len(list)
	if o.PerRater > 0 {
		n = min(n, o.PerRater*len(o.Raters)/o.Overlap)
	}
	if n == 0 {
		return Header{}, fmt.Errorf("%d items for each of %d raters are too few for one item rated by %d", o.PerRater, len(o.Raters), o.Overlap)
	}
	drawn := draw(list, o.Stratify, n, o.source())
	h := Header{
		Version: Version, Name: p.plan.Benchmark, Raters: o.Raters, Overlap: o.Overlap, Seed: o.Seed, Stratify: o.Stratify,
		Tests: cmp.Or(o.Tests, seen(p.plan.Tests)), Reference: p.plan.Reference, Attributes: p.plan.Attributes, Labels: shownLabels(*p.plan),
	}
	if p.plan.Study != nil {
		h.Name = p.plan.Study.Name
	}
	dealt := deal(drawn, o)
	for i, name := range o.Raters {
		own := dealt[i]
		random := rand.New(rand.NewPCG(o.Seed, 1000+uint64(i)))
		random.Shuffle(len(own), func(a, b int) { own[a], own[b] = own[b], own[a] })
		w := Work{Rater: name, Items: []string{}}
		for _, c := range own {
			w.Items = append(w.Items, c.item.ID)
		}
		h.Work = append(h.Work, w)
	}
	slices.SortFunc(drawn, func(a, b *candidate) int { return strings.Compare(a.item.ID, b.item.ID) })
	for _, c := range drawn {
		h.Items = append(h.Items, c.item)
		h.Origins = append(h.Origins, c.origins...)
	}
	h.Plan = h.hash()
	return h, h.Check()
}

// source is the randomness by which items are drawn.
func (o Setup) source() *rand.Rand { return rand.New(rand.NewPCG(o.Seed, 1)) }

// reasons says why outputs cannot be rated again.
func reasons(left map[string]int) string {
	var list []string
	for why, n := range left {
		list = append(list, fmt.Sprintf("%d %s", n, why))
	}
	if len(list) == 0 {
		return ": there are no sessions"
	}
	slices.Sort(list)
	return ": tasks " + strings.Join(list, ", ")
}

// draw takes n of a list: of each value of the first field its share, by largest remainders
// with ties at random, within each of these of the second field, and so on. What was drawn
// stands in the order of these groups.
func draw(list []*candidate, fields []string, n int, random *rand.Rand) []*candidate {
	if n <= 0 {
		return nil
	}
	if len(fields) == 0 {
		var drawn []*candidate
		for _, i := range random.Perm(len(list))[:n] {
			drawn = append(drawn, list[i])
		}
		return drawn
	}
	groups := map[string][]*candidate{}
	var names []string
	for _, c := range list {
		name := c.stratum(fields[0])
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], c)
	}
	slices.Sort(names)
	share, left := map[string]int{}, n
	for _, name := range names {
		share[name] = n * len(groups[name]) / len(list)
		left -= share[name]
	}
	order := slices.Clone(names)
	random.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	slices.SortStableFunc(order, func(a, b string) int { return n*len(groups[b])%len(list) - n*len(groups[a])%len(list) })
	for _, name := range order[:left] {
		share[name]++
	}
	var drawn []*candidate
	for _, name := range names {
		drawn = append(drawn, draw(groups[name], fields[1:], share[name], random)...)
	}
	return drawn
}

// dealer deals items to raters.
type dealer struct {
	o      Setup
	random *rand.Rand
	own    [][]*candidate   // by rater
	strata []map[string]int // by rater: how many items of each value of each field
	pairs  [][]int          // how many items two raters have in common
}

// deal gives each item to as many raters as it wants, who did not write its prompts: to those
// who have the least, then the least of the item's strata, then those who have met the least,
// then at random.
func deal(items []*candidate, o Setup) [][]*candidate {
	d := &dealer{o: o, random: rand.New(rand.NewPCG(o.Seed, 2)), own: make([][]*candidate, len(o.Raters))}
	for range o.Raters {
		d.strata, d.pairs = append(d.strata, map[string]int{}), append(d.pairs, make([]int, len(o.Raters)))
	}
	for _, c := range items {
		var chosen []int
		for len(chosen) < o.Overlap {
			chosen = append(chosen, d.next(c, chosen))
		}
		for _, r := range chosen {
			d.give(c, r, 1)
			for _, other := range chosen {
				d.pairs[r][other]++
			}
		}
	}
	d.level()
	return d.own
}

// next is the rater who gets an item beside those who have it.
func (d *dealer) next(c *candidate, chosen []int) int {
	best, at := []int(nil), -1
	for _, r := range d.random.Perm(len(d.o.Raters)) {
		if slices.Contains(chosen, r) || c.wrote(d.o.Raters[r]) {
			continue
		}
		rank := []int{len(d.own[r]), 0, 0}
		for _, f := range d.o.Stratify {
			rank[1] += d.strata[r][f+"\x00"+c.stratum(f)]
		}
		for _, other := range chosen {
			rank[2] += d.pairs[r][other]
		}
		if at < 0 || slices.Compare(rank, best) < 0 {
			best, at = rank, r
		}
	}
	return at
}

// give hands an item to a rater, or takes it back.
func (d *dealer) give(c *candidate, rater, by int) {
	if by > 0 {
		d.own[rater] = append(d.own[rater], c)
	} else {
		d.own[rater] = slices.DeleteFunc(d.own[rater], func(o *candidate) bool { return o == c })
	}
	for _, f := range d.o.Stratify {
		d.strata[rater][f+"\x00"+c.stratum(f)] += by
	}
}

// level moves items from raters who have more to those who have less, as long as one can be
// moved: where testers rate, not everybody can have every item.
func (d *dealer) level() {
	for d.move() {
	}
}

func (d *dealer) move() bool {
	for from := range d.own {
		for to := range d.own {
			if len(d.own[from]) < len(d.own[to])+2 {
				continue
			}
			for _, c := range d.own[from] {
				if !c.wrote(d.o.Raters[to]) && !slices.Contains(d.own[to], c) {
					d.give(c, from, -1)
					d.give(c, to, 1)
					return true
				}
			}
		}
	}
	return false
}
