package study

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

func powerStudy(t *testing.T, edits ...string) *Study {
	t.Helper()
	path := filepath.Join(t.TempDir(), "study.toml")
	text := strings.NewReplacer(edits...).Replace(Example())
	fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	s, err := Load(path)
	fatal.If(t, err)
	return s
}

// TestPowerIsOfTheDesign: with four testers the report has no test, and so no power; the power rises with
// the number of testers. For a time whose logarithm hardly varies it is close to that of the paired t test:
// for 12 differences with mean 1 and standard deviation 1, the normal approximation is Φ(√12 - 2.26) =
// 0.88, less the effect of the two degrees of freedom for period and set.
func TestPowerIsOfTheDesign(t *testing.T) {
	s := powerStudy(t)
	a, err := DefaultAssumptions("satisfied")
	fatal.If(t, err)
	a.Runs, a.Effect = 200, 0.25
	last := -1.0
	for _, testers := range []int{4, 8, 16, 40} {
		p, err := s.Simulate(a, testers, 3)
		if err != nil || p.Power < last || (p.Withheld == 1) != (testers == 4) || p.Each != 6 {
			t.Errorf("%d testers: %+v, %v", testers, p, err)
		}
		last = p.Power
	}
	if last < 0.9 {
		t.Errorf("40 testers have a power of %v", last)
	}
	small, err := DefaultAssumptions("time")
	fatal.If(t, err)
	// The difference of two sessions has a standard deviation of √2 · 0.01 logarithms, which
	// is 1 % of 100 s: an effect of 1.414 s is one standard deviation.
	small.Tester, small.Task, small.TaskArm, small.Noise, small.Session, small.Base, small.Effect, small.Runs = 0.2, 0, 0, 0, 0.01, 100, math.Sqrt2, 1000
	if p, err := s.Simulate(small, 12, 1); err != nil || p.Power < 0.78 || p.Power > 0.92 {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestFewest: the numbers of testers from which the plan's comparison has a test.
func TestFewest(t *testing.T) {
	for edits, want := range map[[2]string]int{
		{`version = 1 `, `version = 1 `}:                     6, // of shares
		{`primary = "satisfied"`, `primary = "attempts"`}:    5,
		{`arms = "within" `, `arms = "between"`}:             6,
		{`arms = "within" `, `arms = "crossed"`}:             5, // no sets to adjust for
		{`order = "latin-square"`, `order = "fixed"       `}: 6,
	} {
		if got := powerStudy(t, edits[0], edits[1]).Fewest(); got != want {
			t.Errorf("%s: %d, want %d", edits[1], got, want)
		}
	}
	third := "[[arm]]\nname = \"third\"\nmodel = \"rehearsal\"\nshown = \"Model C\"\n\n[design]"
	if got := powerStudy(t, "[design]", third, "sets = 2", "sets = 3", "per_set = 3", "per_set = 2").Fewest(); got != 9 {
		t.Errorf("three arms: %d, want 9", got)
	}
}

// TestPowerRefuses: every assumption has limits.
func TestPowerRefuses(t *testing.T) {
	s := powerStudy(t)
	for name, change := range map[string]func(*Assumptions){
		"effect": func(a *Assumptions) { a.Effect = 0 },
		"a base of 0.7 the last arm would be at 1.1,": func(a *Assumptions) { a.Base, a.Effect = 0.7, 0.4 },
		"base":      func(a *Assumptions) { a.Base = math.NaN() },
		"power":     func(a *Assumptions) { a.Power = 1 },
		"level":     func(a *Assumptions) { a.Level = 0 },
		"runs":      func(a *Assumptions) { a.Runs = 1e9 },
		"deviation": func(a *Assumptions) { a.Task = math.Inf(1) },
	} {
		a, err := DefaultAssumptions("satisfied")
		fatal.If(t, err)
		change(&a)
		if _, err := s.Simulate(a, 8, 3); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, _ := DefaultAssumptions("satisfied")
	if _, err := s.Simulate(a, 0, 3); err == nil {
		t.Error("no testers are simulated")
	}
	if _, err := s.Simulate(a, 8, 1e6); err == nil {
		t.Error("a million tasks are simulated")
	}
	if _, err := DefaultAssumptions("total"); err == nil {
		t.Error("there is a power for totals")
	}
}

// TestPowerIsFrozen: a saved calculation is part of the lock, and belongs to one design only.
func TestPowerIsFrozen(t *testing.T) {
	s, b := powerStudy(t), someBenchmark()
	a, err := DefaultAssumptions("satisfied")
	fatal.If(t, err)
	before, err := s.Lock(b, someModel)
	fatal.If(t, err)
	kept := Planned{Assumptions: a, Design: s.DesignWords(), Rows: []Power{{Testers: 4, Tasks: 3, Power: 0.5, Interval: stats.Interval{Low: 0.4, High: 0.6}}}}
	fatal.If(t, kept.Write(s.Path()))
	lock, _, err := s.Freeze(b, someModel)
	if err != nil || lock.Hash == before.Hash || lock.Power == nil {
		t.Fatalf("%+v, %v", lock.Power, err)
	}
	if _, err := s.Frozen(b, someModel); err != nil {
		t.Error(err)
	}
	kept.Rows[0].Power = 0.9
	fatal.If(t, kept.Write(s.Path()))
	if _, err := s.Frozen(b, someModel); !errors.Is(err, errChanged) || !strings.Contains(err.Error(), "power calculation") {
		t.Errorf("a changed calculation: %v", err)
	}
	s.Session.K = 3
	if _, err := s.Planned(); err == nil || !strings.Contains(err.Error(), "has a different design") {
		t.Errorf("a calculation of another design: %v", err)
	}
	s, err = Parse(s.Path(), strings.Replace(s.text, "k = 10 ", "k = 3 ", 1))
	fatal.If(t, err)
	_, err = s.Frozen(b, someModel)
	if !errors.Is(err, errChanged) || !strings.Contains(err.Error(), "frozen as version 1") || !strings.Contains(err.Error(), "version = 2") || strings.Contains(err.Error(), "power") {
		t.Errorf("a changed study with a calculation: %v", err)
	}
}

// TestPowerWithLeaving: testers who leave cost power, and a margin's column counts studies without a difference.
func TestPowerWithLeaving(t *testing.T) {
	s := powerStudy(t)
	a, err := DefaultAssumptions("attempts")
	fatal.If(t, err)
	a.Runs, a.Margin = 100, 1.5
	all, err := s.Simulate(a, 16, 3)
	fatal.If(t, err)
	a.Leave = 1
	left, err := s.Simulate(a, 16, 3)
	fatal.If(t, err)
	a.Margin, a.Leave = 0.01, 0
	tight, err := s.Simulate(a, 16, 3)
	fatal.If(t, err)
	if left.Power >= all.Power || *left.Alike >= *all.Alike || *all.Alike < 0.5 || *tight.Alike != 0 || tight.Power == 0 {
		t.Errorf("all stay: %v, %v; all leave: %v, %v; tight: %v", all.Power, *all.Alike, left.Power, *left.Alike, *tight.Alike)
	}
	for _, wrong := range []func(*Assumptions){func(a *Assumptions) { a.Leave = 2 }, func(a *Assumptions) { a.Margin = -1 }, func(a *Assumptions) { a.Outcome, a.Base, a.Effect, a.Margin = "time", 600, 60, 0.5 }} {
		b := a
		wrong(&b)
		if _, err := s.Simulate(b, 16, 3); err == nil {
			t.Errorf("%+v is accepted", b)
		}
	}
}

// TestPowerOfLikeTimes: the margin of time is a factor, the wider the more simulated studies find equal arms alike.
func TestPowerOfLikeTimes(t *testing.T) {
	a, err := DefaultAssumptions("time")
	fatal.If(t, err)
	a.Runs = 100
	last := -1.0
	for _, margin := range []float64{1.001, 1.3, 10} {
		a.Margin = margin
		p, err := powerStudy(t).Simulate(a, 16, 3)
		fatal.If(t, err)
		if *p.Alike < last {
			t.Errorf("within a factor of %v %v are alike, fewer than %v", margin, *p.Alike, last)
		}
		last = *p.Alike
	}
	if last < 0.95 {
		t.Errorf("within a factor of 10 %v are alike", last)
	}
}

// TestPowerWithLooks: a study that may stop early takes fewer testers where the effect is large, and loses little power.
func TestPowerWithLooks(t *testing.T) {
	a, err := DefaultAssumptions("attempts")
	fatal.If(t, err)
	a.Effect, a.Runs = 2.5, 200
	rows := map[string]Power{}
	for _, looks := range []string{"[]", "[0.5, 1]", "[0.01, 0.02, 1]"} {
		s, err := Parse("study.toml", strings.Replace(Example(), "looks = [] ", "looks = "+looks+" ", 1))
		if looks == "[0.01, 0.02, 1]" { // both at the first of eight testers
			if err == nil || !strings.Contains(err.Error(), "analysis.looks: the look at 0.02 is at 1 of 8 testers, and the one before at 1") {
				t.Errorf("%s: %v", looks, err)
			}
			continue
		}
		fatal.If(t, err)
		rows[looks], err = s.Simulate(a, 16, 4)
		fatal.If(t, err)
	}
	once, twice := rows["[]"], rows["[0.5, 1]"]
	if once.Used != nil || twice.Used == nil || !(*twice.Used < 15) || !(*twice.Used >= 8) || twice.Power < once.Power-0.05 || twice.Power > once.Power+0.02 {
		t.Errorf("%+v, %v", once, twice)
	}
}

// TestLooksDue: who left counts as ended, as who is done; no look before its share of the testers.
func TestLooksDue(t *testing.T) {
	s, err := Parse("study.toml", strings.Replace(Example(), "looks = [] ", "looks = [0.5, 0.75, 1] ", 1))
	fatal.If(t, err)
	for status, want := range map[string]LooksDue{
		"done done done in-progress":                   {8, 3, 0, 3, 4},
		"done left done done":                          {8, 4, 1, 3, 6},
		"done done done done done done done not-begun": {8, 7, 2, 3, 8},
		"done done done done done done done done done": {8, 9, 3, 3, 0},
	} {
		var places []Place
		for _, of := range strings.Fields(status) {
			places = append(places, Place{Status: of})
		}
		if got := s.LooksDue(places); *got != want {
			t.Errorf("%s: %+v, want %+v", status, *got, want)
		}
	}
	if plain, err := Parse("study.toml", Example()); err != nil || plain.LooksDue(nil) != nil || plain.Declared().Looks != nil {
		t.Errorf("a study without looks has some: %v", err)
	}
}
