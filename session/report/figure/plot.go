package figure

import (
	"fmt"
	"strings"
)

// panel is a mark with two axes that can stand alone or among small multiples.
type panel interface {
	// frame is what the axes are and what they have to hold.
	frame() frame
	// paint draws onto scales that hold it.
	paint(c *canvas, x, y scale)
	// tell is the text alternative, header and rows are the data.
	tell() string
	header() []string
	rows() [][]string
	// left is how many values cannot be shown.
	left() int
}

// frame is what a panel needs of its axes.
type frame struct {
	x, y   Axis
	ex, ey extent
	names  []string // of categories at 0, 1, … instead of numbers along x
	xTicks []float64
	inset  float64 // of the scales, for marks that have a size
}

// rectangle is where a panel's data go.
type rectangle struct{ x0, y0, x1, y1 float64 }

// axes draws grid, axes and ticks within the width from x0 to x1, the plot's height
// below y0, and returns the scales and the lowest edge. Names of axes are written
// where named is true.
func (c *canvas) axes(f frame, x0, x1, y0, height float64, named bool) (x, y scale, r rectangle, bottom float64) {
	headroom := 10.0
	if named {
		c.label(x0, y0+12, left, tickStyle, f.y.title(), x1-x0)
		headroom = 22
	}
	if f.names != nil { // the value of a bar that reaches the end stands above it
		headroom += 8
	}
	y0 += headroom
	y = scaleOf(f.y, f.ey, max(4, int(height/40)))
	names := tickNames(y)
	widest := 0.0
	for _, n := range names {
		widest = max(widest, c.width(n, tickStyle))
	}
	r = rectangle{x0 + widest + 8, y0, x1 - 8, y0 + height}
	y = y.to(r.y1-f.inset, r.y0+f.inset)
	for i, v := range y.ticks {
		at := y.at(v)
		c.line(r.x0, at, r.x1, at, "grid")
		if i > 0 && i < len(y.ticks)-1 && !c.free(c.box(r.x0-6, at+4, right, tickStyle, names[i])) {
			continue
		}
		c.text(r.x0-6, at+4, right, tickStyle, names[i], "", "")
	}
	bottom = r.y1 + 16
	if f.names != nil {
		x = scale{lo: -0.5, hi: float64(len(f.names)) - 0.5}.to(r.x0, r.x1)
		bottom = c.categories(f.names, x, r)
	} else {
		x = c.numbers(f, r)
	}
	c.line(r.x0, r.y1, r.x1, r.y1, "axis")
	if named {
		if title := f.x.title(); title != "" {
			bottom += 16
			c.label((r.x0+r.x1)/2, bottom, middle, tickStyle, title, r.x1-r.x0)
		}
	}
	return x, y, r, bottom
}

// numbers draws the ticks along x, as many as have room.
func (c *canvas) numbers(f frame, r rectangle) scale {
	var x scale
	for n := max(3, int((r.x1-r.x0)/60)); ; n-- {
		if x = scaleOf(f.x, f.ex, n); f.xTicks != nil {
			x.ticks = f.xTicks
			x.lo, x.hi = min(x.ticks[0], f.ex.lo), max(x.ticks[len(x.ticks)-1], f.ex.hi, f.x.To)
		}
		x = x.to(r.x0+f.inset, r.x1-f.inset)
		if n <= 2 || f.xTicks != nil || c.fits(x) {
			break
		}
	}
	names := tickNames(x)
	for i, v := range x.ticks {
		c.line(x.at(v), r.y1, x.at(v), r.y1+4, "axis")
		c.tick(x.at(v), r.y1+16, names[i])
	}
	return x
}

// tick writes the name of a tick unless it would touch the one before it or leave
// the canvas.
func (c *canvas) tick(x, y float64, name string) {
	half := c.width(name, tickStyle) / 2
	x = min(max(x, half+2), c.full-half-2)
	b := c.box(x, y, middle, tickStyle, name)
	b.x0 -= 4
	if c.free(b) {
		c.text(x, y, middle, tickStyle, name, "", "")
	}
}

func (c *canvas) fits(x scale) bool {
	end := -1e9
	for i, n := range tickNames(x) {
		half := c.width(n, tickStyle)/2 + 5
		if x.at(x.ticks[i])-half < end {
			return false
		}
		end = x.at(x.ticks[i]) + half
	}
	return true
}

// categories writes names below the axis, in two lines at most; where bands are
// narrow, only every second, fifth and so on. It returns the last baseline.
func (c *canvas) categories(names []string, x scale, r rectangle) float64 {
	band := (r.x1 - r.x0) / float64(len(names))
	if every := c.every(names, band); every > 1 {
		for i := 0; i < len(names); i += every {
			c.tick(x.at(float64(i)), r.y1+16, c.cut(clean(names[i]), tickStyle, 80))
		}
		return r.y1 + 16
	}
	bottom := r.y1 + 16
	for i, n := range names {
		bottom = max(bottom, c.lines(x.at(float64(i)), r.y1+16, middle, tickStyle, n, band-6, 2)-1.3*tickStyle.size())
	}
	return bottom
}

// every returns 1 where all names have room, else which of them are written.
func (c *canvas) every(names []string, band float64) int {
	widest := 0.0
	whole := true
	for _, n := range names {
		widest = max(widest, c.width(clean(n), tickStyle))
		_, all := c.wrap(clean(n), tickStyle, band-6, 2)
		whole = whole && all
	}
	if whole || band > 45 {
		return 1
	}
	widest = min(widest, 80) + 8
	for _, e := range []int{2, 5, 10, 20, 50, 100, 200, 500, 1000} {
		if band*float64(e) >= widest {
			return e
		}
	}
	return len(names)
}

