package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"assay/tui/frame"
	"assay/tui/settings"
)

// command is a row of the list of keys: a key and what it does, or the heading of a group.
type command struct {
	press string // the tester's keys, as legends show them; empty for headings and settings
	does  string
	also  string          // other keys for the same, or what a setting is now
	why   string          // why it cannot be done now
	run   func() tea.Cmd  // nil for headings, and for several keys in one row, which are pressed on the screen itself
	theme frame.ThemeName // the theme that it sets, "" for none
}

// heading reports whether a row is the heading of a group.
func (c command) heading() bool { return c.press == "" && c.run == nil }

// commands is the list of everything that can be done now: the keys of the top screen, those that move, and what is
// the same everywhere. Typing narrows it. The screen below only gets the chosen key.
type commands struct {
	line    textinput.Model
	all     []command
	shown   frame.List[command] // the matches, best first
	chosen  bool                // a row was chosen: enter does it
	refused string              // why the chosen command cannot be done
}

// narrow lists the commands that match the typed text, without headings; all if none is typed.
func (c *commands) narrow() {
	shown, text := c.all, strings.TrimSpace(c.line.Value())
	if text != "" {
		rows := slices.DeleteFunc(slices.Clone(c.all), command.heading)
		names := make([]string, len(rows))
		for i, row := range rows {
			names[i] = row.does + " " + row.press + " " + row.also
		}
		shown = nil
		for _, match := range fuzzy.Find(text, names) {
			shown = append(shown, rows[match.Index])
		}
	}
	c.shown.Set(shown)
	c.shown.Choose(0)
	c.chosen = text != ""
}

// typed passes a key or a paste to the line.
func (c *commands) typed(msg tea.Msg) tea.Cmd {
	was := c.line.Value()
	var cmd tea.Cmd
	if c.line, cmd = c.line.Update(msg); c.line.Value() != was {
		c.narrow()
	}
	return cmd
}

// move chooses another row, never a heading. The first key that moves chooses the first row.
func (c *commands) move(press string) {
	if !c.chosen {
		press = "home"
	}
	c.chosen = true
	c.shown.Move(press)
	if row, ok := c.shown.Chosen(); ok && row.heading() {
		at := c.shown.Row()
		if c.shown.Choose(at + 1); (press == "up" || press == "pgup") && at > 0 {
			c.shown.Choose(at - 1)
		}
	}
}

// choice returns the chosen row; ok is false if none was chosen.
func (c *commands) choice() (row command, ok bool) {
	row, ok = c.shown.Chosen()
	return row, ok && c.chosen && !row.heading()
}

// preview returns the theme that the chosen command sets, "" for none.
func (c *commands) preview() frame.ThemeName {
	if c == nil {
		return ""
	}
	row, _ := c.choice()
	return row.theme
}

// commandsHead is the height of the line and the rule above the commands.
const commandsHead = 2

// cover draws the list over a page.
func (c *commands) cover(p frame.Page, size frame.Size, theme frame.Theme) frame.Page {
	line, cursor := frame.Field(" find ", &c.line, true, 0, size.Width, theme)
	found, wide := 0, 0
	for _, row := range c.shown.Rows() {
		if wide = max(wide, frame.Width(row.press)); !row.heading() {
			found++
		}
	}
	note := ""
	if c.line.Value() != "" {
		note = fmt.Sprintf("%d found", found)
	}
	rows := []string{line, frame.Rule(note, size.Width, theme)}
	if found == 0 {
		rows = append(rows, "   "+theme.Dim.Render("There is no such command here."))
	}
	row, ok := c.choice()
	rows = append(rows, c.shown.Draw(commandsHead, size.Height-commandsHead-1, func(of command, chosen bool) string {
		return of.row(chosen && ok, wide, size.Width, theme)
	})...)
	rows = frame.Fit(strings.Join(rows, "\n"), frame.Size{Width: size.Width, Height: size.Height - 1})
	last := c.refused
	if last == "" && row.why != "" {
		last = "not now: " + row.why
	}
	if last != "" {
		last = " " + theme.Warn.Render("– "+last)
	}
	p.Body, p.Cursor, p.Seen, p.Status = strings.Join(append(rows, last), "\n"), cursor, c.shown.Seen(), ""
	p.Scope, p.Keys = frame.ScopeEverywhere, []frame.Key{{Press: "↑↓", Does: "choose"}, {Press: "enter", Does: "do it"}, {Press: "esc", Does: "close"}}
	return p
}

// row draws a row with its keys in a column of a width.
func (c command) row(chosen bool, wide, width int, theme frame.Theme) string {
	if c.heading() {
		return "  " + theme.Dim.Render(c.does)
	}
	press, does, also := theme.Accent.Render(frame.Cell(c.press, wide)), c.does, c.also
	if c.why != "" {
		press, does, also = theme.Dim.Render(frame.Cell(c.press, wide)), theme.Dim.Render(c.does), "not now: "+c.why
	}
	if also != "" {
		also = "  " + theme.Dim.Render(also)
	}
	return theme.Item(frame.Cut(press+"  "+does+also, width-4), chosen, width)
}

