package work

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/session/report/sessions"
	"assay/tui/frame"
	"assay/tui/saver"
	"assay/tui/work/viewer"
)

// live is an open session as its rooms see it: the attempt on the screen, what is asked, and the queue that carries out
// what is intended.
type live struct {
	viewer.Viewer
	opts  Options
	eng   *engine.Engine
	queue queue

	predicted int    // intents under way whose outcome the state shows already
	steps     int    // intents under way that lead to another view
	saving    int    // intents under way that the log has to have before the session is left
	unsaved   string // why the last of them failed

	resting bool // a saveMsg is on its way
	dirty   bool // something was typed since it was sent

	ask   *question
	watch context.Context // ends when the session is left

	// What the screen does for its rooms.
	save     func() tea.Cmd // saves everything that is being typed
	follow   func() tea.Cmd // shows the committed state
	isTyping func() bool    // reports whether printable keys are text
}

// typing reports whether printable keys are text; typed takes such a key or a paste; mouse handles the mouse. Rooms where
// they do anything have their own.
func (m *live) typing() bool                         { return false }
func (m *live) typed(tea.Msg) tea.Cmd                { return nil }
func (m *live) mouse(tea.MouseMsg, int, int) tea.Cmd { return nil }

// busy reports whether something is asked, or a step to another view is under way: the mouse does nothing then.
func (m *live) busy() bool { return m.ask != nil || m.steps > 0 }

// LookEvery is the usual time between two redraws of a streaming answer: 25 times a second, which
// slow links can take, too.
const LookEvery = time.Second / 25

// Options is what the session's screens need besides the engine.
type Options struct {
	viewer.Options
	// Ticks drive the heartbeat; nil for none.
	Ticks <-chan time.Time
	// Report writes the session's report and returns its path; nil if there is none.
	Report func(ctx context.Context, id string) (path string, err error)
	// Results makes the report that the summary shows; nil for no numbers.
	Results func(ctx context.Context, id string) (*sessions.Report, error)
	// Look opens the tasks and attempts of a session; nil if there is no browser of results.
	Look func(ctx context.Context, id string) (frame.Screen, error)
	// Editor is the command of the tester's own editor, see [Editor]; "" if there is none.
	Editor string
	// NoEditor explains why there is none; "": because none was found.
	NoEditor string
	// EditDir is a directory for the files that the tester's own editor has open; "": they are temporary.
	EditDir string
	// HandIn writes the file with which the tester hands in their sessions of a study, and returns its path;
	// nil if the study's owner has them already.
	HandIn func(ctx context.Context) (path string, err error)
	// Sessions is the number of the tester's sessions in the study; 0: unknown.
	Sessions int
	// Interval is the minimum time between two redraws.
	Interval time.Duration
}

// question asks the tester to confirm with y, or to type a few words and press enter.
type question struct {
	text string
	yes  string // what y or enter does, for the legend
	do   func() tea.Cmd

	words *textinput.Model                            // nil if y is enough
	draft session.Words                               // the kind of words
	begun string                                      // the text at first
	give  func(words string) (in intent, says string) // says is shown when they are saved
	empty string                                      // why words are required; empty if they are not
}

// intend queues an intent.
func (m *live) intend(in intent) tea.Cmd {
	if in.step {
		m.steps++
	}
	if in.work {
		m.saving++
	}
	return m.queue.add(in)
}

// active tells the engine that somebody is there.
func (m *live) active() tea.Cmd { return m.intend(intent{do: m.eng.Active}) }

// pauseFor stops the clock.
func (m *live) pauseFor(reason engine.PauseReason) tea.Cmd {
	return m.intend(step(func(ctx context.Context) error { return m.eng.Pause(ctx, reason) }))
}

// scope returns the scope of the keys in the current view.
func (m *live) scope() frame.Scope {
	if m.State.Paused != "" {
		return frame.ScopeBetween
	}
	if m.comparing() {
		return frame.ScopeOverlap
	}
	switch m.State.Phase {
	case session.Between:
		return frame.ScopeBetween
	case session.Read, session.Compose:
		return frame.ScopeCompose
	case session.Wait:
		return frame.ScopeWaiting
	case session.Review:
		return frame.ScopeReview
	case session.Rate:
		return frame.ScopeRating
	}
	return frame.ScopeSummary
}

// comparing reports whether two answers are on the screen.
func (m *live) comparing() bool {
	a := m.State.Attempt()
	return a != nil && a.Sides != nil && (m.State.Phase == session.Wait || m.State.Phase == session.Pick)
}

