package overlap

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/scoring/pairs"
	"assay/session"
	"assay/session/simulate"
)

// pickedLog is the log of a session in which two models answered, the first one better.
func pickedLog(t *testing.T, tester string, models [2]string, seed uint64) []session.Event {
	t.Helper()
	plan := session.Plan{Benchmark: "b", K: 3, Context: session.Conversation, Tester: tester, Attributes: session.MiahZhuAttributes(),
		Arena: &session.Arena{Models: [2]session.Model{{Name: models[0]}, {Name: models[1]}}, Seed: seed}}
	plan.Model = plan.Arena.Model()
	for n := range 12 {
		plan.Tasks = append(plan.Tasks, session.PlanTask{ID: fmt.Sprint("task", n), Practice: n == 0, Type: map[bool]string{true: "even", false: "odd"}[n%2 == 0]})
	}
	events, _, err := simulate.Session{ID: fmt.Sprintf("01HZ%022d", seed), Plan: plan, Seed: seed, Wall: 1_700_000_000_000, Effects: &simulate.Effects{First: 2}}.Log()
	fatal.If(t, err)
	return events
}

// noText is the text of simulated answers.
func noText(session.Ref) ([]byte, error) { return []byte("- a point"), nil }

// Picks of sessions are counted with the ratings of pairs, each once, with the model that was picked, and a tester with a
// rater's name is that rater. Of a filter's tasks there are those of the tasks that it chooses.
func TestPicks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	s := judgedFile(t, r, true, 0, opinions(r, func(r *rand.Rand) opinion { return opinion{r.Float64(), r.Float64()} }))
	before, err := Analyse(s, Apart)
	fatal.If(t, err)
	wins, picked := map[string]int{}, 0
	for i, tester := range []string{"Ann", "cleo", "dora"} {
		log := pickedLog(t, tester, [2]string{"alpha-1", "gamma"}, uint64(i+1))
		list, reason, err := PicksOf(log, noText)
		fatal.If(t, err)
		if reason != "" || len(list) < 11 {
			t.Fatalf("%d picks, %q", len(list), reason)
		}
		state, err := session.Replay(log)
		fatal.If(t, err)
		for _, task := range state.Tasks {
			for _, a := range task.Attempts {
				if a.Picked != nil && a.Picked.Outcome.Decided() && !task.Practice {
					wins[state.Plan.Arena.Models[a.Sent.Sides[a.Picked.Goes.Index()]].Name]++
				}
			}
		}
		for _, p := range list {
			if p.MS <= 0 || p.At.IsZero() || p.Bytes[0] == 0 {
				t.Errorf("%+v", p)
			}
		}
		for _, ev := range s.NewPicks(list) {
			fatal.If(t, s.Apply(ev))
			picked++
		}
		if again := s.NewPicks(list); len(again) > 0 {
			t.Errorf("%d picks are new although they were added", len(again))
		}
		if err := s.Apply(Event{Picked: &list[0]}); err == nil {
			t.Error("a pick was added twice")
		}
	}
	a, err := Analyse(s, Apart)
	fatal.If(t, err)
	if a.Pairs.Picks != picked || a.Pairs.Judgements != before.Pairs.Judgements+picked || len(a.Pairs.Models) != 3 {
		t.Errorf("%d picks, %d judgements, before %d", a.Pairs.Picks, a.Pairs.Judgements, before.Pairs.Judgements)
	}
	count := func(a *Analysis, model string) int {
		return a.Pairs.Models[slices.IndexFunc(a.Pairs.Models, func(m ModelRate) bool { return m.Model == model })].Wins
	}
	if count(a, "gamma") != wins["gamma"] || count(a, "alpha-1") != wins["alpha-1"]+count(before, "alpha-1") || wins["alpha-1"] <= wins["gamma"] {
		t.Errorf("wins %v, the report has %+v, before %+v", wins, a.Pairs.Models, before.Pairs.Models)
	}
	raters := map[string]bool{}
	for _, g := range a.Pairs.Given {
		if g.Use == "pick" {
			raters[g.Rater] = true
		}
	}
	if len(raters) != 3 || !raters["A"] || !raters["tester 1"] || !raters["tester 2"] {
		t.Errorf("picks are of %v", raters)
	}
	if p := a.Judges[0].Together.Problem; !strings.Contains(p, "picks of sessions") {
		t.Errorf("joined with judgements of models: %q", p)
	}
	filter, err := benchmark.ParseFilter("type:even")
	fatal.If(t, err)
	only := 0
	for i := range s.picks {
		if s.picks[i].matches(filter) {
			only++
		}
	}
	if only == 0 || only == picked {
		t.Errorf("the filter chooses %d of %d picks", only, picked)
	}
}

// Impossible picks are refused, and sessions without picks say why.
func TestPicksRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	think := opinions(r, func(r *rand.Rand) opinion { return opinion{1, 1} })
	good := SessionPick{Session: "s", Tester: "ann", Task: session.PlanTask{ID: "t"}, Attempt: 1, Models: [2]string{"a", "b"}, Outcome: pairs.A}
	if err := judgedFile(t, r, false, 0, think).Apply(Event{Picked: &good}); err == nil || !strings.Contains(err.Error(), "not of pairs") {
		t.Errorf("ratings that are not of pairs: %v", err)
	}
	s := judgedFile(t, r, true, 0, think)
	for what, change := range map[string]func(p *SessionPick){
		"session": func(p *SessionPick) { p.Session = "" }, "tester": func(p *SessionPick) { p.Tester = " " }, "models": func(p *SessionPick) { p.Models[1] = "a" },
		"outcome": func(p *SessionPick) { p.Outcome = "c" }, "ms": func(p *SessionPick) { p.MS = -1 },
	} {
		bad := good
		change(&bad)
		if err := s.Apply(Event{Picked: &bad}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	fatal.If(t, s.Apply(Event{Picked: &good}))
	log := pickedLog(t, "ann", [2]string{"x", "y"}, 9)
	if _, reason, err := PicksOf(log[:len(log)-1], noText); err != nil || reason != "not finished" {
		t.Errorf("%q, %v", reason, err)
	}
	open := log[0].Payload.(session.Opened)
	open.Plan.Arena, open.Plan.Model = nil, session.Model{Name: "one"}
	alone, _, err := simulate.Session{ID: open.Session, Plan: open.Plan, Wall: 1}.Log()
	fatal.If(t, err)
	if _, reason, err := PicksOf(alone, noText); err != nil || reason != "of one model" {
		t.Errorf("%q, %v", reason, err)
	}
}
