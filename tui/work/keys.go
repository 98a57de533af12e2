package work

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/tui/form"
	"assay/tui/frame"
	"assay/tui/work/viewer"
)

// Keys returns all keys of the views of a scope, for the settings.
func Keys(scope frame.Scope) []frame.Key {
	m := &Model{Viewer: viewer.New(nil, session.New(), viewer.Options{})}
	asked := append(confirmKeys("yes, where assay asks", nil, nil), m.wordsKeys(&question{yes: "keep what is written"})...)
	files := slices.Concat(m.listFilesKeys(), m.openFileKeys())
	switch scope {
	case frame.ScopeCompose:
		return frame.Merged(m.composeKeys(), m.listKeys(), files, m.asideKeys(), asked)
	case frame.ScopeWaiting:
		return frame.Merged(m.waitKeys(), m.pasteKeys(), files, m.asideKeys(), asked)
	case frame.ScopeOverlap:
		return frame.Merged(m.arenaKeys(), m.asideKeys())
	case frame.ScopeReview:
		return frame.Merged(m.reviewKeys(), m.FullKeys(), m.FindKeys(), files, m.asideKeys(), asked)
	case frame.ScopeRating:
		labels := frame.Key{Press: form.Letters, Does: "the answers of labels"}
		return frame.Merged(m.formKeys(), []frame.Key{labels}, m.mergeKeys(), m.answerKeys(), m.FullKeys(), m.FindKeys(), files, m.asideKeys(), asked)
	case frame.ScopeBetween:
		return frame.Merged(m.readyKeys(), m.welcomeKeys(), m.pausedKeys(), m.surveyKeys(), m.asideKeys(), asked)
	}
	return frame.Merged(m.summaryKeys())
}

// keys returns the table of the view that is shown.
func (m *Model) keys() []frame.Key {
	switch {
	case m.ask != nil && m.ask.words != nil:
		return m.wordsKeys(m.ask)
	case m.ask != nil:
		return confirmKeys(m.ask.yes, m.ask.do, func() { m.ask = nil })
	case m.State.Paused != "":
		return m.pausedKeys()
	case m.State.Phase == session.Ended:
		return m.summaryKeys()
	case m.files.shown && m.files.open != "":
		return m.openFileKeys()
	case m.files.shown:
		return m.listFilesKeys()
	}
	table := m.phaseKeys()
	for _, k := range m.asideKeys() {
		if !slices.ContainsFunc(table, k.Shares) {
			table = append(table, k)
		}
	}
	return table
}

// phaseKeys returns the table of the phase that the session is in.
func (m *Model) phaseKeys() []frame.Key {
	switch m.State.Phase {
	case session.Between:
		switch {
		case m.surveying():
			return m.surveyKeys()
		case m.welcoming():
			return m.welcomeKeys()
		}
		return m.readyKeys()
	case session.Read, session.Compose:
		if m.compose.list != listNone {
			return m.listKeys()
		}
		return m.composeKeys()
	case session.Wait, session.Pick:
		switch {
		case m.comparing():
			return m.arenaKeys()
		case m.pasting():
			return m.pasteKeys()
		}
		return m.waitKeys()
	}
	over := m.OverKeys()
	switch {
	case over != nil:
		return over
	case m.State.Phase == session.Review:
		return m.reviewKeys()
	case m.rating.viewing:
		return m.answerKeys()
	case m.rating.merging:
		return m.mergeKeys()
	}
	return m.ratingKeys()
}

// Typing reports whether printable keys are text, or may turn out to be when the
// step under way is done.
func (m *Model) Typing() bool { return m.steps > 0 || len(m.held) > 0 || m.typing() }

func (m *Model) typing() bool {
	if m.ask != nil {
		return m.ask.words != nil
	}
	if m.State.Paused != "" {
		return false
	}
	if m.files.shown {
		return m.files.open == "" || m.files.find.Typing
	}
	switch m.State.Phase {
	case session.Read, session.Compose:
		return m.compose.list == listNone
	case session.Wait, session.Pick:
		return m.pasting() || m.arena.sides.Typing()
	case session.Between:
		return m.surveyTyping()
	case session.Review, session.Rate:
		return m.Searching()
	}
	return false
}

// press takes a key or a paste. While a step to another view is under way they
// are held for that view: else the letters typed right after r would be
// commands of the view that is left.
func (m *Model) press(msg tea.Msg) tea.Cmd {
	if m.Holding() {
		m.held = append(m.held, msg)
		return nil
	}
	return m.pressed(msg)
}

