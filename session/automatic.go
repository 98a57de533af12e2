package session

import (
	"errors"
	"fmt"
	"slices"
)

// Automatic is the procedure of a session without a human tester: a program sends each task's first prompt,
// judges answers by a rule, and after a failed attempt sends feedback made by a policy. It gives no
// ratings, so its plan has no attributes to rate.
type Automatic struct {
	Rule     Rule     `json:"rule"`     // when an answer is satisfactory
	Feedback Feedback `json:"feedback"` // what the model is told after a failed attempt
	// Reveals reports that feedback shows test cases with their expected results.
	Reveals bool `json:"reveals_tests,omitempty"`
	// Failures is how many times in a row sending one prompt may fail before the program gives up on the
	// task or the session.
	Failures int        `json:"failures"`
	Texts    []Template `json:"texts"` // the templates of messages
	// TooLong is what a task counts as whose prompt alone exceeds the model's context; "" in older sessions: skipped.
	TooLong TooLong `json:"too_long,omitempty"`
}

// TooLong is what a task counts as whose prompt alone exceeds the model's context.
type TooLong string

// The rules for such tasks.
const (
	TooLongUnsolved TooLong = "unsolved" // not solved, like a task that is given up
	TooLongSkipped  TooLong = "skipped"  // skipped: it is no result
)

// TooLongs lists the rules.
func TooLongs() []TooLong { return []TooLong{TooLongUnsolved, TooLongSkipped} }

// AutomaticTester is the pseudonym of the automatic tester. What makes a session automatic is
// [Plan.Automatic], not the tester's name.
const AutomaticTester = "automatic"

// automaticCriterion describes [RuleAccepted] as a satisfaction criterion.
const automaticCriterion = "Satisfied: the code passes all tests."

// Template is a message template of an automatic tester.
type Template struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Rule decides whether an automatic tester is satisfied with an answer.
type Rule string

// RuleAccepted is satisfied if and only if the code passes all tests. Other answers are refined until the
// attempts are used up.
const RuleAccepted Rule = "accepted"

// Feedback is a policy: what an automatic tester tells the model after a failed attempt.
type Feedback string

// The feedback policies.
const (
	FeedbackNone       Feedback = "none"          // nothing: the same prompt again
	FeedbackVerdict    Feedback = "verdict"       // the verdict
	FeedbackFirst      Feedback = "first-failing" // the first test case that failed
	FeedbackAll        Feedback = "all-failing"   // all failing test cases, up to a limit
	FeedbackReflection Feedback = "reflection"    // the verdict; the model first explains what is wrong
)

// Feedbacks lists the policies, the least informative first.
func Feedbacks() []Feedback {
	return []Feedback{FeedbackNone, FeedbackVerdict, FeedbackReflection, FeedbackFirst, FeedbackAll}
}

// Reveals reports whether the policy shows test cases to the model.
func (f Feedback) Reveals() bool { return f == FeedbackFirst || f == FeedbackAll }

// Reflection is the call before an attempt in which the model explains what was wrong with the previous
// attempt. It does not count as an attempt.
type Reflection struct {
	Tries  int // how often it was requested
	Sent   *PromptSent
	Answer *AnswerReceived // nil until it arrives
}

// validateAutomatic checks the plan of an automatic session, which must not ask for anything that only a
// person can answer.
func (p Plan) validateAutomatic() error {
	a := p.Automatic
	switch {
	case a.Rule != RuleAccepted:
		return fmt.Errorf("the automatic tester's rule %q is not known: it is %q", a.Rule, RuleAccepted)
	case !slices.Contains(Feedbacks(), a.Feedback):
		return fmt.Errorf("the automatic tester's feedback %q is none of %v", a.Feedback, Feedbacks())
	case a.Reveals != a.Feedback.Reveals():
		return fmt.Errorf("the record of whether feedback %q shows test cases is wrong", a.Feedback)
	case a.Failures < 1:
		return fmt.Errorf("%d failures of the model: at least one must be allowed", a.Failures)
	case a.TooLong != "" && !slices.Contains(TooLongs(), a.TooLong):
		return fmt.Errorf("the automatic tester's rule %q for prompts that are too long is none of %v", a.TooLong, TooLongs())
	case len(p.Attributes) > 0 || p.Labels == nil || len(p.Labels) > 0 || len(p.Survey) > 0:
		return errors.New("an automatic tester rates, labels and answers nothing")
	case p.Study != nil || p.Gate != nil || p.Breaks != nil || p.Resume != nil:
		return errors.New("an automatic tester takes no part in a study made for people")
	case slices.ContainsFunc(p.Tasks, func(t PlanTask) bool { return t.Check != nil }):
		return errors.New("an automatic tester has no attention checks")
	}
	return nil
}

// follows returns why an automatic tester may not make this decision on an attempt; nil for a human tester.
func (s *State) follows(p Judged, a *Attempt) error {
	if s.Plan.Automatic == nil {
		return nil
	}
	if a.Verdict == nil {
		return notNow(p.Kind(), "the tests of attempt %d are still running", a.N)
	}
	if want := s.RuledOn(a); p.Decision != want {
		return notNow(p.Kind(), "by the rule %q attempt %d is to be judged %q, not %q", s.Plan.Automatic.Rule, a.N, want, p.Decision)
	}
	return nil
}

// RuledOn returns the automatic tester's decision on an attempt that has its verdict.
func (s *State) RuledOn(a *Attempt) Decision {
	switch {
	case a.Verdict.Verdict == "accepted":
		return DecideSatisfied
	case a.N < s.Plan.K:
		return DecideRefine
	}
	return DecideGiveUp
}

// WantsReflection reports whether the model is to be asked for a reflection before the open attempt's
// prompt is sent.
func (s *State) WantsReflection() bool {
	a := s.Attempt()
	return s.Plan.Automatic != nil && s.Plan.Automatic.Feedback == FeedbackReflection && a != nil && a.N > 1 &&
		(a.Reflection == nil || a.Reflection.Answer == nil)
}

// reflect starts waiting for the model's reflection.
func (s *State) reflect(p PromptSent, a *Attempt) error {
	if !s.WantsReflection() {
		return notNow(p.Kind(), "no reflection is to be asked for before attempt %d", a.N)
	}
	r := Reflection{}
	if a.Reflection != nil {
		r = *a.Reflection
	}
	if p.Try != r.Tries+1 {
		return notNow(p.Kind(), "try %d cannot follow try %d", p.Try, r.Tries)
	}
	r.Tries, r.Sent = p.Try, &p
	a.Reflection, a.Failed, a.Broken = &r, nil, nil
	return nil
}

// Reflecting reports whether the awaited answer is a reflection.
func (a *Attempt) Reflecting() bool {
	return a.Sent == nil && a.Reflection != nil && a.Reflection.Answer == nil
}

// Unsolved reports whether the open task counts as not solved if it is left now: its prompt exceeds the model's context,
// by the rule of the automatic tester.
func (s *State) Unsolved() bool {
	a := s.Attempt()
	return s.Plan.Automatic != nil && s.Plan.Automatic.TooLong == TooLongUnsolved && a != nil && a.Failed != nil && a.Failed.Class == "too_long"
}
