//go:build unix

package terminal

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"charm.land/bubbletea/v2"
)

// suspend gives the terminal back and stops assay, with whatever the shell runs beside it,
// until the shell continues them.
func suspend() tea.Msg {
	return tea.Exec(interlude(func() error {
		err := syscall.Kill(0, syscall.SIGTSTP)
		// The signal arrives now, or never where nobody could continue what it stops.
		time.Sleep(50 * time.Millisecond)
		return err
	}), func(error) tea.Msg { return nil })()
}

// retake makes the terminal the screens' again after somebody stopped and continued assay:
// the shell has set it to lines of text meanwhile.
func retake() tea.Msg {
	return tea.Exec(interlude(func() error { return nil }), func(error) tea.Msg { return nil })()
}

// interlude is what happens while the screens do not have the terminal.
type interlude func() error

// Run implements tea.ExecCommand.
func (f interlude) Run() error { return f() }

// SetStdin implements tea.ExecCommand.
func (interlude) SetStdin(io.Reader) {}

// SetStdout implements tea.ExecCommand.
func (interlude) SetStdout(io.Writer) {}

// SetStderr implements tea.ExecCommand.
func (interlude) SetStderr(io.Writer) {}

// watchContinued sends a program retake when assay was stopped and is continued. There is
// no handler for SIGTSTP: in Go, whoever has had one is not stopped by that signal any more.
func watchContinued(send func(tea.Msg)) (unwatch func()) {
	continued, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(continued, syscall.SIGCONT)
	go func() {
		for {
			select {
			case <-continued:
				send(retake())
			case <-over:
				return
			}
		}
	}()
	return func() {
		signal.Stop(continued)
		close(over)
	}
}
