package overlap

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/scoring/pairs"
	"assay/scoring/ppi"
	"assay/scoring/stats"
)

// Together are estimates of what people would say of all answers, from their ratings of a random sample and the judgements
// of all (PPI++, clustered at the tasks).
type Together struct {
	Problem   string     `json:"problem,omitempty"` // why there are none
	Warning   string     `json:"warning,omitempty"` // what they assume beyond the draw
	Estimates []Combined `json:"estimates"`

	units   []unit
	stratum func(u *unit, field string) string
}

// Combined is one number from people's ratings and a judge's judgements, beside that from the ratings alone.
type Combined struct {
	ID      string `json:"id"`                // of the attribute; "total"; label=value; "better"
	Name    string `json:"name"`              // as raters read it; of which is better: "win rate", "strength", "strength at equal side and length" (or more), or a covariate
	Model   string `json:"model,omitempty"`   // whose answers; empty: all
	Against string `json:"against,omitempty"` // the other model of a difference or a win rate; absent: none, or all others
	Kind    string `json:"kind"`              // "mean", "share", "difference", "win rate", "strength", "effect" or "coefficient"; strength and effect are in logits

	Covariate  string   `json:"covariate,omitempty"`  // of a coefficient: "b, against a", for example
	Regression string   `json:"regression,omitempty"` // of a coefficient: "least squares" (in points of the scale) or "logistic" (in logits)
	PeopleP    *float64 `json:"people_p,omitempty"`   // two-sided, that it is 0, from people's ratings alone
	P          *float64 `json:"together_p,omitempty"` // the same from both

	Problem string `json:"problem,omitempty"` // why there is no estimate

	Rated     int             `json:"rated"`           // answers that people rated; of pairs, people's judgements
	Judged    int             `json:"judged"`          // answers or pairs that only the judge rated
	People    *float64        `json:"people"`          // from people's ratings alone
	Alone     *stats.Interval `json:"people_interval"` // at the same clusters
	Judge     *float64        `json:"judge"`           // of the judge alone over all; null: its judgements give no scale
	Value     *float64        `json:"together"`        // from both
	Range     *stats.Interval `json:"together_interval"`
	Lambda    float64         `json:"lambda"`    // weight of the judgements, 0 to 1
	Effective float64         `json:"effective"` // ratings of people that alone would be as sure
	ByRater   bool            `json:"by_rater"`  // the error is at the raters as well as at the tasks
	Sentence  string          `json:"sentence"`  // what the judge adds

	// Of a mean, a share or a coefficient: as if answers were independent, with one λ tuned on all of them and normal intervals,
	// as the program ppi_py prints it.
	Independent *Corrected `json:"independent,omitempty"`

	both ppi.Both
	rows []ppi.Rated // of which Stratum is the number of the unit

	// Of a share: the judge's share corrected by its errors, and the maximum likelihood estimate of both. They assume that
	// answers are independent.
	RoganGladen *Corrected `json:"rogan_gladen,omitempty"`
	Joint       *Corrected `json:"joint,omitempty"`
}

// OfAttribute reports whether a number is of one attribute: text and pages have those of the total, labels and pairs, and
// JSON has all.
func (c *Combined) OfAttribute() bool {
	return c.ID != "better" && c.ID != "total" && !strings.Contains(c.ID, "=")
}

// Unit returns the unit of a coefficient.
func (c *Combined) Unit() string {
	if c.Regression == string(ppi.Logistic) {
		return "logits"
	}
	return "points"
}

// Corrected is another estimate.
type Corrected struct {
	Value   *float64        `json:"value"` // from 0 to 1; null: there is none
	Range   *stats.Interval `json:"interval"`
	Problem string          `json:"problem,omitempty"` // why there is none
}

