package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/session/report/figure"
	"assay/tui/frame"
)

// bar draws a horizontal bar chart, with each value after its bar.
func bar(b figure.Bar, look Look) []string {
	p := newPage(b.About, look)
	var rows []barRow
	write := b.Write()
	for _, v := range b.Bars {
		r := barRow{name: v.Name, value: v.Value, text: write(v.Value), note: v.Note}
		if v.Low < v.High {
			r.text += fmt.Sprintf(" (%s to %s)", figure.Plain(v.Low, 2), figure.Plain(v.High, 2))
		}
		rows = append(rows, r)
	}
	if !p.bars(rows, b.X.Title(), b.Y) {
		return p.empty()
	}
	return p.done(b.Note)
}

// barRow is one horizontal bar.
type barRow struct {
	name  string
	value float64
	text  string // the value as it is written
	note  string
}

// bars draws horizontal bars over an axis; drawn is false if there is nothing to draw.
func (p *page) bars(rows []barRow, heading string, y figure.Axis) (drawn bool) {
	y.Zero, y.Log = true, false
	lo, hi, text := 0.0, 0.0, 0
	var texts []string
	for _, r := range rows {
		if finite(r.value) {
			lo, hi, drawn = min(lo, r.value), max(hi, r.value), true
		}
		texts = append(texts, r.name)
		text = max(text, frame.Width(r.text))
	}
	if !drawn {
		return false
	}
	names, left := namesOf(append(texts, heading), max(8, p.Width/3))
	indent := 1 + left + 2 // a column before the names, a space, the axis
	width := max(4, p.Width-indent-text-2)
	ticks, tickNames := y.Ticks(lo, hi, max(2, width/12))
	if !slices.ContainsFunc(rows, func(r barRow) bool { return finite(r.value) && r.value != math.Trunc(r.value) }) {
		ticks, tickNames = whole(ticks, tickNames)
	}
	lo, hi = ticks[0], ticks[len(ticks)-1]
	if heading != "" {
		p.add(p.Theme.Dim.Render(" " + right(names[len(names)-1], left)))
	}
	g := p.glyphs()
	zero := along(0, lo, hi, width)
	for i, r := range rows {
		line := " " + right(names[i], left) + " " + p.Theme.Dim.Render(g.down)
		value := r.text
		switch {
		case !finite(r.value):
			line += strings.Repeat(" ", zero)
			value = "–"
		case r.value < 0:
			from := along(r.value, lo, hi, width)
			line += strings.Repeat(" ", from) + p.Theme.Accent.Render(strings.Repeat(g.full, max(1, zero-from)))
		default:
			line += strings.Repeat(" ", zero) + p.Theme.Accent.Render(length((r.value/(hi-lo))*float64(width-1), r.value > 0, g))
		}
		line += " " + value
		if room := p.Width - frame.Width(line) - 3; r.note != "" && room > 8 {
			line += "   " + p.Theme.Dim.Render(strings.TrimRight(frame.Cell(frame.OneLine(r.note), room), " "))
		}
		p.add(line)
	}
	var columns []int
	for _, t := range ticks {
		columns = append(columns, along(t, lo, hi, width))
	}
	p.axis(indent, width, columns, tickNames, y.Title())
	return true
}

// length draws a bar of a number of cells, to an eighth. A nonzero value is always visible.
func length(cells float64, nonzero bool, g glyphs) string {
	parts := max(1, len(g.eighths))
	n := int(math.Round(cells * float64(parts)))
	if nonzero {
		n = max(n, 1)
	}
	if parts == 1 {
		return strings.Repeat(g.full, n)
	}
	return strings.Repeat(g.full, n/parts) + g.eighths[n%parts]
}

func finite(v float64) bool { return math.Abs(v) <= 1e15 }

