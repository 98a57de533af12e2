package figure

import "fmt"

// Box draws a box for each sample: quartiles of type 7, whiskers to the furthest
// values within 1.5 box widths (Tukey 1977), single values beyond. Samples of fewer
// than five values are drawn as their values alone.
type Box struct {
	About
	X       Axis
	Samples []Sample
}

// Draw draws the boxes, lying.
func (b Box) Draw(width float64) Figure {
	p := newPage(b.About, width)
	e := nothing()
	out := 0
	var labels []string
	samples, more := atMost(b.Samples, maxRows)
	p.tooMany(len(samples), more, "samples")
	for _, s := range samples {
		x, lost := sorted(s.Values, b.X)
		out += lost
		e.add(x...)
		labels = append(labels, s.Name)
	}
	p.leftOut(out, b.X)
	header := []string{"sample", b.X.title()}
	if e.lo > e.hi {
		return p.empty(header)
	}
	names := p.names(labels, tickStyle, 200)
	x0, x1 := margin+names+70, p.full-margin-8
	row := p.rowHeight(30)
	p.y += 4
	bottom := p.y + row*float64(len(samples))
	s := p.across(b.X, e, x0, x1, p.y, bottom)
	var told []string
	for i, sample := range samples {
		x, _ := sorted(sample.Values, b.X)
		mid := p.y + row*(float64(i)+0.5)
		p.rowName(x0-62, mid, right, tickStyle, sample.Name, names)
		p.text(x0-10, mid+4, right, tickStyle, fmt.Sprintf("n = %d", len(x)), "", "")
		p.one(x, s, mid, sample.Name, b.X.Unit)
		told = append(told, fmt.Sprintf("%s (n = %d): %s", clean(sample.Name), len(x), spread(x, b.X.Unit)))
	}
	p.y = bottom + 32
	var rows [][]string
	for _, sample := range b.Samples {
		for _, v := range sample.Values {
			rows = append(rows, []string{cell(sample.Name), value(v)})
		}
	}
	return p.finish(fmt.Sprintf("Boxes of %s: %s.", b.X.title(), list(told, 10)), header, rows)
}

// across draws an axis below rows and its grid behind them.
func (p *page) across(a Axis, e extent, x0, x1, top, bottom float64) scale {
	var s scale
	for n := 7; n >= 2; n-- {
		if s = scaleOf(a, e, n).to(x0, x1); p.fits(s) {
			break
		}
	}
	for i, name := range tickNames(s) {
		p.line(s.at(s.ticks[i]), top, s.at(s.ticks[i]), bottom, "grid")
		p.tick(s.at(s.ticks[i]), bottom+16, name)
	}
	p.line(x0, bottom, x1, bottom, "axis")
	p.label((x0+x1)/2, bottom+32, middle, tickStyle, a.title(), x1-x0)
	return s
}

// one draws one box of sorted values.
func (p *page) one(x []float64, s scale, mid float64, name, unit string) {
	if len(x) < 5 {
		for _, v := range x {
			p.circle(s.at(v), mid, 3.5, "ds0", fmt.Sprintf("%s: %s %s", name, plain(v, 2), unit))
		}
		return
	}
	q1, q2, q3 := quantile(x, 0.25), quantile(x, 0.5), quantile(x, 0.75)
	low, high := q1, q3
	drawn := -1e9
	for _, v := range x {
		if v < q1-1.5*(q3-q1) || v > q3+1.5*(q3-q1) {
			if at := s.at(v); at-drawn >= 0.5 {
				p.circle(at, mid, 2.5, "ds0", fmt.Sprintf("%s: %s %s", name, plain(v, 2), unit))
				drawn = at
			}
			continue
		}
		low, high = min(low, v), max(high, v)
	}
	p.line(s.at(low), mid, s.at(q1), mid, "whisker")
	p.line(s.at(q3), mid, s.at(high), mid, "whisker")
	p.rect(s.at(q1), mid-8, s.at(q3), mid+8, "ds2", fmt.Sprintf("%s: quartiles %s, %s, %s %s; whiskers %s to %s; n = %d",
		name, plain(q1, 2), plain(q2, 2), plain(q3, 2), unit, plain(low, 2), plain(high, 2), len(x)))
	p.line(s.at(q2), mid-8, s.at(q2), mid+8, "whisker")
}
