//go:build unix

package cli

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// suspend gives the terminal back and stops assay, with whatever the shell runs beside it,
// until the shell continues them.
func suspend() tea.Msg {
	return tea.Exec(stopped{}, func(error) tea.Msg { return nil })()
}

// stopped is the time in which assay does not run.
type stopped struct{}

func (stopped) Run() error {
	signal.Reset(syscall.SIGTSTP) // else it would be this program's to handle
	err := syscall.Kill(0, syscall.SIGTSTP)
	// The signal arrives now, or never where nobody could continue what it stops.
	time.Sleep(50 * time.Millisecond)
	return err
}

func (stopped) SetStdin(io.Reader)  {}
func (stopped) SetStdout(io.Writer) {}
func (stopped) SetStderr(io.Writer) {}

// watchSuspension calls stop when another program asks assay to stop, since the terminal
// has to be given back first. Unwatch ends that.
func watchSuspension(stop func()) (unwatch func()) {
	asked, over := make(chan os.Signal, 1), make(chan struct{})
	continued := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTSTP)
	signal.Notify(continued, syscall.SIGCONT)
	go func() {
		for {
			select {
			case <-asked:
				stop()
			case <-continued:
				signal.Notify(asked, syscall.SIGTSTP) // again, after suspend
			case <-over:
				return
			}
		}
	}()
	return func() {
		signal.Stop(asked)
		signal.Stop(continued)
		close(over)
	}
}
