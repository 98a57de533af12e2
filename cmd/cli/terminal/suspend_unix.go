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

// suspend releases the terminal and stops assay, with its whole process group, until the shell continues
// it.
func suspend() tea.Msg {
	return tea.Exec(interlude(func() error {
		err := syscall.Kill(0, syscall.SIGTSTP)
		// The signal arrives now, or never if nobody could continue the process.
		time.Sleep(50 * time.Millisecond)
		return err
	}), func(error) tea.Msg { return nil })()
}

// retake sets up the terminal for the screens again after assay was stopped and continued, since the shell
// has changed its mode.
func retake() tea.Msg {
	return tea.Exec(interlude(func() error { return nil }), func(error) tea.Msg { return nil })()
}

// interlude runs while the screens do not have the terminal.
type interlude func() error

// Run implements tea.ExecCommand.
func (f interlude) Run() error { return f() }

// SetStdin implements tea.ExecCommand.
func (interlude) SetStdin(io.Reader) {}

// SetStdout implements tea.ExecCommand.
func (interlude) SetStdout(io.Writer) {}

// SetStderr implements tea.ExecCommand.
func (interlude) SetStderr(io.Writer) {}

// watchContinued sends retake to a program when assay is continued after a stop. It installs no handler for
// SIGTSTP: a Go program that has had one is not stopped by that signal any more.
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
