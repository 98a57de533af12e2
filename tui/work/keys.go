package work

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// keys returns the table of the view that is shown.
func (m *Model) keys() []frame.Key {
	switch {
	case m.ask != nil && m.ask.words != nil:
		return m.wordsKeys(m.ask)
	case m.ask != nil:
		return confirmKeys(m.ask.yes, m.ask.do, func() { m.ask = nil })
	}
	room := m.room()
	table := room.keys()
	if room == &m.paused || room == &m.summary || room == &m.files {
		return table
	}
	for _, k := range m.asideKeys() {
		if !slices.ContainsFunc(table, k.Shares) {
			table = append(table, k)
		}
	}
	return table
}

// Typing reports whether printable keys are text, or may turn out to be when the
// step under way is done.
func (m *Model) Typing() bool { return m.steps > 0 || len(m.held) > 0 || m.isTyping() }

// isTyping reports whether printable keys are text now.
func (m *Model) isTyping() bool {
	if m.ask != nil {
		return m.ask.words != nil
	}
	return m.room().typing()
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
		{Press: "ctrl+l", Does: "files", More: true, Do: m.files.showFiles, Fit: func(k *frame.Key) {
			if !m.OfRepository() {
				k.Press = ""
			}
		}},
		{Press: "f10", Does: "flag something for the study's owner", More: true, Do: m.askFlag},
	}
}

// Holding reports whether keys are held for the next view.
func (m *Model) Holding() bool { return m.steps > 0 || len(m.held) > 0 }

// translated translates a held key into assay's own, by the keymap of the view it was meant for.
func (m *Model) translated(msg tea.Msg) tea.Msg {
	if key, is := msg.(tea.KeyPressMsg); is {
		return m.Theme.Keys.Own(m.scope(), m.isTyping(), key)
	}
	return msg
}
