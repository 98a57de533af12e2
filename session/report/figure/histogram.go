package figure

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// Histogram counts values in bins of equal width with round edges. A bin holds
// its lower edge, and the last one its upper edge too.
type Histogram struct {
	About
	X          Axis // never logarithmic
	Values     []float64
	Bins       int // wanted; 0 is by Freedman & Diaconis 1981
	References []Reference
}

// Draw draws the histogram.
func (h Histogram) Draw(width float64) Figure { return single(width, h.About, h, nil, 220) }

func (h Histogram) kept() ([]float64, int) { return sorted(h.Values, Axis{}) }

// bins returns the edges and the counts between them.
func (h Histogram) bins() (edges []float64, counts []int) {
	x, _ := h.kept()
	if len(x) == 0 {
		return nil, nil
	}
	n := h.Bins
	if n <= 0 {
		n = int(math.Ceil(math.Sqrt(float64(len(x)))))
		if width := 2 * (quantile(x, 0.75) - quantile(x, 0.25)) / math.Cbrt(float64(len(x))); width > 0 {
			n = int(min((x[len(x)-1]-x[0])/width+1, 60))
		}
	}
	n = min(max(n, 4), 60)
	edges = scaleOf(Axis{}, extent{x[0], x[len(x)-1]}, n+1).ticks
	counts = make([]int, len(edges)-1)
	bin := 0
	for _, v := range x {
		for bin < len(counts)-1 && v >= edges[bin+1] {
			bin++
		}
		counts[bin]++
	}
	return edges, counts
}

func (h Histogram) of() string { return cmp.Or(clean(h.Of), "values") }

func (h Histogram) frame() frame {
	f := frame{x: h.X, y: Axis{Name: h.of(), Zero: true}, ex: nothing(), ey: nothing()}
	f.x.Log = false
	edges, counts := h.bins()
	f.ex.add(edges...)
	for _, c := range counts {
		f.ey.add(float64(c))
	}
	if len(h.References) > 0 && f.ey.hi > 0 { // room for their names above the bars
		f.ey.hi *= 1 + 0.09*float64(min(len(h.References), 4))
	}
	return f
}

func (h Histogram) left() int {
	_, out := h.kept()
	return out
}

func (h Histogram) paint(c *canvas, x, y scale) {
	edges, counts := h.bins()
	for i, n := range counts {
		if n > 0 {
			c.rect(x.at(edges[i])+0.5, y.at(0), x.at(edges[i+1])-0.5, y.at(float64(n)), "fs0",
				fmt.Sprintf("%s to %s %s: %s", plain(edges[i], 3), plain(edges[i+1], 3), h.X.Unit, plural(n, h.of())))
		}
	}
	c.references(h.References, x, y, false)
}

func (h Histogram) tell() string {
	x, _ := h.kept()
	edges, counts := h.bins()
	most := 0
	for i, n := range counts {
		if n > counts[most] {
			most = i
		}
	}
	text := fmt.Sprintf("Histogram of %s: %s", h.X.title(), spread(x, h.X.Unit))
	if len(counts) > 0 {
		text += fmt.Sprintf("; most, %s, from %s to %s", plural(counts[most], h.of()), plain(edges[most], 3), plain(edges[most+1], 3))
	}
	for _, r := range h.References {
		text += fmt.Sprintf("; %s %s", clean(r.Name), plain(r.At, 2))
	}
	return strings.TrimSpace(text) + "."
}

func (h Histogram) header() []string {
	return []string{"from, " + h.X.title(), "to, " + h.X.title(), h.of()}
}

func (h Histogram) rows() [][]string {
	var rows [][]string
	edges, counts := h.bins()
	for i, n := range counts {
		rows = append(rows, []string{value(edges[i]), value(edges[i+1]), fmt.Sprint(n)})
	}
	return rows
}
