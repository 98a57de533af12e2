package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"assay/data/disk"
	"assay/data/filelock"
)

// Reserved is a place that was handed out: nobody else gets it.
type Reserved struct {
	Tester int       `json:"tester"`
	For    string    `json:"for,omitempty"` // the pseudonym that gets it; empty: whoever has its code or its packed file
	Packed bool      `json:"packed,omitempty"`
	At     time.Time `json:"at"`
}

// String tells who has the place.
func (r Reserved) String() string {
	how := "reserved"
	if r.Packed {
		how = "packed"
	}
	if r.For != "" {
		how += " for " + r.For
	}
	return how
}

// PlacesPath returns the path of the reserved places of a study file.
func PlacesPath(path string) string { return strings.TrimSuffix(path, ".toml") + ".places.json" }

// reservations are the reserved places by the hash of the frozen study.
type reservations map[string][]Reserved

func readReservations(path string) (reservations, error) {
	all := reservations{}
	text, err := disk.ReadFile(path, disk.Document)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("the reserved places cannot be read from %s: %w; correct it, or delete it if no place was handed out", path, err)
	}
	return all, nil
}

// Reserved lists the reserved places of the frozen study, by number.
func (s *Study) Reserved(hash string) ([]Reserved, error) {
	if s.packed != nil {
		return nil, nil
	}
	all, err := readReservations(PlacesPath(s.Path()))
	return all[hash], err
}

// ChangeReserved changes the reserved places of the frozen study, while no other process does.
func (s *Study) ChangeReserved(hash string, change func([]Reserved) ([]Reserved, error)) error {
	path := PlacesPath(s.Path())
	f, err := filelock.Open(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("the reserved places cannot be changed in %s: %w", path, err)
	}
	defer f.Close()
	all, err := readReservations(path)
	if err != nil {
		return err
	}
	if all[hash], err = change(all[hash]); err != nil {
		return err
	}
	slices.SortFunc(all[hash], func(a, b Reserved) int { return a.Tester - b.Tester })
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetIndent("", "  ")
	if err := out.Encode(all); err != nil {
		return err
	}
	return disk.Replace(path, 0o644, disk.Bytes(b.Bytes()))
}
