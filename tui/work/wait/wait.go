// Package wait has the rooms in which answers arrive: one that streams in, or two that are compared.
package wait

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
	"assay/tui/frame"
	"assay/tui/work/live"
	"assay/tui/work/viewer"
)

// Room shows an answer that streams in.
type Room struct {
	*live.Session
	Ticking bool // a waitTick is on its way
	ticks   int  // the number of the last waitTick
}

// Keys returns the keys while the answer streams in.
func (m *Room) Keys() []frame.Key {
	return append(append([]frame.Key{
		{Press: "esc", Does: "stop", Fit: func(k *frame.Key) {
			if !m.OnTab(viewer.TabAnswer) {
				k.Does = "back to the answer"
			}
		}, Do: func() tea.Cmd {
			if m.OnTab(viewer.TabAnswer) {
				m.Eng.Stop()
			} else {
				m.Turn(viewer.TabAnswer)
			}
			return nil
		}},
		m.ViewsKey(), m.PauseKey(), m.LinesKey(), m.FollowKey(), {Press: "home", Does: "first", More: true, Run: m.Scroll}, frame.HelpKey,
		{Press: "y r g", Does: "judge the answer", More: true, Why: "the answer is still arriving"},
		m.VerbatimKey(),
	}, m.MovingKeys()...), m.PanKeys()...)
}

// Page shows the tabs of the review, with the streaming answer, above the state of the
// request.
func (m *Room) Page() frame.Page {
	body := m.Size.Body()
	body.Height -= m.TroubleRows()
	p := frame.Page{Status: m.State.Plan.ModelShown()}
	thoughts, text := m.Feed(m.Eng.Streamed(""), m.Eng.Thinking(""))
	rows := frame.Fit(m.ReviewBody(frame.Size{Width: body.Width, Height: body.Height - viewer.WaitRows}), frame.Size{Width: body.Width, Height: body.Height - viewer.WaitRows})
	p.Body = strings.Join(append(rows, m.waitLine(m.Eng.Waiting(""), thoughts, text)), "\n")
	p.Seen = m.Seen()
	if m.More() {
		p.Status = "↓ more · " + p.Status
	}
	return p
}

// Mouse handles the mouse in the tabs.
func (m *Room) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if m.Busy() || !m.Awaited() {
		return nil
	}
	m.Point(msg, x, y)
	return m.Active()
}

// turner are the frames of a sign of activity, one a second.
var turner = spinner.Line.Frames

// quiet is the time without data after which the line mentions it.
const quiet = 10 * time.Second

// waitLine shows a sign of activity, the time since the prompt was sent, and the state of the
// request. The time is shown even if a study hides clocks: it is the model's, not the tester's,
// and tells a slow model from one that hangs.
func (m *Room) waitLine(w engine.Waiting, thoughts, text string) string {
	says, style := waitWords(w, thoughts, text, m.State.Plan.ModelShown(), m.Size.Width), m.Theme.Dim
	if w.Stage == llm.Retrying || w.Silent >= quiet {
		style = m.Theme.Warn
	}
	return style.Render(frame.Fit(" "+clockOf(w)+"  "+says, frame.Size{Width: m.Size.Width, Height: 1})[0])
}

// clockOf is a sign of activity with the time since the prompt was sent.
func clockOf(w engine.Waiting) string {
	seconds := int(w.Elapsed / time.Second)
	return fmt.Sprintf("%s %d:%02d", turner[seconds%len(turner)], seconds/60, seconds%60)
}

// waitWords says how the request to a model stands; who is what the tester reads of it.
func waitWords(w engine.Waiting, thoughts, text, who string, width int) string {
	try := ""
	if w.Try > 1 && w.Tries > 0 {
		try = fmt.Sprintf(", try %d of %d", w.Try, w.Tries)
	}
	switch {
	case w.Stage == llm.Retrying && w.Asked && width >= frame.FullWidth:
		return fmt.Sprintf("%s, asked to wait %s%s in %s", w.Why, frame.WholeSeconds(w.Wait), try, frame.WholeSeconds(w.Next))
	case w.Stage == llm.Retrying:
		return w.Why + try + " in " + frame.WholeSeconds(w.Next)
	case w.Stage == llm.Queued && w.Asked:
		return "the server asked to wait, " + frame.WholeSeconds(w.Next) + " to go"
	case w.Stage == llm.Queued:
		return "waiting for a turn: others ask the model, too"
	case w.Stage == llm.Preparing:
		return "preparing the repository and its box"
	case w.Silent >= quiet && w.GivenUp > 0:
		return fmt.Sprintf("nothing for %s, given up at %s%s", frame.WholeSeconds(w.Silent), frame.WholeSeconds(w.GivenUp), try)
	case w.Silent >= quiet:
		return "nothing for " + frame.WholeSeconds(w.Silent) + try
	case text != "":
		return "the answer is arriving" + pace(w)
	case thoughts != "":
		return viewer.ThinkingHead(thoughts) + try + pace(w)
	case w.Stage == llm.Connecting:
		return "connecting to " + who + try
	}
	return "waiting for the first words of " + who + try
}

// pace tells when the first words came, and about how many tokens a second since then.
func pace(w engine.Waiting) (text string) {
	if w.First > 0 {
		text = " · first words after " + frame.Duration(w.First.Seconds())
	}
	if w.Rate > 0 {
		text += fmt.Sprintf(" · about %.0f tokens/s", w.Rate)
	}
	return text
}

// WatchWait redraws the time each second while the model or the tests are running.
func (m *Room) WatchWait() tea.Cmd {
	if m.Ticking || !m.waits() {
		return nil
	}
	m.Ticking = true
	m.ticks++
	n := m.ticks
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return Tick{n} })
}

// Tick redraws the waiting time. Its number tells it from ticks that another screen received.
type Tick struct{ n int }

// Ticked ignores all but the latest tick.
func (m *Room) Ticked(msg Tick) tea.Cmd {
	if msg.n != m.ticks {
		return nil
	}
	m.Ticking = false
	return m.WatchWait()
}

// waits reports whether the screen shows a running time.
func (m *Room) waits() bool {
	if m.State.Paused != "" {
		return false
	}
	a := m.State.Attempt()
	return m.Awaited() && !m.Pasting() || m.State.Phase == session.Pick && m.State.Plan.Sees(a) == session.SeeTests && (a.Sides[0].Verdict == nil || a.Sides[1].Verdict == nil) || m.State.Phase == session.Review && a.Verdict == nil && m.State.Plan.Sees(a) == session.SeeTests
}
