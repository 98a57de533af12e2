package cli

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
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2   // the command line is wrong
	exitPartial     = 3   // not everything was done; calling again goes on
	exitAuth        = 4   // a key is missing or refused
	exitInUse       = 5   // another process holds the store, a run or its results
	exitInterrupted = 130 // by the user, without a signal or by SIGINT
)

// exitErr is an error with the exit code that it means.
type exitErr struct {
	code int
	err  error
}

func (e *exitErr) Error() string { return e.err.Error() }
func (e *exitErr) Unwrap() error { return e.err }

// withCode gives err an exit code; a nil error stays nil.
func withCode(code int, err error) error {
	if err == nil {
		return nil
	}
	return &exitErr{code, err}
}

// usagef is an error about the command line itself.
func usagef(format string, args ...any) error {
	return &exitErr{exitUsage, fmt.Errorf(format, args...)}
}

// exit reports err, if there is one, and returns the exit code.
func exit(err error, out io.Writer) int {
	if err == nil {
		return exitOK
	}
	code := exitError
	var coded *exitErr
	switch {
	case errors.As(err, &coded):
		code = coded.code
	case errors.Is(err, store.ErrInUse), errors.Is(err, filelock.ErrTaken):
		code = exitInUse
	case errors.Is(err, context.Canceled):
		code = exitInterrupted
	}
	if code != exitInterrupted {
		fmt.Fprintf(out, "assay: %v\n", err)
	}
	return code
}
