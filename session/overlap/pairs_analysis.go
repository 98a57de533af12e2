package overlap

import (
	"maps"
	"slices"
	"strings"

	"assay/scoring/pairs"
	"assay/scoring/stats"
)

// PairAnalysis is the analysis of judgements of pairs. Raters appear as letters.
type PairAnalysis struct {
	Pairs      int  `json:"pairs"`            // distinct pairs of answers, without attention checks
	Judgements int  `json:"judgements"`       // of people, without repeats and attention checks
	Picks      int  `json:"picks,omitempty"`  // of these judgements: of testers, made in sessions
	Chosen     Rule `json:"chosen,omitempty"` // how the next pair was chosen; "": pairs were dealt
	Identical  int  `json:"identical"`        // pairs of models with the same answer to a task, which nobody was asked for

	Preferences
	Agreement Alpha       `json:"agreement"` // nominal alpha of which answer is better
	Same      Share       `json:"same"`      // pairs of raters' judgements of one pair that agree
	Repeats   Share       `json:"repeats"`   // repeats with sides swapped that were judged the same
	Attention []Passed    `json:"attention"` // attention checks, by rater
	Left      Share       `json:"left"`      // decided judgements in favour of the left side
	Triads    Share       `json:"circular"`  // triads of one rater's judgements of a task that are circular; a quarter by chance
	Wrong     Share       `json:"wrong"`     // decided judgements of an accepted and a failed answer in favour of the failed one
	Median    float64     `json:"median_s"`  // seconds for a judgement
	Rated     []PairRated `json:"rated"`     // how preference goes with testers' ratings of the same answers; empty: there are none
	Pace      []PairPace  `json:"pace"`      // how preference goes with the time that raters take; empty: it is not known
	Why       []PairWhy   `json:"why"`       // in what answers are better; empty: it was not asked
	Given     []PairGiven `json:"given"`     // each judgement
	Notes     []Note      `json:"notes"`     // what raters wrote
}

// Share is a number of cases out of all.
type Share struct {
	N   int `json:"n"`   // cases
	All int `json:"all"` // of how many
}

// Passed is how many attention checks a rater passed.
type Passed struct {
	Rater string `json:"rater"` // the letter
	Share
}

// PairWhy is how often answers are better in one attribute.
type PairWhy struct {
	Attribute string      `json:"attribute"` // its id
	Name      string      `json:"name"`      // its name
	Models    []ModelRate `json:"models"`    // by win rate
	Agree     Share       `json:"agree"`     // judgements in favour of the same side in this attribute and on the whole, of those decided in both
}

// PairGiven is one judgement.
type PairGiven struct {
	Pair    string        `json:"pair"`    // its id; empty: of a pick
	Task    string        `json:"task"`    // the task's id
	Rater   string        `json:"rater"`   // the letter; of a tester who is no rater "tester 1"
	Left    []string      `json:"left"`    // the models that gave the answer at the left; none: it is to another task
	Right   []string      `json:"right"`   // the same of the answer at the right
	Outcome pairs.Outcome `json:"outcome"` // with the sides as shown
	Reasons
	Use string `json:"use"` // "judgement", "repeat", "attention" or "pick" (made in a session)
}

// pairCounter collects judgements for the analysis.
type pairCounter struct {
	set    *Set
	a      *PairAnalysis
	from   map[string][]Origin // by item
	models []string
	list   []pairs.Judgement   // with covariates
	sides  [][2]string         // of these: the items at the left and at the right
	why    [][]pairs.Judgement // by attribute
	units  map[[2]string][]float64
	told   [][]told // by rater
}

// analysePairs computes win rates, scale and agreement of judgements of pairs.
func (s *Set) analysePairs() (*PairAnalysis, error) {
	c := s.countPairs()
	c.agreement()
	c.a.Median = s.medianSeconds()
	c.a.Rated, c.a.Pace = ratedBy(slices.Concat(c.told...)), pace(c.told)
	return c.a, c.rates()
}

