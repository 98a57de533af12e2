package cli

import (
	"errors"
	"fmt"
	goio "io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/session"
	"assay/store"
)

// kept is what the verbs that only read need of a store or its snapshot.
type kept interface {
	Events(sessionID string, fromSeq uint64) ([]session.Event, error)
	Blob(ref session.Ref) ([]byte, error)
	Sessions() ([]store.Summary, error)
	Unblinded() ([]store.Unblinding, error)
	Verify(sessionID string) (events, texts int, err error)
	Export(sessionID string, w goio.Writer) error
	Release()
	Close() error
}

// openKept opens the store to be read. Where another process holds it, its snapshot is read
// instead, of a damaged store what is left, and where nothing can be written the file as it
// is; a line on Err says so.
func openKept(io *IO, g *globals) (kept, error) {
	s, err := openExisting(io, g)
	path := storePath(io, g)
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
		other, instead = store.OpenSalvaged(path, store.Options{Version: version()})
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

// openExisting opens the store, but does not make one.
func openExisting(io *IO, g *globals) (*store.Store, error) {
	path := storePath(io, g)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && len(store.Copies(path)) == 0 {
		return nil, fmt.Errorf("there is no store at %s yet: finish a session first, or name another with --store", path)
	}
	return openStore(io, g)
}

// sessionID finds the session that a person means: "last", an id, or the
// beginning of one.
func sessionID(k kept, meant string) (string, error) {
	rows, err := k.Sessions()
	if err != nil {
		return "", err
	}
	if len(rows) == 0 {
		return "", errors.New("the store has no sessions yet")
	}
	if meant == "last" {
		return rows[0].ID, nil
	}
	var found []string
	for _, r := range rows {
		if strings.EqualFold(r.ID, meant) {
			return r.ID, nil
		}
		if meant != "" && len(r.ID) > len(meant) && strings.EqualFold(r.ID[:len(meant)], meant) {
			found = append(found, r.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("the store has no session %q; the latest is %s ('assay session list' lists all)", meant, rows[0].ID)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%d sessions begin with %q: %s; give more of the id", len(found), meant, strings.Join(found, ", "))
}

// sessionArg takes the one SESSION of a verb.
func sessionArg(cmd *cobra.Command, args []string) (string, error) {
	if len(args) != 1 {
		return "", usagef("%s takes one session: an id, the beginning of one, or \"last\"; see '%[1]s --help'", cmd.CommandPath())
	}
	return args[0], nil
}
