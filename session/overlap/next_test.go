package overlap

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/scoring/pairs"
)

// shownPairs lists a rater's pairs that are shown.
func shownPairs(s *Set, rater string) (list []string) {
	for _, e := range s.For(rater) {
		list = append(list, e.Unit())
	}
	return list
}

// One pair after the other is due, each by what its rater judged; no two of the same answers, as many as planned. What the
// file says goes on in another program, from a rater's own file, too.
func TestNextPair(t *testing.T) {
	h, err := Make(answered(t, []string{"m-1", "m-22", "m-333", "m-4444"}, 6), Setup{Raters: []string{"ann", "bob"}, Overlap: 1, PerRater: 12, Pairs: true, Next: Uncertain, Seed: 3})
	fatal.If(t, err)
	path, at := filepath.Join(t.TempDir(), "ann.jsonl"), time.Unix(0, 0).UTC()
	fatal.If(t, Create(path, h.For("ann")))
	f, err := Change(path)
	fatal.If(t, err)
	fatal.If(t, f.Add(Event{Opened: &Opened{"ann", at}}))
	model := map[string]int{}
	for _, item := range h.Items {
		model[item.ID] = item.Model
	}
	answers, compared := map[[2]string]bool{}, map[[2]int]int{}
	for n := range 12 {
		var list []string
		f.Look(func(s *Set) { list = shownPairs(s, "ann") })
		if len(list) != n+1 {
			t.Fatalf("after %d judgements %d pairs are shown", n, len(list))
		}
		p := h.Pair(list[n])
		a, b := model[p.A], model[p.B]
		if answers[p.answers()] || a == b || a < 1 || a > 4 {
			t.Fatalf("pair %d is of models %d and %d, shown before: %v", n, a, b, answers[p.answers()])
		}
		answers[p.answers()] = true
		compared[[2]int{min(a, b), max(a, b)}]++
		outcome := pairs.A // the higher number is better
		if b > a {
			outcome = pairs.B
		}
		fatal.If(t, f.Add(Event{Compared: &Compared{Rater: "ann", Pair: p.ID, Outcome: outcome, At: at}}))
	}
	if compared[[2]int{1, 4}] >= compared[[2]int{1, 2}]+compared[[2]int{2, 3}]+compared[[2]int{3, 4}] {
		t.Errorf("the best and the worst model are compared as often as neighbours: %v", compared)
	}
	var before []string
	f.Look(func(s *Set) {
		before = shownPairs(s, "ann")
		if p := s.Progress()[0]; len(before) != 12 || p.Items != 12 || p.Whole != 12 || s.Missing() != 0 {
			t.Errorf("%d pairs are shown: %+v", len(before), p)
		}
	})
	for _, id := range h.For("ann").Work[0].Items {
		if p := h.Pair(id); !answers[p.answers()] {
			if err := f.Add(Event{Compared: &Compared{Rater: "ann", Pair: id, Outcome: pairs.A, At: at}}); err == nil || !strings.Contains(err.Error(), "ann judges 12 pairs") {
				t.Errorf("one more pair: %v", err)
			}
			break
		}
	}
	fatal.If(t, f.Add(Event{TakenBack: &TakenBack{"ann", at}}))
	fatal.If(t, f.Close())
	own, err := Open(path)
	fatal.If(t, err)
	if again := shownPairs(own, "ann"); strings.Join(again, " ") != strings.Join(before, " ") || own.Missing() != 1 {
		t.Errorf("after reopening\n%v, not\n%v; %d are missing", again, before, own.Missing())
	}
	whole := NewSet(h)
	fresh, err := whole.Take(own)
	fatal.If(t, err)
	for _, ev := range fresh {
		fatal.If(t, whole.Apply(ev))
	}
	fatal.If(t, whole.Apply(Event{Closed: &Closed{By: "eve", At: at}}))
	a, err := whole.analysePairs()
	fatal.If(t, err)
	if a.Chosen != Uncertain || a.Judgements != 11 {
		t.Errorf("%+v", a)
	}
	if why, _ := whole.refusal(); !strings.Contains(why, "not drawn at random") {
		t.Errorf("joined with judges: %q", why)
	}
}

// The same plan and judgements choose the same pairs; another rater begins elsewhere.
func TestNextPairRepeats(t *testing.T) {
	make := func() *Set {
		h, err := Make(answered(t, []string{"m-1", "m-22", "m-333"}, 5), Setup{Raters: []string{"ann", "bob"}, Overlap: 1, PerRater: 4, Pairs: true, Next: Uncertain, Seed: 9})
		fatal.If(t, err)
		return NewSet(h)
	}
	a, b := make(), make()
	if x, y := shownPairs(a, "ann"), shownPairs(b, "ann"); len(x) != 1 || x[0] != y[0] {
		t.Errorf("%v and %v", x, y)
	}
	if x, y := shownPairs(a, "ann"), shownPairs(a, "bob"); x[0] == y[0] {
		t.Errorf("both begin with %v", x)
	}
}

func TestNextPairsThatCannotBe(t *testing.T) {
	good := Setup{Raters: []string{"ann"}, Overlap: 1, PerRater: 4, Pairs: true, Next: Uncertain}
	for want, change := range map[string]func(*Setup){
		"the rule is": func(o *Setup) { o.Next = "best" }, "give both": func(o *Setup) { o.PerRater = 0 }, "no repeats": func(o *Setup) { o.Repeats = 0.1 },
		"of the two numbers": func(o *Setup) { o.People = 3 },
	} {
		o := good
		change(&o)
		if err := o.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	h, err := Make(answered(t, []string{"m-1", "m-22"}, 4), good)
	fatal.If(t, err)
	for want, change := range map[string]func(*Header){
		`"rule" is "best"`: func(h *Header) { h.Next = &Next{"best", 4} }, `"each" 0`: func(h *Header) { h.Next = &Next{Uncertain, 0} },
		`"model" is 0`: func(h *Header) { h.Items[0].Model = 0 },
	} {
		c := h
		c.Items = append([]Item{}, h.Items...)
		change(&c)
		c.Plan = c.hash()
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
