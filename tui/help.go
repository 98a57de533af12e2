package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// help is the list of the keys of the top screen, over it. Typing narrows it.
type help struct {
	line textinput.Model
	rows frame.Window
}

// openHelp opens the list over the screen.
func (a *App) openHelp() tea.Cmd {
	a.help = &help{line: frame.NewLine(100)}
	a.help.line.Placeholder = "type to narrow"
	return a.help.line.Focus()
}

// helpKey scrolls the list, narrows it or closes it.
func (a *App) helpKey(msg tea.KeyPressMsg) tea.Cmd {
	h := a.help
	switch press := msg.String(); press {
	case "up", "down", "pgup", "pgdown":
		h.rows.Move(press)
	case "esc", "enter", "f1", "?":
		if a.help = nil; press == "esc" && h.line.Value() != "" {
			return a.openHelp() // with all keys
		}
	default:
		return h.typed(msg)
	}
	return nil
}

// typed passes a key or a paste to the line.
func (h *help) typed(msg tea.Msg) (cmd tea.Cmd) {
	was := h.line.Value()
	if h.line, cmd = h.line.Update(msg); h.line.Value() != was {
		h.rows.To(0)
	}
	return cmd
}

// cover draws the list over a page, whose keys are the tester's.
func (h *help) cover(p frame.Page, size frame.Size, theme frame.Theme) frame.Page {
	rows, found, all := frame.HelpRows(p, h.line.Value(), size.Width, theme)
	if len(rows) == 0 {
		rows = []string{"   " + theme.Dim.Render("No key here does that.")}
	}
	rows = h.rows.Of(rows, size.Height-commandsHead)
	p.Seen = h.rows.Seen()
	head, cursor := frame.Field(" keys ", &h.line, true, 0, size.Width, theme)
	rule := frame.Rule(fmt.Sprintf("%d of %d", found, all), size.Width, theme)
	p.Body, p.Status, p.Cursor = strings.Join(append([]string{head, rule}, rows...), "\n"), "", cursor
	p.Scope, p.Keys = frame.ScopeEverywhere, []frame.Key{{Press: "esc", Does: "closes this"}}
	if h.line.Value() != "" {
		p.Keys[0].Does = "shows all keys"
	}
	if h.rows.Below() > 0 {
		p.Keys = append([]frame.Key{{Press: "↑↓", Does: "scroll"}}, p.Keys...)
	}
	return p
}
