package tui_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/overlap"
	screen "assay/tui/overlap"
	"assay/tui/work"
)

func init() { screens = append(screens, overlapScreens...) }

// shared makes the file of ratings of a session's answers by three people. Without
// attributes they are the eight, with the standard labels.
func shared(t testing.TB, tasks int, attributes []session.Attribute, labels []session.Label) string {
	t.Helper()
	s := newScribe()
	s.begin("S1", "core-python", tasks, func(p *session.Plan) {
		p.Tester = "tess"
		if attributes != nil {
			p.Attributes, p.Labels = attributes, labels
		}
	})
	for i := range tasks {
		s.add(session.TaskOpened{Index: i, Task: fmt.Sprintf("task-%02d", i+1)})
		if attributes == nil {
			s.attempt(i, 1, session.DecideRefine)
			s.attempt(i, 2, session.DecideGiveUp)
			s.finish(i, session.GaveUp)
			continue
		}
		s.attempt(i, 1, session.DecideSatisfied)
		for _, a := range attributes {
			s.add(session.Rated{Attribute: a.ID, Score: 1 + i%5})
		}
		for _, l := range labels {
			s.add(session.Labelled{Label: l.ID, Value: l.Values[0]})
		}
		s.add(session.TaskClosed{Index: i, Outcome: session.Satisfied})
	}
	s.add(session.Closed{Reason: "finished"})
	pool := overlap.NewPool()
	if err := pool.Add(s.events, s.Blob, ""); err != nil {
		t.Fatal(err)
	}
	h, err := overlap.Make(pool, overlap.Setup{Raters: []string{"ann", "bob", "cleo"}, Overlap: 3, Seed: 1, Stratify: []string{"task"}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ratings.jsonl")
	if err := overlap.Create(path, h); err != nil {
		t.Fatal(err)
	}
	return path
}

// changing opens a file of ratings.
func changing(t testing.TB, path string) *overlap.File {
	t.Helper()
	f, err := overlap.Change(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func silent() work.Options { return work.Options{Copy: func(string) tea.Cmd { return nil }} }

// rating opens the screen of a rater.
func rating(t testing.TB, path, rater string) *driver {
	t.Helper()
	d := drive(t, screen.NewRating(screen.RatingOptions{File: changing(t, path), Rater: rater, Now: noon, Work: silent()}), 80, 24)
	return d.sees("Rate · core-python").settled()
}

// closed makes the file of three people's ratings that disagree on two attributes and a
// label, and closes it.
func closed(t testing.TB) string {
	t.Helper()
	path := shared(t, 2, nil, nil)
	f, err := overlap.Change(path)
	if err != nil {
		t.Fatal(err)
	}
	var h overlap.Header
	f.Look(func(s *overlap.Set) { h = s.Header })
	for r, who := range h.Raters {
		events := []overlap.Event{{Opened: &overlap.Opened{Rater: who, At: noon()}}}
		for _, id := range h.Of(who) {
			for i, a := range h.Attributes {
				score := 4
				if i == 0 || i == 4 && id == h.Items[0].ID {
					score = 2 + r
				}
				events = append(events, overlap.Event{Rated: &overlap.Rated{Rater: who, Item: id, Attribute: a.ID, Score: score, At: noon()}})
			}
			value := "yes"
			if r == 1 && id == h.Items[0].ID {
				value = "no"
			}
			events = append(events, overlap.Event{Labelled: &overlap.Labelled{Rater: who, Item: id, Label: h.Labels[0].ID, Value: value, At: noon()}},
				overlap.Event{Noted: &overlap.Noted{Rater: who, Item: id, Text: "note of " + h.Letter(who) + ": it adds where it should not", At: noon()}})
		}
		if err := f.Add(events...); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Add(overlap.Event{Closed: &overlap.Closed{By: "eve", At: noon()}}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// settling opens the screen of adjudication.
func settling(t testing.TB, path string) *driver {
	t.Helper()
	s, err := screen.NewAdjudication(screen.AdjudicationOptions{File: changing(t, path), By: "eve", Apart: overlap.Apart, Now: noon, Work: silent()})
	if err != nil {
		t.Fatal(err)
	}
	return drive(t, s, 80, 24).sees("Settle · core-python").settled()
}

// overlapScreens are those of raters and of an adjudicator.
var overlapScreens = []goldenScreen{
	{"overlap-answer", func(t *testing.T) *driver {
		return rating(t, shared(t, 2, nil, nil), "ann").sees("1 answer", "0 of 2 rated")
	}},
	{"overlap-form", func(t *testing.T) *driver {
		return rating(t, shared(t, 2, nil, nil), "ann").press("v").sees("9 to go").press("4", "2").sees("[4]", "7 to go").settled()
	}},
	{"overlap-label", func(t *testing.T) *driver {
		return rating(t, shared(t, 2, nil, nil), "ann").press("v", "up").sees("y yes").settled()
	}},
	{"overlap-note", func(t *testing.T) *driver {
		return rating(t, shared(t, 2, nil, nil), "ann").press("v", "3", "f12", "terse").sees("note:", "terse")
	}},
	{"overlap-rated", func(t *testing.T) *driver {
		return rating(t, shared(t, 2, nil, nil), "ann").press("v", "12345123", "y", "f12", "terse", "enter").sees("✓ rated", "1 of 2 rated", "note: terse").settled()
	}},
	{"overlap-settle", func(t *testing.T) *driver { return settling(t, closed(t)).sees("≠ not settled", "0 of 4 settled") }},
	{"overlap-reason", func(t *testing.T) *driver {
		return settling(t, closed(t)).press("3", "It fails").sees("3 because:", "It fails")
	}},
	{"overlap-settled", func(t *testing.T) *driver {
		return settling(t, closed(t)).press("3", "It fails on 2", "enter").sees("✓ settled", "1 of 4 settled").settled()
	}},
	{"overlap-settle-label", func(t *testing.T) *driver {
		return settling(t, closed(t)).press("down", "down").sees("A yes  B no", "settles it").settled()
	}},
}

// ratings are the people's of session/overlap's test data, by item and rater.
func ratings(t *testing.T) map[[2]int][3]string {
	t.Helper()
	f, err := os.Open("../session/overlap/testdata/ratings.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	said := map[[2]int][3]string{}
	for i, row := range rows[1:] {
		said[[2]int{i / 3, i % 3}] = [3]string{row[2], row[3], row[4][:1]}
	}
	return said
}

// Three people rate twelve answers by keys, with a disagreement that is planted; before the
// closing nobody sees what another rated. Afterwards the agreement is R's, and an adjudicator
// settles a score, which is recorded and in the analysis.
func TestThreeRaters(t *testing.T) {
	path := shared(t, 12, []session.Attribute{{ID: "accuracy", Name: "Accuracy"}, {ID: "clarity", Name: "Clarity"}},
		[]session.Label{{ID: "explained", Name: "Explained", Values: []string{"yes", "no"}}})
	said := ratings(t)
	for r, who := range []string{"ann", "bob", "cleo"} {
		f, err := overlap.Change(path)
		if err != nil {
			t.Fatal(err)
		}
		var h overlap.Header
		f.Look(func(s *overlap.Set) { h = s.Header })
		d := drive(t, screen.NewRating(screen.RatingOptions{File: f, Rater: who, Now: noon, Work: silent()}), 80, 24)
		for n, id := range h.Of(who) {
			i := slices.IndexFunc(h.Items, func(it overlap.Item) bool { return it.ID == id })
			d.sees(fmt.Sprintf("%d of 12", n+1), "1 answer", "return n + 1")
			for _, hidden := range []string{"qwen", "tess", "satisfied", "result"} {
				if shown := d.screen(); strings.Contains(shown, hidden) {
					t.Fatalf("%s reads %q:\n%s", who, hidden, shown)
				}
			}
			d.press("v").sees("3 to go")
			if shown := d.screen(); strings.Contains(shown, "[") {
				t.Fatalf("something is preset, or a peer's:\n%s", shown)
			}
			s := said[[2]int{i, r}]
			d.press(s[0], s[1], s[2]).sees("✓ rated", fmt.Sprintf("%d of 12 rated", n+1)).press("enter")
		}
		d.sees("All are rated").press("q").ends()
		f.Look(func(s *overlap.Set) {
			if _, err := s.Given(h.Items[0].ID); err == nil {
				t.Error("peers' ratings are given out before the closing")
			}
		})
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f := changing(t, path)
	if err := f.Add(overlap.Event{Closed: &overlap.Closed{By: "eve", At: noon()}}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	asR(t, path)
	d := settling(t, path).sees("≠ not settled", "  A  B  C")
	for !strings.Contains(d.screen(), "1 (poorest) to 5 (best) settles it") {
		d.press("4").sees("this is a label: y yes or n no settles it").press("down").settled()
	}
	d.press("4").sees("4 because:").press("enter").sees("A reason is needed").press("ran it by hand", "enter").sees("✓ 4", "ran it by hand, by eve on 2026-03-09", "1 of ")
	d.press("2", "enter").sees("ran it by hand, by eve").press("u").sees("taken back", "✓ 4").press("u").sees("0 of ", "≠ not settled")
	d.press("4", "ran it by hand", "enter").sees("✓ 4").settled()
	a := analysed(t, path)
	if len(a.Settled) != 1 || a.Settled[0].Score != 4 || a.Settled[0].By != "eve" || a.Settled[0].Reason != "ran it by hand" || len(a.Settled[0].Answers) != 3 || a.Settled[0].Mean == nil {
		t.Errorf("%+v", a.Settled)
	}
}

func analysed(t *testing.T, path string) *overlap.Analysis {
	t.Helper()
	s, err := overlap.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	a, err := overlap.Analyse(s, overlap.Apart)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// asR compares the agreement with what R printed of the same ratings.
func asR(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile("../session/overlap/testdata/agreement.txt")
	if err != nil {
		t.Fatal(err)
	}
	a := analysed(t, path)
	got := map[string]*float64{"explained fleiss": a.Labels[0].Kappa}
	for _, x := range append(slices.Clone(a.Attributes), a.Total) {
		got[x.ID+" ordinal"], got[x.ID+" interval"], got[x.ID+" icc21"], got[x.ID+" icc2k"] = x.Ordinal.Value, x.Interval.Value, x.ICC.Single, x.ICC.Mean
		for _, k := range x.Kappas {
			got[x.ID+" kappa "+k.A+" "+k.B] = k.Kappa
		}
	}
	compared := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		name := strings.Join(fields[:len(fields)-1], " ")
		want, err := strconv.ParseFloat(fields[len(fields)-1], 64)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "two ") {
			continue
		}
		if v := got[name]; v == nil || math.Abs(*v-want) > 1e-11 {
			t.Errorf("%s: %v, and R says %v", name, v, want)
		}
		compared++
	}
	if compared != len(got) {
		t.Errorf("%d values compared of %d", compared, len(got))
	}
}

// A program that dies loses no digit: another one goes on where the rater was.
func TestRatingsSurvive(t *testing.T) {
	path := shared(t, 3, nil, nil)
	rating(t, path, "ann").press("v", "12345123", "y").sees("1 of 3 rated").press("enter").sees("2 of 3").press("v", "5", "4").sees("7 to go").settled()
	text, err := os.ReadFile(path) // nobody closes it
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copied.jsonl")
	if err := os.WriteFile(copied, text, 0o644); err != nil {
		t.Fatal(err)
	}
	d := rating(t, copied, "ann").sees("2 of 3", "1 of 3 rated", "7 to go", "[5]", "[4]")
	d.press("u").sees("8 to go", "taken back").press("u").sees("9 to go").press("u").sees("at this one", "1 of 3", "1 to go").settled()
	d.press("y").sees("✓ rated").press("left").sees("the first one").press("right").sees("2 of 3", "1 answer")
}

// copied is a copy of a file as it stands, as if the program that has it open were gone.
func copied(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "copied.jsonl")
	if err := os.WriteFile(to, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return to
}

// A note that is being typed outlives the program; it is no note before it is kept, and gone
// once it is left as it was.
func TestNotesSurvive(t *testing.T) {
	path := shared(t, 2, nil, nil)
	rating(t, path, "ann").press("v", "right", "v", "f12", "half a thou").sees("2 of 2", "half a thou").settled()
	path = copied(t, path)
	d := rating(t, path, "ann").sees("2 of 2", "note: half a thou", "You were writing this")
	d.press("ght", "esc").lacks("half a").settled()
	d = rating(t, copied(t, path), "ann").lacks("half a")
	d.press("v", "f12", "anew").settled().press(" now", "enter").sees("note: anew now").settled()
	path = copied(t, path)
	rating(t, path, "ann").lacks("anew")
	rating(t, copied(t, path), "bob").lacks("anew")
	s, err := overlap.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if s.NoteDraft("ann") != nil || s.Steps("ann") != 0 {
		t.Error("a draft that was left as it was stands, or can be taken back")
	}
}

// Who leaves in the middle of a note or a reason finds it where it was, whatever was saved
// before; a reason that was not kept settles nothing.
func TestLeavingKeepsWhatIsTyped(t *testing.T) {
	path := shared(t, 2, nil, nil)
	f := changing(t, path)
	r := screen.NewRating(screen.RatingOptions{File: f, Rater: "ann", Now: noon, Work: silent()})
	drive(t, r, 80, 24).sees("1 answer").settled().press("v", "f12", "half a thou").sees("half a thou")
	if msg := r.Leave()(); msg != nil {
		t.Fatalf("%v", msg)
	}
	rating(t, copied(t, path), "ann").sees("1 of 2", "note: half a thou").press("ght", "enter").sees("note: half a thought").settled()

	path = closed(t)
	f = changing(t, path)
	a, err := screen.NewAdjudication(screen.AdjudicationOptions{File: f, By: "eve", Apart: overlap.Apart, Now: noon, Work: silent()})
	if err != nil {
		t.Fatal(err)
	}
	drive(t, a, 80, 24).sees("1 of 4").settled().press("down", "3", "It fai").sees("because: It fai")
	if msg := a.Leave()(); msg != nil {
		t.Fatalf("%v", msg)
	}
	path = copied(t, path)
	d := settling(t, path).sees("2 of 4", "3 because: It fai").settled()
	if n := len(analysed(t, path).Settled); n != 0 {
		t.Errorf("%d are settled", n)
	}
	d.press("ls", "enter").sees("1 of 4 settled", "It fails, by eve").press("4", "But").settled()
	path = copied(t, path)
	settling(t, path).sees("2 of 4", "4 because: It failsBut").press("esc").sees("Nothing is settled").settled()
	settling(t, copied(t, path)).lacks("because:")
	if a := analysed(t, path); len(a.Settled) != 1 || a.Settled[0].Reason != "It fails" {
		t.Errorf("%+v", a.Settled)
	}
}

// Keys that do nothing say why; a file that cannot be written says so, and shows what it holds.
func TestRatingTrouble(t *testing.T) {
	path := shared(t, 2, nil, nil)
	f := changing(t, path)
	d := drive(t, screen.NewRating(screen.RatingOptions{File: f, Rater: "ann", Now: noon, Work: silent()}), 80, 24).sees("1 answer").settled()
	d.press("[").sees("attempt 1").press("5").sees("take 1").press("/", "take", "enter").press("esc").sees("1 answer").press("esc").sees("9 to go")
	d.press("u").sees("not now: you have rated nothing").press("7").sees("The scale ends at 5").press("enter").sees("9 still to go").press("up", "1").sees("this row is answered with y or n")
	d.press("f12", "abc", "esc").lacks("abc").press("right", "right", "v").press("right").sees("the last one").settled()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	d.press("left", "v", "down", "3", "v").sees("✗ It is not kept", "1 answer").press("v").sees("9 to go").lacks("[3]")
}
