package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Stdout is the name of the standard output on command lines that ask for a file.
const Stdout = "-"

// Out is the destination of the user's output.
type Out struct {
	Path  string      // a file, or [Stdout]
	Force bool        // replace an existing file
	Perm  fs.FileMode // of a new file, minus the umask; 0 means 0644
	To    io.Writer   // the standard output
}

// Check fails if there is a file that must not be replaced, or something other than a file. Call it before
// long work.
func (o Out) Check() error {
	if o.stdout() {
		return nil
	}
	_, err := place(o.Path, o.Force)
	return o.explained(err)
}

// Put writes the complete file or nothing, or writes to the standard output.
func (o Out) Put(write func(io.Writer) error) error {
	if o.stdout() {
		return write(o.To)
	}
	perm := cmp.Or(o.Perm, 0o644)
	return o.explained(whole(o.Path, perm, o.Force, write))
}

func (o Out) stdout() bool { return o.Path == Stdout || o.Path == "/dev/stdout" }

func (o Out) explained(err error) error {
	if errors.Is(err, fs.ErrExist) && !o.Force {
		return fmt.Errorf("%s already exists: name another file, or replace it with --force", o.Path)
	}
	return err
}
