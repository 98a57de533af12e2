package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Bar is a bar chart of one value for each category. Bars stand where the names
// have room below them, else they lie.
type Bar struct {
	About
	X, Y Axis // X are the categories; bars begin at 0 of Y
	Bars []Value

	bare bool // without the values above the bars
}

// Value is one bar. Low and High are an interval, drawn where Low < High.
type Value struct {
	Name      string
	Value     float64
	Low, High float64
	Note      string // for the tooltip
}

func (v Value) hasInterval() bool { return finite(v.Low) && finite(v.High) && v.Low < v.High }

// Draw draws the chart.
func (b Bar) Draw(width float64) Figure {
	c := canvas{metrics: newMetrics(), full: width}
	b.X.Log, b.Y.Log = false, false
	var names []string
	for _, v := range b.Bars {
		names = append(names, v.Name)
	}
	if len(names) > 0 {
		band := (width - 2*margin - 60) / float64(len(names))
		if band >= 16 && b.whole(&c, band) || band >= 6 && b.counted() {
			return single(width, b.About, b, nil, 230)
		}
	}
	return b.lying(width)
}

// counted reports whether the categories are whole numbers, not all of which have to
// be written below their bars.
func (b Bar) counted() bool {
	for _, v := range b.Bars {
		if _, err := strconv.ParseUint(v.Name, 10, 16); err != nil {
			return false
		}
	}
	return true
}

// whole reports whether all names can be read in bands of the width.
func (b Bar) whole(c *canvas, band float64) bool {
	for _, v := range b.Bars {
		if _, whole := c.wrap(clean(v.Name), tickStyle, band-6, 2); !whole {
			return false
		}
	}
	return true
}

func (b Bar) frame() frame {
	f := frame{x: b.X, y: b.Y, ex: nothing(), ey: nothing(), names: []string{}}
	f.y.Zero, f.y.Log = true, false
	for _, v := range b.Bars {
		f.names = append(f.names, v.Name)
		f.ey.add(v.Value)
		if finite(v.Value) && v.hasInterval() {
			f.ey.add(v.Low, v.High)
		}
	}
	return f
}

func (b Bar) left() (n int) {
	for _, v := range b.Bars {
		if !finite(v.Value) {
			n++
		}
	}
	return n
}

// write writes the values with the same decimals.
func (b Bar) write() func(float64) string {
	var values []float64
	for _, v := range b.Bars {
		values = append(values, v.Value)
	}
	return alike(values)
}

func (b Bar) tip(v Value) string {
	text := fmt.Sprintf("%s: %s %s", v.Name, plain(v.Value, 2), b.Y.Unit)
	if v.hasInterval() {
		text += fmt.Sprintf(" (%s to %s)", plain(v.Low, 2), plain(v.High, 2))
	}
	if v.Note != "" {
		text += "; " + v.Note
	}
	return text
}

// legible reports whether each bar's value has room above it in bands of the width.
func (b Bar) legible(c *canvas, band float64) bool {
	write := b.write()
	return !slices.ContainsFunc(b.Bars, func(v Value) bool { return finite(v.Value) && c.width(write(v.Value), tickStyle) >= band-2 })
}

func (b Bar) paint(c *canvas, x, y scale) {
	write := b.write()
	band := math.Abs(x.b-x.a) / (x.hi - x.lo)
	named := !b.bare && b.legible(c, band)
	half := min(band*0.38, 30)
	for i, v := range b.Bars {
		if !finite(v.Value) {
			continue
		}
		at, top := x.at(float64(i)), y.at(v.Value)
		c.rect(at-half, y.at(0), at+half, top, "fs0", b.tip(v))
		above := top - 4
		if v.Value < 0 {
			above = top + 12
		}
		if v.hasInterval() {
			c.line(at, y.at(v.Low), at, y.at(v.High), "whisker")
			c.line(at-4, y.at(v.Low), at+4, y.at(v.Low), "whisker")
			c.line(at-4, y.at(v.High), at+4, y.at(v.High), "whisker")
			if v.Value < 0 {
				above = max(above, y.at(v.Low)+12)
			} else {
				above = min(above, y.at(v.High)-4)
			}
		}
		name := write(v.Value)
		if named && above > y.b-6 && c.free(c.box(at, above, middle, tickStyle, name)) {
			c.text(at, above, middle, tickStyle, name, "", "halo")
		}
	}
	if y.lo < 0 {
		c.line(x.a, y.at(0), x.b, y.at(0), "axis")
	}
}

