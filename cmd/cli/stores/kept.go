package stores

import (
	"errors"
	"fmt"
	goio "io"
	"os"
	"time"

	"assay/cmd/cli/console"
	"assay/session"
	"assay/session/study"
	"assay/store"
)

// Kept is what read-only verbs need of a store or its snapshot.
type Kept interface {
	Events(sessionID string, fromSeq uint64) ([]session.Event, error)
	Blob(ref session.Ref) ([]byte, error)
	Sessions() ([]store.Summary, error)
	Unblinded() ([]study.Unblinding, error)
	Verify(sessionID string) (events, texts int, err error)
	Export(sessionID string, w goio.Writer) error
	Release()
	Close() error
}

// OpenKept opens the store for reading. If another process holds it, it reads the snapshot instead; if it
// is damaged, what can be salvaged; if it is not writable, the file as it is. A line on Err reports that.
func OpenKept(io *console.IO, g *console.Globals) (Kept, error) {
	s, err := OpenExisting(io, g)
	path := Path(io, g)
	var other *store.ReadOnly
	var instead error
	switch {
	case err == nil:
		return s, nil
	case errors.Is(err, store.ErrInUse):
		snapshot, snapErr := store.OpenSnapshot(path)
		if snapErr != nil {
			return nil, errors.Join(err, snapErr)
		}
		fmt.Fprintf(io.Err, "note: the store is in use by another process: %s\n", snapshot.Notice(time.Now()))
		return snapshot, nil
	case errors.Is(err, store.ErrDamaged):
		fmt.Fprintf(io.Err, "warning: %v\n", err)
		other, instead = store.OpenSalvaged(path, store.Options{Version: console.Version()})
	case store.CannotWrite(err):
		other, instead = store.OpenReadOnly(path)
	default:
		return nil, err
	}
	if instead != nil {
		return nil, errors.Join(err, instead)
	}
	fmt.Fprintf(io.Err, "note: %s\n", other.Notice)
	return other, nil
}

// OpenExisting opens the store, but does not create one.
func OpenExisting(io *console.IO, g *console.Globals) (*store.Store, error) {
	path := Path(io, g)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && len(store.Copies(path)) == 0 {
		return nil, fmt.Errorf("there is no store at %s yet: finish a session first, or name another with --store", path)
	}
	return Open(io, g)
}
