package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Heatmap is a grid of values, each with the number of things that it is over.
// Of cells with fewer than Small things only their number is shown.
type Heatmap struct {
	About
	X, Y          Axis // of columns and rows
	Value         Axis
	Columns, Rows []string
	Cells         [][]Cell // by rows; absent ones have nothing
	Small         int
}

// Cell is one cell; it is empty where N is 0 or the value is not finite.
type Cell struct {
	Value float64
	N     int
	Apart bool // on another scale: written, and not coloured
	Few   bool // of fewer different tasks than Small, however large N is
}

func (h Heatmap) cell(row, column int) (Cell, bool) {
	if row >= len(h.Cells) || column >= len(h.Cells[row]) {
		return Cell{}, false
	}
	c := h.Cells[row][column]
	return c, c.N > 0 && finite(c.Value) && c.N >= h.Small && !c.Few
}

// few reports whether a cell has things, but too few for its value to be shown.
func (h Heatmap) few(row, column int) (int, bool) {
	if row >= len(h.Cells) || column >= len(h.Cells[row]) {
		return 0, false
	}
	c := h.Cells[row][column]
	return c.N, c.N > 0 && (c.N < h.Small || c.Few)
}

// Draw draws the grid.
func (h Heatmap) Draw(width float64) Figure {
	p := newPage(h.About, width)
	header := []string{h.Y.title(), h.X.title(), h.Value.title(), "n"}
	columns, moreColumns := atMost(h.Columns, 12)
	rows, moreRows := atMost(h.Rows, maxRows)
	p.tooMany(len(columns), moreColumns, "columns")
	p.tooMany(len(rows), moreRows, "rows")
	e, bad := h.extent()
	if bad > 0 {
		p.note("Left out: %s without a finite value.", plural(bad, "cells"))
	}
	if e.lo > e.hi {
		return p.empty(header)
	}
	names := p.names(append([]string{h.Y.title()}, rows...), tickStyle, 180)
	scale := scaleOf(h.Value, e, 5)
	p.ramp(scale, h.Value)
	x0 := margin + names + 10
	room := p.full - margin - x0
	beside := len(columns)
	if p.narrow() { // the columns stand in blocks, one below the other
		beside = max(1, min(beside, int(room/narrowCell)))
	}
	marked := false
	for first := 0; first < len(columns); first += beside {
		block := block{p, x0, min(room/float64(beside), 160), names, first, columns[first:min(first+beside, len(columns))], scale}
		marked = h.block(block, rows) || marked
	}
	if marked {
		p.note("Without a value: cells of fewer than %d different tasks.", h.Small)
	}
	return p.finish(h.tell(), header, h.table())
}

// narrowCell is the least width of a cell on a narrow page.
const narrowCell = 46

// block is some columns of a heat map, from the first one on, of which each has the width.
type block struct {
	*page
	x0, width, names float64
	first            int
	columns          []string
	scale            scale
}

// block draws the rows of some columns, and reports whether a cell has too few things for its value to be shown.
func (h Heatmap) block(b block, rows []string) (few bool) {
	bottom := b.y + 14
	for i, c := range b.columns {
		bottom = max(bottom, b.lines(b.x0+b.width*(float64(i)+0.5), b.y+14, middle, tickStyle, c, b.width-6, 2)-14.3)
	}
	b.label(b.x0-10, b.y+14, right, tickStyle, h.Y.title(), b.names)
	b.y = bottom + 8
	const height = 40.0
	write := h.write()
	for i, r := range rows {
		y := b.y + height*float64(i)
		b.rowName(b.x0-10, y+20, right, tickStyle, r, b.names)
		for j, c := range b.columns {
			x := b.x0 + b.width*float64(j)
			cell := rectangle{x, y, x + b.width, y + height}
			if n, hidden := h.few(i, b.first+j); hidden {
				few = true
				b.hiddenCell(n, r+", "+c, cell)
				continue
			}
			one, is := h.cell(i, b.first+j)
			h.drawCell(b.page, one, is, r+", "+c, write, rampStep(b.scale, one.Value), cell)
		}
	}
	b.y += height * float64(len(rows))
	return few
}

