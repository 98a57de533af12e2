package frame

import "strings"

// Departure is what leaving the program now would mean for the work on a screen.
type Departure struct {
	Saving bool   // some of it is being saved
	Lost   []Loss // what is not saved
	Why    string // why it is not
	Means  string // what else leaving does, in sentences; empty where it does nothing
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
	Text string // all of it, to be put elsewhere; empty where there is none
}

// Departer is a screen with work that has to be saved before it is left.
type Departer interface{ Departure() Departure }

// SaveMsg asks the top screen to save now what is written on it.
type SaveMsg struct{}

// SuspendMsg tells the top screen that the program is about to be suspended.
type SuspendMsg struct{}
