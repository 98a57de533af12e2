package work

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/scoring/pairs"
	"assay/session"
	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// The views of a session in which two models answer: both answers arrive side by side, and the tester says which is
// better. The picked one is then reviewed like any other.

// unnamed is a source in whose texts no model names itself.
type unnamed struct {
	Source
	mask *overlap.Mask
}

// Text implements Source.
func (u unnamed) Text(ref session.Ref) (string, error) {
	text, err := u.Source.Text(ref)
	text, _ = u.mask.Answer(text)
	return text, err
}

// arena is the part of a session's screen on which two answers are compared.
type arena struct {
	sides Sides
	of    attemptID
	tries int
	shown *session.State // that the sides were made of
}

// comparing reports whether two answers are on the screen.
func (m *Model) comparing() bool {
	a := m.state.Attempt()
	return a != nil && a.Sides != nil && (m.state.Phase == session.Wait || m.state.Phase == session.Pick)
}

// each calls f with both sides.
func (v *arena) each(f func(session.Side, *Past)) {
	f(session.SideA, v.sides.A)
	f(session.SideB, v.sides.B)
}

// followSides updates both sides to the committed state.
func (m *Model) followSides() tea.Cmd {
	v := &m.arena
	if !m.comparing() {
		*v = arena{}
		return nil
	}
	a, t := m.state.Attempt(), m.state.Task()
	begun := attemptID{t.ID, a.N}
	var cmd tea.Cmd
	if v.of != begun || v.tries != a.Tries {
		v.of, v.tries = begun, a.Tries
		v.sides.Show(m.liveSide(session.SideA), m.liveSide(session.SideB))
		cmd = v.sides.Look(m.size, m.theme)
	}
	if v.shown == m.state {
		return cmd
	}
	v.shown = m.state
	v.each(func(side session.Side, p *Past) {
		p.state = m.state.On(side)
		other := session.Sides()[1-side.Index()]
		p.past.rival = Rival{Name: sideName(other)}
		if e := a.On(other).Extracted; e != nil {
			p.past.rival.Code = m.text(e.Code)
		}
		switch on := p.attempt(); {
		case p.stream == nil || p.awaited():
		case on.Answer == nil:
			p.stream = nil
		default:
			_, text := p.apart(p.text(on.Answer.Answer))
			p.stream.Feed(text)
		}
		cmd = tea.Batch(cmd, p.render())
	})
	return cmd
}

// sideName is what a side is called on the screen.
func sideName(side session.Side) string { return "answer " + strings.ToUpper(string(side)) }

// liveSide shows a side of the open attempt.
func (m *Model) liveSide(side session.Side) *Past {
	state := m.state.On(side)
	p := NewPast(m.eng, state, state.Current, len(state.Task().Attempts)-1, session.TaskTimes{}, m.opts)
	p.past.blind, p.past.live, p.past.side, p.past.self = true, true, side, sideName(side)
	p.progress = m.eng.Progress
	if p.awaited() {
		p.stream = markdown.NewStream()
	}
	return p
}

// pick records which answer is better.
func (m *Model) pick(o pairs.Outcome) func() tea.Cmd {
	return func() tea.Cmd {
		both := m.arena.sides.Both()
		return m.intend(step(func(ctx context.Context) error { return m.eng.Pick(ctx, o, both) }))
	}
}

// arenaKeys returns the keys while two answers arrive and are compared. Those of the answers have no action here: they
// are passed on.
func (m *Model) arenaKeys() []frame.Key {
	arriving := func() string {
		if m.state.Phase == session.Wait {
			return "the answers are still arriving"
		}
		return ""
	}
	sides := &m.arena.sides
	return []frame.Key{
		sides.SwapKey(), // what is asked names all answers, which a narrow legend would not
		{Press: "a", Does: "A is better", More: true, Do: m.pick(pairs.A), Not: arriving}, {Press: "b", Does: "B is better", More: true, Do: m.pick(pairs.B), Not: arriving},
		{Press: "=", Does: "equal", More: true, Do: m.pick(pairs.Equal), Not: arriving}, {Press: "0", Does: "neither is usable", More: true, Do: m.pick(pairs.Neither), Not: arriving},
		{Press: "esc", Does: "how to leave", More: true, Fit: func(k *frame.Key) {
			if m.state.Phase == session.Wait {
				k.Does, k.More = "stop", false
			}
		}, Do: frame.Only(func() {
			if m.state.Phase == session.Wait {
				m.eng.Stop()
				return
			}
			m.notice = m.keyed("Everything is saved. {f2} pauses, ctrl+c leaves.")
		})},
		frame.HelpKey, sides.ApartKey(),
	}
}

// PickKeys returns all keys of the view of two answers, for the settings.
func PickKeys() []frame.Key {
	m := &Model{viewer: viewer{state: session.New()}}
	return frame.Merged(m.arenaKeys(), m.asideKeys())
}