// histogram draws a histogram with vertical bars, with counts on top where they fit; with
// horizontal bars where not all bins fit side by side.
func histogram(h figure.Histogram, look Look) []string {
	p := newPage(h.About, look)
	edges, counts := h.Counted()
	if len(counts) == 0 {
		return p.empty()
	}
	y := figure.Axis{Name: frame.OneLine(h.Of), Zero: true}
	most := 0
	for _, c := range counts {
		most = max(most, c)
	}
	ticks, names := y.Ticks(0, float64(most), 4)
	ticks, names = whole(ticks, names)
	_, left := namesOf(names, 8)
	indent := 1 + left + 2
	column := min(8, (p.Width-indent-4)/len(counts))
	if column < 1 || p.ASCII {
		var rows []barRow
		for i, c := range counts {
			rows = append(rows, barRow{name: figure.Plain(edges[i], 3) + " to " + figure.Plain(edges[i+1], 3), value: float64(c), text: fmt.Sprint(c)})
		}
		p.bars(rows, h.X.Title(), y)
	} else {
		p.standing(h, edges, counts, ticks, names, left, column)
	}
	var refs []string
	for i, r := range h.References {
		if finite(r.At) {
			refs = append(refs, p.glyphs().marks[i%4]+" "+frame.OneLine(r.Name)+" "+figure.Plain(r.At, 2))
		}
	}
	if len(refs) > 0 {
		p.paragraph(strings.Join(refs, "   "), p.Theme.Text)
	}
	return p.done(h.Note)
}

// whole drops ticks between whole numbers, which counts never reach.
func whole(ticks []float64, names []string) (t []float64, n []string) {
	for i, v := range ticks {
		if v == math.Trunc(v) {
			t, n = append(t, v), append(n, strings.TrimSuffix(names[i], ".0"))
		}
	}
	return t, n
}

func (p *page) standing(h figure.Histogram, edges []float64, counts []int, ticks []float64, names []string, left, column int) {
	g := p.glyphs()
	height := 10
	if p.Height > 0 {
		height = min(max(p.Height-9, 4), 16)
	}
	top := ticks[len(ticks)-1]
	names, _ = namesOf(names, 8)
	level := func(v float64) int { return int(math.Round(v / top * float64(8*height))) } // in eighths of a row
	p.add(p.Theme.Dim.Render(" " + frame.OneLine(h.Of)))
	for row := height + 1; row > 0; row-- { // the top row is only for counts
		label := ""
		for i, t := range ticks {
			if t > 0 && (level(t)+7)/8 == row {
				label = names[i]
			}
		}
		var b strings.Builder
		for _, c := range counts {
			part := min(max(level(float64(c))-8*(row-1), 0), 8)
			if c > 0 && row == 1 {
				part = max(part, 1)
			}
			cell := " "
			if part == 8 {
				cell = g.full
			} else if part > 0 {
				cell = g.rises[part]
			}
			fill := column
			if column > 2 {
				fill-- // a gap between neighbours of equal height
			}
			text := fmt.Sprint(c)
			above := c > 0 && part == 0 && max(level(float64(c)), 1)-8*(row-2) > 0 && len(text) < column // one column separates it from its neighbour
			if above {
				b.WriteString(frame.Cell(text, column))
				continue
			}
			b.WriteString(p.Theme.Accent.Render(strings.Repeat(cell, fill)) + strings.Repeat(" ", column-fill))
		}
		p.add(" " + right(label, left) + " " + p.Theme.Dim.Render(g.down) + strings.TrimRight(b.String(), " "))
	}
	var columns []int
	var edgeNames []string
	for i, e := range edges {
		columns, edgeNames = append(columns, i*column), append(edgeNames, figure.Plain(e, 3))
	}
	width := column*len(counts) + 1
	p.axis(1+left+2, width, columns, edgeNames, h.X.Title())
	p.references(h.References, edges, width, 1+left+2)
}

// references marks each reference on the axis, which was drawn last.
func (p *page) references(refs []figure.Reference, edges []float64, width, indent int) {
	g := p.glyphs()
	cells := make([]string, width)
	any := false
	for i, r := range refs {
		if !finite(r.At) || r.At < edges[0] || r.At > edges[len(edges)-1] {
			continue
		}
		at := along(r.At, edges[0], edges[len(edges)-1], width)
		for at+1 < width && cells[at] != "" {
			at++ // next to another reference at the same place
		}
		cells[at], any = g.marks[i%4], true
	}
	if !any {
		return
	}
	for i, c := range cells {
		if c == "" {
			cells[i] = " "
		}
	}
	p.add(strings.Repeat(" ", indent) + strings.TrimRight(strings.Join(cells, ""), " "))
}
