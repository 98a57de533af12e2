package console

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"assay/tui/frame"
)

// output is the standard output or standard error. It remembers the first error, so that verbs that print
// for people need not check each line. It removes the characters that a terminal interprets, since names and texts may
// come from strangers, and a file may be shown on a terminal later. Data is written through [Data].
type output struct {
	to       io.Writer
	terminal bool
	colored  bool
	err      error
	held     []byte // the start of a character whose rest has not been written
}

// checkedOutput returns an IO with checked outputs, and its standard output.
func checkedOutput(in *IO) (*IO, *output) {
	checked, out := *in, &output{to: in.Out, terminal: IsTerminal(in.Out)}
	out.colored = out.terminal && in.Getenv("NO_COLOR") == ""
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
	text := append(o.held, p...)
	end := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if at := len(text) - back; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				end = at
			}
			break
		}
	}
	o.held = slices.Clone(text[end:])
	_, o.err = io.WriteString(o.to, harmless(string(text[:end])))
	return len(p), o.err
}

// data is an output to which other programs' data is written, byte for byte.
type data struct{ *output }

// Write implements io.Writer.
func (d data) Write(p []byte) (n int, err error) {
	if d.err == nil {
		n, d.err = d.to.Write(p)
	}
	return n, d.err
}

// Data returns the writer for data, such as JSON, of an output: only a terminal gets it without what it interprets.
func Data(out io.Writer) io.Writer {
	if o, ok := out.(*output); ok && !o.terminal {
		return data{o}
	}
	return out
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
