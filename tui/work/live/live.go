// Package live is an open session as the rooms of tui/work share it: the attempt on the screen, the question that is asked,
// what is being saved, the tester's own editor, and the queue in which what is intended becomes the engine's doing.
package live

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

// Session is an open session as its rooms see it: the attempt on the screen, what is asked, and the queue that carries out
// what is intended.
type Session struct {
	viewer.Viewer
	Opts  Options
	Eng   *engine.Engine
	queue queue

	Predicted int    // intents under way whose outcome the state shows already
	Steps     int    // intents under way that lead to another view
	Saving    int    // intents under way that the log has to have before the session is left
	Unsaved   string // why the last of them failed

	Resting bool // a saveMsg is on its way
	Dirty   bool // something was typed since it was sent

	ask   *question
	Watch context.Context // ends when the session is left

	// What the screen does for its rooms.
	Save     func() tea.Cmd // saves everything that is being typed
	Follow   func() tea.Cmd // shows the committed state
	IsTyping func() bool    // reports whether printable keys are text
}

func New(eng *engine.Engine, opts Options) *Session {
	m := &Session{Opts: opts, Eng: eng, queue: queue{begin: eng.Go}, Viewer: viewer.New(eng, eng.State(), opts.Options)}
	m.Opts.Options, m.Progress = m.Viewer.Opts, eng.Progress
	return m
}

// Typing reports whether printable keys are text; Typed takes such a key or a paste; Mouse handles the mouse. Rooms where
// they do anything have their own.
func (m *Session) Typing() bool                         { return false }
func (m *Session) Typed(tea.Msg) tea.Cmd                { return nil }
func (m *Session) Mouse(tea.MouseMsg, int, int) tea.Cmd { return nil }

// Busy reports whether something is asked, or a step to another view is under way: the mouse does nothing then.
func (m *Session) Busy() bool { return m.ask != nil || m.Steps > 0 }

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
	give  func(words string) (in Intent, says string) // says is shown when they are saved
	empty string                                      // why words are required; empty if they are not
}

// Intend queues an intent.
func (m *Session) Intend(in Intent) tea.Cmd {
	if in.step {
		m.Steps++
	}
	if in.work {
		m.Saving++
	}
	return m.queue.add(in)
}

// Active tells the engine that somebody is there.
func (m *Session) Active() tea.Cmd { return m.Intend(Intent{Do: m.Eng.Active}) }

// PauseFor stops the clock.
func (m *Session) PauseFor(reason engine.PauseReason) tea.Cmd {
	return m.Intend(Step(func(ctx context.Context) error { return m.Eng.Pause(ctx, reason) }))
}

// Scope returns the scope of the keys in the current view.
func (m *Session) Scope() frame.Scope {
	switch {
	case m.State.Paused != "":
		return frame.ScopeBetween
	case m.Comparing():
		return frame.ScopeOverlap
	}
	return map[session.Phase]frame.Scope{
		session.Between: frame.ScopeBetween, session.Read: frame.ScopeCompose, session.Compose: frame.ScopeCompose,
		session.Wait: frame.ScopeWaiting, session.Review: frame.ScopeReview, session.Rate: frame.ScopeRating, session.Ended: frame.ScopeSummary,
	}[m.State.Phase]
}

// Comparing reports whether two answers are on the screen.
func (m *Session) Comparing() bool {
	a := m.State.Attempt()
	return a != nil && a.Sides != nil && (m.State.Phase == session.Wait || m.State.Phase == session.Pick)
}

// Keyed replaces assay's keys, which stand in braces, by the tester's.
func (m *Session) Keyed(sentence string) string {
	return m.Theme.Keyed(m.Scope(), m.IsTyping(), sentence)
}

// Pasting reports whether the tester pastes the answers.
func (m *Session) Pasting() bool { return m.State.Plan.Model.Provider == "paste" }

// TroubleText returns the problem or notice below the body.
func (m *Session) TroubleText() string {
	text, style := m.Notice, m.Theme.Dim
	switch {
	case m.Eng.Trouble() != "":
		text, style = "✗ "+m.Eng.Trouble()+" · it is tried again every second", m.Theme.Bad
	case m.Trouble != "":
		text, style = "✗ "+m.Trouble, m.Theme.Bad
	case m.Notice == "":
		return ""
	}
	const most = 4 // rows; more would hide what the error is about
	return strings.Join(frame.Notice(text, style, m.Size.Width, most), "\n")
}

