package overlap_test

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

	"assay/data/fatal"
	"assay/session"
	"assay/session/overlap"
	screen "assay/tui/overlap"
	"assay/tui/tuitest"
)

// ratings are the people's of session/overlap's test data, by item and rater.
func ratings(t *testing.T) map[[2]int][3]string {
	t.Helper()
	f, err := os.Open("../../session/overlap/testdata/ratings.csv")
	fatal.If(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	fatal.If(t, err)
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
	path := tuitest.Shared(t, 12, []session.Attribute{{ID: "accuracy", Name: "Accuracy"}, {ID: "clarity", Name: "Clarity"}},
		[]session.Label{{ID: "explained", Name: "Explained", Values: []string{"yes", "no"}}})
	said := ratings(t)
	for r, who := range []string{"ann", "bob", "cleo"} {
		f, err := overlap.Change(path)
		fatal.If(t, err)
		var h overlap.Header
		f.Look(func(s *overlap.Set) { h = s.Header })
		d := tuitest.Drive(t, screen.NewRating(screen.RatingOptions{File: f, Rater: who, Now: tuitest.Noon, Work: tuitest.Silent()}), 80, 24)
		for n, id := range h.Of(who) {
			i := slices.IndexFunc(h.Items, func(it overlap.Item) bool { return it.ID == id })
			d.Sees(fmt.Sprintf("%d of 12", n+1), "1 answer", "return n + 1")
			for _, hidden := range []string{"qwen", "tess", "satisfied", "result"} {
				if shown := d.Screen(); strings.Contains(shown, hidden) {
					t.Fatalf("%s reads %q:\n%s", who, hidden, shown)
				}
			}
			d.Press("v").Sees("3 to go")
			if shown := d.Screen(); strings.Contains(shown, "[") {
				t.Fatalf("something is preset, or a peer's:\n%s", shown)
			}
			s := said[[2]int{i, r}]
			d.Press(s[0], s[1], s[2]).Sees("✓ rated", fmt.Sprintf("%d of 12 rated", n+1)).Press("enter")
		}
		d.Sees("All are rated").Press("q").Ends()
		f.Look(func(s *overlap.Set) {
			if _, err := s.Given(h.Items[0].ID); err == nil {
				t.Error("peers' ratings are given out before the closing")
			}
		})
		fatal.If(t, f.Close())
	}
	f := tuitest.Changing(t, path)
	fatal.If(t, f.Add(overlap.Event{Closed: &overlap.Closed{By: "eve", At: tuitest.Noon()}}))
	fatal.If(t, f.Close())
	asR(t, path)
	d := tuitest.Settling(t, path).Sees("≠ not settled", "  A  B  C")
	for !strings.Contains(d.Screen(), "1 (poorest) to 5 (best) settles it") {
		d.Press("4").Sees("this is a label: y yes or n no settles it").Press("down").Settled()
	}
	d.Press("4").Sees("4 because:").Press("enter").Sees("A reason is needed").Press("ran it by hand", "enter").Sees("✓ 4", "ran it by hand, by eve on 2026-03-09", "1 of ")
	d.Press("2", "enter").Sees("ran it by hand, by eve").Press("u").Sees("taken back", "✓ 4").Press("u").Sees("0 of ", "≠ not settled")
	d.Press("4", "ran it by hand", "enter").Sees("✓ 4").Settled()
	a := analysed(t, path)
	if len(a.Settled) != 1 || a.Settled[0].Score != 4 || a.Settled[0].By != "eve" || a.Settled[0].Reason != "ran it by hand" || len(a.Settled[0].Answers) != 3 || a.Settled[0].Mean == nil {
		t.Errorf("%+v", a.Settled)
	}
}

func analysed(t *testing.T, path string) *overlap.Analysis {
	t.Helper()
	s, err := overlap.Open(path)
	fatal.If(t, err)
	a, err := overlap.Analyse(s, overlap.Apart)
	fatal.If(t, err)
	return a
}

// asR compares the agreement with what R printed of the same ratings.
func asR(t *testing.T, path string) {
	t.Helper()
	text := fatal.Read(t, "../../session/overlap/testdata/agreement.txt")
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
		fatal.If(t, err)
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
	path := tuitest.Shared(t, 3, nil, nil)
	tuitest.Rating(t, path, "ann").Press("v", "12345123", "y").Sees("1 of 3 rated").Press("enter").Sees("2 of 3").Press("v", "5", "4").Sees("7 to go").Settled()
	text, err := os.ReadFile(path) // nobody closes it
	fatal.If(t, err)
	copied := filepath.Join(t.TempDir(), "copied.jsonl")
	fatal.If(t, os.WriteFile(copied, text, 0o644))
	d := tuitest.Rating(t, copied, "ann").Sees("2 of 3", "1 of 3 rated", "7 to go", "[5]", "[4]")
	d.Press("u").Sees("8 to go", "taken back").Press("u").Sees("9 to go").Press("u").Sees("on this answer", "1 of 3", "1 to go").Settled()
	d.Press("y").Sees("✓ rated").Press("left").Sees("the first one").Press("right").Sees("2 of 3", "1 answer")
}

// copied is a copy of a file as it stands, as if the program that has it open were gone.
func copied(t *testing.T, path string) string {
	t.Helper()
	text := fatal.Read(t, path)
	to := filepath.Join(t.TempDir(), "copied.jsonl")
	fatal.If(t, os.WriteFile(to, text, 0o644))
	return to
}

// A note that is being typed outlives the program; it is no note before it is kept, and gone
// once it is left as it was.
func TestNotesSurvive(t *testing.T) {
	path := tuitest.Shared(t, 2, nil, nil)
	tuitest.Rating(t, path, "ann").Press("v", "right", "v", "f12", "half a thou").Sees("2 of 2", "half a thou").Settled()
	path = copied(t, path)
	d := tuitest.Rating(t, path, "ann").Sees("2 of 2", "note: half a thou", "You were writing this")
	d.Press("ght", "esc").Lacks("half a").Settled()
	d = tuitest.Rating(t, copied(t, path), "ann").Lacks("half a")
	d.Press("v", "f12", "anew").Settled().Press(" now", "enter").Sees("note: anew now").Settled()
	path = copied(t, path)
	tuitest.Rating(t, path, "ann").Lacks("anew")
	tuitest.Rating(t, copied(t, path), "bob").Lacks("anew")
	s, err := overlap.Open(path)
	fatal.If(t, err)
	if s.NoteDraft("ann") != nil || s.Steps("ann") != 0 {
		t.Error("a draft that was left as it was stands, or can be taken back")
	}
}

// Who leaves in the middle of a note or a reason finds it where it was, whatever was saved
// before; a reason that was not kept settles nothing.
func TestLeavingKeepsWhatIsTyped(t *testing.T) {
	path := tuitest.Shared(t, 2, nil, nil)
	f := tuitest.Changing(t, path)
	r := screen.NewRating(screen.RatingOptions{File: f, Rater: "ann", Now: tuitest.Noon, Work: tuitest.Silent()})
	tuitest.Drive(t, r, 80, 24).Sees("1 answer").Settled().Press("v", "f12", "half a thou").Sees("half a thou")
	if msg := r.Leave()(); msg != nil {
		t.Fatalf("%v", msg)
	}
	tuitest.Rating(t, copied(t, path), "ann").Sees("1 of 2", "note: half a thou").Press("ght", "enter").Sees("note: half a thought").Settled()

	path = tuitest.Closed(t)
	f = tuitest.Changing(t, path)
	a, err := screen.NewAdjudication(screen.AdjudicationOptions{File: f, By: "eve", Apart: overlap.Apart, Now: tuitest.Noon, Work: tuitest.Silent()})
	fatal.If(t, err)
	tuitest.Drive(t, a, 80, 24).Sees("1 of 4").Settled().Press("down", "3", "It fai").Sees("because: It fai")
	if msg := a.Leave()(); msg != nil {
		t.Fatalf("%v", msg)
	}
	path = copied(t, path)
	d := tuitest.Settling(t, path).Sees("2 of 4", "3 because: It fai").Settled()
	if n := len(analysed(t, path).Settled); n != 0 {
		t.Errorf("%d are settled", n)
	}
	d.Press("ls", "enter").Sees("1 of 4 settled", "It fails, by eve").Press("4", "But").Settled()
	path = copied(t, path)
	tuitest.Settling(t, path).Sees("2 of 4", "4 because: It failsBut").Press("esc").Sees("Nothing is settled").Settled()
	tuitest.Settling(t, copied(t, path)).Lacks("because:")
	if a := analysed(t, path); len(a.Settled) != 1 || a.Settled[0].Reason != "It fails" {
		t.Errorf("%+v", a.Settled)
	}
}

// Keys that do nothing say why; a file that cannot be written says so, and shows what it holds.
func TestRatingTrouble(t *testing.T) {
	path := tuitest.Shared(t, 2, nil, nil)
	f := tuitest.Changing(t, path)
	d := tuitest.Drive(t, screen.NewRating(screen.RatingOptions{File: f, Rater: "ann", Now: tuitest.Noon, Work: tuitest.Silent()}), 80, 24).Sees("1 answer").Settled()
	d.Press("[").Sees("attempt 1").Press("5").Sees("take 1").Press("/", "take", "enter").Press("esc").Sees("1 answer").Press("esc").Sees("9 to go")
	d.Press("u").Sees("not now: you have rated nothing").Press("7").Sees("The scale ends at 5").Press("enter").Sees("9 still to go").Press("up", "1").Sees("this row is answered with y or n")
	d.Press("f12", "abc", "esc").Lacks("abc").Press("right", "right", "v").Press("right").Sees("the last one").Settled()
	fatal.If(t, f.Close())
	d.Press("left", "v", "down", "3", "v").Sees("✗ Not saved", "1 answer").Press("v").Sees("9 to go").Lacks("[3]")
}
