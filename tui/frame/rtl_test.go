package frame_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assay/tui/frame"
)

// Lines are put into the order in which they are read. The Hebrew letters א ב ג are
// named a b c in the comments.
func TestVisual(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"nothing to turn", "return n + 1", "return n + 1"},
		{"one word", "אבג", "גבא"},
		{"two words", "אב גד", "דג בא"},
		{"a word in a sentence", "the word אבג here", "the word גבא here"},
		{"two words in a sentence", "say אב גד now", "say דג בא now"},
		{"a Latin word in Hebrew", "אב word גד", "דג word בא"},
		{"a full stop ends it at the left", "אבג.", ".גבא"},
		{"a number runs from left to right", "אב 123 גד", "דג 123 בא"},
		{"a number after Hebrew in a sentence", "it is אב 123", "it is 123 בא"},
		{"a decimal number", "אב 1.5 ג", "ג 1.5 בא"},
		{"a percentage", "אב 15% ג", "ג 15% בא"},
		{"brackets turn", "אב (גד)", "(דג) בא"},
		{"Arabic digits and letters", "ا ١٢ ب", "ب ١٢ ا"},
		{"Arabic with European digits", "ا 12 ب", "ب 12 ا"},
		{"vowel points stay with their letters", "שָׁל", "לשָׁ"},
		{"columns stay", "אב  גד   12  word", "בא  דג   12  word"},
		{"a mark stays in front", " ▸ אב גד", " ▸ דג בא"},
		{"a row of a table", "   ✓ אבג   17 of 20", "   ✓ גבא   17 of 20"},
		{"beside each other", "אב│גד", "בא│דג"},
		{"code", "x = \"אבג\"  # ד", "x = \"גבא\"  # ד"},
		{"code with a Hebrew comment", "f(1) # אב (1)", "f(1) # (1) בא"},
		{"Latin in brackets in a sentence", "see (a) אב (גד) z", "see (a) (דג) בא z"},
		{"trailing space", "אב ", "בא "},
	} {
		if got, _ := frame.Visual(c.line); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.name, c.line, got, c.want)
		}
	}
}

// Styles stay with their letters, and the cursor with its letter.
func TestVisualStyles(t *testing.T) {
	got, column := frame.Visual("a \x1b[1mאב\x1b[m\x1b[31mג\x1b[m z")
	if want := "a \x1b[31mג\x1b[m\x1b[1mבא\x1b[m z"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for from, to := range map[int]int{0: 0, 2: 4, 3: 3, 4: 2, 6: 6, 40: 40} {
		if column(from) != to {
			t.Errorf("column %d goes to %d, want %d", from, column(from), to)
		}
	}
}

// Whatever the line, nothing is lost and nothing gets wider, and lines without such
// letters stay as they are.
func TestVisualKeepsEverything(t *testing.T) {
	pieces := []string{"א", "ב", "שָׁ", "ا", "a", "b", "1", "٢", " ", "  ", "(", ")", ".", ",", "-", "%", "▸", "│", "漢", "\x1b[1m", "\x1b[31m", "\x1b[m", "é"}
	rapid.Check(t, func(rt *rapid.T) {
		line := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(rt, "pieces"), "")
		got, column := frame.Visual(line)
		if frame.Width(got) != frame.Width(line) {
			rt.Fatalf("%q is %d columns wide, %q %d", line, frame.Width(line), got, frame.Width(got))
		}
		sorted := func(text string) string {
			text = strings.NewReplacer(")", "(").Replace(ansi.Strip(text))
			runes := []rune(text)
			slices.Sort(runes)
			return string(runes)
		}
		if sorted(got) != sorted(line) {
			rt.Fatalf("%q became %q", line, got)
		}
		if !frame.HasRTL(line) && got != line {
			rt.Fatalf("%q became %q without a reason", line, got)
		}
		seen := map[int]bool{}
		for _, x := range starts(line) {
			if to := column(x); seen[to] || to < 0 || to >= max(1, frame.Width(line)) {
				rt.Fatalf("column %d of %q goes to %d", x, line, to)
			} else {
				seen[to] = true
			}
		}
	})
}

// starts are the columns in which letters of a line begin.
func starts(line string) []int {
	var list []int
	column, text := 0, ansi.Strip(line)
	var state byte
	for len(text) > 0 {
		_, width, n, next := ansi.DecodeSequence(text, state, nil)
		if width > 0 {
			list = append(list, column)
		}
		column, text, state = column+width, text[n:], next
	}
	return list
}

func BenchmarkVisual(b *testing.B) {
	line := strings.Repeat("say אב גד now ", 14)
	for b.Loop() {
		frame.Visual(line)
	}
}
