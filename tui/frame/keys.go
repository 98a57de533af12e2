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
	Help  bool   // opens the help page: it is shown however little room there is
}

// The keys that open the help page: where letters are commands, and where they
// are text.
var (
	HelpKey       = Key{Press: "?", Does: "keys", Help: true}
	HelpKeyTyping = Key{Press: "f1", Does: "keys", Help: true}
)

// keyLine draws the keys of the footer, as many as fit, in order. Keys that do
// nothing now are left to the help page, which says why.
func keyLine(keys []Key, width int, theme Theme) string {
	draw := func(k Key) string { return theme.Accent.Render(k.Press) + " " + k.Does }
	reserved := 0
	for _, k := range keys {
		if k.Help {
			reserved += 2 + ansi.StringWidth(draw(k))
		}
	}
	line, used := "", -1 // the first gap is one column, not two
	for _, k := range keys {
		if k.More || k.Why != "" {
			continue
		}
		w := 2 + ansi.StringWidth(draw(k))
		if k.Help {
			reserved -= w
		} else if used+w+reserved > width {
			continue
		}
		line += strings.Repeat(" ", min(2, used+2)) + draw(k)
		used += w
	}
	return line
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
