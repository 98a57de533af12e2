package frame_test

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
)

func TestFileLink(t *testing.T) {
	for path, want := range map[string]string{
		"/home/ann/a report.html": "file:///home/ann/a%20report.html",
		"/tmp/50%;x#y?z":          "file:///tmp/50%25;x%23y%3Fz",
		"/tmp/界":                  "file:///tmp/%E7%95%8C",
		"relative.html":           "",
		"/tmp/\x1b]8;;http://x\a": "",
		"/tmp/two\nlines":         "",
	} {
		got := frame.FileLink(path, lipgloss.NewStyle(), 200)
		_, rest, linked := strings.Cut(got, "\x1b]8;;")
		if linked != (want != "") || linked && !strings.HasPrefix(rest, want+"\a") && !strings.HasPrefix(rest, want+"\x1b\\") {
			t.Errorf("%q: %q, want a link to %q", path, got, want)
		}
		if ansi.Strip(got) != frame.OneLine(path) {
			t.Errorf("%q is shown as %q", path, ansi.Strip(got))
		}
	}
}
