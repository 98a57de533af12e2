package work

import (
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/scoring/inspect"
	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// Source is what the events of a session refer to.
type Source interface {
	Task(index int) *benchmark.Task
	Text(ref session.Ref) (string, error)
	Verdict(v *session.VerdictRecorded) (judge.Result, error)
	Inspected(m *session.Measured) (inspect.Report, error)
	Output(o session.Output) ([]byte, error)
}

// viewer shows an attempt in its tabs: the open one of a live session, or one of a
// session that is looked at.
type viewer struct {
	source Source
	opts   Options
	state  *session.State
	past   *past // which attempt; nil for the open one

	// progress reports how far the tests of an attempt of a task are; nil where that is
	// never known.
	progress func(task, attempt int) engine.Progress

	size    frame.Size
	beside  int // columns at the right that are not the viewer's
	theme   frame.Theme
	trouble string // what went wrong last, with what to do
	notice  string // what just happened, until the next key

	review reviewer
	stream *markdown.Stream // the answer that is awaited, until it is rendered

	answers  frame.Latest[renderKey, markdown.Rendering]
	diffs    frame.Latest[drawKey, comparison] // of code
	prompts  frame.Latest[drawKey, comparison]
	painted  frame.Latest[pictureKey, painting]
	numbered pictureKey // the last picture that has a number of kitty's
	uploaded int        // the number that was sent to the terminal last

	shownDetail   session.Ref // of shownResult
	shownMeasures session.Ref // of shownReport
	shownReport   inspect.Report
	shownResult   judge.Result
	shownPreviews []preview // of the files of shownResult

	savedOf attemptID // whose files were saved last
	savedIn string    // and where
}

// attemptID names an attempt of a session.
type attemptID struct {
	task    string
	attempt int
}

// past says which attempt of a session is looked at.
type past struct {
	task, attempt int // indexes
	times         session.TaskTimes
	blind         bool // what its tester thought of it is hidden
}

func newViewer(source Source, state *session.State, opts Options) viewer {
	if opts.Copy == nil {
		opts.Copy = tea.SetClipboard
	}
	return viewer{source: source, state: state, opts: opts, theme: frame.NewTheme(true, true), review: newReviewer()}
}

// attempt is the one that is shown, or nil.
func (m *viewer) attempt() *session.Attempt {
	if m.past != nil {
		return &m.state.Tasks[m.past.task].Attempts[m.past.attempt]
	}
	return m.state.Attempt()
}

// attempts are all of the task that is shown.
func (m *viewer) attempts() []session.Attempt {
	if m.past != nil {
		return m.state.Tasks[m.past.task].Attempts
	}
	if t := m.state.Task(); t != nil {
		return t.Attempts
	}
	return nil
}

// previous is the attempt before that, or nil.
func (m *viewer) previous() *session.Attempt {
	list := m.attempts()
	i := len(list) - 1
	if m.past != nil {
		i = m.past.attempt
	}
	if i < 1 {
		return nil
	}
	return &list[i-1]
}

// task is the full text of the task that is shown; nil where none is.
func (m *viewer) task() *benchmark.Task {
	if m.past != nil {
		return m.source.Task(m.past.task)
	}
	if m.state.Current < 0 {
		return nil
	}
	return m.source.Task(m.state.Current)
}

// room is the number of columns that the viewer has.
func (m *viewer) room() int { return m.size.Width - m.beside }

// language is that of the task that is shown, "" where it is not known.
func (m *viewer) language() string {
	if t := m.task(); t != nil {
		return t.Language
	}
	return ""
}

// text reads a stored text for the screen.
func (m *viewer) text(ref session.Ref) string { return storedText(m.source, ref) }

// storedText is a text that a session refers to, "" for none, or why it cannot be read.
func storedText(source Source, ref session.Ref) string {
	if ref == "" {
		return ""
	}
	text, err := source.Text(ref)
	if err != nil {
		return "(this text cannot be read: " + err.Error() + ")"
	}
	return text
}

// take handles what was worked out beside the keys.
func (m *viewer) take(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case outputsMsg:
		return m.outputsSaved(msg), true
	case openedMsg:
		m.opened(msg)
		return nil, true
	case copiedMsg:
		m.copied(msg)
		return nil, true
	case shownMsg:
		return m.pictureShown(msg), true
	}
	if cmd, taken := m.takeRendered(msg); taken {
		return cmd, true
	}
	for _, latest := range []interface {
		Take(tea.Msg) (tea.Cmd, bool)
	}{&m.diffs, &m.prompts, &m.painted} {
		before := m.review.sheets[m.review.tab].sheet
		if cmd, taken := latest.Take(msg); taken {
			m.review.changes++
			m.anchor(before)
			return tea.Batch(cmd, m.upload()), true
		}
	}
	return nil, false
}

// resume begins again what ended while another screen was shown.
func (m *viewer) resume() tea.Cmd {
	return tea.Batch(m.answers.Resume(), m.diffs.Resume(), m.prompts.Resume(), m.painted.Resume(), m.render())
}

// render starts what is missing for what is looked at.
func (m *viewer) render() tea.Cmd {
	if m.attempt() == nil || m.size.Width == 0 {
		return nil
	}
	return tea.Batch(m.renderAnswer(), m.compare(), m.paint())
}

// Settled reports whether all that is on the screen is as it is wanted.
func (m *viewer) Settled() bool {
	return m.answers.Settled() && m.diffs.Settled() && m.prompts.Settled() && m.painted.Settled()
}
