package console

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"unicode"

	"golang.org/x/term"

	"assay/tui/frame"
)

// output is the standard output or standard error. It remembers the first error, so that verbs that print
// for people need not check each line. On a terminal it removes the characters that a terminal interprets,
// since names and texts may come from strangers.
type output struct {
	to       io.Writer
	terminal bool
	err      error
}

// checkedOutput returns an IO with checked outputs, and its standard output.
func checkedOutput(in *IO) (*IO, *output) {
	checked, out := *in, &output{to: in.Out, terminal: IsTerminal(in.Out)}
	checked.Out, checked.Err = out, &output{to: in.Err, terminal: IsTerminal(in.Err)}
	return &checked, out
}

// Raw returns the underlying writer of an output, for screens and progress, which draw.
func Raw(out io.Writer) io.Writer {
	if o, ok := out.(*output); ok {
		return o.to
	}
	return out
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(out io.Writer) bool {
	f, ok := Raw(out).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	if o.terminal {
		_, o.err = io.WriteString(o.to, harmless(string(p)))
		return len(p), o.err
	}
	n, err := o.to.Write(p)
	o.err = err
	return n, err
}

// harmless removes characters that a terminal interprets or that change the reading direction; it replaces
// the start of an escape sequence by a visible sign.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == '\x1b':
			return '␛'
		case frame.Turns(r):
			return '\ufffd'
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, text)
}

// Join joins the error of the output with that of the verb. A closed pipe is not an error: its reader has
// seen enough.
func (o *output) Join(err error) error {
	switch {
	case o.err == nil:
		return err
	case errors.Is(o.err, syscall.EPIPE):
		if errors.Is(err, o.err) {
			return nil
		}
		return err
	}
	cause := o.err
	var path *fs.PathError
	if errors.As(cause, &path) {
		cause = path.Err // the system's name for the standard output is meaningless to users
	}
	cause = fmt.Errorf("cannot write to the standard output: %w", cause)
	if err == nil || errors.Is(err, o.err) {
		return cause
	}
	return errors.Join(err, cause)
}
