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

// lobby is a guest's first screen: what there is for them to do in the study, and to rate.
type lobby struct {
	desk    Desk // nil: they are no tester
	forms   []*Form
	known   bool
	at      Standing
	filled  []filled // how far they are with each form
	trouble string
	opening string // what is being opened; "": nothing
}

// Lobby makes the first screen of a tester, of who has forms to fill in, or of both. The desk may be nil; forms are not.
func Lobby(desk Desk, forms ...*Form) frame.Screen { return &lobby{desk: desk, forms: forms} }

type (
	standingMsg struct {
		at     Standing
		filled []filled
		err    error
	}
	nextMsg struct {
		eng *engine.Engine
		err error
	}
	formMsg struct {
		form frame.Screen
		err  error
	}
)

// Init asks where the guest is.
func (l *lobby) Init() tea.Cmd { return l.look() }

// Typing is false: every key is a command here.
func (l *lobby) Typing() bool { return false }

func (l *lobby) look() tea.Cmd {
	desk, forms := l.desk, l.forms
	return func() tea.Msg {
		var msg standingMsg
		for _, f := range forms {
			msg.filled = append(msg.filled, f.look())
		}
		if desk != nil {
			msg.at, msg.err = desk.Standing(context.Background())
		}
		return msg
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
		l.known, l.at, l.filled = true, msg.at, msg.filled
	case frame.ShownMsg:
		for _, f := range l.forms {
			f.closed()
		}
		return l.look()
	case nextMsg:
		l.opening = ""
		if msg.err != nil {
			l.trouble = msg.err.Error()
			return l.look()
		}
		return frame.Open(work.New(msg.eng, l.desk.Work()))
	case formMsg:
		l.opening = ""
		if msg.err != nil {
			l.trouble = msg.err.Error()
			return l.look()
		}
		return frame.Open(msg.form)
	case tea.KeyPressMsg:
		return l.pressed(msg.String())
	}
	return nil
}

func (l *lobby) pressed(press string) tea.Cmd {
	switch {
	case press == "q" || press == "esc":
		return frame.Back
	case l.opening != "":
		return nil
	case press == "enter" && l.desk != nil && l.cannot() == "":
		l.opening, l.trouble = "session", ""
		desk := l.desk
		return func() tea.Msg {
			eng, err := desk.Next(context.Background())
			return nextMsg{eng, err}
		}
	}
	for i, f := range l.forms {
		if (press == f.words.press || press == "enter" && l.desk == nil) && l.cannotFill(i) == "" {
			l.opening, l.trouble = "form", ""
			return func() tea.Msg {
				form, err := f.screen()
				return formMsg{form, err}
			}
		}
	}
	return nil
}

// unknown is why nothing can be done before it was looked.
const unknown = "it is not known yet where you are"

// cannot is why there is nothing to begin.
func (l *lobby) cannot() string {
	switch {
	case !l.known:
		return unknown
	case l.at.Closing != "":
		return l.at.Closing
	case l.at.Part > l.at.Parts:
		return "you have finished all sessions"
	}
	return ""
}

// cannotFill is why a form cannot be filled in.
func (l *lobby) cannotFill(i int) string {
	switch {
	case !l.known:
		return unknown
	case l.filled[i].impossible != "":
		return l.filled[i].impossible
	case l.desk != nil && l.at.Part <= l.at.Parts && l.at.Closing == "":
		return l.forms[i].words.first
	}
	return ""
}

// Page says where the guest is, and what comes next.
func (l *lobby) Page(size frame.Size, theme frame.Theme) frame.Page {
	var text []string
	width := max(20, size.Body().Width-6)
	say := func(paragraph string) { text = append(text, frame.Indent(frame.Wrap(paragraph, width), "   ")) }
	var keys []frame.Key
	if l.desk != nil {
		keys = append(keys, frame.Key{Press: "enter", Does: l.begins(), Why: l.cannot()})
	}
	for i, f := range l.forms {
		keys = append(keys, frame.Key{Press: f.words.press, Does: f.words.does, Why: l.cannotFill(i)})
	}
	switch {
	case !l.known && l.trouble == "":
		say(theme.Dim.Render("…"))
	case l.known:
		l.introduce(say, theme)
		if l.desk != nil {
			l.saySession(say, theme)
		}
		for i := range l.forms {
			l.sayForm(i, say, theme)
		}
		what := "the session is paused; "
		if l.desk == nil {
			what = ""
		}
		say(theme.Dim.Render("All that you do is saved as you do it. If the connection breaks, " + what + "the same command brings you back to where you were."))
	}
	if l.opening != "" {
		say("… the " + l.opening + " is being opened")
	}
	if l.trouble != "" {
		say(theme.Bad.Render(frame.Brief("✗ "+l.trouble, width, 3)))
	}
	keys = append(keys, frame.HelpKey, frame.Key{Press: "q", Does: "leave"})
	return frame.Page{Title: "assay", Body: "\n" + strings.Join(text, "\n\n"), Keys: keys}
}

// begins returns what the key of the session does.
func (l *lobby) begins() string {
	if l.at.Begun && l.cannot() == "" {
		return "go on"
	}
	return "begin"
}

// introduce says what is worked on, and as whom.
func (l *lobby) introduce(say func(string), theme frame.Theme) {
	what, who, does := l.at.Study, l.at.Tester, "work"
	if l.desk == nil {
		what, who, does = l.filled[0].what, l.forms[0].name, l.forms[0].words.does
	}
	say(theme.Strong.Render(frame.OneLine(what)))
	say("You " + does + " here as " + theme.Strong.Render(frame.OneLine(who)) + ".")
}

// saySession says which session comes next.
func (l *lobby) saySession(say func(string), theme frame.Theme) {
	press := theme.Press("", "enter")
	switch {
	case l.at.Part > l.at.Parts:
		say(theme.Good.Render("✓ ") + fmt.Sprintf("You have finished all %s. Thank you.", frame.Count(l.at.Parts, "session")))
	case l.at.Closing != "":
		say(theme.Warn.Render("– ") + frame.OneLine(l.at.Closing))
	case l.at.Begun:
		say(fmt.Sprintf("Session %d of %d is paused where you left it: %s goes on.", l.at.Part, l.at.Parts, press))
	default:
		say(fmt.Sprintf("Session %d of %d is next: %s begins it.", l.at.Part, l.at.Parts, press))
	}
}

// sayForm says how far a form is.
func (l *lobby) sayForm(i int, say func(string), theme frame.Theme) {
	words, at := l.forms[i].words, filled{}
	if l.known {
		at = l.filled[i]
	}
	press := theme.Press("", words.press)
	text := fmt.Sprintf("%s: %d of %s %s", words.title, at.done, frame.Count(at.all, words.thing), words.done)
	switch {
	case at.byGuest:
		say(theme.Good.Render("✓ ") + text + at.ended)
	case at.ended != "":
		say(theme.Warn.Render("– ") + text + frame.OneLine(at.ended))
	case at.impossible != "":
		say(theme.Warn.Render("– ") + text + frame.OneLine(": "+at.impossible))
	case l.cannotFill(i) != "":
		say(theme.Dim.Render("– ") + text + ": " + l.cannotFill(i) + ".")
	case at.done == at.all:
		say(theme.Good.Render("✓ ") + text + fmt.Sprintf(": %s goes back to them.", press))
	case at.begun:
		say(text + fmt.Sprintf(": %s goes on.", press))
	default:
		say(text + fmt.Sprintf(": %s begins.", press))
	}
}
