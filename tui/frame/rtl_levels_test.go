package frame

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/bidi"
	"pgregory.net/rapid"

	"assay/data/fatal"
)

// Each letter runs in the direction that the whole algorithm of x/text gives it, which
// tells directions but not the order of what is nested, and does not pair brackets.
func TestLevels(t *testing.T) {
	pieces := []string{"א", "ב", "ا", "ب", "a", "b", "1", "2", "٢", " ", ".", ",", "-", "+", "%", "$", ":", "/", "!", "é"}
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 14).Draw(rt, "pieces"), "")
		cells := cellsOf(text)
		levels := levelsOf(cells, direction(cells))
		var p bidi.Paragraph
		if _, err := p.SetString(text); err != nil {
			rt.Fatal(err)
		}
		order, err := p.Order()
		fatal.If(rt, err)
		for i := range order.NumRuns() {
			run := order.Run(i)
			from, to := run.Pos()
			for j := from; j <= to; j++ {
				if want := map[bidi.Direction]int{bidi.LeftToRight: 0, bidi.RightToLeft: 1}[run.Direction()]; levels[j]%2 != want {
					rt.Fatalf("%q: letter %d, %q, has level %d and should have a parity of %d; all: %v", text, j, cells[j].text, levels[j], want, levels)
				}
			}
		}
	})
}
