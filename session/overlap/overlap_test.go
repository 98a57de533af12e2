package overlap

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/scoring/stats"
	"assay/session"
)

// made is the log of a made-up session, with its texts.
type made struct {
	events []session.Event
	texts  map[session.Ref][]byte
}

func (m *made) text(text string) session.Ref {
	ref := session.RefOf([]byte(text))
	m.texts[ref] = []byte(text)
	return ref
}

func (m *made) blob(ref session.Ref) ([]byte, error) {
	if text, ok := m.texts[ref]; ok {
		return text, nil
	}
	return nil, fmt.Errorf("there is no text %s", ref)
}

func (m *made) add(payloads ...session.Payload) {
	for _, p := range payloads {
		n := int64(len(m.events) + 1)
		m.events = append(m.events, session.Event{Seq: uint64(n), Payload: p, Stamp: session.Stamp{Wall: 1_772_000_000_000 + n, Mono: n, Process: "p", Boot: "b"}})
	}
}

// attributes are the two attributes rated in these tests.
func attributes() []session.Attribute {
	return []session.Attribute{{ID: "accuracy", Name: "Accuracy"}, {ID: "clarity", Name: "Clarity"}}
}

func labels() []session.Label {
	return []session.Label{
		{ID: "explained", Name: "Explained", Values: []string{"yes", "no"}},
		{ID: "cause", Name: "Cause", Values: []string{"code", "understanding"}, WhenNotSatisfied: true},
	}
}

// sitting is a finished session of a tester in an arm, with the given numbers of attempts for its tasks.
func sitting(id, tester, arm string, tasks int, adjust ...func(*session.Plan)) *made {
	m := &made{texts: map[session.Ref][]byte{}}
	plan := session.Plan{
		Benchmark: "tiny", K: 3, Context: session.Conversation, Tester: tester, Attributes: attributes(), Model: session.Model{Name: "secret-model", Provider: "openai"},
		Study: &session.InStudy{Name: "pilot", Version: 1, Arm: arm, Tester: 1, Part: 1}, Rules: session.Rules{Labels: labels()},
	}
	for i := range tasks {
		t := benchmark.Task{
			ID: fmt.Sprintf("task-%d", i+1), Title: "Double", Language: "python", Description: "Return twice the number.", Reference: "def hidden(): pass",
			Difficulty: benchmark.Difficulties[i%3], Tests: benchmark.Tests{Style: benchmark.Asserts, Asserts: []string{"assert secret(1)"}},
		}
		ref, text := session.TaskContent(&t)
		m.texts[ref] = text
		plan.Tasks = append(plan.Tasks, session.PlanTask{ID: t.ID, Title: t.Title, Difficulty: t.Difficulty, Content: ref})
	}
	for _, f := range adjust {
		f(&plan)
	}
	m.add(session.Opened{Session: id, Plan: plan})
	for i := range tasks {
		m.add(session.TaskOpened{Index: i, Task: fmt.Sprintf("task-%d", i+1)})
		for n := 1; n <= 1+i%2; n++ {
			if n == 1 {
				m.add(session.EditStarted{Attempt: 1})
			}
			decision := session.DecideRefine
			if n == 1+i%2 {
				decision = session.DecideSatisfied
			}
			m.add(session.PromptSent{Attempt: n, Try: 1, Prompt: m.text(fmt.Sprintf("%s asks %d", id, n)), Bytes: 5},
				session.AnswerReceived{Attempt: n, Answer: m.text(fmt.Sprintf("answer %d to %s, task %d", n, id, i)), Bytes: 9, FinishReason: "stop", Model: "secret-model-1"},
				session.CodeExtracted{Task: i, Attempt: n, Code: m.text("def f(): pass"), Bytes: 5, Method: "whole"},
				session.VerdictRecorded{Task: i, Attempt: n, Verdict: "wrong_answer", Passed: 1, Total: 2, Detail: m.text(`{"verdict":"wrong_answer","cases":[{"index":1,"call":"shown()"}]}`)},
				session.Judged{Attempt: n, Decision: decision, VerdictSeen: true})
		}
		m.add(session.Rated{Attribute: "accuracy", Score: 1 + i%5}, session.Rated{Attribute: "clarity", Score: 5 - i%5}, session.Labelled{Label: "explained", Value: "yes"},
			session.Noted{Text: "secret thought"}, session.TaskClosed{Index: i, Outcome: session.Satisfied})
	}
	m.add(session.Closed{Reason: "finished"})
	return m
}

