package tui_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
	"assay/tui/tuitest"
)

// driver is tuitest's driver with the words of the tests of the whole program.
type driver struct{ *tuitest.Driver }

func drive(t testing.TB, first frame.Screen, width, height int) *driver {
	t.Helper()
	return &driver{tuitest.Drive(t, first, width, height)}
}

func (d *driver) send(msg tea.Msg) { d.Send(msg) }
func (d *driver) screen() string   { return d.Screen() }
func (d *driver) run(cmd tea.Cmd)  { d.Run(cmd) }

func (d *driver) press(keys ...string) *driver {
	d.Press(keys...)
	return d
}

func (d *driver) sees(texts ...string) *driver {
	d.T.Helper()
	d.Sees(texts...)
	return d
}

func (d *driver) until(what string, reached func(screen string) bool) *driver {
	d.T.Helper()
	d.Until(what, reached)
	return d
}

func (d *driver) ends() {
	d.T.Helper()
	d.Ends()
}
