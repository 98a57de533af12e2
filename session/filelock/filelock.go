// Package filelock takes files for one process alone.
package filelock

import "errors"

// ErrTaken is returned where another process has the file.
var ErrTaken = errors.New("another process has this file")
