package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// leaving is the question whether to leave, with the state of unsaved work.
type leaving struct {
	yes  bool   // the answer was yes, before everything was saved
	put  string // the file that unsaved work was written to
	fail string // why it could not be written
}

type (
	// leftMsg is sent when the Leave of every screen is done.
	leftMsg struct{}
	// rescuedMsg reports whether unsaved work was written to a file.
	rescuedMsg struct {
		path string
		err  error
		quit bool
	}
)

// LeaveMsg ends the program without a question, after a signal or a lost terminal.
type LeaveMsg struct{}

// NoticeMsg shows a sentence below the screen.
type NoticeMsg struct{ Text string }

// askToLeave saves the work on the screen and asks whether to leave.
func (a *App) askToLeave() tea.Cmd {
	a.leaving, a.commands = &leaving{}, nil
	return a.top().Update(frame.SaveMsg{})
}

// departure combines the departures of all screens.
func (a *App) departure() frame.Departure {
	var all frame.Departure
	for _, s := range slices.Backward(a.stack) {
		if d, ok := s.(frame.Departer); ok {
			screen := d.Departure()
			all.Saving = all.Saving || screen.Saving
			all.Lost = append(all.Lost, screen.Lost...)
			all.Why = cmp.Or(all.Why, screen.Why)
			all.Means = strings.TrimSpace(all.Means + " " + screen.Means)
		}
	}
	return all
}

// leavingKey answers the question. Unsaved work is abandoned only by y.
func (a *App) leavingKey(press string) tea.Cmd {
	d := a.departure()
	if d.Saving && !a.leaving.yes { // pressed again, it does not wait
		if a.leaving.yes = press == "y" || press == "enter" || press == "ctrl+c"; !a.leaving.yes {
			a.leaving = nil
		}
		return nil
	}
	switch {
	case press == "y", len(d.Lost) == 0 && (press == "enter" || press == "ctrl+c"):
		a.forced = len(d.Lost) > 0
		return a.leave()
	case len(d.Lost) == 0:
		a.leaving = nil
	case press == "r":
		return a.top().Update(frame.SaveMsg{})
	case press == "w" && a.rescue != nil:
		return a.rescueWork(d, false)
	case press == "esc":
		a.leaving = nil
	}
	return nil
}

// leaveWhenSaved leaves after saving is done, if the answer was yes meanwhile.
func (a *App) leaveWhenSaved() tea.Cmd {
	if a.leaving == nil || !a.leaving.yes || a.ending {
		return nil
	}
	d := a.departure()
	if d.Saving {
		return nil
	}
	a.leaving.yes = false
	if len(d.Lost) > 0 {
		return nil // that has to be answered anew
	}
	return a.leave()
}

// leave ends the program after the Leave of every screen. If one fails, it asks again unless
// leaving is forced.
func (a *App) leave() tea.Cmd {
	a.ending = true
	var cmds []tea.Cmd
	for _, s := range slices.Backward(a.stack) {
		if l, ok := s.(frame.Leaver); ok {
			cmds = append(cmds, l.Leave())
		}
	}
	return tea.Sequence(append(cmds, func() tea.Msg { return leftMsg{} })...)
}

// left ends the program, or asks again if something could not be saved.
func (a *App) left() tea.Cmd {
	d := a.departure()
	if len(d.Lost) == 0 {
		return a.quit()
	}
	if !a.forced {
		a.ending, a.leaving = false, &leaving{}
		return nil
	}
	a.unsaved = fmt.Errorf("not saved: %s: %s", d.Losses(), frame.OneLine(d.Why))
	if a.leaving != nil && a.leaving.put != "" {
		a.unsaved = fmt.Errorf("%w. It was written to %s", a.unsaved, a.leaving.put)
		return a.quit()
	}
	if a.leaving == nil && a.rescue != nil { // nobody was asked
		return a.rescueWork(d, true)
	}
	return a.quit()
}

func (a *App) quit() tea.Cmd { return tea.Sequence(a.undirect(), tea.Quit) }

// Unsaved reports the work that could not be saved when the program ended, nil for none.
func (a *App) Unsaved() error { return a.unsaved }

// rescueWork writes unsaved work to a file.
func (a *App) rescueWork(d frame.Departure, quit bool) tea.Cmd {
	var b strings.Builder
	for _, l := range d.Lost {
		if l.Text != "" {
			fmt.Fprintf(&b, "%s\n\n%s\n\n", l.What, l.Text)
		}
	}
	text, rescue := b.String(), a.rescue
	if text == "" {
		if quit {
			return a.quit()
		}
		return nil
	}
	return func() tea.Msg {
		path, err := rescue("unsaved", text)
		return rescuedMsg{path, err, quit}
	}
}

// rescued tells where unsaved work was written.
func (a *App) rescued(msg rescuedMsg) tea.Cmd {
	if msg.quit {
		if msg.err == nil {
			a.unsaved = fmt.Errorf("%w. It was written to %s", a.unsaved, msg.path)
		}
		return a.quit()
	}
	if a.leaving != nil {
		a.leaving.put, a.leaving.fail = msg.path, ""
		if msg.err != nil {
			a.leaving.fail = msg.err.Error()
		}
	}
	return nil
}

// leavingPage draws the question over a page.
func (a *App) leavingPage(p frame.Page) frame.Page {
	d, body := a.departure(), a.size.Body()
	p.Scope, p.Status, p.Seen, p.Cursor = frame.ScopeEverywhere, "", "", nil
	p.Keys = []frame.Key{{Press: "y", Does: "leave"}, {Press: "esc", Does: "stay"}}
	paragraph := func(text string) string {
		return frame.Indent(frame.Wrap(text, min(body.Width, 100)-6), "   ") + "\n\n"
	}
	text := "\n" + paragraph(a.theme.Strong.Render("Leave assay?"))
	text += paragraph(a.leavingState(d))
	switch {
	case d.Saving, a.ending:
	case len(d.Lost) > 0:
		text += a.lossText(d, paragraph)
		p.Keys = []frame.Key{{Press: "r", Does: "try again"}, {Press: "y", Does: "leave without it"}, {Press: "esc", Does: "stay"}}
		if a.rescue != nil {
			p.Keys = slices.Insert(p.Keys, 1, frame.Key{Press: "w", Does: "write it to a file"})
		}
	}
	p.Body = text
	return p
}

// leavingState tells whether all work is saved.
func (a *App) leavingState(d frame.Departure) string {
	switch {
	case d.Saving, a.ending:
		return "… saving"
	case len(d.Lost) == 0:
		return strings.TrimSpace("Everything is saved. " + d.Means)
	}
	return a.theme.Bad.Render("✗ Not saved: " + d.Losses() + ".")
}

// lossText tells why work is not saved, and where it was written instead.
func (a *App) lossText(d frame.Departure, paragraph func(string) string) string {
	text := paragraph(frame.OneLine(d.Why))
	switch l := a.leaving; {
	case l.put != "":
		text += paragraph("✓ It was written to " + l.put)
	case l.fail != "":
		text += paragraph(a.theme.Bad.Render("✗ " + l.fail))
	}
	return text
}
