// Package tuitest drives screens in tests: it presses keys and reads what is shown, as a person
// would, and runs the program's commands itself, so that nothing depends on a terminal.
package tuitest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/tui"
	"assay/tui/frame"
)

// Driver is a program with a screen.
type Driver struct {
	T    testing.TB
	App  *tui.App
	Msgs chan tea.Msg  // what commands returned, to be given to the program
	Quit bool          // the program wants to end
	Raw  string        // what was sent to the terminal beside the screen
	End  chan struct{} // is closed when nothing more is delivered
}

// Patience is how long the driver waits for the screen to say something, and stillness how long it waits for a settled
// screen to which nothing happens. They are only ever used up by a test that fails.
const (
	Patience  = time.Minute
	stillness = 15 * time.Second
)

// New drives a program that was not begun. Whoever makes it closes End.
func New(t testing.TB, app *tui.App) *Driver {
	return &Driver{T: t, App: app, Msgs: make(chan tea.Msg, 1024), End: make(chan struct{})}
}

// Drive starts a program with a screen on a terminal of a size.
func Drive(t testing.TB, first frame.Screen, width, height int) *Driver {
	t.Helper()
	d := New(t, tui.New(first, false))
	t.Cleanup(func() { close(d.End) })
	d.Send(tea.WindowSizeMsg{Width: width, Height: height})
	d.Run(d.App.Init())
	return d
}

// Run carries out a command in the background.
func (d *Driver) Run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() { d.deliver(cmd()) }()
}

// deliver hands on what a command returned; batches and sequences are taken
// apart.
func (d *Driver) deliver(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
		return
	case tea.BatchMsg:
		for _, c := range msg {
			d.Run(c)
		}
		return
	}
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			if c, _ := v.Index(i).Interface().(tea.Cmd); c != nil {
				d.deliver(c())
			}
		}
		return
	}
	select {
	case d.Msgs <- msg:
	case <-d.End:
	}
}

// Send gives the program a message.
func (d *Driver) Send(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		d.Quit = true
		return
	}
	if raw, ok := msg.(tea.RawMsg); ok {
		if text := fmt.Sprint(raw.Msg); text != "\x1b[8l" && text != "\x1b[8h" { // these say who orders letters
			d.Raw += text
		}
		return
	}
	_, cmd := d.App.Update(msg)
	d.Run(cmd)
}

