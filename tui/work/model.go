// Package work is a session on the screen, in rooms: welcome, ready, compose, wait, compare, review, rate, pause, survey and
// summary. One Model serves one session/engine; which room is open follows from the session's committed state, so that
// after a crash the tester is back where they were. A room has its own keys, state and page, shares the live session with
// the others, and does not know the Model.
//
// Keys become intents of the engine, run in order by a queue off the update path.
package work

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// Model is the screen of one session.
type Model struct {
	*live
	held     []tea.Msg // keys pressed while a step leads to another view: they are meant for that
	stop     context.CancelFunc
	at       position // that the rooms show
	unclosed string   // why leaving the session is not recorded

	welcome welcomeRoom
	ready   readyRoom
	paused  pausedRoom
	compose composeRoom
	paste   pasteRoom
	files   filesRoom
	wait    waitRoom
	arena   arenaRoom
	review  reviewRoom
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
	keys() []frame.Key
	page() frame.Page
	typing() bool
	typed(msg tea.Msg) tea.Cmd
	mouse(msg tea.MouseMsg, x, y int) tea.Cmd
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
	case m.comparing():
		return &m.arena
	case m.survey.surveying():
		return &m.survey
	case m.welcome.welcoming() && m.State.Phase == session.Between:
		return &m.welcome
	}
	switch m.State.Phase {
	case session.Between:
		return &m.ready
	case session.Read, session.Compose:
		return &m.compose
	case session.Wait, session.Pick:
		if m.pasting() {
			return &m.paste
		}
		return &m.wait
	case session.Review:
		return &m.review
	}
	return &m.rating
}
