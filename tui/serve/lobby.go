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
	desk    Desk   // nil: they are no tester
	rater   *Rater // nil: they are no rater
	known   bool
	at      Standing
	rated   rated
	trouble string
	opening string // what is being opened; "": nothing
}

// Lobby makes the first screen of a tester, of a rater, or of who is both. One of them may
// be nil.
func Lobby(desk Desk, rater *Rater) frame.Screen { return &lobby{desk: desk, rater: rater} }

type (
	standingMsg struct {
		at    Standing
		rated rated
		err   error
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
	desk, rater := l.desk, l.rater
	return func() tea.Msg {
		var msg standingMsg
		if rater != nil {
			msg.rated = rater.look()
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
		l.known, l.at, l.rated = true, msg.at, msg.rated
	case frame.ShownMsg:
		if l.rater != nil {
			l.rater.closed()
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
	case (press == "r" || press == "enter" && l.desk == nil) && l.rater != nil && l.cannotRate() == "":
		l.opening, l.trouble = "form", ""
		rater := l.rater
		return func() tea.Msg {
			form, err := rater.screen()
			return formMsg{form, err}
		}
	}
	return nil
}

// unknown is why nothing can be done before it was looked.
const unknown = "it is not known yet where you are"

// sessionsFirst is why a tester cannot rate yet.
const sessionsFirst = "finish your sessions first: among the answers are some of tasks that are ahead of you"

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

// cannotRate is why there is nothing to rate.
func (l *lobby) cannotRate() string {
	switch {
	case !l.known:
		return unknown
	case l.rated.impossible != "":
		return l.rated.impossible
	case l.desk != nil && l.at.Part <= l.at.Parts && l.at.Closing == "":
		return sessionsFirst
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
	if l.rater != nil {
		keys = append(keys, frame.Key{Press: "r", Does: "rate", Why: l.cannotRate()})
	}
	switch {
	case !l.known && l.trouble == "":
		say(theme.Dim.Render("…"))
	case l.known:
		l.introduce(say, theme)
		if l.desk != nil {
			l.saySession(say, theme)
		}
		if l.rater != nil {
			l.sayRatings(say, theme)
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
		what, who, does = l.rated.what, l.rater.name, "rate"
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

// sayRatings says how far the rating is.
func (l *lobby) sayRatings(say func(string), theme frame.Theme) {
	press := theme.Press("", "r")
	text := fmt.Sprintf("Ratings: %d of %s rated", l.rated.done, frame.Count(l.rated.all, "answer"))
	switch {
	case l.rated.closed != "":
		say(theme.Warn.Render("– ") + text + frame.OneLine("; closed "+l.rated.closed+": nothing is rated any more. Thank you."))
	case l.rated.impossible != "":
		say(theme.Warn.Render("– ") + text + frame.OneLine(": "+l.rated.impossible))
	case l.cannotRate() != "":
		say(theme.Dim.Render("– ") + text + ": " + l.cannotRate() + ".")
	case l.rated.done == l.rated.all:
		say(theme.Good.Render("✓ ") + text + fmt.Sprintf(": %s goes back to them.", press))
	case l.rated.begun:
		say(text + fmt.Sprintf(": %s goes on.", press))
	default:
		say(text + fmt.Sprintf(": %s begins.", press))
	}
}
