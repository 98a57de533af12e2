package frame

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
)

// Column is one column of a table of rows of a kind.
type Column[T any] struct {
	name  string
	place int // its position; the order of Columns is their priority
	width int
	right bool // aligned to the right, for numbers
	grows bool // takes the remaining width
	of    func(T) string
	paint func(Theme, string) string // the style of its texts; nil for none
	edge  int                        // columns that paint adds
}

// maxGrown bounds a column that takes the remaining width, so that the eye can follow the row.
const maxGrown = 60

// Table draws rows in the columns that fit into its width.
type Table[T any] struct {
	Width   int
	Columns []Column[T]
	Theme   Theme
}

// fitting lists the columns that fit, by position.
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

// line draws the cells of a row in its style, or in the column's own if it is painted.
func (t Table[T]) line(cell func(Column[T]) string, style lipgloss.Style, painted func(Column[T]) bool) string {
	var b strings.Builder
	gap := ""
	for i, c := range t.fitting() {
		text := strings.TrimRight(Cell(OneLine(cell(c)), c.width-c.edge), " ")
		if i > 0 {
			gap += "  "
		}
		rest := max(0, c.width-c.edge-Width(text))
		if c.right {
			gap, rest = gap+strings.Repeat(" ", rest), 0
		}
		switch {
		case text == "":
			rest += c.edge
		case painted(c):
			b.WriteString(style.Render(gap) + c.paint(t.Theme, text))
			gap = ""
		default: // a heading over a painted column begins with it
			b.WriteString(style.Render(gap + text))
			gap = strings.Repeat(" ", c.edge)
		}
		gap += strings.Repeat(" ", rest)
	}
	return b.String()
}

// heading names the columns.
func (t Table[T]) heading() string {
	return "   " + t.line(func(c Column[T]) string { return c.name }, t.Theme.Dim, func(Column[T]) bool { return false })
}

// Row draws a row, the chosen one on its ground.
func (t Table[T]) Row(of T, chosen bool) string {
	cells := t.line(func(c Column[T]) string { return c.of(of) }, lipgloss.NewStyle(), func(c Column[T]) bool { return c.paint != nil })
	return t.Theme.Item(cells, chosen, t.Width)
}

// Widest returns the width of the widest text of a column, but at most most.
func Widest[T any](name string, rows []T, of func(T) string, most int) int {
	width := Width(name)
	for _, row := range rows {
		width = max(width, Width(OneLine(of(row))))
	}
	return min(width, most)
}

// Fixed returns a column of a fixed width.
func Fixed[T any](place int, name string, width int, of func(T) string) Column[T] {
	return Column[T]{name: name, place: place, width: width, of: of}
}

// Fitted returns a column as wide as its texts, but at most most.
func Fitted[T any](place int, name string, rows []T, most int, of func(T) string) Column[T] {
	return Fixed(place, name, Widest(name, rows, of, most), of)
}

// Numeric aligns the column to the right.
func (c Column[T]) Numeric() Column[T] {
	c.right = true
	return c
}

// Signed gives texts the colour of the sign that they begin with.
func (c Column[T]) Signed() Column[T] {
	c.paint = Theme.Signed
	return c
}

// Chips draws texts as chips.
func (c Column[T]) Chips() Column[T] {
	c.paint, c.edge = Theme.Chip, 2
	c.width += c.edge
	return c
}

// Growing lets the column take the remaining width.
func (c Column[T]) Growing() Column[T] {
	c.grows = true
	return c
}

// AtLeast gives the column a minimum width.
func (c Column[T]) AtLeast(width int) Column[T] {
	c.width = max(c.width, width)
	return c
}

// Bar draws part of whole in width columns.
func Bar(part, whole, width int, theme Theme) string {
	n := 0
	if whole > 0 {
		n = min((part*width+whole/2)/whole, width)
	}
	if part > 0 && n == 0 {
		n = 1
	}
	return theme.Accent.Render(strings.Repeat("▆", n)) + theme.Dim.Render(strings.Repeat("·", width-n))
}
