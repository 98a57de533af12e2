package frame

import "strings"

// Departure describes the consequences of leaving the program now.
type Departure struct {
	Saving bool   // work is being saved
	Lost   []Loss // the work that is not saved
	Why    string // why it is not saved
	Means  string // other consequences, in sentences
}

// Losses names what is not saved.
func (d Departure) Losses() string {
	var what []string
	for _, l := range d.Lost {
		what = append(what, OneLine(l.What))
	}
	return strings.Join(what, "; ")
}

// Loss is a piece of work that is not saved.
type Loss struct {
	What string // "your prompt"
	Text string // its text, to be rescued; may be empty
}

// Departer is a screen with work that has to be saved before it is left.
type Departer interface{ Departure() Departure }

// SaveMsg asks the top screen to save its work now.
type SaveMsg struct{}

// SuspendMsg tells the top screen that the program is about to be suspended.
type SuspendMsg struct{}
