package editor

import (
	"slices"
	"sort"

	"github.com/charmbracelet/x/ansi"
)

// tabWidth is the number of columns of a tab, at any column.
const tabWidth = 4

// charAt returns the width in bytes and columns of the character of text that begins at byte i.
func charAt(text string, i int) (bytes, columns int) {
	switch c := text[i]; {
	case c == '\t':
		return 1, tabWidth
	case c >= 0x20 && c < 0x7f && (i+1 == len(text) || text[i+1] < 0x80):
		return 1, 1
	}
	cluster, width := ansi.FirstGraphemeCluster(text[i:], ansi.GraphemeWidth)
	return len(cluster), width
}

// nextRow returns where the row after the one that begins at start begins, or -1. A row is at
// most limit columns wide, plus one space on which the line is broken. Lines are broken after
// spaces and wide characters, and otherwise anywhere.
func nextRow(text string, start, limit int) int {
	width, space := 0, -1
	for i := start; i < len(text); {
		n, w := charAt(text, i)
		if width+w > limit {
			switch {
			case text[i] == ' ' && n == 1:
				i++
				if i == len(text) {
					return -1
				}
				return i
			case space > start:
				return space
			case i > start:
				return i
			}
		}
		width += w
		i += n
		if w == 2 || n == 1 && (text[i-1] == ' ' || text[i-1] == '\t') {
			space = i
		}
	}
	return -1
}

// wrap computes the rows of a line, unless they are known.
func (l *line) wrap(limit int) {
	if l.limit == limit {
		return
	}
	l.rows, l.limit = l.rows[:0], limit
	for at := nextRow(l.text, 0, limit); at >= 0; at = nextRow(l.text, at, limit) {
		l.rows = append(l.rows, at)
	}
}

// rewrap recomputes the rows of a line after removed bytes at a place were replaced by inserted
// bytes. The beginning of a row depends on the row before it and on its own first word, so rows
// well before the edit stay; and once a row begins where one began before the edit, so do all
// rows after it.
func (l *line) rewrap(at, removed, inserted, limit int) {
	if l.limit != limit {
		l.limit = 0
		return
	}
	old, shift := l.rows, inserted-removed
	keep := max(0, l.rowAt(at)-3)
	rows := slices.Clone(old[:keep])
	start := 0
	if keep > 0 {
		start = rows[keep-1]
	}
	for next := nextRow(l.text, start, limit); next >= 0; next = nextRow(l.text, next, limit) {
		if next > at+inserted {
			if i, same := slices.BinarySearch(old, next-shift); same {
				for _, row := range old[i:] {
					rows = append(rows, row+shift)
				}
				break
			}
		}
		rows = append(rows, next)
	}
	l.rows = rows
}

// rowAt returns the row of the line that contains byte at.
func (l *line) rowAt(at int) int { return sort.SearchInts(l.rows, at+1) }

// row returns the part of the line in row i.
func (l *line) row(i int) (from, to int) {
	to = len(l.text)
	if i > 0 {
		from = l.rows[i-1]
	}
	if i < len(l.rows) {
		to = l.rows[i]
	}
	return from, to
}

// wrapped returns a line with its rows.
func (t *text) wrapped(i int) *line {
	l := &t.lines[i]
	l.wrap(t.limit)
	return l
}

// rows counts the rows of a line.
func (t *text) rows(i int) int { return len(t.wrapped(i).rows) + 1 }

// sure reports whether a character certainly begins at byte at.
func sure(text string, at int) bool {
	return at <= 0 || at >= len(text) || text[at-1] < 0x80 && text[at] < 0x80
}

// around returns the beginning of the character at or around p, and of the next one.
func (t *text) around(p pos) (from, to int) {
	l := t.wrapped(p.line)
	if p.at >= len(l.text) {
		return len(l.text), len(l.text)
	}
	from, _ = l.row(l.rowAt(p.at))
	if sure(l.text, p.at) {
		from = p.at
	}
	for {
		n, _ := charAt(l.text, from)
		if from+n > p.at {
			return from, from + n
		}
		from += n
	}
}

// snap moves a position inside a character to its end.
func (t *text) snap(p pos) pos {
	if from, to := t.around(p); from < p.at {
		p.at = to
	}
	return p
}

// next returns the position after the character at p; line ends count as characters.
func (t *text) next(p pos) pos {
	if p.at >= len(t.lines[p.line].text) {
		if p.line+1 < len(t.lines) {
			return pos{p.line + 1, 0}
		}
		return p
	}
	_, to := t.around(p)
	return pos{p.line, to}
}

// previous returns the position before the character that ends at p.
func (t *text) previous(p pos) pos {
	if p.at == 0 {
		if p.line > 0 {
			return pos{p.line - 1, len(t.lines[p.line-1].text)}
		}
		return p
	}
	from, _ := t.around(pos{p.line, p.at - 1})
	return pos{p.line, from}
}

// column returns the row of p, and the columns before it in that row.
func (t *text) column(p pos) (row, column int) {
	l := t.wrapped(p.line)
	row = l.rowAt(p.at)
	from, _ := l.row(row)
	for i := from; i < p.at; {
		n, w := charAt(l.text, i)
		i += n
		column += w
	}
	return row, column
}

// at returns the position in a row of a line that is nearest to a column, and not right of it.
func (t *text) at(i, row, column int) pos {
	l := t.wrapped(i)
	from, to := l.row(row)
	for at, width := from, 0; at < to; {
		n, w := charAt(l.text, at)
		if width+w > column || at+n == to && row < len(l.rows) {
			return pos{i, at} // the end of a wrapped row is the beginning of the next
		}
		at += n
		width += w
		if at == to {
			return pos{i, at}
		}
	}
	return pos{i, to}
}
