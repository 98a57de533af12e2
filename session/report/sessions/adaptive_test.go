package sessions_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/irt/adaptive"
	"assay/session"
	"assay/session/report"
	"assay/session/report/reporttest"
	"assay/session/report/sessions"
	"assay/session/simulate"
)

// adaptivePlan is the plan of one of a tester's sessions, with a pool of 25 tasks.
func adaptivePlan(tester, part int, arm string) session.Plan {
	plan := session.Plan{Benchmark: "b", K: 3, Context: session.Conversation, Attributes: session.MiahZhuAttributes(), Rules: session.Rules{Labels: []session.Label{}},
		Tester: fmt.Sprintf("tester-%d", tester+1), Model: session.Model{Name: "m-" + arm, Provider: "command"},
		Study: &session.InStudy{Name: "s", Version: 1, Hash: strings.Repeat("a", 64), Arm: arm, Tester: tester + 1, Part: part},
		Adaptive: &session.Adaptive{Rules: adaptive.Rules{Least: 3, Most: 8, SE: 0.5, Among: 2, Exposure: 1}, Solved: session.SolvedFirst,
			Seed: session.AdaptiveSeed(1, tester+1, part), Items: "run"}}
	for i := range 25 {
		id := fmt.Sprintf("t%02d", i)
		plan.Tasks = append(plan.Tasks, session.PlanTask{ID: id, Set: "T0", Difficulty: "easy", Type: "t",
			Item: &adaptive.Item{ID: id, Slope: 1, Intercept: 2 - 0.2*float64(i), SlopeSE: 0.2, InterceptSE: 0.3, Correlation: -0.4}})
	}
	return plan
}

// adaptiveLogs are the simulated sessions of testers whose tasks were chosen.
func adaptiveLogs(t *testing.T, testers int) [][]session.Event {
	t.Helper()
	var logs [][]session.Event
	for tester := range testers {
		plan := adaptivePlan(tester, 1, "first")
		events, _, err := simulate.Session{ID: fmt.Sprintf("SIM%023d", tester+1), Plan: plan, Seed: uint64(tester), Wall: 86_400_000 * int64(tester+1)}.Log()
		fatal.If(t, err)
		fatal.If(t, session.CheckChoices(events))
		logs = append(logs, events)
	}
	return logs
}

// A report of adaptive sessions has each tester's ability, counts no task that was not chosen, passes its own checks
// on the files, and is computed again by R.
func TestAbilities(t *testing.T) {
	logs := adaptiveLogs(t, 6)
	b := sessions.NewBuilder(sessions.Options{})
	for _, events := range logs {
		fatal.If(t, b.Add(events))
	}
	r, err := b.Report()
	fatal.If(t, err)
	if len(r.Abilities) != 6 || r.Counts.NotOpened != 0 || r.Counts.Planned != r.Counts.Analysed {
		t.Fatalf("%d abilities, %+v", len(r.Abilities), r.Counts)
	}
	for i, a := range r.Abilities {
		state, err := session.Replay(logs[i])
		fatal.If(t, err)
		want, err := state.Ability()
		fatal.If(t, err)
		if float64(a.Value) != want.Ability || float64(a.SE) != want.SE || a.Tasks != want.Asked || a.End != string(want.End) || a.Pool != 25 || a.Arm != "first" {
			t.Errorf("%+v, want %+v", a, want)
		}
	}
	dir := t.TempDir()
	_, err = r.WriteDir(dir)
	fatal.If(t, err)
	_, checks, err := sessions.CheckFiles(os.DirFS(dir))
	fatal.If(t, err)
	for _, c := range checks {
		if len(c.Faults) > 0 {
			t.Errorf("%s: %q", c.Name, c.Faults)
		}
	}
	page, err := os.ReadFile(dir + "/report.md")
	fatal.If(t, err)
	for _, want := range []string{"## Adaptive tests", "tester-3", "tasks at random"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the report does not have %q", want)
		}
	}
	reporttest.Repeat(t, dir)
}

