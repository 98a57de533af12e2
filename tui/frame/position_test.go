package frame_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
)

func TestPosition(t *testing.T) {
	for _, tc := range []struct {
		first, height, rows int
		want                string
	}{
		{0, 20, 20, ""}, {0, 20, 3, ""}, {0, 20, 0, ""},
		{0, 20, 21, "1-20 of 21"}, {1, 20, 21, "2-21 of 21"}, {11, 23, 80, "12-34 of 80"}, {70, 20, 80, "71-80 of 80"},
	} {
		if got := frame.Position(tc.first, tc.height, tc.rows); got != tc.want {
			t.Errorf("%d rows from %d of %d: %q, want %q", tc.height, tc.first, tc.rows, got, tc.want)
		}
	}
}

// The position stands in the lower rule, and takes no row and no column of anything else.
func TestSeen(t *testing.T) {
	size := frame.Size{Width: 80, Height: 24}
	lines := strings.Split(frame.Draw(frame.Page{Seen: "12-34 of 80"}, size, frame.NewTheme(true, false)), "\n")
	if rule := lines[22]; !strings.HasSuffix(ansi.Strip(rule), "── 12-34 of 80 ──") || frame.Width(rule) != 80 {
		t.Errorf("the lower rule is %q", rule)
	}
	if len(lines) != 24 {
		t.Errorf("%d lines", len(lines))
	}
}