// keyed replaces assay's keys, which stand in braces, by the tester's.
func (m *live) keyed(sentence string) string { return m.Theme.Keyed(m.scope(), m.isTyping(), sentence) }

// pasting reports whether the tester pastes the answers.
func (m *live) pasting() bool { return pasted(m.State) }

func pasted(s *session.State) bool { return s.Plan.Model.Provider == "paste" }

// troubleText returns the problem or notice below the body.
func (m *live) troubleText() string {
	text, style := m.Notice, m.Theme.Dim
	switch {
	case m.eng.Trouble() != "":
		text, style = "✗ "+m.eng.Trouble()+" · it is tried again every second", m.Theme.Bad
	case m.Trouble != "":
		text, style = "✗ "+m.Trouble, m.Theme.Bad
	case m.Notice == "":
		return ""
	}
	const most = 4 // rows; more would hide what the error is about
	return strings.Join(frame.Notice(text, style, m.Size.Width, most), "\n")
}

// troubleRows returns the height of troubleText.
func (m *live) troubleRows() int {
	if t := m.troubleText(); t != "" {
		return strings.Count(t, "\n") + 1
	}
	return 0
}

// shownTask returns the open task, or the next one, or -1.
func (m *live) shownTask() int {
	if m.State.Current >= 0 {
		return m.State.Current
	}
	return m.State.Next()
}

// predict shows the outcome of an intent before it is committed, so that the next key finds the
// form as it will be. The engine's state replaces it when no intent is under way.
func (m *live) predict(payload session.Payload) bool {
	next := m.State.Clone()
	if next.Apply(session.Event{Seq: next.Seq + 1, Stamp: next.Last, Payload: payload}) != nil {
		return false
	}
	m.State = next
	m.predicted++
	return true
}

// thenMsg is what to do on the screen when work in the background has ended.
type thenMsg func() tea.Cmd

// background carries out a job for the session, then what is to be done on the screen with its outcome.
func background[T any](m *live, job func(ctx context.Context, id string) (T, error), then func(T, error) tea.Cmd) tea.Cmd {
	id := m.State.Session
	return func() tea.Msg {
		got, err := job(context.Background(), id)
		return thenMsg(func() tea.Cmd { return then(got, err) })
	}
}

// failed tells what went wrong, if anything did.
func (m *live) failed(what string, err error) bool {
	if err != nil {
		m.Trouble = fmt.Sprintf("%s: %v", what, err)
	}
	return err != nil
}

// savesDraft returns an intent that saves what is being written.
func (m *live) savesDraft(do func(context.Context) error) intent {
	in := record(false, do)
	in.after = func(why string) tea.Cmd { m.unsaved = why; return nil }
	return in
}

// pauseKey saves what is written and stops the clock.
func (m *live) pauseKey() frame.Key {
	return frame.Key{Press: "f2", Does: "pause", Do: func() tea.Cmd { return tea.Sequence(m.save(), m.pauseFor(engine.PauseByTester)) }}
}

// resumeSession ends a pause, and saves what the store did not take before it.
func (m *live) resumeSession() tea.Cmd {
	in := step(m.eng.Resume)
	in.after = func(string) tea.Cmd { return tea.Batch(m.follow(), m.save()) }
	return m.intend(in)
}

// saveMsg is sent when saver.Every has passed since the last save.
type saveMsg struct{}

// scheduleSave saves what is typed: at once after a rest, then once in each [saver.Every].
func (m *live) scheduleSave() tea.Cmd {
	if m.resting {
		m.dirty = true
		return nil
	}
	m.resting = true
	return tea.Batch(m.save(), tea.Tick(saver.Every, func(time.Time) tea.Msg { return saveMsg{} }))
}

// savedLast saves what was typed since the last save.
func (m *live) savedLast() tea.Cmd {
	if m.resting = false; m.dirty {
		return m.scheduleSave()
	}
	return nil
}

// editDir is where files of this session are while an editor has them open; "": among the temporary files.
func (m *live) editDir() string {
	if m.opts.EditDir == "" {
		return ""
	}
	return filepath.Join(m.opts.EditDir, m.State.Session)
}

// noEditor explains why nothing can be edited in another program, or is "".
func (m *live) noEditor() string {
	if m.opts.Editor != "" {
		return ""
	}
	return cmp.Or(m.opts.NoEditor, "no editor was found: put the name of one into the environment variable EDITOR")
}

// joined joins facts that are not empty.
func joined(facts ...string) string {
	return strings.Join(slices.DeleteFunc(facts, func(f string) bool { return f == "" }), " · ")
}
