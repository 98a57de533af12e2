package terminal

import (
	"strings"
	"testing"
)

func TestTamed(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("1;", 60), ";")
	for name, c := range map[string]struct{ in, want string }{
		"keys":              {"a\x1b[1;5A\x1b[200~1;2;3\x1b[201~", "a\x1b[1;5A\x1b[200~1;2;3\x1b[201~"},
		"a long sequence":   {"a\x1b[" + long + "mb", "a\x1b[" + long[:2*mostParameters-1] + "mb"},
		"a device's":        {"\x1bP" + long + "q", "\x1bP" + long[:2*mostParameters-1] + "q"},
		"of eight bits":     {"\x9b" + long + "m", "\x9b" + long[:2*mostParameters-1] + "m"},
		"a table is pasted": {"x" + long + "\n", "x" + long + "\n"},
		"after a letter":    {"ś" + long, "ś" + long}, // 0xc5 0x9b
	} {
		for _, piece := range []int{1, 3, len(c.in)} { // it comes in pieces
			one := &tamed{}
			var got strings.Builder
			for rest := []byte(c.in); len(rest) > 0; {
				n := min(piece, len(rest))
				part := append([]byte{}, rest[:n]...)
				got.Write(part[:one.tame(part)])
				rest = rest[n:]
			}
			if got.String() != c.want {
				t.Errorf("%s in pieces of %d: %q, not %q", name, piece, got.String(), c.want)
			}
		}
	}
}
