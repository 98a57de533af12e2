package viewer

import (
	"strings"

	"assay/benchmark/extract"
	"assay/session"
	"assay/session/llm"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// Feed shows what has come of an awaited answer, and returns what of it is thinking.
func (m *answerTab) Feed(streamed, thinking string) (thoughts, text string) {
	if m.stream == nil {
		m.stream = markdown.NewStream()
	}
	thoughts, text = m.apart(streamed)
	thoughts = thinking + thoughts
	if m.thought = ""; text != "" && thoughts != "" {
		m.thought = ThinkingHead(thoughts) + " · in full when the answer is complete"
	}
	if m.thinking(thoughts != "" && text == "" && !m.State.Plan.HideThinking) {
		m.stream.Feed("> " + strings.ReplaceAll(thoughts, "\n", "\n> "))
	} else {
		m.stream.Feed(m.streamed(text))
	}
	if m.asked = ""; m.stream.Empty() && m.Attempt() != nil && m.Attempt().Sent != nil {
		m.asked = m.Text(m.Attempt().Sent.Prompt)
	}
	return thoughts, text
}

// Await begins to show an answer that is awaited.
func (m *answerTab) Await() {
	m.stream = markdown.NewStream()
	m.review.begin()
}

// Complete feeds the whole answer to the stream, which shows it until it is rendered; nil ends the stream at once.
func (m *answerTab) Complete(a *session.AnswerReceived) {
	if m.stream == nil || a == nil || a.Transcript != "" {
		m.stream = nil
		return
	}
	_, text := m.apart(m.Text(a.Answer))
	m.stream.Feed(text)
}

// More reports whether more of the streaming answer is below what is shown.
func (m *answerTab) More() bool { return m.streaming() && m.stream.More() }

// apart divides what has come of an answer into the thinking that it begins with and the rest, in which none is left where
// the study hides it.
func (m *answerTab) apart(text string) (thoughts, answer string) {
	if m.State.Plan.Model.Provider == llm.ProviderAgent {
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
func (m *answerTab) thinking(thinks bool) bool {
	if thinks != m.thinks {
		m.thinks, m.stream = thinks, markdown.NewStream()
	}
	return thinks
}

// transcriptFence makes Markdown show a text as it is.
const transcriptFence = "``````````\n"

// streamed returns what has arrived as Markdown: what an agent prints is none.
func (m *answerTab) streamed(text string) string {
	if text != "" && m.State.Plan.Model.Provider == llm.ProviderAgent {
		return transcriptFence + text
	}
	return text
}

// streaming reports whether the chosen tab shows an answer as streamed, since it is not rendered
// yet.
func (m *answerTab) streaming() bool { return m.stream != nil && m.review.tab == TabAnswer }

// streamText draws the visible part of a streaming answer.
func (m *answerTab) streamText(size frame.Size) string {
	m.stream.Resize(m.WrittenLook(size.Width), size.Height)
	return strings.Join(m.review.pan.Rows(m.stream.View(), size.Width, m.Theme), "\n")
}

// motion returns the first visible row after a key, in a text of the given rows of which height are
// visible.
func motion(press string, top, height, rows int) int {
	if press == "b" {
		return top - height
	}
	to, _ := frame.Move(press, top, height, rows)
	return to
}

// scrollStream moves the view of a streaming answer.
func scrollStream(s *markdown.Stream, press string, height int) {
	switch press {
	case "home":
		s.Top()
	case "end", "G":
		s.Follow()
	default:
		s.Scroll(motion(press, 0, height, 0))
	}
}
