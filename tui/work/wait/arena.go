package wait

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"assay/scoring/pairs"
	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/live"
	"assay/tui/work/viewer"
)

// Arena is where two answers arrive side by side and the tester says which is better. The picked one is then reviewed
// like any other.
type Arena struct {
	*live.Session
	Sides viewer.Sides
	of    pairID
	shown *session.State // that the sides were made of
}

// pairID names two answers of a session.
type pairID struct {
	task           string
	attempt, tries int
}

// each calls f with both sides.
func (m *Arena) each(f func(session.Side, *viewer.Past)) {
	f(session.SideA, m.Sides.A)
	f(session.SideB, m.Sides.B)
}

func (m *Arena) Typing() bool { return m.Sides.Typing() }

func (m *Arena) Typed(msg tea.Msg) tea.Cmd { return m.Sides.Pass(msg) }

func (m *Arena) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if m.Busy() || m.Typing() {
		return nil
	}
	return tea.Batch(m.Active(), m.Sides.Mouse(msg, x, y))
}

// Refresh updates both sides to the committed state.
func (m *Arena) Refresh() tea.Cmd {
	if !m.Comparing() {
		*m = Arena{Session: m.Session}
		return nil
	}
	a, t := m.State.Attempt(), m.State.Task()
	begun := pairID{t.ID, a.N, a.Tries}
	var cmd tea.Cmd
	if m.of != begun {
		m.of = begun
		live := func(side session.Side) *viewer.Past {
			return viewer.NewLive(m.Eng, m.State.On(side), side, m.Progress, m.Viewer.Opts)
		}
		m.Sides.Show(live(session.SideA), live(session.SideB))
		cmd = m.Sides.Look(m.Size, m.Theme)
	}
	if m.shown == m.State {
		return cmd
	}
	m.shown = m.State
	m.each(func(side session.Side, p *viewer.Past) {
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
func (m *Arena) pick(o pairs.Outcome) func() tea.Cmd {
	return func() tea.Cmd {
		both := m.Sides.Both()
		return m.Intend(live.Step(func(ctx context.Context) error { return m.Eng.Pick(ctx, o, both) }))
	}
}

// Keys returns the keys while two answers arrive and are compared. Those of the answers have no action here: they
// are passed on.
func (m *Arena) Keys() []frame.Key {
	arriving := func() string {
		if m.State.Phase == session.Wait {
			return "the answers are still arriving"
		}
		return ""
	}
	sides := &m.Sides
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
				m.Eng.Stop()
				return
			}
			m.Notice = m.Keyed("Everything is saved. {f2} pauses, ctrl+c leaves.")
		})},
		frame.HelpKey, sides.ApartKey(),
	}
}

// Passed passes a key to the answers, which come before the keys of the view while words to search for are typed or
// esc ends a search there.
func (m *Arena) Passed(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	sides := &m.Sides
	press := msg.String()
	if sides.Typing() || press == "esc" && !sides.Leaves(press) {
		return sides.Pass(msg), true
	}
	return nil, false
}

// Page shows both answers, above how their requests stand or the question.
func (m *Arena) Page() frame.Page {
	size := m.Size
	size.Height -= max(0, m.TroubleRows()-1)
	var lines []string
	m.each(func(side session.Side, p *viewer.Past) { lines = append(lines, m.sideLine(side, p)) })
	line := " " + m.Theme.Strong.Render(m.Keyed("· which is better? {a} A  {b} B  {=} equal  {0} neither is usable"))
	if m.State.Phase == session.Wait {
		line = m.Sides.Under(size, m.Theme, lines[0], lines[1])
	}
	return m.Sides.Draw(size, m.Theme, frame.Page{}, line)
}

// sideLine tells how the request of a side stands, and feeds what has come of its answer to its view.
func (m *Arena) sideLine(side session.Side, p *viewer.Past) string {
	on := p.Attempt()
	switch {
	case on.Answer != nil:
		return fmt.Sprintf(" ✓ %s is complete", viewer.SideName(side))
	case !p.Awaited():
		return fmt.Sprintf(" ✗ %s did not come", viewer.SideName(side))
	}
	w := m.Eng.Waiting(side)
	thoughts, text := p.Feed(m.Eng.Streamed(side), m.Eng.Thinking(side))
	return " " + clockOf(w) + "  " + waitWords(w, thoughts, text, viewer.SideName(side), m.Size.Width)
}
