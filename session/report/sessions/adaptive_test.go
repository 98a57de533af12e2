package sessions_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/irt/adaptive"
	"assay/session"
	"assay/session/report"
	"assay/session/report/reporttest"
	"assay/session/report/sessions"
	"assay/session/simulate"
)

// adaptiveLogs are the simulated sessions of testers whose tasks were chosen.
func adaptiveLogs(t *testing.T, testers int) [][]session.Event {
	t.Helper()
	var logs [][]session.Event
	for tester := range testers {
		plan := session.Plan{Benchmark: "b", K: 3, Context: session.Conversation, Attributes: session.MiahZhuAttributes(), Rules: session.Rules{Labels: []session.Label{}},
			Tester: fmt.Sprintf("tester-%d", tester+1), Model: session.Model{Name: "m", Provider: "command"},
			Study: &session.InStudy{Name: "s", Version: 1, Hash: strings.Repeat("a", 64), Arm: "first", Tester: tester + 1, Part: 1},
			Adaptive: &session.Adaptive{Rules: adaptive.Rules{Least: 3, Most: 8, SE: 0.5, Among: 2, Exposure: 1}, Solved: session.SolvedFirst,
				Seed: session.AdaptiveSeed(1, tester+1, 1), Items: "run"}}
		for i := range 25 {
			id := fmt.Sprintf("t%02d", i)
			plan.Tasks = append(plan.Tasks, session.PlanTask{ID: id, Set: "T0", Difficulty: "easy", Type: "t",
				Item: &adaptive.Item{ID: id, Slope: 1, Intercept: 2 - 0.2*float64(i), SlopeSE: 0.2, InterceptSE: 0.3, Correlation: -0.4}})
		}
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