// refusal returns why people's ratings and judgements cannot be joined, or what joining them assumes.
func (s *Set) refusal() (problem, warning string) {
	h := &s.Header
	rated := map[[2]string]bool{}
	for _, m := range h.measures() {
		for id := range s.peopleOf(m) {
			rated[id] = true
		}
	}
	switch n := len(h.units(false)); {
	case len(s.picks) > 0:
		return "picks of sessions are among people's judgements, and were not drawn at random", ""
	case h.Next != nil:
		return "which of them people judged was chosen by what they had judged before, not drawn at random ('assay rate plan --people' draws)", ""
	case h.People == nil && s.Missing() > 0:
		return "which of them people rated was not drawn at random: some ratings of the plan are missing ('assay rate plan --people' draws)", ""
	case h.People == nil || h.People.Units == n:
		return "people were asked for all: there is nothing that only judges rated ('assay rate plan --people' draws some at random)", ""
	case s.Missing() > 0:
		return "", fmt.Sprintf("%d of people's ratings are missing; the estimates hold if those that are missing are a random part", s.Missing())
	}
	return "", ""
}

// joiner makes estimates with some judges.
type joiner struct {
	set    *Set
	judges []*judging
	weight func(u *unit) float64 // nil: all count 1
	tasks  []string
	from   map[string][]string // arms of items
	arms   []string
	out    *Together
}

// together joins people's ratings and the judgements.
func (s *Set) together(judges []*judging) Together {
	out := Together{Estimates: []Combined{}}
	if out.Problem, out.Warning = s.refusal(); out.Problem != "" {
		return out
	}
	j := &joiner{set: s, judges: judges, from: map[string][]string{}, out: &out, weight: s.Header.weights()}
	for _, o := range s.Header.Origins {
		if !o.Decoy && !slices.Contains(j.from[o.Item], o.Arm) {
			j.from[o.Item] = append(j.from[o.Item], o.Arm)
		}
		if !o.Decoy && !slices.Contains(j.arms, o.Arm) {
			j.arms = append(j.arms, o.Arm)
		}
	}
	slices.Sort(j.arms)
	out.stratum = s.Header.strata()
	for _, m := range s.Header.measures() {
		units := s.unitsOf(m, judges)
		out.units = units
		if m.id == "better" {
			j.winRates(m, units)
			j.scales(units)
		} else {
			j.means(m, units)
			j.regressions(m, units)
		}
	}
	return out
}

// row returns what is not of a single person in a row about a unit.
func (j *joiner) row(u *unit) ppi.Rated {
	r := ppi.Rated{Human: math.NaN(), Judged: u.judged, Cluster: j.task(u.task)}
	if j.weight != nil {
		r.Weight = j.weight(u)
	}
	return r
}

// task returns the number of a task, as a cluster.
func (j *joiner) task(id string) int {
	at := slices.Index(j.tasks, id)
	if at < 0 {
		at = len(j.tasks)
		j.tasks = append(j.tasks, id)
	}
	return at
}

// means estimates the mean of a measure: of all answers, of each arm, and the differences of two arms.
func (j *joiner) means(m measure, units []unit) {
	rows := func(arm string) []ppi.Rated {
		var list []ppi.Rated
		for i := range units {
			u := &units[i]
			if arm == "" || slices.Contains(j.from[u.id[0]], arm) {
				r := j.row(u)
				r.Human, r.Stratum = u.mean(), i
				list = append(list, r)
			}
		}
		return list
	}
	c := Combined{ID: m.id, Name: m.name, Kind: "mean"}
	if m.share {
		c.Kind = "share"
	}
	j.estimate(m, c, rows(""))
	if len(j.arms) < 2 {
		return
	}
	for _, arm := range j.arms {
		c.Model = arm
		j.estimate(m, c, rows(arm))
	}
	for i, a := range j.arms {
		for _, b := range j.arms[i+1:] {
			d := Combined{ID: m.id, Name: m.name, Kind: "difference", Model: a, Against: b}
			x, y := rows(a), rows(b)
			both, err := ppi.Difference(x, y, confidence)
			d.Judge = new(judgedMean(x) - judgedMean(y))
			j.add(d, both, err)
		}
	}
}

