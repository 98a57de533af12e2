package lines

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"assay/data/disk"
)

// State is the fold of a file's events. Apply returns an error for an impossible event, which changes
// nothing.
type State[E any] interface{ Apply(E) error }

// Files is a kind of file whose first line is a header and whose other lines are events.
type Files[H, E any, S State[E]] struct {
	Kind
	// returns the state before the first event, or an error if the header is invalid
	New    func(path string, h H) (S, error)
	Closed error // the error of appending to a closed file
}

// Open reads a file. It ignores a last line truncated by a crash; any other unreadable line is an error
// that names it.
func (k Files[H, E, S]) Open(path string) (S, error) {
	text, err := k.Kind.Read(path)
	if err != nil {
		var none S
		return none, err
	}
	return k.Read(path, text)
}

// Read is Open for a text, called path in errors.
func (k Files[H, E, S]) Read(path string, text []byte) (S, error) {
	s, _, err := k.fold(path, text)
	return s, err
}

// Create creates a file without events. It does not replace an existing file.
func (k Files[H, E, S]) Create(path string, h H) error {
	if _, err := k.New(path, h); err != nil {
		return err
	}
	f, err := k.Kind.Create(path, h)
	if err != nil {
		return err
	}
	return f.Close()
}

// View is Open for a log to which nothing can be added.
func (k Files[H, E, S]) View(path string) (*Log[E, S], error) {
	s, err := k.Open(path)
	if err != nil {
		return nil, err
	}
	return &Log[E, S]{Path: path, closed: k.Closed, state: s}, nil
}

// Change opens a file for appending. It removes a line truncated by a crash.
func (k Files[H, E, S]) Change(path string) (*Log[E, S], error) {
	l := &Log[E, S]{Path: path, fold: k.fold, closed: k.Closed}
	var err error
	l.file, err = k.Kind.Change(path, func(text []byte) (whole int, err error) {
		l.state, whole, err = k.fold(path, text)
		return whole, err
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// fold folds the complete lines of a file and returns their length in bytes.
func (k Files[H, E, S]) fold(path string, text []byte) (s S, whole int, err error) {
	whole, err = Fold(k.Kind, path, text, func(h H) (err error) {
		s, err = k.New(path, h)
		return err
	}, func(ev E) error { return s.Apply(ev) })
	return s, whole, err
}

// Log is a file opened for appending by this process only, or for reading. It is safe for concurrent use.
type Log[E any, S State[E]] struct {
	Path string

	fold   func(path string, text []byte) (S, int, error)
	closed error

	mu    sync.Mutex
	state S
	file  *os.File // nil after Close and for reading
}

// Add applies events and appends them to the file. They are on disk when Add returns; if writing fails,
// they do not count.
func (l *Log[E, S]) Add(events ...E) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return l.closed
	}
	var text [][]byte
	for i, ev := range events {
		line, err := json.Marshal(ev)
		if err == nil {
			err = l.state.Apply(ev)
		}
		if err != nil {
			if i > 0 {
				err = errors.Join(err, l.forget())
			}
			return err
		}
		text = append(text, line)
	}
	if len(text) == 0 {
		return nil
	}
	if err := Append(l.file, text...); err != nil {
		return errors.Join(fmt.Errorf("it could not be written to %s: %w", l.Path, err), l.forget())
	}
	return nil
}

// forget reloads the file after something could not be written.
func (l *Log[E, S]) forget() error {
	text, err := disk.ReadFile(l.Path, disk.Table)
	if err != nil {
		return err
	}
	s, whole, err := l.fold(l.Path, text[:ended(text)]) // a line without a line break does not count
	if err != nil {
		return err
	}
	l.state = s
	return cut(l.file, whole)
}

// Look calls at with the state, which at must neither change nor keep.
func (l *Log[E, S]) Look(at func(S)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at(l.state)
}

// Close releases the file for other processes.
func (l *Log[E, S]) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}
