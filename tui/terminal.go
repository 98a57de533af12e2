package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
	"assay/tui/settings"
)

// terminal is what is known of the terminal besides its size and colours.
type terminal struct {
	blurred bool   // its window has no focus
	news    string // what arrived meanwhile
	ascii   bool   // its locale is not UTF-8
	rxvt    bool   // it takes notifications as rxvt does
}

// learn takes what the environment of the program says, which is a guest's over SSH.
func (t *terminal) learn(getenv func(string) string) {
	t.ascii = frame.NeedsASCII(getenv)
	name := getenv("TERM")
	t.rxvt = strings.HasPrefix(name, "rxvt") || strings.HasPrefix(name, "foot") || getenv("VTE_VERSION") != ""
}

// ascii reports whether everything is written in ASCII.
func (a *App) ascii() bool {
	return a.settings.Glyphs == settings.GlyphsASCII || a.settings.Glyphs == settings.Auto && a.terminal.ascii
}

// windowTitle says what stands in the window, and what arrived while it had no focus.
func (a *App) windowTitle(p frame.Page) string {
	parts := []string{"assay"}
	for _, part := range []string{p.Window, a.terminal.news} {
		if part = frame.OneLine(part); part != "" {
			parts = append(parts, part)
		}
	}
	if a.terminal.news != "" {
		parts[0] = "✓ assay"
	}
	title := strings.Join(parts, " · ")
	if a.ascii() {
		return frame.ASCII(title)
	}
	return title
}

// notify tells somebody who looks at another window what has arrived: in the title, by the
// bell, and by a notification where the terminal has them.
func (a *App) notify(msg frame.NotifyMsg) tea.Cmd {
	if !a.terminal.blurred {
		return nil
	}
	a.terminal.news = msg.What
	// Screens only hand in words of assay's own; nothing else may end the sequence.
	text := strings.ReplaceAll(frame.ASCII(frame.OneLine(msg.What)), ";", ",")
	osc9, osc777 := ansi.Notify("assay: "+text), ansi.URxvtExt("notify", "assay", text)
	const bell = "\x07"
	switch a.settings.Notify {
	case settings.NotifyOff:
		return nil
	case settings.NotifyBell:
		return tea.Raw(bell)
	case settings.NotifyOSC9:
		return tea.Raw(osc9 + bell)
	case settings.NotifyOSC777:
		return tea.Raw(osc777 + bell)
	}
	if a.terminal.rxvt {
		return tea.Raw(osc777 + bell)
	}
	return tea.Raw(osc9 + bell)
}
