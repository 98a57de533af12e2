package markdown

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	table "github.com/yuin/goldmark/extension/ast"
)

// leastLast is how narrow the last column of a table may become, whose cells wrap where the table is too wide.
const leastLast = 24

// table draws a table: in columns if they fit, the last of them wrapped if necessary, else each row as a paragraph, in which
// the cells keep their order.
func (p *prose) table(t *table.Table, width int) []string {
	var cells [][]string
	widths := make([]int, len(t.Alignments))
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var of []string
		_, head := row.(*table.TableHeader)
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			of = append(of, p.inline(cell, ink{bold: head}))
		}
		end := slices.Index(p.source[p.at:], '\n') // cells beyond the head's are not parsed
		if more := p.missed(p.at + max(0, end)); more != "" {
			of = append(of, more)
		}
		for i, cell := range of {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
		cells = append(cells, of)
	}
	whole := 3 * (len(widths) - 1)
	for _, w := range widths {
		whole += w
	}
	bar := p.theme.Dim.Render("│")
	var rows []string
	last := len(widths) - 1
	before := whole - widths[last] // columns before the last one
	fits := whole <= width || before+leastLast <= width
	widths[last] = min(widths[last], max(1, width-before))
	for n, of := range cells {
		if fits {
			var wrapped []string
			for i, cell := range of {
				if i == last {
					wrapped = p.lines(cell, widths[last])
					cell, wrapped = wrapped[0], wrapped[1:]
				}
				of[i] = aligned(cell, widths[i], t.Alignments[min(i, len(t.Alignments)-1)])
			}
			rows = append(rows, strings.Join(of, " "+bar+" "))
			for _, row := range wrapped {
				rows = append(rows, strings.Repeat(" ", before)+row)
			}
		} else {
			for i, row := range p.lines(strings.Join(of, " "+bar+" "), width-2) {
				rows = append(rows, strings.Repeat(" ", min(2, 2*i))+row)
			}
		}
		if n == 0 {
			rule := "────────"
			if fits {
				var lines []string
				for _, w := range widths {
					lines = append(lines, strings.Repeat("─", w))
				}
				rule = strings.Join(lines, "─┼─")
			}
			rows = append(rows, p.theme.Dim.Render(rule))
		}
	}
	return rows
}

// aligned pads a cell to the width of its column.
func aligned(cell string, width int, how table.Alignment) string {
	left, room := 0, width-ansi.StringWidth(cell)
	switch how {
	case table.AlignRight:
		left = room
	case table.AlignCenter:
		left = room / 2
	}
	return strings.Repeat(" ", left) + cell + strings.Repeat(" ", room-left)
}
