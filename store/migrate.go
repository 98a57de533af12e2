package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"
)

// format is a version of the file's layout, with the migrations that lead to it.
type format struct {
	number int
	// steps[n] migrates a store from format n to n+1. It may change anything except the indexes, which are
	// rebuilt afterwards. Events are not rewritten: older versions are upcast when read.
	steps map[int]func(*bolt.Tx) error
}

// Formats 2 and 3 changed indexes: which sessions are blind, the names of sessions and which tasks are practice.
// Format 4 added the texts of each session; earlier ones stay where they are.
var currentFormat = format{number: 4, steps: map[int]func(*bolt.Tx) error{1: indexesOnly, 2: indexesOnly, 3: addTexts}}

func indexesOnly(*bolt.Tx) error { return nil }

func addTexts(tx *bolt.Tx) error {
	_, err := tx.CreateBucketIfNotExists(bucketTexts)
	return err
}

var (
	keyFormat  = []byte("format")
	keyCreated = []byte("created")
)

// initialise writes the contents of an empty store.
func initialise(tx *bolt.Tx, opts Options, number int) error {
	for _, name := range [][]byte{bucketMeta, bucketEvents, bucketBlobs, bucketTexts, bucketSessions} {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	created, err := json.Marshal(struct {
		By string    `json:"by"`
		At time.Time `json:"at"`
	}{"assay " + opts.Version, opts.Now().UTC()})
	if err != nil {
		return err
	}
	meta := tx.Bucket(bucketMeta)
	return errors.Join(meta.Put(keyFormat, []byte(strconv.Itoa(number))), meta.Put(keyCreated, created))
}

// formatOf reads the format of a file that bbolt could open.
func formatOf(h *handle) (number int, err error) {
	err = h.view(func(tx *bolt.Tx) error {
		for _, name := range [][]byte{bucketMeta, bucketEvents, bucketBlobs, bucketSessions} {
			if tx.Bucket(name) == nil {
				return damaged(h.path, "is a bbolt database, but not an assay store")
			}
		}
		number, err = strconv.Atoi(string(tx.Bucket(bucketMeta).Get(keyFormat)))
		if err != nil || number < 1 {
			return damaged(h.path, "does not say which format it has")
		}
		return nil
	})
	return number, err
}

func newerError(path string, has, known int) error {
	return fmt.Errorf("%w: %s has format %d, this version reads up to %d; update assay, or name another store with --store", errNewer, path, has, known)
}

// Format returns the format of the store at path, and the one to which opening it migrates it. It changes
// nothing.
func Format(path string) (has, current int, err error) {
	h, err := openFile(path, true)
	if err != nil {
		return 0, 0, withAdvice(path, err)
	}
	has, err = formatOf(h)
	return has, currentFormat.number, errors.Join(err, h.close())
}

// Upgrade migrates the store at path to the current format, and returns the path of the backup made before, ""
// if there was nothing to migrate.
func Upgrade(path string) (backup string, err error) {
	path = canonical(path)
	h, err := openFile(path, false)
	if err != nil {
		return "", withAdvice(path, err)
	}
	backup, err = migrate(h, currentFormat)
	return backup, errors.Join(err, h.close())
}

// migrate migrates an older store to the wanted format: first a backup, whose path it returns, then every step
// and the new indexes in one transaction.
func migrate(h *handle, want format) (backup string, err error) {
	has, err := formatOf(h)
	if err != nil {
		return "", err
	}
	if has > want.number {
		return "", newerError(h.path, has, want.number)
	}
	if has == want.number {
		return "", nil
	}
	backup, err = backUp(h, has)
	if err != nil {
		return "", fmt.Errorf("cannot back up the store %s before its migration: %w; nothing was changed%s", h.path, err, room(err))
	}
	err = h.update(func(tx *bolt.Tx) error {
		for n := has; n < want.number; n++ {
			step, known := want.steps[n]
			if !known {
				return fmt.Errorf("there is no migration from format %d to %d", n, n+1)
			}
			if err := step(tx); err != nil {
				return fmt.Errorf("from format %d to %d: %w", n, n+1, err)
			}
		}
		if _, err := rebuildIndexes(tx); err != nil {
			return err
		}
		return tx.Bucket(bucketMeta).Put(keyFormat, []byte(strconv.Itoa(want.number)))
	})
	if err != nil {
		return backup, fmt.Errorf("cannot migrate the store %s to format %d: %w; it is unchanged, and backed up as %s%s", h.path, want.number, err, backup, room(err))
	}
	return backup, nil
}

// room is what to do about an error, if that is a full disk.
func room(err error) string {
	if outOfSpace(err) {
		return "; free some space on its disk and try again"
	}
	return ""
}

// backUp copies the store beside itself, never over an earlier backup.
func backUp(h *handle, number int) (string, error) {
	path := h.path
	name := fmt.Sprintf("%s.v%d.bak", path, number)
	for again := 2; ; again++ {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			name = fmt.Sprintf("%s.v%d.%d.bak", path, number, again)
			continue
		}
		if err != nil {
			return "", err
		}
		if err := errors.Join(h.copyTo(f), f.Sync(), f.Close()); err != nil {
			return "", errors.Join(err, os.Remove(name))
		}
		return name, syncDir(filepath.Dir(path))
	}
}

// copyTo writes the whole file as seen by one transaction.
func (h *handle) copyTo(w io.Writer) error {
	return h.view(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(w)
		return err
	})
}