func pooled(t testing.TB, tests session.TestsSeen, sittings ...*made) *Pool {
	t.Helper()
	p := NewPool()
	for _, m := range sittings {
		fatal.If(t, p.Add(m.events, m.blob, tests))
	}
	return p
}

func at(n int) time.Time { return time.Date(2026, 3, 9, 12, 0, n, 0, time.UTC) }

// planned is a plan for twelve items and three raters.
func planned(t testing.TB, overlap int) Header {
	t.Helper()
	p := pooled(t, "", sitting("S1", "tess", "first", 6), sitting("S2", "theo", "second", 6))
	h, err := Make(p, Setup{Raters: []string{"ann", "bob", "cleo"}, Overlap: overlap, Stratify: []string{"arm", "task"}, Seed: 1})
	fatal.If(t, err)
	return h
}

// No file reveals the model, the first tester's ratings, or the tests and reference solution that the study
// hides; a file for one rater does not name other raters.
func TestBlinding(t *testing.T) {
	for _, tests := range []session.TestsSeen{session.SeeTests, session.SeeVerdict, session.SeeNothing} {
		p := pooled(t, tests, sitting("S1", "tess", "first", 6))
		h, err := Make(p, Setup{Raters: []string{"ann", "bob"}, Overlap: 2, Seed: 1, Tests: tests})
		fatal.If(t, err)
		one := h.For("ann")
		fatal.If(t, one.Check())
		path := filepath.Join(t.TempDir(), "ann.jsonl")
		fatal.If(t, Create(path, one))
		text := fatal.Read(t, path)
		hidden := []string{"secret", "hidden()", "tess", "first", "bob", "S1\"", "cause"}
		if tests != session.SeeTests {
			hidden = append(hidden, "shown()")
		}
		if tests == session.SeeNothing {
			hidden = append(hidden, "wrong_answer")
		}
		for _, word := range hidden {
			if bytes.Contains(text, []byte(word)) {
				t.Errorf("tests %s: the file of a rater says %q", tests, word)
			}
		}
		for _, word := range []string{"S1 asks 2", "answer 2 to S1, task 1", "def f()", "Return twice"} {
			if !bytes.Contains(text, []byte(word)) {
				t.Errorf("the file of a rater does not say %q", word)
			}
		}
	}
}

// Only final answers of people's finished sessions are included; others are left out with the reason.
func TestWhatIsRatedAgain(t *testing.T) {
	open := sitting("S2", "theo", "first", 3)
	open.events = open.events[:len(open.events)-1]
	imported := sitting("S3", "tim", "first", 3)
	for i := range imported.events {
		imported.events[i].Origin = session.Imported
	}
	practice := sitting("S4", "tina", "first", 3, func(p *session.Plan) { p.Tasks[0].Practice = true })
	p := pooled(t, "", sitting("S1", "tess", "first", 3), open, imported, practice)
	if p.Len() != 5 || p.Left["of sessions that are not finished"] != 3 || p.Left["of sessions that were imported, which have no outputs"] != 3 {
		t.Errorf("%d items, left out %v", p.Len(), p.Left)
	}
	// The same output twice is one item with two origins.
	again := sitting("S1", "tony", "first", 3)
	again.events[0].Payload = func() session.Payload { o := again.events[0].Payload.(session.Opened); o.Session = "S5"; return o }()
	if err := p.Add(again.events, again.blob, ""); err != nil || p.Len() != 5 {
		t.Fatalf("%d items: %v", p.Len(), err)
	}
	h, err := Make(p, Setup{Raters: []string{"ann", "Tony", "bob"}, Overlap: 2, Seed: 1})
	fatal.If(t, err)
	origins := map[string][]string{}
	for _, o := range h.Origins {
		origins[o.Item] = append(origins[o.Item], o.Tester)
	}
	twice := 0
	for item, testers := range origins {
		if len(testers) == 2 {
			twice++
			if slices.Contains(h.ratersOf(item), "Tony") {
				t.Errorf("Tony rates %s, whose prompts tony wrote", item)
			}
		}
	}
	if twice != 3 {
		t.Errorf("%d items of two origins", twice)
	}
	other := sitting("S6", "tess", "first", 1, func(p *session.Plan) { p.Attributes[0].Points, p.Attributes[1].Points = 7, 7 })
	if err := p.Add(other.events, other.blob, ""); err == nil || !strings.Contains(err.Error(), "rate different attributes") {
		t.Errorf("another form: %v", err)
	}
}

