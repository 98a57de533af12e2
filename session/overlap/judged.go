package overlap

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/scoring/pairs"
	"assay/scoring/stats"
)

// unit is an item, or a pair in the order of its ids, with what people and one judge say of it.
type unit struct {
	id      [2]string
	task    string
	kind    string // of the task
	people  []said // none: nobody rated it
	judged  float64
	unsaid  bool // the judge says nothing of it; judged is then the middle of the scale
	unsure  bool // judgements of it differ: of judges, repeats, or orders of a pair
	reasons []string
}

// said is what one person says.
type said struct {
	rater int
	score float64
}

// mean returns the mean of people's scores; NaN without any.
func (u *unit) mean() float64 {
	sum := 0.0
	for _, s := range u.people {
		sum += s.score
	}
	return sum / float64(len(u.people))
}

// both reports whether people and the judge say something.
func (u *unit) both() bool { return len(u.people) > 0 && !u.unsaid }

// measure is what is asked of each unit: an attribute, the total, one value of a label, or the better side.
type measure struct {
	id, name  string
	low, high float64
	share     bool // 0 or 1 for each person
	values    []string
	score     func(Form) (float64, bool)   // of a person
	judged    func(Judged) (float64, bool) // of an answer of a judge that has no problem
}

// measures lists what is asked.
func (h *Header) measures() []measure {
	if len(h.Pairs) > 0 {
		score := func(o pairs.Outcome) (float64, bool) { return o.Score(), o != "" }
		return []measure{{id: "better", name: "which is better", high: 1, values: []string{"B", "equal or neither", "A"},
			score: func(f Form) (float64, bool) { return score(f.Outcome) }, judged: func(e Judged) (float64, bool) { return score(e.Outcome) }}}
	}
	var list []measure
	most := 0.0
	for _, a := range h.Attributes {
		m := measure{id: a.ID, name: a.Name, low: 1, high: float64(a.Max()),
			score:  func(f Form) (float64, bool) { v, ok := f.Scores[a.ID]; return float64(v), ok },
			judged: func(e Judged) (float64, bool) { v, ok := e.Scores[a.ID]; return float64(v), ok }}
		for v := range a.Max() {
			m.values = append(m.values, strconv.Itoa(v+1))
		}
		most += m.high
		list = append(list, m)
	}
	total := func(scores map[string]int) (float64, bool) {
		sum := 0
		for _, v := range scores {
			sum += v
		}
		return float64(sum), len(scores) == len(h.Attributes)
	}
	list = append(list, measure{id: "total", name: "Total", low: float64(len(h.Attributes)), high: most,
		score: func(f Form) (float64, bool) { return total(f.Scores) }, judged: func(e Judged) (float64, bool) { return total(e.Scores) }})
	for _, l := range h.Labels {
		shown := l.Values
		if len(shown) == 2 {
			shown = shown[:1] // the other share follows
		}
		for _, value := range shown {
			is := func(v string, ok bool) (float64, bool) {
				if v == value {
					return 1, ok
				}
				return 0, ok
			}
			list = append(list, measure{id: l.ID + "=" + value, name: l.Name + ": " + value, high: 1, share: true, values: []string{"no", "yes"},
				score:  func(f Form) (float64, bool) { v, ok := f.Labels[l.ID]; return is(v, ok) },
				judged: func(e Judged) (float64, bool) { v, ok := e.Labels[l.ID]; return is(v, ok) }})
		}
	}
	return list
}

// unitsOf lists all units with what people and some judges say of a measure: the mean of the judges that say something. A
// judge speaks for a pair only if it judged both orders.
func (s *Set) unitsOf(m measure, judges []*judging) []unit {
	h := &s.Header
	human := s.peopleOf(m)
	var said []map[[2]string][]float64 // by judge: the mean, or nothing
	all, reasons := map[[2]string][]float64{}, map[[2]string][]string{}
	for _, j := range judges {
		said = append(said, j.scores(m, all, reasons))
	}
	var list []unit
	for _, id := range h.units(false) {
		item := h.Item(id[0])
		u := unit{id: id, task: item.Task.ID, kind: item.Task.Type, people: human[id], reasons: reasons[id]}
		u.unsure = slices.ContainsFunc(all[id], func(score float64) bool { return score != all[id][0] })
		var scores []float64
		for _, of := range said {
			if v := of[id]; len(v) > 0 {
				scores = append(scores, stats.Mean(v))
			}
		}
		if u.unsaid = len(scores) == 0; u.unsaid {
			scores = []float64{(m.low + m.high) / 2}
		}
		u.judged = stats.Mean(scores)
		list = append(list, u)
	}
	return list
}