// lying draws bars to the right, with their names at the left.
func (b Bar) lying(width float64) Figure {
	p := newPage(b.About, width)
	f := b.frame()
	p.leftOut(b.left(), Axis{})
	if len(b.Bars) == 0 || f.ey.lo > f.ey.hi {
		return p.empty(b.header())
	}
	bars, more := atMost(b.Bars, maxRows)
	p.tooMany(len(bars), more, "bars")
	var labels []string
	for _, v := range bars {
		labels = append(labels, v.Name)
	}
	names := p.names(labels, tickStyle, 220)
	p.label(margin, p.y+12, left, tickStyle, b.X.title(), p.inner())
	p.y += 20
	x0, x1 := margin+names+8, p.full-margin-60
	s := scaleOf(f.y, f.ey, 6).to(x0, x1)
	if f.ey.lo < 0 {
		s = s.to(x0+60, x1) // room for the values of negative bars
	}
	height := p.rowHeight(20)
	write := b.write()
	bottom := p.y + height*float64(len(bars)) + 4
	for _, t := range s.ticks {
		p.line(s.at(t), p.y, s.at(t), bottom, "grid")
	}
	for i, v := range bars {
		y := p.y + height*float64(i) + 2
		p.rowName(x0-8, y+height/2-1, right, tickStyle, v.Name, names)
		if !finite(v.Value) {
			p.text(s.at(0)+4, y+height/2+3, left, tickStyle, "–", "", "")
			continue
		}
		p.rect(s.at(0), y+2, s.at(v.Value), y+height-2, "fs0", b.tip(v))
		end, a, gap := max(s.at(v.Value), s.at(0)), left, 4.0
		if v.Value < 0 {
			end, a, gap = s.at(v.Value), right, -4
		}
		if v.hasInterval() {
			p.line(s.at(v.Low), y+height/2, s.at(v.High), y+height/2, "whisker")
			if v.Value < 0 {
				end = min(end, s.at(v.Low))
			} else {
				end = max(end, s.at(v.High))
			}
		}
		p.label(end+gap, y+height/2+3, a, tickStyle, write(v.Value), 52)
	}
	p.line(s.at(0), p.y, s.at(0), bottom, "axis")
	for i, name := range tickNames(s) {
		p.tick(s.at(s.ticks[i]), bottom+14, name)
	}
	p.label((x0+x1)/2, bottom+30, middle, tickStyle, b.Y.title(), x1-x0)
	p.y = bottom + 30
	return p.finish(b.tell(), b.header(), b.rows())
}

func (b Bar) tell() string {
	var words []string
	for _, v := range b.Bars {
		words = append(words, fmt.Sprintf("%s: %s", clean(v.Name), plain(v.Value, 2)))
	}
	return fmt.Sprintf("Bars of %s by %s. %s.", b.Y.title(), b.X.title(), list(words, 20))
}

func (b Bar) header() []string { return []string{b.X.title(), b.Y.title(), "low", "high"} }

func (b Bar) rows() [][]string {
	var rows [][]string
	for _, v := range b.Bars {
		row := []string{cell(v.Name), value(v.Value), "", ""}
		if v.hasInterval() {
			row[2], row[3] = value(v.Low), value(v.High)
		}
		rows = append(rows, row)
	}
	return rows
}