// Each item has exactly the requested number of raters, loads differ by at most one, strata are
// proportional, nobody rates answers to their own prompts, and the plan is reproducible by its seed.
func TestPlans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		testers, tasks := rapid.IntRange(1, 5).Draw(t, "testers"), rapid.IntRange(1, 6).Draw(t, "tasks")
		p := NewPool()
		for i := range testers {
			for j := range tasks {
				id := fmt.Sprintf("%03d", i*10+j)
				c := candidate{item: Item{ID: id}, task: session.PlanTask{ID: fmt.Sprint("t", j)}}
				c.origins = []Origin{{Item: id, Task: fmt.Sprint("t", j), Arm: fmt.Sprint("arm", i%2), Tester: fmt.Sprint("p", i)}}
				p.list = append(p.list, c)
			}
		}
		o := Setup{Seed: rapid.Uint64().Draw(t, "seed"), Stratify: []string{"arm", "task"}}
		raters := rapid.IntRange(1, 6).Draw(t, "raters")
		conflict := rapid.Bool().Draw(t, "testers rate")
		for i := range raters {
			name := fmt.Sprint("r", i)
			if conflict && i < testers {
				name = fmt.Sprint("p", i)
			}
			o.Raters = append(o.Raters, name)
		}
		o.Overlap = rapid.IntRange(1, raters).Draw(t, "overlap")
		var list []*candidate
		for i := range p.list {
			if len(slices.DeleteFunc(slices.Clone(o.Raters), p.list[i].wrote)) >= o.Overlap {
				list = append(list, &p.list[i])
			}
		}
		if len(list) == 0 {
			return
		}
		n := rapid.IntRange(1, len(list)).Draw(t, "n")
		drawn := draw(list, o.Stratify, n, o.source())
		if len(drawn) != n {
			t.Fatalf("%d drawn of %d", len(drawn), n)
		}
		for _, arm := range []string{"arm0", "arm1"} {
			have, all := 0, 0
			for _, c := range list {
				all += count(c.stratum("arm") == arm)
			}
			for _, c := range drawn {
				have += count(c.stratum("arm") == arm)
			}
			if share := float64(n*all) / float64(len(list)); math.Abs(float64(have)-share) >= 1 {
				t.Fatalf("%d of %s, whose share is %.2f", have, arm, share)
			}
		}
		dealt := deal(drawn, o)
		for i, again := range deal(drawn, o) {
			if !slices.Equal(again, dealt[i]) {
				t.Fatal("the same seed deals otherwise")
			}
		}
		by, least, most := map[string]int{}, n, 0
		for r, own := range dealt {
			least, most = min(least, len(own)), max(most, len(own))
			seen := map[string]bool{}
			for _, c := range own {
				if seen[c.item.ID] || c.wrote(o.Raters[r]) {
					t.Fatalf("%s has %s twice, or wrote its prompts", o.Raters[r], c.item.ID)
				}
				seen[c.item.ID] = true
				by[c.item.ID]++
			}
		}
		for _, c := range drawn {
			if by[c.item.ID] != o.Overlap {
				t.Fatalf("%d rate %s", by[c.item.ID], c.item.ID)
			}
		}
		if !conflict && most-least > 1 {
			t.Fatalf("somebody has %d items and somebody %d", most, least)
		}
		for _, arm := range []string{"arm0", "arm1"} { // items of a stratum are dealt one after the other
			low, high := n, 0
			for _, own := range dealt {
				have := 0
				for _, c := range own {
					have += count(c.stratum("arm") == arm)
				}
				low, high = min(low, have), max(high, have)
			}
			if !conflict && high-low > 2 {
				t.Fatalf("of %s somebody has %d and somebody %d", arm, high, low)
			}
		}
	})
}

