package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"assay/session"
)

// The types of a session's row are those of package session.
type (
	Summary = session.Summary
	Status  = session.Status
	Place   = session.Place
)

// The statuses; see [session.Status].
const (
	StatusOpen      = session.StatusOpen
	StatusPaused    = session.StatusPaused
	StatusFinished  = session.StatusFinished
	StatusAbandoned = session.StatusAbandoned
	StatusWithdrawn = session.StatusWithdrawn
	StatusDamaged   = session.StatusDamaged
)

// PlaceOf is [session.PlaceOf].
func PlaceOf(p session.Plan) *Place { return session.PlaceOf(p) }

// row is a summary with the state that its fold needs between events.
type row struct {
	Summary
	Outcomes []session.Outcome `json:"outcomes"`           // of the plan's tasks, "" until closed
	Practise []int             `json:"practise,omitempty"` // indexes of the practice tasks
	Longest  int               `json:"longest,omitempty"`  // of an adaptive test, the largest number of tasks
	Over     bool              `json:"over,omitempty"`     // the adaptive test has ended
	Mono     int64             `json:"mono"`               // stamp of the last event
	Process  string            `json:"process"`
}

// apply folds one event into the row, which must depend on nothing else.
func (r *row) apply(e session.Event) {
	if p, ok := e.Payload.(session.Renamed); ok { // moves no clock
		r.Name, r.LastSeq = p.Name, e.Seq
		return
	}
	stopped, _ := e.Payload.(session.Suspended)
	if r.LastSeq > 0 && r.Process == e.Process && r.Status == StatusOpen && e.Mono > r.Mono && !stopped.Frozen {
		r.WorkedMS += e.Mono - r.Mono
	}
	r.LastSeq, r.LastAt, r.Mono, r.Process = e.Seq, e.Wall, e.Mono, e.Process
	switch p := e.Payload.(type) {
	case session.Opened:
		r.ID, r.Status, r.Current, r.OpenedAt = p.Session, StatusOpen, -1, e.Wall
		r.Benchmark, r.Filter, r.Model = p.Plan.Benchmark, p.Plan.Filter, p.Plan.ModelShown()
		r.Tester, r.K = p.Plan.Tester, p.Plan.K
		r.Imported, r.Study = e.Origin == session.Imported, PlaceOf(p.Plan)
		if a := p.Plan.Automatic; a != nil {
			r.Automatic = string(a.Feedback)
		}
		r.Outcomes = make([]session.Outcome, len(p.Plan.Tasks))
		var sets []string
		for i, t := range p.Plan.Tasks {
			if t.Practice {
				r.Practise = append(r.Practise, i)
			}
			if t.Set != "" && !slices.Contains(sets, t.Set) {
				sets = append(sets, t.Set)
			}
		}
		r.Sets, r.Longest = strings.Join(sets, ", "), p.Plan.Longest()
		r.count()
	case session.Closed:
		r.Status, r.Current, r.Task = Status(p.Reason), -1, ""
	case session.Paused:
		r.Status = StatusPaused
	case session.Resumed:
		r.Status = StatusOpen
	case session.TaskOpened:
		r.close(p.Index, "") // a practice task may be repeated
		r.Current, r.Task = p.Index, p.Task
	case session.TaskChosen:
		r.Over = p.Index < 0
		r.count()
	case session.TaskClosed:
		r.close(p.Index, p.Outcome)
	case session.TaskSkipped:
		r.close(p.Index, session.Skipped)
	case session.CorrectionBegun:
		r.close(p.Index, "")
		r.Current, r.Task = p.Index, p.Task
	case session.AnswerReceived:
		r.Answers++
	}
}

func (r *row) close(index int, outcome session.Outcome) {
	if index < 0 || index >= len(r.Outcomes) {
		return // not a task of the plan; the state machine rejects such a log
	}
	r.Outcomes = slices.Clone(r.Outcomes) // copies of the row share the array
	r.Outcomes[index] = outcome
	if r.Current == index {
		r.Current, r.Task = -1, ""
	}
	r.count()
}

