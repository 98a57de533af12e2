package study

import (
	"bytes"
	"cmp"
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
	"assay/data/program"
)

// Reserved is a place that was handed out: nobody else gets it.
type Reserved struct {
	Tester int       `json:"tester"`
	For    string    `json:"for,omitempty"` // the pseudonym that gets it; empty: whoever has its code or its packed file
	Packed bool      `json:"packed,omitempty"`
	By     string    `json:"by,omitempty"`    // the pseudonym that began it
	Store  string    `json:"store,omitempty"` // the file of the store in which they began
	At     time.Time `json:"at"`
}

// String tells who has the place.
func (r Reserved) String() string {
	how := "reserved"
	if r.Packed {
		how = "packed"
	}
	if who := cmp.Or(r.For, r.By); who != "" {
		how += " for " + who
	}
	return how
}

// Seating is a tester who asks for a place in a store.
type Seating struct {
	Pseudonym string
	Store     string  // its file
	Taken     []Taken // the numbers in use there
	Now       time.Time
}

// Place returns the place of a tester without a code, and the reserved places with it: the one that is
// reserved for the pseudonym, or the next that is free.
func (s *Study) Place(list []Reserved, who Seating) (int, []Reserved, error) {
	all, kept, own := slices.Clone(who.Taken), 0, -1
	for i, r := range list {
		known := slices.IndexFunc(who.Taken, func(t Taken) bool { return t.Tester == r.Tester })
		switch {
		case (r.For == who.Pseudonym || r.By == who.Pseudonym) && (known < 0 || !who.Taken[known].Lost):
			own = i
		case known < 0:
			kept++
			all = append(all, Taken{Tester: r.Tester})
		}
	}
	if own >= 0 {
		r := &list[own]
		if r.Store != "" && r.Store != who.Store {
			return 0, nil, s.elsewhere(*r)
		}
		r.By, r.Store = who.Pseudonym, who.Store
		return r.Tester, list, nil
	}
	n, err := s.seat(all)
	if errors.Is(err, ErrFull) && kept > 0 {
		err = fmt.Errorf("%w: no place of %s is free; packed or reserved for others, and not begun: %d; its owner frees one with 'assay study reserve %s PLACE --release'", ErrFull, s.Name, kept, program.Word(s.Path()))
	}
	if err != nil {
		return 0, nil, err
	}
	return n, append(list, Reserved{Tester: n, By: who.Pseudonym, Store: who.Store, At: who.Now}), nil
}

// Enter returns the reserved places when a tester has begun with the code of a place, which has no session
// in their store yet. The error is that it was handed out to somebody else.
func (s *Study) Enter(list []Reserved, tester int, who Seating) ([]Reserved, error) {
	i := slices.IndexFunc(list, func(r Reserved) bool { return r.Tester == tester })
	if i < 0 {
		i, list = len(list), append(list, Reserved{Tester: tester, At: who.Now})
	}
	r := &list[i]
	free := fmt.Sprintf("take another place, or its owner frees it: 'assay study reserve %s %d --release'", program.Word(s.Path()), tester)
	switch {
	case r.Packed:
		return nil, fmt.Errorf("place %d is packed for a tester on another machine, who begins with 'assay study join FILE'; %s", tester, free)
	case r.By != "" && (r.By != who.Pseudonym || r.Store != who.Store):
		return nil, s.elsewhere(*r)
	case r.For != "" && r.For != who.Pseudonym:
		return nil, fmt.Errorf("place %d is reserved for %q: add --tester %[2]s if that is you; %s", tester, r.For, free)
	}
	r.By, r.Store = who.Pseudonym, who.Store
	return list, nil
}

// elsewhere tells that a place has sessions in another store.
func (s *Study) elsewhere(r Reserved) error {
	return fmt.Errorf("%q has place %d in the store %s: go on there, or take another pseudonym; 'assay study reserve %s %d --release' frees the place", r.By, r.Tester, r.Store, program.Word(s.Path()), r.Tester)
}

// placesPath returns the path of the reserved places of a study file.
func placesPath(path string) string { return strings.TrimSuffix(path, ".toml") + ".places.json" }

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
	all, err := readReservations(placesPath(s.Path()))
	return all[hash], err
}

// ChangeReserved changes the reserved places of the frozen study, while no other process does.
func (s *Study) ChangeReserved(hash string, change func([]Reserved) ([]Reserved, error)) error {
	path := placesPath(s.Path())
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
