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

// Setup configures a plan.
type Setup struct {
	Raters   []string
	Overlap  int    // raters for each item
	PerRater int    // items for each rater; 0: as many as possible
	People   int    // items that people rate, a simple random sample of all; the others are left to judges. 0: people rate all
	PeopleBy string // a field, of each value of which people rate equally many; "": items are drawn whatever they are
	Stratify []string
	Seed     uint64
	Tests    session.TestsSeen // empty: what the study shows before a judgement
	Mask     bool              // names of models in answers are masked

	// Pairs asks which of two answers to a task is better: PerRater counts pairs then. Repeats of them are shown to the same
	// rater once more with the sides swapped, and attention checks have an answer to another task on one side; both are
	// shares of a rater's pairs, from 0 to 0.5.
	Pairs              bool
	Repeats, Attention float64
	Between            Between  // what the sides are of
	HowMuch            bool     // raters also say how much better an answer is
	Next               Rule     // how each rater's next pair is chosen; "": pairs are dealt
	Why                []string // ids of attributes for which raters also say which answer is better; "all": each one
}

// Between is what the two answers of a pair are of.
type Between string

const (
	Models   Between = ""         // different models or arms, or samples of the only one
	Samples  Between = "samples"  // two samples of the same model
	Attempts Between = "attempts" // two attempts of one session at a task
)

// may reports whether two outputs may be a pair.
func (b Between) may(x, y *candidate) bool {
	switch b {
	case Samples:
		return slices.ContainsFunc(x.arms(), func(m string) bool { return slices.Contains(y.arms(), m) })
	case Attempts:
		return slices.ContainsFunc(x.origins, func(o Origin) bool {
			return slices.ContainsFunc(y.origins, func(other Origin) bool { return o.Session != "" && o.Session == other.Session && o.Arm != other.Arm })
		})
	}
	return true
}

// why returns the attributes that are asked about pairs.
func (o Setup) why(attributes []session.Attribute) ([]session.Attribute, error) {
	if slices.Equal(o.Why, []string{"all"}) {
		return attributes, nil
	}
	var list []session.Attribute
	for _, id := range o.Why {
		i := slices.IndexFunc(attributes, func(a session.Attribute) bool { return a.ID == id })
		if i < 0 {
			var ids []string
			for _, a := range attributes {
				ids = append(ids, a.ID)
			}
			return nil, fmt.Errorf("there is no attribute %q: choose from %s, or all", id, strings.Join(ids, ", "))
		}
		list = append(list, attributes[i])
	}
	return list, nil
}

