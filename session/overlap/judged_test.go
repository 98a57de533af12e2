package overlap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/scoring/pairs"
	"assay/scoring/stats"
	"assay/session"
)

// opinion is what people and a judge think of an answer.
type opinion struct{ people, judge float64 }

// judgedFile plans tasks×models answers of which people rate some, has them rated, and judged by a judge that returns
// score(people's opinion, how well it knows) of each answer.
func judgedFile(t *testing.T, r *rand.Rand, asPairs bool, people int, think func(item *Item) opinion) *Set {
	t.Helper()
	return judgedPool(t, r, answered(t, []string{"alpha-1", "beta-22222"}, 40), Setup{People: people, Pairs: asPairs, Mask: true}, think)
}

// judgedPool is judgedFile of a pool and a setup, of two raters.
func judgedPool(t *testing.T, r *rand.Rand, pool *Pool, o Setup, think func(item *Item) opinion) *Set {
	t.Helper()
	o.Raters, o.Overlap, o.Seed = []string{"ann", "bob"}, 1, r.Uint64()
	h, err := Make(pool, o)
	fatal.If(t, err)
	asPairs := o.Pairs
	s := NewSet(h)
	at := time.Unix(1e9, 0)
	add := func(ev Event) { t.Helper(); fatal.If(t, s.Apply(ev)) }
	for _, w := range h.Work {
		add(Event{Opened: &Opened{w.Rater, at}})
		for _, id := range w.Items {
			if p := h.Pair(id); p != nil {
				add(Event{Compared: &Compared{Rater: w.Rater, Pair: id, Outcome: chosen(think(h.Item(p.A)).people, think(h.Item(p.B)).people), At: at}})
				continue
			}
			for _, a := range h.Attributes {
				add(Event{Rated: &Rated{Rater: w.Rater, Item: id, Attribute: a.ID, Score: point(think(h.Item(id)).people), At: at}})
			}
			for _, l := range h.Labels {
				add(Event{Labelled: &Labelled{Rater: w.Rater, Item: id, Label: l.ID, Value: l.Values[int(think(h.Item(id)).people)%2], At: at}})
			}
		}
	}
	j := NewJudge(session.Model{Name: "alpha-9"}, "template", "", at)
	add(Event{Judge: &j})
	for _, q := range h.Questions(j.ID, 1) {
		e := Judged{Question: q, Reason: "because"}
		if asPairs {
			e.Outcome = chosen(think(h.Item(q.A)).judge, think(h.Item(q.B)).judge)
		} else {
			e.Scores, e.Labels = map[string]int{}, map[string]string{}
			for _, a := range h.Attributes {
				e.Scores[a.ID] = point(think(h.Item(q.Item)).judge)
			}
			for _, l := range h.Labels {
				e.Labels[l.ID] = l.Values[int(think(h.Item(q.Item)).judge)%2]
			}
		}
		add(Event{Judged: &e})
	}
	add(Event{Closed: &Closed{By: "eve", At: at, Missing: s.Missing()}})
	return s
}

func point(x float64) int { return int(min(5, max(1, math.Round(x)))) }

func chosen(a, b float64) pairs.Outcome {
	switch {
	case a > b:
		return pairs.A
	case b > a:
		return pairs.B
	}
	return pairs.Equal
}

// opinions returns the same opinion of an item each time.
func opinions(r *rand.Rand, of func(r *rand.Rand) opinion) func(*Item) opinion {
	known := map[string]opinion{}
	return func(item *Item) opinion {
		if _, is := known[item.ID]; !is {
			known[item.ID] = of(r)
		}
		return known[item.ID]
	}
}

