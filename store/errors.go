package store

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"
)

// Errors that callers branch on. Each is wrapped with what happened and what to do about it.
var (
	// ErrInUse: another process holds the store. See [InUseError].
	ErrInUse = errors.New("the store is in use")
	// errConflict: an append does not continue its session's log.
	errConflict = errors.New("the append does not continue the session's log")
	// ErrDamaged: the file is not a complete store.
	ErrDamaged = errors.New("the store is damaged")
	// errMissing: there is no store, but there are copies of one.
	errMissing = errors.New("the store is missing")
	// errNewer: the file was written by a newer version of assay.
	errNewer = errors.New("the store was written by a newer assay")
	// errFull: the disk has no space for the append; it was not recorded.
	errFull = errors.New("no space left for the store")
	// ErrNoSession: no session has the id.
	ErrNoSession = errors.New("no such session")
	// errNoBlob: no text is stored under the reference.
	errNoBlob = errors.New("no such text")
	// errNoSnapshot: there is no readable copy beside the store.
	errNoSnapshot = errors.New("no snapshot of the store")
	// errClosed: the store was closed before the call.
	errClosed = errors.New("the store is closed")
)

// InUseError tells which process has a store open. errors.Is matches it with ErrInUse.
type InUseError struct {
	Path     string
	Owner    Owner     // zero if unknown
	Snapshot time.Time // time of the snapshot beside the store; zero if there is none
}

func (e *InUseError) Error() string {
	who := "another process"
	if e.Owner.PID != 0 {
		who = fmt.Sprintf("process %d", e.Owner.PID)
		if e.Owner.Command != "" {
			who += fmt.Sprintf(" (%s)", e.Owner.Command)
		}
		who += fmt.Sprintf(" on %s, since %s", e.Owner.Host, e.Owner.Since.Local().Format("2006-01-02 15:04:05"))
	}
	advice := "close it first, or name another store with --store"
	if !e.Snapshot.IsZero() {
		advice = fmt.Sprintf("close it first; reports can use the snapshot of %s", e.Snapshot.Local().Format("2006-01-02 15:04:05"))
	}
	return fmt.Sprintf("the store %s is in use by %s: %s", e.Path, who, advice)
}

// Is matches ErrInUse.
func (e *InUseError) Is(target error) bool { return target == ErrInUse }

// damaged returns the error for a file that cannot be read as a store.
func damaged(path, what string) error { return fmt.Errorf("%w: %s %s", ErrDamaged, path, what) }

// outOfSpace reports whether err comes from a full disk, a quota or a file size limit. It checks the text
// because bbolt does not wrap the error of growing its file.
func outOfSpace(err error) bool {
	for _, cause := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, cause) || err != nil && strings.Contains(err.Error(), cause.Error()) {
			return true
		}
	}
	return false
}
