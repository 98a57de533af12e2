package live

import (
	"context"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// Wants asks for words in a line, which starts with their draft if there is one.
func (m *Session) Wants(which session.Words, text, yes, value, empty string, give func(string) (Intent, string)) tea.Cmd {
	if draft := m.State.Words[which]; draft != "" {
		value = draft
	}
	line := frame.NewLine(0)
	line.SetValue(value)
	line.CursorEnd()
	m.ask = &question{text: text, yes: yes, words: &line, draft: which, begun: value, give: give, empty: empty}
	return line.Focus()
}

// Confirm asks for a yes.
func (m *Session) Confirm(text, yes string, do func() tea.Cmd) {
	m.ask = &question{text: text, yes: yes, do: do}
}

// Asking reports whether words are asked for, and confirming whether a yes is.
func (m *Session) Asking() bool     { return m.ask != nil && m.ask.words != nil }
func (m *Session) Confirming() bool { return m.ask != nil && m.ask.words == nil }

// AskedKeys returns the keys of the question that is asked, nil for none.
func (m *Session) AskedKeys() []frame.Key {
	if m.ask == nil {
		return nil
	}
	return m.keysOf(m.ask)
}

// Answer takes a key or a paste that has no other meaning while something is asked.
func (m *Session) Answer(msg tea.Msg) (cmd tea.Cmd) {
	switch {
	case m.Asking():
		*m.ask.words, cmd = m.ask.words.Update(msg)
		return tea.Batch(cmd, m.ScheduleSave())
	case fmt.Sprint(msg) == "n":
		m.ask = nil
	default:
		m.Notice = m.Keyed("{y} says yes, {esc} no.") // no other key answers, as one pressed twice by mistake
	}
	return nil
}

// QuestionKeys lists the keys of all questions, for the settings.
func (m *Session) QuestionKeys() []frame.Key {
	return append(m.keysOf(&question{yes: "yes, where assay asks"}), m.keysOf(&question{yes: "keep what is written", words: &textinput.Model{}})...)
}

// keysOf returns the keys of a question: that a few words answer, or that y answers and esc closes.
func (m *Session) keysOf(q *question) []frame.Key {
	if q.words == nil {
		return []frame.Key{{Press: "y", Does: q.yes, Do: func() tea.Cmd {
			m.ask = nil
			return q.do()
		}}, {Press: "esc", Does: "no", Do: frame.Only(func() { m.ask = nil })}}
	}
	return []frame.Key{{Press: "enter", Does: q.yes, Do: func() tea.Cmd {
		words := strings.TrimSpace(q.words.Value())
		if words == "" && q.empty != "" {
			m.Notice = q.empty
			return nil
		}
		m.ask = nil
		return m.Intend(m.handsIn(q, words))
	}}, {Press: "esc", Does: "cancel", Do: func() tea.Cmd {
		m.ask = nil
		return m.draftWords(q.draft, "")
	}}}
}

// handsIn returns the intent that saves the words that answer a question. If it fails, the question
// is asked again with the same words.
func (m *Session) handsIn(q *question, words string) Intent {
	in, says := q.give(words)
	in.After = func(why string) tea.Cmd {
		switch {
		case why != "" && m.ask == nil:
			m.ask, m.Notice, m.Unsaved = q, why, why
		case why == "" && says != "":
			m.Notice = says
		}
		return nil
	}
	return in
}

// QuestionPage draws the question below the view that it is about.
func (m *Session) QuestionPage(p frame.Page) frame.Page {
	size, q := m.Size, m.ask
	text := frame.Indent(m.Theme.Strong.Render(frame.Wrap(q.text, size.Width-2)), " ")
	p.Cursor = nil
	if q.words != nil {
		p.Status = "" // enter is for the words
		q.words.SetWidth(size.Width - 4)
		text += "\n " + q.words.View()
		if c := q.words.Cursor(); c != nil {
			c.X, c.Y = c.X+1, size.Body().Height-1
			p.Cursor = c
		}
	}
	if t := m.TroubleText(); t != "" {
		text = t + "\n" + text
	}
	room := size.Body().Height - strings.Count(text, "\n") - 2
	p.Body = strings.Join(frame.Fit(p.Body, frame.Size{Width: size.Width, Height: room}), "\n") + "\n" + frame.Rule("", size.Width, m.Theme) + "\n" + text
	return p
}

// Unskippable explains why the task cannot be left out, or is "".
func (m *Session) Unskippable() string {
	if i := m.ShownTask(); i >= 0 && m.State.Tasks[i].Practice && m.State.Plan.Gate != nil {
		return "the study asks for the practice before its tasks"
	}
	return ""
}

// ConfirmSkip asks for a reason and leaves the task out.
func (m *Session) ConfirmSkip() tea.Cmd {
	return m.Wants(session.WordsReason, "Leave this task out? It will have no result, and this cannot be undone. Why is it left out?", "leave it out", "",
		"Say in a few words why; esc keeps the task.", func(why string) (Intent, string) {
			return Step(func(ctx context.Context) error { return m.Eng.Skip(ctx, why) }), ""
		})
}

// AskNote asks for the note on the open task.
func (m *Session) AskNote() tea.Cmd {
	saved := m.Save()
	ask := m.Wants(session.WordsNote, "Your note on this task", "keep", m.State.Task().Note, "", func(text string) (Intent, string) {
		says := m.Keyed("Your note is kept: {f12} shows it again.")
		if text == "" {
			says = "This task has no note."
		}
		return Record(false, func(ctx context.Context) error { return m.Eng.Note(ctx, text) }), says
	})
	return tea.Batch(saved, ask)
}

// AskFlag asks for a message to the study's owner.
func (m *Session) AskFlag() tea.Cmd {
	return tea.Batch(m.Save(), m.Wants(session.WordsFlag, "Something is wrong here? What should the study's owner look at?", "flag it", "", "Say in a few words what it is; esc goes back.",
		func(text string) (Intent, string) {
			return Record(false, func(ctx context.Context) error { return m.Eng.Flag(ctx, text) }), "It is recorded, with the time and the task."
		}))
}

// SaveWords saves the text in the line of a question.
func (m *Session) SaveWords() tea.Cmd {
	if _, text, unsaved := m.UnsavedWords(); unsaved && m.State.Paused == "" {
		return m.draftWords(m.ask.draft, text)
	}
	return nil
}

// UnsavedWords returns a question with the text in its line, and whether the log lacks that.
func (m *Session) UnsavedWords() (asked, text string, unsaved bool) {
	if !m.Asking() {
		return "", "", false
	}
	text = m.ask.words.Value()
	draft := m.Eng.State().Words[m.ask.draft]
	return m.ask.text, text, text != draft && (draft != "" || text != m.ask.begun)
}

func (m *Session) draftWords(which session.Words, text string) tea.Cmd {
	return m.Intend(m.SavesDraft(func(ctx context.Context) error { return m.Eng.Draft(ctx, which, text) }))
}