// release hands the held keys, in order, to the view that was arrived at, until
// one of them begins the next step.
func (m *Model) release() tea.Cmd {
	var cmds []tea.Cmd
	for m.steps == 0 && m.predicted == 0 && len(m.held) > 0 {
		msg := m.held[0]
		m.held = m.held[1:]
		cmds = append(cmds, m.pressed(m.translated(msg)))
	}
	return tea.Batch(cmds...)
}

func (m *Model) pressed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		m.Notice = ""
		if msg.String() == "?" && !m.typing() {
			return func() tea.Msg { return frame.HelpMsg{} } // no text after all: the program's key for help
		}
		return tea.Batch(m.active(), m.key(msg))
	case tea.PasteMsg:
		return tea.Batch(m.active(), m.pasteAside(msg))
	}
	return nil
}

// key does what the table of the view has for a key. Other keys are text, where that is typed.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if cmd, taken := m.passed(msg); taken {
		return cmd
	}
	press := msg.String()
	if m.typing() {
		press = msg.Keystroke() // a word that is typed at once may be the name of a key
	}
	cmd, why, taken := frame.Pressed(m.keys(), press)
	if why != "" {
		m.Notice = why
	}
	if !taken {
		cmd = m.typed(msg)
	}
	return tea.Batch(cmd, m.showTab())
}

// typed hands a key to the text that is being typed.
func (m *Model) typed(msg tea.KeyPressMsg) (cmd tea.Cmd) {
	switch {
	case m.ask != nil && m.ask.words != nil:
		*m.ask.words, cmd = m.ask.words.Update(msg)
		return tea.Batch(cmd, m.scheduleSave())
	case m.ask != nil && msg.String() == "n":
		m.ask = nil
	case m.ask != nil:
		m.Notice = m.keyed("{y} says yes, {esc} no.") // no other key answers, as one pressed twice by mistake
	case m.State.Paused != "":
	case m.files.shown:
		return m.typedInFiles(msg)
	case m.comparing() && m.arena.sides.Shown():
		return m.arena.sides.Pass(msg)
	case m.surveyTyping():
		m.survey.line, cmd = m.survey.line.Update(msg)
		return tea.Batch(cmd, m.scheduleSave())
	case m.writing(m.State) && m.compose.list == listNone:
		return m.editKey(msg)
	case m.Searching():
		return m.FindTyped(msg)
	case m.State.Phase == session.Rate && !m.rating.viewing && !m.rating.merging:
		return m.unaskedLabel(msg.String())
	}
	return cmd
}

// asideKeys returns the keys that work wherever a session is open.
func (m *Model) asideKeys() []frame.Key {
	pause := m.pauseKey()
	pause.More = true
	return []frame.Key{
		pause, {Press: "f12", Does: "note on this task", More: true, Do: m.askNote, Not: func() string {
			if m.State.Task() == nil {
				return m.keyed("no task is open; {f10} tells the study's owner something at any time")
			}
			return ""
		}},
		{Press: "ctrl+l", Does: "files", More: true, Do: m.showFiles, Fit: func(k *frame.Key) {
			if !m.OfRepository() {
				k.Press = ""
			}
		}},
		{Press: "f10", Does: "flag something for the study's owner", More: true, Do: m.askFlag},
	}
}

// pauseKey saves what is written and stops the clock.
func (m *Model) pauseKey() frame.Key {
	return frame.Key{Press: "f2", Does: "pause", Do: func() tea.Cmd { return tea.Sequence(m.save(), m.pauseFor(engine.PauseByTester)) }}
}

// scope returns the scope of the keys in the current view.
func (m *Model) scope() frame.Scope {
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

// Holding reports whether keys are held for the next view.
func (m *Model) Holding() bool { return m.steps > 0 || len(m.held) > 0 }

// translated translates a held key into assay's own, by the keymap of the view it was meant for.
func (m *Model) translated(msg tea.Msg) tea.Msg {
	if key, is := msg.(tea.KeyPressMsg); is {
		return m.Theme.Keys.Own(m.scope(), m.typing(), key)
	}
	return msg
}

// keyed replaces assay's keys, which stand in braces, by the tester's.
func (m *Model) keyed(sentence string) string { return m.Theme.Keyed(m.scope(), m.typing(), sentence) }
