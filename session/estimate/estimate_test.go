package estimate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session/prompts"
)

// fails checks that an error contains a text.
func fails(t *testing.T, err error, says string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v, want an error that says %q", err, says)
	}
}

func at() time.Time { return time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC) }

// header asks about tasks a, b and c.
func header(estimators int) Header {
	h := Header{Version: Version, Benchmark: "three", TasksHash: "h", Round: 1, Rounds: 2, Estimators: estimators, Threshold: 0.6, Minutes: DefaultMinutes()}
	for _, id := range []string{"a", "b", "c"} {
		h.Items = append(h.Items, Item{Task: id, Hash: id, Phrasings: []Phrasing{{"statement", "Return the sum of all the numbers in " + id + "."}}})
	}
	return h
}

// given is a complete estimate.
func given(who, task string, time, difficulty int) Event {
	return Event{Estimate: &Estimate{Estimator: who, Task: task, At: at(),
		Form: Form{Summary: "sums up " + task + " now", Time: &time, Difficulty: difficulty, Reason: "a loop over " + task + " by " + who + "'s pen", MS: 60_000}}}
}

// play folds events into a round; all must succeed.
func play(t *testing.T, h Header, events ...Event) *Round {
	t.Helper()
	r := NewRound(h)
	r.Name = fmt.Sprintf("round%d", h.Round)
	for _, ev := range events {
		fatal.If(t, r.Apply(ev))
	}
	return r
}

// times are people's estimates for each task of a round: the categories, by person.
func times(t *testing.T, h Header, prefix string, by [][]int) *Round {
	t.Helper()
	var events []Event
	for p, row := range by {
		who := fmt.Sprintf("%s%d", prefix, p)
		events = append(events, Event{Opened: &Opened{who, at()}})
		for i, category := range row {
			events = append(events, given(who, h.Items[i].Task, category, 1+min(4, category)))
		}
		events = append(events, Event{Submitted: &Submitted{who, at()}})
	}
	return play(t, h, events...)
}

// Four equal estimates and a distant one are no agreement, three and two adjacent ones are; for an even
// number both middle ones are returned, and the median is the upper. The forms differ only in the time
// spent.
func TestFormEqual(t *testing.T) {
	form := func() Form { return given("ann", "a", 2, 3).Estimate.Form }
	for name, change := range map[string]func(*Form){
		"summary":    func(f *Form) { f.Summary = "" },
		"time":       func(f *Form) { *f.Time = 1 },
		"no time":    func(f *Form) { f.Time = nil },
		"difficulty": func(f *Form) { f.Difficulty = 4 },
		"reason":     func(f *Form) { f.Reason = "" },
	} {
		other := form()
		if change(&other); form().Equal(other) || other.Equal(form()) {
			t.Errorf("%s: equal to %+v", name, other)
		}
	}
	if later := form(); !form().Equal(later) || later.Equal(Form{}) || !(Form{MS: 7}).Equal(Form{}) {
		t.Errorf("%+v differs from itself, or is empty", later)
	}
}

func TestSettle(t *testing.T) {
	for _, c := range []struct {
		times  []int
		state  State
		spread Spread
	}{
		{[]int{0, 0, 0, 0, 5}, AnotherRound, Spread{0, 0, 0, 5}},
		{[]int{5, 5, 5, 5, 1}, AnotherRound, Spread{1, 5, 5, 5}},
		{[]int{2, 2, 2, 3, 3}, Settled, Spread{2, 2, 2, 3}},
		{[]int{4, 4, 4, 4, 4}, Settled, Spread{4, 4, 4, 4}},
		{[]int{2, 3, 2, 3, 3, 2}, Settled, Spread{2, 2, 3, 3}},
		{[]int{1, 1, 1, 1}, Waiting, Spread{1, 1, 1, 1}},
	} {
		var by [][]int
		for _, category := range c.times {
			by = append(by, []int{category})
		}
		h := header(5)
		r := times(t, h, "p", by).settle("a")
		if r.State != c.state || *r.Time != c.spread || r.Median() != c.spread.High || r.N != len(c.times) {
			t.Errorf("%v: %+v, time %+v, agreement %v", c.times, r, *r.Time, *r.Agreement)
		}
		h.Round = 2
		if last := times(t, h, "p", by).settle("a"); c.state == AnotherRound && last.State != Unagreed {
			t.Errorf("%v in the last round: %s", c.times, last.State)
		}
	}
	if r := NewRound(header(5)).settle("a"); r.State != Waiting || r.Time != nil || r.Agreement != nil {
		t.Errorf("nobody: %+v", r)
	}
}

