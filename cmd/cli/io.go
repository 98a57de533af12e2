package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IO is the outside of a command: tests hand in their own.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	Terminal bool // both In and Out are a terminal
}

// System is the IO of this process.
func System() *IO {
	findHome()
	return &IO{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv,
		Terminal: term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())),
	}
}
