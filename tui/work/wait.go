package work

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"assay/benchmark/extract"
	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// The views while an answer streams in.

// pasting reports whether the tester pastes the answers.
func (m *Model) pasting() bool { return pasted(m.state) }

func pasted(s *session.State) bool { return s.Plan.Model.Provider == "paste" }

// waitKeys returns the keys while the answer streams in.
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
		m.viewsKey(), m.pauseKey(), m.linesKey(),
		{Press: "end", Also: "G", Does: "follow", Run: m.scroll, Fit: func(k *frame.Key) { k.More = !m.streaming() || m.stream.Following() }}, {Press: "home", Does: "first", More: true, Run: m.scroll}, frame.HelpKey,
		{Press: "y r g", Does: "judge the answer", More: true, Why: "the answer is still arriving"},
		m.verbatimKey(),
	}, m.turnKeys(), m.pageKeys(), m.panKeys())
}

// waitPage shows the tabs of the review, with the streaming answer, above the state of the
// request.
func (m *Model) waitPage() frame.Page {
	if m.pasting() {
		return m.pastePage()
	}
	body := m.size.Body()
	body.Height -= m.troubleRows()
	p := frame.Page{Status: m.state.Plan.ModelShown()}
	thoughts, text := m.feed(m.eng.Streamed(""), m.eng.Thinking(""))
	rows := frame.Fit(m.reviewBody(frame.Size{Width: body.Width, Height: body.Height - waitRows}), frame.Size{Width: body.Width, Height: body.Height - waitRows})
	p.Body = strings.Join(append(rows, m.waitLine(m.eng.Waiting(""), thoughts, text)), "\n")
	p.Seen = m.seen()
	if m.review.tab == tabAnswer && m.stream.More() {
		p.Status = "↓ more · " + p.Status
	}
	return p
}

// feed shows what has come of an awaited answer, and returns what of it is thinking.
func (m *viewer) feed(streamed, thinking string) (thoughts, text string) {
	if m.stream == nil {
		m.stream = markdown.NewStream()
	}
	thoughts, text = m.apart(streamed)
	thoughts = thinking + thoughts
	if m.thought = ""; text != "" && thoughts != "" {
		m.thought = thinkingHead(thoughts) + " · in full when the answer is complete"
	}
	if m.thinking(thoughts != "" && text == "" && !m.state.Plan.HideThinking) {
		m.stream.Feed("> " + strings.ReplaceAll(thoughts, "\n", "\n> "))
	} else {
		m.stream.Feed(m.streamed(text))
	}
	if m.asked = ""; m.stream.Empty() && m.attempt() != nil && m.attempt().Sent != nil {
		m.asked = m.text(m.attempt().Sent.Prompt)
	}
	return thoughts, text
}

// apart divides what has come of an answer into the thinking that it begins with and the rest, in which none is left where
// the study hides it.
func (m *viewer) apart(text string) (thoughts, answer string) {
	if m.state.Plan.Model.Provider == llm.ProviderAgent {
		return "", text
	}
	answer = strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(answer, "<") || strings.HasPrefix(answer, "[") || strings.HasPrefix(answer, "◁") { // as every mark of it
		if parts := extract.Thinking(answer); len(parts) > 0 && parts[0][0] == 0 {
			return answer[:parts[0][1]], m.told(strings.TrimLeft(answer[parts[0][1]:], " \t\r\n"))
		}
	}
	return "", m.told(text)
}

// thinking makes the stream show what the model thinks, or what it answers, and returns which.
func (m *viewer) thinking(thinks bool) bool {
	if thinks != m.thinks {
		m.thinks, m.stream = thinks, markdown.NewStream()
	}
	return thinks
}

// transcriptFence makes Markdown show a text as it is.
const transcriptFence = "``````````\n"

