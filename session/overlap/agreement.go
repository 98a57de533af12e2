package overlap

import (
	"fmt"
	"slices"

	"assay/scoring/stats"
	"assay/session"
)

// Numbers of items from which intervals cover what they should, by simulation (TestCalibrateAgreement in scoring/stats).
const (
	leastItems = 20
	leastOfICC = 30
)

const confidence = 0.95

// scores are the scores of an item by rater; 0 if there is none.
type scores struct {
	item    string
	raters  []float64
	first   []float64 // of the first testers, who wrote the prompts
	settled float64   // 0: not settled
}

// present returns the scores that exist.
func (s *scores) present() []float64 {
	return slices.DeleteFunc(slices.Clone(s.raters), func(v float64) bool { return v == 0 })
}

// Analyse computes the agreement of raters. Before the ratings are closed it returns [ErrOpen].
func Analyse(s *Set, apart int) (*Analysis, error) {
	if s.closed == nil {
		return nil, ErrOpen
	}
	h := &s.Header
	if err := h.CheckApart(apart); err != nil {
		return nil, err
	}
	a := &Analysis{
		Name: h.Name, Plan: h.Plan, Filter: s.filter, Seed: h.Seed, Stratify: append([]string{}, h.Stratify...), Tests: string(h.Tests), ClosedBy: s.closed.By, ClosedAt: s.closed.At,
		Items: h.RatedByPeople(), Overlap: h.Overlap, Missing: s.Missing(), Sessions: []string{}, Confidence: confidence,
		Apart: apart, Labels: []LabelAgreement{}, Settled: []Settlement{}, ToReview: []Review{}, Given: s.given(),
	}
	for _, r := range h.Raters {
		a.Raters = append(a.Raters, h.Letter(r))
	}
	for _, o := range h.Origins {
		if !slices.Contains(a.Sessions, o.Session) {
			a.Sessions = append(a.Sessions, o.Session)
		}
	}
	slices.Sort(a.Sessions)
	a.stratified = h.People != nil && h.People.Draw == Stratified
	if len(h.Pairs) > 0 {
		a.Items, a.Attributes, a.Total.Kappas = len(h.Items), []Agreement{}, []PairKappa{}
		a.Notes = s.notes()
		var err error
		a.Pairs, err = s.analysePairs()
		a.Judges = s.analyseJudges()
		return a, err
	}
	var all [][]scores
	for i := range h.Attributes {
		list := s.scoresOf(&h.Attributes[i])
		all = append(all, list)
		a.Attributes = append(a.Attributes, h.agreement(h.Attributes[i].ID, h.Attributes[i].Name, h.Attributes[i].Max(), list, true))
	}
	a.Total = h.agreement("total", "Total", session.MaxTotal(h.Attributes), totals(all), false)
	for i := range h.Labels {
		a.Labels = append(a.Labels, s.labelAgreement(&h.Labels[i]))
	}
	disputes, err := s.Disputes(apart)
	if err != nil {
		return nil, err
	}
	a.Disputes = len(disputes)
	for _, e := range s.Settlements() {
		a.Settled = append(a.Settled, s.settlement(e))
	}
	for _, item := range h.Items {
		for _, reason := range item.ToReview() {
			a.ToReview = append(a.ToReview, Review{item.ID, item.Task.ID, reason})
		}
	}
	a.Notes = s.notes()
	a.Judges = s.analyseJudges()
	return a, nil
}

// notes lists what raters wrote, by item or pair.
func (s *Set) notes() []Note {
	h, list := &s.Header, []Note{}
	add := func(unit, task string) {
		for _, r := range h.ratersOf(unit) {
			if note := s.form(r, unit).Note; note != "" {
				list = append(list, Note{unit, task, h.Letter(r), note})
			}
		}
	}
	for _, item := range h.Items {
		add(item.ID, item.Task.ID)
	}
	for _, p := range h.Pairs {
		add(p.ID, h.Item(p.A).Task.ID)
	}
	return list
}

