package frame

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/bidi"
)

// HasRTL reports whether a text has letters that are written from right to left.
func HasRTL(text string) bool {
	for _, r := range text {
		if r < 0x590 {
			continue
		}
		switch class(r) {
		case bidi.R, bidi.AL:
			return true
		}
	}
	return false
}

func class(r rune) bidi.Class {
	p, _ := bidi.LookupRune(r)
	return p.Class()
}

// Visual puts a drawn line in the order in which it is read from left to right on a
// terminal that does not do so itself: words that are written from right to left are
// turned round, by the Unicode bidirectional algorithm (UAX #9) without its explicit
// embeddings. What stands in one cell of the layout stays in it: two spaces, rules and
// assay's own marks part a line. Styles stay with their letters. Column says where on the
// line the letter of a column went, for the cursor.
func Visual(line string) (visual string, column func(int) int) {
	if !HasRTL(line) {
		return line, func(x int) int { return x }
	}
	cells := cellsOf(line)
	whole := direction(cells)
	for from := 0; from < len(cells); {
		to := from + 1
		if !parts(cells, from) {
			for to < len(cells) && !parts(cells, to) {
				to++
			}
			reorder(cells[from:to], min(whole, direction(cells[from:to])))
		}
		from = to
	}
	var b strings.Builder
	style := ""
	at, width := map[int]int{}, 0
	for _, c := range cells {
		if c.style != style {
			if style != "" {
				b.WriteString(ansi.ResetStyle)
			}
			b.WriteString(c.style)
			style = c.style
		}
		b.WriteString(c.text)
		at[c.column] = width
		width += c.width
	}
	if style != "" {
		b.WriteString(ansi.ResetStyle)
	}
	return b.String(), func(x int) int {
		if to, ok := at[x]; ok {
			return to
		}
		return x
	}
}

// cell is one letter with its marks, and how it is drawn.
type cell struct {
	text   string
	style  string // the sequences in force
	width  int
	column int // in the line as it was
	class  bidi.Class
}

// cellsOf takes a drawn line apart.
func cellsOf(line string) []cell {
	var cells []cell
	style, column := "", 0
	var state byte
	for len(line) > 0 {
		seq, width, n, next := ansi.DecodeSequence(line, state, nil)
		state, line = next, line[n:]
		switch {
		case width > 0:
			cells = append(cells, cell{seq, style, width, column, class([]rune(seq)[0])})
			column += width
		case seq == ansi.ResetStyle || seq == "\x1b[0m":
			style = ""
		case strings.HasPrefix(seq, "\x1b["):
			style += seq
		case len(cells) > 0 && !strings.HasPrefix(seq, "\x1b"):
			cells[len(cells)-1].text += seq // a mark, or what joins letters
		}
	}
	return cells
}

// marks are the signs that assay puts before or between texts; no text is turned round
// them.
const marks = "▸✓✗…‖·│─▏━›‹"

// parts reports whether a cell stands between two texts.
func parts(cells []cell, i int) bool {
	text := cells[i].text
	if strings.Contains(marks, text) {
		return true
	}
	if text != " " {
		return false
	}
	space := func(j int) bool {
		return j < 0 || j >= len(cells) || cells[j].text == " " || strings.Contains(marks, cells[j].text)
	}
	return space(i-1) || space(i+1)
}

// direction returns 1 for cells whose first strong letter is written from right to left, else
// 0 (P2, P3).
func direction(cells []cell) int {
	for _, c := range cells {
		switch c.class {
		case bidi.L:
			return 0
		case bidi.R, bidi.AL:
			return 1
		}
	}
	return 0
}

// reorder puts the cells of one text into visual order. Base is its direction: 1 only
// where the whole line begins so, too, since a line of code does not.
func reorder(cells []cell, base int) {
	levels := levelsOf(cells, base)
	highest := slices.Max(levels)
	for i, l := range levels { // L4: brackets of what is turned round look the other way
		if l%2 == 1 {
			cells[i].text = mirrored(cells[i].text)
		}
	}
	for level := highest; level > 0; level-- { // L2
		for i := 0; i < len(cells); {
			if levels[i] < level {
				i++
				continue
			}
			to := i
			for to < len(cells) && levels[to] >= level {
				to++
			}
			slices.Reverse(cells[i:to])
			slices.Reverse(levels[i:to])
			i = to
		}
	}
}

// mirrored returns a bracket or sign that looks the other way.
func mirrored(text string) string {
	const pairs = "()[]{}<>«»‹›≤≥"
	list := []rune(pairs)
	if i := slices.Index(list, []rune(text)[0]); i >= 0 {
		return string(list[i^1]) + string([]rune(text)[1:])
	}
	return text
}

