package frame_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assay/tui/frame"
)

func TestASCII(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", "✓ accepted ✗ … ‖ ▸ ─│█": "v accepted x . = > -|#", "Grüße, café": "Gru?e, cafe",
		"界": "??", "\x1b[1m▸\x1b[m": "\x1b[1m>\x1b[m", "e\u0301": "e",
	} {
		if got := frame.ASCII(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("[a-zé界✓─█…· \u0301👩‍🚀א]*").Draw(t, "text")
		got := frame.ASCII(text)
		if ansi.StringWidth(got) != ansi.StringWidth(text) {
			t.Fatalf("%q has %d columns, %q has %d", text, ansi.StringWidth(text), got, ansi.StringWidth(got))
		}
		for _, r := range got {
			if r >= 0x80 {
				t.Fatalf("%q became %q", text, got)
			}
		}
	})
}

func TestNeedsASCII(t *testing.T) {
	for _, tc := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, false}, {map[string]string{"LANG": "C"}, true}, {map[string]string{"LANG": "POSIX"}, true}, {map[string]string{"LANG": "de_DE.ISO-8859-1"}, true},
		{map[string]string{"LANG": "de_DE.UTF-8"}, false}, {map[string]string{"LANG": "C.utf8"}, false},
		{map[string]string{"LANG": "C", "LC_ALL": "C.UTF-8"}, false}, {map[string]string{"LANG": "C.UTF-8", "LC_CTYPE": "C"}, true},
	} {
		if got := frame.NeedsASCII(func(name string) string { return tc.env[name] }); got != tc.want {
			t.Errorf("%v: %v", tc.env, got)
		}
	}
}
