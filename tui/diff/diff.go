package diff

import (
	"strings"
	"time"
	"unicode"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Kind says what became of a line.
type Kind int

// The kinds of rows.
const (
	Same    Kind = iota
	Gone         // only in the text before
	New          // only in the text after
	Changed      // in both, with other words
)

// Row is a line of one text beside that of the other.
type Row struct {
	Kind     Kind
	Old, New Line // Old is empty for New, New for Gone
}

// Line is a line of a text, its number from 1.
type Line struct {
	Number int
	Parts  []Part
}

// Part is a stretch of a line that is in both, or in one only.
type Part struct {
	Text    string
	Differs bool
}

// Most is the time that comparing two texts by lines may take. Texts that have so much
// in common and so much not that it does not suffice are compared less finely.
const most = time.Second

// longest is the size in bytes up to which two lines are compared by words.
const longest = 4 << 10

// Lines compares two texts. Going through the rows, the old lines are the text before
// and the new lines the text after.
func Lines(before, after string) []Row {
	a, b := linesOf(before), linesOf(after)
	var rows []Row
	i, j := 0, 0
	for _, op := range compare(a, b, most) {
		if op.same > 0 {
			for range op.same {
				rows = append(rows, Row{Same, whole(a[i], i), whole(b[j], j)})
				i, j = i+1, j+1
			}
			continue
		}
		rows = append(rows, replaced(a[i:i+op.gone], b[j:j+op.came], i, j)...)
		i, j = i+op.gone, j+op.came
	}
	return rows
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func whole(text string, index int) Line { return Line{index + 1, []Part{{Text: text}}} }

// replaced sets the lines that went beside those that came, in their order, as far as
// they have words in common.
func replaced(gone, came []string, i, j int) []Row {
	var rows []Row
	for len(gone) > 0 && len(came) > 0 && len(gone)*len(came) <= 1<<16 {
		old, at := 0, -1
		var oldParts, newParts []Part
		for old < len(gone) && at < 0 {
			for k := range came {
				if o, n, alike := words(gone[old], came[k]); alike {
					oldParts, newParts, at = o, n, k
					break
				}
			}
			if at < 0 {
				old++
			}
		}
		if at < 0 {
			break
		}
		rows = append(rows, alone(gone[:old], came[:at], i, j)...)
		i, j = i+old, j+at
		rows = append(rows, Row{Changed, Line{i + 1, oldParts}, Line{j + 1, newParts}})
		gone, came, i, j = gone[old+1:], came[at+1:], i+1, j+1
	}
	return append(rows, alone(gone, came, i, j)...)
}

// alone are lines without a counterpart.
func alone(gone, came []string, i, j int) []Row {
	var rows []Row
	for k, text := range gone {
		rows = append(rows, Row{Kind: Gone, Old: whole(text, i+k)})
	}
	for k, text := range came {
		rows = append(rows, Row{Kind: New, New: whole(text, j+k)})
	}
	return rows
}

// words compares two lines word by word; alike is false where they have less than half
// in common.
func words(before, after string) (old, changed []Part, alike bool) {
	if strings.TrimSpace(before) == "" || strings.TrimSpace(after) == "" {
		return nil, nil, false
	}
	if len(before) > longest || len(after) > longest {
		return []Part{{before, true}}, []Part{{after, true}}, true
	}
	a, b := wordsOf(before), wordsOf(after)
	if shared(a, b)*2 < max(letters(a), letters(b)) {
		return nil, nil, false
	}
	i, j := 0, 0
	for _, op := range compare(a, b, most/10) {
		if op.same > 0 {
			old = add(old, strings.Join(a[i:i+op.same], ""), false)
			changed = add(changed, strings.Join(b[j:j+op.same], ""), false)
			i, j = i+op.same, j+op.same
			continue
		}
		old = add(old, strings.Join(a[i:i+op.gone], ""), true)
		changed = add(changed, strings.Join(b[j:j+op.came], ""), true)
		i, j = i+op.gone, j+op.came
	}
	return old, changed, true
}

func add(parts []Part, text string, differs bool) []Part {
	if text == "" {
		return parts
	}
	return append(parts, Part{text, differs})
}

// shared returns how many bytes of words two lines share at most, in whatever order.
func shared(a, b []string) int {
	have := map[string]int{}
	for _, w := range a {
		have[w]++
	}
	n := 0
	for _, w := range b {
		if have[w] > 0 && strings.TrimSpace(w) != "" {
			have[w]--
			n += len(w)
		}
	}
	return n
}

func letters(words []string) int {
	n := 0
	for _, w := range words {
		if strings.TrimSpace(w) != "" {
			n += len(w)
		}
	}
	return n
}

// wordsOf takes a text apart into words, stretches of blanks, line breaks and single
// signs.
func wordsOf(line string) []string {
	kind := func(r rune) int {
		switch {
		case r == '\n':
			return 0
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 0
	}
	var list []string
	start, last := 0, -1
	for i, r := range line {
		k := kind(r)
		if i > 0 && (k != last || k == 0) {
			list = append(list, line[start:i])
			start = i
		}
		last = k
	}
	if start < len(line) {
		list = append(list, line[start:])
	}
	return list
}

// op is either a number of pieces that are the same, or what went and came in one place.
type op struct{ same, gone, came int }

// compare finds what two lists of pieces have in common. Each piece becomes a letter,
// so that letters are compared.
func compare(a, b []string, most time.Duration) []op {
	letters := map[string]rune{}
	engine := diffmatchpatch.New()
	engine.DiffTimeout = most
	var ops []op
	for _, d := range engine.DiffMainRunes(spell(a, letters), spell(b, letters), false) {
		n := len([]rune(d.Text))
		last := len(ops) - 1
		switch {
		case n == 0:
		case d.Type == diffmatchpatch.DiffEqual:
			ops = append(ops, op{same: n})
		case last < 0 || ops[last].same > 0:
			ops = append(ops, op{gone: when(d.Type == diffmatchpatch.DiffDelete, n), came: when(d.Type == diffmatchpatch.DiffInsert, n)})
		case d.Type == diffmatchpatch.DiffDelete:
			ops[last].gone += n
		default:
			ops[last].came += n
		}
	}
	return ops
}

func when(is bool, n int) int {
	if is {
		return n
	}
	return 0
}

// spell writes each piece as one letter, the same for the same piece.
func spell(pieces []string, letters map[string]rune) []rune {
	const first, surrogates = 1, 0xD800 // halves of letters, which are none, are left out
	out := make([]rune, len(pieces))
	for i, p := range pieces {
		r, known := letters[p]
		if !known {
			r = rune(first + len(letters))
			if r >= surrogates {
				r += 0x800
			}
			r = min(r, '\U0010FFFF')
			letters[p] = r
		}
		out[i] = r
	}
	return out
}
