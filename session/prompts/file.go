package prompts

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assay/data/disk"
	"assay/data/lines"
)

// event is a line of the file after the first.
type event struct {
	Candidate *Candidate `json:"candidate,omitempty"`
	Decision  *Decision  `json:"decision,omitempty"`
	Draft     *Draft     `json:"draft,omitempty"`
	Dropped   *Dropped   `json:"dropped,omitempty"`
}

// ErrReadOnly is returned when changing a set that was opened for reading.
var ErrReadOnly = errors.New("the prompts file was opened read-only")

// kind returns what errors call a file.
func kind() lines.Kind {
	return lines.Kind{
		Name: "file of prompts", Begin: "; 'assay prompts write' makes one",
		Taken: "another assay is writing or reviewing these prompts: end it first, or give each reviewer a turn",
	}
}

// Open reads a file of written prompts. It ignores a last line truncated by a crash; any other unreadable
// line is an error that names it.
func Open(path string) (*Set, error) {
	text, err := kind().Read(path)
	if err != nil {
		return nil, err
	}
	s := &Set{Path: path, slots: map[slotKey]*slot{}}
	if _, err := s.read(text); err != nil {
		return nil, err
	}
	return s, nil
}

// Create creates a file of written prompts. It does not replace an existing file.
func Create(path string, header Header) (*Set, error) {
	header.Version = Version
	f, err := kind().Create(path, header)
	if err != nil {
		return nil, err
	}
	return &Set{Header: header, Path: path, file: f, slots: map[slotKey]*slot{}}, nil
}

// Change opens a file of written prompts for appending, by one process at a time. It removes a line
// truncated by a crash. If the file does not exist, or does not even have a complete first line, the error
// is of the kind [fs.ErrNotExist].
func Change(path string) (*Set, error) {
	s := &Set{Path: path, slots: map[slotKey]*slot{}}
	var err error
	if s.file, err = kind().Change(path, s.read); err != nil {
		return nil, err
	}
	return s, nil
}

// read folds the complete lines of a file, and returns their length in bytes.
func (s *Set) read(text []byte) (whole int, err error) {
	return lines.Each(s.Path, text, func(n int, line []byte) error {
		if err := s.readLine(n, line); err != nil {
			return fmt.Errorf("%s:%d: %w; fix or delete the line (each is a separate event), or continue from a copy", s.Path, n, err)
		}
		return nil
	})
}

func (s *Set) readLine(n int, line []byte) error {
	decode := func(v any) error {
		if err := lines.Decode(line, v); err != nil {
			return fmt.Errorf("it is not a line of a prompts file: %w", err)
		}
		return nil
	}
	if n == 1 {
		if err := decode(&s.Header); err != nil {
			return err
		}
		if s.Header.Version != Version {
			return fmt.Errorf("\"assay_prompts\" is %d, but this version reads %d", s.Header.Version, Version)
		}
		return nil
	}
	var ev event
	if err := decode(&ev); err != nil {
		return err
	}
	return s.apply(ev)
}

// add folds an event and appends it to the file; if writing fails, the event does not count.
func (s *Set) add(ev event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return ErrReadOnly
	}
	line, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	if err := s.apply(ev); err != nil {
		return err
	}
	if err := lines.Append(s.file, line); err != nil {
		return errors.Join(fmt.Errorf("it could not be written to %s: %w", s.Path, err), s.forget())
	}
	return nil
}

// forget reloads the file after something could not be written.
func (s *Set) forget() error {
	text, err := disk.ReadFile(s.Path, disk.Table)
	if err != nil {
		return err
	}
	fresh := &Set{Path: s.Path, slots: map[slotKey]*slot{}}
	whole, err := fresh.read(text[:lines.Ended(text)]) // a line without a line break does not count
	if err != nil {
		return err
	}
	s.slots, s.order = fresh.slots, fresh.order
	return lines.Cut(s.file, whole)
}

// Close closes the file and releases it for others.
func (s *Set) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	return err
}

// Propose stores a candidate as the next one for its place.
func (s *Set) Propose(c Candidate) error {
	s.mu.Lock()
	c.Number = 1
	if at := s.slots[slotKey{c.Task, c.Level, c.Wording}]; at != nil {
		for n := range at.decisions {
			c.Number = max(c.Number, n+1)
		}
		c.Number = max(c.Number, at.current().Number+1)
	}
	s.mu.Unlock()
	return s.add(event{Candidate: &c})
}

// Decide stores a decision about the current candidate for a place.
func (s *Set) Decide(d Decision) error {
	if d.Number == 0 {
		s.mu.Lock()
		if at := s.slots[slotKey{d.Task, d.Level, d.Wording}]; at != nil {
			d.Number = at.current().Number
		}
		s.mu.Unlock()
	}
	return s.add(event{Decision: &d})
}

// KeepDraft stores what a reviewer has edited so far.
func (s *Set) KeepDraft(d Draft) error { return s.add(event{Draft: &d}) }

// Drop removes the last candidate for a place: the previous one, with the decisions about it, counts again.
func (s *Set) Drop(e Entry, by string, at time.Time) error {
	c := e.Candidate
	return s.add(event{Dropped: &Dropped{Task: c.Task, Level: c.Level, Wording: c.Wording, Number: c.Number, By: by, At: at}})
}