// A judge that agrees with people: kappa and alpha 1, no bias, and the estimate of both is that of all answers, with many
// more effective ratings. One that knows nothing changes hardly anything. Either way people's own numbers are the same as
// without a judge.
func TestJudgesBesidePeople(t *testing.T) {
	for _, asPairs := range []bool{false, true} {
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, 5))
			perfect := judgedFile(t, r, asPairs, 24, opinions(r, func(r *rand.Rand) opinion { x := 3 + 1.2*r.NormFloat64(); return opinion{x, x} }))
			useless := judgedFile(t, r, asPairs, 24, opinions(r, func(r *rand.Rand) opinion { return opinion{3 + 1.2*r.NormFloat64(), 3 + 1.2*r.NormFloat64()} }))
			for i, s := range []*Set{perfect, useless} {
				a, err := Analyse(s, Apart)
				fatal.If(t, err)
				alone := *s
				alone.judges = nil
				without, err := Analyse(&alone, Apart)
				fatal.If(t, err)
				j := a.Judges[0]
				widths, err := a.Widths(map[bool]float64{false: 0.8, true: 0.45}[asPairs], 0, []string{map[bool]string{false: "verdict", true: "task"}[asPairs]})
				fatal.If(t, err)
				checkStrata(t, fmt.Sprintf("seed %d, pairs %v, judge %d", seed, asPairs, i), widths)
				if n := widths[0]; i == 0 && (n.Together == 0 || n.Together >= n.Alone) || i == 1 && n.Alone == 0 {
					t.Errorf("seed %d, pairs %v, judge %d: %+v", seed, asPairs, i, n)
				}
				a.Judges = nil
				if x, y := fmt.Sprintf("%+v %+v", *a, a.Pairs), fmt.Sprintf("%+v %+v", *without, without.Pairs); strings.ReplaceAll(x, " ", "") != strings.ReplaceAll(y, " ", "") && short(a) != short(without) {
					t.Error("a judge changed people's numbers")
				}
				first := j.Agreement[0]
				if i == 0 && (first.Kappa == nil || *first.Kappa < 0.999 || *first.Difference != 0 || len(j.Apart) > 0) {
					t.Errorf("seed %d, pairs %v: a judge that agrees: %+v, %d apart", seed, asPairs, first, len(j.Apart))
				}
				if i == 1 && (*first.Kappa > 0.7 || len(j.Apart) == 0 || j.Apart[0].Reasons[0] != "because") {
					t.Errorf("seed %d, pairs %v: a judge that knows nothing: %+v, %d apart", seed, asPairs, first, len(j.Apart))
				}
				if asPairs && (j.Consistent.N != j.Consistent.All || j.Consistent.All != len(s.Header.units(false))) {
					t.Errorf("consistent %+v of %d pairs", j.Consistent, len(s.Header.units(false)))
				}
				checkTogether(t, fmt.Sprintf("seed %d, pairs %v, judge %d", seed, asPairs, i), i == 0, &j.Together)
			}
		}
	}
}