// Arms of adaptive sessions are compared by the scores that are expected on all tasks, and by abilities, of each session:
// never by means of the tasks that were chosen.
func TestAdaptiveArms(t *testing.T) {
	b := sessions.NewBuilder(sessions.Options{NoImages: true})
	for _, events := range adaptiveArms(t, 8, 1.5, 3) {
		fatal.If(t, b.Add(events))
	}
	r, err := b.Report()
	fatal.If(t, err)
	p := r.Arms.Pairs[0]
	if !p.Adaptive || !p.Crossed || len(p.Measures) != 2 || p.Measures[0].ID != "score" || p.Measures[1].ID != "ability" {
		t.Fatalf("%+v", p)
	}
	if m := p.Measures[0]; m.Results != 16 || m.Testers != 8 || m.Tasks != 25 || m.Difference.Interval == nil || m.General != nil {
		t.Errorf("%+v", m)
	}
	dir := t.TempDir()
	_, err = r.WriteDir(dir)
	fatal.If(t, err)
	page, err := os.ReadFile(dir + "/report.md")
	fatal.If(t, err)
	for _, want := range []string{"Expected share right of all tasks", "8 testers, 25 tasks and 16 sessions", "Tasks were chosen by the responses before them"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the report does not have %q", want)
		}
	}
	if strings.Contains(string(page), "as the plan dealt them") {
		t.Error("chosen tasks are compared as dealt ones")
	}
	reporttest.Repeat(t, dir)
}

// The interval of the difference in expected scores holds the difference of the true scores on the pool.
func TestCalibrateAdaptiveArms(t *testing.T) {
	rate := calibrate.Coverage("adaptive sessions, difference in expected scores", "8 testers, 2 arms, 25 tasks in the pool, at most 8 asked", 0)
	if calibrate.Simulations(t, 0) == 0 {
		return
	}
	rate.Low, rate.High = 0.92, 1
	rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
		b := sessions.NewBuilder(sessions.Options{NoImages: true})
		const effect = 1.5
		for _, events := range adaptiveArms(t, 8, effect, random.Uint64N(1<<20)) {
			fatal.If(t, b.Add(events))
		}
		r, err := b.Report()
		fatal.If(t, err)
		truth := 0.0
		for tester := range 8 {
			for i := range 25 {
				at := 2 - 0.2*float64(i) + 0.25*float64(tester-4)
				truth += (1/(1+math.Exp(-at-effect)) - 1/(1+math.Exp(-at))) / (8 * 25)
			}
		}
		iv := r.Arms.Pairs[0].Measures[0].Difference.Interval
		switch {
		case iv == nil:
			return calibrate.Withheld
		case iv.Low <= -truth && -truth <= iv.High:
			return calibrate.Hit
		}
		return calibrate.Miss
	})
}

// adaptiveArms are sessions of testers who worked with two arms, the second of which is better by effect.
func adaptiveArms(t *testing.T, testers int, effect float64, seed uint64) [][]session.Event {
	t.Helper()
	var logs [][]session.Event
	for tester := range testers {
		for part := range 2 {
			arm := (tester + part) % 2
			e := &simulate.Effects{Ability: 0.25*float64(tester-4) + effect*float64(arm), Tasks: map[string]float64{}}
			plan := adaptivePlan(tester, part+1, []string{"first", "second"}[arm])
			for i, task := range plan.Tasks {
				e.Tasks[task.ID] = 2 - 0.2*float64(i)
			}
			events, _, err := simulate.Session{ID: fmt.Sprintf("SIM%022d%d", tester+1, part), Plan: plan, Effects: e,
				Seed: seed<<8 + uint64(2*tester+part), Wall: 86_400_000 * int64(2*tester+part+1)}.Log()
			fatal.If(t, err)
			logs = append(logs, events)
		}
	}
	return logs
}

// A table of choices that was changed is noticed.
func TestChangedChoices(t *testing.T) {
	b := sessions.NewBuilder(sessions.Options{})
	fatal.If(t, b.Add(adaptiveLogs(t, 1)[0]))
	r, err := b.Report()
	fatal.If(t, err)
	dir := t.TempDir()
	_, err = r.WriteDir(dir)
	fatal.If(t, err)
	path := dir + "/" + report.DatasetFile("choices")
	text, err := os.ReadFile(path)
	fatal.If(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	fatal.If(t, os.WriteFile(path, []byte(strings.Join(append(lines[:1], lines[2:]...), "")), 0o644))
	_, checks, err := sessions.CheckFiles(os.DirFS(dir))
	fatal.If(t, err)
	said := ""
	for _, c := range checks {
		said += strings.Join(c.Faults, "\n")
	}
	if !strings.Contains(said, "tasks chosen in session SIM00000000000000000000001") {
		t.Errorf("the missing choice was not found: %s", said)
	}
}
