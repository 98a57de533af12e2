package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/data/disk"
	"assay/data/filelock"
)

// Files made from a store lie beside it: the snapshot, a few seconds behind; a backup for each of the last
// days on which it was used; a backup from before each migration; files moved aside or rescued when the
// store's file was lost; and the results of salvages.

// keepDays is the number of daily backups kept.
const keepDays = 5

// moment is the time format in the names of these files.
const moment = "20060102-150405.000"

// Copy is a file from which a store can be restored.
type Copy struct {
	Path     string
	Taken    time.Time
	Sessions int
	Whole    int   // sessions that verify
	Err      error // why it cannot be read
}

// String describes the contents of the copy.
func (c Copy) String() string {
	if c.Err != nil {
		return fmt.Sprintf("%s of %s cannot be read as it is", c.Path, clock(c.Taken))
	}
	verb := "are"
	if c.Sessions == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%d of %d sessions %s whole in %s of %s", c.Whole, c.Sessions, verb, c.Path, clock(c.Taken))
}

func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// copyNames lists the files beside a store that contain its sessions, the snapshot first.
func copyNames(path string) []string {
	names := []string{snapshotPath(path)}
	for _, pattern := range []string{".backup-*", ".v*.bak", ".rescued-*", ".salvaged-*"} {
		found, err := filepath.Glob(globQuoted(path) + pattern)
		if err == nil { // the only possible error is a malformed pattern
			names = append(names, found...)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		info, err := os.Stat(name)
		return err != nil || !info.Mode().IsRegular() || strings.HasSuffix(name, ".making")
	})
}

// Copies lists the files from which the store at path can be restored, the newest first. It verifies every
// session in them.
func Copies(path string) []Copy {
	var list []Copy
	for _, name := range copyNames(canonical(path)) {
		list = append(list, examine(name))
	}
	slices.SortStableFunc(list, func(a, b Copy) int { return b.Taken.Compare(a.Taken) })
	return list
}

// examine verifies every session of a copy.
func examine(path string) Copy {
	c := Copy{Path: path}
	info, err := os.Stat(path)
	if err != nil {
		c.Err = err
		return c
	}
	c.Taken = info.ModTime()
	h, err := openPatiently(path, true)
	if err != nil {
		c.Err = err
		return c
	}
	defer h.close()
	if _, c.Err = formatOf(h); c.Err != nil {
		return c
	}
	rows, err := reader{h}.Sessions()
	if err != nil {
		c.Err = err
		return c
	}
	c.Sessions = len(rows)
	for _, row := range rows {
		if _, _, err := (reader{h}).Verify(row.ID); err == nil {
			c.Whole++
		}
	}
	return c
}

// offerCopies describes the best copy of a damaged or missing store, and how to restore it; "" if no copy
// has sessions.
func offerCopies(path string) string {
	all := slices.DeleteFunc(Copies(path), func(c Copy) bool { return c.Err == nil && c.Sessions == 0 })
	if len(all) == 0 {
		return ""
	}
	readable := slices.IndexFunc(all, func(c Copy) bool { return c.Err == nil })
	if readable < 0 {
		return fmt.Sprintf("%s; 'assay session salvage' reads what it still holds", all[0])
	}
	return fmt.Sprintf("%s; 'assay session restore' puts that file in its place", all[readable])
}

// withAdvice adds advice to the error for a damaged store. It returns other errors unchanged.
func withAdvice(path string, err error) error {
	if !errors.Is(err, ErrDamaged) {
		return err
	}
	if offer := offerCopies(path); offer != "" {
		return fmt.Errorf("%w; %s, and 'assay session salvage' also reads what the damaged file still holds", err, offer)
	}
	return fmt.Errorf("%w; there is no snapshot or backup beside it; 'assay session salvage' reads what it still holds", err)
}

