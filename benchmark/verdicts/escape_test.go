package verdicts

import (
	"testing"
	"unicode/utf8"
)

func TestStripEscapes(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a\tb\nc", "a\tb\nc"},
		{"colour", "\x1b[31mred\x1b[0m", "red"},
		{"clear the screen", "\x1b[2J\x1b[Hx", "x"},
		{"window title", "a\x1b]0;title\x07b", "ab"},
		{"clipboard, OSC 52", "a\x1b]52;c;aGk=\x1b\\b", "ab"},
		{"C1 CSI", "a\u009b31mb", "ab"},
		{"raw C1 byte", "a\x9b31mb", "a\ufffd31mb"},
		{"unterminated string keeps the rest", "a\x1b]0;rest", "a0;rest"},
		{"carriage return", "100%\rdone\r\nx", "100%\ndone\nx"},
		{"bell, backspace, delete", "a\a\b\x7fb", "ab"},
		{"character set", "a\x1b(0b", "ab"},
		{"right-to-left override", "a\u202eb", "ab"},
		{"accents stay", "naïve ✓", "naïve ✓"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := StripEscapes(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzStripEscapes(f *testing.F) {
	f.Add("\x1b[31mred\x1b]0;t\x07\u009b1m\r\x9d")
	f.Fuzz(func(t *testing.T, in string) {
		out := StripEscapes(in)
		if !utf8.ValidString(out) {
			t.Errorf("%q is no UTF-8", out)
		}
		for _, r := range out {
			if r != '\n' && r != '\t' && (r < 0x20 || r >= 0x7f && r < 0xa0) {
				t.Errorf("%U left in %q", r, out)
			}
		}
		if again := StripEscapes(out); again != out {
			t.Errorf("not stable: %q, then %q", out, again)
		}
	})
}