// peopleOf lists what people say of each unit: the first time, and without attention checks.
func (s *Set) peopleOf(m measure) map[[2]string][]said {
	h, found := &s.Header, map[[2]string][]said{}
	for rater, w := range h.Work {
		seen := map[[2]string]bool{}
		for _, id := range w.Items {
			key, swapped := [2]string{id}, false
			if p := h.Pair(id); p != nil {
				key, swapped = p.answers(), p.A > p.B
			}
			score, ok := m.score(s.form(w.Rater, id))
			if !ok || seen[key] {
				continue
			}
			seen[key] = true
			if swapped {
				score = 1 - score
			}
			found[key] = append(found[key], said{rater, score})
		}
	}
	return found
}

// scores returns what a judge says of each unit, one score for each repeat: the mean of both orders of a pair. It adds each
// judgement to all, and its reason to reasons.
func (j *judging) scores(m measure, all map[[2]string][]float64, reasons map[[2]string][]string) map[[2]string][]float64 {
	type order struct {
		id     [2]string
		repeat int
	}
	orders, found := map[order][]float64{}, map[[2]string][]float64{}
	var sequence []order
	for _, e := range j.list {
		key := [2]string{e.Item}
		if e.Item == "" {
			key = newPair(e.A, e.B).answers()
		}
		score, ok := m.judged(e)
		if e.Problem != "" || !ok {
			continue
		}
		if e.A > e.B {
			score = 1 - score
		}
		if e.Reason != "" {
			reasons[key] = append(reasons[key], e.Reason)
		}
		all[key] = append(all[key], score)
		at := order{key, e.Repeat}
		if orders[at] == nil {
			sequence = append(sequence, at)
		}
		orders[at] = append(orders[at], score)
	}
	for _, at := range sequence {
		if at.id[1] == "" || len(orders[at]) == 2 {
			found[at.id] = append(found[at.id], stats.Mean(orders[at]))
		}
	}
	return found
}

// JudgeAnalysis compares a judge, or a panel of all, with people. Everything in it contains judgements of models.
type JudgeAnalysis struct {
	Name       string           `json:"name"`       // of the model, or "panel of N"
	Models     []string         `json:"models"`     // names in the models file
	Judges     []string         `json:"judges"`     // their ids
	Agreement  []JudgeAgreement `json:"agreement"`  // with people, by attribute and label, or of which is better
	First      Share            `json:"first"`      // of pairs: decided judgements in favour of the answer shown first
	Consistent Share            `json:"consistent"` // pairs of which both orders were judged the same
	Bias       []JudgeBias      `json:"bias"`       // where judge and people differ systematically
	ByType     []JudgeType      `json:"by_type"`    // agreement by type of the task
	Apart      []JudgeApart     `json:"apart"`      // where judge and people differ most
	Together   Together         `json:"together"`   // with people's ratings
}

// JudgeAgreement is how far a judge agrees with people on one attribute, label, or on which is better. The mean of
// people, and of repeats and orders, is rounded to the nearest point.
type JudgeAgreement struct {
	ID         string          `json:"id"`                    // of the attribute; label=value; "better"
	Name       string          `json:"name"`                  // as raters read it
	N          int             `json:"n"`                     // answers or pairs that both rated
	Kappa      *float64        `json:"kappa"`                 // with linear weights; null: see the problem
	Range      *stats.Interval `json:"interval,omitempty"`    // jackknife over answers or pairs
	Problem    string          `json:"problem,omitempty"`     // why there is no kappa
	NoneSaid   string          `json:"no_interval,omitempty"` // why it has no interval
	Alpha      Alpha           `json:"alpha"`                 // Krippendorff's, interval data, of the mean of people and the judge
	Values     []string        `json:"values"`                // of the table
	Table      [][]int         `json:"table"`                 // numbers of answers: people down, the judge across
	Difference *float64        `json:"difference"`            // mean of the judge minus mean of people; null: nothing was rated by both
	Distance   *stats.Interval `json:"difference_interval"`   // at the tasks; null: fewer than 5 tasks
}