// Only submitted estimates that are not rejected count, and a rejection can be undone.
func TestWhatCounts(t *testing.T) {
	r := times(t, header(2), "p", [][]int{{1, 1, 1}, {1, 5, 1}})
	fatal.If(t, r.Apply(Event{Opened: &Opened{"late", at()}}))
	fatal.If(t, r.Apply(given("late", "a", 3, 3)))
	n := func() string {
		var list []string
		for _, it := range r.Header.Items {
			list = append(list, fmt.Sprint(len(r.Counted(it.Task))))
		}
		return strings.Join(list, "")
	}
	if n() != "222" {
		t.Errorf("%s count before it is handed in", n())
	}
	fatal.If(t, r.Apply(Event{Submitted: &Submitted{"late", at()}}))
	fatal.If(t, r.Apply(Event{Review: &Review{Estimator: "p1", Task: "b", Refused: true, Reason: "one word", At: at()}}))
	if n() != "312" || r.Refused("p1", "b") != "one word" {
		t.Errorf("%s count after a refusal", n())
	}
	fatal.If(t, r.Apply(Event{Review: &Review{Estimator: "p0", Refused: true, Reason: "at random", At: at()}}))
	fatal.If(t, r.Apply(Event{Review: &Review{Estimator: "p0", Task: "c", At: at()}}))
	if n() != "202" {
		t.Errorf("%s count after all of p0 but c", n())
	}
	fatal.If(t, r.Apply(Event{Review: &Review{Estimator: "p0", At: at()}}))
	fatal.If(t, r.Apply(Event{Review: &Review{Estimator: "p1", At: at()}}))
	if n() != "322" {
		t.Errorf("%s count after all was taken back", n())
	}
}

// Invalid events are rejected with a reason, and change nothing.
func TestRefusedEvents(t *testing.T) {
	h := header(2)
	h.Items[2].Not = []string{h.mark("Ann")}
	r := play(t, h, Event{Opened: &Opened{"ann", at()}})
	seven := 7
	for says, ev := range map[string]Event{
		"takes exactly one":          {},
		"has no name":                {Opened: &Opened{" ", at()}},
		"unprintable characters":     {Opened: &Opened{"a\x1bb", at()}},
		"continue under that name":   {Opened: &Opened{"ANN", at()}},
		"has not opened":             given("bob", "a", 1, 1),
		"no task \"d\"":              given("ann", "d", 1, 1),
		"in an earlier round":        given("ann", "c", 1, 1),
		"categories 0 to 5":          given("ann", "a", 6, 1),
		"points 1 to 5":              given("ann", "a", 1, 6),
		"\"difficulty\" is missing":  given("ann", "a", 1, 0),
		"\"time\" is 7":              {Draft: &Estimate{Estimator: "ann", Task: "a", Form: Form{Time: &seven}}},
		"cannot be negative":         {Draft: &Estimate{Estimator: "ann", Task: "a", Form: Form{MS: -1}}},
		"to take back":               {TakenBack: &TakenBack{"ann", "a", at()}},
		"to hand in":                 {Submitted: &Submitted{"ann", at()}},
		"the estimators are ann":     {Review: &Review{Estimator: "bob"}},
		"no estimate of \"a\"":       {Review: &Review{Estimator: "ann", Task: "a"}},
		"the reason for refusing it": {Review: &Review{Estimator: "ann", Refused: true}},
	} {
		fails(t, r.Apply(ev), says)
	}
	if len(r.Given("ann")) != 0 || len(r.Estimators()) != 1 || len(r.For("ann")) != 2 {
		t.Errorf("something was changed: %v, %v", r.Given("ann"), r.Estimators())
	}
	fatal.If(t, r.Apply(given("ann", "a", 1, 1)))
	fatal.If(t, r.Apply(Event{Submitted: &Submitted{"ann", at()}}))
	fails(t, r.Apply(given("ann", "a", 2, 1)), "already handed in")
	fails(t, r.Apply(Event{Opened: &Opened{"ann", at()}}), "already handed in")
	all := header(2)
	for i := range all.Items {
		all.Items[i].Not = []string{all.mark("ann")}
	}
	fails(t, NewRound(all).MayOpen("ann"), "each round takes new estimators")
}

