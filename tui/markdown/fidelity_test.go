package markdown

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assay/data/markdowntest"
	"assay/tui/frame"
)

// Nothing that a model wrote is lost: all its letters and digits are drawn, in order, and no row is wider than the
// screen. It holds for the whole text, while it streams, for the text as it came, and for a page of `assay help`.
func TestNothingIsLost(t *testing.T) {
	markdowntest.Check(t, 3000, func(t *rapid.T, source string) {
		look := Look{Width: rapid.SampledFrom([]int{24, 60, 80, 120}).Draw(t, "width"), Dark: true, Color: rapid.Bool().Draw(t, "colour"), Sideways: rapid.Bool().Draw(t, "sideways"), Verbatim: rapid.Bool().Draw(t, "verbatim")}
		check := func(how, source string, rows []string) {
			kept := markdowntest.Kept
			if look.Verbatim || how == "as it came" {
				kept = markdowntest.Verbatim
			}
			if err := kept(frame.Clean(source), ansi.Strip(strings.Join(rows, "\n"))); err != nil {
				t.Fatalf("%s: %v", how, err)
			}
			for _, row := range rows {
				if w := ansi.StringWidth(row); w > look.Width && !look.Sideways {
					t.Fatalf("%s: %d columns of %d: %q\n%q", how, w, look.Width, row, source)
				}
			}
		}
		check("whole", source, Blocks(source, look).Rows())
		if err := markdowntest.Has(frame.Clean(source), ansi.Strip(Page(source, look))); err != nil {
			t.Fatalf("a page: %v", err)
		}
		check("as it came", source, strings.Split(AsItCame(source, look.Width), "\n"))
		s := NewStream()
		s.Resize(look, 10_000)
		for at := 0; at < len(source); {
			at = min(len(source), at+rapid.IntRange(1, 200).Draw(t, "piece"))
			s.Feed(source[:at])
			check("streaming", source[:at], s.View())
		}
	})
}

// The parser takes the beginning of code for indentation where a tab follows the mark of a quote.
func TestCodeInAQuoteWithTabs(t *testing.T) {
	const source = ">\ta\n>\t ```\n>\t漢字\n>\t(a b) {\n>\t{ x\n>\t ```\n"
	if got, want := Render(source, Look{Width: 60}), " │ a\n │\n │  ▏ 漢字\n │  ▏ (a b) {\n │  ▏ { x"; ansi.Strip(got) != want {
		t.Errorf("%q is drawn\n%s", source, got)
	}
}