// countPairs counts the judgements of pairs.
func (s *Set) countPairs() *pairCounter {
	h := &s.Header
	c := &pairCounter{set: s, from: map[string][]Origin{}, units: map[[2]string][]float64{},
		a:   &PairAnalysis{Identical: h.Identical, Chosen: h.chosen(), Attention: []Passed{}, Given: []PairGiven{}, Why: []PairWhy{}},
		why: make([][]pairs.Judgement, len(h.Why)), told: make([][]told, len(h.Work))}
	for _, a := range h.Why {
		c.a.Why = append(c.a.Why, PairWhy{Attribute: a.ID, Name: a.Name})
	}
	for _, o := range h.Origins {
		c.from[o.Item] = append(c.from[o.Item], o)
		if !o.Decoy && !slices.Contains(c.models, o.Arm) {
			c.models = append(c.models, o.Arm)
		}
	}
	for _, p := range s.picks {
		for _, m := range p.Models {
			if !slices.Contains(c.models, m) {
				c.models = append(c.models, m)
			}
		}
	}
	slices.Sort(c.models)
	for i, w := range h.Work {
		c.count(i, w)
	}
	c.picks()
	return c
}

// medianSeconds returns the median of the times of judgements in force or not, without what is said after them.
func (s *Set) medianSeconds() float64 {
	var times []float64
	for _, rater := range s.Header.Raters {
		if p := s.people[rater]; p != nil {
			for _, ev := range p.events {
				if ev.Compared != nil && ev.Compared.Much == 0 && len(ev.Compared.Why) == 0 {
					times = append(times, float64(ev.Compared.MS)/1000)
				}
			}
		}
	}
	if len(times) == 0 {
		return 0
	}
	return stats.Median(times)
}

// decoy reports whether an item is the wrong side of an attention check.
func (c *pairCounter) decoy(item string) bool {
	return slices.ContainsFunc(c.from[item], func(o Origin) bool { return o.Decoy })
}

// arms lists the models that gave an answer.
func (c *pairCounter) arms(item string) []string {
	list := []string{}
	for _, o := range c.from[item] {
		if !o.Decoy && !slices.Contains(list, o.Arm) {
			list = append(list, o.Arm)
		}
	}
	return list
}

// count counts the judgements of a rater.
func (c *pairCounter) count(rater int, w Work) {
	h := &c.set.Header
	letter, before, times := h.Letter(w.Rater), map[[2]string]pairs.Outcome{}, c.set.times(w.Rater)
	attention := Passed{Rater: letter}
	for _, id := range w.Items {
		p, form := h.Pair(id), c.set.form(w.Rater, id)
		task := h.Item(p.A).Task.ID
		if form.Outcome == "" {
			continue
		}
		g := PairGiven{id, task, letter, c.arms(p.A), c.arms(p.B), form.Outcome, form.Reasons, "judgement"}
		normal := form.Outcome // with the sides in the order of their ids
		if p.A > p.B {
			normal = normal.Swapped()
		}
		switch first, again := before[p.answers()]; {
		case c.decoy(p.A) || c.decoy(p.B):
			g.Use = "attention"
			attention.All++
			if form.Outcome == pairs.A && c.decoy(p.B) || form.Outcome == pairs.B && c.decoy(p.A) {
				attention.N++
			}
		case again:
			g.Use = "repeat"
			c.a.Repeats.All++
			if normal == first {
				c.a.Repeats.N++
			}
		default:
			before[p.answers()] = normal
			c.told[rater] = append(c.told[rater], told{c.from[p.A], c.from[p.B], form.Outcome, times[id]})
			c.judgement(rater, p, form, normal)
		}
		c.a.Given = append(c.a.Given, g)
	}
	if attention.All > 0 {
		c.a.Attention = append(c.a.Attention, attention)
	}
}

