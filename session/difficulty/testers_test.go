package difficulty

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/irt"
	"assay/session"
)

// sat is a state with tasks: "+2" satisfied with the second attempt, "-3" not after three, "s" skipped, "p"
// practice, "o" open.
func sat(id, tester, model string, tasks ...string) *session.State {
	s := session.New()
	s.Session, s.Plan = id, session.Plan{Benchmark: "b", K: 4, Tester: tester, Model: session.Model{Name: model}}
	for i, what := range tasks {
		x := session.Task{PlanTask: session.PlanTask{ID: fmt.Sprintf("t%d", i)}, Opened: true, Closed: what[0] != 'o', Outcome: session.GaveUp}
		n := 1
		switch what[0] {
		case '+':
			x.Outcome = session.Satisfied
			fmt.Sscan(what[1:], &n)
		case '-':
			fmt.Sscan(what[1:], &n)
		case 's':
			x.Outcome = session.Skipped
		case 'p':
			x.Practice, x.Outcome = true, session.Satisfied
		case 'o':
			x.Outcome = ""
		}
		x.Attempts = make([]session.Attempt, n)
		s.Tasks = append(s.Tasks, x)
	}
	return s
}

func sittingsOf(blind bool, states ...*session.State) (all []Sitting) {
	for _, s := range states {
		all = append(all, SittingOf(s, blind))
	}
	return all
}

func told(r irt.Responses) string {
	return strings.ReplaceAll(fmt.Sprint(r.Respondents, r.Items, r.Scores), "NaN", "-")
}

func TestFromTesters(t *testing.T) {
	ann, bob := sat("1", "ann", "m", "+1", "+3", "-4", "s"), sat("2", "bob", "m", "o", "+4", "p", "-1")
	gone := sat("3", "eve", "m", "+1", "+1", "+1", "+1")
	gone.Closed = "withdrawn"
	for outcome, want := range map[Outcome]string{
		WithinK:    "[tester ann tester bob] [t0 t1 t2 t3] [[1 1 0 -] [- 1 - 0]]",
		ByAttempts: "[tester ann tester bob] [t0 t1 t2 t3] [[1 0.5 0 -] [- 0.25 - 0]]",
	} {
		got, err := FromTesters(sittingsOf(false, ann, bob, gone), outcome)
		if err != nil || told(got.Responses) != want {
			t.Errorf("%s: %s, %v", outcome, told(got.Responses), err)
		}
		if got.Who["tester ann"] != Person || (got.Responses.Trials == nil) != (outcome == ByAttempts) {
			t.Errorf("%s: %+v", outcome, got)
		}
		if note := strings.Join(got.Notes, " "); !strings.Contains(note, "k is 4") || outcome == ByAttempts && !strings.Contains(note, "(k − a + 1)/k") {
			t.Errorf("%s: %s", outcome, note)
		}
	}
	if _, err := FromTesters(sittingsOf(false, gone), WithinK); err == nil || !strings.Contains(err.Error(), "no session has a task with a result") {
		t.Errorf("a withdrawn session: %v", err)
	}
	other := sat("4", "bob", "m", "+1")
	other.Plan.Benchmark = "c"
	if _, err := FromTesters(sittingsOf(false, ann, other), WithinK); err == nil || !strings.Contains(err.Error(), "several benchmarks") {
		t.Errorf("two benchmarks: %v", err)
	}
	other.Plan.Benchmark, other.Plan.K = "b", 2
	if got, _ := FromTesters(sittingsOf(false, ann, other), WithinK); !strings.Contains(got.Notes[0], "from 2 to 4") {
		t.Errorf("two k: %v", got.Notes)
	}
}

