package overlap

import (
	"errors"

	"assay/data/lines"
)

// File is a set opened for appending.
type File = lines.Log[Event, *Set]

// errGone is returned when adding to a closed file.
var errGone = errors.New("the ratings file is closed")

func files() lines.Files[Header, Event, *Set] {
	return lines.Files[Header, Event, *Set]{
		Kind: lines.Kind{
			Name: "file of ratings", Begin: "; 'assay rate plan' makes one",
			Taken: "another assay has these ratings open: end it first, have the raters come to it over SSH ('assay serve --ratings'), or plan one file for each rater (--split)",
		},
		New: func(path string, h Header) (*Set, error) {
			if err := h.Check(); err != nil {
				return nil, err
			}
			s := NewSet(h)
			s.Name = path
			return s, nil
		},
		Closed: errGone,
	}
}

// Open reads a file of ratings; see [lines.Files.Open].
func Open(path string) (*Set, error) { return files().Open(path) }

// Read reads the text of a file of ratings, called name in errors.
func Read(name string, text []byte) (*Set, error) { return files().Read(name, text) }

// Create creates a file of ratings without any. It does not replace an existing file.
func Create(path string, h Header) error { return files().Create(path, h) }

// Change opens a file of ratings for appending. It removes a line truncated by a crash.
func Change(path string) (*File, error) { return files().Change(path) }