// winRates estimates how often a model's answers are better, each for all others and for each one. Each judgement of a
// person counts, as in the rates of people alone.
func (j *joiner) winRates(m measure, units []unit) {
	rows := func(model, other string) []ppi.Rated {
		var list []ppi.Rated
		add := func(i int, swapped bool) {
			u := &units[i]
			of := func(score float64) float64 {
				if swapped {
					return 1 - score
				}
				return score
			}
			r := j.row(u)
			r.Judged, r.Stratum = of(u.judged), i
			if len(u.people) == 0 {
				list = append(list, r)
			}
			for _, s := range u.people {
				r.Human, r.Rater = of(s.score), s.rater+1
				list = append(list, r)
			}
		}
		for i := range units {
			u := &units[i]
			for _, a := range j.from[u.id[0]] {
				for _, b := range j.from[u.id[1]] {
					switch {
					case a == b:
					case a == model && (other == "" || b == other):
						add(i, false)
					case b == model && (other == "" || a == other):
						add(i, true)
					}
				}
			}
		}
		return list
	}
	for _, model := range j.arms {
		j.estimate(m, Combined{ID: m.id, Name: "win rate", Kind: "win rate", Model: model}, rows(model, ""))
	}
	if len(j.arms) < 3 {
		return
	}
	for _, model := range j.arms {
		for _, other := range j.arms {
			if model != other {
				j.estimate(m, Combined{ID: m.id, Name: "win rate", Kind: "win rate", Model: model, Against: other}, rows(model, other))
			}
		}
	}
}

func judgedMean(rows []ppi.Rated) float64 {
	sum := 0.0
	for _, r := range rows {
		sum += r.Judged
	}
	return sum / float64(max(1, len(rows)))
}

// estimate adds a mean, a share, or a win rate.
func (j *joiner) estimate(m measure, c Combined, rows []ppi.Rated) {
	if len(rows) == 0 {
		return
	}
	both, err := ppi.Clustered(rows, ppi.Scale{Low: m.low, High: m.high}, confidence)
	c.Judge, c.rows = new(judgedMean(rows)), rows
	if c.Kind != "win rate" && err == nil && j.weight == nil {
		independently := make([]ppi.Row, len(rows))
		for i := range rows {
			independently[i] = ppi.Row{X: []float64{1}, Rated: rows[i]}
		}
		c.Independent = independent(ppi.Mean, independently)[0]
	}
	if m.share && err == nil && j.weight == nil {
		c.RoganGladen, c.Joint = corrected(rows, ppi.RoganGladen), corrected(rows, ppi.Joint)
	}
	j.add(c, both, err)
}

// add adds an estimate, or why there is none.
func (j *joiner) add(c Combined, both ppi.Both, err error) {
	switch {
	case errors.Is(err, stats.ErrTooFew):
		c.Problem = "people rated answers to fewer than 5 tasks, or all"
	case err != nil:
		c.Problem = noScale(err)
	default:
		c.Rated, c.Judged, c.Lambda, c.Effective, c.ByRater = both.Rated, both.Judged, both.Lambda, both.Effective, both.ByRater
		c.People, c.Alone, c.Value, c.Range = &both.Alone.Value, &both.Alone.Interval, &both.Value, &both.Interval
		c.both = both
		what := "answers rated by people"
		switch {
		case c.ID == "better":
			what = "judgements of people"
		case c.Kind == "coefficient":
			what = "ratings of people"
		}
		sure := fmt.Sprintf("as sure as %.0f %s", c.Effective, what)
		if c.Effective <= float64(c.Rated)*1.05 {
			sure = "no surer than these alone"
		}
		c.Sentence = fmt.Sprintf("%d %s and judgements of models of %d more: %s", c.Rated, what, c.Judged, sure)
	}
	j.out.Estimates = append(j.out.Estimates, c)
}

