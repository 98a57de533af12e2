package serve

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"assay/session/overlap"
	"assay/tui/frame"
	screens "assay/tui/overlap"
	"assay/tui/work"
)

// Ratings are a file of ratings in which its raters rate at a time, each by a connection of
// their own. Nobody is shown what another one rates.
type Ratings struct {
	Open atomic.Int64 // screens

	file *overlap.File
	now  func() time.Time
}

// NewRatings shares a file among its raters.
func NewRatings(file *overlap.File, now func() time.Time) *Ratings {
	return &Ratings{file: file, now: now}
}

// Rater is one of the raters; nil if nobody of that name is.
func (r *Ratings) Rater(name string, opts work.Options) *Rater {
	if !slices.Contains(r.names(), name) {
		return nil
	}
	return &Rater{ratings: r, name: name, opts: opts}
}

func (r *Ratings) names() (names []string) {
	r.file.Look(func(s *overlap.Set) { names = s.Header.Raters })
	return names
}

// progress returns how far the raters are, and nothing of what they rated.
func (r *Ratings) progress() (list []overlap.Progress, closed bool) {
	r.file.Look(func(s *overlap.Set) { list, closed = s.Progress(), s.Closed() != nil })
	return list, closed
}

// Rater is what one guest is to rate.
type Rater struct {
	ratings *Ratings
	name    string
	opts    work.Options

	mu   sync.Mutex // guards what follows
	open bool       // the screen
	left bool       // the guest is gone
}

// rated is how far a rater is.
type rated struct {
	what       string // is rated
	done, all  int
	begun      bool
	closed     string // when and by whom; "": it is not
	impossible string // why nothing can be rated
}

// look reads how far the rater is. It may wait for what others write.
func (r *Rater) look() (at rated) {
	r.ratings.file.Look(func(s *overlap.Set) {
		at.what = s.Header.Name
		for _, p := range s.Progress() {
			if p.Rater == r.name {
				at.done, at.all, at.begun = p.Whole, p.Items, p.Whole+p.Begun > 0
			}
		}
		if c := s.Closed(); c != nil {
			at.closed = fmt.Sprintf("by %s on %s", c.By, c.At.Format("2006-01-02"))
		}
		if err := s.MayRate(r.name); err != nil {
			at.impossible = err.Error()
		}
	})
	return at
}

// screen opens the form.
func (r *Rater) screen() (frame.Screen, error) {
	if why := r.look().impossible; why != "" {
		return nil, errors.New(why)
	}
	form := screens.NewRating(screens.RatingOptions{File: r.ratings.file, Rater: r.name, Now: r.ratings.now, Work: r.opts})
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return nil, errors.New("the screens were closed")
	}
	if !r.open {
		r.open = true
		r.ratings.Open.Add(1)
	}
	return form, nil
}

// Leave says that the rater has gone. A form that is being opened then is not opened any
// more. It may be called when nobody was at the form.
func (r *Rater) Leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = true
	r.close()
}

// closed says that the form is left; it may be opened again.
func (r *Rater) closed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.close()
}

// close takes the form off the count. The caller holds mu.
func (r *Rater) close() {
	if r.open {
		r.open = false
		r.ratings.Open.Add(-1)
	}
}