// openCommands opens the list over the screen.
func (a *App) openCommands() tea.Cmd {
	a.commands = &commands{line: frame.NewLine(100), all: a.possible()}
	a.commands.line.Placeholder = "type to narrow"
	a.commands.narrow()
	return a.commands.line.Focus()
}

func (a *App) commandKey(msg tea.KeyPressMsg) tea.Cmd {
	c := a.commands
	c.refused = ""
	defer a.restyle() // in the chosen theme
	switch press := msg.String(); press {
	case "esc", "ctrl+p", frame.HelpKey.Press:
		a.commands = nil
	case "?": // closes what it opened
		if c.line.Value() != "" {
			return c.typed(msg)
		}
		a.commands = nil
	case "up", "down", "pgup", "pgdown":
		c.move(press)
	case "enter":
		return a.doCommand()
	default:
		return c.typed(msg)
	}
	return nil
}

// doCommand does the chosen command, or tells why it cannot; it closes the list where none was chosen.
func (a *App) doCommand() tea.Cmd {
	c := a.commands
	row, ok := c.choice()
	switch {
	case !ok && c.shown.Len() == 0:
		return nil
	case !ok:
		a.commands = nil
		return nil
	case row.why != "":
		return nil // the last row tells why
	case row.run == nil:
		c.refused = "press " + row.press + " on the screen itself"
		return nil
	}
	a.commands = nil
	return row.run()
}

// possible lists what can be done now: the actions of the screen, its motions, and those that are the same everywhere.
func (a *App) possible() []command {
	p, typing := a.Page(), a.top().Typing()
	list, motions := []command{{does: "This screen"}}, []command{{does: "Moving"}}
	for _, k := range p.Keys {
		if k.Help {
			continue
		}
		also := ""
		if k.Also != "" {
			also = "also " + a.theme.Keys.Legend(p.Scope, typing, k.Also)
		}
		presses := frame.Presses(k.Press)
		row := command{press: a.theme.Keys.Legend(p.Scope, typing, k.Press), does: k.Does, also: also, why: k.Why}
		each := k.Each
		if parts := strings.Split(k.Does, ", "); each == nil && k.Press[0] > '9' { // of numbers all do the same
			each = parts
		}
		switch {
		case len(presses) == 1:
			row.run = func() tea.Cmd { return a.hand(presses[0]) }
			list = append(list, row)
		case slices.ContainsFunc(presses, func(own string) bool { _, moves := frame.Move(own, 0, 1, 1); return moves }):
			motions = append(motions, row)
		case len(each) != len(presses):
			list = append(list, row)
		default:
			for i, own := range presses {
				list = append(list, command{press: frame.ShownKey(a.theme.Keys.Wanted(p.Scope, typing, own)), does: each[i], also: also, why: k.Why,
					run: func() tea.Cmd { return a.hand(own) }})
				also = ""
			}
		}
	}
	if len(motions) > 1 {
		list = append(list, motions...)
	}
	return append(list, a.everywhere(p.Scope, typing)...)
}

// everywhere lists the actions of every screen.
func (a *App) everywhere(scope frame.Scope, typing bool) []command {
	key := func(own string) string { return frame.ShownKey(a.theme.Keys.Wanted(scope, typing, own)) }
	list := []command{{does: "Everywhere"}, {press: "ctrl+c", does: "leave assay", also: "everything is saved", run: a.askToLeave},
		{press: key(frame.HelpKey.Press), does: "this list", also: "also " + key("ctrl+p") + ", and " + key("?") + " where no text is typed", run: func() tea.Cmd { return nil }}}
	option := func(does string, now bool, name string, value any) {
		mark := ""
		if now {
			mark = "✓ now"
		}
		list = append(list, command{does: does, also: mark, run: func() tea.Cmd { return a.set(name, value) }})
	}
	for _, n := range frame.ThemeNames() {
		option("theme: "+strings.ReplaceAll(string(n), "-", " "), a.settings.Theme == n, "theme", string(n))
		list[len(list)-1].theme = n
	}
	option("mouse: on, a click chooses", a.settings.Mouse, "mouse", true)
	option("mouse: off, the terminal selects text", !a.settings.Mouse, "mouse", false)
	option("clock: on", a.settings.Clock, "clock", true)
	option("clock: off", !a.settings.Clock, "clock", false)
	option("progress of the session: shown", a.settings.Progress, "progress", true)
	option("progress of the session: hidden", !a.settings.Progress, "progress", false)
	option("notifications: on, while another window has the focus", a.settings.Notify != settings.NotifyOff, "notify", settings.Auto)
	option("notifications: off", a.settings.Notify == settings.NotifyOff, "notify", settings.NotifyOff)
	option("glyphs: as the locale says", a.settings.Glyphs == settings.Auto, "glyphs", settings.Auto)
	option("glyphs: ASCII only", a.settings.Glyphs == settings.GlyphsASCII, "glyphs", settings.GlyphsASCII)
	option("right to left: put in order by assay", a.settings.RTL == settings.RTLAssay, "rtl", settings.RTLAssay)
	option("right to left: put in order by the terminal", a.settings.RTL == settings.RTLTerminal, "rtl", settings.RTLTerminal)
	return list
}
