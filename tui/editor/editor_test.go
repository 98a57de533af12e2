package editor

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// with is an editor of 20 columns and 5 rows, holding text with the cursor at "|".
func with(text string) *Editor {
	e := New()
	e.SetSize(22, 5)
	before, after, _ := strings.Cut(text, "|")
	e.Reset(before+after, false)
	e.caret.at = e.text.position(len(before))
	return &e
}

// shown is the text with "|" at the cursor, and "[" and "]" around the selection.
func shown(e *Editor) string {
	text := e.Value()
	at := e.text.offset(e.caret.at)
	from, to := e.selection()
	if from == to {
		return text[:at] + "|" + text[at:]
	}
	a, z := e.text.offset(from), e.text.offset(to)
	return text[:a] + "[" + text[a:z] + "]" + text[z:]
}

func TestKeys(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		keys       []string
		want       string
	}{
		{"word left", "one two.three|", []string{"ctrl+left", "ctrl+left"}, "one |two.three"},
		{"word left over lines", "one\n  |two", []string{"ctrl+left"}, "|one\n  two"},
		{"word right", "|one two.three", []string{"ctrl+right", "ctrl+right"}, "one two|.three"},
		{"word right over lines", "one|\n\n  two", []string{"ctrl+right"}, "one\n\n  two|"},
		{"words with combining marks", "naïve|", []string{"ctrl+left"}, "|naïve"},
		{"ctrl+w takes what is not a space", "say two.three |", []string{"ctrl+w"}, "say |"},
		{"ctrl+w joins lines at their beginning", "one\n|two", []string{"ctrl+w"}, "one|two"},
		{"ctrl+w of indentation", "one\n  |two", []string{"ctrl+w"}, "one\n|two"},
		{"alt+backspace takes a word", "two.three|", []string{"alt+backspace"}, "two.|"},
		{"ctrl+u and ctrl+y", "one two| three", []string{"ctrl+u", "end", "ctrl+y"}, " threeone two|"},
		{"ctrl+k joins at the end", "one|\ntwo", []string{"ctrl+k"}, "one|two"},
		{"ctrl+a ctrl+e", "one\ntwo three|", []string{"ctrl+a", "x", "ctrl+e", "y"}, "one\nxtwo threey|"},
		{"ctrl+b ctrl+f ctrl+n", "ab|c\ndef", []string{"ctrl+b", "ctrl+n", "ctrl+f"}, "abc\nde|f"},
		{"ctrl+d ctrl+h", "ab|cd", []string{"ctrl+d", "ctrl+h"}, "a|d"},
		{"a family is one character", "x👩‍👩‍👧|", []string{"backspace"}, "x|"},
		{"a flag is one character", "|🇫🇷🇩🇪", []string{"right", "delete"}, "🇫🇷|"},
		{"an accent goes with its letter", "cafe\u0301|", []string{"left"}, "caf|e\u0301"},
		{"up keeps the column over short lines", "abcdef\nx\nabcd|ef", []string{"up", "up"}, "abcd|ef\nx\nabcdef"},
		{"down keeps the column over wide letters", "abc|\n漢字漢\nabcdef", []string{"down", "down"}, "abc\n漢字漢\nabc|def"},
		{"up in wrapped rows", "aaaa bbbb cccc dddd eeee f|fff", []string{"up"}, "aaaa b|bbb cccc dddd eeee ffff"},
		{"up from the first row", "abc|def", []string{"up"}, "|abcdef"},
		{"down from the last row", "abc|def", []string{"down"}, "abcdef|"},
		{"page down", "|1\n2\n3\n4\n5\n6\n7", []string{"pgdown"}, "1\n2\n3\n4\n|5\n6\n7"},
		{"page up", "1\n2\n3\n4\n5\n6\n|7", []string{"pgup"}, "1\n2\n|3\n4\n5\n6\n7"},
		{"shift selects", "one| two", []string{"shift+right", "shift+right"}, "one[ t]wo"},
		{"shift and ctrl select words", "one| two three", []string{"shift+ctrl+right", "shift+ctrl+right"}, "one[ two three]"},
		{"shift+down selects lines", "a|b\ncd", []string{"shift+down"}, "a[b\nc]d"},
		{"left goes to the beginning of the selection", "one| two", []string{"shift+right", "shift+right", "left"}, "one| two"},
		{"typing replaces the selection", "one| two", []string{"shift+end", "!"}, "one!|"},
		{"enter replaces the selection", "one| two", []string{"shift+end", "enter"}, "one\n|"},
		{"ctrl+space marks", "one| two", []string{"ctrl+space", "right", "right"}, "one[ t]wo"},
		{"ctrl+space again ends it", "one| two", []string{"ctrl+space", "right", "ctrl+space", "right"}, "one t|wo"},
		{"f9 selects all", "one\n|two", []string{"f9", "x"}, "x|"},
		{"backspace deletes the selection", "one| two", []string{"shift+right", "backspace"}, "one|two"},
		{"undo of a run of typing", "|", []string{"hello", "ctrl+z"}, "|"},
		{"motion breaks a run", "|", []string{"hello", "left", "right", "!!", "ctrl+z"}, "hello|"},
		{"a line break is a step", "|", []string{"a", "enter", "b", "ctrl+z", "ctrl+z"}, "a|"},
		{"erasing is one step", "abc|", []string{"backspace", "backspace", "ctrl+z"}, "abc|"},
		{"undo of a replaced selection", "one| two", []string{"shift+end", "xyz", "ctrl+z"}, "one[ two]"},
		{"redo", "|", []string{"a", "enter", "b", "ctrl+z", "ctrl+z", "ctrl+r"}, "a\n|"},
		{"typing forgets what could be redone", "|", []string{"a", "ctrl+z", "b", "ctrl+r"}, "b|"},
		{"tab", "a|", []string{"tab", "b"}, "a\tb|"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := with(tc.text)
			press(e, tc.keys...)
			if got := shown(e); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// Other modifiers are no text, and keys that are not the editor's are left to others.
func TestKeysOfOthers(t *testing.T) {
	e := with("a|")
	for _, k := range []tea.KeyPressMsg{{Code: 's', Mod: tea.ModCtrl}, {Code: tea.KeyF5}, {Code: tea.KeyEscape}, {Code: 'x', Mod: tea.ModAlt}} {
		if e.Key(k) || e.Value() != "a" {
			t.Errorf("%s was taken: %q", k.String(), e.Value())
		}
	}
	if !e.Key(tea.KeyPressMsg{Code: 'q', Text: "@", Mod: tea.ModCtrl | tea.ModAlt}) || e.Value() != "a@" {
		t.Errorf("AltGr was not taken: %q", e.Value())
	}
}

func TestCutCopyPaste(t *testing.T) {
	e := with("one| two")
	if e.Copy() != "" || e.Cut() != "" || e.paste() {
		t.Error("nothing was selected")
	}
	press(e, "shift+end")
	if got := e.Copy(); got != " two" {
		t.Errorf("copied %q", got)
	}
	if got := e.Cut(); got != " two" || shown(e) != "one|" {
		t.Errorf("cut %q, left %q", got, shown(e))
	}
	press(e, "home", "ctrl+v", "ctrl+v")
	if shown(e) != " two two|one" || e.Inserted() != 8 {
		t.Errorf("pasted to %q, %d inserted", shown(e), e.Inserted())
	}
}

// Each change is told apart by its place and origin, and what undo brings back is what it
// was: typed or inserted.
func TestOrigin(t *testing.T) {
	e := with("|")
	press(e, "ab")
	e.Insert("PASTED", "paste")
	press(e, "cd", "home", "x")
	want := []Change{{"ab", ""}, {"abPASTED", "paste"}, {"abPASTEDcd", ""}, {"xabPASTEDcd", ""}}
	if got := e.Changes(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	press(e, "f9", "backspace", "ctrl+z")
	want = []Change{{"xab", ""}, {"xabPASTED", Undone}, {"xabPASTEDcd", ""}}
	if got := e.Changes(); !reflect.DeepEqual(got, want) || e.Inserted() != 6 {
		t.Errorf("got %q, want %q; %d inserted", got, want, e.Inserted())
	}
	press(e, "ctrl+r", "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+r")
	if got := e.Changes(); e.Value() != "abPASTED" || got[len(got)-1] != (Change{"abPASTED", "paste"}) {
		t.Errorf("the redone paste is %q", got[len(got)-1])
	}
}

// What replaces the whole text changes only what differs.
func TestReplace(t *testing.T) {
	e := with("The first line.\nThe sécond line.|")
	e.Replace("The first line.\nThe sècond line!", "editor")
	if n := e.Inserted(); e.Value() != "The first line.\nThe sècond line!" || n != len("ècond line!") {
		t.Errorf("%q with %d inserted", e.Value(), n)
	}
	e.undo()
	if e.Value() != "The first line.\nThe sécond line." {
		t.Errorf("undone to %q", e.Value())
	}
	version := e.Version()
	if e.Replace(e.Value(), "editor"); e.Version() != version {
		t.Error("nothing changed, and yet the version did")
	}
}

func TestWrapping(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"at spaces", "aaaa bbbb cccc dddd eeee", "aaaa bbbb cccc dddd |eeee"},
		{"the space after a full row", "aaaa bbbb cccc ddddd eeee", "aaaa bbbb cccc ddddd |eeee"},
		{"spaces at the end", "aaaa bbbb cccc ddddd   x", "aaaa bbbb cccc ddddd |  x"},
		{"long words", "aaaaaaaaaaaaaaaaaaaaaaaaa b", "aaaaaaaaaaaaaaaaaaaa|aaaaa b"},
		{"wide letters anywhere", "a漢字漢字漢字漢字漢字漢字", "a漢字漢字漢字漢字漢|字漢字"},
		{"tabs", "\t\t\t\tabc def", "    " + "    " + "    " + "    " + "abc |def"},
		{"families", strings.Repeat("👩‍👩‍👧", 11), strings.Repeat("👩‍👩‍👧", 10) + "|👩‍👩‍👧"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := with(tc.text + "|")
			if got := strings.ReplaceAll(e.View(), "\n", "|"); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// The view scrolls no further than it must, and not at all for motions that stay in it.
func TestScrolling(t *testing.T) {
	e := with("1\n2\n3\n4\n5\n6\n7\n8\n9|")
	first := func() string { return strings.SplitN(e.View(), "\n", 2)[0] }
	if first() != "5" {
		t.Errorf("the end begins with %q", first())
	}
	press(e, "up", "up")
	if first() != "5" {
		t.Errorf("scrolled to %q", first())
	}
	press(e, "up", "up", "up", "up")
	if first() != "3" {
		t.Errorf("scrolled to %q", first())
	}
	e.scroll(100)
	if _, _, seen := e.Cursor(); first() != "5" || seen {
		t.Errorf("scrolled to %q; the cursor is seen: %v", first(), seen)
	}
	if press(e, "x"); first() != "3x" {
		t.Errorf("typing scrolled to %q", first())
	}
	press(e, "ctrl+end", "backspace", "backspace", "backspace")
	if e.SetSize(22, 8); first() != "1" {
		t.Errorf("room is left below the text, which begins with %q", first())
	}
}

// A selection is drawn whole: text, tabs as four columns, and ends of lines.
func TestSelectionIsDrawn(t *testing.T) {
	e := with("ab|c\td\n\nef")
	press(e, "shift+down", "shift+down")
	want := "ab\x1b[7mc    d \x1b[m\n\x1b[7m \x1b[m\n\x1b[7mef\x1b[m"
	if got := e.View(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if lines, _ := e.Selected(); lines != 3 || ansi.Strip(e.View()) != "abc    d \n \nef" {
		t.Errorf("%d lines, %q", lines, ansi.Strip(e.View()))
	}
	e = with("a👩‍👩‍👧e\u0301|")
	press(e, "shift+home")
	if lines, characters := e.Selected(); lines != 1 || characters != 3 {
		t.Errorf("%d characters in %d lines", characters, lines)
	}
}

func TestMouse(t *testing.T) {
	e := with("one two\nthree 漢字\naaaa bbbb cccc dddd eeee|\n1\n2\n3\n4")
	click := func(x, y int, mod tea.KeyMod) { e.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft, Mod: mod}, x, y) }
	drag := func(x, y int) { e.Mouse(tea.MouseMotionMsg{Button: tea.MouseLeft}, x, y) }
	see := func(want string) {
		t.Helper()
		if got := shown(e); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	e.SetSize(22, 3)
	press(e, "ctrl+home")
	click(4, 0, 0)
	see("one |two\nthree 漢字\naaaa bbbb cccc dddd eeee\n1\n2\n3\n4")
	drag(7, 1) // in the middle of a wide letter
	see("one [two\nthree ]漢字\naaaa bbbb cccc dddd eeee\n1\n2\n3\n4")
	e.Mouse(tea.MouseReleaseMsg{}, 7, 1)
	drag(0, 0)
	see("one [two\nthree ]漢字\naaaa bbbb cccc dddd eeee\n1\n2\n3\n4")
	click(60, 0, 0)
	see("one two|\nthree 漢字\naaaa bbbb cccc dddd eeee\n1\n2\n3\n4")
	click(3, 0, tea.ModShift)
	see("one[ two]\nthree 漢字\naaaa bbbb cccc dddd eeee\n1\n2\n3\n4")
	e.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, 0, 0)
	if got := e.View(); got != "eeee\n1\n2" {
		t.Errorf("the wheel shows %q", got)
	}
	see("one[ two]\nthree 漢字\naaaa bbbb cccc dddd eeee\n1\n2\n3\n4")
	click(2, 0, 0)
	see("one two\nthree 漢字\naaaa bbbb cccc dddd ee|ee\n1\n2\n3\n4")
	e.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp}, 0, 0)
	if got := e.View(); !strings.HasPrefix(got, "one two\n") {
		t.Errorf("the wheel shows %q", got)
	}
	click(0, 0, 0)
	drag(0, 3)
	drag(0, 3)
	see("[one two\nthree 漢字\naaaa bbbb cccc dddd eeee\n]1\n2\n3\n4")
	click(9, 40, 0)
	see("one two\nthree 漢字\naaaa bbbb cccc dddd eeee\n1|\n2\n3\n4") // the last row in view
	e.SetSize(22, 20)
	click(9, 19, 0) // below the text
	see("one two\nthree 漢字\naaaa bbbb cccc dddd eeee\n1\n2\n3\n4|")
}

// A text of a mebibyte in one line is wrapped only around an edit.
func TestOnlyRowsNearAnEditAreWrapped(t *testing.T) {
	e := filled(prose(1<<20, true))
	l := &e.text.lines[0]
	rows := len(l.rows)
	e.caret.at = pos{0, 500_000}
	before := l.rows[rows-1]
	press(&e, "x")
	if l = &e.text.lines[0]; l.limit != e.text.limit || l.rows[len(l.rows)-1] != before+1 {
		t.Errorf("the last row begins at %d, and began at %d", l.rows[len(l.rows)-1], before)
	}
	e = filled(prose(1<<20, false))
	wrapped := 0
	for i := range e.text.lines {
		if e.text.lines[i].limit != 0 {
			wrapped++
		}
	}
	if wrapped > 2*e.height {
		t.Errorf("%d lines were wrapped to show %d rows", wrapped, e.height)
	}
}

// A text grows to its limit by what is inserted, and not beyond; its own words can still be edited.
func TestInsertsAreLimited(t *testing.T) {
	e := New()
	for range 20 {
		fits := len(e.Value())+200_000 <= Most
		if e.Insert(strings.Repeat("x", 200_000), "paste") != fits || len(e.Value()) > Most {
			t.Fatalf("%d bytes", len(e.Value()))
		}
	}
	before := e.Value()
	if _, says := e.Press(tea.KeyPressMsg{Code: 'v', Mod: tea.ModCtrl}); says == "" || e.Value() != before {
		t.Errorf("%q", says)
	}
	e.undo()
	if len(e.Value()) >= len(before) || !e.Insert("y", "paste") {
		t.Errorf("%d bytes after undo", len(e.Value()))
	}
}
