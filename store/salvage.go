package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/session"

	bolt "go.etcd.io/bbolt"
)

// Salvaged is the result of a salvage.
type Salvaged struct {
	Sessions []SalvagedSession // by id
	Strays   int               // events of unknown sessions, since earlier events are lost
	Trouble  string            // why more may be lost than is known; empty if not
}

// SalvagedSession is the salvaged part of a session.
type SalvagedSession struct {
	ID     string
	Events int
	Of     int // least number of events that the session is known to have had
	Texts  int
	Lost   int  // texts that it refers to and that were not found
	Sure   bool // its last event is known to be the last
}

// Whole reports whether nothing of the session is lost.
func (s SalvagedSession) Whole() bool {
	return s.Sure && s.Events > 0 && s.Events == s.Of && s.Lost == 0
}

// Whole counts the complete sessions.
func (s Salvaged) Whole() int {
	n := 0
	for _, session := range s.Sessions {
		if session.Whole() {
			n++
		}
	}
	return n
}

// Salvage writes a new store to the path to, with everything that the pages of damaged files still contain.
// It does not modify those files; where they differ, the first takes precedence. The error is os.ErrExist
// if there is a file at to. It writes nothing if it finds nothing.
func Salvage(ctx context.Context, files []string, to string, opts Options) (Salvaged, error) {
	s := newScan()
	defer s.close()
	var trouble []string
	for _, file := range files {
		err := s.add(ctx, file)
		if ctx.Err() != nil {
			return Salvaged{}, ctx.Err()
		}
		if err != nil {
			trouble = append(trouble, fmt.Sprintf("%s cannot be read: %v", file, err))
		}
	}
	if len(s.files) == 0 {
		return Salvaged{}, fmt.Errorf("there is nothing to salvage: %s", strings.Join(trouble, "; "))
	}
	if first := s.files[0]; !first.rootKnown {
		trouble = append(trouble, fmt.Sprintf("pages of %s that tell what the last change was are damaged", first.Name()))
	}
	logs, strays := s.sessions()
	done := Salvaged{Sessions: s.describe(logs), Strays: strays, Trouble: strings.Join(trouble, "; ")}
	if len(done.Sessions) == 0 && strays == 0 && done.Trouble != "" {
		return done, fmt.Errorf("no session was found, so nothing was written: %s", done.Trouble)
	}
	return done, s.writeStore(logs, done.Sessions, to, opts.withDefaults())
}

// sessions assembles the logs. strays is the number of events that belong to none of them.
func (s *scan) sessions() (logs map[string][]*foundEvent, strays int) {
	logs = map[string][]*foundEvent{}
	used := map[hash]bool{}
	for _, first := range s.after[hash{}] {
		if first.session == "" {
			continue
		}
		log := s.follow(first, used)
		if other, known := logs[first.session]; !known || better(log, other) {
			logs[first.session] = log
		}
	}
	for sum := range s.events {
		if !used[sum] {
			strays++
		}
	}
	return logs, strays
}

// better reports whether log a is preferable to log b of the same session. A session withdrawn anywhere
// stays withdrawn.
func better(a, b []*foundEvent) bool {
	if x, y := buried(a), buried(b); x != y {
		return x
	}
	return cmp.Or(cmp.Compare(b[0].rank, a[0].rank), cmp.Compare(len(a), len(b))) > 0
}

func buried(log []*foundEvent) bool { return len(log) == 2 && log[1].buried }

// describe compares the logs found with what the pages tell about them.
func (s *scan) describe(logs map[string][]*foundEvent) []SalvagedSession {
	main := s.files[0]
	ids := slices.Collect(maps.Keys(logs))
	for _, f := range s.files {
		ids = slices.AppendSeq(slices.AppendSeq(ids, maps.Keys(f.logs)), maps.Keys(f.rows))
	}
	slices.Sort(ids)
	var list []SalvagedSession
	for _, id := range slices.Compact(ids) {
		salvaged := SalvagedSession{ID: id, Events: len(logs[id])}
		last, byTree := main.logs[id]
		row, byRow := main.rows[id]
		salvaged.Sure = bothMetas(main, main.meta) && main.meta.pageSize != 0 && (byRow || byTree && last.whole || main.rootKnown && !byTree)
		salvaged.Of = max(salvaged.Events, int(row))
		if byTree {
			salvaged.Of = max(salvaged.Of, int(last.last))
		}
		if buried(logs[id]) {
			salvaged.Of, salvaged.Sure = salvaged.Events, true
		}
		for _, f := range s.files[1:] {
			if !buried(logs[id]) {
				salvaged.Of = max(salvaged.Of, int(f.rows[id]))
			}
		}
		seen := map[session.Ref]bool{}
		for _, e := range logs[id] {
			for _, ref := range e.refs {
				if seen[ref] {
					continue
				}
				seen[ref] = true
				if _, found := s.texts[hashOf(string(ref))]; found {
					salvaged.Texts++
				} else {
					salvaged.Lost++
				}
			}
		}
		list = append(list, salvaged)
	}
	return list
}

