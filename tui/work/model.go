package work

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/session/report/sessions"
	"assay/tui/editor"
	"assay/tui/frame"
	"assay/tui/work/result"
	"assay/tui/work/viewer"
)

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

// Model is the screen of one session.
type Model struct {
	viewer.Viewer
	opts  Options
	eng   *engine.Engine
	queue queue

	// predicted counts the intents under way whose outcome the state shows already.
	predicted int
	steps     int       // intents under way that lead to another view
	held      []tea.Msg // keys pressed meanwhile: they are meant for that view

	ownEditor string // the name of the tester's own editor

	watch context.Context // context of the listeners; Leave ends it
	stop  context.CancelFunc

	at  position // the position that the views below were made for
	ask *question

	welcome welcome
	intro   frame.Window // the text before a task
	compose composer
	files   files
	rating  rater
	arena   arena
	survey  survey

	counting bool // a breakTick is on its way
	ticking  bool // a waitTick is on its way
	ticks    int  // the number of the last waitTick

	saving   int    // intents under way that the log has to have before the session is left
	unsaved  string // why the last of them failed
	unclosed string // why leaving the session is not recorded

	summary  result.Overview
	handedIn string // path of the file to hand in, once it is written
}

// position is the part of a session's state that decides which view is shown.
type position struct {
	task, attempt int
	phase         session.Phase
	paused        bool
	judged        bool // the tests have ended
}

// changedMsg is sent when the engine's state has changed.
type changedMsg struct{}

// New makes the screen of a live session.
func New(eng *engine.Engine, opts Options) *Model {
	m := &Model{opts: opts, eng: eng, Viewer: viewer.New(eng, eng.State(), opts.Options), queue: queue{begin: eng.Go}}
	m.watch, m.stop = context.WithCancel(context.Background())
	m.compose = composer{area: editor.New(), unsaved: &unsaved{}}
	m.Progress = eng.Progress
	m.opts.Options = m.Viewer.Opts
	if opts.Editor != "" {
		m.ownEditor = editorName(opts.Editor)
	}
	return m
}

// Init starts the listeners and the heartbeat.
func (m *Model) Init() tea.Cmd {
	if m.opts.Ticks != nil {
		m.eng.Go(func() { m.eng.Pulse(m.watch, m.opts.Ticks) })
	}
	if m.State.Words[session.WordsNote] != "" {
		m.Notice = m.keyed("You began a note on this task: {f12} goes on with it.")
	}
	cmd := m.follow()
	m.Notice = cmp.Or(m.unsavedEdits(), m.Notice)
	return tea.Batch(m.listen(), cmd)
}

// Leave saves what is in the editor, ends the background work and leaves the
// session paused.
func (m *Model) Leave() tea.Cmd {
	m.held = nil // a key released after closing would resume the session
	saved := m.save()
	return tea.Sequence(saved, m.closeSession())
}

// listen waits for the next change and merges changes in quick succession.
func (m *Model) listen() tea.Cmd {
	ctx, changes, interval := m.watch, m.eng.Changes(), m.opts.Interval
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-changes:
		}
		if interval > 0 {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(interval):
			}
		}
		return changedMsg{}
	}
}

// Update turns messages into intents, and changes of the engine into views.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if _, shown := msg.(frame.ShownMsg); shown {
		m.ticking, m.compose.saving = false, false // their messages went to another screen
		return tea.Batch(m.compose.differ.Resume(), m.files.paths.Resume(), m.files.texts.Resume(), m.Resume(), m.watchWait(), m.save())
	}
	for _, latest := range []interface {
		Take(tea.Msg) (tea.Cmd, bool)
	}{&m.compose.differ, &m.files.paths, &m.files.texts} {
		if cmd, taken := latest.Take(msg); taken {
			return tea.Batch(cmd, m.lookAtFile())
		}
	}
	if cmd, taken := m.Take(msg); taken {
		return cmd
	}
	if cmd, taken := m.arena.sides.Take(msg); taken {
		return cmd
	}
	switch msg := msg.(type) {
	case frame.LookMsg:
		m.Size, m.Theme = msg.Size, msg.Theme
		looked := m.arena.sides.Look(msg.Size, msg.Theme)
		m.reserve()
		return tea.Batch(looked, m.lookAtFile(), m.showTab(), m.Render())
	case changedMsg:
		return tea.Batch(m.listen(), m.follow())
	case doneMsg:
		return m.done()
	case thenMsg:
		return msg()
	case breakTick:
		m.counting = false
		return m.watchBreak()
	case waitTick:
		return m.ticked(msg)
	case saveMsg:
		return m.savedLast()
	case frame.SaveMsg:
		return m.save()
	case frame.SuspendMsg:
		if m.State.Paused != "" || m.State.Closed != "" {
			return nil
		}
		return m.pauseKey().Do()
	case editedMsg:
		return m.edited(msg)
	case fileMsg:
		return m.insertRead(msg)
	case mendMsg:
		return m.edit(msg)
	case mendedMsg:
		return m.mended(msg)
	case tea.FocusMsg:
		return m.intend(intent{do: func(ctx context.Context) error { return m.eng.Focus(ctx, true) }})
	case tea.BlurMsg:
		return m.intend(intent{do: func(ctx context.Context) error { return m.eng.Focus(ctx, false) }})
	case tea.KeyPressMsg:
		return tea.Batch(m.press(msg), m.Render(), m.lookAtFile())
	case tea.PasteMsg:
		return m.press(msg)
	}
	return nil
}

