package figure

import (
	"fmt"
	"slices"
	"strings"
)

// DotPlot draws values as points with their intervals: a row for each thing, a panel for each
// measure, each with an axis of its own, and in a row a point for each group.
type DotPlot struct {
	About
	Rows   []string
	Groups []string // nil: one point a row
	Panels []Measure
}

// Measure is one panel of a dot plot.
type Measure struct {
	Axis
	Dots [][]Value // by row and group; of Value its name is not used
	None *float64  // a line at the value of no difference; nil: there is none
}

// dot returns the value of a row and group; false where there is none to draw.
func (m Measure) dot(row, group int) (Value, bool) {
	if row >= len(m.Dots) || group >= len(m.Dots[row]) {
		return Value{}, false
	}
	v := m.Dots[row][group]
	return v, m.shows(v.Value)
}

const (
	dotPanels = 3    // side by side
	dotGap    = 24.0 // between panels
	dotLeast  = 110  // the width of a panel that has others beside it
)

// Draw draws the panels, three beside each other where they have room.
func (d DotPlot) Draw(width float64) Figure {
	p := newPage(d.About, width)
	header := []string{"row", "group", "measure", "value", "low", "high"}
	rows, more := atMost(d.Rows, maxRows)
	p.tooMany(len(rows), more, "rows")
	var panels []Measure
	for _, m := range d.Panels {
		m.Log = false
		if e := d.extent(m); e.lo <= e.hi {
			panels = append(panels, m)
		}
	}
	if len(rows) == 0 || len(panels) == 0 {
		return p.empty(header)
	}
	if len(d.Groups) > 1 {
		p.legend(p.seriesKeys(d.Groups, false, true))
	}
	names := p.names(rows, bodyStyle, 200)
	columns := min(len(panels), dotPanels)
	beside := func() float64 { return (p.inner() - names - 10 - dotGap*float64(columns-1)) / float64(columns) }
	least := float64(dotLeast)
	for _, m := range panels {
		least = max(least, p.width(m.title(), strongStyle))
	}
	for columns > 1 && beside() < least {
		columns--
	}
	width = beside()
	height := p.rowHeight(max(20, 9+11*float64(len(d.Groups))))
	top := p.y
	for first := 0; first < len(panels); first += columns {
		top += 14
		y0 := top + 8
		for i, r := range rows {
			p.rowName(margin+names, y0+height*(float64(i)+0.5), right, bodyStyle, r, names)
		}
		for i, m := range panels[first:min(first+columns, len(panels))] {
			x0 := margin + names + 10 + float64(i)*(width+dotGap)
			p.label(x0, top, left, strongStyle, m.title(), width)
			d.panel(p, m, len(rows), rectangle{x0, y0, x0 + width, y0 + height*float64(len(rows))}, height)
		}
		top = y0 + height*float64(len(rows)) + 26
	}
	p.y = top - 10
	return p.finish(d.tell(), header, d.table())
}

func (d DotPlot) extent(m Measure) extent {
	e := nothing()
	if m.None != nil {
		e.add(*m.None)
	}
	for i := range d.Rows {
		for j := range max(1, len(d.Groups)) {
			if v, is := m.dot(i, j); is {
				e.add(v.Value)
				if v.hasInterval() {
					e.add(v.Low, v.High)
				}
			}
		}
	}
	return e
}

func (d DotPlot) panel(p *page, m Measure, rows int, r rectangle, height float64) {
	var s scale
	for n := max(4, int((r.x1-r.x0)/50)); ; n-- {
		if s = scaleOf(m.Axis, d.extent(m), n).to(r.x0+4, r.x1-4); n <= 2 || p.fits(s) {
			break
		}
	}
	names := tickNames(s)
	for i, v := range s.ticks {
		p.line(s.at(v), r.y0, s.at(v), r.y1, "grid")
		p.tick(s.at(v), r.y1+14, names[i])
	}
	p.line(r.x0, r.y1, r.x1, r.y1, "axis")
	if m.None != nil {
		p.line(s.at(*m.None), r.y0, s.at(*m.None), r.y1, "axis")
	}
	groups := max(1, len(d.Groups))
	for i := range rows {
		for j := range groups {
			v, is := m.dot(i, j)
			if !is {
				continue
			}
			y := r.y0 + height*(float64(i)+0.5) + 11*(float64(j)-float64(groups-1)/2)
			if v.hasInterval() {
				p.line(s.at(v.Low), y, s.at(v.High), y, fmt.Sprintf("ls%d solid", j%series))
			}
			p.shape(s.at(v.Value), y, 4, j, fmt.Sprintf("ds%d", j%series), d.name(i, j)+": "+d.said(m, v))
		}
	}
}

func (d DotPlot) name(row, group int) string {
	if group < len(d.Groups) && d.Groups[group] != "" {
		return clean(d.Rows[row] + ", " + d.Groups[group])
	}
	return clean(d.Rows[row])
}

func (d DotPlot) said(m Measure, v Value) string {
	text := strings.TrimSpace(plain(v.Value, 2) + " " + m.Unit)
	if v.hasInterval() {
		text += fmt.Sprintf(" (%s to %s)", plain(v.Low, 2), plain(v.High, 2))
	}
	if v.Note != "" {
		text += "; " + v.Note
	}
	return text
}

func (d DotPlot) tell() string {
	var told []string
	for _, m := range d.Panels {
		var values []string
		for i := range d.Rows {
			for j := range max(1, len(d.Groups)) {
				if v, is := m.dot(i, j); is {
					values = append(values, d.name(i, j)+" "+d.said(m, v))
				}
			}
		}
		told = append(told, fmt.Sprintf("%s: %s", m.title(), list(values, 12)))
	}
	what := "Points"
	if slices.ContainsFunc(d.Panels, func(m Measure) bool {
		return slices.ContainsFunc(m.Dots, func(row []Value) bool { return slices.ContainsFunc(row, Value.hasInterval) })
	}) {
		what += " with intervals"
	}
	return what + ". " + list(told, 8) + "."
}

func (d DotPlot) table() [][]string {
	var rows [][]string
	for _, m := range d.Panels {
		for i, r := range d.Rows {
			for j := range max(1, len(d.Groups)) {
				v, is := m.dot(i, j)
				if !is {
					continue
				}
				group, low, high := "", "", ""
				if j < len(d.Groups) {
					group = d.Groups[j]
				}
				if v.hasInterval() {
					low, high = value(v.Low), value(v.High)
				}
				rows = append(rows, []string{cell(r), cell(group), cell(m.title()), value(v.Value), low, high})
			}
		}
	}
	return rows
}
