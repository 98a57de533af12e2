package serve

import (
	"errors"
	"sync"
	"sync/atomic"

	"assay/tui/frame"
)

// Form is what one guest fills in beside sessions: ratings, or estimates, in a file that many guests write at a time.
type Form struct {
	words formWords
	name  string // the guest's
	look  func() filled
	make  func() (frame.Screen, error) // opens the screen; nothing stands in its way
	count *atomic.Int64                // of open screens of this kind

	mu   sync.Mutex // guards what follows
	open bool       // the screen
	left bool       // the guest is gone
}

// formWords are what the screens say of a kind of form.
type formWords struct {
	press, does string // its key
	title       string
	thing, done string // what is filled in: "answer", "rated"
	first       string // why a tester's sessions come before
}

// filled is how far a guest is with a form.
type filled struct {
	what       string // is filled in
	done, all  int
	begun      bool
	ended      string // what is said behind the count when nothing changes any more; "": it does
	byGuest    bool   // the guest has ended it
	impossible string // why nothing can be filled in
}

// screen opens the form.
func (f *Form) screen() (frame.Screen, error) {
	if why := f.look().impossible; why != "" {
		return nil, errors.New(why)
	}
	form, err := f.make()
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left {
		return nil, errors.New("the screens were closed")
	}
	if !f.open {
		f.open = true
		f.count.Add(1)
	}
	return form, nil
}

// Leave says that the guest has gone. A form that is being opened then is not opened any
// more. It may be called when nobody was at the form.
func (f *Form) Leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left = true
	f.close()
}

// closed says that the form is left; it may be opened again.
func (f *Form) closed() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.close()
}

// close takes the form off the count. The caller holds mu.
func (f *Form) close() {
	if f.open {
		f.open = false
		f.count.Add(-1)
	}
}
