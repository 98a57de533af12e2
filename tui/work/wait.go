package work

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// While an answer is awaited that streams in.

// pasting reports whether the tester brings the answer.
func (m *Model) pasting() bool { return m.state.Plan.Model.Provider == "paste" }

// waitKeys are the keys while the answer streams in.
func (m *Model) waitKeys() []frame.Key {
	return slices.Concat([]frame.Key{
		{Press: "esc", Does: "stop", Fit: func(k *frame.Key) {
			if m.review.tab != tabAnswer {
				k.Does = "back to the answer"
			}
		}, Do: func() tea.Cmd {
			if m.review.tab == tabAnswer {
				m.eng.Stop()
			} else {
				m.turn(tabAnswer)
			}
			return nil
		}},
		m.viewsKey(), m.pauseKey(), {Press: "↑↓", Does: "scroll", Run: m.scroll}, {Press: "end", Does: "follow", Run: m.scroll}, frame.HelpKey,
		{Press: "y r g", Does: "judge the answer", More: true, Why: "the answer is still arriving"},
	}, m.turnKeys(), m.pageKeys(), m.panKeys())
}

// waitPage shows the tabs of the review, in which the answer streams, and below them how
// the wait goes.
func (m *Model) waitPage() frame.Page {
	if m.pasting() {
		return m.pastePage()
	}
	body := m.size.Body()
	body.Height -= m.troubleRows()
	p := frame.Page{Status: m.state.Plan.ModelShown() + " · " + m.attemptStatus()}
	if m.stream == nil {
		m.stream = markdown.NewStream()
	}
	text := m.eng.Streamed()
	m.stream.Feed(text)
	rows := frame.Fit(m.reviewBody(frame.Size{Width: body.Width, Height: body.Height - waitRows}), frame.Size{Width: body.Width, Height: body.Height - waitRows})
	p.Body = strings.Join(append(rows, m.waitLine(m.eng.Waiting(), text)), "\n")
	p.Seen = m.seen()
	if m.review.tab == tabAnswer && !m.stream.Following() {
		p.Status = "↓ more · " + p.Status
	}
	return p
}

// waitRows are kept below the tabs for waitLine.
const waitRows = 1

// awaited reports whether the attempt on the screen waits for the model's answer.
func (m *viewer) awaited() bool { return m.past == nil && m.state.Phase == session.Wait }

// turner is the sign that something goes on. It turns once a second.
var turner = spinner.Line.Frames

// quiet is the silence after which it is mentioned.
const quiet = 10 * time.Second

// waitLine is a sign of life, the time since the prompt was sent, and how the request goes.
// The time is shown also where a study hides clocks: it is the model's, not the tester's,
// and tells a slow model from one that hangs.
func (m *Model) waitLine(w engine.Waiting, text string) string {
	seconds := int(w.Elapsed / time.Second)
	says, style := m.waitWords(w, text), m.theme.Dim
	if w.Stage == llm.Retrying || w.Silent >= quiet {
		style = m.theme.Warn
	}
	line := fmt.Sprintf(" %s %d:%02d  %s", turner[seconds%len(turner)], seconds/60, seconds%60, says)
	return style.Render(frame.Fit(line, frame.Size{Width: m.size.Width, Height: 1})[0])
}

func (m *Model) waitWords(w engine.Waiting, text string) string {
	try := ""
	if w.Try > 1 && w.Tries > 0 {
		try = fmt.Sprintf(", try %d of %d", w.Try, w.Tries)
	}
	switch {
	case w.Stage == llm.Retrying && w.Asked && m.size.Width >= frame.FullWidth:
		return fmt.Sprintf("%s, asked to wait %s%s in %s", w.Why, wholeSeconds(w.Wait), try, wholeSeconds(w.Next))
	case w.Stage == llm.Retrying:
		return w.Why + try + " in " + wholeSeconds(w.Next)
	case w.Stage == llm.Queued && w.Asked:
		return "the server asked to wait, " + wholeSeconds(w.Next) + " to go"
	case w.Stage == llm.Queued:
		return "waiting for a turn: others ask the model, too"
	case w.Silent >= quiet && w.GivenUp > 0:
		return fmt.Sprintf("nothing for %s, given up at %s%s", wholeSeconds(w.Silent), wholeSeconds(w.GivenUp), try)
	case w.Silent >= quiet:
		return "nothing for " + wholeSeconds(w.Silent) + try
	case text != "":
		return "the answer is arriving" + try
	case w.Stage == llm.Connecting:
		return "connecting to " + m.state.Plan.ModelShown() + try
	}
	return "waiting for the first words of " + m.state.Plan.ModelShown() + try
}

// wholeSeconds writes a time that is counted without tenths.
func wholeSeconds(d time.Duration) string {
	if s := int(math.Round(d.Seconds())); s < 100 {
		return fmt.Sprintf("%d s", s)
	}
	return frame.Duration(math.Round(d.Seconds()))
}

// watchWait has the time redrawn each second while the model or the tests are waited for.
func (m *Model) watchWait() tea.Cmd {
	if m.ticking || !m.waits() {
		return nil
	}
	m.ticking = true
	m.ticks++
	n := m.ticks
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return waitTick{n} })
}

// waitTick redraws the time of a wait. One that was lost to a screen on top is followed by
// another number.
type waitTick struct{ n int }

// ticked goes on with the latest tick alone.
func (m *Model) ticked(msg waitTick) tea.Cmd {
	if msg.n != m.ticks {
		return nil
	}
	m.ticking = false
	return m.watchWait()
}

// waits reports whether a running time is on the screen.
func (m *Model) waits() bool {
	if m.state.Paused != "" {
		return false
	}
	a := m.state.Attempt()
	return m.awaited() && !m.pasting() || m.state.Phase == session.Review && a.Verdict == nil && m.state.Plan.Sees(a) == session.SeeTests
}
