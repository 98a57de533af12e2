package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
	"assay/tui/settings"
)

// change is a change of a setting.
type change struct {
	name  string
	value any
}

// writtenMsg reports whether a change was written.
type writtenMsg struct {
	change
	err error
}

// clockMsg is sent every minute.
type clockMsg struct{}

// set changes a setting at once and writes it.
func (a *App) set(name string, value any) tea.Cmd {
	var cmd tea.Cmd
	switch name {
	case "theme":
		a.settings.Theme = frame.ThemeName(fmt.Sprint(value))
	case "mouse":
		a.settings.Mouse = value == true
	case "clock":
		a.settings.Clock = value == true
		cmd = a.tick()
	case "progress":
		a.settings.Progress = value == true
	case "notify":
		a.settings.Notify = fmt.Sprint(value)
	case "glyphs":
		a.settings.Glyphs = fmt.Sprint(value)
	case "rtl":
		cmd = a.undirect()
		a.settings.RTL = fmt.Sprint(value)
		cmd = tea.Sequence(cmd, a.direct())
	}
	a.restyle()
	a.notice = fmt.Sprintf("%s = %v", name, value)
	if a.settings.Path != "" {
		a.unkept = append(a.unkept, change{name, value})
	}
	return tea.Batch(cmd, a.look(), a.keep())
}

// keep writes the next change, one at a time.
func (a *App) keep() tea.Cmd {
	if a.keeping || len(a.unkept) == 0 {
		return nil
	}
	a.keeping = true
	next, path := a.unkept[0], a.settings.Path
	a.unkept = a.unkept[1:]
	return func() tea.Msg { return writtenMsg{next, settings.Keep(path, next.name, next.value)} }
}

// written tells where a setting was written, or why it was not.
func (a *App) written(msg writtenMsg) tea.Cmd {
	a.keeping = false
	if msg.err != nil {
		a.trouble = msg.err.Error()
	} else if a.notice != "" {
		a.notice = fmt.Sprintf("%s = %v is kept in %s", msg.name, msg.value, a.settings.Path)
	}
	return a.keep()
}

// message returns the rows below the body with the result of a change.
func (a *App) message() []string {
	text, style := "✓ "+a.notice, a.theme.Dim
	switch {
	case a.trouble != "":
		text, style = "✗ "+a.trouble, a.theme.Bad
	case a.notice == "":
		return nil
	}
	return frame.Notice(text, style, a.size.Width, 2)
}

// tick waits for the next minute while the clock is shown.
func (a *App) tick() tea.Cmd {
	if !a.settings.Clock || a.ticking {
		return nil
	}
	a.ticking = true
	now := a.now()
	return tea.Tick(now.Truncate(time.Minute).Add(time.Minute).Sub(now), func(time.Time) tea.Msg { return clockMsg{} })
}