// count updates the row's progress.
func (r *row) count() {
	r.Progress = session.Progress{}
	for i, o := range r.Outcomes {
		r.Progress.Count(slices.Contains(r.Practise, i), o != "", o)
	}
	if r.Longest > 0 {
		r.Progress.Adapt(r.Longest, r.Over)
	}
}

func (r row) encode() ([]byte, error) { return json.Marshal(r) }

func decodeRow(text []byte) (row, error) {
	var r row
	if text == nil {
		return r, errors.New("no summary")
	}
	err := json.Unmarshal(text, &r)
	return r, err
}

// foldLog computes a session's row from its events.
func foldLog(log *bolt.Bucket) (row, error) {
	var r row
	err := log.ForEach(func(_, text []byte) error {
		var e session.Event
		if err := json.Unmarshal(text, &e); err != nil {
			return fmt.Errorf("event %d cannot be read: %w", r.LastSeq+1, err)
		}
		r.apply(e)
		return nil
	})
	return r, err
}

// rowOf returns a session's row, computed from its log.
func rowOf(id []byte, log *bolt.Bucket) row {
	r, err := foldLog(log)
	if err != nil || r.ID != string(id) {
		return damagedRow(id)
	}
	return r
}

func damagedRow(id []byte) row {
	return row{Summary: Summary{ID: string(id), Status: StatusDamaged, Current: -1}}
}

// Rebuilt is the result of rebuilding the indexes.
type Rebuilt struct {
	Sessions int
	Events   int
	Changed  []string // sessions whose rows were missing, wrong or left over
	Damaged  []string // sessions whose rows were kept because their logs cannot be read completely
}

// Rebuild recomputes every index from the events. The rows are the same, byte for byte, as those kept while
// appending; Changed lists the exceptions.
func (s *Store) Rebuild() (Rebuilt, error) {
	var done Rebuilt
	err := s.update(func(tx *bolt.Tx) (err error) {
		done, err = rebuildIndexes(tx)
		return err
	})
	if err != nil {
		return Rebuilt{}, fmt.Errorf("cannot rebuild the indexes of %s: %w", s.path, err)
	}
	s.snap.changed()
	return done, nil
}

func rebuildIndexes(tx *bolt.Tx) (Rebuilt, error) {
	old := map[string][]byte{}
	err := tx.Bucket(bucketSessions).ForEach(func(id, text []byte) error {
		old[string(id)] = bytes.Clone(text)
		return nil
	})
	if err != nil {
		return Rebuilt{}, err
	}
	if err := tx.DeleteBucket(bucketSessions); err != nil {
		return Rebuilt{}, err
	}
	rows, err := tx.CreateBucket(bucketSessions)
	if err != nil {
		return Rebuilt{}, err
	}
	var done Rebuilt
	events := tx.Bucket(bucketEvents)
	err = events.ForEachBucket(func(id []byte) error {
		was := old[string(id)]
		delete(old, string(id))
		r, err := foldLog(events.Bucket(id))
		if before, wrong := decodeRow(was); err != nil || wrong == nil && before.LastSeq > r.LastSeq {
			// The row is the only record of what the log has lost.
			done.Damaged = append(done.Damaged, string(id))
			if was == nil {
				return nil
			}
			return rows.Put(id, was)
		}
		text, err := r.encode()
		if err != nil {
			return err
		}
		done.Sessions, done.Events = done.Sessions+1, done.Events+int(r.LastSeq)
		if !bytes.Equal(text, was) {
			done.Changed = append(done.Changed, string(id))
		}
		return rows.Put(id, text)
	})
	for id, was := range old {
		if r, wrong := decodeRow(was); wrong == nil && r.LastSeq > 0 {
			done.Damaged = append(done.Damaged, id)
			err = errors.Join(err, rows.Put([]byte(id), was))
			continue
		}
		done.Changed = append(done.Changed, id)
	}
	slices.Sort(done.Changed)
	slices.Sort(done.Damaged)
	return done, err
}
