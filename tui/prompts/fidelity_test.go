package prompts

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assay/data/markdowntest"
	"assay/tui/diff"
	"assay/tui/frame"
)

// Nothing of a wording or its original is lost where they are compared.
func TestNothingIsLost(t *testing.T) {
	style := frame.NewTheme(true, true).Good
	markdowntest.Check(t, 200, func(t *rapid.T, source string) {
		text := [2]string{frame.Plain(source), frame.Plain(markdowntest.Text(t))}
		runs := diff.Words(text[0], text[1])
		for i, own := range []diff.Kind{diff.Gone, diff.New} {
			drawn := strings.Join(marked(runs, own, style, rapid.IntRange(20, 80).Draw(t, "width")), "\n")
			if err := markdowntest.Kept(text[i], ansi.Strip(drawn)); err != nil {
				t.Fatal(err)
			}
		}
	})
}
