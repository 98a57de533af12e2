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
	"assay/tui/work"
)

// pair is the part of a rater's screen on which two answers are compared: the answer of the screen is A.
type pair struct {
	other *work.Past // B
	onB   bool       // B is shown where only one fits, and receives keys that are not for both
	apart bool       // the sides scroll apart
	since time.Time  // when the pair was shown
	asked int        // the question that keys answer: 0 is which is better, i in which of the i-th attribute
}

// pairs reports whether pairs are judged.
func (s *Rating) pairs() bool { return len(s.header.Pairs) > 0 }

// Typing reports whether printable keys are text.
func (s *Rating) Typing() bool {
	return s.shared.Typing() || s.other != nil && !s.writing && (s.past.Typing() || s.other.Typing())
}

// Settled reports whether everything is written and drawn.
func (s *Rating) Settled() bool { return s.shared.Settled() && (s.other == nil || s.other.Settled()) }

// showPair shows both answers.
func (s *Rating) showPair() tea.Cmd {
	e := s.item()
	side := func(name string, item *overlap.Item, rival work.Rival) *work.Past {
		state := s.header.State(item)
		return work.NewSide(name, rival, engine.NewRecord(item, state.Plan), state, len(item.Attempts)-1, s.opts.Work)
	}
	s.past = side("answer A", &e.Item, work.Rival{Name: "answer B", Code: e.Other.Code()})
	s.other = side("answer B", e.Other, work.Rival{Name: "answer A", Code: e.Item.Code()})
	s.open, s.onB, s.since = false, false, s.now()
	s.ask()
	return tea.Batch(s.past.Init(), s.other.Init(), s.lookPair())
}

// both reports whether the answers stand side by side.
func (s *Rating) both() bool { return s.size.Wide() }

// paneRows are the rows above and below the answers: which side it is, the judgement, and notices.
const paneRows = 3

// panes returns the sizes of both answers, with their frames.
func (s *Rating) panes() (a, b frame.Size) {
	a = frame.Size{Width: s.size.Width, Height: s.size.Height - paneRows}
	b = a
	if s.both() {
		a.Width = (s.size.Width - 1) / 2
		b.Width = s.size.Width - 1 - a.Width
	}
	return a, b
}

func (s *Rating) lookPair() tea.Cmd {
	if s.size.Width == 0 || s.other == nil { // before the first pair is shown
		return nil
	}
	a, b := s.panes()
	return tea.Batch(s.past.Update(frame.LookMsg{Size: a, Theme: s.theme}), s.other.Update(frame.LookMsg{Size: b, Theme: s.theme}))
}

// updatePair handles what is no key; the saver gets a key first.
func (s *Rating) updatePair(msg tea.Msg) tea.Cmd {
	if look, is := msg.(frame.LookMsg); is {
		s.size, s.theme = look.Size, look.Theme
		return s.lookPair()
	}
	if cmd, taken := s.saver.Update(msg); taken {
		return cmd
	}
	if _, pasted := msg.(tea.PasteMsg); pasted && s.writing {
		return s.saver.Edit(&s.line, msg)
	}
	return tea.Batch(s.past.Update(msg), s.other.Update(msg))
}

// active returns the answers that receive a key.
func (s *Rating) active() []*work.Past {
	switch {
	case s.both() && !s.apart:
		return []*work.Past{s.past, s.other}
	case s.onB:
		return []*work.Past{s.other}
	}
	return []*work.Past{s.past}
}

// pass passes a key to the answers.
func (s *Rating) pass(msg tea.KeyPressMsg) tea.Cmd {
	var cmds []tea.Cmd
	for _, p := range s.active() {
		cmds = append(cmds, p.Update(msg))
	}
	return tea.Batch(cmds...)
}