// judgement counts one judgement for each two models that gave its answers.
func (c *pairCounter) judgement(rater int, p *Pair, form Form, normal pairs.Outcome) {
	h, outcome := &c.set.Header, form.Outcome
	c.a.Judgements++
	c.units[p.answers()] = append(c.units[p.answers()], float64(strings.Index("ab=0", string(normal))))
	if outcome.Decided() {
		c.a.Left.All++
		c.a.Wrong.count(c.from[p.A], c.from[p.B], outcome)
	}
	if outcome == pairs.A {
		c.a.Left.N++
	}
	task := slices.IndexFunc(h.Items, func(i Item) bool { return i.Task.ID == h.Item(p.A).Task.ID })
	from := map[string][]string{p.A: c.arms(p.A), p.B: c.arms(p.B)}
	for _, j := range h.comparisons(c.models, from, [2]string{p.A, p.B}) {
		j.Outcome, j.Much, j.Rater, j.Task = outcome, form.Much, rater, task
		c.list, c.sides = append(c.list, j), append(c.sides, [2]string{p.A, p.B})
		for i, of := range h.Why {
			if j.Outcome, j.Much = form.Why[of.ID], 0; j.Outcome != "" {
				c.why[i] = append(c.why[i], j)
			}
		}
	}
	for i, of := range h.Why {
		if o := form.Why[of.ID]; o.Decided() && outcome.Decided() {
			c.a.Why[i].Agree.All++
			if o == outcome {
				c.a.Why[i].Agree.N++
			}
		}
	}
}

// comparisons lists the comparisons of different models that two answers are, given the models of each answer, with their
// covariates and without an outcome.
func (h *Header) comparisons(models []string, from map[string][]string, sides [2]string) (list []pairs.Judgement) {
	style := Style(h.Item(sides[0]).shape(), h.Item(sides[1]).shape())
	for _, a := range from[sides[0]] {
		for _, b := range from[sides[1]] {
			if a != b {
				list = append(list, pairs.Judgement{A: slices.Index(models, a), B: slices.Index(models, b), Style: style})
			}
		}
	}
	return list
}

// count counts a decided judgement of an accepted and a failed answer.
func (s *Share) count(a, b []Origin, outcome pairs.Outcome) {
	s.Against(a[0].Verdict, b[0].Verdict, outcome)
}

// Against counts a decided judgement of an accepted and a failed answer, given their verdicts: it is a case if the failed
// one is preferred.
func (s *Share) Against(a, b string, outcome pairs.Outcome) {
	if a == "" || b == "" || !outcome.Decided() || (a == "accepted") == (b == "accepted") {
		return
	}
	s.All++
	if (outcome == pairs.A) != (a == "accepted") {
		s.N++
	}
}

// shape returns the shape of the answer, which raters saw whole.
func (item *Item) shape() Shape {
	text := item.Texts[item.Attempts[len(item.Attempts)-1].Answer]
	return Shape{Bytes: len(text), Marks: Marks(text)}
}

// length returns the number of bytes of the answer, at least 1.
func (item *Item) length() float64 {
	return float64(max(1, len(item.Texts[item.Attempts[len(item.Attempts)-1].Answer])))
}

// agreement computes how far raters agree.
func (c *pairCounter) agreement() {
	var units [][]float64
	for _, key := range slices.SortedFunc(maps.Keys(c.units), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		unit := c.units[key]
		c.a.Pairs++
		if len(unit) > 1 {
			units = append(units, unit)
		}
		for i, x := range unit {
			for _, y := range unit[i+1:] {
				c.a.Same.All++
				if x == y {
					c.a.Same.N++
				}
			}
		}
	}
	c.a.Agreement = c.set.Header.alpha(units, stats.Nominal)
	t := pairs.CountTriads(c.list)
	c.a.Triads = Share{t.Circular, t.Decided}
}

// rates computes win rates and scales.
func (c *pairCounter) rates() (err error) {
	if c.a.Preferences, err = Prefer(c.models, c.list); err != nil {
		return err
	}
	for i, list := range c.why {
		if c.a.Why[i].Models, err = ranked(c.models, list); err != nil {
			return err
		}
	}
	return nil
}
