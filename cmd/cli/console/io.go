package console

import (
	"io"
	"os"
	"os/user"

	"github.com/adrg/xdg"
	"golang.org/x/term"
)

// IO is a command's environment; tests pass their own.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	Terminal bool // both In and Out are terminals
}

// System returns the IO of this process.
func System() *IO {
	findHome()
	return &IO{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv,
		Terminal: term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())),
	}
}

// findHome sets HOME from the system's user database for a process without it, such as a service, whose
// folders would otherwise be at the root of the file system.
func findHome() {
	if os.Getenv("HOME") != "" {
		return
	}
	if u, err := user.Current(); err == nil && u.HomeDir != "" && os.Setenv("HOME", u.HomeDir) == nil {
		xdg.Reload()
	}
}
