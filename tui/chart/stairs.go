package chart

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"assay/session/report/figure"
	"assay/tui/frame"
)

// survival draws Kaplan-Meier curves, the first with its band, above the percentages and the
// numbers at risk at the ticks.
func survival(s figure.Survival, look Look) []string {
	p := newPage(s.About, look)
	curves := s.Stairs()
	if len(curves) == 0 {
		return p.empty()
	}
	plot := p.stairs(curves, s.Y.Title(), s.X, s.Marked(), 3)
	plot.draw()
	var shares, risks []string
	for _, t := range plot.ticks {
		shares = append(shares, figure.Plain(curves[0].At(t).Share, 0))
		risks = append(risks, fmt.Sprint(curves[0].AtRisk(t)))
	}
	note := ""
	if len(curves) == 1 {
		p.add(plot.row("%", shares))
		p.add(p.Theme.Dim.Render(plot.row("at risk", risks)))
		note = "at risk: still followed, without the event until then; "
	}
	note += fmt.Sprintf("%s: 95 %% confidence, pointwise; %s: followed to there, without the event.", p.glyphs().band, p.glyphs().loose)
	return p.done(strings.TrimSpace(note + " " + s.Note))
}

// row writes texts below the ticks, with a name at the left.
func (s *staircase) row(name string, texts []string) string {
	name = frame.Cell(" "+name, s.indent-2)
	row := s.under(s.indent, s.columns, texts)
	return name + row[min(len(name), len(row)):] // the row starts with enough spaces
}

// ecdf draws distribution functions.
func ecdf(e figure.ECDF, look Look) []string {
	p := newPage(e.About, look)
	curves := e.Stairs()
	if len(curves) == 0 {
		return p.empty()
	}
	of := cmp.Or(frame.OneLine(e.Of), "values")
	p.stairs(curves, "share of "+of+", %", e.X, nil, 0).draw()
	for _, c := range curves {
		if half, most, ok := reaches(c); ok {
			p.paragraph(strings.TrimSpace(fmt.Sprintf("%s: half within %s, all within %s %s", c.Name, figure.Plain(half, 2), figure.Plain(most, 2), e.X.Unit)), p.Theme.Text)
		}
	}
	return p.done(e.Note)
}

// reaches returns where a distribution function reaches a half, and its end.
func reaches(c figure.Stairs) (half, most float64, ok bool) {
	for _, s := range c.Steps {
		if s.Share >= 50 {
			return s.At, c.End, true
		}
	}
	return 0, 0, false
}

// staircase is a plot of step functions from 0 to 100 %.
type staircase struct {
	*page
	curves        []figure.Stairs
	title, x      string
	ticks         []float64
	names         []string
	columns       []int
	lo, hi        float64
	indent        int // columns before the cells
	width, height int
}

// stairs prepares a plot that leaves rows below it free.
func (p *page) stairs(curves []figure.Stairs, title string, x figure.Axis, ticks []float64, below int) *staircase {
	s := &staircase{page: p, curves: curves, title: title, x: x.Title(), indent: 10, height: 11}
	if p.Height > 0 {
		s.height = min(max(p.Height-8-below, 5), 17)
		for height := s.height; height <= min(p.Height-5-below, 17); height++ { // the note comes after what it explains
			if !s.flat(height) {
				s.height = height
				break
			}
		}
	}
	s.width = max(6, min(p.Width-s.indent-2, 100))
	end, least := 0.0, 0.0
	for _, c := range curves {
		end = max(end, c.End)
	}
	x.Log = false
	x.Zero = true
	auto, names := x.Ticks(least, end, max(2, s.width/10))
	s.ticks, s.names = auto, names
	if len(ticks) >= 2 {
		s.ticks, s.names = nil, nil
		for _, t := range ticks {
			s.ticks, s.names = append(s.ticks, t), append(s.names, figure.Plain(t, 2))
		}
	}
	s.lo, s.hi = s.ticks[0], s.ticks[len(s.ticks)-1]
	for _, c := range curves {
		s.hi = max(s.hi, c.End)
	}
	for _, t := range s.ticks {
		s.columns = append(s.columns, along(t, s.lo, s.hi, s.width))
	}
	return s
}