// given lists all ratings and labels, by item, rater and place in the form.
func (s *Set) given() []RaterScore {
	h, list := &s.Header, []RaterScore{}
	for _, item := range h.Items {
		g := RaterScore{Item: item.ID, Sessions: []string{}, Task: item.Task.ID}
		for _, o := range h.Origins {
			if o.Item == item.ID && !slices.Contains(g.Sessions, o.Session) {
				g.Sessions = append(g.Sessions, o.Session)
			}
		}
		for _, r := range h.ratersOf(item.ID) {
			form := s.form(r, item.ID)
			g.Rater = h.Letter(r)
			for _, a := range h.Attributes {
				if g.Name, g.Score = a.ID, form.Scores[a.ID]; g.Score > 0 {
					list = append(list, g)
				}
			}
			g.Score = 0
			for _, l := range h.Labels {
				if g.Name, g.Value = l.ID, form.Labels[l.ID]; g.Value != "" {
					list = append(list, g)
				}
			}
			g.Value = ""
		}
	}
	return list
}

// scoresOf lists the scores of an attribute by item.
func (s *Set) scoresOf(a *session.Attribute) []scores {
	var list []scores
	first := map[string][]float64{} // by item, of the first testers
	for _, o := range s.Header.Origins {
		first[o.Item] = append(first[o.Item], float64(o.Ratings[a.ID]))
	}
	settled := map[string]float64{}
	for _, e := range s.Settlements() {
		if e.Attribute == a.ID {
			settled[e.Item] = float64(e.Score)
		}
	}
	for _, item := range s.Header.Items {
		row := scores{item: item.ID, first: first[item.ID], settled: settled[item.ID]}
		for _, r := range s.Header.Raters {
			row.raters = append(row.raters, float64(s.form(r, item.ID).Scores[a.ID]))
		}
		list = append(list, row)
	}
	return list
}

// totals returns the sums over attributes for items with no score missing. The settled total uses settled
// scores in place of means.
func totals(all [][]scores) []scores {
	sums := make([]scores, len(all[0]))
	for i := range sums {
		sums[i].item = all[0][i].item
		add := func(of func(*scores) []float64) []float64 {
			sum := make([]float64, len(of(&all[0][i])))
			for j := range sum {
				for k := range all {
					v := of(&all[k][i])[j]
					if v == 0 {
						sum[j] = 0
						break
					}
					sum[j] += v
				}
			}
			return sum
		}
		sums[i].raters = add(func(s *scores) []float64 { return s.raters })
		sums[i].first = add(func(s *scores) []float64 { return s.first })
		settled, any := 0.0, false
		for k := range all {
			item := &all[k][i]
			switch values := item.present(); {
			case item.settled > 0:
				settled, any = settled+item.settled, true
			case len(values) > 0:
				settled += stats.Mean(values)
			}
		}
		if any {
			sums[i].settled = settled
		}
	}
	return sums
}

// agreement computes the agreement of raters.
func (h *Header) agreement(id, name string, most int, list []scores, pairs bool) Agreement {
	a := Agreement{ID: id, Name: name, Max: most, Kappas: []PairKappa{}}
	var units [][]float64
	var means, settled []float64
	for i := range list {
		values := list[i].present()
		if len(values) == 0 {
			continue
		}
		means = append(means, stats.Mean(values))
		if list[i].settled > 0 {
			settled = append(settled, list[i].settled)
		} else {
			settled = append(settled, stats.Mean(values))
		}
		if len(values) > 1 {
			units = append(units, values)
			a.Items++
			a.Ratings += len(values)
		}
	}
	a.Mean, a.Settled = mean(means), mean(settled)
	a.Ordinal, a.Interval = h.alpha(units, stats.Ordinal), h.alpha(units, stats.IntervalLevel)
	if pairs {
		a.Gwet = gwet(units, most, stats.LinearWeights)
	}
	if pairs {
		a.Kappas = h.kappas(most, list)
	}
	a.ICC, a.First = h.icc(list), h.first(list)
	return a
}

func mean(list []float64) *float64 {
	if len(list) == 0 {
		return nil
	}
	m := stats.Mean(list)
	return &m
}