// Press types keys by name: "enter", "ctrl+s", "a". Every text of several
// letters that is no key name is typed letter by letter.
func (d *Driver) Press(keys ...string) *Driver {
	for _, name := range keys {
		if k, ok := NamedKeys[name]; ok {
			d.Send(k)
			continue
		}
		for _, r := range name {
			d.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return d
}

// NamedKeys are the keys that Press knows by name.
var NamedKeys = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "f1": {Code: tea.KeyF1}, "f2": {Code: tea.KeyF2}, "f3": {Code: tea.KeyF3}, "f10": {Code: tea.KeyF10}, "backspace": {Code: tea.KeyBackspace},
	"ctrl+s": {Code: 's', Mod: tea.ModCtrl}, "ctrl+l": {Code: 'l', Mod: tea.ModCtrl}, "ctrl+t": {Code: 't', Mod: tea.ModCtrl}, "ctrl+z": {Code: 'z', Mod: tea.ModCtrl},
	"ctrl+r": {Code: 'r', Mod: tea.ModCtrl}, "ctrl+x": {Code: 'x', Mod: tea.ModCtrl}, "ctrl+g": {Code: 'g', Mod: tea.ModCtrl}, "ctrl+v": {Code: 'v', Mod: tea.ModCtrl},
	"ctrl+space": {Code: tea.KeySpace, Mod: tea.ModCtrl}, "shift+left": {Code: tea.KeyLeft, Mod: tea.ModShift}, "delete": {Code: tea.KeyDelete},
	"f4": {Code: tea.KeyF4}, "f5": {Code: tea.KeyF5}, "f6": {Code: tea.KeyF6}, "f7": {Code: tea.KeyF7}, "f8": {Code: tea.KeyF8}, "f9": {Code: tea.KeyF9}, "f12": {Code: tea.KeyF12},
	"ctrl+p": {Code: 'p', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "pgup": {Code: tea.KeyPgUp},
	"pgdown": {Code: tea.KeyPgDown}, "space": {Code: tea.KeySpace, Text: " "},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+y": {Code: 'y', Mod: tea.ModCtrl}, "ctrl+o": {Code: 'o', Mod: tea.ModCtrl},
}

// Sees waits until every one of the texts is on the screen.
func (d *Driver) Sees(texts ...string) *Driver {
	d.T.Helper()
	return d.Until(strings.Join(texts, " and "), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	})
}

// Until waits for the screen to satisfy a condition.
func (d *Driver) Until(what string, reached func(screen string) bool) *Driver {
	d.T.Helper()
	deadline, still := time.NewTimer(Patience), time.NewTimer(stillness)
	defer deadline.Stop()
	defer still.Stop()
	for !reached(d.Screen()) {
		select {
		case msg := <-d.Msgs:
			d.Send(msg)
			still.Reset(stillness)
		case <-still.C:
			if d.App.Settled() {
				d.T.Fatalf("nothing happens any more, and the screen never showed %s; it shows\n%s", what, d.Screen())
			}
			still.Reset(stillness)
		case <-deadline.C:
			d.T.Fatalf("the screen never showed %s; it shows\n%s", what, d.Screen())
		}
	}
	return d
}

// Ends waits until the program wants to quit.
func (d *Driver) Ends() {
	d.T.Helper()
	d.Until("its end", func(string) bool { return d.Quit })
}

// Screen returns the text of the terminal without styles.
func (d *Driver) Screen() string { return ansi.Strip(d.App.View().Content) }

// sizes are those at which every screen is of use.
var sizes = []frame.Size{{Width: 80, Height: 24}, {Width: 80, Height: 23}, {Width: 60, Height: 20}, {Width: 120, Height: 40}}

// EverySize opens a screen at every size: it must fill the terminal and no more, and have the
// key for help in its last line. Then every key of its legend is pressed, and what is no key of
// it, a paste and a message of nobody are sent: the screen must go on.
func EverySize(t *testing.T, open func() frame.Screen) {
	t.Helper()
	for _, size := range sizes {
		d := Drive(t, open(), size.Width, size.Height)
		fits(t, d, size, "at first")
		if lines := strings.Split(d.Screen(), "\n"); !strings.Contains(lines[len(lines)-1], "keys") {
			t.Errorf("%v: no key for help in %q", size, lines[len(lines)-1])
		}
		for _, k := range d.App.Page().Keys {
			for _, own := range frame.Presses(k.Press) {
				again := Drive(t, open(), size.Width, size.Height)
				press, err := frame.KeyNamed(own)
				if err != nil {
					t.Errorf("%v: %v", size, err)
					continue
				}
				again.Send(press)
				fits(t, again, size, "after "+own)
			}
		}
		for _, msg := range []tea.Msg{tea.KeyPressMsg{Code: '~', Text: "~"}, tea.KeyPressMsg{Code: '字', Text: "字"}, tea.PasteMsg{Content: "\x1b[2Jpasted\n"}, struct{}{}} {
			d.Send(msg)
			fits(t, d, size, fmt.Sprintf("after %T", msg))
		}
	}
}

// fits checks that the screen has exactly the rows of the terminal, and none wider than it.
func fits(t *testing.T, d *Driver, size frame.Size, when string) {
	t.Helper()
	lines := strings.Split(d.Screen(), "\n")
	if len(lines) != size.Height {
		t.Errorf("%v %s: %d rows", size, when, len(lines))
	}
	for _, line := range lines {
		if frame.Width(line) > size.Width {
			t.Errorf("%v %s: %d columns: %q", size, when, frame.Width(line), line)
		}
	}
}
