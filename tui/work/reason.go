package work

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// question is a decision that wants a second key, or a few words and enter.
type question struct {
	text string
	yes  string // what y, or enter, does
	do   func() tea.Cmd

	words *textinput.Model // nil: y is enough
	draft session.Words    // what they are
	begun string           // what stood there at first
	give  func(words string) tea.Cmd
	empty string // why there have to be words; empty: none are fine
}

// wants asks for words in a line, which begins with a draft of them where there is one.
func (m *Model) wants(which session.Words, text, yes, value, empty string, give func(string) tea.Cmd) tea.Cmd {
	if draft := m.state.Words[which]; draft != "" {
		value = draft
	}
	line := frame.NewLine(0)
	line.SetValue(value)
	line.CursorEnd()
	m.ask = &question{text: text, yes: yes, words: &line, draft: which, begun: value, give: give, empty: empty}
	return line.Focus()
}

// confirmKeys are the keys of a question that y answers; any other key closes it.
func confirmKeys(yes string, do func() tea.Cmd, closes func()) []frame.Key {
	return []frame.Key{{Press: "y", Does: yes, Do: func() tea.Cmd {
		closes()
		return do()
	}}, {Press: "esc", Does: "no", Do: frame.Only(closes)}}
}

// wordsKeys are the keys of a question that a few words answer.
func (m *Model) wordsKeys(q *question) []frame.Key {
	return []frame.Key{{Press: "enter", Does: q.yes, Do: func() tea.Cmd {
		words := strings.TrimSpace(q.words.Value())
		if words == "" && q.empty != "" {
			m.notice = q.empty
			return nil
		}
		m.ask, m.given = nil, append(m.given, q)
		return q.give(words)
	}}, {Press: "esc", Does: "cancel", Do: func() tea.Cmd {
		m.ask = nil
		return m.dropWords(q.draft)
	}}}
}

// handsIn is an intent that hands in the words of a question. When it is done the tester is
// told so by says; where the words are not saved, the question is asked again with them.
func (m *Model) handsIn(in intent, says string) intent {
	in.after = func(why string) tea.Cmd {
		q := m.given[0]
		m.given = m.given[1:]
		switch {
		case why != "" && m.ask == nil:
			m.ask, m.notice, m.unsaved = q, why, why
		case why == "" && says != "":
			m.notice = says
		}
		return nil
	}
	return in
}

// pasteAside puts clipboard text where words are asked for, else where the session is.
func (m *Model) pasteAside(msg tea.PasteMsg) tea.Cmd {
	var cmd tea.Cmd
	switch {
	case m.ask != nil && m.ask.words != nil:
		*m.ask.words, cmd = m.ask.words.Update(msg)
		cmd = tea.Batch(cmd, m.scheduleSave())
	case m.ask == nil && m.surveyTyping():
		m.survey.line, cmd = m.survey.line.Update(msg)
		cmd = tea.Batch(cmd, m.scheduleSave())
	default:
		return m.paste(msg)
	}
	return cmd
}

// questionPage puts the question under what it is about.
func (m *Model) questionPage(p frame.Page) frame.Page {
	size, q := m.size, m.ask
	text := frame.Indent(m.theme.Strong.Render(frame.Wrap(q.text, size.Width-2)), " ")
	p.Cursor = nil
	if q.words != nil {
		q.words.SetWidth(size.Width - 4)
		text += "\n " + q.words.View()
		if c := q.words.Cursor(); c != nil {
			c.X, c.Y = c.X+1, size.Body().Height-1
			p.Cursor = c
		}
		if t := m.troubleText(); t != "" {
			text = t + "\n" + text
		}
	}
	room := size.Body().Height - strings.Count(text, "\n") - 2
	p.Body = strings.Join(frame.Fit(p.Body, frame.Size{Width: size.Width, Height: room}), "\n") + "\n\n" + text
	return p
}

// unskippable is why the task cannot be left out.
func (m *Model) unskippable() string {
	if i := m.shownTask(); i >= 0 && m.state.Tasks[i].Practice && m.state.Plan.Gate != nil {
		return "the study asks for the practice before its tasks"
	}
	return ""
}

// confirmSkip asks why a task is left out, and leaves it out.
func (m *Model) confirmSkip() tea.Cmd {
	return m.wants(session.WordsReason, "Leave this task out? It will have no result, and this cannot be undone. Why is it left out?", "leave it out", "",
		"Say in a few words why; esc keeps the task.", func(why string) tea.Cmd {
			return m.intend(m.handsIn(step(func(ctx context.Context) error { return m.eng.Skip(ctx, why) }), ""))
		})
}

// askNote asks for the note on the open task.
func (m *Model) askNote() tea.Cmd {
	saved := m.save()
	ask := m.wants(session.WordsNote, "Your note on this task", "keep", m.state.Task().Note, "", func(text string) tea.Cmd {
		says := m.keyed("Your note is kept: {f12} shows it again.")
		if text == "" {
			says = "This task has no note."
		}
		return m.intend(m.handsIn(record(false, func(ctx context.Context) error { return m.eng.Note(ctx, text) }), says))
	})
	return tea.Batch(saved, ask)
}

// askFlag asks for what the study's owner should look at.
func (m *Model) askFlag() tea.Cmd {
	saved := m.save()
	ask := m.wants(session.WordsFlag, "Something is wrong here? What should the study's owner look at?", "flag it", "", "Say in a few words what it is; esc goes back.",
		func(text string) tea.Cmd {
			return m.intend(m.handsIn(record(false, func(ctx context.Context) error { return m.eng.Flag(ctx, text) }), "It is recorded, with the time and the task."))
		})
	return tea.Batch(saved, ask)
}
