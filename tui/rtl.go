package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
	"assay/tui/settings"
)

// The terminal is told that it is handed letters in the order in which they are read,
// or that putting them in order is left to it (ECMA-48's bidirectional support mode).
// Terminals that do not know the mode let it pass.
const explicit, implicit = "\x1b[8l", "\x1b[8h"

// direct tells the terminal that assay puts text in order, if it does.
func (a *App) direct() tea.Cmd {
	if a.settings.RTL == settings.RTLAssay {
		return tea.Raw(explicit)
	}
	return nil
}

// undirect leaves the terminal as it was.
func (a *App) undirect() tea.Cmd {
	if a.settings.RTL == settings.RTLAssay {
		return tea.Raw(implicit)
	}
	return nil
}

// ordered puts the lines of a screen that have Hebrew or Arabic in them in the order in
// which they are read, and the cursor where its letter went.
func (a *App) ordered(screen string, cursor *tea.Cursor) (string, *tea.Cursor) {
	if a.settings.RTL != settings.RTLAssay || !frame.HasRTL(screen) {
		return screen, cursor
	}
	lines := strings.Split(screen, "\n")
	for y, line := range lines {
		visual, column := frame.Visual(line)
		lines[y] = visual
		if cursor != nil && cursor.Y == y {
			cursor.X = column(cursor.X)
		}
	}
	return strings.Join(lines, "\n"), cursor
}
