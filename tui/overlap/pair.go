package overlap

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/scoring/pairs"
	"assay/session"
	"assay/session/engine"
	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/work/viewer"
)

// pair is the part of a rater's screen on which two answers are compared: the answer of the screen is A.
type pair struct {
	sides viewer.Sides
	since time.Time // when the pair was shown
	asked int       // the question that keys answer: 0 is which is better, i in which of the i-th attribute
}

// pairs reports whether pairs are judged.
func (s *Rating) pairs() bool { return len(s.header.Pairs) > 0 }

// Typing reports whether printable keys are text.
func (s *Rating) Typing() bool { return s.shared.Typing() || !s.writing && s.sides.Typing() }

// Settled reports whether everything is written and drawn.
func (s *Rating) Settled() bool { return s.shared.Settled() && s.sides.Settled() }

// showPair shows both answers.
func (s *Rating) showPair() tea.Cmd {
	e := s.item()
	side := func(name string, item *overlap.Item, rival viewer.Rival) *viewer.Past {
		state := s.header.State(item)
		return viewer.NewSide(name, rival, engine.NewRecord(item, state.Plan), state, len(item.Attempts)-1, s.opts.Work)
	}
	s.sides.Show(side("answer A", &e.Item, viewer.Rival{Name: "answer B", Code: e.Other.Code()}), side("answer B", e.Other, viewer.Rival{Name: "answer A", Code: e.Item.Code()}))
	s.past, s.open, s.since = s.sides.A, false, s.now()
	s.ask()
	return s.sides.Init()
}

// updatePair handles what is no key; the saver gets a key first.
func (s *Rating) updatePair(msg tea.Msg) tea.Cmd {
	if look, is := msg.(frame.LookMsg); is {
		s.size, s.theme = look.Size, look.Theme
		return s.sides.Look(look.Size, look.Theme)
	}
	if cmd, taken := s.saver.Update(msg); taken {
		return cmd
	}
	if _, pasted := msg.(tea.PasteMsg); pasted && s.writing {
		return s.saver.Edit(&s.line, msg)
	}
	return s.sides.Update(msg)
}

// pressPair judges, or passes a key to the answers: all keys while words to search for are typed there.
func (s *Rating) pressPair(msg tea.KeyPressMsg) tea.Cmd {
	s.notice, s.bad = "", false
	press := msg.String()
	if s.sides.Typing() || (press == "esc" || press == "q") && !s.sides.Leaves(press) {
		return s.sides.Pass(msg)
	}
	cmd, why, taken := frame.Pressed(s.pairKeys(), press)
	if s.notice += why; taken || why != "" {
		return cmd
	}
	return s.sides.Pass(msg)
}

// pairKeys returns the keys. Those of the answers have no action here: they are passed on.
func (s *Rating) pairKeys() []frame.Key {
	choose := func(o pairs.Outcome) func() tea.Cmd { return func() tea.Cmd { return s.choose(o) } }
	fit := func(o pairs.Outcome) func(*frame.Key) {
		return func(k *frame.Key) {
			switch {
			case s.asked > 0:
				k.Does += ", in " + frame.OneLine(s.header.Why[s.asked-1].Name)
			case s.asksHowMuch() && s.item().Form.Outcome == o:
				k.Why = "that is said; how much better is it?"
			}
		}
	}
	var keys []frame.Key
	if s.asksHowMuch() {
		keys = []frame.Key{s.howMuchKey()}
	}
	keys = append(keys, []frame.Key{
		s.sides.SwapKey(),
		{Press: "enter", Does: "next", Do: s.forward},
		// What is asked names all answers, which a narrow legend would not: one that names some leads to them.
		{Press: "a", Does: "A is better", More: true, Do: choose(pairs.A), Fit: fit(pairs.A)}, {Press: "b", Does: "B is better", More: true, Do: choose(pairs.B), Fit: fit(pairs.B)},
		{Press: "=", Does: "equal", More: true, Do: choose(pairs.Equal), Fit: fit(pairs.Equal)}, {Press: "0", Does: "neither is usable", More: true, Do: choose(pairs.Neither)},
		{Press: "tab", Does: "next question", More: true, Do: frame.Only(func() { s.asked = (s.asked + 1) % (1 + len(s.header.Why)) }), Not: func() string {
			switch {
			case len(s.header.Why) == 0:
				return "one question is asked here"
			case s.item().Form.Outcome == "":
				return "first say which is better"
			case s.asksHowMuch():
				return "first say how much better it is"
			}
			return ""
		}},
		s.undoKey(), s.noteKey(), frame.HelpKey,
		s.sides.ApartKey(),
		{Press: "←→", Also: "[ ]", Does: "other pair", More: true, Run: s.step},
	}...)
	return append(keys, s.otherKeys()...)
}