// levelsOf returns the embedding levels of a text of a direction: even ones run from left
// to right. The names in brackets are those of UAX #9's rules.
func levelsOf(cells []cell, base int) []int {
	classes := make([]bidi.Class, len(cells))
	for i, c := range cells {
		classes[i] = c.class
	}
	weak(classes, base)
	brackets(cells, classes, base)
	neutral(classes, base)
	levels := make([]int, len(cells))
	for i, c := range classes { // I1, I2
		switch {
		case base == 0 && c == bidi.R:
			levels[i] = 1
		case base == 0 && (c == bidi.AN || c == bidi.EN):
			levels[i] = 2
		case base == 1 && c != bidi.R:
			levels[i] = 2
		default:
			levels[i] = base
		}
	}
	for i := len(levels) - 1; i >= 0 && cells[i].class == bidi.WS; i-- { // L1
		levels[i] = base
	}
	return levels
}

func strong(base int) bidi.Class {
	if base == 1 {
		return bidi.R
	}
	return bidi.L
}

// weak resolves numbers and what belongs to them (W1 to W7).
func weak(c []bidi.Class, base int) {
	before := strong(base)
	last := before // of the strong ones, with AL
	for i := range c {
		switch c[i] {
		case bidi.NSM: // W1
			c[i] = before
		case bidi.EN: // W2
			if last == bidi.AL {
				c[i] = bidi.AN
			}
		case bidi.L, bidi.R, bidi.AL:
			last = c[i]
		}
		before = c[i]
	}
	for i := range c { // W3
		if c[i] == bidi.AL {
			c[i] = bidi.R
		}
	}
	for i := 1; i < len(c)-1; i++ { // W4
		if c[i-1] == c[i+1] && (c[i] == bidi.CS && (c[i-1] == bidi.EN || c[i-1] == bidi.AN) || c[i] == bidi.ES && c[i-1] == bidi.EN) {
			c[i] = c[i-1]
		}
	}
	for i := 0; i < len(c); { // W5, W6
		to := i
		for to < len(c) && c[to] == bidi.ET {
			to++
		}
		near := i > 0 && c[i-1] == bidi.EN || to < len(c) && c[to] == bidi.EN
		for ; i < to; i++ {
			if c[i] = bidi.ON; near {
				c[i] = bidi.EN
			}
		}
		if i < len(c) {
			if c[i] == bidi.ES || c[i] == bidi.CS {
				c[i] = bidi.ON
			}
			i++
		}
	}
	last = strong(base)
	for i := range c { // W7
		switch {
		case c[i] == bidi.EN && last == bidi.L:
			c[i] = bidi.L
		case c[i] == bidi.L || c[i] == bidi.R:
			last = c[i]
		}
	}
}

// side returns the direction of a class for what stands beside it; numbers count as written
// from right to left. ON is none.
func side(c bidi.Class) bidi.Class {
	switch c {
	case bidi.EN, bidi.AN, bidi.R:
		return bidi.R
	case bidi.L:
		return bidi.L
	}
	return bidi.ON
}

// brackets gives both of a pair the direction of what stands in it, if that is the text's
// own, or is that of what stands before it, too (N0).
func brackets(cells []cell, c []bidi.Class, base int) {
	own := strong(base)
	for _, pair := range bracketPairs(cells) {
		has := map[bidi.Class]bool{}
		for _, inside := range c[pair[0]+1 : pair[1]] {
			has[side(inside)] = true
		}
		dir := own
		if !has[own] {
			if !has[bidi.L] && !has[bidi.R] {
				continue
			}
			for i := pair[0] - 1; i >= 0; i-- {
				if before := side(c[i]); before != bidi.ON {
					dir = before
					break
				}
			}
		}
		c[pair[0]], c[pair[1]] = dir, dir
	}
}

// bracketPairs returns the places of brackets that belong together, by where they open (BD16).
func bracketPairs(cells []cell) [][2]int {
	var pairs [][2]int
	var open []int
	for i, c := range cells {
		switch c.text {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			for j := len(open) - 1; j >= 0; j-- {
				if mirrored(cells[open[j]].text) == c.text {
					pairs = append(pairs, [2]int{open[j], i})
					open = open[:j]
					break
				}
			}
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return a[0] - b[0] })
	return pairs
}

// neutral gives spaces and signs the direction of what stands on both sides of them,
// else that of the whole (N1, N2).
func neutral(c []bidi.Class, base int) {
	at := func(i int) bidi.Class {
		if i < 0 || i >= len(c) {
			return strong(base)
		}
		return side(c[i])
	}
	for i := 0; i < len(c); {
		if side(c[i]) != bidi.ON {
			i++
			continue
		}
		to := i
		for to < len(c) && side(c[to]) == bidi.ON {
			to++
		}
		dir := strong(base)
		if before := at(i - 1); before == at(to) {
			dir = before
		}
		for ; i < to; i++ {
			c[i] = dir
		}
	}
}
