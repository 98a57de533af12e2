package serve

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
)

// aDesk is one that nobody goes to.
type aDesk struct{ Desk }

// What a rater is told of the rating, and a tester who rates, too.
func TestRatingsAreTold(t *testing.T) {
	ahead := Standing{Part: 1, Parts: 2}
	for want, l := range map[string]*lobby{
		"Ratings: 0 of 4 answers rated: r begins.":                   {known: true, rated: rated{all: 4}},
		"Ratings: 1 of 4 answers rated: r goes on.":                  {known: true, rated: rated{done: 1, all: 4, begun: true}},
		"✓ Ratings: 4 of 4 answers rated: r goes back to them.":      {known: true, rated: rated{done: 4, all: 4, begun: true}},
		"– Ratings: 0 of 1 answer rated: it is not known yet where":  {rated: rated{all: 1}},
		"– Ratings: 0 of 4 answers rated: finish your sessions":      {known: true, desk: aDesk{}, at: ahead, rated: rated{all: 4}},
		"– Ratings: 2 of 4 answers rated: the file is gone":          {known: true, desk: aDesk{}, at: ahead, rated: rated{done: 2, all: 4, impossible: "the file is gone"}},
		"– Ratings: 2 of 4 answers rated; closed yesterday: nothing": {known: true, rated: rated{done: 2, all: 4, closed: "yesterday"}},
	} {
		var said []string
		l.sayRatings(func(text string) { said = append(said, ansi.Strip(text)) }, frame.NewTheme(true, false))
		if len(said) != 1 || !strings.HasPrefix(said[0], want) {
			t.Errorf("%q, want %q", said, want)
		}
	}
}
