package editor

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

// naive is an editor as one would describe it: a text, a cursor and an anchor in bytes.
// Characters are found by another library than the editor's.
type naive struct {
	text       string
	at, anchor int
	selecting  bool
}

// edges are the places between characters, both ends among them.
func (n *naive) edges() []int {
	edges := []int{0}
	state, rest := -1, n.text
	for rest != "" {
		var c string
		c, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		edges = append(edges, edges[len(edges)-1]+len(c))
	}
	return edges
}

func (n *naive) left(at int) int {
	edges := n.edges()
	i, _ := slices.BinarySearch(edges, at)
	return edges[max(0, i-1)]
}

func (n *naive) right(at int) int {
	edges := n.edges()
	i, _ := slices.BinarySearch(edges, at+1)
	return edges[min(i, len(edges)-1)]
}

func (n *naive) lineStart(at int) int { return strings.LastIndexByte(n.text[:at], '\n') + 1 }

func (n *naive) lineEnd(at int) int {
	if i := strings.IndexByte(n.text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(n.text)
}

func (n *naive) selection() (int, int) {
	if !n.selecting {
		return n.at, n.at
	}
	return min(n.at, n.anchor), max(n.at, n.anchor)
}

func (n *naive) move(to int, extend bool) {
	if extend && !n.selecting {
		n.anchor, n.selecting = n.at, true
	}
	if !extend {
		n.selecting = false
	}
	n.at = to
}

func (n *naive) replace(from, to int, with string) {
	n.text = n.text[:from] + with + n.text[to:]
	n.at, n.selecting = from+len(with), false
	edges := n.edges()
	i, _ := slices.BinarySearch(edges, n.at)
	n.at = edges[i]
}

// erase deletes the selection, or what is between two places.
func (n *naive) erase(from, to int) {
	if a, b := n.selection(); a != b {
		from, to = a, b
	}
	if from == to {
		n.selecting = false
		return
	}
	n.replace(from, to, "")
}

func (n *naive) key(press string) {
	from, to := n.selection()
	switch press {
	case "left", "shift+left":
		next := n.left(n.at)
		if press == "left" && from != to {
			next = from
		}
		n.move(next, press != "left")
	case "right", "shift+right":
		next := n.right(n.at)
		if press == "right" && from != to {
			next = to
		}
		n.move(next, press != "right")
	case "home", "shift+home":
		n.move(n.lineStart(n.at), press != "home")
	case "end", "shift+end":
		n.move(n.lineEnd(n.at), press != "end")
	case "ctrl+home":
		n.move(0, false)
	case "ctrl+end":
		n.move(len(n.text), false)
	case "backspace":
		n.erase(n.left(n.at), n.at)
	case "delete":
		n.erase(n.at, n.right(n.at))
	case "ctrl+k":
		end := n.lineEnd(n.at)
		if end == n.at {
			end = n.right(n.at)
		}
		n.erase(n.at, end)
	case "ctrl+u":
		start := n.lineStart(n.at)
		if start == n.at {
			start = n.left(n.at)
		}
		n.erase(start, n.at)
	case "f9":
		n.at, n.anchor, n.selecting = len(n.text), 0, true
	}
}

var keys = map[string]tea.KeyPressMsg{
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"shift+left": {Code: tea.KeyLeft, Mod: tea.ModShift}, "shift+right": {Code: tea.KeyRight, Mod: tea.ModShift},
	"shift+up": {Code: tea.KeyUp, Mod: tea.ModShift}, "shift+down": {Code: tea.KeyDown, Mod: tea.ModShift},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"shift+home": {Code: tea.KeyHome, Mod: tea.ModShift}, "shift+end": {Code: tea.KeyEnd, Mod: tea.ModShift},
	"ctrl+home": {Code: tea.KeyHome, Mod: tea.ModCtrl}, "ctrl+end": {Code: tea.KeyEnd, Mod: tea.ModCtrl},
	"ctrl+left": {Code: tea.KeyLeft, Mod: tea.ModCtrl}, "ctrl+right": {Code: tea.KeyRight, Mod: tea.ModCtrl},
	"shift+ctrl+right": {Code: tea.KeyRight, Mod: tea.ModCtrl | tea.ModShift}, "shift+ctrl+left": {Code: tea.KeyLeft, Mod: tea.ModCtrl | tea.ModShift},
	"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "enter": {Code: tea.KeyEnter}, "tab": {Code: tea.KeyTab},
	"f9": {Code: tea.KeyF9}, "ctrl+space": {Code: tea.KeySpace, Mod: tea.ModCtrl}, "alt+backspace": {Code: tea.KeyBackspace, Mod: tea.ModAlt},
}

func press(e *Editor, names ...string) {
	for _, name := range names {
		if k, ok := keys[name]; ok {
			e.Key(k)
			continue
		}
		if letter, ok := strings.CutPrefix(name, "ctrl+"); ok && len(letter) == 1 {
			e.Key(tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl})
			continue
		}
		for _, r := range name {
			e.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

// bits are characters that are hard in some way, each whole in itself or joining others.
var bits = []string{"a", "b", " ", "  ", "word", "\t", "é", "e\u0301", "\u0301", "漢", "字", "👩‍👩‍👧", "🇫🇷", "🇩", "\u200d", "👍🏽", "한", "אב", "ع", "x\n", "\n", "long-unbroken-thing"}

func drawBit(t *rapid.T) string { return rapid.SampledFrom(bits).Draw(t, "bit") }

// TestAgainstNaive: whatever is done, text, cursor and selection are those of an editor
// that is too simple to be wrong.
func TestAgainstNaive(t *testing.T) {
	simple := []string{"left", "right", "shift+left", "shift+right", "home", "end", "shift+home", "shift+end", "ctrl+home", "ctrl+end", "backspace", "delete", "ctrl+k", "ctrl+u", "f9"}
	rapid.Check(t, func(t *rapid.T) {
		e, n := New(), naive{}
		e.SetSize(rapid.IntRange(8, 30).Draw(t, "width"), 5)
		for range rapid.IntRange(1, 80).Draw(t, "operations") {
			from, to := n.selection()
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0, 1:
				bit := drawBit(t)
				e.typeText(bit)
				n.replace(from, to, bit)
			case 2:
				text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits), 0, 20).Draw(t, "paste"), "")
				e.Insert(text, "paste")
				if from != to || text != "" {
					n.replace(from, to, text)
				}
			default:
				k := rapid.SampledFrom(simple).Draw(t, "key")
				press(&e, k)
				n.key(k)
			}
			if e.Value() != n.text {
				t.Fatalf("the text is %q and should be %q", e.Value(), n.text)
			}
			if at := e.text.offset(e.caret.at); at != n.at {
				t.Fatalf("the cursor is at %d of %q and should be at %d", at, n.text, n.at)
			}
			if a, b := n.selection(); e.Selection() != n.text[a:b] {
				t.Fatalf("%q is selected, not %q", e.Selection(), n.text[a:b])
			}
			checkRows(t, &e)
		}
	})
}

