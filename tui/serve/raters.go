package serve

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"assay/session/overlap"
	"assay/tui/frame"
	screens "assay/tui/overlap"
	"assay/tui/work/viewer"
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

// rating are the words of a form of ratings.
var rating = formWords{press: "r", does: "rate", title: "Ratings", thing: "answer", done: "rated",
	first: "finish your sessions first: among the answers are some of tasks that are ahead of you"}

// Rater is the form of one of the raters; nil if nobody of that name is.
func (r *Ratings) Rater(name string, opts viewer.Options) *Form {
	if !slices.Contains(r.names(), name) {
		return nil
	}
	return &Form{words: rating, name: name, count: &r.Open, look: func() filled { return r.look(name) },
		make: func() (frame.Screen, error) {
			return screens.NewRating(screens.RatingOptions{File: r.file, Rater: name, Now: r.now, Work: opts}), nil
		}}
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

// look reads how far a rater is. It may wait for what others write.
func (r *Ratings) look(name string) (at filled) {
	r.file.Look(func(s *overlap.Set) {
		at.what = s.Header.Name
		for _, p := range s.Progress() {
			if p.Rater == name {
				at.done, at.all, at.begun = p.Whole, p.Items, p.Whole+p.Begun > 0
			}
		}
		if c := s.Closed(); c != nil {
			at.ended = fmt.Sprintf("; closed by %s on %s: nothing is rated any more. Thank you.", c.By, c.At.Format("2006-01-02"))
		}
		if err := s.MayRate(name); err != nil {
			at.impossible = err.Error()
		}
	})
	return at
}