// An estimate can be replaced, and the previous one restored; a draft is stored separately.
func TestReplaceAndTakeBack(t *testing.T) {
	r := play(t, header(2), Event{Opened: &Opened{"ann", at()}}, given("ann", "a", 1, 1), given("ann", "a", 4, 2))
	e := func() Entry { return r.For("ann")[0] }
	if *e().Form.Time != 4 || e().Changed() || len(r.Given("ann")) != 1 {
		t.Errorf("%+v", e())
	}
	fatal.If(t, r.Apply(Event{TakenBack: &TakenBack{"ann", "a", at()}}))
	if *e().Given.Time != 1 || *e().Form.Time != 4 || !e().Changed() {
		t.Errorf("%+v", e())
	}
	fatal.If(t, r.Apply(Event{TakenBack: &TakenBack{"ann", "a", at()}}))
	if e().Given != nil || *e().Form.Time != 1 || len(e().Form.Missing()) != 0 {
		t.Errorf("%+v", e())
	}
}

// The second round contains the tasks without agreement and the estimates, but no names.
func TestNext(t *testing.T) {
	first := times(t, header(5), "Zoe", [][]int{{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 2, 1}, {5, 2, 5}})
	s, err := Combine(first)
	fatal.If(t, err)
	next, err := s.Next()
	fatal.If(t, err)
	if next.Round != 2 || len(next.Items) != 2 || next.Items[0].Task != "a" || next.Items[1].Task != "c" || !slices.Equal(next.Previous, []string{first.Header.hash()}) {
		t.Fatalf("%+v", next)
	}
	e := next.Items[0].Before[0]
	if e.Time != (Spread{0, 0, 0, 5}) || e.Difficulty != (Spread{1, 1, 1, 5}) || e.N != 5 || len(e.Comments) != 5 || !slices.IsSorted(e.Comments) || len(next.Items[0].Not) != 5 {
		t.Errorf("%+v", e)
	}
	fresh := []string{"Zoe0", "zoe4", "Fay"}
	for i, who := range fresh {
		if err := NewRound(next).MayOpen(who); (err == nil) != (i == 2) {
			t.Errorf("%s: %v", who, err)
		}
	}
	second := times(t, next, "New", [][]int{{0, 0}, {0, 0}, {0, 5}, {1, 5}, {1, 5}})
	s, err = Combine(second, first)
	fatal.If(t, err)
	var states []string
	for _, r := range s.Results() {
		states = append(states, fmt.Sprintf("%s %s %d", r.Task, r.State, r.Round))
	}
	if got := strings.Join(states, ", "); got != "a settled 2, b settled 1, c accepted without agreement 2" {
		t.Error(got)
	}
	_, err = s.Next()
	fails(t, err, "no task needs another round")

	half, err := Combine(times(t, header(5), "p", [][]int{{0, 1, 0}}))
	fatal.If(t, err)
	_, err = half.Next()
	fails(t, err, "estimates are missing for a (1 of 5), b (1 of 5), c (1 of 5)")
}

