package prompts

import (
	"errors"
	"fmt"
	"time"

	"assay/data/lines"
)

// event is a line of the file after the first.
type event struct {
	Candidate *Candidate `json:"candidate,omitempty"`
	Decision  *Decision  `json:"decision,omitempty"`
	Draft     *Draft     `json:"draft,omitempty"`
	Dropped   *Dropped   `json:"dropped,omitempty"`
}

// errReadOnly is returned when changing a set that was opened for reading.
var errReadOnly = errors.New("the prompts file was opened read-only")

func files() lines.Files[Header, event, *slots] {
	return lines.Files[Header, event, *slots]{
		Kind: lines.Kind{
			Name: "file of prompts", Begin: "; 'assay prompts write' makes one",
			Taken: "another assay is writing or reviewing these prompts: end it first, or give each reviewer a turn",
		},
		New: func(_ string, h Header) (*slots, error) {
			if h.Version != Version {
				return nil, fmt.Errorf("\"assay_prompts\" is %d, but this version reads %d", h.Version, Version)
			}
			return &slots{header: h, at: map[slotKey]*slot{}}, nil
		},
		Closed: errReadOnly,
	}
}

// Open reads a file of written prompts; see [lines.Files.Open].
func Open(path string) (*Set, error) { return opened(files().View(path)) }

// Create creates a file of written prompts, open for appending. It does not replace an existing file.
func Create(path string, h Header) (*Set, error) {
	h.Version = Version
	if err := files().Create(path, h); err != nil {
		return nil, err
	}
	return Change(path)
}

// Change opens a file of written prompts for appending, by one process at a time. It removes a line
// truncated by a crash. If the file does not exist, or does not even have a complete first line, the error
// is of the kind [fs.ErrNotExist].
func Change(path string) (*Set, error) { return opened(files().Change(path)) }

func opened(log *lines.Log[event, *slots], err error) (*Set, error) {
	if err != nil {
		return nil, err
	}
	s := &Set{Path: log.Path, log: log}
	log.Look(func(at *slots) { s.Header = at.header })
	return s, nil
}

// Close closes the file and releases it for others.
func (s *Set) Close() error { return s.log.Close() }

// Propose stores a candidate as the next one for its place.
func (s *Set) Propose(c Candidate) error {
	c.Number = 1
	s.log.Look(func(all *slots) {
		if at := all.at[slotKey{c.Task, c.Level, c.Wording}]; at != nil {
			for n := range at.decisions {
				c.Number = max(c.Number, n+1)
			}
			c.Number = max(c.Number, at.current().Number+1)
		}
	})
	return s.log.Add(event{Candidate: &c})
}

// Decide stores a decision about the current candidate for a place.
func (s *Set) Decide(d Decision) error {
	if d.Number == 0 {
		s.log.Look(func(all *slots) {
			if at := all.at[slotKey{d.Task, d.Level, d.Wording}]; at != nil {
				d.Number = at.current().Number
			}
		})
	}
	return s.log.Add(event{Decision: &d})
}

// KeepDraft stores what a reviewer has edited so far.
func (s *Set) KeepDraft(d Draft) error { return s.log.Add(event{Draft: &d}) }

// Drop removes the last candidate for a place: the previous one, with the decisions about it, counts again.
func (s *Set) Drop(e Entry, by string, at time.Time) error {
	c := e.Candidate
	return s.log.Add(event{Dropped: &Dropped{Task: c.Task, Level: c.Level, Wording: c.Wording, Number: c.Number, By: by, At: at}})
}
