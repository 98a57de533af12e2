package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/idle"
)

// leaveWithin is how long the screens may take to save and close when a signal ends assay.
const leaveWithin = 5 * time.Second

// CanDraw returns why the terminal cannot draw screens, with the remedy.
func CanDraw(io *console.IO) error {
	if io.Getenv("TERM") == "dumb" {
		return fmt.Errorf("this terminal cannot draw screens (TERM=dumb); use `assay --plain`, which works line by line, or set TERM to the terminal's type, such as xterm-256color")
	}
	return nil
}

// NewScreen returns the program with its first screen and the tester's settings.
func NewScreen(io *console.IO, g *console.Globals, first frame.Screen) (*tui.App, error) {
	s, err := Settings(io, g)
	if err != nil {
		return nil, err
	}
	app := tui.New(first, colored(io))
	app.Use(s, time.Now)
	return app, nil
}

// Run shows a screen on the terminal until it is left.
func Run(ctx context.Context, io *console.IO, g *console.Globals, first frame.Screen) error {
	if err := CanDraw(io); err != nil {
		return err
	}
	app, err := NewScreen(io, g, first)
	if err != nil {
		return err
	}
	return RunApp(ctx, io, app, nil)
}

// RunApp runs a program on the terminal until it is left. When ctx ends, for example by a signal, the
// screens save their work and close without asking. running, if not nil, receives a function for sending
// messages to the program. The error is ctx's, or describes what could not be saved.
func RunApp(ctx context.Context, io *console.IO, app *tui.App, running func(send func(tea.Msg))) error {
	in := io.In
	if terminal, ok := in.(*os.File); ok {
		in = &tamed{File: terminal}
	}
	app.Own(rescue, suspend)
	program := idle.NewProgram(app, tea.WithoutSignalHandler(), tea.WithInput(in), tea.WithOutput(console.Raw(io.Out)))
	ended := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
		case <-ended:
			return
		}
		go program.Send(tui.LeaveMsg{}) // blocks if an editor has the terminal
		select {
		case <-ended:
		case <-time.After(leaveWithin):
			program.Kill()
		}
	}()
	if running != nil {
		running(program.Send)
	}
	unwatch := watchContinued(program.Send)
	_, err := program.Run()
	unwatch()
	close(ended)
	if err != nil {
		err = fmt.Errorf("the screen could not be saved: %w", err)
	}
	err = errors.Join(err, app.Unsaved())
	if ctx.Err() == nil {
		return err
	}
	if err != nil {
		fmt.Fprintf(io.Err, "assay: %v\n", err)
	}
	return ctx.Err()
}

// rescue writes work that the store did not accept, or a report of a failure, to a new file, in the first of several
// places where that succeeds.
func rescue(name, text string) (path string, err error) {
	name = "assay-" + name + "-" + time.Now().Format("20060102-150405.000") + ".md"
	var dirs []string
	for _, dir := range []func() (string, error){os.Getwd, os.UserHomeDir, func() (string, error) { return os.TempDir(), nil }} {
		if d, err := dir(); err == nil {
			dirs = append(dirs, d)
		}
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		wrong := disk.Create(path, 0o600, disk.Bytes(text))
		if wrong == nil {
			return path, nil
		}
		err = errors.Join(err, wrong)
	}
	return "", err
}

// colored reports whether colours are enabled.
func colored(io *console.IO) bool { return io.Getenv("NO_COLOR") == "" }
