package session

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"assay/scoring/pairs"
)

// Arena has two models answer each prompt at once. The tester says which answer is better, and that one is the
// attempt's answer.
type Arena struct {
	Models [2]Model `json:"models"`
	Seed   uint64   `json:"seed"` // of the sides, and of which answer goes on where none is better
}

// ProviderArena is the provider of a plan's model that stands for two.
const ProviderArena = "arena"

// Model returns what stands for both models where a session has one.
func (a *Arena) Model() Model {
	x, y := a.Models[0], a.Models[1]
	return Model{Name: x.Name + " + " + y.Name, Provider: ProviderArena, Recorded: x.Recorded && y.Recorded}
}

// Shown returns what stands for two models of an arm that testers read under one name.
func Shown(shown string) [2]Model {
	return [2]Model{{Name: shown + ", first"}, {Name: shown + ", second"}}
}

// Side is one of two answers to a prompt; "" where one model answers.
type Side string

// The sides.
const (
	SideA Side = "a"
	SideB Side = "b"
)

// Sides lists both sides, in order.
func Sides() []Side { return []Side{SideA, SideB} }

// Index returns 1 for B, otherwise 0.
func (s Side) Index() int {
	if s == SideB {
		return 1
	}
	return 0
}

// draws returns the draws of an attempt: the sides first, then which answer goes on.
func (a *Arena) draws(task string, attempt int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%s", attempt, task)
	return rand.New(rand.NewPCG(a.Seed, h.Sum64()))
}

// Draw returns the indexes of the models on sides A and B of an attempt, and the side that goes on if none is better.
func (a *Arena) Draw(task string, attempt int) (sides []int, goes Side) {
	draws := a.draws(task, attempt)
	sides = []int{0, 1}
	if draws.IntN(2) == 1 {
		sides = []int{1, 0}
	}
	return sides, Sides()[draws.IntN(2)]
}

// Picked says which of two answers is better. Goes is the side whose answer is the attempt's from then on: the better
// one, otherwise a drawn one. If neither is usable it is reviewed and measured as the attempt's answer, but not sent
// with later prompts.
type Picked struct {
	Attempt int           `json:"attempt"`
	Outcome pairs.Outcome `json:"outcome"`
	Goes    Side          `json:"goes"`
	Both    bool          `json:"both,omitempty"` // both answers stood on the screen side by side
}

// Kind implements [Payload].
func (Picked) Kind() Kind { return KindPicked }

// AnswersBeside explains why a model cannot answer beside another one; nil: it can.
func (m Model) AnswersBeside() error {
	switch {
	case m.Name == "":
		return errors.New("a model that answers beside another one has no name")
	case m.Provider == "paste":
		return fmt.Errorf("model %q cannot answer beside another one: answers that are pasted come one by one", m.Name)
	case m.Provider == "agent":
		return fmt.Errorf("model %q cannot answer beside another one: what an agent prints while it works names it", m.Name)
	}
	return nil
}

// validateArena checks what a session with two models needs.
func (p Plan) validateArena() error {
	a := p.Arena
	switch {
	case a == nil && p.Model.Provider == ProviderArena:
		return fmt.Errorf("the plan's model %q stands for two, which it does not name", p.Model.Name)
	case a == nil:
		return nil
	case p.Automatic != nil:
		return fmt.Errorf("an automatic tester cannot say which of two answers is better: give it one model")
	case p.Adaptive != nil:
		return fmt.Errorf("an adaptive test measures work with one model, not with two at once")
	}
	for _, m := range a.Models {
		if err := m.AnswersBeside(); err != nil {
			return err
		}
	}
	if a.Models[0].Name == a.Models[1].Name {
		return fmt.Errorf("model %q cannot be compared with itself: name another one", a.Models[0].Name)
	}
	return nil
}

// On returns what a side of the attempt has, the attempt itself for "", or nil if the attempt has no such side.
func (a *Attempt) On(side Side) *Attempt {
	switch {
	case side == "" && a.Sides == nil:
		return a
	case (side == SideA || side == SideB) && a.Sides != nil:
		return &a.Sides[side.Index()]
	}
	return nil
}

// Standing returns the side whose answer is the attempt's: "" where one model answers, or none is picked yet.
func (a *Attempt) Standing() Side {
	if a.Picked == nil {
		return ""
	}
	return a.Picked.Goes
}

// Unusable reports whether the tester said that neither answer is usable.
func (a *Attempt) Unusable() bool { return a.Picked != nil && a.Picked.Outcome == pairs.Neither }