// TroubleRows returns the height of troubleText.
func (m *Session) TroubleRows() int {
	if t := m.TroubleText(); t != "" {
		return strings.Count(t, "\n") + 1
	}
	return 0
}

// ShownTask returns the open task, or the next one, or -1.
func (m *Session) ShownTask() int {
	if m.State.Current >= 0 {
		return m.State.Current
	}
	return m.State.Next()
}

// Predict shows the outcome of an intent before it is committed, so that the next key finds the
// form as it will be. The engine's state replaces it when no intent is under way.
func (m *Session) Predict(payload session.Payload) bool {
	next := m.State.Clone()
	if next.Apply(session.Event{Seq: next.Seq + 1, Stamp: next.Last, Payload: payload}) != nil {
		return false
	}
	m.State = next
	m.Predicted++
	return true
}

// ThenMsg is what to do on the screen when work in the background has ended.
type ThenMsg func() tea.Cmd

// Background carries out a job for the session, then what is to be done on the screen with its outcome.
func Background[T any](m *Session, job func(ctx context.Context, id string) (T, error), then func(T, error) tea.Cmd) tea.Cmd {
	id := m.State.Session
	return func() tea.Msg {
		got, err := job(context.Background(), id)
		return ThenMsg(func() tea.Cmd { return then(got, err) })
	}
}

// Failed tells what went wrong, if anything did.
func (m *Session) Failed(what string, err error) bool {
	if err != nil {
		m.Trouble = fmt.Sprintf("%s: %v", what, err)
	}
	return err != nil
}

// SavesDraft returns an intent that saves what is being written.
func (m *Session) SavesDraft(do func(context.Context) error) Intent {
	in := Record(false, do)
	in.After = func(why string) tea.Cmd { m.Unsaved = why; return nil }
	return in
}

// PauseKey saves what is written and stops the clock.
func (m *Session) PauseKey() frame.Key {
	return frame.Key{Press: "f2", Does: "pause", Do: func() tea.Cmd { return tea.Sequence(m.Save(), m.PauseFor(engine.PauseByTester)) }}
}

// ResumeSession ends a pause, and saves what the store did not take before it.
func (m *Session) ResumeSession() tea.Cmd {
	in := Step(m.Eng.Resume)
	in.After = func(string) tea.Cmd { return tea.Batch(m.Follow(), m.Save()) }
	return m.Intend(in)
}

// SaveMsg is sent when saver.Every has passed since the last save.
type SaveMsg struct{}

// ScheduleSave saves what is typed: at once after a rest, then once in each [saver.Every].
func (m *Session) ScheduleSave() tea.Cmd {
	if m.Resting {
		m.Dirty = true
		return nil
	}
	m.Resting = true
	return tea.Batch(m.Save(), tea.Tick(saver.Every, func(time.Time) tea.Msg { return SaveMsg{} }))
}

// SavedLast saves what was typed since the last save.
func (m *Session) SavedLast() tea.Cmd {
	if m.Resting = false; m.Dirty {
		return m.ScheduleSave()
	}
	return nil
}

// EditDir is where files of this session are while an editor has them open; "": among the temporary files.
func (m *Session) EditDir() string {
	if m.Opts.EditDir == "" {
		return ""
	}
	return filepath.Join(m.Opts.EditDir, m.State.Session)
}

// NoEditor explains why nothing can be edited in another program, or is "".
func (m *Session) NoEditor() string {
	if m.Opts.Editor != "" {
		return ""
	}
	return cmp.Or(m.Opts.NoEditor, "no editor was found: put the name of one into the environment variable EDITOR")
}

// Joined joins facts that are not empty.
func Joined(facts ...string) string {
	return strings.Join(slices.DeleteFunc(facts, func(f string) bool { return f == "" }), " · ")
}

// Done takes the outcome of the next intent, if there is any, and returns what that leads to.
func (m *Session) Done() (after tea.Cmd, any bool) {
	in := m.queue.take()
	if in == nil {
		return nil, false
	}
	switch {
	case in.predicted:
		m.Predicted--
	case in.step:
		m.Steps--
	}
	if in.work {
		m.Saving--
	}
	why := ""
	if in.err != nil {
		why = in.err.Error()
		m.Trouble = why
	} else if in.work || in.After != nil {
		m.Trouble = ""
	}
	if in.After != nil {
		after = in.After(why)
	}
	return after, true
}
