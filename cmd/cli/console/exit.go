package console

import (
	"context"
	"errors"
	"fmt"
	"io"

	"assay/data/filelock"
	"assay/store"
)

// The exit codes of every verb. What a signal ends exits with 128 and the signal's number:
// see WithSignals.
const (
	ExitOK          = 0
	ExitError       = 1
	ExitUsage       = 2   // the command line is wrong
	ExitPartial     = 3   // not everything was done; calling again goes on
	ExitAuth        = 4   // a key is missing or refused
	ExitInUse       = 5   // another process holds the store, a run or its results
	ExitInterrupted = 130 // by the user, without a signal or by SIGINT
)

// exitErr is an error with the exit code that it means.
type exitErr struct {
	code int
	err  error
}

// Error implements error.
func (e *exitErr) Error() string { return e.err.Error() }

// Unwrap returns the error without its exit code.
func (e *exitErr) Unwrap() error { return e.err }

// WithCode gives err an exit code; a nil error stays nil.
func WithCode(code int, err error) error {
	if err == nil {
		return nil
	}
	return &exitErr{code, err}
}

// Usagef is an error about the command line itself.
func Usagef(format string, args ...any) error {
	return &exitErr{ExitUsage, fmt.Errorf(format, args...)}
}

// Exit reports err, if there is one, and returns the exit code.
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
