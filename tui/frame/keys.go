package frame

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Key is a row of a screen's table of keys. The legend, the list of keys, the
// settings and the handling of a press all come from the same row.
type Key struct {
	Press string // as legends show it: "ctrl+s", "1-5", "↑↓"
	Does  string // a verb or two
	Why   string // why it does nothing now; empty when it works
	More  bool   // in the list of keys only
	Help  bool   // opens the list of keys: it is the last in every legend

	Each []string // what each of several keys does, for the list of keys; nil: Does has it, between commas
	Also string   // other keys for the same, as legends show them: they stand behind the row in the list of keys, and nowhere else

	Not func() string              // gives Why; nil for a key that always works
	Fit func(k *Key)               // adapts the row to the screen; a row without Press is left out
	Do  func() tea.Cmd             // what a press does
	Run func(press string) tea.Cmd // the same for a row of several keys; gets the one that was pressed
}

// now evaluates Fit and Not.
func (k Key) now() Key {
	if k.Fit != nil {
		k.Fit(&k)
	}
	if k.Not != nil && k.Why == "" {
		k.Why = k.Not()
	}
	return k
}

// Now evaluates a table: the rows that the screen has now, with the reasons of those that do
// nothing.
func Now(table []Key) []Key {
	keys := make([]Key, 0, len(table))
	for _, k := range table {
		if k = k.now(); k.Press != "" {
			keys = append(keys, k)
		}
	}
	return keys
}

// Pressed does what a table has for a key. Why tells why the key does nothing now; taken is false
// if no row handles the key.
func Pressed(table []Key, press string) (cmd tea.Cmd, why string, taken bool) {
	for _, row := range table {
		if row.Do == nil && row.Run == nil && row.Why == "" || !row.answers(press) {
			continue
		}
		switch k := row.now(); {
		case k.Press == "":
			continue
		case k.Why != "":
			return nil, "not now: " + k.Why, true
		case k.Do != nil:
			return k.Do(), "", true
		default:
			return k.Run(press), "", true
		}
	}
	return nil, "", false
}

// answers reports whether a press is one of the row's keys.
func (k Key) answers(press string) bool {
	return slices.Contains(Presses(k.Press), press) || slices.Contains(Presses(k.Also), press)
}

// Shares reports whether two rows have a key in common.
func (k Key) Shares(other Key) bool {
	return slices.ContainsFunc(Presses(other.Press+" "+other.Also), k.answers)
}

// Beside returns the action of the keys that go to what stands before or after: left and right, "[" and "]".
func Beside(walk func(step int)) func(press string) tea.Cmd {
	return func(press string) tea.Cmd {
		step := 1
		if press == "left" || press == "[" {
			step = -1
		}
		walk(step)
		return nil
	}
}

// Only turns a change of the screen into an action without a command.
func Only(change func()) func() tea.Cmd {
	return func() tea.Cmd {
		change()
		return nil
	}
}

// GoBack returns the action that leaves a screen.
func GoBack() tea.Cmd { return Back }

// Motions lists the rows for moving in a list or text besides the arrow keys, for the list of keys.
func Motions(move func(press string) tea.Cmd) []Key {
	return []Key{
		{Press: "pgup pgdn", Also: "space", Does: "by pages", More: true, Run: move},
		{Press: "ctrl+u ctrl+d", Does: "by half pages", More: true, Run: move},
		{Press: "home end", Also: "g G", Does: "first, last", More: true, Run: move},
	}
}

// Merged merges tables: each key once, with everything that it does.
func Merged(tables ...[]Key) []Key {
	var merged []Key
	at := map[string]int{}
	for _, k := range slices.Concat(tables...) {
		if k.Help {
			continue
		}
		for _, own := range Presses(k.Press + " " + k.Also) {
			i, known := at[own]
			if !known {
				i, at[own] = len(merged), len(merged)
				merged = append(merged, Key{Press: ShownKey(own)})
			}
			if does := merged[i].Does; does == "" {
				merged[i].Does = k.Does
			} else if !slices.Contains(strings.Split(does, "; "), k.Does) {
				merged[i].Does += "; " + k.Does
			}
		}
	}
	return merged
}

// HelpKey opens the list of keys: the one of its keys that is no text anywhere, so that all legends show the same.
var HelpKey = Key{Press: "f1", Does: "keys", Help: true}

// placedKey is a key with its place in the footer.
type placedKey struct {
	Key
	from, to int // columns
}

// placeKeys chooses as many keys for the footer as fit, in order, and the key of the help last. Keys that do nothing now
// are only in the list of keys, with the reason.
func placeKeys(keys []Key, width int) []placedKey {
	wide := func(k Key) int { return ansi.StringWidth(k.Press) + 1 + ansi.StringWidth(k.Does) }
	var placed []placedKey
	used, reserved := -1, 0 // the first gap is one column, not two
	place := func(k Key) {
		placed = append(placed, placedKey{k, used + 2, used + 2 + wide(k)})
		used += 2 + wide(k)
	}
	help := slices.IndexFunc(keys, func(k Key) bool { return k.Help })
	if help >= 0 {
		reserved = 2 + wide(keys[help])
	}
	for _, k := range keys {
		if !k.Help && !k.More && k.Why == "" && used+2+wide(k)+reserved <= width {
			place(k)
		}
	}
	if help >= 0 {
		place(keys[help])
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

// KeyAt returns the name of the key in a column of a page's footer, of an entry for several keys the
// one at that column; "" if there is none.
func KeyAt(p Page, column, width int) string {
	if column >= legendWidth(p, width) {
		i := slices.IndexFunc(p.Keys, func(k Key) bool { return strings.Contains(p.Status, ": "+k.Press+" ") })
		if i >= 0 { // as in "complete: enter commits"
			return p.Keys[i].Press
		}
	}
	for _, k := range placeKeys(p.Keys, legendWidth(p, width)) {
		if column < k.from || column >= k.to {
			continue
		}
		names := Presses(k.Press)
		if len(names) > 1 && strings.Contains(k.Press, "-") && !strings.ContainsAny(k.Press, " +") {
			return "" // a range does not name all of its keys
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
