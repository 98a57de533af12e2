package tui_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/tui"
	"assay/tui/frame"
)

// driver presses keys and reads the screen, as a person would. It runs the
// program's commands itself, so that nothing depends on a terminal.
type driver struct {
	t    testing.TB
	app  *tui.App
	msgs chan tea.Msg
	quit bool
	raw  string // what was sent to the terminal beside the screen
	end  chan struct{}
}

// patience is how long the driver waits for the screen to say something. It is
// only ever used up by a test that fails.
const patience = 10 * time.Second

func drive(t testing.TB, first frame.Screen, width, height int) *driver {
	t.Helper()
	d := &driver{t: t, app: tui.New(first, false), msgs: make(chan tea.Msg, 1024), end: make(chan struct{})}
	t.Cleanup(func() { close(d.end) })
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	d.run(d.app.Init())
	return d
}

// run carries out a command in the background.
func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() { d.deliver(cmd()) }()
}

// deliver hands on what a command returned; batches and sequences are taken
// apart.
func (d *driver) deliver(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
		return
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
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
	case d.msgs <- msg:
	case <-d.end:
	}
}

// send gives the program a message.
func (d *driver) send(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		d.quit = true
		return
	}
	if raw, ok := msg.(tea.RawMsg); ok {
		if text := fmt.Sprint(raw.Msg); text != "\x1b[8l" && text != "\x1b[8h" { // who orders letters
			d.raw += text
		}
		return
	}
	_, cmd := d.app.Update(msg)
	d.run(cmd)
}

// press types keys by name: "enter", "ctrl+s", "a". Every text of several
// letters that is no key name is typed letter by letter.
func (d *driver) press(keys ...string) *driver {
	for _, name := range keys {
		if k, ok := namedKeys[name]; ok {
			d.send(k)
			continue
		}
		for _, r := range name {
			d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return d
}

var namedKeys = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "f1": {Code: tea.KeyF1}, "f2": {Code: tea.KeyF2}, "f3": {Code: tea.KeyF3}, "f10": {Code: tea.KeyF10}, "backspace": {Code: tea.KeyBackspace},
	"ctrl+s": {Code: 's', Mod: tea.ModCtrl}, "ctrl+t": {Code: 't', Mod: tea.ModCtrl}, "ctrl+z": {Code: 'z', Mod: tea.ModCtrl},
	"ctrl+r": {Code: 'r', Mod: tea.ModCtrl}, "ctrl+x": {Code: 'x', Mod: tea.ModCtrl}, "ctrl+g": {Code: 'g', Mod: tea.ModCtrl}, "ctrl+v": {Code: 'v', Mod: tea.ModCtrl},
	"ctrl+space": {Code: tea.KeySpace, Mod: tea.ModCtrl}, "shift+left": {Code: tea.KeyLeft, Mod: tea.ModShift}, "delete": {Code: tea.KeyDelete},
	"f4": {Code: tea.KeyF4}, "f5": {Code: tea.KeyF5}, "f6": {Code: tea.KeyF6}, "f7": {Code: tea.KeyF7}, "f8": {Code: tea.KeyF8}, "f9": {Code: tea.KeyF9}, "f12": {Code: tea.KeyF12},
	"ctrl+p": {Code: 'p', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "pgup": {Code: tea.KeyPgUp},
	"pgdown": {Code: tea.KeyPgDown}, "space": {Code: tea.KeySpace, Text: " "},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+y": {Code: 'y', Mod: tea.ModCtrl}, "ctrl+o": {Code: 'o', Mod: tea.ModCtrl},
}

// sees waits until every one of the texts is on the screen.
func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	return d.until(strings.Join(texts, " and "), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// until waits for the screen to satisfy a condition.
func (d *driver) until(what string, reached func(screen string) bool) *driver {
	d.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for !reached(d.screen()) {
		select {
		case msg := <-d.msgs:
			d.send(msg)
		case <-deadline.C:
			d.t.Fatalf("the screen never showed %s; it shows\n%s", what, d.screen())
		}
	}
	return d
}

// ends waits until the program wants to quit.
func (d *driver) ends() {
	d.t.Helper()
	d.until("its end", func(string) bool { return d.quit })
}

// screen is the text of the terminal without styles.
func (d *driver) screen() string { return ansi.Strip(d.app.View().Content) }