// streamed returns what has arrived as Markdown: what an agent prints is none.
func (m *viewer) streamed(text string) string {
	if text != "" && m.state.Plan.Model.Provider == llm.ProviderAgent {
		return transcriptFence + text
	}
	return text
}

// waitRows is the height of waitLine below the tabs.
const waitRows = 1

// awaited reports whether the attempt on the screen is waiting for the model's answer.
func (m *viewer) awaited() bool {
	if m.state.Phase != session.Wait || !m.open() {
		return false
	}
	a := m.attempt()
	return m.past == nil || a.Answer == nil && a.Failed == nil && a.Broken == nil
}

// turner are the frames of a sign of activity, one a second.
var turner = spinner.Line.Frames

// quiet is the time without data after which the line mentions it.
const quiet = 10 * time.Second

// waitLine shows a sign of activity, the time since the prompt was sent, and the state of the
// request. The time is shown even if a study hides clocks: it is the model's, not the tester's,
// and tells a slow model from one that hangs.
func (m *Model) waitLine(w engine.Waiting, thoughts, text string) string {
	says, style := m.waitWords(w, thoughts, text, m.state.Plan.ModelShown()), m.theme.Dim
	if w.Stage == llm.Retrying || w.Silent >= quiet {
		style = m.theme.Warn
	}
	return style.Render(frame.Fit(" "+clockOf(w)+"  "+says, frame.Size{Width: m.size.Width, Height: 1})[0])
}

// clockOf is a sign of activity with the time since the prompt was sent.
func clockOf(w engine.Waiting) string {
	seconds := int(w.Elapsed / time.Second)
	return fmt.Sprintf("%s %d:%02d", turner[seconds%len(turner)], seconds/60, seconds%60)
}

// waitWords says how the request to a model stands; who is what the tester reads of it.
func (m *Model) waitWords(w engine.Waiting, thoughts, text, who string) string {
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
	case w.Stage == llm.Preparing:
		return "preparing the repository and its box"
	case w.Silent >= quiet && w.GivenUp > 0:
		return fmt.Sprintf("nothing for %s, given up at %s%s", wholeSeconds(w.Silent), wholeSeconds(w.GivenUp), try)
	case w.Silent >= quiet:
		return "nothing for " + wholeSeconds(w.Silent) + try
	case text != "":
		return "the answer is arriving" + pace(w)
	case thoughts != "":
		return thinkingHead(thoughts) + try + pace(w)
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

// thinkingHead stands above what a model thought.
func thinkingHead(text string) string {
	return "thinking · " + frame.Count(len(strings.Fields(text)), "word") + " · not judged"
}

// wholeSeconds formats a time in whole seconds.
func wholeSeconds(d time.Duration) string {
	if s := int(math.Round(d.Seconds())); s < 100 {
		return fmt.Sprintf("%d s", s)
	}
	return frame.Duration(math.Round(d.Seconds()))
}

// watchWait redraws the time each second while the model or the tests are running.
func (m *Model) watchWait() tea.Cmd {
	if m.ticking || !m.waits() {
		return nil
	}
	m.ticking = true
	m.ticks++
	n := m.ticks
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return waitTick{n} })
}

// waitTick redraws the waiting time. Its number tells it from ticks that another screen received.
type waitTick struct{ n int }

// ticked ignores all but the latest tick.
func (m *Model) ticked(msg waitTick) tea.Cmd {
	if msg.n != m.ticks {
		return nil
	}
	m.ticking = false
	return m.watchWait()
}

// waits reports whether the screen shows a running time.
func (m *Model) waits() bool {
	if m.state.Paused != "" {
		return false
	}
	a := m.state.Attempt()
	return m.awaited() && !m.pasting() || m.state.Phase == session.Pick && m.state.Plan.Sees(a) == session.SeeTests && (a.Sides[0].Verdict == nil || a.Sides[1].Verdict == nil) || m.state.Phase == session.Review && a.Verdict == nil && m.state.Plan.Sees(a) == session.SeeTests
}
