package store

import (
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"assay/session/study"
)

var keyUnblinded = []byte("unblinded")

// Unblind adds a record; records cannot be removed.
func (s *Store) Unblind(u study.Unblinding) error {
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
func (r reader) Unblinded() (all []study.Unblinding, err error) {
	err = r.view(func(tx *bolt.Tx) error {
		all, err = unblinded(tx)
		return err
	})
	return all, err
}

func unblinded(tx *bolt.Tx) ([]study.Unblinding, error) {
	var all []study.Unblinding
	text := tx.Bucket(bucketMeta).Get(keyUnblinded)
	if text == nil {
		return nil, nil
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("the record of unblindings cannot be read: %w", err)
	}
	return all, nil
}