// single draws a panel as a figure of its own.
func single(width float64, a About, m panel, keys func(*page) []key, height float64) Figure {
	p := newPage(a, width)
	f := m.frame()
	p.leftOut(m.left(), f.loggy())
	if f.ey.lo > f.ey.hi || (f.names == nil && f.ex.lo > f.ex.hi) {
		return p.empty(m.header())
	}
	if keys != nil {
		if all := keys(p); len(all) > 0 {
			p.legend(all)
		}
	}
	x, y, _, bottom := p.axes(f, margin, p.full-margin, p.y, height, true)
	m.paint(&p.canvas, x, y)
	p.y = bottom
	return p.finish(m.tell(), m.header(), m.rows())
}

// loggy returns the axis whose refusals have to be told.
func (f frame) loggy() Axis {
	if f.y.Log {
		return f.y
	}
	return f.x
}

// Multiples are small multiples: the same kind of chart for several groups, on
// the same axes; where they are of several measures, each upwards on its own.
type Multiples struct {
	About
	Panels []Panel
	Own    bool // each panel has its own axis upwards
}

// Panel is one of small multiples. Its mark is a [Bar], [Histogram], [ECDF],
// [Line] or [Scatter], of whose About
// only Of is used.
type Panel struct {
	Name string
	N    int
	Mark Mark
}

// Draw draws panels of one kind; others than the first one's are left out and
// counted. Bars have the categories of the first panel.
func (m Multiples) Draw(pageWidth float64) Figure {
	p := newPage(m.About, pageWidth)
	var panels []Panel
	var charts []panel
	others, out := 0, 0
	for _, one := range m.Panels {
		chart, is := one.Mark.(panel)
		if !is || (len(charts) > 0 && fmt.Sprintf("%T", charts[0]) != fmt.Sprintf("%T", chart)) {
			others++
			continue
		}
		panels, charts = append(panels, one), append(charts, chart)
		out += chart.left()
	}
	if others > 0 {
		p.note("Left out: %s of another kind than the first.", plural(others, "panels"))
	}
	if len(charts) == 0 {
		return p.empty([]string{"panel"})
	}
	f := charts[0].frame()
	p.leftOut(out, f.loggy())
	header := append([]string{"panel", "panel_n"}, charts[0].header()...)
	var rows [][]string
	var told []string
	for i, chart := range charts {
		own := chart.frame()
		f.ex.add(own.ex.lo, own.ex.hi)
		f.ey.add(own.ey.lo, own.ey.hi)
		if len(own.names) > len(f.names) {
			f.names = own.names
		}
		for _, row := range chart.rows() {
			rows = append(rows, append([]string{cell(panels[i].Name), fmt.Sprint(panels[i].N)}, row...))
		}
		told = append(told, fmt.Sprintf("%s (n = %d): %s", clean(panels[i].Name), panels[i].N, strings.TrimSuffix(chart.tell(), ".")))
	}
	if f.ey.lo > f.ey.hi || (f.names == nil && f.ex.lo > f.ex.hi) {
		return p.empty(header)
	}
	shown, more := atMost(panels, 24)
	p.tooMany(len(shown), more, "panels")
	upwards := "Upwards: " + f.y.title() + ". "
	if m.Own {
		upwards = ""
	}
	height := 100.0
	if s, is := charts[0].(Scatter); is && s.Ramp { // points in two dimensions, with a key
		height = 220
		p.legend(p.rampKeys(s.groups()))
		p.y += 4
	}
	p.label(margin, p.y+10, left, tickStyle, upwards+"Across: "+f.x.title()+".", p.inner())
	p.y += 18
	columns, width := p.columns(len(shown), f.names)
	charts = p.alikeBars(charts, f.names, width)
	for first := 0; first < len(shown); first += columns {
		lowest := p.y
		for i := first; i < min(first+columns, len(shown)); i++ {
			x0 := margin + float64(i-first)*(width+16)
			n := fmt.Sprintf("n = %d", shown[i].N)
			room := width - p.width(n, tickStyle) - 10
			name, own := shown[i].Name, f
			if m.Own {
				of := charts[i].frame()
				own.y, own.ey = of.y, of.ey
				if of.y.Unit != "" {
					name += ", " + of.y.Unit
				}
			}
			p.label(x0, p.y+14, left, strongStyle, name, room)
			p.text(x0+width, p.y+14, right, tickStyle, n, "", "")
			x, y, _, bottom := p.axes(own, x0, x0+width, p.y+16, height, false)
			charts[i].paint(&p.canvas, x, y)
			lowest = max(lowest, bottom)
		}
		p.y = lowest + 10
	}
	p.y -= 10
	return p.finish(list(told, 8)+".", header, rows)
}

// alikeBars leaves out the values above bars in all panels where they have no room in
// one: some with and some without them look like a difference in the data.
func (p *page) alikeBars(charts []panel, names []string, width float64) []panel {
	bare := false
	for _, c := range charts {
		if b, is := c.(Bar); is {
			bare = bare || !b.legible(&p.canvas, (width-40)/float64(len(names)))
		}
	}
	var all []panel
	for _, c := range charts {
		if b, is := c.(Bar); is {
			b.bare = bare
			c = b
		}
		all = append(all, c)
	}
	return all
}

// leastPanel is the width of a panel that has others beside it.
const leastPanel = 150

// columns returns how many panels stand side by side, and how wide they are: at most three,
// and fewer where they or the names of categories would not have room.
func (p *page) columns(panels int, names []string) (int, float64) {
	for n := min(3, panels); ; n-- {
		width := (p.inner() - 16*float64(n-1)) / float64(n)
		room := width >= leastPanel && (len(names) == 0 || len(names) > 8 || p.every(names, (width-40)/float64(len(names))) == 1)
		if n == 1 || room {
			return n, width
		}
	}
}