// checkRows: rows that were found by edits are those that the whole line has; each
// character is in one of them; none is wider than the editor.
func checkRows(t *rapid.T, e *Editor) {
	for i := range e.text.lines {
		l := e.text.wrapped(i)
		fresh := line{text: l.text}
		fresh.wrap(e.text.limit)
		if !slices.Equal(l.rows, fresh.rows) {
			t.Fatalf("the rows of %q begin at %v, and should at %v", l.text, l.rows, fresh.rows)
		}
		whole := ""
		for r := range len(l.rows) + 1 {
			from, to := l.row(r)
			row := strings.ReplaceAll(l.text[from:to], "\t", "    ")
			if w := ansi.StringWidth(row); w > e.text.limit && !(w == e.text.limit+1 && strings.HasSuffix(row, " ")) {
				t.Fatalf("row %d of %q has %d columns", r, l.text, w)
			}
			whole += l.text[from:to]
		}
		if whole != l.text {
			t.Fatalf("the rows of %q are %q", l.text, whole)
		}
	}
	view := e.View()
	rows := strings.Split(view, "\n")
	if len(rows) > e.height {
		t.Fatalf("%d rows are drawn in %d", len(rows), e.height)
	}
	for _, row := range rows {
		if w := ansi.StringWidth(row); w > e.text.limit+2 {
			t.Fatalf("a row of %d columns is drawn: %q", w, row)
		}
	}
	x, _, ok := e.Cursor()
	if e.follow && (!ok || x > e.text.limit+1) {
		t.Fatalf("the cursor is in column %d, seen: %v", x, ok)
	}
}

// anything does something at random, undo apart.
func anything(t *rapid.T, e *Editor) {
	names := []string{"left", "right", "up", "down", "shift+left", "shift+up", "shift+down", "shift+end", "pgup", "pgdown", "ctrl+left", "ctrl+right",
		"shift+ctrl+left", "shift+ctrl+right", "backspace", "backspace", "delete", "ctrl+w", "ctrl+k", "ctrl+u", "ctrl+y", "ctrl+v", "enter", "tab", "f9", "ctrl+space", "alt+backspace"}
	switch rapid.IntRange(0, 8).Draw(t, "what") {
	case 0, 1, 2:
		e.typeText(strings.ReplaceAll(drawBit(t), "\n", ""))
	case 3:
		e.Insert(drawBit(t)+drawBit(t), "paste")
	case 4:
		e.Replace(drawBit(t)+e.Value()+drawBit(t), "editor")
	case 5:
		e.Cut()
	default:
		press(e, rapid.SampledFrom(names).Draw(t, "key"))
	}
}