// Received lists the answers that were received: one, or those of both sides.
func (a *Attempt) Received() []*AnswerReceived {
	var all []*AnswerReceived
	for _, side := range a.Replies() {
		if side.Answer != nil {
			all = append(all, side.Answer)
		}
	}
	return all
}

// Replies lists what was answered to the prompt: the attempt itself, or both sides.
func (a *Attempt) Replies() []*Attempt {
	if a.Sides == nil {
		return []*Attempt{a}
	}
	return []*Attempt{&a.Sides[0], &a.Sides[1]}
}

// ended reports whether a side is not awaited any more.
func (a *Attempt) ended() bool { return a.Answer != nil || a.Failed != nil || a.Broken != nil }

// stand makes what the picked side has the attempt's own.
func (a *Attempt) stand() {
	if a.Sides == nil {
		return
	}
	from := &Attempt{}
	if a.Picked != nil {
		from = a.On(a.Picked.Goes)
	}
	a.Answer, a.Extracted, a.Tree, a.Verdict, a.Measured = from.Answer, from.Extracted, from.Tree, from.Verdict, from.Measured
}

// Awaited lists the sides whose answers are awaited, of a single model "".
func (s *State) Awaited() []Side {
	a := s.Attempt()
	switch {
	case s.Phase != Wait || a == nil:
		return nil
	case a.Sides == nil:
		return []Side{""}
	}
	return slices.DeleteFunc(Sides(), func(side Side) bool { return a.On(side).ended() })
}

// sidesOf checks which models a prompt is sent to.
func (s *State) sidesOf(p PromptSent) error {
	if s.Plan.Arena == nil && len(p.Sides) > 0 || s.Plan.Arena != nil && !slices.Equal(p.Sides, []int{0, 1}) && !slices.Equal(p.Sides, []int{1, 0}) {
		return fmt.Errorf("%s: the sides %v are not those of the plan's models", p.Kind(), p.Sides)
	}
	return nil
}

// askBoth begins the wait of both sides. An answer that has come already to what is sent again is kept.
func (a *Attempt) askBoth(p *PromptSent) {
	kept := a.Sides
	a.Sides = []Attempt{{N: a.N, Tries: a.Tries, Sent: p}, {N: a.N, Tries: a.Tries, Sent: p}}
	for i := range kept {
		if kept[i].Answer != nil && slices.Equal(kept[i].Sent.Messages, p.Messages) && slices.Equal(kept[i].Sent.Sides, p.Sides) {
			a.Sides[i].Answer = kept[i].Answer
		}
	}
}

// settle ends the wait when both sides have ended: with two answers the tester picks; otherwise the prompt is open again.
func (s *State) settle(a *Attempt) {
	if len(s.Awaited()) > 0 {
		return
	}
	s.Phase = Pick
	for _, side := range a.Replies() {
		if side.Answer == nil {
			a.Failed, a.Broken, s.Phase = side.Failed, side.Broken, Compose
			return
		}
	}
}

func (s *State) pick(p Picked, seq uint64) error {
	t, err := s.inTask(p.Kind(), Pick)
	if err != nil {
		return err
	}
	a := s.Attempt()
	switch {
	case a.N != p.Attempt:
		return notNow(p.Kind(), "the answers of attempt %d are compared, not of %d", a.N, p.Attempt)
	case !p.Outcome.Valid():
		return fmt.Errorf("%s: %q is not one of a, b, = and 0", p.Kind(), p.Outcome)
	case p.Goes != SideA && p.Goes != SideB || p.Outcome.Decided() && string(p.Goes) != string(p.Outcome):
		return fmt.Errorf("%s: with the outcome %q, side %q cannot go on", p.Kind(), p.Outcome, p.Goes)
	}
	a.Picked = &p
	a.stand()
	s.Phase = Review
	t.undo = append(t.undo, undoable{seq: seq, kind: p.Kind()})
	return nil
}

// pickStands reports whether the pick cannot be taken back any more: the answer was judged or tried out since.
func (a *Attempt) pickStands() bool {
	return a.Revealed || len(a.Scratch) > 0 || a.Extracted != nil && a.Extracted.Candidate > 0
}

// On returns the state as if the open attempt were one of its two sides, for display: no event may be applied to it.
func (s *State) On(side Side) *State {
	c := *s
	c.Tasks = slices.Clone(s.Tasks)
	t := &c.Tasks[s.Current]
	t.Attempts = slices.Clone(t.Attempts)
	last := &t.Attempts[len(t.Attempts)-1]
	*last = *last.On(side)
	return &c
}
