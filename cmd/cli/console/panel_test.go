package console

import (
	"strings"
	"testing"
)

// A panel leaves the last column and the last row of a terminal free, since lines after wrapping or
// scrolling would never be erased.
func TestPanelFitsTheTerminal(t *testing.T) {
	var out strings.Builder
	p := &Panel{out: &out, terminal: true} // 80×24, since it is no file
	p.Show(append([]string{strings.Repeat("x", 100)}, make([]string, 30)...))
	if want := strings.Repeat("x", 78) + "…" + strings.Repeat("\n", 23); out.String() != want {
		t.Errorf("drawn is %q, want %q", out.String(), want)
	}
	out.Reset()
	p.Say("a line that stays")
	if got := out.String(); !strings.HasPrefix(got, "\r\x1b[23A\x1b[J\r\x1b[Ka line that stays\nxxx") {
		t.Errorf("said is %q", got)
	}
	out.Reset()
	if p.End(); out.String() != "\r\x1b[23A\x1b[J" {
		t.Errorf("at the end %q is written", out.String())
	}
}
