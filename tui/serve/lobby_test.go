package serve

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
)

// aDesk is one that nobody goes to.
type aDesk struct{ Desk }

// What a guest is told of a form, and a tester who has forms, too.
func TestFormsAreTold(t *testing.T) {
	ahead := Standing{Part: 1, Parts: 2}
	ratings, estimates := []*Form{{words: rating}}, []*Form{{words: estimating}}
	for want, l := range map[string]*lobby{
		"Ratings: 0 of 4 answers rated: r begins.":                   {known: true, forms: ratings, filled: []filled{{all: 4}}},
		"Ratings: 1 of 4 answers rated: r goes on.":                  {known: true, forms: ratings, filled: []filled{{done: 1, all: 4, begun: true}}},
		"✓ Ratings: 4 of 4 answers rated: r goes back to them.":      {known: true, forms: ratings, filled: []filled{{done: 4, all: 4, begun: true}}},
		"– Ratings: 0 of 0 answers rated: it is not known yet where": {forms: ratings, filled: []filled{{all: 1}}},
		"– Ratings: 0 of 4 answers rated: finish your sessions":      {known: true, desk: aDesk{}, at: ahead, forms: ratings, filled: []filled{{all: 4}}},
		"– Ratings: 2 of 4 answers rated: the file is gone":          {known: true, desk: aDesk{}, at: ahead, forms: ratings, filled: []filled{{done: 2, all: 4, impossible: "the file is gone"}}},
		"– Ratings: 2 of 4 answers rated; closed yesterday: nothing": {known: true, forms: ratings, filled: []filled{{done: 2, all: 4, ended: "; closed yesterday: nothing"}}},
		"Estimates: 0 of 1 task estimated: e begins.":                {known: true, forms: estimates, filled: []filled{{all: 1}}},
		"✓ Estimates: 2 of 3 tasks estimated: you have handed in.":   {known: true, forms: estimates, filled: []filled{{done: 2, all: 3, byGuest: true, ended: ": you have handed in.", impossible: "ann has already handed in"}}},
	} {
		var said []string
		l.sayForm(0, func(text string) { said = append(said, ansi.Strip(text)) }, frame.NewTheme(true, false))
		if len(said) != 1 || !strings.HasPrefix(said[0], want) {
			t.Errorf("%q, want %q", said, want)
		}
	}
}