// JudgeBias compares a judge with people in one group: of answers by their mean score, of pairs by how often the answer
// that is named is better.
type JudgeBias struct {
	Name       string          `json:"name"`       // of the group
	N          int             `json:"n"`          // answers or pairs that both rated
	People     float64         `json:"people"`     // their mean
	Judge      float64         `json:"judge"`      // its mean
	Difference float64         `json:"difference"` // the judge minus people
	Range      *stats.Interval `json:"interval"`   // at the tasks; null: fewer than 5 tasks
}

// JudgeType is the agreement on tasks of one type.
type JudgeType struct {
	Type string `json:"type"` // of the task; empty: it has none
	Share
}

// JudgeApart is an answer or a pair on which judge and people differ.
type JudgeApart struct {
	Item    string   `json:"item,omitempty"` // its hash
	A       string   `json:"a,omitempty"`    // of a pair: the answer whose score is given
	B       string   `json:"b,omitempty"`    // of a pair: the other one
	Task    string   `json:"task"`           // the id of its task
	People  float64  `json:"people"`         // their mean; of a pair 1 if A is better, 0 if B is
	Judge   float64  `json:"judge"`          // its mean
	Reasons []string `json:"reasons"`        // that the judge gave
	Models  []string `json:"models"`         // of the answer, or of A and B; of a study the arms; of equal answers all
	Answers []string `json:"answers"`        // their last texts, at most 8,000 characters of each
}

// mostApart is the number of answers or pairs in the list of those that differ most.
const mostApart = 20

// analyseJudges compares each judge, and several as a panel, with people.
func (s *Set) analyseJudges() (list []JudgeAnalysis) {
	for _, j := range s.judges {
		name := j.judge.Model.Name
		if slices.ContainsFunc(s.judges, func(o *judging) bool { return o != j && o.judge.Model.Name == name }) {
			name += " " + j.judge.ID // with other settings or another template
		}
		list = append(list, s.analyseJudge(name, []*judging{j}))
	}
	panel := slices.DeleteFunc(slices.Clone(s.judges), func(j *judging) bool {
		return !slices.ContainsFunc(j.list, func(e Judged) bool { return e.Problem == "" })
	})
	if len(panel) > 1 {
		list = append(list, s.analyseJudge(fmt.Sprintf("panel of %d", len(panel)), panel))
	}
	return list
}

func (s *Set) analyseJudge(name string, judges []*judging) JudgeAnalysis {
	a := JudgeAnalysis{Name: name, Agreement: []JudgeAgreement{}, Bias: []JudgeBias{}, ByType: []JudgeType{}, Apart: []JudgeApart{}}
	for _, j := range judges {
		a.Models, a.Judges = append(a.Models, j.judge.Model.Name), append(a.Judges, j.judge.ID)
		a.sides(j)
	}
	types := map[string]*Share{}
	for _, m := range s.Header.measures() {
		all := s.unitsOf(m, judges)
		units := slices.DeleteFunc(slices.Clone(all), func(u unit) bool { return !u.both() })
		if m.values != nil {
			a.Agreement = append(a.Agreement, agreementOf(m, units))
			countTypes(types, m, units)
		}
		if m.id == "total" || m.id == "better" {
			a.Bias, a.Apart = s.biases(m, units, a.Models), s.apart(units)
		}
	}
	for kind, share := range types {
		a.ByType = append(a.ByType, JudgeType{kind, *share})
	}
	slices.SortFunc(a.ByType, func(x, y JudgeType) int { return strings.Compare(x.Type, y.Type) })
	a.Together = s.together(judges)
	return a
}

// sides counts a judge's preference of the answer shown first, and pairs judged the same in both orders.
func (a *JudgeAnalysis) sides(j *judging) {
	before := map[Question]pairs.Outcome{}
	for _, e := range j.list {
		if e.Outcome == "" {
			continue
		}
		if e.Outcome == pairs.A || e.Outcome == pairs.B {
			a.First.All++
			if e.Outcome == pairs.A {
				a.First.N++
			}
		}
		other := e.Question
		other.A, other.B = e.B, e.A
		if o, known := before[other]; known {
			a.Consistent.All++
			if o == e.Outcome.Swapped() {
				a.Consistent.N++
			}
		}
		before[e.Question] = e.Outcome
	}
}

// category returns the place of a score in the table of a measure.
func (m *measure) category(score float64) int {
	at := int(math.Round((score - m.low) / (m.high - m.low) * float64(len(m.values)-1)))
	return min(max(at, 0), len(m.values)-1)
}

