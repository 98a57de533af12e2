package store

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// pausePerWork limits the time that snapshots take: a very large store, which takes long to check, is
// copied less often than SnapshotEvery.
const pausePerWork = 20

func snapshotPath(store string) string { return store + ".snapshot" }

// snapshotTime returns the time of the snapshot beside a store, zero if there is none.
func snapshotTime(store string) time.Time {
	info, err := os.Stat(snapshotPath(store))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Snapshot is a read-only copy of a store as it was at Taken.
type Snapshot struct {
	reader
	Taken time.Time
}

// OpenSnapshot opens the snapshot beside the store at storePath, which the process holding the store keeps
// up to date. The error is errNoSnapshot if there is none.
func OpenSnapshot(storePath string) (*Snapshot, error) {
	storePath = canonical(storePath)
	path := snapshotPath(storePath)
	taken := snapshotTime(storePath)
	if taken.IsZero() {
		return nil, fmt.Errorf("%w: the process that holds %s has not written one yet; wait a few seconds, or close it", errNoSnapshot, storePath)
	}
	h, err := openPatiently(path, true)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{reader: reader{h}, Taken: taken}
	if err := current(h); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return s, nil
}

// current rejects a file in another format, since it is read without a migration.
func current(h *handle) error {
	has, err := formatOf(h)
	switch {
	case err != nil:
		return err
	case has > currentFormat.number:
		return newerError(h.path, has, currentFormat.number)
	case has < currentFormat.number:
		return fmt.Errorf("%s has the older format %d: open the store itself once with write access, which migrates it", h.path, has)
	}
	return nil
}

// Notice tells in one line how old the copy is.
func (s *Snapshot) Notice(now time.Time) string {
	return fmt.Sprintf("reading a snapshot taken %s, %s ago: what came later is not in it",
		s.Taken.Local().Format("2006-01-02 15:04:05"), now.Sub(s.Taken).Round(time.Second))
}

// Close releases the copy.
func (s *Snapshot) Close() error { return s.close() }

func (s *Store) copyAs(dst string) error {
	making := dst + ".making"
	f, err := os.OpenFile(making, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("cannot write the snapshot: %w", err)
	}
	// Without Sync the new name could be on disk before the bytes, and the old copy lost.
	if err := errors.Join(s.copyTo(f), s.checkCopy(f), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("cannot write the snapshot %s: %w", dst, errors.Join(err, os.Remove(making)))
	}
	if dst == snapshotPath(s.path) {
		if err := s.rotate(); err != nil {
			return fmt.Errorf("cannot save the snapshot as a backup: %w", errors.Join(err, os.Remove(making)))
		}
	}
	if err := os.Rename(making, dst); err != nil {
		return fmt.Errorf("cannot write the snapshot: %w", err)
	}
	return nil
}

// mine rejects a store's file that was overwritten or replaced: it must not become a snapshot.
func (s *Store) mine() error {
	s.writing.Lock()
	lost := s.lost()
	s.writing.Unlock()
	if lost == overwritten || lost == replaced {
		return damaged(s.path, string(lost))
	}
	return nil
}

// checkCopy rejects a copy that is not a complete store, for example because the file was overwritten while
// it was read: it must not replace a good copy.
func (s *Store) checkCopy(f *os.File) error {
	if err := s.mine(); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return checkFile(f, info.Size())
}

// worthCopying is the number of new bytes for which the store is copied: a copy writes up to sixteen pages, and what is new
// at most twice, so with this it writes at most three bytes for each new one.
const worthCopying = 64 << 10

// patientFor is how many times SnapshotEvery fewer bytes than that wait for their copy.
const patientFor = 6

// snapshotter keeps the snapshot up to date, independently of the writer.
type snapshotter struct {
	writing  sync.Mutex // held while a copy is written
	compared bool       // with the snapshot of an earlier process; guarded by writing

	fresh atomic.Int64 // bytes that were appended since the last copy

	mark  chan struct{} // holds one token when something has changed
	end   chan struct{}
	ended sync.WaitGroup
}

func (n *snapshotter) start(s *Store) {
	n.mark, n.end = make(chan struct{}, 1), make(chan struct{})
	if s.opts.SnapshotEvery > 0 {
		n.ended.Go(func() { n.run(s) })
	}
}

// appended marks the copy as out of date by a number of bytes. It never blocks.
func (n *snapshotter) appended(bytes int) {
	n.fresh.Add(int64(bytes))
	select {
	case n.mark <- struct{}{}:
	default:
	}
}

// changed marks the copy as out of date by something that is worth a copy, however small it is.
func (n *snapshotter) changed() { n.appended(worthCopying) }

// run copies the store some time after each change, counted from the first change rather than the last,
// since a session is never quiet for long.
func (n *snapshotter) run(s *Store) {
	var took time.Duration
	for {
		select {
		case <-n.end:
			return
		case <-n.mark:
		}
		if !n.wait(max(s.opts.SnapshotEvery, pausePerWork*took), patientFor*s.opts.SnapshotEvery) {
			n.appended(0) // the last copy has not been written
			return
		}
		select { // this copy includes changes made during the wait
		case <-n.mark:
		default:
		}
		// A failed copy is retried after the next change: the events themselves are safe, and readers see
		// the age of the copy.
		began := time.Now()
		_ = s.snapshot()
		took = time.Since(began)
	}
}

// wait returns after least, or later once there is enough for a copy, but not after most; false at the end.
func (n *snapshotter) wait(least, most time.Duration) bool {
	soon, late := time.NewTimer(least), time.NewTimer(most)
	defer soon.Stop()
	defer late.Stop()
	select {
	case <-n.end:
		return false
	case <-soon.C:
	}
	for n.fresh.Load() < worthCopying {
		select {
		case <-n.end:
			return false
		case <-late.C:
			return true
		case <-n.mark:
		}
	}
	return true
}

// stop ends the copying.
func (n *snapshotter) stop() {
	close(n.end)
	n.ended.Wait()
}

// lastSnapshot updates the copy if something has changed.
func (s *Store) lastSnapshot() error {
	if s.opts.SnapshotEvery <= 0 {
		return nil
	}
	select {
	case <-s.snap.mark:
		// On a full disk the copy matters least, and the user has been told already: the store itself is
		// closed properly.
		if err := s.snapshot(); err != nil && !outOfSpace(err) {
			return err
		}
	default:
	}
	return nil
}

// snapshot brings the copy beside the store up to date, or replaces it.
func (s *Store) snapshot() error {
	s.snap.writing.Lock()
	defer s.snap.writing.Unlock()
	has, fresh := s.journal.mark(), s.snap.fresh.Swap(0)
	err := s.mine()
	if err == nil {
		if err = s.catchUp(); err != nil && !outOfSpace(err) {
			err = s.copyAs(snapshotPath(s.path))
		}
	}
	if err != nil {
		s.snap.fresh.Add(fresh)
		return err
	}
	s.writing.Lock() // not while the store is rewritten from an earlier snapshot and the journal
	defer s.writing.Unlock()
	s.journal.trim(has)
	return nil
}