// Settled reports whether no background work and no step to another view is under way.
func (m *Model) Settled() bool {
	return m.steps == 0 && len(m.held) == 0 && m.Viewer.Settled() && m.arena.sides.Settled() && m.files.paths.Settled() && m.files.texts.Settled()
}

// moused passes mouse events to the view that is shown.
func (m *Model) moused(msg tea.MouseMsg, x, y int) tea.Cmd {
	switch {
	case m.ask != nil || m.State.Paused != "" || m.steps > 0 || m.typing() && !m.Searching():
		return nil
	case m.State.Phase == session.Rate && m.rating.merging && !m.rating.viewing:
		return nil
	case m.State.Phase == session.Rate && !m.rating.viewing && (m.rating.beside == 0 || x > m.Room()):
		if m.rating.beside > 0 {
			x -= m.Room() + 1
		}
		return tea.Batch(m.active(), m.rateMouse(msg, x, y), m.Render())
	case m.State.Phase == session.Review, m.State.Phase == session.Rate:
		m.Point(msg, x, y)
		return tea.Batch(m.active(), m.showTab(), m.Render())
	case m.comparing() && m.arena.sides.Shown():
		return tea.Batch(m.active(), m.arena.sides.Mouse(msg, x, y))
	case m.Awaited():
		m.Point(msg, x, y)
		return m.active()
	}
	return nil
}

// follow updates the views to the committed state.
func (m *Model) follow() tea.Cmd {
	if m.predicted == 0 {
		m.State = m.eng.State()
	}
	now := position{task: m.State.Current, phase: m.State.Phase, paused: m.State.Paused != ""}
	if a := m.State.Attempt(); a != nil {
		now.attempt, now.judged = a.N, a.Verdict != nil
	}
	before := m.at
	m.at = now
	var cmd tea.Cmd
	if now.task != before.task || now.attempt != before.attempt || now.phase != before.phase {
		cmd = m.arrive(before, now)
	}
	cmd = tea.Batch(cmd, m.notify(before, now))
	cmd = tea.Batch(cmd, m.followSides())
	m.reserve()
	if m.surveying() {
		cmd = tea.Batch(cmd, m.beginSurvey())
	}
	return tea.Batch(cmd, m.showTab(), m.Render(), m.watchBreak(), m.watchWait())
}

// notify tells a tester who is in another window that the wait is over.
func (m *Model) notify(before, now position) tea.Cmd {
	what := ""
	switch {
	case now.task != before.task || now.attempt != before.attempt:
	case before.phase == session.Wait && now.phase == session.Review:
		what = "the answer has arrived"
	case now.phase == session.Pick && before.phase == session.Wait:
		what = "both answers have arrived"
	case before.phase == session.Wait && now.phase == session.Compose:
		what = "no answer came"
	case now.judged && !before.judged && m.State.Plan.Sees(m.State.Attempt()) != session.SeeNothing:
		what = "the tests have ended"
	}
	if what == "" {
		return nil
	}
	return func() tea.Msg { return frame.NotifyMsg{What: what} }
}

// arrive prepares the view of a new phase.
func (m *Model) arrive(before, now position) tea.Cmd {
	if now.task != before.task {
		m.files.shown, m.files.open = false, ""
	}
	switch now.phase {
	case session.Read, session.Compose:
		if before.task == now.task && before.attempt == now.attempt &&
			(before.phase == session.Read || before.phase == session.Compose) {
			return nil // the same draft
		}
		t := m.State.Task()
		m.compose.begin(draftOf{task: now.task, attempt: now.attempt}, t.Draft(), t.InsertedBytes()+t.EditorBytes())
		return m.readPaths()
	case session.Wait:
		m.Await()
		if m.pasting() {
			m.compose.begin(draftOf{now.task, now.attempt, true}, m.State.Words[session.WordsAnswer], 0)
			m.compose.above = abovePrompt
		}
	case session.Review:
		switch before.phase {
		case session.Wait: // the chosen tab stays
			if !m.OnTab(viewer.TabAnswer) {
				m.Notice = m.keyed("The answer is there: {1} shows it.")
			}
		case session.Rate:
			m.Back()
		default:
			m.Begin()
			if before.phase == session.Pick {
				m.Notice = picked(m.State.Attempt())
			}
		}
		var came *session.AnswerReceived
		if before.phase == session.Wait {
			came = m.State.Attempt().Answer
		}
		m.Complete(came)
	case session.Rate:
		m.rating.begin(m.State)
		m.Turn(viewer.TabAnswer)
	case session.Ended:
		if m.State.Plan.ResultsLater() {
			return nil
		}
		return tea.Batch(m.writeReport(), m.countResults())
	}
	return nil
}
