package console

import (
	"context"
	"errors"
	"fmt"
	"io"

	"assay/data/filelock"
	"assay/store"
)

// The exit codes of every verb. After a signal the exit code is 128 plus the signal's number: see
// WithSignals.
const (
	ExitOK          = 0
	ExitError       = 1
	ExitUsage       = 2   // the command line is wrong
	ExitPartial     = 3   // not everything was done; running it again continues
	ExitAuth        = 4   // a key is missing or rejected
	ExitInUse       = 5   // another process holds the store, a run or its results
	ExitInterrupted = 130 // by the user, with or without SIGINT
)

// exitErr is an error with its exit code.
type exitErr struct {
	code int
	err  error
}

// Error implements error.
func (e *exitErr) Error() string { return e.err.Error() }

// Unwrap returns the error without its exit code.
func (e *exitErr) Unwrap() error { return e.err }

// WithCode sets the exit code of err; a nil error stays nil.
func WithCode(code int, err error) error {
	if err == nil {
		return nil
	}
	return &exitErr{code, err}
}

// Usagef returns an error about the command line itself.
func Usagef(format string, args ...any) error {
	return &exitErr{ExitUsage, fmt.Errorf(format, args...)}
}

// Exit prints err, if there is one, and returns the exit code.
func Exit(err error, out io.Writer) int {
	if err == nil {
		return ExitOK
	}
	code := ExitError
	var coded *exitErr
	switch {
	case errors.As(err, &coded):
		code = coded.code
	case errors.Is(err, store.ErrInUse), errors.Is(err, filelock.ErrTaken):
		code = ExitInUse
	case errors.Is(err, context.Canceled):
		code = ExitInterrupted
	}
	if code != ExitInterrupted {
		fmt.Fprintf(out, "assay: %v\n", err)
	}
	return code
}
