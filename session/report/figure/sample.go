package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"assay/scoring/stats"
)

// Sample is a group of values.
type Sample struct {
	Name   string
	Values []float64
}

// sorted returns the values that an axis can show, in order, and how many it cannot.
func sorted(values []float64, a Axis) (kept []float64, out int) {
	for _, v := range values {
		if a.shows(v) {
			kept = append(kept, v)
		}
	}
	slices.Sort(kept)
	return kept, len(values) - len(kept)
}

// quantile is that of type 7 of sorted values.
func quantile(x []float64, p float64) float64 {
	v, err := stats.Quantile(x, p, stats.Linear)
	if err != nil {
		return math.NaN()
	}
	return v
}

// spread describes a sample in words.
func spread(x []float64, unit string) string {
	if len(x) == 0 {
		return "no values"
	}
	unit = clean(unit)
	if unit != "" {
		unit = " " + unit
	}
	return fmt.Sprintf("least %s, median %s, greatest %s%s", plain(x[0], 2), plain(quantile(x, 0.5), 2), plain(x[len(x)-1], 2), unit)
}

// Reference is a vertical line with a name, such as a median.
type Reference struct {
	Name string
	At   float64
}

// references draws lines, their names beside them where there is room: below each
// other from the top, or above each other from the bottom. A line begins at its own
// name, so that it crosses none of the others.
func (c *canvas) references(all []Reference, x, y scale, bottom bool) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Reference) int { return cmp.Compare(a.At, b.At) })
	row := 0
	for _, r := range all {
		if !finite(r.At) || r.At < x.lo || r.At > x.hi || (x.log && r.At <= 0) {
			continue
		}
		at := x.at(r.At)
		name := clean(fmt.Sprintf("%s %s", r.Name, plain(r.At, 2)))
		line, end := y.b+12+15*float64(row), y.b+15*float64(row)
		if bottom {
			line, end = y.a-6-15*float64(row), y.a-15*float64(row)
		}
		a, from, room := left, at+5, x.b-at-5
		if room < c.width(name, tickStyle) && at-x.a > room {
			a, from, room = right, at-5, at-x.a-5
		}
		if bottom {
			c.line(at, end, at, y.b, "ref")
		} else {
			c.line(at, y.a, at, end, "ref")
		}
		text := c.cut(name, tickStyle, room)
		if b := c.box(from, line, a, tickStyle, text); row < 4 && c.free(b) {
			c.text(from, line, a, tickStyle, text, name, "halo")
			row++
		}
	}
}
