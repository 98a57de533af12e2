package estimate

import (
	"errors"
	"sync"
	"time"

	"assay/data/lines"
)

// File is a round opened for appending.
type File struct {
	*lines.Log[Event, *Round]

	places sync.Mutex // held while a place is looked for and taken
}

// Take takes a place in the round for somebody, who may have one already; see [Round.Place].
func (f *File) Take(estimator string, at time.Time) (err error) {
	f.places.Lock()
	defer f.places.Unlock()
	if f.Look(func(r *Round) { err = r.Place(estimator) }); err != nil {
		return err
	}
	return f.Add(Event{Opened: &Opened{Estimator: estimator, At: at}})
}

// errClosed is returned when adding to a closed file.
var errClosed = errors.New("the file of estimates is closed")

func files() lines.Files[Header, Event, *Round] {
	return lines.Files[Header, Event, *Round]{
		Kind: lines.Kind{
			Name: "file of estimates", Begin: "; 'assay difficulty round' makes one",
			Taken: "another assay has these estimates open: end it first, or give each estimator a copy of the file",
		},
		New: func(path string, h Header) (*Round, error) {
			if err := h.Check(); err != nil {
				return nil, err
			}
			r := NewRound(h)
			r.Name = path
			return r, nil
		},
		Closed: errClosed,
	}
}

// Open reads a file of estimates; see [lines.Files.Open].
func Open(path string) (*Round, error) { return files().Open(path) }

// Create creates a file of estimates without any. It does not replace an existing file.
func Create(path string, h Header) error {
	h.Version = Version
	return files().Create(path, h)
}

// Change opens a file of estimates for appending. It removes a line truncated by a crash.
func Change(path string) (*File, error) {
	l, err := files().Change(path)
	if err != nil {
		return nil, err
	}
	return &File{Log: l}, nil
}

// Header returns the file's header.
func (f *File) Header() (h Header) {
	f.Look(func(r *Round) { h = r.Header })
	return h
}

// For is [Round.For].
func (f *File) For(estimator string) (entries []Entry) {
	f.Look(func(r *Round) { entries = r.For(estimator) })
	return entries
}

// Last is [Round.Last].
func (f *File) Last(estimator string) (task string) {
	f.Look(func(r *Round) { task = r.Last(estimator) })
	return task
}

// MayOpen is [Round.MayOpen].
func (f *File) MayOpen(estimator string) (err error) {
	f.Look(func(r *Round) { err = r.MayOpen(estimator) })
	return err
}
