package work

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/tui/editor"
	"assay/tui/form"
	"assay/tui/frame"
	"assay/tui/work/live"
	"assay/tui/work/ready"
	"assay/tui/work/review"
	"assay/tui/work/viewer"
	"assay/tui/work/wait"
)

// New makes the screen of a live session.
func New(eng *engine.Engine, opts live.Options) *Model {
	m := newModel(live.New(eng, opts))
	m.Watch, m.stop = context.WithCancel(context.Background())
	if opts.Editor != "" {
		m.compose.ownEditor = live.EditorName(opts.Editor)
	}
	return m
}

// newModel furnishes the rooms.
func newModel(l *live.Session) *Model {
	m := &Model{Session: l, review: review.Room{Session: l}, survey: surveyRoom{Session: l}, summary: summaryRoom{Session: l}}
	m.welcome, m.ready, m.paused = ready.Welcome{Session: l}, ready.Room{Session: l}, ready.Paused{Session: l, Departure: m.Departure}
	m.compose = composeRoom{Session: l, files: &m.files, area: editor.New(), unsaved: &unsaved{}}
	m.paste, m.wait, m.arena = pasteRoom{&m.compose}, wait.Room{Session: l}, wait.Arena{Session: l}
	m.rating = ratingRoom{mergeRoom: mergeRoom{mendRoom: mendRoom{l, &m.files}}}
	m.files = filesRoom{Session: l, insertPath: m.compose.insertPath, insertFile: m.compose.insertFile}
	m.files.mend = func(press string) frame.Key { return m.rating.mendKey(press, "edit", m.rating.mendFile) }
	l.Save, l.Follow, l.IsTyping = m.save, m.follow, m.isTyping
	return m
}

// Init starts the listeners and the heartbeat.
func (m *Model) Init() tea.Cmd {
	if m.Opts.Ticks != nil {
		m.Eng.Go(func() { m.Eng.Pulse(m.Watch, m.Opts.Ticks) })
	}
	if m.State.Words[session.WordsNote] != "" {
		m.Notice = m.Keyed("You began a note on this task: {f12} goes on with it.")
	}
	cmd := m.follow()
	m.Notice = cmp.Or(m.unsavedEdits(), m.Notice)
	return tea.Batch(m.listen(), cmd)
}

// Leave saves what is in the editor, ends the background work and leaves the
// session paused.
func (m *Model) Leave() tea.Cmd {
	m.held = nil // a key released after closing would resume the session
	return tea.Sequence(m.save(), m.closeSession())
}

// Update turns messages into intents, and changes of the engine into views.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if _, shown := msg.(frame.ShownMsg); shown {
		m.wait.Ticking, m.Resting = false, false // their messages went to another screen
		return tea.Batch(m.compose.differ.Resume(), m.files.paths.Resume(), m.files.texts.Resume(), m.Resume(), m.wait.WatchWait(), m.save())
	}
	for _, latest := range []interface {
		Take(tea.Msg) (tea.Cmd, bool)
	}{&m.compose.differ, &m.files.paths, &m.files.texts} {
		if cmd, taken := latest.Take(msg); taken {
			return tea.Batch(cmd, m.files.lookAtFile())
		}
	}
	if cmd, taken := m.Take(msg); taken {
		return cmd
	}
	if cmd, taken := m.arena.Sides.Take(msg); taken {
		return cmd
	}
	switch msg := msg.(type) {
	case frame.LookMsg:
		m.Size, m.Theme = msg.Size, msg.Theme
		looked := m.arena.Sides.Look(msg.Size, msg.Theme)
		m.rating.reserve()
		return tea.Batch(looked, m.files.lookAtFile(), m.showTab(), m.Render())
	case changedMsg:
		return tea.Batch(m.listen(), m.follow())
	case live.DoneMsg:
		if after, any := m.Done(); any {
			return tea.Batch(after, m.follow(), m.release())
		}
	case live.ThenMsg:
		return msg()
	case wait.Tick:
		return m.wait.Ticked(msg)
	case live.SaveMsg:
		return m.SavedLast()
	case frame.SaveMsg:
		return m.save()
	case frame.SuspendMsg:
		if m.State.Paused != "" || m.State.Closed != "" {
			return nil
		}
		return m.PauseKey().Do()
	case editedMsg:
		return m.compose.edited(msg)
	case mendMsg:
		return m.rating.edit(msg)
	case mendedMsg:
		return m.rating.mended(msg)
	case tea.FocusMsg:
		return m.Intend(live.Intent{Do: func(ctx context.Context) error { return m.Eng.Focus(ctx, true) }})
	case tea.BlurMsg:
		return m.Intend(live.Intent{Do: func(ctx context.Context) error { return m.Eng.Focus(ctx, false) }})
	case tea.KeyPressMsg:
		return tea.Batch(m.press(msg), m.Render(), m.files.lookAtFile())
	case tea.PasteMsg:
		return m.press(msg)
	}
	return nil
}

// Settled reports whether no background work and no step to another view is under way.
func (m *Model) Settled() bool {
	return m.Steps == 0 && len(m.held) == 0 && m.Viewer.Settled() && m.arena.Sides.Settled() && m.files.paths.Settled() && m.files.texts.Settled()
}

// Keys returns all keys of the views of a scope, for the settings.
func Keys(scope frame.Scope) []frame.Key {
	m := newModel(&live.Session{Viewer: viewer.New(nil, session.New(), viewer.Options{})})
	asked := m.QuestionKeys()
	files := slices.Concat(m.files.listFilesKeys(), m.files.openFileKeys())
	switch scope {
	case frame.ScopeCompose:
		return frame.Merged(m.compose.draftKeys(), m.compose.listKeys(), files, m.asideKeys(), asked)
	case frame.ScopeWaiting:
		return frame.Merged(m.wait.Keys(), m.paste.Keys(), files, m.asideKeys(), asked)
	case frame.ScopeOverlap:
		return frame.Merged(m.arena.Keys(), m.asideKeys())
	case frame.ScopeReview:
		return frame.Merged(m.review.JudgingKeys(), m.FullKeys(), m.FindKeys(), files, m.asideKeys(), asked)
	case frame.ScopeRating:
		labels := frame.Key{Press: form.Letters, Does: "the answers of labels"}
		return frame.Merged(m.rating.formKeys(), []frame.Key{labels}, m.rating.mergeKeys(), m.rating.answerKeys(), m.FullKeys(), m.FindKeys(), files, m.asideKeys(), asked)
	case frame.ScopeBetween:
		return frame.Merged(m.ready.Keys(), m.welcome.Keys(), m.paused.Keys(), m.survey.Keys(), m.asideKeys(), asked)
	}
	return frame.Merged(m.summary.Keys())
}
