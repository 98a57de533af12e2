package overlap

import (
	"cmp"
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"assay/scoring/pairs"
	"assay/session"
)

// Pair is two answers to one task, with the sides as they are shown. The same answers with the sides swapped are another
// pair.
type Pair struct {
	ID string `json:"pair"`
	A  string `json:"a"` // the item at the left
	B  string `json:"b"`
}

func newPair(a, b string) Pair { return Pair{ID: short([]string{a, b}), A: a, B: b} }

// swapped returns the pair with its sides swapped.
func (p Pair) swapped() Pair { return newPair(p.B, p.A) }

// answers identifies a pair whatever its sides.
func (p Pair) answers() [2]string { return [2]string{min(p.A, p.B), max(p.A, p.B)} }

// Pair returns the pair with an id; nil if there is none.
func (h *Header) Pair(id string) *Pair {
	for i := range h.Pairs {
		if h.Pairs[i].ID == id {
			return &h.Pairs[i]
		}
	}
	return nil
}

// checkReasons returns the first problem of the reasons for a judgement.
func (h *Header) checkReasons(e Compared) error {
	switch {
	case e.Much < 0 || e.Much > pairs.MaxMuch:
		return fmt.Errorf("\"much\" of %s is %d, not 1 to %d", e.Pair, e.Much, pairs.MaxMuch)
	case e.Much > 0 && !(h.HowMuch && e.Outcome.Decided()):
		return fmt.Errorf("\"much\" of %s is %d, but how much better is not asked, or no answer is better", e.Pair, e.Much)
	}
	for id, o := range e.Why {
		if !slices.ContainsFunc(h.Why, func(a session.Attribute) bool { return a.ID == id }) {
			return fmt.Errorf("\"why\" of %s: there is no attribute %q", e.Pair, id)
		}
		if !o.Valid() || o == pairs.Neither {
			return fmt.Errorf("\"why\" of %s: %s is %q, not one of a, b and =", e.Pair, id, o)
		}
	}
	return nil
}

// checkPairs returns the first problem of pairs and of who judges them.
func (h *Header) checkPairs() error {
	known, tasks := map[string]bool{}, map[string]string{}
	for _, item := range h.Items {
		tasks[item.ID] = item.Task.ID
	}
	for i, p := range h.Pairs {
		switch {
		case p.ID != newPair(p.A, p.B).ID || known[p.ID]:
			return fmt.Errorf("\"pairs\"[%d]: \"pair\" %q is duplicated, or not the hash of its sides", i, p.ID)
		case tasks[p.A] == "" || tasks[p.B] == "" || p.A == p.B:
			return fmt.Errorf("\"pairs\"[%d]: \"a\" %q and \"b\" %q are not two items", i, p.A, p.B)
		case tasks[p.A] != tasks[p.B]:
			return fmt.Errorf("\"pairs\"[%d]: its answers are to the tasks %q and %q, not to one", i, tasks[p.A], tasks[p.B])
		}
		known[p.ID] = true
	}
	judges := map[[2]string]int{}
	for i, w := range h.Work {
		if !slices.Contains(h.Raters, w.Rater) || i >= len(h.Raters) {
			return fmt.Errorf("\"work\"[%d]: \"rater\" %q is not one of \"raters\", or is duplicated", i, w.Rater)
		}
		if err := distinct(i, w, known); err != nil {
			return err
		}
		own := map[[2]string]bool{}
		for _, id := range w.Items {
			if at := h.Pair(id).answers(); !own[at] {
				own[at] = true
				judges[at]++
			}
		}
	}
	for i, p := range h.Pairs {
		want := h.Overlap
		if h.Rater != "" {
			want = 1
		}
		if n := judges[p.answers()]; n != want && h.Next == nil && (n > 0 || h.People == nil) {
			return fmt.Errorf("\"pairs\"[%d]: %d people judge %s, not %d", i, n, p.ID, want)
		}
	}
	return nil
}

// choice is a pair that may be drawn.
type choice struct {
	a, b   *candidate
	models [2]string
}