// pressPair judges, or passes a key to the answers: all keys while words to search for are typed there.
func (s *Rating) pressPair(msg tea.KeyPressMsg) tea.Cmd {
	s.notice, s.bad = "", false
	press := msg.String()
	if s.past.Typing() || s.other.Typing() || (press == "esc" || press == "q") && !s.active()[0].Leaves(press) {
		return s.pass(msg)
	}
	cmd, why, taken := frame.Pressed(s.pairKeys(), press)
	if s.notice += why; taken || why != "" {
		return cmd
	}
	return s.pass(msg)
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
		{Press: "x", Does: "other answer", Do: frame.Only(func() { s.onB = !s.onB }), Fit: func(k *frame.Key) {
			if s.both() {
				k.Does = "keys go to the other answer"
			}
			if s.both() && !s.apart {
				k.Why = "both answers stand here, and scroll together"
			}
		}},
		{Press: "enter", Does: "next", Do: s.forward},
		{Press: "a", Does: "A is better", Do: choose(pairs.A), Fit: fit(pairs.A)}, {Press: "b", Does: "B is better", Do: choose(pairs.B), Fit: fit(pairs.B)},
		{Press: "=", Does: "equal", Do: choose(pairs.Equal), Fit: fit(pairs.Equal)}, {Press: "0", Does: "neither is usable", Do: choose(pairs.Neither)},
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
		{Press: "t", Does: "scroll apart", More: true, Do: frame.Only(func() { s.apart = !s.apart }), Fit: func(k *frame.Key) {
			if s.apart {
				k.Does = "scroll together"
			}
			if !s.both() {
				k.Why = "one answer stands here at a time"
			}
		}},
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
	cmd := s.change(overlap.Event{Compared: &overlap.Compared{Rater: s.opts.Rater, Pair: s.item().Pair, Outcome: f.Outcome, Reasons: f.Reasons, At: now, MS: max(0, now.Sub(s.since).Milliseconds()), Both: s.both()}},
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
	a, b := s.panes()
	height, half := s.size.Body().Height-paneRows, a.Width
	p := frame.Page{
		Scope: frame.ScopeOverlap, Title: "Which is better? · " + frame.OneLine(s.header.Name+" · "+s.item().Title()), Place: fmt.Sprintf("%d of %d", s.at+1, s.share()),
		Keys: s.keys(), Status: fmt.Sprintf("%d of %d judged", frame.CountIf(s.items, s.whole), s.share()),
	}
	head := func(name string, width int, keys bool) string {
		state := ""
		if keys && s.both() && s.apart {
			state = "scrolls"
		} else if !s.both() {
			state = "one of two"
		}
		return frame.Section("answer "+name, state, width, s.theme)
	}
	switch {
	case s.both():
		left, right := s.past.Page(a, s.theme), s.other.Page(b, s.theme)
		p.Body = frame.Columns(head("A", half, !s.onB)+"\n"+left.Body, head("B", b.Width, s.onB)+"\n"+right.Body, half, b.Width, height+1, s.theme)
		p.Cursor = left.Cursor
	case s.onB:
		shown := s.other.Page(b, s.theme)
		p.Body, p.Seen, p.Cursor = head("B", b.Width, true)+"\n"+shown.Body, shown.Seen, shown.Cursor
	default:
		shown := s.past.Page(a, s.theme)
		p.Body, p.Seen, p.Cursor = head("A", a.Width, true)+"\n"+shown.Body, shown.Seen, shown.Cursor
	}
	if p.Cursor != nil {
		p.Cursor.Y++ // the heading
	}
	text := s.judgement()
	if note := s.item().Form.Note; note != "" {
		text += " · note: " + frame.OneLine(note)
	}
	body := s.size.Body()
	p.Body = frame.Under(p.Body, []string{" " + text}, frame.Size{Width: body.Width, Height: body.Height - 1})
	return s.foot(p, " note: ")
}

// mousePair passes the mouse to the answer under it.
func (s *Rating) mousePair(msg tea.MouseMsg, x, y int) tea.Cmd {
	if s.writing || s.saver.Holding() {
		return nil
	}
	a, _ := s.panes()
	switch y--; {
	case s.both() && x > a.Width:
		return s.other.Mouse(msg, x-a.Width-1, y)
	case !s.both() && s.onB:
		return s.other.Mouse(msg, x, y)
	}
	return s.past.Mouse(msg, x, y)
}