// alpha is Krippendorff's alpha with its interval.
func (h *Header) alpha(units [][]float64, level stats.Level) Alpha {
	switch {
	case h.Overlap < 2:
		return Alpha{Problem: "one person rated each item: nobody could agree"}
	case len(units) == 0:
		return Alpha{Problem: "no item was rated by two"}
	}
	return alphaOf(units, level)
}

// alphaOf is Krippendorff's alpha of at least one unit.
func alphaOf(units [][]float64, level stats.Level) Alpha {
	whole, err := stats.KrippendorffAlpha(units, level)
	if err != nil {
		return Alpha{Problem: "all ratings are equal"}
	}
	out := Alpha{Value: &whole.Alpha}
	out.Range, out.NoneSaid = interval(units, leastItems, func(some [][]float64) (float64, error) {
		r, err := stats.KrippendorffAlpha(some, level)
		return r.Alpha, err
	})
	return out
}

// gwet is Gwet's coefficient of categories 1 to k.
func gwet(units [][]float64, k int, weighting stats.Weighting) Gwet {
	coefficient := func(some [][]float64) (float64, error) { return stats.GwetAC(some, k, weighting) }
	value, err := coefficient(units)
	if err != nil {
		return Gwet{}
	}
	out := Gwet{Value: &value}
	out.Range, out.NoneSaid = interval(units, leastItems, coefficient)
	return out
}

// interval returns the interval of a coefficient of items, or why there is none.
func interval[T any](items []T, least int, coefficient func([]T) (float64, error)) (r *stats.Interval, none string) {
	if len(items) < least {
		return nil, fmt.Sprintf("fewer than %d answers", least)
	}
	known := map[string]float64{} // without an item: the same for all items that are rated alike, of which there are many
	found, err := stats.AgreementInterval(len(items), func(without int) (float64, error) {
		if without < 0 {
			return coefficient(items)
		}
		rated := fmt.Sprint(items[without])
		if a, is := known[rated]; is {
			return a, nil
		}
		a, err := coefficient(slices.Concat(items[:without], items[without+1:]))
		known[rated] = a
		return a, err
	}, confidence)
	if err != nil {
		return nil, "with or without an answer the ratings do not vary enough"
	}
	return &found, ""
}

