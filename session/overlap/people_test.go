package overlap

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
)

// People rate a simple random sample: as many as wanted, each of all equally often over the seeds, each by as many raters
// as wanted. The file holds the others too, a rater's file does not, and a changed draw is found.
func TestPeopleRateASample(t *testing.T) {
	for _, pairs := range []bool{false, true} {
		times, all := map[[2]string]int{}, 0
		const seeds = 400
		for seed := range uint64(seeds) {
			o := Setup{Raters: []string{"ann", "bob", "cleo"}, Overlap: 2, People: 6, Seed: seed, Pairs: pairs, Mask: true, Stratify: []string{"arm"}}
			h, err := Make(answered(t, []string{"alpha-1", "beta-2222"}, 12), o)
			fatal.If(t, err)
			all = len(h.units(false))
			if h.RatedByPeople() != 6 || (h.People.Units != 6 || h.People.Of != all || h.People.Draw != Simple) {
				t.Fatalf("pairs %v: people rate %d, recorded %+v of %d", pairs, h.RatedByPeople(), h.People, all)
			}
			for _, unit := range h.units(true) {
				times[unit]++
			}
			own := h.For("ann")
			fatal.If(t, own.Check())
			if own.People != nil || len(own.units(false)) != len(h.Of("ann")) {
				t.Errorf("pairs %v: a rater's file has %d of %d, and says %v", pairs, len(own.units(false)), len(h.Of("ann")), own.People)
			}
			h.People.Of++
			h.Plan = h.hash()
			if h.Check() == nil {
				t.Error("a changed draw was accepted")
			}
		}
		expected := 6 * seeds / float64(all)
		for unit, n := range times {
			if float64(n) < expected*0.6 || float64(n) > expected*1.4 {
				t.Errorf("pairs %v: %v was drawn %d times, expected %.0f", pairs, unit, n, expected)
			}
		}
		if len(times) != all {
			t.Errorf("pairs %v: %d of %d were ever drawn", pairs, len(times), all)
		}
	}
	for _, o := range []Setup{{People: 99}, {People: 3, PerRater: 3}, {People: -1}} {
		o.Raters, o.Overlap = []string{"ann"}, 1
		if _, err := Make(answered(t, []string{"alpha-1"}, 4), o); err == nil {
			t.Errorf("%s was accepted", fmt.Sprint(o.People, o.PerRater))
		}
	}
}

// Of a stratified draw people rate equally many of each value, the plan records it and is refused when it was changed, and
// the estimates of all answers hold although accepted answers are rated more often than drawn at random: without weights
// they would be far off.
func TestStratifiedDraw(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	held, biased, times := 0, 0, 60
	for range times {
		pool := NewPool()
		for i := range 120 {
			verdict := "wrong_answer"
			if i%8 == 0 {
				verdict = "accepted"
			}
			fatal.If(t, pool.AddAnswer("bench", ModelAnswer{Model: "alpha-1", Task: &benchmark.Task{ID: fmt.Sprintf("t/%d", i), Title: "T"}, Text: fmt.Sprintf("answer %d", i),
				Result: &session.VerdictRecorded{Attempt: 1, Verdict: verdict}}, ""))
		}
		quality := map[string]opinion{}
		all := 0.0
		think := func(item *Item) opinion {
			if _, known := quality[item.Task.ID]; !known {
				x := 2 + 0.6*r.NormFloat64()
				if item.Attempts[0].Verdict.Verdict == "accepted" {
					x += 2
				}
				quality[item.Task.ID] = opinion{x, x + 0.4*r.NormFloat64() + 0.5}
			}
			return quality[item.Task.ID]
		}
		s := judgedPool(t, r, pool, Setup{People: 28, PeopleBy: "verdict"}, think)
		h := s.Header
		if p := h.People; p.Draw != Stratified || !slices.Equal(p.Strata, []Drawn{{"accepted", 14, 15}, {"wrong_answer", 14, 105}}) {
			t.Fatalf("%+v", p)
		}
		for i := range h.Items {
			all += float64(point(think(&h.Items[i]).people)) / float64(len(h.Items))
		}
		a, err := Analyse(s, Apart)
		fatal.If(t, err)
		c := a.Judges[0].Together.Estimates[0]
		if c.Problem != "" || c.Independent != nil {
			t.Fatalf("%+v", c)
		}
		if c.Range.Holds(all) {
			held++
		}
		s.Header.People.Draw = Simple
		a, err = Analyse(s, Apart)
		fatal.If(t, err)
		if !a.Judges[0].Together.Estimates[0].Alone.Holds(all) {
			biased++
		}
	}
	if held < times*9/10 || biased < times*8/10 {
		t.Errorf("with weights the truth is held in %d of %d, without it is missed in %d", held, times, biased)
	}
	h := judgedPool(t, r, answered(t, []string{"alpha-1", "beta-22222"}, 20), Setup{People: 10, PeopleBy: "verdict"}, func(*Item) opinion { return opinion{3, 3} }).Header
	for name, change := range map[string]func(*People){
		"numbers": func(p *People) { p.Strata[0].Units++ }, "a stratum": func(p *People) { p.Strata = p.Strata[1:] }, "the field": func(p *People) { p.By = "colour" },
		"the draw": func(p *People) { p.Draw = "best" }, "no field": func(p *People) { p.By = "" },
	} {
		changed, people := h, *h.People
		people.Strata = slices.Clone(people.Strata)
		change(&people)
		changed.People = &people
		changed.Plan = changed.hash()
		if err := changed.Check(); err == nil || !strings.Contains(err.Error(), "people") {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
	for _, bad := range []Setup{{People: 10, PeopleBy: "colour"}, {PeopleBy: "verdict"}, {People: 1, PeopleBy: "verdict"}, {People: 39, PeopleBy: "verdict"}, {People: 10, PeopleBy: "task"}} {
		bad.Raters, bad.Overlap = []string{"ann"}, 1
		if _, err := Make(answered(t, []string{"alpha-1"}, 20), bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