// Check returns the first problem of a setup.
func (o Setup) Check() error {
	switch {
	case len(o.Raters) == 0:
		return errors.New("there are no raters")
	case o.Overlap < 1 || o.Overlap > len(o.Raters):
		return fmt.Errorf("%d people cannot rate each item: there are %d raters", o.Overlap, len(o.Raters))
	case o.PerRater < 0:
		return fmt.Errorf("%d items for each rater: give a number from 1, or 0 for all", o.PerRater)
	case o.People < 0 || o.People > 0 && o.PerRater > 0:
		return fmt.Errorf("people rate %d items and each rater %d: give one of the two numbers", o.People, o.PerRater)
	}
	if o.PeopleBy != "" && (o.People == 0 || !slices.Contains(Fields(), o.PeopleBy)) {
		return fmt.Errorf("what people rate cannot be drawn by %q: choose from %s, and how many people rate", o.PeopleBy, strings.Join(Fields(), ", "))
	}
	if !(o.Repeats >= 0 && o.Repeats <= 0.5 && o.Attention >= 0 && o.Attention <= 0.5) {
		return fmt.Errorf("%v repeats and %v attention checks: these are shares of a rater's pairs, from 0 to 0.5", o.Repeats, o.Attention)
	}
	switch {
	case o.Next == "":
	case o.Next != Uncertain:
		return fmt.Errorf("the next pair cannot be chosen by %q: the rule is %q", o.Next, Uncertain)
	case !o.Pairs || o.PerRater == 0:
		return errors.New("the next pair is chosen for a number of pairs for each rater: give both")
	case o.People > 0 || o.Repeats > 0 || o.Attention > 0:
		return errors.New("where the next pair is chosen, there are no repeats, no attention checks, and no draw of what people rate")
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

// Make draws items from a pool and assigns them to raters. Nobody rates the result of their own prompts,
// provided that testers and raters use the same names. The same pool, setup and seed give the same plan.
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
	if o.Mask {
		list = p.masked(list)
	}
	slices.SortFunc(list, func(a, b *candidate) int { return strings.Compare(a.item.ID, b.item.ID) })
	if o.Pairs {
		return p.makePairs(list, o)
	}
	n := len(list)
	if o.PerRater > 0 {
		n = min(n, o.PerRater*len(o.Raters)/o.Overlap)
	}
	if n == 0 {
		return Header{}, fmt.Errorf("%d items for each of %d raters are too few for one item rated by %d", o.PerRater, len(o.Raters), o.Overlap)
	}
	h := p.header(o)
	items, by, err := people(list, o, o.source(), func(c *candidate) string { return joined(c.named(o.PeopleBy)) })
	if err != nil {
		return Header{}, err
	}
	shown := list // with the items that are left to judges
	if h.People = by; by == nil {
		items = draw(list, o.Stratify, n, o.source())
		shown = items
	}
	dealt := deal(items, o)
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
	slices.SortFunc(shown, func(a, b *candidate) int { return strings.Compare(a.item.ID, b.item.ID) })
	for _, c := range shown {
		h.Items = append(h.Items, c.item)
		h.Origins = append(h.Origins, c.origins...)
	}
	h.Plan = h.hash()
	return h, h.Check()
}

// header returns a header without items.
func (p *Pool) header(o Setup) Header {
	h := Header{
		Version: Version, Name: p.plan.Benchmark, Raters: o.Raters, Overlap: o.Overlap, Seed: o.Seed, Stratify: o.Stratify,
		Tests: cmp.Or(o.Tests, seen(p.plan.Tests)), Answers: p.plan.Answers, Reference: p.plan.Reference, Attributes: p.plan.Attributes, Labels: shownLabels(*p.plan),
	}
	if p.plan.Study != nil {
		h.Name = p.plan.Study.Name
	}
	return h
}

// masked masks the names of models, and joins what is the same without them.
func (p *Pool) masked(list []*candidate) []*candidate {
	mask, known, joined := NewMask(p.models), map[string]*candidate{}, []*candidate(nil)
	for _, c := range list {
		m, n := c.masked(mask)
		p.Masked += n
		if same := known[m.item.ID]; same != nil {
			same.origins = append(same.origins, m.origins...)
			continue
		}
		known[m.item.ID] = m
		joined = append(joined, m)
	}
	return joined
}

// source returns the source of randomness for drawing items.
func (o Setup) source() *rand.Rand { return rand.New(rand.NewPCG(o.Seed, 1)) }

// reasons lists why outputs cannot be rated again.
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

// draw draws n candidates: from each value of the first field in proportion, by largest remainders with
// random ties, within each of these likewise by the second field, and so on. The result is in the order of
// these groups.
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

// dealer assigns items to raters.
type dealer struct {
	o      Setup
	random *rand.Rand
	own    [][]*candidate   // by rater
	strata []map[string]int // by rater: the number of items for each value of each field
	pairs  [][]int          // the number of common items of two raters
}

// deal assigns each item to the wanted number of raters who did not write its prompts: preferably to those
// with the fewest items, then the fewest items of its strata, then the fewest items in common with its
// other raters, then at random.
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

// next returns the next rater of an item, besides those chosen.
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

// give assigns an item to a rater, or takes it away if by is -1.
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

// level moves items from raters with more items to raters with fewer, as long as possible: if testers rate,
// not everybody may get every item.
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