func count(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

// The same seed gives the same plan, and another seed another plan; an impossible plan is an error with the
// reason.
func TestMake(t *testing.T) {
	a, b := planned(t, 2), planned(t, 2)
	if !a.same(&b) || len(a.Items) != 12 || len(a.Work) != 3 || len(a.Of("bob")) != 8 {
		t.Errorf("%d items, %d for bob", len(a.Items), len(a.Of("bob")))
	}
	p := pooled(t, "", sitting("S1", "tess", "first", 6))
	h, err := Make(p, Setup{Raters: []string{"ann", "bob", "cleo"}, Overlap: 2, PerRater: 3, Seed: 5, Stratify: []string{"difficulty"}})
	if err != nil || len(h.Items) != 4 {
		t.Errorf("%d items for 3 raters with 3 each, twice: %v", len(h.Items), err)
	}
	for want, o := range map[string]Setup{
		"there are no raters":         {Overlap: 1},
		"3 people cannot rate":        {Raters: []string{"a", "b"}, Overlap: 3},
		"stratified by \"mood\"":      {Raters: []string{"a"}, Overlap: 1, Stratify: []string{"mood"}},
		"\"A\" is duplicated":         {Raters: []string{"a", "A"}, Overlap: 1},
		"begins or ends with a space": {Raters: []string{"a "}, Overlap: 1},
		"no outputs to rate":          {Raters: []string{"tess"}, Overlap: 1},
		"a number from 1":             {Raters: []string{"a"}, Overlap: 1, PerRater: -1},
	} {
		if _, err := Make(p, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// The fold: a rejected event changes nothing, all events of a rater can be undone, other raters are hidden
// until closing, ratings end at closing, and a settlement requires a reason.
func TestFold(t *testing.T) {
	h := planned(t, 3)
	s := NewSet(h)
	item := h.Of("ann")[0]
	rated := func(rater, attribute string, score int) Event {
		return Event{Rated: &Rated{Rater: rater, Item: item, Attribute: attribute, Score: score, At: at(1)}}
	}
	must := func(events ...Event) {
		t.Helper()
		for _, ev := range events {
			fatal.If(t, s.Apply(ev))
		}
	}
	refused := func(want string, ev Event) {
		t.Helper()
		if err := s.Apply(ev); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	refused("takes exactly one", Event{})
	refused("has not opened", rated("ann", "accuracy", 3))
	for _, who := range h.Raters {
		must(Event{Opened: &Opened{who, at(0)}})
	}
	refused("not a rater here", Event{Opened: &Opened{"tess", at(0)}})
	refused("points 1 to 5", rated("ann", "accuracy", 6))
	refused("there is no \"mood\"", rated("ann", "mood", 1))
	refused("there is no \"cause\"", Event{Labelled: &Labelled{Rater: "ann", Item: item, Label: "cause", Value: "code"}})
	refused("one of yes, no", Event{Labelled: &Labelled{Rater: "ann", Item: item, Label: "explained", Value: "perhaps"}})
	refused("no rating to take back", Event{TakenBack: &TakenBack{Rater: "ann"}})
	refused("not closed yet", Event{Settled: &Settled{By: "eve", Item: item, Attribute: "accuracy", Score: 3, Reason: "so"}})
	must(rated("ann", "accuracy", 5), rated("bob", "accuracy", 1), rated("ann", "clarity", 2), Event{Noted: &Noted{"ann", item, "terse", at(2)}})
	if e := s.For("ann")[0]; e.Form.Scores["accuracy"] != 5 || e.Form.Note != "terse" || s.Last("ann") != item {
		t.Errorf("%+v", e.Form)
	}
	must(Event{TakenBack: &TakenBack{"ann", at(3)}}, Event{TakenBack: &TakenBack{"ann", at(3)}})
	if f := s.For("ann")[0].Form; f.Filled() != 1 || f.Note != "" || s.form("bob", item).Scores["accuracy"] != 1 {
		t.Errorf("%+v", f)
	}
	if _, err := s.Given(item); !errors.Is(err, ErrOpen) {
		t.Errorf("peers before the closing: %v", err)
	}
	if _, err := Analyse(s, 2); !errors.Is(err, ErrOpen) {
		t.Errorf("agreement before the closing: %v", err)
	}
	if _, err := s.Disputes(2); !errors.Is(err, ErrOpen) {
		t.Errorf("disputes before the closing: %v", err)
	}
	refused("who closes", Event{Closed: &Closed{}})
	must(Event{Closed: &Closed{By: "eve", At: at(4)}})
	refused("closed by eve", rated("ann", "accuracy", 3))
	refused("closed by eve", Event{TakenBack: &TakenBack{"ann", at(3)}})
	refused("already closed", Event{Closed: &Closed{By: "eve"}})
	if d, err := s.Disputes(2); err != nil || len(d) != 1 || d[0].Attribute.Name != "Accuracy" || len(d[0].Answers) != 3 || d[0].Answers[0].Letter != "A" || d[0].Settled != nil {
		t.Errorf("%+v, %v", d, err)
	}
	refused("\"reason\" is empty", Event{Settled: &Settled{By: "eve", Item: item, Attribute: "accuracy", Score: 3}})
	refused("one of them", Event{Settled: &Settled{By: "eve", Item: item, Reason: "x"}})
	refused("points 1 to 5", Event{Settled: &Settled{By: "eve", Item: item, Attribute: "accuracy", Score: 9, Reason: "x"}})
	must(Event{Settled: &Settled{By: "eve", Item: item, Attribute: "accuracy", Score: 2, Reason: "ran it", At: at(5)}})
	must(Event{Settled: &Settled{By: "eve", Item: item, Attribute: "accuracy", Score: 3, Reason: "ran it again", At: at(6)}})
	if list := s.Settlements(); len(list) != 1 || list[0].Score != 3 {
		t.Errorf("%+v", list)
	}
	must(Event{Unsettled: &Unsettled{By: "eve", At: at(7)}})
	if d, _ := s.Disputes(2); d[0].Settled == nil || d[0].Settled.Score != 2 {
		t.Errorf("%+v", d[0].Settled)
	}
}

// Files of single raters can be combined; files of other plans cannot.
func TestFilesPutTogether(t *testing.T) {
	dir := t.TempDir()
	h := planned(t, 2)
	all := filepath.Join(dir, "all.jsonl")
	fatal.If(t, Create(all, h))
	if err := Create(all, h); err == nil {
		t.Error("a file that is there was made anew")
	}
	give := func(rater string, score int) string {
		path := filepath.Join(dir, fmt.Sprintf("%s%d.jsonl", rater, score))
		fatal.If(t, Create(path, h.For(rater)))
		f, err := Change(path)
		fatal.If(t, err)
		fatal.If(t, f.Add(Event{Opened: &Opened{rater, at(0)}}, Event{Rated: &Rated{rater, h.Of(rater)[0], "accuracy", score, at(score), false}}))
		if err := f.Add(Event{Closed: &Closed{By: "eve"}}); err == nil {
			t.Error("the file of one rater was closed")
		}
		fatal.If(t, f.Close())
		return path
	}
	take := func(path string) error {
		other, err := Open(path)
		if err != nil {
			return err
		}
		f, err := Change(all)
		if err != nil {
			return err
		}
		var fresh []Event
		f.Look(func(s *Set) { fresh, err = s.Take(other) })
		if err == nil {
			err = f.Add(fresh...)
		}
		return errors.Join(err, f.Close())
	}
	first := give("ann", 4)
	for range 2 { // again changes nothing
		fatal.If(t, take(first))
	}
	if s, err := Open(all); err != nil || s.For("ann")[0].Form.Scores["accuracy"] != 4 || len(s.people["ann"].events) != 2 {
		t.Errorf("%v", err)
	}
	if err := take(give("ann", 5)); err == nil || !strings.Contains(err.Error(), "ann rated differently") {
		t.Errorf("two files of ann: %v", err)
	}
	if _, err := Change(first); err != nil {
		t.Error(err)
	}
	other := planned(t, 3)
	path := filepath.Join(dir, "other.jsonl")
	fatal.If(t, Create(path, other.For("bob")))
	if err := take(path); err == nil || !strings.Contains(err.Error(), "a different plan") {
		t.Errorf("another plan: %v", err)
	}
}

// A person who opened the common file without rating, and rates in a separate file, can be combined in any
// order; different ratings of one rater in both files are rejected.
func TestLookingIsNotRating(t *testing.T) {
	h := planned(t, 2)
	set := func(h Header, events ...Event) *Set {
		s := NewSet(h)
		for _, ev := range events {
			fatal.If(t, s.Apply(ev))
		}
		return s
	}
	opened := func(n int) Event { return Event{Opened: &Opened{"ann", at(n)}} }
	score := func(n, score int) Event {
		return Event{Rated: &Rated{"ann", h.Of("ann")[0], "accuracy", score, at(n), false}}
	}
	own := set(h.For("ann"), opened(3), score(4, 2), opened(5), score(6, 3))
	for name, c := range map[string]struct {
		all   *Set
		fresh int
	}{
		"nothing":         {set(h), 4},
		"looked":          {set(h, opened(1), opened(2)), 2},
		"rated a part":    {set(h, opened(1), score(4, 2), opened(7)), 1},
		"rated the same":  {set(h, opened(1), score(4, 2), score(6, 3)), 0},
		"went on in this": {set(h, opened(1), score(4, 2), score(6, 3), score(8, 4)), 0},
	} {
		fresh, err := c.all.Take(own)
		if err != nil || len(fresh) != c.fresh {
			t.Errorf("%s: %d events, %v", name, len(fresh), err)
		}
		for _, ev := range fresh {
			if err := c.all.Apply(ev); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if again, err := c.all.Take(own); err != nil || len(again) != 0 {
			t.Errorf("%s, again: %d events, %v", name, len(again), err)
		}
	}
	if _, err := set(h, opened(1), score(4, 5)).Take(own); err == nil || !strings.Contains(err.Error(), "rated differently") {
		t.Errorf("another score: %v", err)
	}
}

// The error about a truncated or modified file names the place.
func TestDamagedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.jsonl")
	fatal.If(t, Create(path, planned(t, 2)))
	whole := fatal.Read(t, path)
	for want, text := range map[string]string{
		"does not begin like a file": "{\"assay_estimates\":1}\n",
		"has no whole line":          "{",
		"was changed":                strings.Replace(string(whole), `"overlap":2`, `"overlap":3`, 1),
		"not the hash":               strings.Replace(string(whole), "answer 1 to S1", "answer 7 to S1", 1),
		":2: ":                       string(whole) + "{\"rated\":{}}\n",
		"takes exactly one":          string(whole) + "{}\n",
	} {
		fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	fatal.If(t, os.WriteFile(path, append(whole, "{\"opened\":{\"rater\":\"ann\",\"at\":\"2026"...), 0o644))
	f, err := Change(path)
	fatal.If(t, err)
	fatal.If(t, f.Close())
	if text, _ := os.ReadFile(path); !bytes.Equal(text, whole) {
		t.Error("what a crash cut off is still there")
	}
}

// oracle is the output of agreement.R.
func oracle(t *testing.T) map[string]float64 {
	t.Helper()
	text := fatal.Read(t, "testdata/agreement.txt")
	values := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		v, err := strconv.ParseFloat(fields[len(fields)-1], 64)
		fatal.If(t, err)
		values[strings.Join(fields[:len(fields)-1], " ")] = v
	}
	return values
}

// rated is a closed set in which the people of testdata/ratings.csv rated twelve items; with two raters for
// each item, the n-th item lacks the rater n modulo 3.
func rated(t *testing.T, all bool) *Set {
	t.Helper()
	f, err := os.Open("testdata/ratings.csv")
	fatal.If(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	fatal.If(t, err)
	h := planned(t, 3)
	if !all {
		h.Overlap = 2
		for r := range h.Work {
			h.Work[r].Items = nil
			for i, it := range h.Items {
				if i%3 != r {
					h.Work[r].Items = append(h.Work[r].Items, it.ID)
				}
			}
		}
		h.Plan = h.hash()
		fatal.If(t, h.Check())
	}
	s := NewSet(h)
	for _, who := range h.Raters {
		fatal.If(t, s.Apply(Event{Opened: &Opened{who, at(0)}}))
	}
	for _, row := range rows[1:] {
		n, _ := strconv.Atoi(strings.TrimPrefix(row[0], "item"))
		item, who := h.Items[n-1].ID, h.Raters[row[1][0]-'A']
		if !slices.Contains(h.Of(who), item) {
			continue
		}
		for i, attribute := range []string{"accuracy", "clarity"} {
			score, _ := strconv.Atoi(row[2+i])
			fatal.If(t, s.Apply(Event{Rated: &Rated{who, item, attribute, score, at(n), false}}))
		}
		fatal.If(t, s.Apply(Event{Labelled: &Labelled{who, item, "explained", row[4], at(n)}}))
	}
	fatal.If(t, s.Apply(Event{Closed: &Closed{By: "eve", At: at(60), Missing: s.Missing()}}))
	return s
}

// Agreement equals that of R, with every item rated by all, and by two of three.
func TestAgreementIsThatOfR(t *testing.T) {
	want, compared := oracle(t), 0
	same := func(name string, got *float64) {
		t.Helper()
		w, ok := want[name]
		if !ok {
			t.Fatalf("R says nothing of %q", name)
		}
		if compared++; got == nil || math.Abs(*got-w) > 1e-11 {
			t.Errorf("%s: %v, and R says %v", name, got, w)
		}
	}
	a, err := Analyse(rated(t, true), Apart)
	fatal.If(t, err)
	for _, x := range append(slices.Clone(a.Attributes), a.Total) {
		same(x.ID+" ordinal", x.Ordinal.Value)
		same(x.ID+" interval", x.Interval.Value)
		same(x.ID+" icc21", x.ICC.Single)
		same(x.ID+" icc2k", x.ICC.Mean)
		for _, k := range x.Kappas {
			same(fmt.Sprintf("%s kappa %s %s", x.ID, k.A, k.B), k.Kappa)
		}
		if x.Ordinal.Range != nil || x.Ordinal.NoneSaid != "fewer than 20 answers" || x.Items != 12 || x.Ratings != 36 {
			t.Errorf("%s: %d items, %d ratings, %+v", x.ID, x.Items, x.Ratings, x.Ordinal)
		}
	}
	same("explained fleiss", a.Labels[0].Kappa)
	two, err := Analyse(rated(t, false), Apart)
	fatal.If(t, err)
	for _, x := range two.Attributes {
		same("two "+x.ID+" ordinal", x.Ordinal.Value)
		same("two "+x.ID+" interval", x.Interval.Value)
		if x.ICC.Single != nil || !strings.Contains(x.ICC.Problem, "2 of 3 raters rate each item") {
			t.Errorf("ICC of two of three: %+v", x.ICC)
		}
	}
	if compared != len(want) {
		t.Errorf("%d values compared of %d", compared, len(want))
	}
}

// The first tester's ratings are those of an additional rater, separate from all other numbers.
func TestFirstTester(t *testing.T) {
	s := rated(t, true)
	a, err := Analyse(s, Apart)
	fatal.If(t, err)
	sum := 0.0
	for _, o := range s.Header.Origins {
		var three float64
		for _, r := range s.Header.Raters {
			three += float64(s.form(r, o.Item).Scores["accuracy"]) / 3
		}
		sum += float64(o.Ratings["accuracy"]) - three
	}
	f := a.Attributes[0].First
	if f.Items != 12 || f.Difference == nil || math.Abs(*f.Difference-sum/12) > 1e-12 || f.Alpha == nil || *f.Alpha == *a.Attributes[0].Ordinal.Value {
		t.Errorf("%+v", f)
	}
}

// Reasons to look at a rated answer that is resolved are listed, of its last attempt and where raters see a verdict.
func TestToReview(t *testing.T) {
	s := rated(t, true)
	s.Header.Items[3].Attempts = []Shown{{Verdict: &session.VerdictRecorded{ToReview: []string{"earlier"}}}, {Verdict: &session.VerdictRecorded{ToReview: []string{"a.py:1 names stack frames: _getframe"}}}}
	s.Header.Items[4].Attempts = []Shown{{}}
	a, err := Analyse(s, Apart)
	fatal.If(t, err)
	if want := []Review{{s.Header.Items[3].ID, s.Header.Items[3].Task.ID, "a.py:1 names stack frames: _getframe"}}; !slices.Equal(a.ToReview, want) {
		t.Errorf("%+v, want %+v", a.ToReview, want)
	}
}

// There is no interval for a few answers, nor for raters who always agree, and the result says so; there is
// one for enough answers with disagreements.
func TestIntervals(t *testing.T) {
	of := func(items int, differ bool) *Analysis {
		h, err := Make(pooled(t, "", sitting("S1", "", "first", items)), Setup{Raters: []string{"ann", "bob"}, Overlap: 2, Seed: 1})
		fatal.If(t, err)
		s := NewSet(h)
		for r, who := range h.Raters {
			events := []Event{{Opened: &Opened{who, at(0)}}}
			for i, it := range h.Items {
				score, value := 1+i%3, h.Labels[0].Values[i%2]
				if differ && i%4 == 3 {
					score, value = score+r, h.Labels[0].Values[r]
				}
				events = append(events, Event{Rated: &Rated{who, it.ID, "accuracy", score, at(1), false}}, Event{Labelled: &Labelled{who, it.ID, "explained", value, at(1)}})
			}
			for _, ev := range events {
				fatal.If(t, s.Apply(ev))
			}
		}
		fatal.If(t, s.Apply(Event{Closed: &Closed{By: "eve"}}))
		a, err := Analyse(s, Apart)
		fatal.If(t, err)
		return a
	}
	for _, c := range []struct {
		items  int
		differ bool
		kappa  string // why there is no interval; "": there is one
		others string
	}{
		{19, true, "fewer than 20 answers", "fewer than"},
		{30, false, "do not vary enough", "do not vary enough"},
		{30, true, "", ""},
	} {
		a := of(c.items, c.differ)
		x, l := a.Attributes[0], a.Labels[0]
		for _, got := range []struct {
			name       string
			value      *float64
			r          *stats.Interval
			none, want string
		}{
			{"ordinal", x.Ordinal.Value, x.Ordinal.Range, x.Ordinal.NoneSaid, c.others},
			{"interval", x.Interval.Value, x.Interval.Range, x.Interval.NoneSaid, c.others},
			{"kappa", x.Kappas[0].Kappa, x.Kappas[0].Range, x.Kappas[0].NoneSaid, c.kappa},
			{"ICC(2,1)", x.ICC.Single, x.ICC.SingleRange, x.ICC.NoneSaid, c.others},
			{"ICC(2,k)", x.ICC.Mean, x.ICC.MeanRange, x.ICC.NoneSaid, c.others},
			{"Fleiss", l.Kappa, l.Range, l.NoneSaid, c.others},
		} {
			switch {
			case got.value == nil:
				t.Errorf("%d, %s: no value", c.items, got.name)
			case (got.want == "") != (got.none == "") || !strings.Contains(got.none, got.want) || (got.r == nil) != (got.want != ""):
				t.Errorf("%d, %s: %v, %q, want %q", c.items, got.name, got.r, got.none, got.want)
			case got.r != nil && !(got.r.Low < *got.value && *got.value <= got.r.High):
				t.Errorf("%d, %s: %v not in %v", c.items, got.name, *got.value, got.r)
			}
		}
	}
}

// Agreement that cannot be computed is an error with the reason.
func TestRefusedAgreement(t *testing.T) {
	p := pooled(t, "", sitting("S1", "", "first", 6))
	for _, c := range []struct {
		raters  []string
		overlap int
		score   int
		want    [3]string // of alpha, ICC and the label
	}{
		{[]string{"ann"}, 1, 3, [3]string{"one person", "one rater", "one person"}},
		{[]string{"ann", "bob"}, 2, 3, [3]string{"all ratings are equal", "do not vary", "all gave the same label"}},
		{[]string{"ann", "bob"}, 2, 0, [3]string{"no item was rated by two", "fewer than two items", "no item was labelled"}},
	} {
		h, err := Make(p, Setup{Raters: c.raters, Overlap: c.overlap, Seed: 1})
		fatal.If(t, err)
		s := NewSet(h)
		for _, who := range c.raters {
			events := []Event{{Opened: &Opened{who, at(0)}}}
			for _, id := range h.Of(who) {
				if c.score > 0 {
					events = append(events, Event{Rated: &Rated{who, id, "accuracy", c.score, at(1), false}}, Event{Labelled: &Labelled{who, id, "explained", "yes", at(1)}})
				}
			}
			for _, ev := range events {
				fatal.If(t, s.Apply(ev))
			}
		}
		fatal.If(t, s.Apply(Event{Closed: &Closed{By: "eve"}}))
		a, err := Analyse(s, Apart)
		fatal.If(t, err)
		x := a.Attributes[0]
		for i, got := range []string{x.Ordinal.Problem, x.ICC.Problem, a.Labels[0].Problem} {
			if !strings.Contains(got, c.want[i]) {
				t.Errorf("%v: %q, want %q", c.raters, got, c.want[i])
			}
		}
		if x.Ordinal.Value != nil || x.ICC.Single != nil {
			t.Errorf("%+v", x)
		}
	}
	if _, err := Analyse(rated(t, true), 9); err == nil || !strings.Contains(err.Error(), "allow 1 to 4") {
		t.Errorf("9 points apart: %v", err)
	}
}
