package plain

import (
	"strings"

	"assay/scoring/pairs"
	"assay/session"
	"assay/session/overlap"
)

// This file has the tester compare two answers to a prompt.

// unnamed returns a text in which no model names itself, while the tester must not know which of two models is which.
func (p *talk) unnamed(text string) string {
	if mask := overlap.Unnamed(p.state()); mask != nil {
		text, _ = mask.Answer(text)
	}
	return text
}

// progress describes how far the awaited answers are.
func (p *talk) progress() string {
	var parts []string
	for _, side := range p.state().Awaited() {
		text := howItGoes(p.eng.Waiting(side), p.eng.Streamed(side))
		if side != "" {
			text = "Answer " + strings.ToUpper(string(side)) + ": " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// compare prints both answers and asks which is better.
func (p *talk) compare() error {
	if p.told != p.id() {
		p.told = p.id()
		for _, side := range session.Sides() {
			if err := p.side(side); err != nil {
				return err
			}
		}
		p.say("\nWhich answer is better? The one that you name goes on. Type a or b; = if they are equal, 0 if neither is usable. Help lists more.")
	}
	pick := func(o pairs.Outcome) func(string) error {
		return func(string) error {
			if err := p.eng.Pick(p.ctx, o, false); err != nil {
				p.trouble(err)
				return nil
			}
			a := p.state().Attempt()
			p.told = p.id() // the picked answer was printed already
			p.shown("answer")
			p.say("%s", follows(a))
			return nil
		}
	}
	on := func(f func(session.Side) error) func(string) error {
		return func(which string) error {
			if side := session.Side(strings.ToLower(which)); side == session.SideA || side == session.SideB {
				return f(side)
			}
			p.say("Say of which answer: a or b.")
			return nil
		}
	}
	return p.choose("a, b, = or 0?", []command{
		{"a", "answer A is better", pick(pairs.A)}, {"b", "answer B is better", pick(pairs.B)},
		{"=", "they are equal", pick(pairs.Equal)}, {"0", "neither is usable", pick(pairs.Neither)},
		{"answer a|b", "read an answer out again", on(p.side)},
		{"tests a|b", "what the tests say of an answer", on(p.testsOf)},
	})
}

// side prints the answer of a side.
func (p *talk) side(side session.Side) error {
	a := p.state().Attempt().On(side).Answer
	for _, warning := range a.Warnings() {
		p.say("\nCareful: %s", warning)
	}
	p.say("")
	return p.answered("Answer "+strings.ToUpper(string(side)), a.Answer, a.Thinking)
}

// testsOf waits for the tests of a side and prints their results, as far as the study shows them.
func (p *talk) testsOf(side session.Side) error {
	if p.hidden() {
		return nil
	}
	if err := p.untilKnown(func(a *session.Attempt) bool { return a.On(side).Verdict != nil }); err != nil {
		return err
	}
	return p.results(p.state().Attempt().On(side))
}

// follows says what follows from a comparison.
func follows(a *session.Attempt) string {
	goes := "Answer " + strings.ToUpper(string(a.Picked.Goes))
	switch a.Picked.Outcome {
	case pairs.Neither:
		return "Neither is usable: later prompts are sent without this one and its answers. " + goes + ", drawn from the two, is the one that you judge now: refine, or give up."
	case pairs.Equal:
		return "They are equal: " + goes + ", drawn from the two, goes on. Judge it now: satisfied, refine or give up."
	}
	return goes + " goes on. Judge it now: satisfied, refine or give up."
}
