package results

import (
	"slices"
	"strings"

	"assay/tui/frame"
)

// column is one column of a table.
type column struct {
	name  string
	width int
	right bool // numbers
	grows bool // takes the room that is left
	place int  // where it stands; the order of the columns is that in which they find room
}

// table draws rows in the columns that find room in its width.
type table struct {
	width   int
	columns []column
	theme   frame.Theme
}

// fitting are the indexes of the columns that find room, in the order of their places,
// with their widths.
func (t table) fitting() (indexes []int, widths map[int]int) {
	const mark, gap = 3, 2
	left := t.width - mark - 1
	widths = map[int]int{}
	for i, c := range t.columns {
		need := c.width
		if len(indexes) > 0 {
			need += gap
		}
		if need > left {
			continue
		}
		left -= need
		indexes, widths[i] = append(indexes, i), c.width
	}
	for i := range widths {
		if t.columns[i].grows {
			widths[i] += left
		}
	}
	slices.SortFunc(indexes, func(a, b int) int { return t.columns[a].place - t.columns[b].place })
	return indexes, widths
}

func (t table) line(cells func(i int) string) string {
	indexes, widths := t.fitting()
	var parts []string
	for _, i := range indexes {
		text := frame.Cell(cells(i), widths[i])
		if t.columns[i].right {
			trimmed := strings.TrimRight(text, " ")
			text = strings.Repeat(" ", widths[i]-frame.Width(trimmed)) + trimmed
		}
		parts = append(parts, text)
	}
	return strings.TrimRight(strings.Join(parts, "  "), " ")
}

func (t table) heading() string {
	return t.theme.Dim.Render("   " + t.line(func(i int) string { return t.columns[i].name }))
}

// row draws the cells of a row, which are as many as the columns.
func (t table) row(cells []string, chosen bool) string {
	text := t.line(func(i int) string { return frame.OneLine(cells[i]) })
	if chosen {
		return t.theme.Accent.Render(" ▸ ") + t.theme.Strong.Render(text)
	}
	return "   " + text
}