// flat reports whether a step of a curve is lost in so many rows.
func (s *staircase) flat(height int) bool {
	for _, c := range s.curves {
		before := -1
		for _, step := range c.Steps {
			row := along(step.Share, 0, 100, height)
			if row == before {
				return true
			}
			before = row
		}
	}
	return false
}

// A pen has the characters of one curve: across, down, and the corners of rising and falling
// steps.
type pen struct{ across, down, rise0, rise1, fall0, fall1 string }

func (s *staircase) pens() []pen {
	if s.ASCII {
		return []pen{{"-", "|", "+", "+", "+", "+"}, {"=", "!", "*", "*", "*", "*"}}
	}
	return []pen{{"─", "│", "┘", "┌", "┐", "└"}, {"╌", "╎", "╯", "╭", "╮", "╰"}}
}

func (s *staircase) draw() {
	g := s.glyphs()
	cells := make([][]string, s.height)
	for i := range cells {
		cells[i] = make([]string, s.width)
	}
	row := func(v float64) int { return s.height - 1 - along(v, 0, 100, s.height) }
	at := func(column int) float64 {
		return s.lo + float64(column)/float64(max(1, s.width-1))*(s.hi-s.lo)
	}
	s.band(cells, row, at)
	for i := len(s.curves) - 1; i >= 0; i-- { // the first is on top
		s.curve(cells, s.curves[i], s.pens()[i%2], []func(...string) string{s.Theme.Accent.Render, s.Theme.Warn.Render}[i%2], row, at)
	}
	s.add(s.Theme.Dim.Render(" " + frame.OneLine(s.title)))
	for r := range cells {
		label := ""
		for _, v := range []float64{0, 25, 50, 75, 100} {
			if row(v) == r && (s.height >= 9 || v != 25 && v != 75) {
				label = fmt.Sprintf("%.0f", v)
			}
		}
		var b strings.Builder
		for _, c := range cells[r] {
			c = cmp.Or(c, " ")
			b.WriteString(c)
		}
		s.add(" " + right(label, s.indent-3) + " " + s.Theme.Dim.Render(g.down) + strings.TrimRight(b.String(), " "))
	}
	s.axis(s.indent, s.width, s.columns, s.names, s.x)
	if len(s.curves) > 1 {
		var keys []string
		for i, c := range s.curves {
			keys = append(keys, strings.Repeat(s.pens()[i%2].across, 3)+" "+frame.OneLine(c.Name))
		}
		s.paragraph(strings.Join(keys, "   "), s.Theme.Text)
	}
}

// band fills the confidence band of a single curve.
func (s *staircase) band(cells [][]string, row func(float64) int, at func(int) float64) {
	if len(s.curves) > 1 {
		return
	}
	c := s.curves[0]
	for column := range s.width {
		x := at(column)
		b := c.At(x + 1e-9)
		if x > c.End || math.IsNaN(b.Low) || math.IsNaN(b.High) {
			continue
		}
		for r := row(b.High); r <= row(b.Low); r++ {
			cells[r][column] = s.Theme.Dim.Render(s.glyphs().band)
		}
	}
}

func (s *staircase) curve(cells [][]string, c figure.Stairs, p pen, style func(...string) string, row func(float64) int, at func(int) float64) {
	before := row(c.Start)
	for column := range s.width {
		x := at(column)
		// The last column of the curve is the one nearest to its end, unless nothing can change any more.
		last := along(c.End, s.lo, s.hi, s.width)
		if column > last && c.At(c.End).Share < 100 {
			break
		}
		if column >= last {
			x = c.End
		}
		now := row(c.At(x + 1e-9).Share)
		put := func(r int, glyph string) { cells[r][column] = style(glyph) }
		switch {
		case now == before:
			put(now, p.across)
		case now < before:
			put(before, p.rise0)
			put(now, p.rise1)
		default:
			put(before, p.fall0)
			put(now, p.fall1)
		}
		for r := min(now, before) + 1; r < max(now, before); r++ {
			put(r, p.down)
		}
		before = now
	}
	if len(s.curves) > 1 {
		return
	}
	for _, t := range c.Loose {
		cells[row(c.At(t).Share)][along(t, s.lo, s.hi, s.width)] = style(s.glyphs().loose)
	}
}
