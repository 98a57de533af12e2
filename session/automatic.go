package session

import (
	"errors"
	"fmt"
	"slices"
)

// Automatic is what a session follows in which no human works: a program sends each
// task's first prompt, judges answers by a rule, and after an attempt that failed sends
// feedback made by a policy. It gives no ratings, so that its plan has nothing to rate.
type Automatic struct {
	Rule     Rule     `json:"rule"`     // when an answer satisfies
	Feedback Feedback `json:"feedback"` // the policy
	// Reveals says that feedback shows test cases with what they expect.
	Reveals bool `json:"reveals_tests,omitempty"`
	// Failures is how often in a row sending one prompt may fail before the task, or the
	// session, is left.
	Failures int        `json:"failures"`
	Texts    []Template `json:"texts"` // that messages are made from
}

// AutomaticTester is the pseudonym of the tester that is a program. What makes a session
// automatic is [Plan.Automatic], whatever its tester is called.
const AutomaticTester = "automatic"

// AutomaticCriterion says in words what [RuleAccepted] is satisfied with.
const AutomaticCriterion = "Satisfied: the code passes all tests."

// Template is a text of an automatic tester with places for what is not known beforehand.
type Template struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Rule says when an automatic tester is satisfied with an answer.
type Rule string

// RuleAccepted is satisfied with an answer whose code passes all tests, and with no other.
// What is not satisfying is refined until the attempts are used up.
const RuleAccepted Rule = "accepted"

// Feedback names what an automatic tester tells the model after an attempt that failed.
type Feedback string

// The policies of feedback.
const (
	FeedbackNone       Feedback = "none"          // nothing: the same prompt again
	FeedbackVerdict    Feedback = "verdict"       // what the verdict was
	FeedbackFirst      Feedback = "first-failing" // the first test case that failed
	FeedbackAll        Feedback = "all-failing"   // all that failed, within bounds
	FeedbackReflection Feedback = "reflection"    // the verdict; the model says first what is wrong
)

// Feedbacks are the policies, from the one that says least.
func Feedbacks() []Feedback {
	return []Feedback{FeedbackNone, FeedbackVerdict, FeedbackReflection, FeedbackFirst, FeedbackAll}
}

// Reveals reports whether the policy shows test cases to the model.
func (f Feedback) Reveals() bool { return f == FeedbackFirst || f == FeedbackAll }

// Reflection is the call before an attempt in which the model says what was wrong with
// the attempt before. It is no attempt.
type Reflection struct {
	Tries  int // times that it was asked for
	Sent   *PromptSent
	Answer *AnswerReceived // nil while there is none
}

// validateAutomatic checks the plan of an automatic session, in which nothing may be
// asked that only a person can answer.
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
	case len(p.Attributes) > 0 || p.Labels == nil || len(p.Labels) > 0 || len(p.Survey) > 0:
		return errors.New("an automatic tester rates, labels and answers nothing")
	case p.Study != nil || p.Gate != nil || p.Breaks != nil || p.Resume != nil:
		return errors.New("an automatic tester takes no part in a study made for people")
	case slices.ContainsFunc(p.Tasks, func(t PlanTask) bool { return t.Check != nil }):
		return errors.New("an automatic tester has no attention checks")
	}
	return nil
}

// follows says why an automatic tester may not decide so on an attempt, nil for whoever
// is none.
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

// RuledOn is the decision of an automatic tester on an attempt whose verdict is there.
func (s *State) RuledOn(a *Attempt) Decision {
	switch {
	case a.Verdict.Verdict == "accepted":
		return DecideSatisfied
	case a.N < s.Plan.K:
		return DecideRefine
	}
	return DecideGiveUp
}

// WantsReflection reports whether the model is still to be asked what was wrong, before the
// open attempt's prompt is sent.
func (s *State) WantsReflection() bool {
	a := s.Attempt()
	return s.Plan.Automatic != nil && s.Plan.Automatic.Feedback == FeedbackReflection && a != nil && a.N > 1 &&
		(a.Reflection == nil || a.Reflection.Answer == nil)
}

// reflect begins the wait for the model's own account of what was wrong.
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

// Reflecting reports whether the answer that is awaited is a reflection.
func (a *Attempt) Reflecting() bool {
	return a.Sent == nil && a.Reflection != nil && a.Reflection.Answer == nil
}