// kappas returns the kappa of each pair of raters.
func (h *Header) kappas(most int, list []scores) []PairKappa {
	pairs := []PairKappa{}
	kappa := func(some [][2]int) (float64, error) {
		table := make([][]int, most)
		for c := range table {
			table[c] = make([]int, most)
		}
		for _, scores := range some {
			table[scores[0]][scores[1]]++
		}
		k, err := stats.CohenKappa(table, stats.LinearWeights, confidence)
		return k.Kappa, err
	}
	for i := range h.Raters {
		for j := i + 1; j < len(h.Raters); j++ {
			var both [][2]int
			for _, item := range list {
				if item.raters[i] > 0 && item.raters[j] > 0 {
					both = append(both, [2]int{int(item.raters[i]) - 1, int(item.raters[j]) - 1})
				}
			}
			if len(both) == 0 {
				continue
			}
			p := PairKappa{A: h.Letter(h.Raters[i]), B: h.Letter(h.Raters[j]), N: len(both)}
			if value, err := kappa(both); err != nil {
				p.Problem = "both gave one score only"
			} else {
				p.Kappa = &value
				p.Range, p.NoneSaid = interval(both, leastItems, kappa)
			}
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// icc covers the items that all raters rated.
func (h *Header) icc(list []scores) ICC {
	out := ICC{Raters: len(h.Raters)}
	var table [][]float64
	for _, item := range list {
		if !slices.Contains(item.raters, 0) {
			table = append(table, item.raters)
		}
	}
	out.Items = len(table)
	switch {
	case len(h.Raters) < 2:
		out.Problem = "there is one rater"
	case len(table) < 2 && h.Overlap < len(h.Raters):
		out.Problem = fmt.Sprintf("%d of %d raters rate each item, and an ICC wants items that all have rated", h.Overlap, len(h.Raters))
	case len(table) < 2:
		out.Problem = "fewer than two items were rated by all"
	}
	if out.Problem != "" {
		return out
	}
	r, err := stats.ICC(table)
	if err != nil {
		out.Problem = "the ratings do not vary enough"
		return out
	}
	out.Single, out.Mean = &r.ICC2, &r.ICC2k
	of := func(which func(stats.ICCResult) float64) (*stats.Interval, string) {
		return interval(table, leastOfICC, func(some [][]float64) (float64, error) {
			r, err := stats.ICC(some)
			return which(r), err
		})
	}
	out.SingleRange, out.NoneSaid = of(func(r stats.ICCResult) float64 { return r.ICC2 })
	if out.SingleRange != nil {
		out.MeanRange, out.NoneSaid = of(func(r stats.ICCResult) float64 { return r.ICC2k })
	}
	return out
}

// first compares the raters with the first testers.
func (h *Header) first(list []scores) First {
	var out First
	var differences []float64
	var units [][]float64
	for i := range list {
		values := list[i].present()
		first := slices.DeleteFunc(slices.Clone(list[i].first), func(v float64) bool { return v == 0 })
		if len(values) == 0 || len(first) == 0 {
			continue
		}
		out.Items++
		differences = append(differences, stats.Mean(first)-stats.Mean(values))
		units = append(units, append(first, values...))
	}
	out.Difference = mean(differences)
	if out.Items == 0 {
		out.Problem = "no rated item has the first tester's ratings"
		return out
	}
	alpha, err := stats.KrippendorffAlpha(units, stats.Ordinal)
	if err != nil {
		out.Problem = "all ratings are equal"
		return out
	}
	out.Alpha = &alpha.Alpha
	return out
}

// labelAgreement is Fleiss' kappa over the items labelled by all of their raters.
func (s *Set) labelAgreement(l *session.Label) LabelAgreement {
	h := &s.Header
	out := LabelAgreement{ID: l.ID, Name: l.Name, Raters: h.Overlap}
	var table [][]int
	for _, item := range h.Items {
		counts, n := make([]int, len(l.Values)), 0
		for _, r := range h.ratersOf(item.ID) {
			if at := slices.Index(l.Values, s.form(r, item.ID).Labels[l.ID]); at >= 0 {
				counts[at]++
				n++
			}
		}
		if n == h.Overlap {
			table = append(table, counts)
		}
	}
	out.Items = len(table)
	switch {
	case h.Overlap < 2:
		out.Problem = "one person labelled each item: nobody could agree"
		return out
	case len(table) == 0:
		out.Problem = "no item was labelled by all of its raters"
		return out
	}
	observed := 0.0
	for _, counts := range table {
		for _, n := range counts {
			observed += float64(n*(n-1)) / float64(h.Overlap*(h.Overlap-1)) / float64(len(table))
		}
	}
	out.Observed = &observed
	k, err := stats.FleissKappa(table)
	if err != nil {
		out.Problem = "all gave the same label"
		return out
	}
	out.Kappa = &k.Kappa
	out.Range, out.NoneSaid = interval(table, leastItems, func(some [][]int) (float64, error) {
		k, err := stats.FleissKappa(some)
		return k.Kappa, err
	})
	return out
}

// settlement describes a decision with the raters' answers.
func (s *Set) settlement(e Settled) Settlement {
	h := &s.Header
	item := h.Item(e.Item)
	out := Settlement{Item: e.Item, Task: item.Task.ID, Score: e.Score, Value: e.Value, Reason: e.Reason, By: e.By, At: e.At, Answers: []string{}}
	var values []float64
	for _, r := range h.ratersOf(e.Item) {
		f := s.form(r, e.Item)
		switch {
		case e.Label != "" && f.Labels[e.Label] != "":
			out.Answers = append(out.Answers, h.Letter(r)+" "+f.Labels[e.Label])
		case e.Attribute != "" && f.Scores[e.Attribute] > 0:
			out.Answers = append(out.Answers, fmt.Sprintf("%s %d", h.Letter(r), f.Scores[e.Attribute]))
			values = append(values, float64(f.Scores[e.Attribute]))
		}
	}
	slices.Sort(out.Answers)
	out.Mean = mean(values)
	if a := h.Attribute(e.Attribute); a != nil {
		out.Name = a.Name
	} else {
		out.Name = h.Label(e.Label).Name
	}
	return out
}
