package frame

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// However long the paths in a message are, its reason is shown in the rows that there are, and the name of the file as
// far as there is room; a message that fits stays as it is.
func TestReasonsAreShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := func() string {
			return strings.Repeat(rapid.SampledFrom([]string{"/folder", `C:\\users\\some`, "/größe", "/数据"}).Draw(t, "folder"), rapid.IntRange(1, 45).Draw(t, "depth")) + "/name.toml"
		}
		reason := rapid.SampledFrom([]string{"permission denied", "no space left on device", "the file was changed meanwhile"}).Draw(t, "reason")
		text := rapid.SampledFrom([]string{"✗ the report was not written: open PATH: REASON", "✗ PATH: REASON", "✗ clock = true is not kept in PATH: rename PATH PATH: REASON", "✗ saving the filter: create PATH: REASON"}).Draw(t, "message")
		for strings.Contains(text, "PATH") {
			text = strings.Replace(text, "PATH", path(), 1)
		}
		text = strings.Replace(text, "REASON", reason, 1)
		width, most := rapid.SampledFrom([]int{60, 80, 120}).Draw(t, "width"), rapid.IntRange(1, 4).Draw(t, "rows")
		rows := Notice(text, lipgloss.NewStyle(), width, most)
		var shown []string
		for _, row := range rows {
			if Width(row) > width {
				t.Fatalf("%d columns: %q", Width(row), row)
			}
			shown = append(shown, strings.TrimSpace(ansi.Strip(row)))
		}
		if got := strings.Join(shown, " "); len(rows) > most || !strings.Contains(got, reason) || !strings.HasPrefix(got, "✗ ") {
			t.Fatalf("%q is shown as %q", text, got)
		}
		if whole := Wrap(text, width-2); strings.Count(whole, "\n") < most && strings.Join(shown, " ") != strings.Join(strings.Split(whole, "\n"), " ") {
			t.Fatalf("%q is shown as %q", text, strings.Join(shown, " "))
		}
	})
}