// arms lists the models that gave an answer.
func (c *candidate) arms() []string {
	var list []string
	for _, o := range c.origins {
		list = append(list, o.Arm)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// choices lists the pairs of answers to one task that may be drawn, and counts the pairs of models with the same answer.
func choices(list []*candidate, between Between) (all []choice, identical int) {
	tasks, models := map[string][]*candidate{}, map[string]bool{}
	for _, c := range list {
		tasks[c.item.Task.ID] = append(tasks[c.item.Task.ID], c)
		arms := c.arms()
		identical += len(arms) * (len(arms) - 1) / 2
		for _, m := range arms {
			models[m] = true
		}
	}
	for _, of := range tasks {
		for i, a := range of {
			for _, b := range of[i+1:] {
				x, y := a.arms(), b.arms()
				different := slices.ContainsFunc(x, func(m string) bool { return len(y) > 1 || y[0] != m })
				if (different || len(models) == 1 || between == Samples) && between.may(a, b) {
					first := x[0]
					at := max(0, slices.IndexFunc(y, func(m string) bool { return m != first }))
					all = append(all, choice{a, b, [2]string{min(first, y[at]), max(first, y[at])}})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b choice) int {
		return cmp.Or(strings.Compare(a.a.item.ID, b.a.item.ID), strings.Compare(a.b.item.ID, b.b.item.ID))
	})
	return all, identical
}

// drawPairs draws n pairs, one after the other: of the two models that were compared least often, then of the task with
// the fewest pairs, then at random (a balanced incomplete design).
func drawPairs(all []choice, n int, random *rand.Rand) []choice {
	random.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	tasks, left := map[string]int{}, map[[2]string]*pairHeap{}
	var models []*pairHeap
	for i, c := range all {
		if left[c.models] == nil {
			left[c.models] = &pairHeap{}
			models = append(models, left[c.models])
		}
		left[c.models].of = append(left[c.models].of, placedPair{i, 0}) // ascending, which is a heap
	}
	var drawn []choice
	for len(drawn) < min(n, len(all)) {
		var best *pairHeap
		for _, m := range models {
			for len(m.of) > 0 && m.of[0].tasks != tasks[all[m.of[0].at].a.item.Task.ID] { // pairs of its task were drawn since
				m.of[0].tasks = tasks[all[m.of[0].at].a.item.Task.ID]
				heap.Fix(m, 0)
			}
			if len(m.of) > 0 && (best == nil || cmp.Or(m.compared-best.compared, m.of[0].tasks-best.of[0].tasks, m.of[0].at-best.of[0].at) < 0) {
				best = m
			}
		}
		c := all[heap.Pop(best).(placedPair).at]
		best.compared++
		tasks[c.a.item.Task.ID]++
		drawn = append(drawn, c)
	}
	return drawn
}

// placedPair is a pair's place in the order of chance, and how many pairs of its task were drawn when it was last looked
// at; there are no fewer since.
type placedPair struct{ at, tasks int }

// pairHeap are the pairs of two models that are left: first those of the tasks with the fewest drawn.
type pairHeap struct {
	of       []placedPair
	compared int // pairs drawn
}

func (h *pairHeap) Len() int { return len(h.of) }
func (h *pairHeap) Less(i, j int) bool {
	return cmp.Or(h.of[i].tasks-h.of[j].tasks, h.of[i].at-h.of[j].at) < 0
}
func (h *pairHeap) Swap(i, j int) { h.of[i], h.of[j] = h.of[j], h.of[i] }
func (h *pairHeap) Push(x any)    { h.of = append(h.of, x.(placedPair)) }
func (h *pairHeap) Pop() any {
	last := h.of[len(h.of)-1]
	h.of = h.of[:len(h.of)-1]
	return last
}

// most is how many pairs a plan may choose from: choosing takes time quadratic in them.
const mostPairs = 20_000

// makePairs draws pairs of answers and assigns them to raters, each with the sides at random.
func (p *Pool) makePairs(list []*candidate, o Setup) (Header, error) {
	all, identical := choices(list, o.Between)
	switch {
	case len(all) == 0:
		return Header{}, fmt.Errorf("there are no two different answers to one task %s", map[Between]string{Models: "of different models, or of the only one", Samples: "of the same model", Attempts: "by attempts of one session"}[o.Between])
	case len(all) > mostPairs:
		return Header{}, fmt.Errorf("there are %d pairs of answers, more than %d: choose fewer tasks with --filter, or fewer models", len(all), mostPairs)
	}
	n := len(all)
	if o.PerRater > 0 {
		extra := o.extra(o.Repeats) + o.extra(o.Attention)
		n = min(n, max(0, o.PerRater-extra)*len(o.Raters)/o.Overlap)
	}
	if o.Next != "" {
		return p.choosing(list, all, identical, o)
	}
	if n == 0 {
		return Header{}, fmt.Errorf("%d pairs for each of %d raters are too few for one pair judged by %d", o.PerRater, len(o.Raters), o.Overlap)
	}
	h, err := p.pairHeader(o, identical)
	if err != nil {
		return Header{}, err
	}
	units := map[*candidate]choice{} // a pair is dealt as a candidate that nobody may judge who wrote one of its prompts
	var dealing []*candidate
	drawn, by, err := people(all, o, o.source(), func(c choice) string { return joined(c.a.named(o.PeopleBy), c.b.named(o.PeopleBy)) })
	if err != nil {
		return Header{}, err
	}
	if h.People = by; by == nil {
		drawn = drawPairs(all, n, o.source())
	}
	for _, c := range drawn {
		unit := &candidate{item: c.a.item, task: c.a.task, origins: slices.Concat(c.a.origins, c.b.origins)}
		units[unit] = c
		dealing = append(dealing, unit)
	}
	for _, unit := range dealing {
		if may := slices.DeleteFunc(slices.Clone(o.Raters), unit.wrote); len(may) < o.Overlap {
			return Header{}, fmt.Errorf("answers to %s have too few raters who did not write the prompts", unit.item.Task.ID)
		}
	}
	add := pairAdder{h: &h, items: map[string]bool{}, pairs: map[string]bool{}}
	for i, own := range deal(dealing, o) {
		random := rand.New(rand.NewPCG(o.Seed, 1000+uint64(i)))
		random.Shuffle(len(own), func(a, b int) { own[a], own[b] = own[b], own[a] })
		w := Work{Rater: o.Raters[i], Items: []string{}}
		for _, unit := range own {
			c := units[unit]
			if random.IntN(2) == 1 {
				c.a, c.b = c.b, c.a
			}
			w.Items = append(w.Items, add.pair(c.a, c.b))
		}
		add.repeats(&w, o.share(o.Repeats, len(own)), random)
		h.Work = append(h.Work, w)
	}
	add.attention(list, o)
	if by != nil { // the pairs that are left to judges
		for _, c := range all {
			if p := newPair(c.a.item.ID, c.b.item.ID); !add.pairs[p.ID] && !add.pairs[p.swapped().ID] {
				add.pair(c.a, c.b)
			}
		}
	}
	slices.SortFunc(h.Items, func(a, b Item) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(h.Pairs, func(a, b Pair) int { return strings.Compare(a.ID, b.ID) })
	h.Plan = h.hash()
	return h, h.Check()
}

// pairHeader returns a header of pairs without items.
func (p *Pool) pairHeader(o Setup, identical int) (Header, error) {
	h := p.header(o)
	why, err := o.why(h.Attributes)
	h.Why, h.HowMuch = why, o.HowMuch
	h.Attributes, h.Labels, h.Identical = []session.Attribute{}, []session.Label{}, identical
	return h, err
}

// choosing makes a plan in which every rater's next pair is chosen from all, each with the sides at random.
func (p *Pool) choosing(list []*candidate, all []choice, identical int, o Setup) (Header, error) {
	h, err := p.pairHeader(o, identical)
	if err != nil {
		return Header{}, err
	}
	h.Next, h.Overlap = &Next{o.Next, o.PerRater}, len(o.Raters)
	add := pairAdder{h: &h, items: map[string]bool{}, pairs: map[string]bool{}}
	for i, rater := range o.Raters {
		random := rand.New(rand.NewPCG(o.Seed, 1000+uint64(i)))
		w := Work{Rater: rater, Items: []string{}}
		for _, c := range drawPairs(slices.Clone(all), len(all), random) {
			if c.a.wrote(rater) || c.b.wrote(rater) {
				continue
			}
			if random.IntN(2) == 1 {
				c.a, c.b = c.b, c.a
			}
			w.Items = append(w.Items, add.pair(c.a, c.b))
		}
		if len(w.Items) == 0 {
			return Header{}, fmt.Errorf("%s wrote prompts of all pairs", rater)
		}
		h.Work = append(h.Work, w)
	}
	slices.SortFunc(h.Items, func(a, b Item) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(h.Pairs, func(a, b Pair) int { return strings.Compare(a.ID, b.ID) })
	h.numberModels(rand.New(rand.NewPCG(o.Seed, 4)))
	h.Plan = h.hash()
	return h, h.Check()
}

// extra returns how many of a rater's pairs a share is.
func (o Setup) extra(share float64) int { return o.share(share, o.PerRater) }

func (Setup) share(share float64, of int) int { return int(math.Round(share * float64(of))) }

// pairAdder adds pairs and their answers to a header, each once.
type pairAdder struct {
	h            *Header
	items, pairs map[string]bool
}

func (a *pairAdder) item(c *candidate) string {
	if !a.items[c.item.ID] {
		a.items[c.item.ID] = true
		a.h.Items, a.h.Origins = append(a.h.Items, c.item), append(a.h.Origins, c.origins...)
	}
	return c.item.ID
}

func (a *pairAdder) pair(left, right *candidate) string {
	return a.add(newPair(a.item(left), a.item(right)))
}

func (a *pairAdder) add(p Pair) string {
	if !a.pairs[p.ID] {
		a.pairs[p.ID] = true
		a.h.Pairs = append(a.h.Pairs, p)
	}
	return p.ID
}

// repeats adds n of a rater's pairs in the second half of the work once more, with the sides swapped.
func (a *pairAdder) repeats(w *Work, n int, random *rand.Rand) {
	first := slices.Clone(w.Items)
	for _, i := range random.Perm((len(first) + 1) / 2)[:min(n, (len(first)+1)/2)] {
		id := a.add(a.h.Pair(first[i]).swapped())
		at := (len(first)+1)/2 + random.IntN(len(w.Items)-(len(first)+1)/2+1)
		w.Items = slices.Insert(w.Items, at, id)
	}
}

// attention adds pairs whose one side is an answer to another task, which all raters judge.
func (a *pairAdder) attention(list []*candidate, o Setup) {
	random := rand.New(rand.NewPCG(o.Seed, 3))
	n := 0
	for _, w := range a.h.Work {
		n = max(n, o.share(o.Attention, len(w.Items)))
	}
	const tries = 20 // for each check, until the answers drawn are to two tasks
	for range tries * n {
		if n == 0 {
			break
		}
		right := list[random.IntN(len(list))]
		wrong := list[random.IntN(len(list))]
		if right.item.Task.ID == wrong.item.Task.ID || len(right.item.Attempts) == 0 {
			continue
		}
		decoy := &candidate{item: wrong.item, task: right.task}
		decoy.item.Task, decoy.item.Texts = right.item.Task, map[session.Ref]string{}
		for _, of := range []Item{wrong.item, right.item} {
			for ref, text := range of.Texts {
				decoy.item.Texts[ref] = text
			}
		}
		decoy.item.Attempts = slices.Clone(wrong.item.Attempts[len(wrong.item.Attempts)-1:])
		decoy.item.Attempts[0].Prompt = right.item.Attempts[len(right.item.Attempts)-1].Prompt
		decoy.item.Attempts[0].Verdict, decoy.item.Attempts[0].Measured = nil, nil
		decoy.item.ID = decoy.item.hash()
		decoy.origins = []Origin{{Item: decoy.item.ID, Task: right.item.Task.ID, Decoy: true, Ratings: map[string]int{}, Labels: map[string]string{}}}
		p := newPair(right.item.ID, decoy.item.ID)
		may := slices.DeleteFunc(random.Perm(len(a.h.Work)), func(i int) bool { return right.wrote(a.h.Work[i].Rater) })
		if len(may) < o.Overlap || a.pairs[p.ID] || a.pairs[p.swapped().ID] {
			continue
		}
		slices.SortStableFunc(may, func(x, y int) int { return cmp.Compare(len(a.h.Work[x].Items), len(a.h.Work[y].Items)) })
		for _, i := range may[:o.Overlap] {
			w := &a.h.Work[i]
			side := p
			if random.IntN(2) == 1 {
				side = p.swapped()
			}
			a.item(right)
			a.item(decoy)
			w.Items = slices.Insert(w.Items, random.IntN(len(w.Items)+1), a.add(side))
		}
		n--
	}
}
