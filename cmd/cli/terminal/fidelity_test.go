package terminal

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assay/data/markdowntest"
	"assay/session/report/document"
	"assay/tui/markdown"
)

// Nothing of a prompt or an answer is lost where a report is printed on a terminal.
func TestNothingIsLost(t *testing.T) {
	markdowntest.Check(t, 200, func(t *rapid.T, source string) {
		d := document.New("Report", struct{}{})
		d.Section("s", "S").Passage("Answer", source)
		var text strings.Builder
		if err := d.Markdown(&text, false); err != nil {
			t.Fatal(err)
		}
		drawn := markdown.Page(document.Untagged(text.String()), markdown.Look{Width: 80, Dark: true, Color: rapid.Bool().Draw(t, "colour")})
		if err := markdowntest.Kept(document.Lines(source), ansi.Strip(drawn)); err != nil {
			t.Fatal(err)
		}
	})
}

// A heading in an answer begins no section of the report.
func TestHeadingInAnAnswer(t *testing.T) {
	const source = "Plan\n\n## Steps \\[x\\]\n\n- *one*\n"
	d := document.New("Report", struct{}{})
	d.Section("s", "S").Passage("Answer", source)
	var text strings.Builder
	if err := d.Markdown(&text, false); err != nil {
		t.Fatal(err)
	}
	drawn := ansi.Strip(markdown.Page(document.Untagged(text.String()), markdown.Look{Width: 80}))
	for line := range strings.Lines(strings.TrimSpace(source)) {
		if line = strings.TrimSpace(line); !strings.Contains(drawn, line) {
			t.Errorf("%q is not in\n%s", line, drawn)
		}
	}
}
