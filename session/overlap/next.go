package overlap

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"assay/scoring/pairs"
)

// Next says that pairs are not dealt: each rater is shown so many, each chosen when the one before is judged.
type Next struct {
	Rule Rule `json:"rule"`
	Each int  `json:"each"` // pairs for each rater
}

// Rule is a way to choose the next pair.
type Rule string

// Uncertain is the pair whose models' strengths a judgement is expected to tell most of, from what its rater judged
// before (see [pairs.Information]); of these one of the tasks that the rater saw least often, in the order of the work.
const Uncertain Rule = "uncertain"

// checkNext returns the first problem of how pairs are chosen.
func (h *Header) checkNext() error {
	switch {
	case h.Next == nil:
		return nil
	case len(h.Pairs) == 0 || h.People != nil:
		return fmt.Errorf("\"next\" is of \"pairs\" of which people judge all")
	case h.Next.Rule != Uncertain || h.Next.Each < 1:
		return fmt.Errorf("\"next\": \"rule\" is %q and \"each\" %d: this version knows %q, of 1 or more", h.Next.Rule, h.Next.Each, Uncertain)
	}
	for i, item := range h.Items {
		if item.Model < 1 || item.Model > len(h.Items) {
			return fmt.Errorf("\"items\"[%d]: \"model\" is %d, not 1 to %d: \"next\" needs it", i, item.Model, len(h.Items))
		}
	}
	return nil
}

// numberModels numbers the models of all items in an order by chance, which tells no name.
func (h *Header) numberModels(random *rand.Rand) {
	arm := map[string]string{} // the first one of an item
	for _, o := range h.Origins {
		if arm[o.Item] == "" || o.Arm < arm[o.Item] {
			arm[o.Item] = o.Arm
		}
	}
	var models []string
	for _, item := range h.Items {
		if m := arm[item.ID]; !slices.Contains(models, m) {
			models = append(models, m)
		}
	}
	slices.Sort(models)
	random.Shuffle(len(models), func(a, b int) { models[a], models[b] = models[b], models[a] })
	for i := range h.Items {
		h.Items[i].Model = 1 + slices.Index(models, arm[h.Items[i].ID])
	}
}

// Share returns how many items, or pairs, a rater is to rate.
func (h *Header) Share(rater string) int {
	n := len(h.Of(rater))
	if h.Next != nil {
		n = min(n, h.Next.Each)
	}
	return n
}

// shown lists what a rater was shown, in order, with what is due; without [Next] that is all.
func (s *Set) shown(rater string) []string {
	if s.Header.Next == nil {
		return s.Header.Of(rater)
	}
	var list []string
	if p := s.people[rater]; p != nil {
		list = slices.Clone(p.shown)
	}
	if len(list) < s.Header.Share(rater) && !slices.ContainsFunc(list, func(id string) bool { return !s.Header.Whole(s.form(rater, id)) }) {
		list = append(list, s.next(rater, list))
	}
	return list
}

// next chooses a rater's next pair.
func (s *Set) next(rater string, before []string) string {
	h, models := &s.Header, 0
	model := map[string]int{}
	for _, item := range h.Items {
		model[item.ID], models = item.Model-1, max(models, item.Model)
	}
	byID := make(map[string]Pair, len(h.Pairs))
	for _, p := range h.Pairs {
		byID[p.ID] = p
	}
	var list []pairs.Judgement
	tasks, seen := map[string]int{}, map[[2]string]bool{}
	for _, id := range before {
		p := byID[id]
		list = append(list, pairs.Judgement{A: model[p.A], B: model[p.B], Outcome: s.form(rater, id).Outcome})
		tasks[h.Item(p.A).Task.ID]++
		seen[p.answers()] = true
	}
	gain := pairs.Information(models, list)
	best, most, fewest := "", 0.0, 0
	for _, id := range h.Of(rater) {
		p := byID[id]
		if seen[p.answers()] {
			continue
		}
		g, n := gain[model[p.A]][model[p.B]], tasks[h.Item(p.A).Task.ID]
		if closer := g > most*(1+1e-9); best == "" || closer || g > most*(1-1e-9) && n < fewest {
			best, most, fewest = id, g, n
		}
	}
	return best
}

// show takes note of a pair that a rater changes for the first time. Which one was chosen is what the file says: another
// machine may round differently.
func (s *Set) show(p *person, rater, id string) error {
	if s.Header.Next == nil || slices.Contains(p.shown, id) {
		return nil
	}
	if len(p.shown) == s.Header.Share(rater) {
		return fmt.Errorf("\"pair\": %s judges %d pairs, and %q would be one more", rater, len(p.shown), id)
	}
	p.shown = append(p.shown, id)
	return nil
}

// chosen returns how the next pair is chosen, "" if pairs are dealt.
func (h *Header) chosen() Rule {
	if h.Next == nil {
		return ""
	}
	return h.Next.Rule
}
