package tui_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/report/sessions"
	plans "assay/session/study"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// wholeStudy compares two models on six tasks each, within two testers, blindly, with all
// that a study may ask for.
const wholeStudy = `
name = "Two hidden models"
version = 1
instructions = "Judge each answer."
[tasks]
benchmark = "tiny"
sets = 2
per_set = 6
practice = true
[[arm]]
name = "first"
model = "secret-alpha"
shown = "Model A"
[[arm]]
name = "second"
model = "secret-beta"
shown = "Model B"
[design]
arms = "within"
testers = 2
seed = 3
[session]
k = 3
tests = "none"
suffix = "Explain the code."
[practice]
gate = "judged"
[[attention]]
task = 4
text = "Please choose 2 here"
score = 2
[breaks]
tasks = 4
seconds = 60
forced = true
[consent]
version = "7"
text = "You agree that your prompts are recorded."
[[survey]]
id = "mood"
text = "How was it?"
choices = ["fine", "not so fine"]
[[survey]]
id = "words"
text = "What else?"
optional = true
`

// sitting is one session of the study on the screen; whatever is seen is looked through
// for what must stay hidden.
type sitting struct {
	*tuitest.Driver
	rig    *enginetest.Rig
	hidden []string
}

func (s *sitting) check() {
	s.T.Helper()
	for _, word := range s.hidden {
		if strings.Contains(s.Screen(), word) {
			s.T.Fatalf("%q shows:\n%s", word, s.Screen())
		}
	}
}

func (s *sitting) then(keys string, texts ...string) {
	s.T.Helper()
	s.Press(strings.Fields(keys)...).Sees(texts...)
	s.check()
}

// task works on the next task: at first an answer that is wrong, then one that is right,
// or none that satisfies.
func (s *sitting) task(n int) {
	s.T.Helper()
	s.then("enter", "your prompt", "Explain the code.")
	s.rig.Clock.Advance(3000)
	s.rig.Client.Say(tuitest.WrongAnswer)
	s.Press(fmt.Sprintf("Double number %d", n))
	s.then("ctrl+s", "y satisfied", "tests – hidden")
	s.then("2", "hides the tests until you have judged")
	s.rig.Clock.Advance(2000)
	gives := n%3 == 2
	if gives {
		s.then("g", "Rate the final answer", "What the model got wrong")
	} else {
		s.then("r", "your next message")
		s.rig.Client.Say(tuitest.RightAnswer)
		s.Press("It is twice the number")
		s.then("ctrl+s", "y satisfied", "tests – hidden")
		s.then("y", "Rate the final answer")
	}
	s.rate(n)
}

// rate fills the form in, with what stands in it now.
func (s *sitting) rate(n int) {
	s.T.Helper()
	for i := 0; !strings.Contains(s.Screen(), "complete: enter commits"); i++ {
		before := s.Screen()
		switch {
		case strings.Contains(before, "▸ Please choose 2"):
			s.Press("2")
		case strings.Contains(before, "▸ Explanation"):
			s.Press("y")
		case strings.Contains(before, "▸ What the model got wrong"):
			s.Press("c")
		default:
			s.Press(fmt.Sprint(1 + (n+i)%5))
		}
		s.Until("a changed form", func(screen string) bool { return screen != before })
		s.check()
	}
	s.Press("enter")

}

// sit goes through one session from its first page to its end.
func sit(t *testing.T, s *plans.Study, tester, part int) []session.Event {
	t.Helper()
	b := enginetest.Benchmark(12)
	arm := s.Arms[s.Assign(tester)[part-1].Arm]
	plan, tasks, err := s.Plan(b, strings.Repeat("ab", 32), tester, part, fmt.Sprintf("T%d", tester), session.Model{Name: arm.Model, Provider: "openai", Model: arm.Model + "-2026"})
	fatal.If(t, err)
	rig, err := enginetest.Begin(fmt.Sprintf("01JSTUDY%d%d", tester, part), plan, tasks)
	fatal.If(t, err)
	defer rig.Engine.Close(context.Background())
	at := &sitting{tuitest.Drive(t, work.New(rig.Engine, work.Options{}), 80, 24), rig, []string{"secret", "alpha", "beta", "✗ 2/3", "✓ 3/3", "wrong answer"}}
	at.Sees("Judge each answer.", "Your terminal", arm.Shown)
	for !strings.Contains(at.Screen(), "I agree") {
		before := at.Screen()
		at.Press("space").Until("the next page", func(screen string) bool { return screen != before })
	}
	at.then("y", "enter open the task")
	for i := range plan.Tasks {
		if i == 0 && part == 1 {
			at.Sees("a practice task")
		}
		if rig.Engine.State().BreakDue() {
			at.Sees("Time for a break")
			at.then("enter", "the study wants a break first")
			at.then("b", "‖ Break")
			rig.Clock.Advance(61_000)
			at.then("enter", "enter open the task")
		}
		at.task(i)
		if i+1 < len(plan.Tasks) {
			at.Sees("The clock starts when you open the task")
		}
	}
	if part == len(s.Assign(tester)) { // a person is asked once, at the end
		at.Sees("How was it?")
		at.then("1", "What else?")
		at.Press("nothing")
		at.then("enter", "All 2 questions answered")
		at.Press("enter")
	}
	if part == 1 { // its results could influence the next session
		at.Sees("Session finished", "results after the last").Lacks("1 numbers")
	} else {
		at.Sees("1 numbers")
	}
	events, err := rig.Store.Events(rig.ID, 1)
	fatal.If(t, err)
	return events
}

// TestWholeStudy: two arms, two testers, six tasks for each of a tester's two sessions,
// by keys alone, blind from the first screen to the last page of the report.
func TestWholeStudy(t *testing.T) {
	s, err := plans.Parse("study.toml", wholeStudy)
	fatal.If(t, err)
	b := sessions.NewBuilder(sessions.Options{Title: s.Name, Blind: true})
	for tester := 1; tester <= 2; tester++ {
		for part := 1; part <= 2; part++ {
			events := sit(t, s, tester, part)
			fatal.If(t, enginetest.Verify(events))
			fatal.If(t, b.Add(events))
		}
	}
	r, err := b.Report()
	fatal.If(t, err)
	var page, js bytes.Buffer
	fatal.If(t, r.Markdown(&page))
	fatal.If(t, r.JSON(&js))
	for _, text := range []string{page.String(), js.String()} {
		if strings.Contains(text, "secret") || !strings.Contains(text, "Model A") || !strings.Contains(text, "Model B") {
			t.Errorf("the report is not blind:\n%.3000s", text)
		}
	}
	if c := r.Counts; r.Testers != 2 || c.Planned != 26 || c.Practice != 2 || c.Analysed != 24 || c.Satisfied != 16 || c.GaveUp != 8 {
		t.Errorf("%d testers, %+v", r.Testers, c)
	}
	if a := r.Attention; a == nil || a.Count != 4 || a.N != 4 {
		t.Errorf("attention checks: %+v", a)
	}
	if len(r.Survey) != 2 || r.Survey[0].People != 2 || r.Survey[0].Choices[0].Count != 2 {
		t.Errorf("survey: %+v", r.Survey)
	}
	for _, check := range r.Checks {
		if len(check.Faults) > 0 {
			t.Errorf("%s: %q", check.Name, check.Faults)
		}
	}
	for _, h := range r.Sessions {
		if len(h.Flags) != 0 || h.Status != "finished" || h.Study.Consent != "7" {
			t.Errorf("session %s: %s, %q", h.ID, h.Status, h.Flags)
		}
	}
}
