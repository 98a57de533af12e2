package results

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// Manager changes sessions that nobody has open.
type Manager interface {
	// Rename names a session; an empty name removes the name.
	Rename(ctx context.Context, id, name string) error
	// Close ends an open session.
	Close(ctx context.Context, id string) error
	// Withdraw deletes a session except for a tombstone.
	Withdraw(ctx context.Context, id string) error
}

// question replaces the list before a session is changed.
type question struct {
	head, text string
	prompt     string
	line       *textinput.Model // nil if y answers
	word       string           // the required text, "" for any
	does, did  string
	do         func(ctx context.Context, value string) error
}

func newLine(value string) *textinput.Model {
	line := frame.NewLine(60)
	line.SetValue(value)
	line.CursorEnd()
	line.Focus()
	return &line
}

// unchangeable tells why a session cannot be changed, or is "".
func (m *Model) unchangeable(s *session.Summary) string {
	switch {
	case s == nil:
		return "there is no session"
	case m.opts.Manage == nil:
		return "sessions are only looked at here"
	case s.Status == "withdrawn":
		return "the session was deleted"
	}
	return ""
}

// unending tells why a session cannot be closed or deleted, or is "".
func (m *Model) unending(s *session.Summary) string {
	if why := m.unchangeable(s); why != "" || s.Study == nil {
		return why
	}
	return "it belongs to a study: its owner does that with assay study close and assay study withdraw"
}

func (m *Model) unclosable(s *session.Summary) string {
	if why := m.unending(s); why != "" || s.Open() {
		return why
	}
	return "the session has ended"
}

// askName asks for another name.
func (m *Model) askName() tea.Cmd {
	s := *m.chosen()
	m.ask = &question{
		head: "A name for " + frame.OneLine(s.Of()),
		text: "Lists and this browser show it in place of benchmark and model. It is recorded in the session. An empty name takes it away.", prompt: "name: ",
		line: newLine(s.Name), does: "keep it", did: "The name is kept.",
		do: func(ctx context.Context, name string) error {
			return m.opts.Manage.Rename(ctx, s.ID, strings.TrimSpace(name))
		},
	}
	return nil
}

// askClose asks whether to end an open session.
func (m *Model) askClose() tea.Cmd {
	s := *m.chosen()
	m.ask = &question{
		head: "Close " + m.describe(s) + "?",
		text: "It ends as abandoned, with " + s.Progress.String() + ". What was recorded stays, in results and reports too. It cannot be continued any more.",
		does: "close it", did: "The session is closed.",
		do: func(ctx context.Context, _ string) error { return m.opts.Manage.Close(ctx, s.ID) },
	}
	return nil
}

// askDelete asks whether to delete a session for good.
func (m *Model) askDelete() tea.Cmd {
	s := *m.chosen()
	const word = "delete"
	m.ask = &question{
		head: "Delete " + m.describe(s) + ", for good?",
		text: "Its prompts, answers, verdicts, ratings, notes and times go from the store, its backups and its snapshot; so do the report and the files that assay wrote beside the store. " +
			"Only a tombstone is left, which says that there was a session; " + m.theme.Press(frame.ScopeResults, "/") + " withdrawn finds it. Bundles and reports elsewhere stay. This cannot be undone.",
		prompt: "type " + word + ": ", line: newLine(""), word: word, does: "delete it", did: "The session is deleted.",
		do: func(ctx context.Context, _ string) error { return m.opts.Manage.Withdraw(ctx, s.ID) },
	}
	return nil
}

// describe names a session in a sentence.
func (m *Model) describe(s session.Summary) string {
	return frame.OneLine(s.Title()) + ", begun " + m.begun(s)
}

// changedMsg is the result of a change, with the sessions after it.
type changedMsg struct {
	did  string
	err  error
	list sessionsMsg
}

// askKeys returns the keys of a question. No other key closes it.
func (m *Model) askKeys(q *question) []frame.Key {
	yes := frame.Key{Press: "y", Does: q.does}
	if q.line != nil {
		yes.Press = "enter"
	}
	yes.Not = func() string {
		if q.word != "" && strings.TrimSpace(q.line.Value()) != q.word {
			return "type " + q.word + " first"
		}
		return ""
	}
	yes.Do = func() tea.Cmd {
		m.ask = nil
		if q.line == nil {
			return m.change(q, "")
		}
		return m.change(q, q.line.Value())
	}
	return []frame.Key{yes, {Press: "esc", Does: "leave it as it is", Do: frame.Only(func() { m.ask = nil })}, frame.HelpKey}
}

func (m *Model) change(q *question, value string) tea.Cmd {
	m.busy = true
	return func() tea.Msg {
		err := q.do(context.Background(), value)
		return changedMsg{q.did, err, m.list()}
	}
}

// askPage draws the question.
func (m *Model) askPage(p frame.Page) frame.Page {
	q, width := m.ask, m.size.Width
	body := "\n" + frame.Indent(frame.Wrap(m.theme.Strong.Render(q.head), width-4), "  ") + "\n\n" + frame.Indent(frame.Wrap(q.text, width-4), "  ") + "\n"
	if q.line != nil {
		q.line.SetWidth(max(10, width-frame.Width(q.prompt)-4))
		body += "\n  " + q.prompt
		if p.Cursor = q.line.Cursor(); p.Cursor != nil {
			p.Cursor.X += 2 + frame.Width(q.prompt)
			p.Cursor.Y = strings.Count(body, "\n")
		}
		body += q.line.View()
	}
	p.Body = frame.Under(body, frame.Notice(m.trouble, m.theme.Warn, width, 2), m.size.Body())
	return p
}