// Files of one round from several machines can be combined; others cannot.
func TestCombine(t *testing.T) {
	one, two := times(t, header(2), "p", [][]int{{0, 1, 0}}), times(t, header(2), "q", [][]int{{0, 1, 1}})
	s, err := Combine(one, two)
	fatal.If(t, err)
	if r := s.Results()[0]; len(s.Rounds) != 1 || r.State != Settled || r.N != 2 {
		t.Errorf("%+v", r)
	}
	_, err = Combine(times(t, header(2), "p", [][]int{{0, 1, 0}}), times(t, header(2), "p", [][]int{{0, 1, 0}}))
	fatal.If(t, err) // a copy
	_, err = Combine(times(t, header(2), "p", [][]int{{0, 1, 0}}), times(t, header(2), "p", [][]int{{0, 1, 2}}))
	fails(t, err, "has different estimates")
	_, err = Combine(times(t, header(2), "p", [][]int{{0, 1, 0}}), times(t, header(2), "P", [][]int{{0, 1, 0}}))
	fails(t, err, "must use one name")
	for says, change := range map[string]func(*Header){
		"one benchmark":      func(h *Header) { h.Benchmark = "other" },
		"have changed":       func(h *Header) { h.TasksHash = "other" },
		"a different scale":  func(h *Header) { h.Minutes = []int{1, 2, 3} },
		"a different number": func(h *Header) { h.Threshold = 0.5 },
		"two rounds 1":       func(h *Header) { h.Items[0].Title = "other" },
		"was not made from":  func(h *Header) { h.Round = 2 },
	} {
		h := header(2)
		change(&h)
		_, err := Combine(NewRound(header(2)), NewRound(h))
		fails(t, err, says)
	}
	_, err = Combine()
	fails(t, err, "no estimates file")
}

// An earlier copy of a file, one that was opened without estimating, and copies with other rejected
// estimates can be combined in any order; the latest event about an estimate counts.
func TestCombineCopies(t *testing.T) {
	opened := func(seconds int) Event {
		return Event{Opened: &Opened{"ann", at().Add(time.Duration(seconds) * time.Second)}}
	}
	review := func(task string, refused bool, seconds int) Event {
		return Event{Review: &Review{Estimator: "ann", Task: task, Refused: refused, Reason: "why", At: at().Add(time.Duration(seconds) * time.Second)}}
	}
	handedIn := Event{Submitted: &Submitted{"ann", at()}}
	estimates := []Event{opened(0), given("ann", "a", 1, 2), given("ann", "b", 1, 2), given("ann", "c", 1, 2), handedIn}
	looked := given("ann", "a", 0, 1)
	file := func(events ...Event) func() *Round { return func() *Round { return play(t, header(1), events...) } }
	whole := file(estimates...)
	for name, c := range map[string]struct {
		one, other func() *Round
		counted    string // tasks whose estimate counts
	}{
		"a backup":            {whole, file(estimates[:3]...), "abc"},
		"looked later":        {whole, file(opened(9), Event{Draft: looked.Estimate}), "abc"},
		"refused in one":      {whole, file(append(slices.Clone(estimates), review("b", true, 1))...), "ac"},
		"refused in both":     {file(append(slices.Clone(estimates), review("a", true, 1))...), file(append(slices.Clone(estimates), review("b", true, 2))...), "c"},
		"accepted afterwards": {file(append(slices.Clone(estimates), review("", true, 1))...), file(append(slices.Clone(estimates), review("b", false, 2))...), "b"},
		"refused in a backup": {whole, file(opened(0), estimates[1], review("a", true, 3)), "bc"},
	} {
		for _, files := range [][]*Round{{c.one(), c.other()}, {c.other(), c.one()}} {
			s, err := Combine(files...)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			counted := ""
			for _, task := range []string{"a", "b", "c"} {
				if len(s.Rounds[0].Counted(task)) > 0 {
					counted += task
				}
			}
			if counted != c.counted {
				t.Errorf("%s: %q count, not %q", name, counted, c.counted)
			}
		}
	}
	_, err := Combine(whole(), file(opened(0), estimates[1], Event{TakenBack: &TakenBack{"ann", "a", at()}})())
	fails(t, err, "has different estimates")
}

