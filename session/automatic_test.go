package session

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"assay/data/fatal"
)

// byProgram is a plan with an automatic tester.
func byProgram(f Feedback) Plan {
	p := plan(2, 2)
	p.Tasks[0].Practice = false
	p.Tester, p.Attributes, p.Labels = AutomaticTester, []Attribute{}, []Label{}
	p.Automatic = &Automatic{Rule: RuleAccepted, Feedback: f, Reveals: f.Reveals(), Failures: 3}
	return p
}

// tellOf starts the story of an unmodified plan.
func tellOf(t *testing.T, p Plan) *story {
	t.Helper()
	st := &story{t: t, s: New()}
	st.do(Opened{Session: "s", Plan: p})
	return st
}

// An automatic session closes its tasks without ratings, and decides only by its rule.
func TestAutomaticRule(t *testing.T) {
	st := tellOf(t, byProgram(FeedbackVerdict))
	attempt := func(n int, verdict string) {
		st.do(PromptSent{Attempt: n, Try: 1, Prompt: "p", Bytes: 1, Messages: []Message{{User, "p"}}}, AnswerReceived{Attempt: n, Answer: "a"})
		if err := st.s.Check(Judged{Attempt: n, Decision: DecideSatisfied}); !errors.Is(err, ErrNotNow) {
			t.Errorf("attempt %d may be judged without a verdict: %v", n, err)
		}
		st.do(VerdictRecorded{Task: st.s.Current, Attempt: n, Verdict: verdict})
	}
	may := func(n int, want Decision) {
		t.Helper()
		for _, d := range []Decision{DecideSatisfied, DecideRefine, DecideGiveUp} {
			if err := st.s.Check(Judged{Attempt: n, Decision: d}); (err == nil) != (d == want) {
				t.Errorf("attempt %d judged %s: %v; the rule wants %s", n, d, err, want)
			}
		}
		st.do(Judged{Attempt: n, Decision: want, VerdictSeen: true})
	}
	st.do(TaskOpened{0, "t0"}, EditStarted{1})
	attempt(1, "wrong_answer")
	may(1, DecideRefine)
	attempt(2, "time_limit")
	may(2, DecideGiveUp)
	st.do(TaskClosed{0, Exhausted}, TaskOpened{1, "t1"})
	attempt(1, "accepted")
	may(1, DecideSatisfied)
	st.do(TaskClosed{1, Satisfied}, Closed{"finished"})
}

// A reflection is an answer but no attempt: it precedes each prompt except the first, once.
func TestReflection(t *testing.T) {
	st := tellOf(t, byProgram(FeedbackReflection))
	prompt := func(n, try int) PromptSent {
		return PromptSent{Attempt: n, Try: try, Prompt: "p", Bytes: 1, Messages: []Message{{User, "p"}}}
	}
	reflect := func(n, try int) PromptSent {
		p := prompt(n, try)
		p.Reflection = true
		return p
	}
	refused := func(p Payload) {
		t.Helper()
		if err := st.s.Check(p); !errors.Is(err, ErrNotNow) {
			t.Errorf("%+v is possible: %v", p, err)
		}
	}
	st.do(TaskOpened{0, "t0"}, EditStarted{1})
	refused(reflect(1, 1))
	st.do(prompt(1, 1), AnswerReceived{Attempt: 1, Answer: "a"}, VerdictRecorded{Task: 0, Attempt: 1, Verdict: "wrong_answer"}, Judged{Attempt: 1, Decision: DecideRefine})
	refused(prompt(2, 1))
	st.do(reflect(2, 1), AnswerFailed{Attempt: 2, Class: "timeout"})
	refused(reflect(2, 1))
	refused(prompt(2, 1))
	st.do(reflect(2, 2), FirstToken{Attempt: 2}, AnswerReceived{Attempt: 2, Answer: "why"})
	a := st.s.Attempt()
	if st.s.Phase != Compose || a.Answer != nil || a.Tries != 0 || a.Reflection.Answer.Answer != "why" || a.Reflection.Tries != 2 || a.N != 2 {
		t.Fatalf("phase %s, %+v", st.s.Phase, a)
	}
	refused(reflect(2, 3))
	refused(CodeExtracted{Task: 0, Attempt: 2})
	st.do(prompt(2, 1), AnswerReceived{Attempt: 2, Answer: "b"}, VerdictRecorded{Task: 0, Attempt: 2, Verdict: "accepted"}, Judged{Attempt: 2, Decision: DecideSatisfied}, TaskClosed{0, Satisfied})
	if n := len(st.s.Tasks[0].Attempts); n != 2 {
		t.Errorf("%d attempts", n)
	}
}

// Human testers are never asked for a reflection.
func TestReflectionOfHumans(t *testing.T) {
	st := tell(t, plan(1, 2))
	st.do(TaskOpened{0, "t0"})
	if err := st.s.Check(PromptSent{Attempt: 1, Try: 1, Bytes: 1, Reflection: true}); !errors.Is(err, ErrNotNow) {
		t.Errorf("got %v", err)
	}
}

// An automatic plan may not ask questions that a program cannot answer, and only an automatic plan may have
// nothing to rate.
func TestAutomaticPlan(t *testing.T) {
	fatal.If(t, byProgram(FeedbackFirst).Validate())
	for name, change := range map[string]func(*Plan){
		"rates":   func(p *Plan) { p.Attributes = MiahZhuAttributes() },
		"labels":  func(p *Plan) { p.Labels = nil },
		"answers": func(p *Plan) { p.Survey = []Question{{ID: "q", Text: "?"}} },
		"study":   func(p *Plan) { p.Study = &InStudy{Name: "s"} },
		"people":  func(p *Plan) { p.Breaks = &Breaks{Tasks: 1} },
		"rule":    func(p *Plan) { p.Automatic.Rule = "any" },
		"none of": func(p *Plan) { p.Automatic.Feedback = "praise" },
		"wrong":   func(p *Plan) { p.Automatic.Reveals = false },
		"failure": func(p *Plan) { p.Automatic.Failures = 0 },
		"has no":  func(p *Plan) { p.Automatic = nil },
	} {
		p := byProgram(FeedbackFirst)
		change(&p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := byProgram(FeedbackVerdict)
	text, err := json.Marshal(p)
	fatal.If(t, err)
	var read Plan
	if err := json.Unmarshal(text, &read); err != nil || read.Validate() != nil {
		t.Errorf("the plan read back: %v, %v", err, read.Validate())
	}
	human, err := json.Marshal(plan(2, 2))
	if err != nil || strings.Contains(string(human), "automatic") {
		t.Errorf("a plan for people is %s, %v", human, err)
	}
}

// Check reports whether payload is allowed now, without changing s.
func (s *State) Check(payload Payload) error {
	return s.Clone().Apply(Event{Seq: s.Seq + 1, Stamp: s.Last, Payload: payload})
}
