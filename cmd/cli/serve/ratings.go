package serve

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/cmd/cli/rate"
	"assay/data/program"
	"assay/session/estimate"
	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/serve"
)

// plannedRatings describes a served file of ratings.
type plannedRatings struct{ name, says string }

// shareRatings opens a file of ratings for all its raters. A closed one is released at once, so that it can
// be adjudicated while raters look at it.
func shareRatings(path string, door *serve.Door) (f *overlap.File, p plannedRatings, err error) {
	if f, err = overlap.Change(path); err != nil {
		return nil, p, err
	}
	var h overlap.Header
	var closed *overlap.Closed
	f.Look(func(s *overlap.Set) { h, closed = s.Header, s.Closed() })
	r := knownRaters(h.Raters, door)
	switch {
	case h.Rater != "":
		err = fmt.Errorf("%s holds only the ratings of %s: serve the file of all raters that it was split from, or send it to %[2]s, who runs 'assay rate answers %[1]s'", program.Word(path), h.Rater)
	case r.able == 0:
		err = fmt.Errorf("none of the raters of %s could connect: %s", path, strings.Join(r.hints(), "; "))
	}
	if err != nil {
		return nil, p, errors.Join(err, f.Close())
	}
	p.name = h.Name
	says := fmt.Sprintf("%d raters rate %d answers; 'assay rate status %s' shows their progress\n", len(h.Raters), len(h.Items), program.Word(path))
	if closed != nil {
		says = fmt.Sprintf("%s was closed by %s on %s: raters see that, and rate nothing\n", path, closed.By, closed.At.Format("2006-01-02"))
		err = f.Close()
	}
	if closed == nil && len(r.strangers) > 0 {
		says += fmt.Sprintf("without a key or an invitation: %s\n", strings.Join(r.strangers, ", "))
	}
	if closed == nil {
		for _, why := range r.impossible {
			says += why + "\n"
		}
	}
	for line := range strings.Lines(says) {
		p.says += frame.OneLine(line) + "\n"
	}
	return f, p, err
}

// shareRound opens a round of estimation for all its estimators, and says how far it is.
func shareRound(path string) (f *estimate.File, says string, err error) {
	if f, err = estimate.Change(path); err != nil {
		return nil, "", err
	}
	f.Look(func(r *estimate.Round) {
		taken := len(r.Estimators())
		says = fmt.Sprintf("%s of %s, for %s of each; %d have begun; 'assay difficulty status %s' shows more\n", frame.Count(len(r.Header.Items), "task"), frame.OneLine(r.Header.Benchmark), frame.Count(r.Header.Estimators, "estimate"), taken, program.Word(path))
	})
	return f, says, nil
}

// raterNames classifies raters by whether they can connect.
type raterNames struct {
	able       int      // number that can
	strangers  []string // have neither a key nor an invitation
	impossible []string // why others cannot get one
}

// knownRaters classifies the raters.
func knownRaters(raters []string, door *serve.Door) (r raterNames) {
	for _, name := range raters {
		switch {
		case door.Knows(name):
			r.able++
		case serve.CheckName(name) == nil:
			r.strangers = append(r.strangers, name)
		}
	}
	r.impossible = rate.UnservedRaters(raters)
	return r
}

// hints explain how the others can get access.
func (r *raterNames) hints() []string {
	if len(r.strangers) == 0 {
		return r.impossible
	}
	invite := fmt.Sprintf("type 'assay serve invite %s', or write their public keys into the file of keys", program.Line(r.strangers...))
	if slices.ContainsFunc(r.strangers, func(name string) bool { return strings.HasPrefix(name, "-") }) {
		invite = strings.Replace(invite, "invite ", "invite -- ", 1)
	}
	return append([]string{invite}, r.impossible...)
}
