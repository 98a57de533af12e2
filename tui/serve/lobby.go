package serve

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session/engine"
	"assay/tui/frame"
	"assay/tui/work"
)

// Standing is where a tester is in a study.
type Standing struct {
	Study   string
	Tester  string
	Part    int    // the session that is next or open, from 1; more than Parts: all are done
	Parts   int    // how many there are
	Begun   bool   // it is open
	Closing string // why nobody can begin or go on; empty: they can
}

// Desk is what a tester's first screen works with.
type Desk interface {
	Standing(ctx context.Context) (Standing, error)
	// Next begins the tester's next session, or goes on with the one that is open.
	Next(ctx context.Context) (*engine.Engine, error)
	// Work is what a session's screens need.
	Work() work.Options
}

// lobby is a tester's first screen: what there is to do for them in the study.
type lobby struct {
	desk    Desk
	known   bool
	at      Standing
	trouble string
	opening bool
}

// Lobby makes the first screen of a tester.
func Lobby(desk Desk) frame.Screen { return &lobby{desk: desk} }

type (
	standingMsg struct {
		at  Standing
		err error
	}
	nextMsg struct {
		eng *engine.Engine
		err error
	}
)

// Init asks where the tester is.
func (l *lobby) Init() tea.Cmd { return l.look() }

// Typing is false: every key is a command here.
func (l *lobby) Typing() bool { return false }

func (l *lobby) look() tea.Cmd {
	desk := l.desk
	return func() tea.Msg {
		at, err := desk.Standing(context.Background())
		return standingMsg{at, err}
	}
}

// Update handles keys, and what was asked for.
func (l *lobby) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case standingMsg:
		if msg.err != nil {
			l.trouble = msg.err.Error()
			return nil
		}
		l.known, l.at = true, msg.at
	case frame.ShownMsg:
		return l.look()
	case nextMsg:
		l.opening = false
		if msg.err != nil {
			l.trouble = msg.err.Error()
			return l.look()
		}
		return frame.Open(work.New(msg.eng, l.desk.Work()))
	case tea.KeyPressMsg:
		switch msg.String() {
		case "enter":
			if l.opening || l.cannot() != "" {
				return nil
			}
			l.opening, l.trouble = true, ""
			desk := l.desk
			return func() tea.Msg {
				eng, err := desk.Next(context.Background())
				return nextMsg{eng, err}
			}
		case "q", "esc":
			return frame.Back
		}
	}
	return nil
}

// cannot is why there is nothing to begin.
func (l *lobby) cannot() string {
	switch {
	case !l.known:
		return "it is not known yet where you are"
	case l.at.Closing != "":
		return l.at.Closing
	case l.at.Part > l.at.Parts:
		return "you have finished all sessions"
	}
	return ""
}

// Page says where the tester is, and what comes next.
func (l *lobby) Page(size frame.Size, theme frame.Theme) frame.Page {
	var b strings.Builder
	width := max(20, size.Body().Width-6)
	paragraph := func(text string) { b.WriteString("\n" + frame.Indent(frame.Wrap(text, width), "   ") + "\n") }
	begin := frame.Key{Press: "enter", Does: "begin", Why: l.cannot()}
	switch {
	case !l.known && l.trouble == "":
		paragraph(theme.Dim.Render("…"))
	case l.known:
		paragraph(theme.Strong.Render(frame.OneLine(l.at.Study)))
		paragraph("You work here as " + theme.Strong.Render(frame.OneLine(l.at.Tester)) + ".")
		switch {
		case l.at.Part > l.at.Parts:
			paragraph(theme.Good.Render("✓ ") + fmt.Sprintf("You have finished all %s. Thank you.", plural(l.at.Parts, "session")))
		case l.at.Closing != "":
			paragraph(theme.Warn.Render("– ") + frame.OneLine(l.at.Closing))
		case l.at.Begun:
			begin.Does = "go on"
			paragraph(fmt.Sprintf("Session %d of %d is paused where you left it: %s goes on.", l.at.Part, l.at.Parts, theme.Press("", "enter")))
		default:
			paragraph(fmt.Sprintf("Session %d of %d is next: %s begins it.", l.at.Part, l.at.Parts, theme.Press("", "enter")))
		}
		paragraph(theme.Dim.Render("All that you do is saved as you do it. If the connection breaks, the session is paused; the same command brings you back to where you were."))
	}
	if l.opening {
		paragraph("… it is being opened")
	}
	if l.trouble != "" {
		paragraph(theme.Bad.Render("✗ " + frame.OneLine(l.trouble)))
	}
	return frame.Page{Title: "assay", Body: strings.TrimRight(b.String(), "\n"), Keys: []frame.Key{begin, frame.HelpKey, {Press: "q", Does: "leave"}}}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
