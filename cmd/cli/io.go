package cli

import "io"

// IO is what a command reads and writes: data on Out, progress and problems on
// Err.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
}

// The exit codes that are not 0.
const (
	exitError = 1
	exitAuth  = 4
)

// coded is an error that ends the program with an exit code of its own.
type coded struct {
	code int
	err  error
}

func (c *coded) Error() string { return c.err.Error() }
func (c *coded) Unwrap() error { return c.err }

// ExitCode is the exit code with which to end the program.
func (c *coded) ExitCode() int { return c.code }
