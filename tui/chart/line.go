package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/session/report/figure"
	"assay/tui/frame"
)

// Line draws the first curve of a figure between the ends of its axes, which it must have, and
// dots for observations: a digit counts those in one place, + means more than nine.
func Line(l figure.Line, dots []figure.Point, look Look) []string {
	p := newPage(l.About, look)
	const indent = 7
	width := p.Width - indent - 2
	if len(l.Curves) == 0 || len(l.Curves[0].Points) == 0 || width < 8 || !(l.X.To > l.X.From) || !(l.Y.To > l.Y.From) {
		return p.empty()
	}
	height := 11
	if p.Height > 0 {
		height = min(max(p.Height-8, 5), 17) // title, names and ticks of the axes, and a note
	}
	row := func(y float64) int { return height - 1 - along(y, l.Y.From, l.Y.To, height) }
	cells := make([][]string, height)
	for i := range cells {
		cells[i] = make([]string, width)
		for j := range cells[i] {
			cells[i][j] = " "
		}
	}
	p.trace(cells, l, width, row)
	counts := map[[2]int]int{}
	for _, d := range dots {
		if math.IsNaN(d.X) || math.IsNaN(d.Y) {
			continue
		}
		at := [2]int{row(d.Y), along(d.X, l.X.From, l.X.To, width)}
		counts[at]++
		mark := p.dot()
		if n := counts[at]; n > 9 {
			mark = "+"
		} else if n > 1 {
			mark = strconv.Itoa(n)
		}
		cells[at[0]][at[1]] = p.Theme.Strong.Render(mark)
	}
	p.add(p.Theme.Dim.Render(" " + frame.OneLine(l.Y.Title())))
	g := p.glyphs()
	for i, line := range cells {
		label := ""
		switch i {
		case 0:
			label = figure.Plain(l.Y.To, 1)
		case (height - 1) / 2:
			if height%2 == 1 {
				label = figure.Plain((l.Y.From+l.Y.To)/2, 1)
			}
		case height - 1:
			label = figure.Plain(l.Y.From, 1)
		}
		p.add(p.Theme.Dim.Render(right(label, indent-2)+" "+g.down) + strings.Join(line, ""))
	}
	var columns []int
	var names []string
	for k := range 5 {
		x := l.X.From + (l.X.To-l.X.From)*float64(k)/4
		columns, names = append(columns, along(x, l.X.From, l.X.To, width)), append(names, figure.Plain(x, 2))
	}
	p.axis(indent, width, columns, names, l.X.Title())
	note := l.Note
	if len(dots) > 0 {
		note = strings.TrimSpace(fmt.Sprintf("%s: a respondent's ability and score; digits: counts. %s", p.dot(), note))
	}
	return p.done(note)
}

func (p *page) dot() string {
	if p.ASCII {
		return "o"
	}
	return "●"
}

// trace draws the curve, in each column from where it enters to where it leaves.
func (p *page) trace(cells [][]string, l figure.Line, width int, row func(float64) int) {
	points := l.Curves[0].Points
	style := p.Theme.Accent
	before := -1
	for c := range width {
		x := l.X.From + (l.X.To-l.X.From)*float64(c)/float64(width-1)
		at := row(between(points, x))
		if before < 0 {
			before = at
		}
		mark := p.glyphs().across
		if before == at {
			cells[at][c] = style.Render(mark)
			continue
		}
		rise, end := "╯", "╭"
		if at > before {
			rise, end = "╮", "╰"
		}
		down := "│"
		if p.ASCII {
			rise, end, down = "|", "|", "|"
		}
		for r := min(before, at); r <= max(before, at); r++ {
			cells[r][c] = style.Render(down)
		}
		cells[before][c], cells[at][c] = style.Render(rise), style.Render(end)
		before = at
	}
}

// between interpolates the curve's value at x.
func between(points []figure.Point, x float64) float64 {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if x <= b.X && b.X > a.X {
			return a.Y + (b.Y-a.Y)*min(max((x-a.X)/(b.X-a.X), 0), 1)
		}
	}
	return points[len(points)-1].Y
}

// Interval draws a value with its interval in one line of that many columns: the dot is the
// value, the line its interval, unless low is not below high.
func Interval(value, low, high, from, to float64, look Look) string {
	if look.Width < 1 {
		return ""
	}
	cells := make([]string, look.Width)
	for i := range cells {
		cells[i] = " "
	}
	p := page{Look: look}
	if low < high {
		a, b := along(low, from, to, look.Width), along(high, from, to, look.Width)
		for i := a; i <= b; i++ {
			cells[i] = p.glyphs().across
		}
		if !p.ASCII && a < b {
			cells[a], cells[b] = "├", "┤"
		}
	}
	cells[along(value, from, to, look.Width)] = p.dot()
	return strings.Join(cells, "")
}
