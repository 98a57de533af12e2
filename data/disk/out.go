package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Stdout is what people name the standard output by where a file is asked for.
const Stdout = "-"

// Out is where the user wants something written.
type Out struct {
	Path  string      // a file, or [Stdout]
	Force bool        // replace the file if it is there
	Perm  fs.FileMode // of a new file, less the umask; 0 is 0644
	To    io.Writer   // the standard output
}

// Check fails if there is a file that may not be replaced, or something else than a file:
// better before long work than after it.
func (o Out) Check() error {
	if o.stdout() {
		return nil
	}
	_, err := place(o.Path, o.Force)
	return o.explained(err)
}

// Put writes the file whole or not at all, or to the standard output.
func (o Out) Put(write func(io.Writer) error) error {
	if o.stdout() {
		return write(o.To)
	}
	perm := o.Perm
	if perm == 0 {
		perm = 0o644
	}
	return o.explained(whole(o.Path, perm, o.Force, write))
}

func (o Out) stdout() bool { return o.Path == Stdout || o.Path == "/dev/stdout" }

func (o Out) explained(err error) error {
	if errors.Is(err, fs.ErrExist) && !o.Force {
		return fmt.Errorf("%s already exists: name another file, or replace it with --force", o.Path)
	}
	return err
}
