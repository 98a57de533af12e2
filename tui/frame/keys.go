package frame

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Key is one key that a screen offers.
type Key struct {
	Press string // as it is shown: "ctrl+s", "1-5", "↑↓"
	Does  string // a verb or two
	Why   string // why it does nothing now; empty when it works
	More  bool   // listed on the help page only
}

// keyLine draws the keys of the footer, as many as fit, in order. Keys that do
// nothing now are left to the help page, which says why.
func keyLine(keys []Key, width int, theme Theme) string {
	var b strings.Builder
	used := 0
	for _, k := range keys {
		if k.More || k.Why != "" {
			continue
		}
		sep := 2
		if used == 0 {
			sep = 1
		}
		w := sep + ansi.StringWidth(k.Press) + 1 + ansi.StringWidth(k.Does)
		if used+w > width {
			break
		}
		used += w
		b.WriteString(strings.Repeat(" ", sep) + theme.Accent.Render(k.Press) + " " + k.Does)
	}
	return b.String()
}

// HelpPage lists every key of a page with what it does, or why it does nothing.
func HelpPage(p Page, size Size, theme Theme) string {
	var b strings.Builder
	b.WriteString("\n " + theme.Strong.Render("Keys") + "\n\n")
	width := 0
	for _, k := range p.Keys {
		width = max(width, ansi.StringWidth(k.Press))
	}
	for _, k := range p.Keys {
		pad := strings.Repeat(" ", width-ansi.StringWidth(k.Press))
		line := "   " + theme.Accent.Render(k.Press) + pad + "   " + k.Does
		if k.Why != "" {
			line = "   " + theme.Dim.Render(k.Press+pad+"   "+k.Does+": not now, "+k.Why)
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("\n   " + theme.Accent.Render("ctrl+c") + "  leave; everything is saved\n")
	return b.String()
}

// Refused finds the reason why the key that is shown as press does nothing now.
func Refused(keys []Key, press string) string {
	for _, k := range keys {
		if k.Why != "" && k.Press == press {
			return k.Press + ": " + k.Why
		}
	}
	return ""
}