// writeStore writes a store with the logs and the texts that they refer to.
func (s *scan) writeStore(logs map[string][]*foundEvent, all []SalvagedSession, to string, opts Options) error {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s already exists: %w", to, os.ErrExist)
	}
	making := newName(to)
	defer os.Remove(making)
	db, err := bolt.Open(making, 0o600, nil)
	if err != nil {
		return fmt.Errorf("cannot create the store %s: %w", to, err)
	}
	db.NoSync = true // synced once at the end
	err = db.Update(func(tx *bolt.Tx) error { return initialise(tx, opts, currentFormat.number) })
	if err == nil {
		err = db.Update(func(tx *bolt.Tx) error { return s.writeMeta(tx, all) })
	}
	for _, id := range slices.Sorted(maps.Keys(logs)) {
		if err == nil {
			err = db.Update(func(tx *bolt.Tx) error { return s.writeLog(tx, id, logs[id]) })
		}
	}
	if err := errors.Join(err, db.Sync(), db.Close()); err != nil {
		return fmt.Errorf("cannot write the store %s: %w", to, err)
	}
	return giveName(making, to)
}

// keyCut is the key of sessions that lost events: session id -> number of events before.
var keyCut = []byte("cut")

// writeMeta writes what is known besides the logs. That a log was cut has to be recorded, since the rest of
// it verifies.
func (s *scan) writeMeta(tx *bolt.Tx, all []SalvagedSession) error {
	cut := map[string]int{}
	for _, session := range all {
		if session.Events < session.Of {
			cut[session.ID] = session.Of
		}
		if session.Events > 0 {
			continue
		}
		r := damagedRow([]byte(session.ID))
		r.LastSeq = uint64(session.Of)
		text, err := r.encode()
		if err != nil {
			return err
		}
		if err := tx.Bucket(bucketSessions).Put([]byte(session.ID), text); err != nil {
			return err
		}
	}
	text, err := json.Marshal(cut)
	if err != nil {
		return err
	}
	err = tx.Bucket(bucketMeta).Put(keyCut, text)
	if s.unblinded != nil {
		err = errors.Join(err, tx.Bucket(bucketMeta).Put(keyUnblinded, s.unblinded))
	}
	return err
}

// writeLog writes one log, its texts and its row.
func (s *scan) writeLog(tx *bolt.Tx, id string, log []*foundEvent) error {
	events, err := tx.Bucket(bucketEvents).CreateBucketIfNotExists([]byte(id))
	if err != nil {
		return err
	}
	events.FillPercent = 0.9
	var summary row
	for _, found := range log {
		text := found.read()
		e, err := session.DecodeSealed(text)
		if err != nil {
			return fmt.Errorf("the file was changed while it was read: %w", err)
		}
		summary.apply(e)
		if err := events.Put(seqKey(e.Seq), text); err != nil {
			return err
		}
		for _, ref := range found.refs {
			key := hashOf(string(ref))
			if at, known := s.texts[key]; known {
				_, shared := e.Payload.(session.Opened)
				if _, err := putText(tx, []byte(id), key[:], at.read(), shared); err != nil {
					return err
				}
			}
		}
	}
	text, err := summary.encode()
	if err != nil {
		return err
	}
	return tx.Bucket(bucketSessions).Put([]byte(id), text)
}

// giveName renames a new file, unless another file has the name.
func giveName(making, name string) error {
	// Link, unlike Rename, never replaces a file that another process created at the same moment. Some file
	// systems have no hard links.
	err := os.Link(making, name)
	if err != nil && !errors.Is(err, os.ErrExist) {
		err = os.Rename(making, name)
	}
	if err != nil {
		return fmt.Errorf("cannot create %s: %w", name, err)
	}
	return syncDir(filepath.Dir(name))
}