// Restore replaces the store at path by a copy. It keeps the previous file under the name returned, "" if
// there was none. The error is ErrInUse if a process has the store open.
func Restore(path, from string, opts Options) (aside string, err error) {
	path, opts = canonical(path), opts.withDefaults()
	if c := examine(from); c.Err != nil {
		return "", fmt.Errorf("nothing was changed: %w", c.Err)
	}
	if now, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
		defer now.Close()
		if errors.Is(filelock.Take(now), filelock.ErrTaken) {
			return "", &InUseError{Path: path, Owner: readOwner(path)}
		}
	}
	making := newName(path)
	defer os.Remove(making)
	if err := copyFile(from, making); err != nil {
		return "", fmt.Errorf("nothing was changed: %w", err)
	}
	aside = fmt.Sprintf("%s.aside-%s", path, opts.Now().UTC().Format(moment))
	switch err := os.Rename(path, aside); {
	case errors.Is(err, os.ErrNotExist):
		aside = ""
	case err != nil:
		return "", err
	}
	return aside, giveName(making, path)
}

// copyFile makes a durable copy of a store or a snapshot, which nobody changes meanwhile.
func copyFile(from, to string) error {
	src, err := openPatiently(from, true)
	if err != nil {
		return err
	}
	defer src.close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(src.copyTo(dst), dst.Sync(), dst.Close())
}

// keepBackup keeps the snapshot as a backup, named by its time, even when another snapshot replaces it.
func keepBackup(path string) error {
	taken := snapshotTime(path)
	if taken.IsZero() {
		return nil
	}
	name := fmt.Sprintf("%s.backup-%s", path, taken.UTC().Format(moment))
	if err := os.Link(snapshotPath(path), name); err == nil || errors.Is(err, os.ErrExist) {
		return nil
	}
	return os.Rename(snapshotPath(path), name) // some file systems have no hard links
}

// rotate turns the snapshot into a backup before a new one replaces it, if it is the last one of an earlier
// day or contains events that the store lacks, and removes the oldest backups beyond keepDays.
func (s *Store) rotate() error {
	taken := snapshotTime(s.path)
	if taken.IsZero() {
		return nil
	}
	if today(taken) && (s.snap.compared || !s.lacks(snapshotPath(s.path))) {
		s.snap.compared = true
		return nil
	}
	s.snap.compared = true
	if err := keepBackup(s.path); err != nil {
		return err
	}
	backups, err := filepath.Glob(globQuoted(s.path) + ".backup-*")
	if err != nil || len(backups) <= keepDays {
		return err
	}
	slices.Sort(backups)
	for _, old := range backups[:len(backups)-keepDays] {
		err = errors.Join(err, os.Remove(old))
	}
	return err
}

// lacks reports whether a copy has sessions or events that the store lacks, for example because another
// file replaced the store.
func (s *Store) lacks(copied string) bool {
	h, err := openPatiently(copied, true)
	if err != nil {
		return true // it may contain something
	}
	defer h.close()
	rows, err := reader{h}.Sessions()
	if err != nil {
		return true
	}
	for _, row := range rows {
		if row.Status != StatusWithdrawn && s.knownEvents(row.ID) < int(row.LastSeq) {
			return true
		}
	}
	return false
}

// asideNames lists earlier files of the store that were moved aside.
func asideNames(path string) []string {
	names, err := filepath.Glob(globQuoted(path) + ".aside-*")
	if err != nil {
		return nil
	}
	return names
}

// IsCopy reports whether a file is named as a copy of a store beside it.
func IsCopy(name string) bool {
	dir, base := filepath.Split(name)
	for i := range base {
		if base[i] != '.' {
			continue
		}
		if path := dir + base[:i]; slices.Contains(copyNames(path), name) {
			return true
		}
	}
	return false
}

// IsStore reports whether a file begins as a bbolt database.
func IsStore(path string) bool {
	f, err := disk.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var page [pageHeader + 4]byte
	_, err = io.ReadFull(f, page[:])
	return err == nil && native.Uint32(page[pageHeader:]) == boltMagic
}