// corrected estimates a share from ratings and judgements of which each is 0 or 1.
func corrected(rows []ppi.Rated, method ppi.Method) *Corrected {
	var s ppi.Sample
	for _, r := range rows {
		judged := math.Round(r.Judged)
		switch {
		case math.IsNaN(r.Human):
			s.Others = append(s.Others, judged)
		case r.Human != 0 && r.Human != 1:
			return &Corrected{Problem: "raters of one answer differ"}
		default:
			s.Human, s.Judged = append(s.Human, r.Human), append(s.Judged, judged)
		}
	}
	e, err := ppi.Proportion(s, method, confidence)
	if err != nil {
		return &Corrected{Problem: err.Error()}
	}
	return &Corrected{Value: &e.Value, Range: &e.Interval}
}

// scales estimates strengths of models and effects of covariates, of the same judgements of people as the scales of
// people alone. The judge counts with its judgements of the order that was shown, and of others in both orders.
func (j *joiner) scales(units []unit) {
	h, people := &j.set.Header, j.set.countPairs()
	said := map[[2]string][]pairs.Outcome{}
	for _, of := range j.judges {
		for _, e := range of.list {
			if e.Problem == "" {
				said[[2]string{e.A, e.B}] = append(said[[2]string{e.A, e.B}], e.Outcome)
			}
		}
	}
	shares := func(sides [2]string) (s pairs.Shares) {
		n := float64(len(said[sides]))
		for _, o := range said[sides] {
			switch o {
			case pairs.A:
				s.A += 1 / n
			case pairs.B:
				s.B += 1 / n
			}
		}
		return s
	}
	var judged, otherJudged []pairs.Shares
	for _, sides := range people.sides {
		judged = append(judged, shares(sides))
	}
	var others, alone []pairs.Judgement
	for i := range units {
		u := &units[i]
		for _, sides := range [][2]string{u.id, {u.id[1], u.id[0]}} {
			for _, c := range h.comparisons(j.arms, j.from, sides) {
				c.Task = j.task(u.task)
				for _, o := range said[sides] {
					c.Outcome = o
					alone = append(alone, c)
				}
				if c.Outcome = pairs.Equal; len(u.people) == 0 {
					others, otherJudged = append(others, c), append(otherJudged, shares(sides))
				}
			}
		}
	}
	for i := range people.list {
		people.list[i].Task = j.task(h.Item(people.sides[i][0]).Task.ID)
	}
	for _, kept := range [][]int{nil, varying(people.list)} {
		name := "strength"
		if kept != nil {
			name += " at equal " + alike(kept)
		}
		j.scale(name, kept, styled(people.list, kept), judged, styled(others, kept), otherJudged, styled(alone, kept))
	}
}

// scale adds the estimates of one scale.
func (j *joiner) scale(name string, kept []int, people []pairs.Judgement, judged []pairs.Shares, others []pairs.Judgement, otherJudged []pairs.Shares, alone []pairs.Judgement) {
	var strengths, effects []ppi.Both
	err := errors.New("what people judged was drawn within strata, with different probabilities")
	if j.weight == nil {
		var of *pairs.Scale
		if of, err = pairs.Fit(len(j.arms), people, confidence); err == nil {
			strengths, effects, err = of.Together(judged, others, otherJudged, confidence)
		}
	}
	judge, problem := pairs.Fit(len(j.arms), alone, confidence)
	for i, model := range j.arms {
		c := Combined{ID: "better", Name: name, Kind: "strength", Model: model}
		if problem == nil {
			c.Judge = &judge.Strength[i].Value
		}
		var both ppi.Both
		if err == nil {
			both = strengths[i]
		}
		j.add(c, both, err)
	}
	for i := range effects {
		c := Combined{ID: "better", Name: covariates()[kept[i]].name, Kind: "effect"}
		if problem == nil {
			c.Judge = &judge.Effects[i].Value
		}
		j.add(c, effects[i], nil)
	}
}