func agreementOf(m measure, units []unit) JudgeAgreement {
	a := JudgeAgreement{ID: m.id, Name: m.name, N: len(units), Values: m.values}
	pairs := make([][2]int, len(units))
	for i := range units {
		pairs[i] = [2]int{m.category(units[i].mean()), m.category(units[i].judged)}
	}
	table := func(some [][2]int) [][]int {
		t := make([][]int, len(m.values))
		for i := range t {
			t[i] = make([]int, len(m.values))
		}
		for _, p := range some {
			t[p[0]][p[1]]++
		}
		return t
	}
	kappa := func(some [][2]int) (float64, error) {
		k, err := stats.CohenKappa(table(some), stats.LinearWeights, confidence)
		return k.Kappa, err
	}
	a.Table = table(pairs)
	if len(units) == 0 {
		a.Problem = "nothing was rated by people and judged"
		a.Alpha.Problem = a.Problem
		return a
	}
	if value, err := kappa(pairs); err != nil {
		a.Problem = "both gave one score only"
	} else {
		a.Kappa = &value
		a.Range, a.NoneSaid = interval(pairs, leastItems, kappa)
	}
	var both [][]float64
	var differences []float64
	var tasks []string
	for i := range units {
		u := &units[i]
		both = append(both, []float64{u.mean(), u.judged})
		differences, tasks = append(differences, u.judged-u.mean()), append(tasks, u.task)
	}
	a.Alpha = alphaOf(both, stats.IntervalLevel)
	difference, r := clusteredMean(differences, tasks)
	a.Difference, a.Distance = &difference, r
	return a
}

// clusteredMean returns a mean with Student's interval at the tasks.
func clusteredMean(values []float64, tasks []string) (float64, *stats.Interval) {
	mean, sum, clusters := stats.Mean(values), 0.0, stats.Clusters(tasks)
	const least = 5 // tasks
	if len(clusters) < least {
		return mean, nil
	}
	for _, members := range clusters {
		part := 0.0
		for _, i := range members {
			part += (values[i] - mean) / float64(len(values))
		}
		sum += part * part
	}
	g := float64(len(clusters))
	return mean, ranged(stats.Contrast{Value: mean, SE: math.Sqrt(sum * g / (g - 1)), DF: g - 1})
}

func countTypes(types map[string]*Share, m measure, units []unit) {
	for i := range units {
		u := &units[i]
		if types[u.kind] == nil {
			types[u.kind] = &Share{}
		}
		types[u.kind].All++
		if m.category(u.mean()) == m.category(u.judged) {
			types[u.kind].N++
		}
	}
}

// apart lists the units on which judge and people differ most.
func (s *Set) apart(units []unit) []JudgeApart {
	units = slices.DeleteFunc(slices.Clone(units), func(u unit) bool { return u.mean() == u.judged })
	slices.SortStableFunc(units, func(x, y unit) int {
		return cmp.Compare(math.Abs(y.judged-y.mean()), math.Abs(x.judged-x.mean()))
	})
	list := []JudgeApart{}
	for _, u := range units[:min(mostApart, len(units))] {
		d := JudgeApart{Item: u.id[0], Task: u.task, People: u.mean(), Judge: u.judged, Reasons: append([]string{}, u.reasons...)}
		if u.id[1] != "" {
			d.Item, d.A, d.B = "", u.id[0], u.id[1]
		}
		for _, id := range u.id {
			if id != "" {
				d.Models, d.Answers = append(d.Models, s.modelOf(id)), append(d.Answers, s.textOf(id))
			}
		}
		list = append(list, d)
	}
	return list
}

// modelOf returns the models, or arms, that an item is from, as text; "" if the file does not have them. Equal answers are
// one item.
func (s *Set) modelOf(id string) string {
	var arms []string
	for _, o := range s.Header.Origins {
		if o.Item == id && !slices.Contains(arms, o.Arm) {
			arms = append(arms, o.Arm)
		}
	}
	return strings.Join(arms, " and ")
}

// textOf returns the beginning of the last answer of an item.
func (s *Set) textOf(id string) string {
	const most = 8000
	item := s.Header.Items[slices.IndexFunc(s.Header.Items, func(i Item) bool { return i.ID == id })]
	text := []rune(item.Texts[item.Attempts[len(item.Attempts)-1].Answer])
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
