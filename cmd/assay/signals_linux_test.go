package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"assay/session"
	"assay/store"
)

// writing is a session with a prompt begun, as typed up to the last letter.
func writing(t *testing.T, dir, bin, typed string) *terminal {
	t.Helper()
	term := start(t, dir, 80, 23, nil, bin, "--benchmark", "starter", "--model", "rehearsal", "--practice")
	term.sees("open the task", 0)
	from := term.mark()
	term.press("\r")
	term.sees("your prompt", from)
	from = term.mark()
	term.press(typed)
	term.sees(typed[len(typed)-1:], from)
	return term
}

// lines reports whether the terminal is set to lines of text, as programs are to leave it.
func (t *terminal) lines() bool {
	mode, err := unix.IoctlGetTermios(int(t.master.Fd()), unix.TCGETS)
	return err == nil && mode.Lflag&(unix.ICANON|unix.ECHO) == unix.ICANON|unix.ECHO
}

// kept is the only session of a store.
func kept(t *testing.T, path string) *session.State {
	t.Helper()
	s, err := store.Open(path, store.Options{SnapshotEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all, err := s.Sessions()
	if err != nil || len(all) != 1 {
		t.Fatalf("%d sessions, %v", len(all), err)
	}
	events, err := s.Events(all[0].ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	state, err := session.Replay(events)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// A signal that ends assay loses no letter, leaves the session paused and the terminal as it
// was, and has one exit code.
func TestSignalsSave(t *testing.T) {
	bin := build(t, t.TempDir(), "assay/cmd/assay")
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		dir := t.TempDir()
		term := writing(t, dir, bin, "typed just before the signal Ω")
		if err := term.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := term.cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
			t.Errorf("%s: %v", signal, err)
		}
		term.until("its own screen back", func() bool {
			term.mu.Lock()
			defer term.mu.Unlock()
			return strings.Contains(string(term.written), "\x1b[?1049l")
		})
		if !term.lines() {
			t.Errorf("%s: the terminal is left in raw mode", signal)
		}
		term.end()
		if s := kept(t, filepath.Join(dir, "assay.db")); s.Paused != "quit" || s.Task().Draft() != "typed just before the signal Ω" {
			t.Errorf("%s: the session is paused for %q with the draft %q", signal, s.Paused, s.Task().Draft())
		}
	}
}

// ctrl+z pauses the session; where no shell could continue assay, it goes on.
func TestSuspendWithoutShell(t *testing.T) {
	dir := t.TempDir()
	term := start(t, dir, 80, 23, nil, build(t, dir, "assay/cmd/assay"), "--benchmark", "starter", "--model", "rehearsal", "--practice")
	defer term.end()
	term.sees("open the task", 0)
	from := term.mark()
	term.press("\x1a")
	term.sees("Paused", from)
	from = term.mark()
	for range 20 { // what is typed while the terminal is given back is not assay's
		term.press("\r")
		if _, on := term.prints("open the task", from, patience/20); on {
			return
		}
	}
	t.Error("assay does not go on")
}