// passed passes a key to the answers, which come before the keys of the view while words to search for are typed or
// esc ends a search there.
func (m *Model) passed(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	sides := &m.arena.sides
	if !sides.Shown() || m.ask != nil || m.files.shown || m.state.Paused != "" {
		return nil, false
	}
	press := msg.String()
	if sides.Typing() || press == "esc" && !sides.Leaves(press) {
		return sides.Pass(msg), true
	}
	return nil, false
}

// arenaPage shows both answers, above how their requests stand or the question.
func (m *Model) arenaPage() frame.Page {
	sides := m.arena.sides
	sides.size = m.size
	sides.size.Height -= max(0, m.troubleRows()-1)
	var lines []string
	m.arena.each(func(side session.Side, p *Past) { lines = append(lines, m.sideLine(side, p)) })
	line := " " + m.theme.Strong.Render(m.keyed("· which is better? {a} A  {b} B  {=} equal  {0} neither is usable"))
	if m.state.Phase == session.Wait {
		a, _ := sides.panes()
		fit := func(text string, width int) string {
			text = frame.Cut(text, width)
			return m.theme.Dim.Render(text + strings.Repeat(" ", max(0, width-frame.Width(text))))
		}
		switch {
		case sides.Both():
			line = fit(lines[0], a.Width+1) + fit(lines[1], a.Width)
		case sides.onB:
			line = fit(lines[1], m.size.Width)
		default:
			line = fit(lines[0], m.size.Width)
		}
	}
	return sides.Draw(sides.size, m.theme, frame.Page{}, line)
}

// sideLine tells how the request of a side stands, and feeds what has come of its answer to its view.
func (m *Model) sideLine(side session.Side, p *Past) string {
	on := p.attempt()
	switch {
	case on.Answer != nil:
		return fmt.Sprintf(" ✓ %s is complete", sideName(side))
	case !p.awaited():
		return fmt.Sprintf(" ✗ %s did not come", sideName(side))
	}
	w := m.eng.Waiting(side)
	thoughts, text := p.feed(m.eng.Streamed(side), m.eng.Thinking(side))
	return " " + clockOf(w) + "  " + m.waitWords(w, thoughts, text, sideName(side))
}

// failedSides says which of two answers did not come, and what sending again does; "" where one model answers.
func failedSides(a *session.Attempt) (who, then string) {
	if a.Sides == nil {
		return "", ""
	}
	var missing []string
	for _, side := range session.Sides() {
		if a.On(side).Answer == nil {
			missing = append(missing, sideName(side))
		} else {
			then = " " + strings.ToUpper(sideName(side)[:1]) + sideName(side)[1:] + " is kept: the same prompt asks only for the other one, another prompt for both."
		}
	}
	return strings.Join(missing, " and "), then
}

// picked says what follows from a pick.
func picked(a *session.Attempt) string {
	switch p := a.Picked; {
	case p == nil:
		return ""
	case p.Outcome == pairs.Neither:
		return "Neither is usable: later prompts are sent without this one and its answers. " + strings.ToUpper(string(p.Goes)) + ", drawn from the two, stands here."
	case p.Outcome == pairs.Equal:
		return "Equal: " + strings.ToUpper(string(p.Goes)) + " goes on, drawn from the two."
	default:
		return strings.ToUpper(string(p.Goes)) + " is better, and goes on."
	}
}

// againKey takes a pick back.
func (m *Model) againKey() frame.Key {
	return frame.Key{Press: "u", Does: "compare again", More: true, Fit: func(k *frame.Key) {
		if m.state.Plan.Arena == nil && m.size.Width > 0 {
			k.Press = ""
		} else if m.state.CanUndo() == 0 {
			k.Why = "the comparison stands once the answer was judged or tried out"
		}
	}, Do: func() tea.Cmd { return m.intend(step(m.eng.Undo)) }}
}

// pickText tells of each attempt at a task which of the two answers was better, once the session has ended with the names
// of the models; "" where one model answered.
func pickText(s *session.State, t *session.Task) string {
	var lines []string
	for i := range t.Attempts {
		a := &t.Attempts[i]
		if a.Picked == nil {
			continue
		}
		name := func(side session.Side) string {
			text := strings.ToUpper(string(side))
			if s.Closed != "" {
				text = frame.OneLine(s.Plan.Arena.Models[a.Sent.Sides[side.Index()]].Name)
			}
			return text
		}
		goes := a.Picked.Goes
		other := session.Sides()[1-goes.Index()]
		text := map[pairs.Outcome]string{
			pairs.Equal: name(goes) + " and " + name(other) + " equal, " + name(goes) + " went on", pairs.Neither: "neither " + name(goes) + " nor " + name(other) + " usable",
		}[a.Picked.Outcome]
		lines = append(lines, fmt.Sprintf("attempt %d: %s", a.N, cmp.Or(text, name(goes)+" better than "+name(other))))
	}
	return strings.Join(lines, "; ")
}
