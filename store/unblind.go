package store

import (
	"encoding/json"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"

	"assay/session"
	"assay/session/study"
)

// Unblinding records that somebody learned, or may from then on read in reports, which models a blind study
// compares.
type Unblinding struct {
	At     time.Time `json:"at"`
	Study  string    `json:"study"`
	Hash   string    `json:"hash"` // of the frozen study
	Reason string    `json:"reason"`

	Sessions int `json:"sessions"` // of the study in the store at that time
	Finished int `json:"finished"` // of Sessions

	Arms []study.LockArm `json:"arms,omitempty"` // with their models, which the logs of a blind study do not name
}

// Reveal returns the log of a session as if it had named its model, if its study was unblinded.
func Reveal(unblinded []Unblinding, events []session.Event) []session.Event {
	if len(events) == 0 {
		return events
	}
	opened, is := events[0].Payload.(session.Opened)
	if !is || opened.Plan.Study == nil {
		return events
	}
	for _, u := range unblinded {
		if u.Hash == opened.Plan.Study.Hash && len(u.Arms) > 0 {
			return study.Reveal(events, u.Arms)
		}
	}
	return events
}

var keyUnblinded = []byte("unblinded")

// Unblind adds a record; records cannot be removed.
func (s *Store) Unblind(u Unblinding) error {
	err := s.update(func(tx *bolt.Tx) error {
		all, err := unblinded(tx)
		if err != nil {
			return err
		}
		text, err := json.Marshal(append(all, u))
		if err != nil {
			return err
		}
		return tx.Bucket(bucketMeta).Put(keyUnblinded, text)
	})
	s.snap.changed()
	return err
}

// Unblinded lists the records, the oldest first.
func (r reader) Unblinded() (all []Unblinding, err error) {
	err = r.view(func(tx *bolt.Tx) error {
		all, err = unblinded(tx)
		return err
	})
	return all, err
}

func unblinded(tx *bolt.Tx) ([]Unblinding, error) {
	var all []Unblinding
	text := tx.Bucket(bucketMeta).Get(keyUnblinded)
	if text == nil {
		return nil, nil
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("the record of unblindings cannot be read: %w", err)
	}
	return all, nil
}
