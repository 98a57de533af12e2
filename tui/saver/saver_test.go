package saver_test

import (
	"errors"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
	"assay/tui/saver"
)

// desk is a screen that writes texts.
type desk struct {
	saver.Saver
	wrote   []string
	pressed []string
	typing  string // "" for nothing
	full    bool   // nothing can be written
	failed  error
}

func newDesk() *desk {
	d := &desk{}
	d.Saver = saver.Saver{
		Pressed: func(msg tea.KeyPressMsg) tea.Cmd { d.pressed = append(d.pressed, msg.String()); return nil },
		Failed:  func(err error) { d.failed = err },
		Draft: func() func() error {
			if d.typing == "" {
				return nil
			}
			return d.write("draft " + d.typing)
		},
	}
	return d
}

func (d *desk) write(text string) func() error {
	return func() error {
		if d.full {
			return errors.New("the disk is full")
		}
		d.wrote = append(d.wrote, text)
		return nil
	}
}

// run carries out a command and what follows from it, one after the other.
func (d *desk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	default:
		next, _ := d.Update(msg)
		d.run(next)
	}
}

func key(press rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: press, Text: string(press)} }

// Things are written in order, and keys that depend on one of them wait for all.
func TestOrder(t *testing.T) {
	d := newDesk()
	first := d.WriteHolding(d.write("one"), nil)
	if d.Write(d.write("two"), nil) != nil {
		t.Error("two things are written at once")
	}
	d.Update(key('a'))
	if !d.Holding() || d.Idle() || len(d.pressed) > 0 {
		t.Errorf("holding %v, idle %v, pressed %v", d.Holding(), d.Idle(), d.pressed)
	}
	d.run(first)
	d.Update(key('b'))
	if !slices.Equal(d.wrote, []string{"one", "two"}) || !slices.Equal(d.pressed, []string{"a", "b"}) || !d.Idle() {
		t.Errorf("wrote %v, pressed %v, idle %v", d.wrote, d.pressed, d.Idle())
	}
}

// What cannot be written takes with it what waits behind it and the keys that were held, and
// is what leaving would lose until something is written again.
func TestFailure(t *testing.T) {
	d := newDesk()
	d.full = true
	var told error
	first := d.WriteHolding(d.write("one"), func(err error) tea.Cmd { told = err; return nil })
	d.Write(d.write("two"), nil)
	d.Update(key('a'))
	d.run(first)
	loss := frame.Loss{What: "the step"}
	if told == nil || d.failed == nil || d.Holding() || len(d.pressed) > 0 {
		t.Errorf("told %v, failed %v, holding %v, pressed %v", told, d.failed, d.Holding(), d.pressed)
	}
	if left := d.Departure(loss); left.Why != "the disk is full" || len(left.Lost) != 1 {
		t.Errorf("leaving: %+v", left)
	}
	d.full = false
	d.run(d.Write(d.write("three"), nil))
	if left := d.Departure(loss); len(left.Lost) > 0 || !slices.Equal(d.wrote, []string{"three"}) {
		t.Errorf("leaving: %+v, wrote %v", left, d.wrote)
	}
}

// What is typed is saved when it is asked for, and by leaving; not where nothing was typed.
func TestDrafts(t *testing.T) {
	d := newDesk()
	ask := func() { cmd, _ := d.Update(frame.SaveMsg{}); d.run(cmd) }
	d.typing = "hel"
	if ask(); len(d.wrote) > 0 {
		t.Errorf("wrote %v although nothing was typed", d.wrote)
	}
	first := d.Typed()
	if first == nil || d.Typed() != nil {
		t.Fatal("typing is not saved at once, and then after a while")
	}
	d.run(first().(tea.BatchMsg)[0])
	if !slices.Equal(d.wrote, []string{"draft hel"}) {
		t.Errorf("wrote %v after the first key", d.wrote)
	}
	d.typing = "hell"
	ask()
	d.typing = "hello"
	d.Touch()
	d.run(d.Leave())
	if !slices.Equal(d.wrote, []string{"draft hel", "draft hell", "draft hello"}) || !d.TypedOut() || d.TypedOut() {
		t.Errorf("wrote %v", d.wrote)
	}
}
