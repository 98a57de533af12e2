package frame_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assay/tui/frame"
)

// A line that is broken loses nothing but the spaces at its end, fits, and says in every
// further row that it goes on.
func TestWrapCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(" {0,30}([a-z]{1,30}|é|界|1️⃣|👩‍👧|🏳️|[(),;. ]|\x1b\\[1m|\x1b\\[38;2;9;9;9m|\x1b\\[m)*").Draw(t, "line")
		width := rapid.IntRange(8, 60).Draw(t, "width")
		rows := frame.WrapCode(line, width)
		plain := ansi.Strip(strings.TrimRight(line, " "))
		indent := len(plain) - len(strings.TrimLeft(plain, " "))
		var all string
		for i, row := range rows {
			if w := ansi.StringWidth(row); w > width {
				t.Fatalf("row %d has %d columns of %d: %q", i, w, width, row)
			}
			text := ansi.Strip(row)
			if i > 0 {
				lead := strings.Repeat(" ", min(indent, width/2)) + frame.WrapMark
				if !strings.HasPrefix(text, lead) {
					t.Fatalf("row %d does not say that it goes on: %q", i, text)
				}
				text = strings.TrimPrefix(text, lead)
				if i < len(rows)-1 && text == "" {
					t.Fatalf("row %d is empty", i)
				}
			}
			all += text
		}
		if strings.TrimRight(all, " ") != strings.TrimRight(plain, " ") {
			t.Fatalf("%q became %q", plain, all)
		}
	})
}

func TestWrapCodeBreaks(t *testing.T) {
	for _, tc := range []struct {
		line  string
		width int
		want  string
	}{
		{"short", 20, "short"},
		{"    call(alpha, beta, gamma)", 20, "    call(alpha, \n    ↳ beta, gamma)"},
		{"abcdefghijklmnopqrstuvwxyz", 10, "abcdefghij\n↳ klmnopqr\n↳ stuvwxyz"},
		{"\x1b[1mabcdefghij\x1b[mklmnop", 8, "\x1b[1mabcdefgh\x1b[m\n↳ \x1b[1mij\x1b[mklmn\n↳ op"},
		{"f(x) → ['gloves,', '  leather']", 22, "f(x) → ['gloves,', '\n↳   leather']"}, // spaces are seen
	} {
		if got := strings.Join(frame.WrapCode(tc.line, tc.width), "\n"); got != tc.want {
			t.Errorf("%q in %d columns:\n%q, want\n%q", tc.line, tc.width, got, tc.want)
		}
	}
}

// Long lines are seen part by part, with a mark where they go on, and no further than they
// are long.
func TestPan(t *testing.T) {
	theme := frame.Theme{}
	theme.Sideways = true
	var p frame.Pan
	row := strings.Repeat("0123456789", 5)
	shown := func(want ...string) {
		t.Helper()
		for i, got := range p.Rows([]string{row, "short", ""}, 20, theme) {
			if ansi.Strip(got) != want[i] {
				t.Errorf("row %d is %q, want %q", i, got, want[i])
			}
		}
	}
	pressed := func(key string) (why string, taken bool) {
		_, why, taken = frame.Pressed(p.Keys(theme, func(string) {}), key)
		return why, taken
	}
	press := func(keys ...string) {
		for _, k := range keys {
			if why, taken := pressed(k); why != "" || !taken {
				t.Errorf("%s: %q", k, why)
			}
		}
	}
	shown("0123456789012345678›", "short", "")
	press(">")
	shown("‹789012345678901234›", "‹", "")
	press(">")
	shown("‹34567890123456789", "‹", "")
	press(">")
	shown("‹34567890123456789", "‹", "")
	press("<", "<", "<")
	shown("0123456789012345678›", "short", "")
	p.Show(40, 45, 20, theme)
	shown("‹34567890123456789", "‹", "")
	theme.Sideways = false
	if why, _ := pressed(">"); why == "" {
		t.Error("broken lines scroll sideways")
	}
	if got := p.Rows([]string{row}, 20, theme); got[0] != row {
		t.Errorf("a row is cut: %q", got)
	}
}