// howMuchKey is there while how much better is asked: at other times digits choose views of the answers.
func (s *Rating) howMuchKey() frame.Key {
	return frame.Key{Press: "1-3", Does: "how much better", Run: func(press string) tea.Cmd { return s.howMuch(int(press[0] - '0')) }}
}

// asksHowMuch reports whether how much better an answer is has still to be said.
func (s *Rating) asksHowMuch() bool {
	return s.header.HowMuch && s.item().Form.Outcome.Decided() && s.item().Form.Much == 0
}

// ask asks the first question that has no answer; how much better an answer is comes before attributes.
func (s *Rating) ask() {
	f := &s.item().Form
	if s.asked = 0; f.Outcome == "" || s.asksHowMuch() {
		return
	}
	if i := slices.IndexFunc(s.header.Why, func(a session.Attribute) bool { return f.Why[a.ID] == "" }); i >= 0 {
		s.asked = i + 1
	}
}

// choose answers the question that is asked. How much better is asked anew after which.
func (s *Rating) choose(o pairs.Outcome) tea.Cmd {
	f := s.item().Form
	f.Why = maps.Clone(f.Why)
	if s.asked > 0 && o != pairs.Neither {
		if f.Why == nil {
			f.Why = map[string]pairs.Outcome{}
		}
		f.Why[s.header.Why[s.asked-1].ID] = o
	} else {
		f.Outcome, f.Much = o, 0
	}
	return s.compared(f)
}

// howMuch says by how much the better answer is better.
func (s *Rating) howMuch(step int) tea.Cmd {
	f := s.item().Form
	f.Much = step
	return s.compared(f)
}

// compared writes a judgement, and asks the next question.
func (s *Rating) compared(f overlap.Form) tea.Cmd {
	now := s.now()
	cmd := s.change(overlap.Event{Compared: &overlap.Compared{Rater: s.opts.Rater, Pair: s.item().Pair, Outcome: f.Outcome, Reasons: f.Reasons, At: now, MS: max(0, now.Sub(s.since).Milliseconds()), Both: s.sides.Both()}},
		func(form *overlap.Form) { form.Outcome, form.Reasons = f.Outcome, f.Reasons }, nil)
	s.ask()
	return cmd
}

// judgement returns what is said of the pair, and the question that is asked.
func (s *Rating) judgement() string {
	f, keyed := &s.item().Form, func(text string) string { return s.theme.Keyed(frame.ScopeOverlap, false, text) }
	if f.Outcome == "" {
		return s.theme.Strong.Render(keyed("· which is better? {a} A  {b} B  {=} equal  {0} neither is usable"))
	}
	said := map[pairs.Outcome]string{pairs.A: "A is better", pairs.B: "B is better", pairs.Equal: "equal", pairs.Neither: "neither is usable"}[f.Outcome]
	mark := "✓ "
	if !s.whole(s.item()) {
		mark = "· "
	}
	said = mark + said
	if f.Much > 0 {
		said += ", " + []string{"slightly", "clearly", "far"}[f.Much-1]
	}
	if s.asksHowMuch() {
		return said + s.theme.Strong.Render(keyed(" · how much? {1} slightly  {2} clearly  {3} far"))
	}
	if s.asked > 0 {
		a := s.header.Why[s.asked-1]
		return fmt.Sprintf("%s · in %s?%s", said, frame.OneLine(a.Name), keyed(" {a} A  {b} B  {=} equal"))
	}
	for _, a := range s.header.Why {
		if o := f.Why[a.ID]; o != "" {
			said += " · " + frame.OneLine(a.Name) + " " + strings.ToUpper(string(o))
		}
	}
	return said
}

// pairPage draws both answers, or one of them, and the judgement.
func (s *Rating) pairPage() frame.Page {
	p := frame.Page{
		Scope: frame.ScopeOverlap, Title: "Which is better? · " + frame.OneLine(s.header.Name+" · "+s.item().Title()), Place: fmt.Sprintf("%d of %d", s.at+1, s.share()),
		Keys: s.keys(), Status: fmt.Sprintf("%d of %d judged", frame.CountIf(s.items, s.whole), s.share()),
	}
	text := s.judgement()
	if note := s.item().Form.Note; note != "" {
		text += " · note: " + frame.OneLine(note)
	}
	return s.foot(s.sides.Draw(s.size, s.theme, p, " "+text), " note: ")
}

// mousePair passes the mouse to the answer under it.
func (s *Rating) mousePair(msg tea.MouseMsg, x, y int) tea.Cmd {
	if s.writing || s.saver.Holding() {
		return nil
	}
	return s.sides.Mouse(msg, x, y)
}