func TestDoubts(t *testing.T) {
	form := func(task, summary, reason string, time, difficulty int, ms int64) Event {
		return Event{Estimate: &Estimate{Estimator: "ann", Task: task, Form: Form{Summary: summary, Time: &time, Difficulty: difficulty, Reason: reason, MS: ms}}}
	}
	kinds := func(events ...Event) string {
		var list []string
		for _, d := range play(t, header(2), append([]Event{{Opened: &Opened{"ann", at()}}}, events...)...).Doubts(EnoughWords) {
			list = append(list, strings.TrimSpace(d.Task+" "+string(d.Kind)))
		}
		return strings.Join(list, ", ")
	}
	const slow = 20_000
	for want, events := range map[string][]Event{
		"":                         {form("a", "sums the numbers", "a loop will do", 1, 1, slow), form("b", "sums other numbers", "two loops will do", 2, 2, slow)},
		"a short text":             {form("a", "sums the numbers", "easy", 1, 1, slow)},
		"a too fast":               {form("a", "sums the numbers", "a loop will do", 1, 1, 900)},
		"a does not go together":   {form("a", "sums the numbers", "a loop will do", 5, 1, slow)},
		"b does not go together":   {form("b", "sums the numbers", "a loop will do", 0, 5, slow)},
		"a same text, b same text": {form("a", "sums the numbers", "a loop will do", 1, 1, slow), form("b", "Sums  the numbers", "two loops will do", 2, 1, slow)},
		"all alike":                {form("a", "sums the numbers", "a loop will do", 1, 1, slow), form("b", "sums other numbers", "two loops will do", 1, 1, slow), form("c", "sums all numbers", "three loops will do", 1, 1, slow)},
	} {
		if got := kinds(events...); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A sample contains all groups in proportion, and is reproducible by its seed.
func TestSample(t *testing.T) {
	b := &benchmark.Benchmark{Name: "many"}
	for i := range 20 {
		body := strings.Repeat("    if x:\n        x += 1\n", i)
		task := benchmark.Task{ID: fmt.Sprintf("t%02d", i), Language: "python", Description: "d", Reference: "def f(x):\n" + body + "    return x\n"}
		if i >= 18 {
			task.Reference = ""
		}
		b.Tasks = append(b.Tasks, task)
	}
	var tasks []*benchmark.Task
	for i := range b.Tasks {
		tasks = append(tasks, &b.Tasks[i])
	}
	groups := groupsOf(tasks)
	for i, want := range map[int]int{0: 1, 5: 1, 6: 2, 11: 2, 12: 3, 17: 3, 18: 0} {
		if got := groups[tasks[i].ID]; got != want {
			t.Errorf("task %d is in group %d, not %d", i, got, want)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		o := Setup{Sample: rapid.IntRange(1, 20).Draw(rt, "n"), Seed: rapid.Uint64().Draw(rt, "seed"), Estimators: 5, Threshold: 0.6, Rounds: 3, Minutes: DefaultMinutes()}
		h, err := First(b, tasks, o)
		fatal.If(rt, err)
		again, _ := First(b, tasks, o)
		sum := 0
		for _, g := range h.Sample.Groups {
			sum += g.Drawn
			if share := float64(o.Sample*g.Tasks) / 20; float64(g.Drawn) < share-1 || float64(g.Drawn) > share+1 {
				rt.Fatalf("%d of group %s, whose share is %v", g.Drawn, g.Name, share)
			}
		}
		if len(h.Items) != o.Sample || sum != o.Sample || h.hash() != again.hash() || len(h.Changed(b)) != 0 {
			rt.Fatalf("%d of %d, %s and %s", len(h.Items), o.Sample, h.hash(), again.hash())
		}
	})
	h, err := First(b, tasks, Setup{Estimators: 5, Threshold: 0.6, Rounds: 3, Minutes: DefaultMinutes()})
	fatal.If(t, err)
	b.Tasks[3].Description = "other"
	if got := h.Changed(b); len(h.Items) != 20 || h.Sample != nil || !slices.Equal(got, []string{"t03"}) {
		t.Errorf("changed: %v", got)
	}
	_, err = First(b, tasks, Setup{Sample: 21})
	fails(t, err, "cannot be drawn")
}

// Accepted wordings accompany the task's own text.
func TestPhrasings(t *testing.T) {
	task := &benchmark.Task{ID: "a", Language: "python", Description: "Return a."}
	set, err := prompts.Create(filepath.Join(t.TempDir(), "p.jsonl"), prompts.Header{Benchmark: "b", Reviewers: 1})
	fatal.If(t, err)
	for wording := range 2 {
		fatal.If(t, set.Propose(prompts.Candidate{Task: "a", Basis: prompts.Basis(task), Level: 1, Wording: wording + 1, Text: fmt.Sprintf("Wording %d.", wording+1)}))
	}
	fatal.If(t, set.Decide(prompts.Decision{Task: "a", Level: 1, Wording: 2, Reviewer: "ann", Verdict: prompts.Accept}))
	h, err := First(&benchmark.Benchmark{Name: "b", Tasks: []benchmark.Task{*task}}, []*benchmark.Task{task}, Setup{Prompts: set, Estimators: 2, Threshold: 0.6, Rounds: 1, Minutes: DefaultMinutes()})
	fatal.If(t, err)
	if p := h.Items[0].Phrasings; len(p) != 2 || p[0].Name != "statement" || p[1].Name != "context-1.2" || !strings.Contains(p[1].Text, "Wording 2.") {
		t.Errorf("%+v", p)
	}
}

// A file returns all added events, tolerates half a last line, is locked for one process, and errors name
// the line and the field.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "round.jsonl")
	fatal.If(t, Create(path, header(2)))
	fails(t, Create(path, header(2)), "cannot be created")
	f, err := Change(path)
	fatal.If(t, err)
	for _, ev := range []Event{{Opened: &Opened{"ann", at()}}, given("ann", "a", 1, 1)} {
		fatal.If(t, f.Add(ev))
	}
	fails(t, f.Add(given("ann", "d", 1, 1)), "no task")
	if _, err := Change(path); err == nil || !strings.Contains(err.Error(), "open") {
		t.Errorf("opened twice: %v", err)
	}
	fatal.If(t, f.Close())
	fatal.If(t, f.Close())
	if err := f.Add(given("ann", "b", 1, 1)); !errors.Is(err, errClosed) {
		t.Error(err)
	}
	whole := fatal.Read(t, path)
	fatal.If(t, os.WriteFile(path, append(slices.Clone(whole), `{"draft":{"estim`...), 0o644))
	r, err := Open(path)
	fatal.If(t, err)
	if len(r.Given("ann")) != 1 {
		t.Errorf("%+v", r.Given("ann"))
	}
	f, err = Change(path)
	fatal.If(t, err)
	fatal.If(t, f.Add(given("ann", "b", 2, 2)))
	fatal.If(t, f.Close())
	if r, err = Open(path); err != nil || len(r.Given("ann")) != 2 {
		t.Errorf("after half a line: %v, %+v", err, r)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	for says, text := range map[string]string{
		"wrong:1: it does not begin":            "{\"assay_prompts\":1}\n",
		"wrong:1: \"threshold\" is 3":           strings.Replace(lines[0], "0.6", "3", 1),
		"wrong:1: \"minutes\"":                  strings.Replace(lines[0], "1,5,10", "5,1,10", 1),
		"wrong:1: \"assay_estimates\" is 2":     strings.Replace(lines[0], "\"assay_estimates\":1", "\"assay_estimates\":2", 1),
		"wrong:1: \"tasks\"[1]: \"task\" \"a\"": strings.Replace(lines[0], "\"task\":\"b\"", "\"task\":\"a\"", 1),
		"wrong:3: it is not a line of a file of estimates: json: cannot unmarshal string": lines[0] + lines[1] + strings.Replace(lines[2], "\"time\":1", "\"time\":\"1\"", 1),
		"wrong:3: \"time\" is 9":          lines[0] + lines[1] + strings.Replace(lines[2], "\"time\":1", "\"time\":9", 1),
		"wrong:2: \"estimator\": \"ann\"": lines[0] + lines[2],
		"wrong:2: it is not a line of a file of estimates: there is data after": lines[0] + strings.TrimSuffix(lines[1], "\n") + lines[1],
		"has no whole line": "{",
	} {
		wrong := filepath.Join(t.TempDir(), "wrong")
		fatal.If(t, os.WriteFile(wrong, []byte(text), 0o644))
		_, err := Open(wrong)
		fails(t, err, says)
	}
	_, err = Open(path + ".none")
	if fails(t, err, "assay difficulty round"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A file cut off anywhere keeps its complete lines.
func TestCutAnywhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "round.jsonl")
	fatal.If(t, Create(path, header(2)))
	first := fatal.Read(t, path)
	f, err := Change(path)
	fatal.If(t, err)
	fatal.If(t, f.Add(Event{Opened: &Opened{"ann", at()}}))
	for _, task := range []string{"a", "b", "c"} {
		fatal.If(t, f.Add(given("ann", task, 1, 2)))
	}
	fatal.If(t, f.Close())
	text := fatal.Read(t, path)
	for n := len(first); n <= len(text); n++ {
		fatal.If(t, os.WriteFile(path, text[:n], 0o644))
		r, err := Open(path)
		if err != nil {
			t.Fatalf("cut off at %d: %v", n, err)
		}
		if want := max(0, strings.Count(string(text[:min(len(text), n+1)]), "\n")-2); len(r.Given("ann")) != want {
			t.Fatalf("cut off at %d: %d estimates, not %d", n, len(r.Given("ann")), want)
		}
	}
}

// A rejected event changes nothing, and a reopened file returns the same state.
func TestAnyEvents(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := header(2)
		h.Items[1].Not = []string{h.mark("bob")}
		r := NewRound(h)
		var taken []Event
		for range rapid.IntRange(0, 40).Draw(rt, "events") {
			who := rapid.SampledFrom([]string{"ann", "bob", "cleo", ""}).Draw(rt, "who")
			task := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(rt, "task")
			ev := []Event{
				{Opened: &Opened{who, at()}}, given(who, task, rapid.IntRange(-1, 6).Draw(rt, "time"), rapid.IntRange(0, 6).Draw(rt, "points")),
				{Draft: &Estimate{Estimator: who, Task: task, Form: Form{Summary: rapid.String().Draw(rt, "summary")}}}, {TakenBack: &TakenBack{who, task, at()}},
				{Submitted: &Submitted{who, at()}}, {Review: &Review{Estimator: who, Task: task, Refused: rapid.Bool().Draw(rt, "refused"), Reason: "r"}},
			}[rapid.IntRange(0, 5).Draw(rt, "kind")]
			before := told(r)
			if err := r.Apply(ev); err == nil {
				taken = append(taken, ev)
			} else if after := told(r); after != before {
				rt.Fatalf("%v, but it was\n%s\nand is\n%s", err, before, after)
			}
		}
		again := NewRound(h)
		for _, ev := range taken {
			fatal.If(rt, again.Apply(ev))
		}
		if told(again) != told(r) {
			rt.Fatalf("%s\nis told again as\n%s", told(r), told(again))
		}
		r.Doubts(EnoughWords)
		for _, it := range h.Items {
			if s := r.settle(it.Task); s.N > 0 && (s.Time == nil || s.N < 2 != (s.Agreement == nil)) {
				rt.Fatalf("%+v", s)
			}
		}
	})
}

