package work

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// Notes, flags and reasons are saved while they are typed, as prompts are: see
// session.WordsDrafted.

// saveWords saves the text in the line of a question.
func (m *Model) saveWords() tea.Cmd {
	if m.ask == nil || m.ask.words == nil || m.State.Paused != "" {
		return nil
	}
	if text, unsaved := m.unsavedWords(); unsaved {
		return m.draftWords(m.ask.draft, text)
	}
	return nil
}

// unsavedWords returns the text in the line of a question and whether the log lacks it.
func (m *Model) unsavedWords() (text string, unsaved bool) {
	text = m.ask.words.Value()
	draft := m.eng.State().Words[m.ask.draft]
	return text, text != draft && (draft != "" || text != m.ask.begun)
}

func (m *Model) draftWords(which session.Words, text string) tea.Cmd {
	return m.intend(m.savesDraft(func(ctx context.Context) error { return m.eng.Draft(ctx, which, text) }))
}

// save saves everything that is being typed.
func (m *Model) save() tea.Cmd {
	m.compose.dirty = false
	return tea.Sequence(m.saveDraft(), m.keepAnswer(), m.saveWords())
}

// Departure reports what is not saved, and what leaving does to the session.
func (m *Model) Departure() frame.Departure {
	d := frame.Departure{Saving: m.saving > 0 || m.compose.dirty || m.Holding(), Why: m.unsaved}
	lost := func(what, text string) { d.Lost = append(d.Lost, frame.Loss{What: what, Text: text}) }
	s := m.eng.State()
	if trouble := m.eng.Trouble(); trouble != "" {
		d.Why = trouble
		lost("what came from the model or from the tests", strings.TrimSpace(m.eng.Streamed(session.SideA)+"\n\n"+m.eng.Streamed(session.SideB)))
	}
	if m.compose.unsaved.lost(m.compose.area.Value()) {
		what := "your prompt"
		if m.compose.of.answer {
			what = "the pasted answer"
		}
		lost(what, m.compose.area.Value())
	}
	if m.ask != nil && m.ask.words != nil {
		if text, unsaved := m.unsavedWords(); unsaved {
			lost("what you are writing: "+m.ask.text, text)
		}
	}
	if q := m.question(); m.surveyTyping() && m.survey.line.Value() != s.Answers[q.ID] && m.keepsAnswer() {
		lost("your answer: "+q.Text, m.survey.line.Value())
	}
	if m.unclosed != "" {
		d.Why = m.unclosed
		lost("that the session is paused now", "")
	}
	switch {
	case s.Closed != "":
	case s.Phase == session.Wait && m.pasting():
		d.Means = "The session is paused. What you pasted is kept; sending the prompt again leads back to it."
	case s.Phase == session.Wait:
		d.Means = "The session is paused. The answer that is coming is stopped and costs no attempt; what has arrived is kept in the log, and the prompt can be sent again."
	default:
		d.Means = "The session is paused and can be continued later."
	}
	return d
}
