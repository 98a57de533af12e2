package serve

import (
	"fmt"
	"sync/atomic"
	"time"

	"assay/session/estimate"
	screens "assay/tui/estimate"
	"assay/tui/frame"
)

// Estimates shares the file of a round among guests, who estimate at the same time over connections of their own. A round
// has a limited number of places; no guest sees the estimates of another.
type Estimates struct {
	Open atomic.Int64 // screens

	file *estimate.File
	now  func() time.Time
}

// NewEstimates shares a round among its estimators.
func NewEstimates(file *estimate.File, now func() time.Time) *Estimates {
	return &Estimates{file: file, now: now}
}

// estimating are the words of a form of estimates.
var estimating = formWords{press: "e", does: "estimate", title: "Estimates", thing: "task", done: "estimated",
	first: "finish your sessions first: their tasks may be among these"}

// Estimator is the form of a guest.
func (e *Estimates) Estimator(name string) *Form {
	return &Form{words: estimating, name: name, count: &e.Open, look: func() filled { return e.look(name) },
		make: func() (frame.Screen, error) {
			// who sees tasks has a place: it is taken before the screen is there
			if err := e.file.Take(name, e.now().UTC()); err != nil {
				return nil, err
			}
			return screens.New(screens.Options{File: e.file, Estimator: name, Now: e.now, Shared: true}), nil
		}}
}

// look reads how far an estimator is. It may wait for what others write.
func (e *Estimates) look(name string) (at filled) {
	e.file.Look(func(r *estimate.Round) {
		at.what = fmt.Sprintf("%s, round %d of estimation", r.Header.Benchmark, r.Header.Round)
		for _, entry := range r.For(name) {
			at.all++
			if entry.Given != nil {
				at.done++
			}
		}
		at.begun = r.Last(name) != ""
		if at.byGuest = r.Submitted(name); at.byGuest {
			at.ended = ": you have handed in. Thank you."
		}
		if err := r.Place(name); err != nil {
			at.impossible = err.Error()
		}
	})
	return at
}

// estimated is how far an estimator is, and nothing of what they estimate.
type estimated struct {
	name      string
	done, all int
	submitted bool
	last      time.Time // when they wrote last
}

// progress returns how far the estimators are.
func (e *Estimates) progress() (list []estimated) {
	e.file.Look(func(r *estimate.Round) {
		for _, name := range r.Estimators() {
			given := r.Given(name)
			at := estimated{name: name, done: len(given), all: len(r.For(name)), submitted: r.Submitted(name)}
			for _, g := range given {
				if g.At.After(at.last) {
					at.last = g.At
				}
			}
			list = append(list, at)
		}
	})
	return list
}
