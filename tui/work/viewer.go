package work

import (
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/verdicts"
	"assay/scoring/inspect"
	"assay/session"
	"assay/session/engine"
	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// Source reads what the events of a session refer to.
type Source interface {
	Task(index int) *benchmark.Task
	Text(ref session.Ref) (string, error)
	Verdict(v *session.VerdictRecorded) (verdicts.Result, error)
	Inspected(m *session.Measured) (inspect.Report, error)
	Output(o session.Output) ([]byte, error)
}

// viewer shows an attempt in tabs: the open one of a live session, or a past one.
type viewer struct {
	source Source
	opts   Options
	state  *session.State
	mask   *overlap.Mask // of models' names; nil: they are shown
	past   *past         // the past attempt; nil for the open one

	// progress reports the progress of the tests of an attempt; nil if it is never known.
	progress func(task, attempt int, side session.Side) engine.Progress

	size    frame.Size
	beside  int  // columns at the right that belong to another view
	aside   bool // keys are for that view
	theme   frame.Theme
	trouble string // the last problem, with what to do
	notice  string // what just happened, until the next key

	review  reviewer
	stream  *markdown.Stream // the streaming answer, until it is rendered
	asked   string           // the prompt, while nothing of its answer has come
	thought string           // what the model thought before the streaming answer, in short
	thinks  bool             // the stream shows what the model thinks

	answers  frame.Latest[renderKey, audited]
	diffs    frame.Latest[drawKey, comparison]       // of code
	trees    frame.Latest[treeKey, []fileComparison] // of repositories
	prompts  frame.Latest[drawKey, comparison]
	painted  frame.Latest[pictureKey, painting]
	numbered pictureKey // the last picture with an id of kitty's protocol
	uploaded int        // the id that was sent to the terminal last

	shownDetail   session.Ref // of shownResult
	shownMeasures session.Ref // of shownReport
	shownReport   inspect.Report
	shownResult   verdicts.Result
	shownPreviews []preview // of the files of shownResult

	savedOf attemptID // whose files were saved last
	savedIn string    // and where
}

// attemptID names an attempt of a session.
type attemptID struct {
	task    string
	attempt int
}

// past identifies a past attempt.
type past struct {
	task, attempt int // indexes
	times         session.TaskTimes
	blind         bool // the tester's judgement is hidden
	live          bool // it is a side of the open attempt of a live session
	side          session.Side
	self          string // the name in comparisons; empty: the attempt's number
	rival         Rival
}

func newViewer(source Source, state *session.State, opts Options) viewer {
	if opts.Copy == nil {
		opts.Copy = tea.SetClipboard
	}
	mask := overlap.Unnamed(state)
	if mask != nil {
		source = unnamed{source, mask}
	}
	return viewer{mask: mask, source: source, state: state, opts: opts, theme: frame.NewTheme(true, true), review: newReviewer()}
}

// attempt returns the attempt that is shown, or nil.
func (m *viewer) attempt() *session.Attempt {
	if m.past != nil {
		return &m.state.Tasks[m.past.task].Attempts[m.past.attempt]
	}
	return m.state.Attempt()
}

// open reports whether the attempt on the screen is the open one of a live session, or a side of it.
func (m *viewer) open() bool { return m.past == nil || m.past.live }

// sideOf returns the side that is on the screen, "" where one model answers.
func (m *viewer) sideOf(a *session.Attempt) session.Side {
	if m.past != nil && m.past.live {
		return m.past.side
	}
	return a.Standing()
}

// attempts returns all attempts at the task that is shown.
func (m *viewer) attempts() []session.Attempt {
	if m.past != nil {
		return m.state.Tasks[m.past.task].Attempts
	}
	if t := m.state.Task(); t != nil {
		return t.Attempts
	}
	return nil
}

// previous returns the attempt before it, or nil.
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

// task returns the task that is shown, or nil.
func (m *viewer) task() *benchmark.Task {
	if m.past != nil {
		return m.source.Task(m.past.task)
	}
	if m.state.Current < 0 {
		return nil
	}
	return m.source.Task(m.state.Current)
}

// unfolds names the keys that unfold what is folded.
func (m *viewer) unfolds() string {
	if m.aside {
		return m.theme.Press(frame.ScopeRating, "v") + ", then enter"
	}
	return "enter"
}

// room returns the width of the viewer in columns.
func (m *viewer) room() int { return m.size.Width - m.beside }

// language returns the language of the task, "" if it is unknown.
func (m *viewer) language() string {
	if t := m.task(); t != nil {
		return t.Language
	}
	return ""
}

// text reads a stored text for the screen.
func (m *viewer) text(ref session.Ref) string { return storedText(m.source, ref) }

// answerText reads an answer as the study shows it.
func (m *viewer) answerText(ref session.Ref) string { return m.told(m.text(ref)) }

// told returns an answer as the study shows it: without what the model thought, where that is hidden.
func (m *viewer) told(answer string) string {
	if m.mask != nil {
		answer, _ = m.mask.Answer(answer)
	}
	if m.state.Plan.HideThinking {
		return extract.WithoutThinking(answer, hiddenThinking)
	}
	return answer
}

// hiddenThinking stands in place of thinking that a study does not show.
const hiddenThinking = "(the study does not show it)"

// storedText reads a text that a session refers to; a text that cannot be read is replaced by the
// reason.
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

// computed handles the results of background work.
func (m *viewer) computed(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case outputsMsg:
		return m.outputsSaved(msg), true
	case OpenedMsg:
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
	}{&m.diffs, &m.trees, &m.prompts, &m.painted} {
		before := m.review.sheets[m.review.tab].sheet
		if cmd, taken := latest.Take(msg); taken {
			m.review.changes++
			m.anchor(before)
			return tea.Batch(cmd, m.upload()), true
		}
	}
	return nil, false
}

// resume restarts background work that was dropped while another screen was shown.
func (m *viewer) resume() tea.Cmd {
	return tea.Batch(m.answers.Resume(), m.diffs.Resume(), m.trees.Resume(), m.prompts.Resume(), m.painted.Resume(), m.render())
}

// render starts the background work for what is shown.
func (m *viewer) render() tea.Cmd {
	if m.attempt() == nil || m.size.Width == 0 {
		return nil
	}
	return tea.Batch(m.renderAnswer(), m.compare(), m.paint())
}

// Settled reports whether no background work for the screen is under way.
func (m *viewer) Settled() bool {
	return m.answers.Settled() && m.diffs.Settled() && m.trees.Settled() && m.prompts.Settled() && m.painted.Settled()
}
