package cli

import (
	"errors"
	"fmt"
	"strings"

	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/serve"
)

// plannedRatings are what is to be said of a file of ratings that is served.
type plannedRatings struct{ name, says string }

// shareRatings opens a file of ratings for all its raters at a time. One that is closed is
// given back at once: it can be settled while raters look at it.
func shareRatings(path string, door *serve.Door) (f *overlap.File, p plannedRatings, err error) {
	if f, err = overlap.Change(path); err != nil {
		return nil, p, err
	}
	var h overlap.Header
	var closed *overlap.Closed
	f.Look(func(s *overlap.Set) { h, closed = s.Header, s.Closed() })
	strangers, able := knownRaters(h.Raters, door)
	switch {
	case h.Rater != "":
		err = fmt.Errorf("%s is the file of %s alone: serve the file of all raters that it was split from, or send it to %[2]s, who types 'assay ratings rate %[1]s'", path, h.Rater)
	case able == 0:
		err = fmt.Errorf("none of the raters of %s could come in: type 'assay serve invite %s', or write their public keys into the file of keys", path, strings.Join(h.Raters, " "))
	}
	if err != nil {
		return nil, p, errors.Join(err, f.Close())
	}
	p.name = h.Name
	says := fmt.Sprintf("%d raters rate %d answers; 'assay ratings status %s' says how far they are\n", len(h.Raters), len(h.Items), path)
	if closed != nil {
		says = fmt.Sprintf("%s was closed by %s on %s: raters see that, and rate nothing\n", path, closed.By, closed.At.Format("2006-01-02"))
		err = f.Close()
	}
	if closed == nil && len(strangers) > 0 {
		says += fmt.Sprintf("without a key or an invitation: %s\n", strings.Join(strangers, ", "))
	}
	for line := range strings.Lines(says) {
		p.says += frame.OneLine(line) + "\n"
	}
	return f, p, err
}

// knownRaters are the raters that cannot come in, and how many can.
func knownRaters(raters []string, door *serve.Door) (strangers []string, able int) {
	for _, name := range raters {
		if !door.Knows(name) {
			strangers = append(strangers, name)
		}
	}
	return strangers, len(raters) - len(strangers)
}
