package frame

import (
	"slices"
	"strings"
)

// Column is one column of a table of rows of a kind.
type Column[T any] struct {
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

// Table draws rows in the columns that find room in its width.
type Table[T any] struct {
	Width   int
	Columns []Column[T]
	Theme   Theme
}

// fitting are the columns that find room, in the order of their places.
func (t Table[T]) fitting() []Column[T] {
	const mark, gap = 3, 2
	left := t.Width - mark - 1
	var list []Column[T]
	for _, c := range t.Columns {
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
	slices.SortFunc(list, func(a, b Column[T]) int { return a.place - b.place })
	return list
}

func (t Table[T]) line(cell func(Column[T]) string) string {
	var parts []string
	for _, c := range t.fitting() {
		text := Cell(OneLine(cell(c)), c.width)
		if c.right {
			trimmed := strings.TrimRight(text, " ")
			text = strings.Repeat(" ", c.width-Width(trimmed)) + trimmed
		}
		parts = append(parts, text)
	}
	return strings.TrimRight(strings.Join(parts, "  "), " ")
}

// Heading names the columns.
func (t Table[T]) Heading() string {
	return t.Theme.Dim.Render("   " + t.line(func(c Column[T]) string { return c.name }))
}

// Row draws a row.
func (t Table[T]) Row(of T, chosen bool) string {
	text := t.line(func(c Column[T]) string { return c.of(of) })
	if chosen {
		return t.Theme.Accent.Render(" ▸ ") + t.Theme.Strong.Render(text)
	}
	return "   " + text
}

// Widest is the width of a column as wide as the widest of its texts, but at most most.
func Widest[T any](name string, rows []T, of func(T) string, most int) int {
	width := Width(name)
	for _, row := range rows {
		width = max(width, Width(OneLine(of(row))))
	}
	return min(width, most)
}

// Fixed is a column of a width of its own.
func Fixed[T any](place int, name string, width int, of func(T) string) Column[T] {
	return Column[T]{name: name, place: place, width: width, of: of}
}

// Fitted is a column as wide as its texts, but at most most.
func Fitted[T any](place int, name string, rows []T, most int, of func(T) string) Column[T] {
	return Fixed(place, name, Widest(name, rows, of, most), of)
}

// Numeric is the column with its texts at the right.
func (c Column[T]) Numeric() Column[T] {
	c.right = true
	return c
}

// Growing is the column with the room that is left.
func (c Column[T]) Growing() Column[T] {
	c.grows = true
	return c
}

// AtLeast is the column with no less than a width.
func (c Column[T]) AtLeast(width int) Column[T] {
	c.width = max(c.width, width)
	return c
}