// Inserted counts the bytes of the text that were not typed.
func (e *Editor) Inserted() int {
	n := 0
	for _, s := range e.origin.inserted {
		n += s.to - s.from
	}
	return n
}

// look is what undo and redo must bring back.
type look struct {
	text     string
	at       pos
	inserted int
}

func (e *Editor) look() look { return look{e.Value(), e.caret.at, e.Inserted()} }

// TestUndoAndRedo: undoing everything leads back to the beginning, redoing it to the
// end, each over the same texts, and after any of it the cursor is between characters.
func TestUndoAndRedo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := New()
		e.SetSize(rapid.IntRange(8, 40).Draw(t, "width"), 6)
		first := strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits), 0, 20).Draw(t, "first"), "")
		e.Reset(first, rapid.Bool().Draw(t, "inserted"))
		begin := e.look()
		seen := map[string]bool{e.Value(): true}
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			anything(t, &e)
			seen[e.Value()] = true
			if e.text.snap(e.caret.at) != e.caret.at {
				t.Fatalf("the cursor is inside a character of %q", e.Value())
			}
		}
		end := e.Value()
		endInserted := e.Inserted()
		steps := []string{end}
		for e.undo() {
			steps = append(steps, e.Value())
			if !seen[e.Value()] {
				t.Fatalf("undo leads to %q, which there never was", e.Value())
			}
			checkRows(t, &e)
		}
		if got := e.look(); got.text != begin.text || got.inserted != begin.inserted {
			t.Fatalf("undone to %+v, begun with %+v", got, begin)
		}
		for i := len(steps) - 2; e.redo(); i-- {
			if e.Value() != steps[i] {
				t.Fatalf("redo leads to %q, not %q", e.Value(), steps[i])
			}
		}
		if e.Value() != end || e.Inserted() != endInserted {
			t.Fatalf("redone to %q with %d inserted, not %q with %d", e.Value(), e.Inserted(), end, endInserted)
		}
	})
}

// TestChangesTellAll: each change is at one place, and making them one after the other
// leads from the text that was known to the text that there is.
func TestChangesTellAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := New()
		e.SetSize(20, 4)
		known := ""
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			for range rapid.IntRange(1, 5).Draw(t, "before a saving") {
				switch rapid.IntRange(0, 5).Draw(t, "undo") {
				case 0:
					e.undo()
				case 1:
					e.redo()
				default:
					anything(t, &e)
				}
			}
			for _, c := range e.Changes() {
				known = c.Text
			}
			if known != e.Value() {
				t.Fatalf("the changes lead to %q, the text is %q", known, e.Value())
			}
			if n := e.Inserted(); n > len(known) {
				t.Fatalf("%d of %d bytes are inserted", n, len(known))
			}
		}
		if len(e.Changes()) != 0 {
			t.Fatal("a change is told twice")
		}
	})
}

// FuzzPaste: any bytes can be pasted; what comes in is clean and stays so, can be drawn,
// and is gone with one undo.
func FuzzPaste(f *testing.F) {
	for _, s := range []string{"", "a\r\nb\rc\u2028d", "\x1b[31mred\x1b[0m", "\x1b]52;c;aGk=\x07x", "\x1b]0;never ended\nnext", "\x9b31mx", "\u009b31mx", "\xff\xfe", "\x00\x07\x7f", "\x1b", "\x1b[", "\x1bPq\x1b\\z", "👩‍👩‍👧\u0301\t"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, pasted string) {
		typed := clean(pasted)
		if clean(typed) != typed || !utf8.ValidString(typed) {
			t.Fatalf("%q is not clean", typed)
		}
		if i := strings.IndexFunc(typed, func(r rune) bool { return r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }); i >= 0 {
			t.Fatalf("%q has a control character at %d", typed, i)
		}
		e := New()
		e.SetSize(20, 10)
		press(&e, "typed")
		e.Insert(pasted, "paste")
		for _, row := range strings.Split(e.View(), "\n") {
			if w := ansi.StringWidth(row); w > 20 {
				t.Fatalf("a row has %d columns: %q", w, row)
			}
		}
		if want := "typed" + typed; e.Value() != want || e.Inserted() != len(typed) {
			t.Fatalf("%q with %d inserted, want %q with %d", e.Value(), e.Inserted(), want, len(typed))
		}
		if typed != "" {
			e.undo()
		}
		if e.Value() != "typed" {
			t.Fatalf("undone to %q", e.Value())
		}
	})
}
