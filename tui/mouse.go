package tui

import (
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// pointed hands on what the mouse does: to what lies over the screen, to the keys in the
// footer, which a click presses, or to the screen, by its place in the body.
func (a *App) pointed(msg tea.MouseMsg) tea.Cmd {
	if !a.settings.Mouse || a.size.TooSmall() {
		return nil
	}
	at := msg.Mouse()
	click, clicked := msg.(tea.MouseClickMsg)
	clicked = clicked && click.Button == tea.MouseLeft
	if clicked && at.Y == a.size.Height-1 {
		name := frame.KeyAt(a.shown(), at.X, a.size.Width)
		if press, err := frame.KeyNamed(name); err == nil {
			return a.pressed(press)
		}
		return nil
	}
	y := at.Y - frame.BodyTop
	switch {
	case a.leaving != nil:
		return nil // it has keys of its own, in the footer
	case a.commands != nil:
		return a.pointCommands(msg, y)
	case y < 0 || y >= a.size.Body().Height:
		return nil
	}
	if p, ok := a.top().(frame.Pointer); ok {
		return p.Mouse(msg, at.X, y)
	}
	if wheel, ok := msg.(tea.MouseWheelMsg); ok && !a.top().Typing() {
		if press, ok := frame.WheelKey(wheel); ok {
			return a.hand(press.String())
		}
	}
	return nil
}

// pointCommands chooses in the list of keys; a click on the chosen one does it.
func (a *App) pointCommands(msg tea.MouseMsg, y int) tea.Cmd {
	c := a.commands
	c.refused = ""
	defer a.restyle()
	if wheel, ok := msg.(tea.MouseWheelMsg); ok {
		if press, ok := frame.WheelKey(wheel); ok {
			c.move(press.String())
		}
		return nil
	}
	was, chosen := c.shown.Row(), c.chosen
	c.chosen = true
	cmd := c.shown.Mouse(msg, y, func() tea.Cmd {
		if _, ok := c.choice(); !ok {
			return nil
		}
		return a.doCommand()
	})
	if row, ok := c.shown.Chosen(); ok && row.heading() { // stays what was chosen
		c.shown.Choose(was)
		c.chosen = chosen
	}
	return cmd
}
