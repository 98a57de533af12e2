package chart

import (
	"fmt"
	"math"
	"strings"

	"charm.land/lipgloss/v2"

	"assay/session/report/figure"
	"assay/tui/frame"
)

// likert draws ratings as bars of 100 %, divided by level from the poorest to the best: the
// better, the denser.
func likert(l figure.Likert, look Look) []string {
	p := newPage(l.About, look)
	if len(l.Rows) == 0 || len(l.Levels) == 0 {
		return p.empty()
	}
	var texts []string
	for _, r := range l.Rows {
		texts = append(texts, r.Name)
	}
	const columns = 14 // favourable and n
	names, left := namesOf(texts, max(8, p.Width/3))
	width := max(len(l.Levels), p.Width-left-columns-4)
	p.legend(l)
	p.add("")
	p.add(p.Theme.Dim.Render(strings.Repeat(" ", 1+left+2+width) + " favourable   n"))
	for i, r := range l.Rows {
		share, n := l.Favourable(r)
		text := "–"
		if n > 0 {
			text = figure.Plain(share, 0) + " %"
		}
		p.add(" " + frame.Cell(names[i], left) + "  " + p.levels(l, r, width) + right(text, 8) + right(fmt.Sprint(n), 7))
	}
	return p.done(l.Note)
}

// shade returns the pattern of a level.
func (p *page) shade(level, levels int) string {
	if p.ASCII {
		return fmt.Sprint((level + 1) % 10)
	}
	shades := []string{"·", "░", "▒", "▓", "█"}
	if levels < 2 {
		return shades[4]
	}
	return shades[int(math.Round(float64(level)/float64(levels-1)*4))]
}

// tone returns the colour of a level: below or above the neutral one.
func (p *page) tone(level, levels int) lipgloss.Style {
	switch twice := 2*level + 1 - levels; {
	case twice < 0:
		return p.Theme.Bad
	case twice > 0:
		return p.Theme.Good
	}
	return p.Theme.Warn
}

func (p *page) legend(l figure.Likert) {
	line := ""
	for i, name := range l.Levels {
		part := p.tone(i, len(l.Levels)).Render(strings.Repeat(p.shade(i, len(l.Levels)), 2)) + " " + frame.OneLine(name)
		if line != "" && frame.Width(line)+frame.Width(part)+4 > p.Width {
			p.add(line)
			line = ""
		}
		line += "   " + part
	}
	p.add(line)
}

// levels draws the bar of one item, always width columns.
func (p *page) levels(l figure.Likert, r figure.Rated, width int) string {
	_, n := l.Favourable(r)
	if n == 0 {
		return frame.Cell("not rated", width)
	}
	var b strings.Builder
	sum, from := 0, 0
	for i := range l.Levels {
		count := 0
		if i < len(r.Counts) {
			count = max(r.Counts[i], 0)
		}
		sum += count
		// Round the ends, not the lengths, so that the parts always fill the bar.
		to := int(math.Round(float64(sum) / float64(n) * float64(width)))
		b.WriteString(p.tone(i, len(l.Levels)).Render(strings.Repeat(p.shade(i, len(l.Levels)), max(0, to-from))))
		from = to
	}
	return b.String()
}

// heatmap writes a grid as a table: the value of each cell and, in brackets, its n.
func heatmap(h figure.Heatmap, look Look) []string {
	p := newPage(h.About, look)
	table := [][]string{append([]string{h.Y.Title()}, h.Columns...)}
	small, filled := false, false
	for i, name := range h.Rows {
		row := []string{name}
		for j := range h.Columns {
			text := "–"
			if i < len(h.Cells) && j < len(h.Cells[i]) && h.Cells[i][j].N > 0 && finite(h.Cells[i][j].Value) {
				c := h.Cells[i][j]
				text, filled = fmt.Sprintf("%s (%d)", figure.Plain(c.Value, 1), c.N), true
				if c.N < h.Small || c.Few {
					text, small = text+" †", true
				} else if h.Small > 0 {
					text += "  "
				}
			}
			row = append(row, text)
		}
		table = append(table, row)
	}
	if !filled {
		return p.empty()
	}
	p.paragraph(h.Value.Title()+", and how many "+frame.OneLine(h.Of)+", by "+h.X.Title(), p.Theme.Dim)
	p.add("")
	widths := make([]int, len(h.Columns)+1)
	for _, row := range table {
		for j, text := range row {
			widths[j] = max(widths[j], min(frame.Width(frame.OneLine(text)), max(8, p.Width/3)))
		}
	}
	for i, row := range table {
		line := " " + frame.Cell(frame.OneLine(row[0]), widths[0])
		for j, text := range row[1:] {
			line += "  " + right(frame.OneLine(text), widths[j+1])
		}
		line = strings.TrimRight(line, " ")
		if i == 0 {
			line = p.Theme.Dim.Render(line)
		}
		p.add(line)
	}
	if small {
		p.add("")
		p.paragraph(fmt.Sprintf("†: fewer than %d %s", h.Small, frame.OneLine(h.Of)), p.Theme.Dim)
	}
	return p.done(h.Note)
}