// A tester of several arms is one respondent with each model, and a program one with each policy; the same
// pseudonym in two studies means two people; and a repeated task has the mean.
func TestRespondentsAmongTesters(t *testing.T) {
	program := sat("5", "automatic", "m", "+1")
	program.Plan.Automatic = &session.Automatic{Feedback: session.FeedbackVerdict}
	inStudy := func(s *session.State, study string, number int, shown string) *session.State {
		s.Plan.Study = &session.InStudy{Name: study, Tester: number, Shown: shown}
		return s
	}
	got, err := FromTesters(sittingsOf(false, sat("1", "ann", "m", "+1"), sat("2", "ann", "n", "-4"), sat("3", "ann", "m", "-4"), program, sat("6", "", "m", "+1"),
		inStudy(sat("7", "ann", "m", "+1"), "s", 1, ""), inStudy(sat("8", "ann", "m", "-1"), "s", 2, "")), WithinK)
	if want := "[tester ann, m tester ann, n automatic tester, verdict, m testers without a name tester ann #2 tester ann #3] [t0] [[0.5] [0] [1] [1] [1] [0]]"; err != nil || told(got.Responses) != want {
		t.Errorf("%s, %v", told(got.Responses), err)
	}
	if got.Who["automatic tester, verdict, m"] != Program || got.Responses.Trials[0][0] != 2 {
		t.Errorf("%+v", got)
	}
	blind := []*session.State{inStudy(sat("1", "ann", "secret-1", "+1"), "s", 1, "Model A"), inStudy(sat("2", "ann", "secret-2", "+1"), "s", 1, "Model B")}
	if got, _ = FromTesters(sittingsOf(true, blind...), WithinK); strings.Contains(fmt.Sprintf("%+v", got), "secret") || got.Responses.Respondents[1] != "tester ann, Model B" {
		t.Errorf("a blind study names its models: %+v", got)
	}
	if got, _ = FromTesters(sittingsOf(false, blind...), WithinK); got.Responses.Respondents[1] != "tester ann, secret-2" {
		t.Errorf("an unblinded study does not: %+v", got.Responses.Respondents)
	}
}

func TestTogether(t *testing.T) {
	models := irt.Responses{Respondents: []string{"m", "tester ann"}, Items: []string{"t1", "x"}, Scores: [][]float64{{0.5, 1}, {math.NaN(), 0}}, Trials: [][]float64{{2, 2}, {math.NaN(), 2}}}
	testers, err := FromTesters(sittingsOf(false, sat("1", "ann", "m", "+1", "-4")), WithinK)
	fatal.If(t, err)
	got, err := Together(models, testers)
	if want := "[m tester ann tester ann (tester)] [t1 x t0] [[0.5 1 -] [- 0 -] [0 - 1]]"; err != nil || told(got.Responses) != want {
		t.Errorf("%s, %v", told(got.Responses), err)
	}
	if got.Who["tester ann (tester)"] != Person || got.Who["tester ann"] != "" || !strings.Contains(strings.Join(got.Notes, " "), "one scale, held together by 1 task:") {
		t.Errorf("%+v", got)
	}
	if got.Responses.Trials[2][0] != 1 {
		t.Errorf("trials: %v", got.Responses.Trials)
	}
	byAttempts, _ := FromTesters(sittingsOf(false, sat("1", "ann", "m", "+1", "-4")), ByAttempts)
	if got, err = Together(models, byAttempts); err != nil || got.Responses.Trials != nil {
		t.Errorf("scores that are no shares are counted: %v, %v", got.Responses.Trials, err)
	}
	models.Items = []string{"y", "x"}
	if _, err := Together(models, testers); err == nil || !strings.Contains(err.Error(), "no task in common") {
		t.Errorf("nothing in common: %v", err)
	}
}

// People and programs are marked in what is analysed.
func TestWhoIsMarked(t *testing.T) {
	r, _ := simulated(6, 15, 20)
	a, err := Analyse(r, Options{Seed: 1, Who: map[string]Who{r.Respondents[2]: Program}, Notes: []string{"a note"}})
	fatal.If(t, err)
	for _, x := range a.Respondents {
		if (x.Who == Program) != (x.Name == r.Respondents[2]) {
			t.Errorf("%s is %q", x.Name, x.Who)
		}
	}
	if a.Notes[0] != "a note" {
		t.Errorf("notes: %v", a.Notes)
	}
	for _, x := range a.ResponsesTo(a.Tasks[0].ID) {
		if x.Name == "" || x.Expected <= 0 || x.Expected >= 1 || x.Samples != 20 {
			t.Errorf("%+v", x)
		}
	}
	curve, dots, err := a.CurveOf(a.Tasks[0].ID)
	if err != nil || len(dots) != 6 || len(curve.Curves[0].Points) < 100 {
		t.Errorf("%d dots, %v", len(dots), err)
	}
	if _, _, err := a.CurveOf("nothing"); err == nil || a.ResponsesTo("nothing") != nil {
		t.Error("a task that there is not has a curve")
	}
}

// A tester may have the name of another tester combined with a model.
func TestNamesOfRespondentsDiffer(t *testing.T) {
	task := []Sat{{}}
	names := namesOf([]Sitting{{Person: "1", Tester: "ann", Model: "m1", Tasks: task}, {Person: "1", Tester: "ann", Model: "m2", Tasks: task}, {Person: "2", Tester: "ann, m1", Model: "m3", Tasks: task},
		{Person: "1", Tester: "ann", Model: "m1", Tasks: task}})
	if names[0] == names[2] || names[0] == names[1] || names[0] != names[3] {
		t.Errorf("they are called %q", names)
	}
}
