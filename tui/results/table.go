package results

import (
	"slices"
	"strings"

	"assay/tui/frame"
)

// column is one column of a table of rows of a kind.
type column[T any] struct {
	name  string
	place int // where it stands; the order of the columns is that in which they find room
	width int
	right bool // numbers
	grows bool // takes the room that is left
	of    func(T) string
}

// maxGrown bounds a column that takes the room that is left: what stands beside it is
// to be read in one row with it.
const maxGrown = 60

// table draws rows in the columns that find room in its width.
type table[T any] struct {
	width   int
	columns []column[T]
	theme   frame.Theme
}

// fitting are the columns that find room, in the order of their places.
func (t table[T]) fitting() []column[T] {
	const mark, gap = 3, 2
	left := t.width - mark - 1
	var list []column[T]
	for _, c := range t.columns {
		need := c.width
		if len(list) > 0 {
			need += gap
		}
		if need <= left {
			left -= need
			list = append(list, c)
		}
	}
	for i := range list {
		if list[i].grows {
			list[i].width = max(list[i].width, min(list[i].width+left, maxGrown))
		}
	}
	slices.SortFunc(list, func(a, b column[T]) int { return a.place - b.place })
	return list
}

func (t table[T]) line(cell func(column[T]) string) string {
	var parts []string
	for _, c := range t.fitting() {
		text := frame.Cell(frame.OneLine(cell(c)), c.width)
		if c.right {
			trimmed := strings.TrimRight(text, " ")
			text = strings.Repeat(" ", c.width-frame.Width(trimmed)) + trimmed
		}
		parts = append(parts, text)
	}
	return strings.TrimRight(strings.Join(parts, "  "), " ")
}

func (t table[T]) heading() string {
	return t.theme.Dim.Render("   " + t.line(func(c column[T]) string { return c.name }))
}

func (t table[T]) row(of T, chosen bool) string {
	text := t.line(func(c column[T]) string { return c.of(of) })
	if chosen {
		return t.theme.Accent.Render(" ▸ ") + t.theme.Strong.Render(text)
	}
	return "   " + text
}

// widest is the width of a column as wide as the widest of its texts, but at most most.
func widest[T any](name string, rows []T, of func(T) string, most int) int {
	width := frame.Width(name)
	for _, row := range rows {
		width = max(width, frame.Width(frame.OneLine(of(row))))
	}
	return min(width, most)
}

// fixed is a column of a width of its own; fitted one as wide as its texts.
func fixed[T any](place int, name string, width int, of func(T) string) column[T] {
	return column[T]{name: name, place: place, width: width, of: of}
}

func fitted[T any](place int, name string, rows []T, most int, of func(T) string) column[T] {
	return fixed(place, name, widest(name, rows, of, most), of)
}

// numeric is the column with its texts at the right.
func (c column[T]) numeric() column[T] {
	c.right = true
	return c
}

// growing is the column with the room that is left.
func (c column[T]) growing() column[T] {
	c.grows = true
	return c
}
