package work

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"assay/scoring/pairs"
	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/viewer"
)

// arena is the part of a session's screen on which two answers are compared.
type arena struct {
	sides viewer.Sides
	of    pairID
	shown *session.State // that the sides were made of
}

// pairID names two answers of a session.
type pairID struct {
	task           string
	attempt, tries int
}

// comparing reports whether two answers are on the screen.
func (m *Model) comparing() bool {
	a := m.State.Attempt()
	return a != nil && a.Sides != nil && (m.State.Phase == session.Wait || m.State.Phase == session.Pick)
}

// each calls f with both sides.
func (v *arena) each(f func(session.Side, *viewer.Past)) {
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
	a, t := m.State.Attempt(), m.State.Task()
	begun := pairID{t.ID, a.N, a.Tries}
	var cmd tea.Cmd
	if v.of != begun {
		v.of = begun
		live := func(side session.Side) *viewer.Past {
			return viewer.NewLive(m.eng, m.State.On(side), side, m.Progress, m.opts.Options)
		}
		v.sides.Show(live(session.SideA), live(session.SideB))
		cmd = v.sides.Look(m.Size, m.Theme)
	}
	if v.shown == m.State {
		return cmd
	}
	v.shown = m.State
	v.each(func(side session.Side, p *viewer.Past) {
		other := session.Sides()[1-side.Index()]
		rival := viewer.Rival{Name: viewer.SideName(other)}
		if e := a.On(other).Extracted; e != nil {
			rival.Code = m.Text(e.Code)
		}
		cmd = tea.Batch(cmd, p.Follow(m.State.On(side), rival))
	})
	return cmd
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
		if m.State.Phase == session.Wait {
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
			if m.State.Phase == session.Wait {
				k.Does, k.More = "stop", false
			}
		}, Do: frame.Only(func() {
			if m.State.Phase == session.Wait {
				m.eng.Stop()
				return
			}
			m.Notice = m.keyed("Everything is saved. {f2} pauses, ctrl+c leaves.")
		})},
		frame.HelpKey, sides.ApartKey(),
	}
}

// passed passes a key to the answers, which come before the keys of the view while words to search for are typed or
// esc ends a search there.
func (m *Model) passed(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	sides := &m.arena.sides
	if !sides.Shown() || m.ask != nil || m.files.shown || m.State.Paused != "" {
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
	size := m.Size
	size.Height -= max(0, m.troubleRows()-1)
	var lines []string
	m.arena.each(func(side session.Side, p *viewer.Past) { lines = append(lines, m.sideLine(side, p)) })
	line := " " + m.Theme.Strong.Render(m.keyed("· which is better? {a} A  {b} B  {=} equal  {0} neither is usable"))
	if m.State.Phase == session.Wait {
		line = m.arena.sides.Under(size, m.Theme, lines[0], lines[1])
	}
	return m.arena.sides.Draw(size, m.Theme, frame.Page{}, line)
}

// sideLine tells how the request of a side stands, and feeds what has come of its answer to its view.
func (m *Model) sideLine(side session.Side, p *viewer.Past) string {
	on := p.Attempt()
	switch {
	case on.Answer != nil:
		return fmt.Sprintf(" ✓ %s is complete", viewer.SideName(side))
	case !p.Awaited():
		return fmt.Sprintf(" ✗ %s did not come", viewer.SideName(side))
	}
	w := m.eng.Waiting(side)
	thoughts, text := p.Feed(m.eng.Streamed(side), m.eng.Thinking(side))
	return " " + clockOf(w) + "  " + m.waitWords(w, thoughts, text, viewer.SideName(side))
}