// told describes the complete state of a round as text.
func told(r *Round) string {
	var b strings.Builder
	for _, who := range r.Estimators() {
		fmt.Fprintf(&b, "%s %v", who, r.Submitted(who))
		for _, e := range r.For(who) {
			text, err := json.Marshal([]any{e.Task, e.Form, e.Given, r.Refused(who, e.Task)})
			if err != nil {
				panic(err)
			}
			b.Write(text)
		}
	}
	for _, it := range r.Header.Items {
		fmt.Fprintf(&b, " %s %d", it.Task, len(r.Counted(it.Task)))
	}
	return b.String()
}

// Worked examples are put on the round's own scale, go on into its next rounds, and errors name file, line and key.
func TestExamples(t *testing.T) {
	for _, minutes := range [][]int{DefaultMinutes(), {1, 2}, {60, 120}} {
		list, err := OwnExamples(minutes)
		fatal.If(t, err)
		for i, want := range []int{5, 20} {
			x := list[i]
			if x.Time > 0 && minutes[x.Time-1] >= want || x.Time < len(minutes) && minutes[x.Time] < want {
				t.Errorf("%d minutes are category %d of %v", want, x.Time, minutes)
			}
		}
		h := header(2)
		h.Minutes, h.Examples = minutes, list
		fatal.If(t, h.Check())
	}
	whole := "[[example]]\ntitle = \"a\"\ntext = \"b\"\nsummary = \"c\"\nminutes = 5\ndifficulty = \"easy\"\nreason = \"d\"\n"
	for change, says := range map[[2]string]string{
		{"", ""}:                 "",
		{"\"easy\"", "\"soft\""}: "e.toml:6: example.0.difficulty: \"soft\" is not on the scale",
		{"= 5", "= 0"}:           "e.toml:5: example.0.minutes: 0 is no time",
		{"\"d\"", "\" \""}:       "e.toml:7: example.0.reason: it is empty",
		{"title", "name"}:        "e.toml:2: example.0.name: the key is not known",
		{whole, ""}:              "e.toml:1: example: there are 0",
	} {
		_, err := examples("e.toml", strings.Replace(whole, change[0], change[1], 1), DefaultMinutes())
		if got := fmt.Sprint(err); says == "" && err != nil || !strings.Contains(got, says) {
			t.Errorf("%q: %s, want %q", change, got, says)
		}
	}
}

// However many want a place at once, a task has as many estimators as it wants; those who have a place keep it, and one
// whose estimates are all refused leaves it.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		wanted := rapid.IntRange(2, 4).Draw(rt, "wanted")
		path := filepath.Join(t.TempDir(), "r.jsonl")
		fatal.If(rt, Create(path, header(wanted)))
		f, err := Change(path)
		fatal.If(rt, err)
		defer f.Close()
		taken := map[string]bool{}
		for _, who := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}), 1, 12).Draw(rt, "come") {
			err := f.Take(who, at())
			if want := taken[who] || len(taken) < wanted; (err == nil) != want {
				rt.Fatalf("%s, with %v there: %v", who, taken, err)
			}
			if err == nil {
				taken[who] = true
			}
		}
		if len(taken) < wanted {
			return
		}
		var errs [6]error
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = f.Take(fmt.Sprintf("late %d", i), at()) })
		}
		all.Wait()
		for _, err := range errs {
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("all %d places of this round are taken", wanted)) {
				rt.Fatal(err)
			}
		}
		for who := range taken {
			fatal.If(rt, f.Add(Event{Review: &Review{Estimator: who, Refused: true, Reason: "one word"}}))
			fatal.If(rt, f.Take("late", at()))
			return
		}
	})
}
