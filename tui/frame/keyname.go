package frame

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// keyCodes are the keys that have a name instead of a letter.
var keyCodes = sync.OnceValue(func() map[string]rune {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "space": tea.KeySpace,
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "insert": tea.KeyInsert, "delete": tea.KeyDelete,
	}
	for i := range 20 {
		codes["f"+strconv.Itoa(i+1)] = tea.KeyF1 + rune(i)
	}
	return codes
})

// shownNames are the keys that legends write otherwise than the keys are called.
var shownNames = [...]struct{ name, shown string }{
	{"up", "↑"}, {"down", "↓"}, {"left", "←"}, {"right", "→"}, {"pgdown", "pgdn"},
}

// ShownKey returns how a legend writes a key: "↑", "pgdn", "ctrl+s".
func ShownKey(name string) string {
	for _, s := range shownNames {
		if s.name == name {
			return s.shown
		}
	}
	return name
}

// keyCalled returns the name of a key that a legend writes.
func keyCalled(shown string) string {
	for _, s := range shownNames {
		if s.shown == shown {
			return s.name
		}
	}
	return shown
}

// KeyNamed returns the press of a key with a name such as "y", "ctrl+s", "f9" or "space". An
// error says what is wrong with the name, and which is meant.
func KeyNamed(name string) (tea.KeyPressMsg, error) {
	none := tea.KeyPressMsg{}
	base, mod := name, tea.KeyMod(0)
	for _, m := range [...]struct {
		name string
		mod  tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if rest, ok := strings.CutPrefix(base, m.name); ok && rest != "" {
			base, mod = rest, mod|m.mod
		}
	}
	if code, named := keyCodes()[base]; named {
		if base == "space" && mod == 0 {
			return tea.KeyPressMsg{Code: code, Text: " "}, nil
		}
		return tea.KeyPressMsg{Code: code, Mod: mod}, nil
	}
	letter, size := utf8.DecodeRuneInString(base)
	switch {
	case base == "" || size < len(base) || letter == utf8.RuneError || !unicode.IsPrint(letter) || unicode.Is(unicode.Mn, letter):
		return none, fmt.Errorf("%q is the name of no key: keys are called a, G, ?, enter, esc, tab, space, up, pgdown, home, f1, ctrl+s", name)
	case mod == 0:
		return tea.KeyPressMsg{Code: letter, Text: base}, nil
	case mod == tea.ModShift:
		return none, fmt.Errorf("%q is written as the letter that it types, such as %q", name, strings.ToUpper(base))
	case unicode.IsUpper(letter):
		return none, fmt.Errorf("%q is called %q", name, strings.ToLower(name))
	}
	for _, same := range [...][2]string{{"ctrl+i", "tab"}, {"ctrl+m", "enter"}, {"ctrl+[", "esc"}} {
		if name == same[0] {
			return none, fmt.Errorf("terminals send %s as %s: write %q, or choose another key", same[0], same[1], same[1])
		}
	}
	return tea.KeyPressMsg{Code: letter, Mod: mod}, nil
}

// Printable reports whether a key types something where text is typed.
func Printable(name string) bool {
	msg, err := KeyNamed(name)
	return err == nil && msg.Text != ""
}

// Presses returns the names of the keys that a legend writes in one entry: "1-5", "↑↓",
// "y n", "↑↓ pgup pgdn". It is empty for words that are no keys.
func Presses(entry string) []string {
	var names []string
	for _, word := range strings.Fields(entry) {
		switch name := keyCalled(word); {
		case isKey(name):
			names = append(names, name)
		case len(word) == 3 && word[1] == '-' && '0' <= word[0] && word[0] <= word[2] && word[2] <= '9':
			for d := word[0]; d <= word[2]; d++ {
				names = append(names, string(rune(d)))
			}
		case strings.ContainsFunc(word, unicode.IsLetter):
			return nil
		default:
			for _, r := range word {
				names = append(names, keyCalled(string(r)))
			}
		}
	}
	return names
}

func isKey(name string) bool {
	_, err := KeyNamed(name)
	return err == nil
}
