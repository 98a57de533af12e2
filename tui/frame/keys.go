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

// CommandsKey opens the list of all commands.
var CommandsKey = Key{Press: "ctrl+p", Does: "commands"}

// placedKey is a key where the footer shows it.
type placedKey struct {
	Key
	from, to int // columns
}

// placeKeys chooses the keys of the footer, as many as fit, in order. Keys that do
// nothing now are left to the help page, which says why.
func placeKeys(keys []Key, width int) []placedKey {
	wide := func(k Key) int { return ansi.StringWidth(k.Press) + 1 + ansi.StringWidth(k.Does) }
	reserved := 0
	for _, k := range keys {
		if k.Help {
			reserved += 2 + wide(k)
		}
	}
	var placed []placedKey
	used := -1 // the first gap is one column, not two
	for _, k := range keys {
		if k.More || k.Why != "" {
			continue
		}
		w := 2 + wide(k)
		if k.Help {
			reserved -= w
		} else if used+w+reserved > width {
			continue
		}
		used += w
		placed = append(placed, placedKey{k, used - w + 2, used})
	}
	return placed
}

// keyLine draws the keys of the footer.
func keyLine(keys []Key, width int, theme Theme) string {
	line, at := "", 0
	for _, k := range placeKeys(keys, width) {
		line += strings.Repeat(" ", k.from-at) + theme.Accent.Render(k.Press) + " " + k.Does
		at = k.to
	}
	return line
}

// KeyAt is the key that stands in a column of a page's footer, as the legend writes it:
// of an entry for several keys the one that is pointed at. It is empty where there is none.
func KeyAt(p Page, column, width int) string {
	for _, k := range placeKeys(p.Keys, legendWidth(p, width)) {
		if column < k.from || column >= k.to {
			continue
		}
		names := Presses(k.Press)
		if len(names) > 1 && strings.Contains(k.Press, "-") && !strings.ContainsAny(k.Press, " +") {
			return "" // a range does not show all of its keys
		}
		at := k.from
		for _, name := range names {
			if len(names) == 1 {
				return name
			}
			shown := ShownKey(name)
			to := at + ansi.StringWidth(shown)
			if column < to && column >= at {
				return name
			}
			at = to
			if strings.Contains(k.Press, " ") {
				at++
			}
		}
	}
	return ""
}

// HelpPage lists every key of a page with what it does, or why it does nothing, from a
// row on, and which rows those are. Last is the greatest row that it makes sense to begin
// with, 0 where all of it finds room.
func HelpPage(p Page, size Size, theme Theme, from int) (text, seen string, last int) {
	width := 0
	for _, k := range p.Keys {
		width = max(width, ansi.StringWidth(k.Press))
	}
	rows := []string{"", " " + theme.Strong.Render("Keys"), ""}
	add := func(press, does string, dim bool) {
		pad := strings.Repeat(" ", max(0, width-ansi.StringWidth(press)))
		for i, line := range strings.Split(Wrap(does, size.Width-width-7), "\n") {
			switch left := "   " + strings.Repeat(" ", width+3); {
			case i > 0 && dim:
				rows = append(rows, left+theme.Dim.Render(line))
			case i > 0:
				rows = append(rows, left+line)
			case dim:
				rows = append(rows, "   "+theme.Dim.Render(press+pad+"   "+line))
			default:
				rows = append(rows, "   "+theme.Accent.Render(press)+pad+"   "+line)
			}
		}
	}
	for _, k := range p.Keys {
		if k.Why != "" {
			add(k.Press, k.Does+": not now, "+k.Why, true)
		} else {
			add(k.Press, k.Does, false)
		}
	}
	add("ctrl+c", "leave; everything is saved", false)
	if len(rows) > size.Height {
		rows = rows[2:] // the heading is the first to make room
	}
	last = max(0, len(rows)-size.Height)
	from = max(0, min(from, last))
	return strings.Join(rows[from:min(len(rows), from+size.Height)], "\n"), Position(from, size.Height, len(rows)), last
}

// Refused finds the reason why the key that is shown as press does nothing now.
func Refused(keys []Key, press string) string {
	for _, k := range keys {
		if k.Why != "" && k.Press == press {
			return "not now: " + k.Why
		}
	}
	return ""
}
