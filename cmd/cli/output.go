package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/term"
)

// output is the standard output. It remembers the first error, so that a verb that prints
// for people need not look at each line.
type output struct {
	to  io.Writer
	err error
}

// checkedOutput replaces the standard output by one that remembers its error. A terminal stays
// as it is, since screens need the file.
func checkedOutput(in *IO) (*IO, *output) {
	out := &output{to: in.Out}
	if f, ok := in.Out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return in, out
	}
	checked := *in
	checked.Out = out
	return &checked, out
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(p)
	o.err = err
	return n, err
}

// join adds the error of the output to that of the verb. A pipe that its reader has closed is
// no error: the reader has seen enough.
func (o *output) join(err error) error {
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
		cause = path.Err // the system's name of the standard output tells nobody anything
	}
	cause = fmt.Errorf("cannot write to the standard output: %w", cause)
	if err == nil || errors.Is(err, o.err) {
		return cause
	}
	return errors.Join(err, cause)
}