// checkStrata checks that there are strata, that their ratings add up, and that the best allocation takes
// no more than one in proportion, but for rounding up.
func checkStrata(t *testing.T, name string, widths []Width) {
	t.Helper()
	for _, w := range widths {
		share, best, even, rated := 0.0, 0, 0, 0
		for _, s := range w.Strata {
			share, best, even, rated = share+s.Share, best+s.Optimal, even+s.Proportional, rated+s.Rated
		}
		if len(w.Strata) < 2 || math.Abs(share-1) > 1e-9 || rated == 0 {
			t.Errorf("%s: %+v", name, w)
		}
		if best != w.Optimal || even != w.Proportional || w.Optimal > w.Proportional+len(w.Strata) && w.Proportional > 0 {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

// Judgements of which some differ are strata by uncertainty; a field that there is none of is refused.
func TestStrataOfUncertainty(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	s := judgedFile(t, r, true, 30, opinions(r, func(r *rand.Rand) opinion { return opinion{r.Float64(), r.Float64()} }))
	differ := 0
	for i := range s.judges[0].list { // of every third pair of answers, A in both orders
		e := &s.judges[0].list[i]
		if key := newPair(e.A, e.B).answers(); (key[0][0]+key[1][0])%3 == 0 {
			e.Outcome = pairs.A
			differ++
		}
	}
	a, err := Analyse(s, Apart)
	fatal.If(t, err)
	list, err := a.Widths(0.45, 2000, []string{Uncertainty})
	fatal.If(t, err)
	units := len(s.Header.units(false))
	if got := list[0].Strata; len(got) != 2 || got[0].Stratum != "judgements agree" || got[1].Stratum != "judgements differ" || math.Abs(got[1].Share-float64(differ/2)/float64(units)) > 1e-9 {
		t.Errorf("%d of %d judgements, %d pairs: %+v", differ, len(s.judges[0].list), units, got)
	}
	for _, bad := range [][]string{{"colour"}, {"task", "task"}} {
		if _, err := a.Widths(0.45, 0, bad); err == nil {
			t.Errorf("strata by %v were accepted", bad)
		}
	}
}

func checkTogether(t *testing.T, name string, perfect bool, together *Together) {
	t.Helper()
	if together.Problem != "" || len(together.Estimates) == 0 {
		t.Fatalf("%s: %+v", name, together)
	}
	for _, c := range together.Estimates {
		switch {
		case c.Problem != "" || c.Kind == "share":
		case perfect && c.Kind == "mean" && c.Model == "" && (math.Abs(*c.Value-*c.Judge) > 0.35*(c.Alone.High-c.Alone.Low) || c.Effective < 1.3*float64(c.Rated)):
			t.Errorf("%s: %s is %v, all are %v, %v of %d effective", name, c.Name, *c.Value, *c.Judge, c.Effective, c.Rated)
		case !perfect && c.Range.High-c.Range.Low > 1.25*(c.Alone.High-c.Alone.Low):
			t.Errorf("%s: %s %s %s: %v with a useless judge, %v without", name, c.Name, c.Model, c.Against, *c.Range, *c.Alone)
		case !strings.Contains(c.Sentence, "judgements of models of "):
			t.Errorf("%s: %q does not say that it contains judgements", name, c.Sentence)
		}
	}
}

// Strengths and the effects of side and length stand beside the scale of people alone: the same estimates and intervals
// without a judge, and with a judge that agrees each is as sure as many more.
func TestScalesTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	s := judgedFile(t, r, true, 24, opinions(r, func(r *rand.Rand) opinion { x := float64(r.IntN(4)); return opinion{x, x} }))
	a, err := Analyse(s, Apart)
	fatal.If(t, err)
	want := map[string]*stats.Interval{}
	for name, scale := range map[string]PairScale{"strength": a.Pairs.Scale, "strength at equal side and length": a.Pairs.Style} {
		if scale.Problem != "" {
			t.Fatal(scale.Problem)
		}
		for _, m := range scale.Models {
			want[name+m.Model] = m.Range
		}
		for _, e := range scale.Effects {
			want[e.Name] = e.Range
		}
	}
	found := 0
	for _, c := range a.Judges[0].Together.Estimates {
		if c.Kind != "strength" && c.Kind != "effect" {
			continue
		}
		found++
		if c.Problem != "" || c.Judge == nil || want[c.Name+c.Model] == nil {
			t.Fatalf("%+v", c)
		}
		if w := want[c.Name+c.Model]; math.Abs(c.Alone.Low-w.Low) > 1e-9 || math.Abs(c.Alone.High-w.High) > 1e-9 {
			t.Errorf("%s %s: %v of people alone, the report has %v", c.Name, c.Model, c.Alone, w)
		}
		if c.Effective < 1.2*float64(c.Rated) || !strings.Contains(c.Sentence, "24 judgements of people and judgements of models") {
			t.Errorf("%s %s: %v of %d, %q", c.Name, c.Model, c.Effective, c.Rated, c.Sentence)
		}
	}
	if found != 6 || len(want) != 6 {
		t.Errorf("%d estimates of %d", found, len(want))
	}
}

// Without a random draw, or with nothing left to judges, nothing is joined; missing ratings are warned of.
func TestNothingIsJoinedWithoutADraw(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	think := opinions(r, func(r *rand.Rand) opinion { return opinion{1 + 4*r.Float64(), 1 + 4*r.Float64()} })
	whole := judgedFile(t, r, false, 0, think)
	if a, err := Analyse(whole, Apart); err != nil || !strings.Contains(a.Judges[0].Together.Problem, "people were asked for all") {
		t.Errorf("%v, %+v", err, a.Judges[0].Together)
	}
	delete(whole.people["ann"].forms, whole.Header.Of("ann")[0])
	if a, err := Analyse(whole, Apart); err != nil || !strings.Contains(a.Judges[0].Together.Problem, "not drawn at random") {
		t.Errorf("%v, %+v", err, a.Judges[0].Together)
	}
	some := judgedFile(t, r, false, 20, think)
	delete(some.people["ann"].forms, some.Header.Of("ann")[0])
	if a, err := Analyse(some, Apart); err != nil || !strings.Contains(a.Judges[0].Together.Warning, "1 of people's ratings are missing") {
		t.Errorf("%v, %+v", err, a.Judges[0].Together.Warning)
	}
}

// A judge that always chooses the side A, the longer answer or its own family is found out.
func TestBiasOfJudges(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	s := judgedFile(t, r, true, 30, opinions(r, func(r *rand.Rand) opinion { return opinion{r.Float64(), 0} }))
	j := s.judges[0]
	own := func(item string) bool { return s.from(item) == "alpha-1" }
	for name, better := range map[string]func(a, b string) bool{
		"first":           func(string, string) bool { return true },
		"longer":          func(a, b string) bool { return s.Header.Item(a).length() > s.Header.Item(b).length() },
		"judge's family":  func(a, _ string) bool { return own(a) },
		"accepted answer": func(a, _ string) bool { return s.verdict(a) == "accepted" },
	} {
		for i := range j.list {
			if j.list[i].Outcome = pairs.B; better(j.list[i].A, j.list[i].B) {
				j.list[i].Outcome = pairs.A
			}
		}
		a := s.analyseJudges()[0]
		if name == "first" {
			if a.First.N != a.First.All || a.Consistent.N != 0 || a.Consistent.All == 0 || a.Agreement[0].Table[0][0] != 0 {
				t.Errorf("a judge that chooses A: first %+v, consistent %+v", a.First, a.Consistent)
			}
			continue
		}
		found := false
		for _, b := range a.Bias {
			found = found || strings.Contains(b.Name, name) && b.Judge == 1 && b.N > 5
		}
		if !found {
			t.Errorf("%s: %+v", name, a.Bias)
		}
	}
}

func (s *Set) from(item string) string {
	for _, o := range s.Header.Origins {
		if o.Item == item {
			return o.Arm
		}
	}
	return ""
}

func (s *Set) verdict(item string) string {
	for _, o := range s.Header.Origins {
		if o.Item == item {
			return o.Verdict
		}
	}
	return ""
}

func TestFamily(t *testing.T) {
	for name, want := range map[string]string{"gpt-4o": "gpt", "openai/GPT-5": "gpt", "claude-3": "claude", "llama3": "llama", "4o": "4o", "": ""} {
		if got := Family(name); got != want {
			t.Errorf("%q is of the family %q, want %q", name, got, want)
		}
	}
}

// The regression of ratings finds what makes them, by people alone and with a judge: the model and whether tests pass. What
// does not vary is withheld with the reason, and so are all of a label that the covariates tell.
func TestRegressionsOfRatings(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	beta := func(item *Item) bool { return strings.HasSuffix(item.Code(), ", 10") }
	noise := opinions(r, func(r *rand.Rand) opinion { x := 0.5 * r.NormFloat64(); return opinion{x, x + 0.2*r.NormFloat64()} })
	s := judgedFile(t, r, false, 60, func(item *Item) opinion {
		base, o := 2.0, noise(item)
		if beta(item) {
			base++
		}
		if item.Attempts[0].Verdict.Verdict == "accepted" {
			base++
		}
		return opinion{base + o.people, base + o.judge}
	})
	told := session.Label{ID: "ok", Name: "Usable", Values: []string{"yes", "no"}}
	s.Header.Labels = append(s.Header.Labels, told)
	for rater, p := range s.people {
		for _, id := range s.Header.Of(rater) {
			f := p.forms[id]
			f.Labels[told.ID] = told.Values[int(is(beta(s.Header.Item(id))))]
		}
	}
	for i := range s.judges[0].list {
		s.judges[0].list[i].Labels[told.ID] = "yes"
	}
	a, err := Analyse(s, Apart)
	fatal.If(t, err)
	found := map[string]Combined{}
	for _, c := range a.Judges[0].Together.Estimates {
		if c.Kind == "coefficient" {
			found[c.ID+": "+c.Covariate] = c
		}
	}
	total := float64(len(s.Header.Attributes))
	for id, unit := range map[string]float64{"total": total, s.Header.Attributes[0].ID: 1} {
		for _, name := range []string{"beta-22222, against alpha-1", "tests passed"} {
			c := found[id+": "+name]
			if c.Problem != "" || c.Regression != "least squares" || *c.P > 0.05 || *c.PeopleP > 0.05 || !c.Range.Holds(unit) || !c.Alone.Holds(unit) ||
				math.Abs(*c.Judge-unit) > 0.4*unit || c.Effective < 1.1*float64(c.Rated) || !strings.Contains(c.Sentence, "60 ratings of people and judgements of models of 20 more") {
				t.Errorf("%s, %s: %+v", id, name, c)
			}
			if in := c.Independent; in == nil || in.Range == nil || !in.Range.Holds(unit) || math.Abs(*in.Value-*c.Value) > 0.2*unit {
				t.Errorf("%s, %s, as if independent: %+v", id, name, in)
			}
		}
	}
	for key, want := range map[string]string{"total: attempts, each": "the same for all answers", "ok=yes: tests passed": "(separation)", "ok=yes: beta-22222, against alpha-1": "(separation)"} {
		if c := found[key]; c.Value != nil || !strings.Contains(c.Problem, want) {
			t.Errorf("%s: %+v", key, c)
		}
	}
}
