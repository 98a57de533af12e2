package work

import (
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/scoring/inspect"
	"assay/session"
	"assay/tui/frame"
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

	size    frame.Size
	theme   frame.Theme
	trouble string // what went wrong last, with what to do
	notice  string // what just happened, until the next key

	review reviewer
	answer rendering

	shownDetail   session.Ref // of shownResult
	shownMeasures session.Ref // of shownReport
	shownReport   inspect.Report
	shownResult   judge.Result
	shownPreviews []preview // of the files of shownResult

	savedOf session.Ref // the detail of the verdict whose files were saved
	savedIn string      // and where
}

// past says which attempt of a session is looked at.
type past struct {
	task, attempt int // indexes
	times         session.TaskTimes
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

// previous is the attempt before that, or nil.
func (m *viewer) previous() *session.Attempt {
	t, i := m.state.Task(), 0
	if m.past != nil {
		t, i = &m.state.Tasks[m.past.task], m.past.attempt
	} else if t != nil {
		i = len(t.Attempts) - 1
	}
	if t == nil || i < 1 {
		return nil
	}
	return &t.Attempts[i-1]
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

// text reads a stored text for the screen.
func (m *viewer) text(ref session.Ref) string {
	text, err := m.source.Text(ref)
	if err != nil {
		return "(this text cannot be read: " + err.Error() + ")"
	}
	return text
}