// drawCell draws one cell in the colour of a step, or an empty one.
func (h Heatmap) drawCell(p *page, c Cell, is bool, name string, write func(float64) string, step int, r rectangle) {
	mid, width := (r.x0+r.x1)/2, r.x1-r.x0-4
	if !is {
		p.rect(r.x0+1, r.y0+1, r.x1-1, r.y1-1, "empty", name+": no value")
		p.text(mid, r.y0+24, middle, tickStyle, "–", "", "")
		return
	}
	look, ink := fmt.Sprintf("r%d", step), fmt.Sprintf("t%d", step)
	if c.Apart {
		look, ink = "empty", ""
	}
	p.rect(r.x0+1, r.y0+1, r.x1-1, r.y1-1, look, fmt.Sprintf("%s: %s %s, n = %d", name, write(c.Value), h.Value.Unit, c.N))
	p.text(mid, r.y0+18, middle, bodyStyle, p.cut(write(c.Value), bodyStyle, width), write(c.Value), ink)
	p.text(mid, r.y0+32, middle, smallStyle, p.cut(fmt.Sprintf("n = %d", c.N), smallStyle, width), fmt.Sprintf("n = %d", c.N), ink)
}

// hiddenCell describes a cell by the number of its things alone.
func (p *page) hiddenCell(n int, name string, r rectangle) {
	p.rect(r.x0+1, r.y0+1, r.x1-1, r.y1-1, "empty", fmt.Sprintf("%s: n = %d, too few", name, n))
	p.text((r.x0+r.x1)/2, r.y0+24, middle, smallStyle, p.cut(fmt.Sprintf("n = %d", n), smallStyle, r.x1-r.x0-4), "", "")
}

// write writes the values of cells with the same decimals.
func (h Heatmap) write() func(float64) string {
	var values []float64
	for i := range h.Rows {
		for j := range h.Columns {
			if c, is := h.cell(i, j); is {
				values = append(values, c.Value)
			}
		}
	}
	return alike(values)
}

func (h Heatmap) extent() (e extent, bad int) {
	e = nothing()
	for i := range h.Rows {
		for j := range h.Columns {
			if c, is := h.cell(i, j); is {
				if !c.Apart {
					e.add(c.Value)
				}
			} else if c.N >= max(h.Small, 1) && !c.Few {
				bad++
			}
		}
	}
	return e, bad
}

// rampStep returns the colour of a value.
func rampStep(s scale, v float64) int {
	share := (v - s.lo) / (s.hi - s.lo)
	if s.log && v > 0 {
		share = math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	}
	return min(max(int(share*steps), 0), steps-1)
}

// ramp is the key of the colours, with its ends.
func (p *page) ramp(s scale, a Axis) {
	const width = 20.0
	names := tickNames(s)
	low, high := names[0], names[len(names)-1]
	x := margin + p.width(low, tickStyle) + 6
	p.text(margin, p.y+15, left, tickStyle, low, "", "")
	for i := range steps {
		p.rect(x+width*float64(i), p.y+5, x+width*float64(i+1), p.y+17, fmt.Sprintf("r%d", i), "")
	}
	x += width*steps + 6
	p.text(x, p.y+15, left, tickStyle, high, "", "")
	x += p.width(high, tickStyle) + 12
	p.label(x, p.y+15, left, tickStyle, a.title(), p.full-margin-x)
	p.y += 26
}

func (h Heatmap) tell() string {
	type one struct {
		name  string
		value float64
	}
	var all []one
	write := h.write()
	for i, r := range h.Rows {
		for j, c := range h.Columns {
			if cell, is := h.cell(i, j); is {
				all = append(all, one{fmt.Sprintf("%s, %s: %s (n = %d)", clean(r), clean(c), write(cell.Value), cell.N), cell.Value})
			}
		}
	}
	if len(all) == 0 {
		return "No cell has a value."
	}
	axes := h.Y.title()
	if x := h.X.title(); x != "" {
		axes += " and " + x
	}
	text := fmt.Sprintf("Grid of %s by %s. ", h.Value.title(), axes)
	if len(all) <= 24 {
		var words []string
		for _, o := range all {
			words = append(words, o.name)
		}
		return text + strings.Join(words, "; ") + "."
	}
	by := func(a, b one) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return 0
	}
	return text + fmt.Sprintf("Least: %s; greatest: %s.", slices.MinFunc(all, by).name, slices.MaxFunc(all, by).name)
}

func (h Heatmap) table() [][]string {
	var rows [][]string
	for i, r := range h.Rows {
		for j, c := range h.Columns {
			one, is := h.cell(i, j)
			row := []string{cell(r), cell(c), "", fmt.Sprint(one.N)}
			if is {
				row[2] = value(one.Value)
			}
			rows = append(rows, row)
		}
	}
	return rows
}
