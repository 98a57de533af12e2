package figure

import (
	"cmp"
	"fmt"
	"slices"
)

// Line draws curves through points, with a band where points have an interval.
// Curves have twelve looks; more repeat.
// Points that cannot be shown make a gap.
type Line struct {
	About
	X, Y   Axis
	Curves []Curve
}

// Curve is one line; its points are drawn in the order of X.
type Curve struct {
	Name   string
	Points []Point
	Apart  bool // the points are marked, and not joined
}

// Point is one point of a curve. Low and High are its interval where Low < High.
type Point struct{ X, Y, Low, High float64 }

func (l Line) shows(p Point) bool { return l.X.shows(p.X) && l.Y.shows(p.Y) }

func (l Line) banded(p Point) bool {
	return l.shows(p) && l.Y.shows(p.Low) && l.Y.shows(p.High) && p.Low < p.High
}

// Draw draws the curves.
func (l Line) Draw(width float64) Figure {
	return single(width, l.About, l, func(p *page) []key {
		if len(l.Curves) < 2 {
			return nil
		}
		var names []string
		for _, c := range l.Curves {
			names = append(names, c.Name)
		}
		both, lines, points := p.seriesKeys(names, true, true), p.seriesKeys(names, true, false), p.seriesKeys(names, false, true)
		for i, c := range l.Curves {
			switch {
			case c.Apart:
				both[i] = points[i]
			case !c.marked():
				both[i] = lines[i]
			}
		}
		return both
	}, 240)
}

// marked reports whether the points are few enough to be told apart.
func (c Curve) marked() bool { return c.Apart || len(c.Points) <= 60 }

func (l Line) frame() frame {
	f := frame{x: l.X, y: l.Y, ex: nothing(), ey: nothing()}
	for _, c := range l.Curves {
		for _, p := range c.Points {
			if l.shows(p) {
				f.ex.add(p.X)
				f.ey.add(p.Y)
			}
			if l.banded(p) {
				f.ey.add(p.Low, p.High)
			}
		}
	}
	return f
}

func (l Line) left() (n int) {
	for _, c := range l.Curves {
		for _, p := range c.Points {
			if !l.shows(p) {
				n++
			}
		}
	}
	return n
}

func (l Line) paint(c *canvas, x, y scale) {
	for i, curve := range l.Curves {
		points := slices.Clone(curve.Points)
		slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		var run []xy
		var high, low []xy
		band := func() {
			slices.Reverse(low)
			if len(high) > 1 {
				c.path(append(high, low...), true, fmt.Sprintf("band fs%d", i%series), "")
			}
			high, low = nil, nil
		}
		for _, p := range points {
			if !l.banded(p) {
				band()
				continue
			}
			high, low = append(high, xy{x.at(p.X), y.at(p.High)}), append(low, xy{x.at(p.X), y.at(p.Low)})
		}
		band()
		for _, p := range points {
			if curve.Apart {
				break
			}
			if !l.shows(p) {
				c.path(run, false, fmt.Sprintf("ls%d", i%series), curve.Name)
				run = nil
				continue
			}
			run = append(run, xy{x.at(p.X), y.at(p.Y)})
		}
		c.path(run, false, fmt.Sprintf("ls%d", i%series), curve.Name)
		if curve.marked() {
			c.dots(l, i, curve.Name, points, x, y)
		}
	}
}

// dots marks the points.
func (c *canvas) dots(l Line, i int, name string, points []Point, x, y scale) {
	for _, p := range points {
		if !l.shows(p) {
			continue
		}
		title := fmt.Sprintf("%s: %s at %s", name, plain(p.Y, 2), plain(p.X, 2))
		if l.banded(p) {
			title += fmt.Sprintf(" (%s to %s)", plain(p.Low, 2), plain(p.High, 2))
		}
		c.shape(x.at(p.X), y.at(p.Y), 3, i, fmt.Sprintf("ds%d", i%series), title)
	}
}

func (l Line) tell() string {
	var words []string
	for _, c := range l.Curves {
		var shown []Point
		for _, p := range c.Points {
			if l.shows(p) {
				shown = append(shown, p)
			}
		}
		slices.SortStableFunc(shown, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		if len(shown) == 0 {
			continue
		}
		first, last := shown[0], shown[len(shown)-1]
		words = append(words, fmt.Sprintf("%s from %s at %s to %s at %s", clean(c.Name), plain(first.Y, 2), plain(first.X, 2), plain(last.Y, 2), plain(last.X, 2)))
	}
	return fmt.Sprintf("Lines of %s over %s: %s.", l.Y.title(), l.X.title(), list(words, 10))
}

func (l Line) header() []string { return []string{"curve", l.X.title(), l.Y.title(), "low", "high"} }

func (l Line) rows() [][]string {
	var rows [][]string
	for _, c := range l.Curves {
		for _, p := range c.Points {
			row := []string{cell(c.Name), value(p.X), value(p.Y), "", ""}
			if l.banded(p) {
				row[3], row[4] = value(p.Low), value(p.High)
			}
			rows = append(rows, row)
		}
	}
	return rows
}
