package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"assay/tui/frame"
	"assay/tui/settings"
)

// command is an entry of the list of commands.
type command struct {
	does  string
	press string // the tester's key for it, as it is shown; empty where there is none
	why   string // why it cannot be done now
	run   func() tea.Cmd
	theme frame.ThemeName // the theme that it sets, "" for none
}

// commands is the list of everything that can be done now: the keys of the top screen, and what is
// the same everywhere. Typing narrows it. The screen below only gets the chosen key.
type commands struct {
	line    textinput.Model
	all     []command
	shown   frame.List[command] // the matches, best first
	refused string              // why the chosen command cannot be done
}

func newCommands(all []command) *commands {
	c := &commands{line: frame.NewLine(100), all: all}
	c.narrow()
	return c
}

// narrow lists the commands that match the typed text.
func (c *commands) narrow() {
	shown := c.all
	if text := strings.TrimSpace(c.line.Value()); text != "" {
		shown = nil
		names := make([]string, len(c.all))
		for i, command := range c.all {
			names[i] = command.does
		}
		for _, match := range fuzzy.Find(text, names) {
			shown = append(shown, c.all[match.Index])
		}
	}
	c.shown.Set(shown)
	c.shown.Choose(0)
}

// typed passes a key or a paste to the line.
func (c *commands) typed(msg tea.Msg) tea.Cmd {
	was := c.line.Value()
	var cmd tea.Cmd
	c.line, cmd = c.line.Update(msg)
	if c.line.Value() != was {
		c.narrow()
	}
	return cmd
}

// preview returns the theme that the chosen command sets, "" for none.
func (c *commands) preview() frame.ThemeName {
	if c != nil {
		if chosen, ok := c.shown.Chosen(); ok {
			return chosen.theme
		}
	}
	return ""
}

// commandsHead is the height of the line and the rule above the commands.
const commandsHead = 2

// view draws the list and returns the cursor.
func (c *commands) view(size frame.Size, theme frame.Theme) (string, *tea.Cursor) {
	line, cursor := frame.Field(" do ", &c.line, true, 0, size.Width, theme)
	rows := []string{line, frame.Rule(fmt.Sprintf("%d of %d", c.shown.Len(), len(c.all)), size.Width, theme)}
	if c.shown.Len() == 0 {
		rows = append(rows, "   "+theme.Dim.Render("There is no such command here."))
	}
	rows = append(rows, c.shown.Draw(commandsHead, size.Height-commandsHead-1, func(of command, chosen bool) string {
		return c.rowText(of, chosen, size.Width, theme)
	})...)
	rows = frame.Fit(strings.Join(rows, "\n"), frame.Size{Width: size.Width, Height: size.Height - 1})
	last := ""
	if c.refused != "" {
		last = " " + theme.Warn.Render("– "+c.refused)
	}
	return strings.Join(append(rows, last), "\n"), cursor
}

func (c *commands) rowText(of command, chosen bool, width int, theme frame.Theme) string {
	name, press := of.does, ""
	if of.press != "" {
		press = theme.Accent.Render(of.press)
	}
	if of.why != "" {
		name, press = theme.Dim.Render(of.does+": not now, "+of.why), theme.Dim.Render(of.press)
	}
	return theme.Item(frame.Spread(frame.Cell(name, max(0, width-frame.Width(of.press)-6)), press+"  ", width-3), chosen, width)
}

// openCommands opens the list over the screen.
func (a *App) openCommands() tea.Cmd {
	a.commands = newCommands(a.possible())
	return a.commands.line.Focus()
}

func (a *App) commandKey(msg tea.KeyPressMsg) tea.Cmd {
	c := a.commands
	c.refused = ""
	defer a.restyle() // in the chosen theme
	switch press := msg.String(); press {
	case "esc", "ctrl+p":
		a.commands = nil
	case "up", "down", "pgup", "pgdown":
		c.shown.Move(press)
	case "enter":
		return a.doCommand()
	default:
		return c.typed(msg)
	}
	return nil
}

// doCommand does the chosen command, or tells why it cannot.
func (a *App) doCommand() tea.Cmd {
	c := a.commands
	chosen, ok := c.shown.Chosen()
	if !ok {
		return nil
	}
	if chosen.why != "" {
		c.refused = "not now: " + chosen.why
		return nil
	}
	a.commands = nil
	return chosen.run()
}

// possible lists what can be done now: the actions of the screen, those that are the same
// everywhere, then motions.
func (a *App) possible() []command {
	p, typing := a.Page(), a.top().Typing()
	var list, motions []command
	for _, k := range p.Keys {
		if k.Help || k.Press == frame.CommandsKey.Press {
			continue
		}
		presses := frame.Presses(k.Press)
		each := k.Each
		if parts := strings.Split(k.Does, ", "); each == nil && len(parts) == len(presses) && k.Press[0] > '9' { // of numbers all do the same
			each = parts
		}
		for i, own := range presses {
			c := command{does: k.Does, press: frame.ShownKey(a.theme.Keys.Wanted(p.Scope, typing, own)), why: k.Why, run: func() tea.Cmd { return a.hand(own) }}
			if len(presses) > 1 {
				if i < len(each) {
					c.does = each[i]
				} else {
					c.does += " " + frame.ShownKey(own) // which of them
				}
				if _, motion := frame.Move(own, 0, 1, 1); motion {
					motions = append(motions, c)
					continue
				}
			}
			list = append(list, c)
		}
	}
	return append(append(list, a.everywhere(p.Scope, typing)...), motions...)
}

// everywhere lists the actions of every screen.
func (a *App) everywhere(scope frame.Scope, typing bool) []command {
	help := frame.HelpKeyTyping.Press
	list := []command{{does: "show all keys of this screen", press: frame.ShownKey(a.theme.Keys.Wanted(scope, typing, help)), run: func() tea.Cmd {
		return func() tea.Msg { return frame.HelpMsg{} }
	}}}
	option := func(does string, now bool, name string, value any) {
		mark := ""
		if now {
			mark = "✓ now"
		}
		list = append(list, command{does: does, press: mark, run: func() tea.Cmd { return a.set(name, value) }})
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
	return append(list, command{does: "leave assay", press: "ctrl+c", run: a.askToLeave})
}
