package work

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// wants asks for words in a line, which starts with their draft if there is one.
func (m *live) wants(which session.Words, text, yes, value, empty string, give func(string) (intent, string)) tea.Cmd {
	if draft := m.State.Words[which]; draft != "" {
		value = draft
	}
	line := frame.NewLine(0)
	line.SetValue(value)
	line.CursorEnd()
	m.ask = &question{text: text, yes: yes, words: &line, draft: which, begun: value, give: give, empty: empty}
	return line.Focus()
}

// confirmKeys returns the keys of a question that y answers, and that esc closes.
func confirmKeys(yes string, do func() tea.Cmd, closes func()) []frame.Key {
	return []frame.Key{{Press: "y", Does: yes, Do: func() tea.Cmd {
		closes()
		return do()
	}}, {Press: "esc", Does: "no", Do: frame.Only(closes)}}
}

// wordsKeys returns the keys of a question that a few words answer.
func (m *live) wordsKeys(q *question) []frame.Key {
	return []frame.Key{{Press: "enter", Does: q.yes, Do: func() tea.Cmd {
		words := strings.TrimSpace(q.words.Value())
		if words == "" && q.empty != "" {
			m.Notice = q.empty
			return nil
		}
		m.ask = nil
		return m.intend(m.handsIn(q, words))
	}}, {Press: "esc", Does: "cancel", Do: func() tea.Cmd {
		m.ask = nil
		return m.draftWords(q.draft, "")
	}}}
}

// handsIn returns the intent that saves the words that answer a question. If it fails, the question
// is asked again with the same words.
func (m *live) handsIn(q *question, words string) intent {
	in, says := q.give(words)
	in.after = func(why string) tea.Cmd {
		switch {
		case why != "" && m.ask == nil:
			m.ask, m.Notice, m.unsaved = q, why, why
		case why == "" && says != "":
			m.Notice = says
		}
		return nil
	}
	return in
}

// questionPage draws the question below the view that it is about.
func (m *live) questionPage(p frame.Page) frame.Page {
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
	if t := m.troubleText(); t != "" {
		text = t + "\n" + text
	}
	room := size.Body().Height - strings.Count(text, "\n") - 2
	p.Body = strings.Join(frame.Fit(p.Body, frame.Size{Width: size.Width, Height: room}), "\n") + "\n" + frame.Rule("", size.Width, m.Theme) + "\n" + text
	return p
}

// unskippable explains why the task cannot be left out, or is "".
func (m *live) unskippable() string {
	if i := m.shownTask(); i >= 0 && m.State.Tasks[i].Practice && m.State.Plan.Gate != nil {
		return "the study asks for the practice before its tasks"
	}
	return ""
}

// confirmSkip asks for a reason and leaves the task out.
func (m *live) confirmSkip() tea.Cmd {
	return m.wants(session.WordsReason, "Leave this task out? It will have no result, and this cannot be undone. Why is it left out?", "leave it out", "",
		"Say in a few words why; esc keeps the task.", func(why string) (intent, string) {
			return step(func(ctx context.Context) error { return m.eng.Skip(ctx, why) }), ""
		})
}

// askNote asks for the note on the open task.
func (m *live) askNote() tea.Cmd {
	saved := m.save()
	ask := m.wants(session.WordsNote, "Your note on this task", "keep", m.State.Task().Note, "", func(text string) (intent, string) {
		says := m.keyed("Your note is kept: {f12} shows it again.")
		if text == "" {
			says = "This task has no note."
		}
		return record(false, func(ctx context.Context) error { return m.eng.Note(ctx, text) }), says
	})
	return tea.Batch(saved, ask)
}

// askFlag asks for a message to the study's owner.
func (m *live) askFlag() tea.Cmd {
	saved := m.save()
	ask := m.wants(session.WordsFlag, "Something is wrong here? What should the study's owner look at?", "flag it", "", "Say in a few words what it is; esc goes back.",
		func(text string) (intent, string) {
			return record(false, func(ctx context.Context) error { return m.eng.Flag(ctx, text) }), "It is recorded, with the time and the task."
		})
	return tea.Batch(saved, ask)
}

// saveWords saves the text in the line of a question.
func (m *live) saveWords() tea.Cmd {
	if m.ask == nil || m.ask.words == nil || m.State.Paused != "" {
		return nil
	}
	if text, unsaved := m.unsavedWords(); unsaved {
		return m.draftWords(m.ask.draft, text)
	}
	return nil
}

// unsavedWords returns the text in the line of a question and whether the log lacks it.
func (m *live) unsavedWords() (text string, unsaved bool) {
	text = m.ask.words.Value()
	draft := m.eng.State().Words[m.ask.draft]
	return text, text != draft && (draft != "" || text != m.ask.begun)
}

func (m *live) draftWords(which session.Words, text string) tea.Cmd {
	return m.intend(m.savesDraft(func(ctx context.Context) error { return m.eng.Draft(ctx, which, text) }))
}
