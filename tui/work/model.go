// Package work is a session on the screen, in rooms: welcome, ready, compose, wait, compare, review, rate, pause, survey and
// summary. One Model serves one session/engine; which room is open follows from the session's committed state, so that
// after a crash the tester is back where they were. A room has its own keys, state and page, shares the live session with
// the others, and does not know the Model.
//
// Keys become intents of the engine, run in order by a queue off the update path.
package work

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/live"
	"assay/tui/work/ready"
	"assay/tui/work/review"
	"assay/tui/work/wait"
)

// LookEvery is the usual time between two redraws of a streaming answer: 25 times a second, which
// slow links can take, too.
const LookEvery = time.Second / 25

type Options = live.Options // what the session's screens need besides the engine

// Model is the screen of one session.
type Model struct {
	*live.Session
	held     []tea.Msg // keys pressed while a step leads to another view: they are meant for that
	stop     context.CancelFunc
	at       position // that the rooms show
	unclosed string   // why leaving the session is not recorded

	welcome ready.Welcome
	ready   ready.Room
	paused  ready.Paused
	compose composeRoom
	paste   pasteRoom
	files   filesRoom
	wait    wait.Room
	arena   wait.Arena
	review  review.Room
	rating  ratingRoom
	survey  surveyRoom
	summary summaryRoom
}

// position is the part of a session's state that decides which view is shown.
type position struct {
	task, attempt int
	phase         session.Phase
	paused        bool
	judged        bool // the tests have ended
}

// room is one view of a session.
type room interface {
	Keys() []frame.Key
	Page() frame.Page
	Typing() bool
	Typed(msg tea.Msg) tea.Cmd
	Mouse(msg tea.MouseMsg, x, y int) tea.Cmd
}

// room returns the room that the session's state calls for.
func (m *Model) room() room {
	switch {
	case m.State.Paused != "":
		return &m.paused
	case m.State.Phase == session.Ended:
		return &m.summary
	case m.files.shown:
		return &m.files
	case m.Comparing():
		return &m.arena
	case m.survey.surveying():
		return &m.survey
	case m.welcome.Wanted() && m.State.Phase == session.Between:
		return &m.welcome
	}
	switch m.State.Phase {
	case session.Between:
		return &m.ready
	case session.Read, session.Compose:
		return &m.compose
	case session.Wait, session.Pick:
		if m.Pasting() {
			return &m.paste
		}
		return &m.wait
	case session.Review:
		return &m.review
	}
	return &m.rating
}

// keys returns the table of the view that is shown.
func (m *Model) keys() []frame.Key {
	if asked := m.AskedKeys(); asked != nil {
		return asked
	}
	room := m.room()
	table := room.Keys()
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
func (m *Model) Typing() bool { return m.Steps > 0 || len(m.held) > 0 || m.isTyping() }

// isTyping reports whether printable keys are text now.
func (m *Model) isTyping() bool {
	return m.Asking() || !m.Confirming() && m.room().Typing()
}

// asideKeys returns the keys that work wherever a session is open.
func (m *Model) asideKeys() []frame.Key {
	pause, files := m.PauseKey(), m.files.key()
	pause.More, files.More = true, true
	return []frame.Key{
		pause, {Press: "f12", Does: "note on this task", More: true, Do: m.AskNote, Not: func() string {
			if m.State.Task() == nil {
				return m.Keyed("no task is open; {f10} tells the study's owner something at any time")
			}
			return ""
		}},
		files, {Press: "f10", Does: "flag something for the study's owner", More: true, Do: m.AskFlag},
	}
}

// Holding reports whether keys are held for the next view.
func (m *Model) Holding() bool { return m.Steps > 0 || len(m.held) > 0 }

// translated translates a held key into assay's own, by the keymap of the view it was meant for.
func (m *Model) translated(msg tea.Msg) tea.Msg {
	if key, is := msg.(tea.KeyPressMsg); is {
		return m.Theme.Keys.Own(m.Scope(), m.isTyping(), key)
	}
	return msg
}
