package figure

import (
	"cmp"
	"fmt"
	"strings"
)

// ECDF draws empirical distribution functions: the percentage of values that are
// at most x. Steps closer than half a pixel are drawn as one.
type ECDF struct {
	About
	X          Axis
	Samples    []Sample
	References []Reference
}

// Draw draws the functions.
func (e ECDF) Draw(width float64) Figure {
	return single(width, e.About, e, func(p *page) []key {
		if len(e.Samples) < 2 {
			return nil
		}
		var names []string
		for _, s := range e.Samples {
			x, _ := sorted(s.Values, e.X)
			names = append(names, fmt.Sprintf("%s (n = %d)", clean(s.Name), len(x)))
		}
		return p.seriesKeys(names, true, false)
	}, 240)
}

func (e ECDF) frame() frame {
	of := cmp.Or(clean(e.Of), "values")
	f := frame{x: e.X, y: Axis{Name: "share of " + of, Unit: "%", Zero: true, From: 0, To: 100}, ex: nothing(), ey: nothing()}
	for _, s := range e.Samples {
		if x, _ := sorted(s.Values, e.X); len(x) > 0 {
			f.ex.add(x[0], x[len(x)-1])
			f.ey.add(0, 100)
		}
	}
	return f
}

func (e ECDF) left() (n int) {
	for _, s := range e.Samples {
		_, out := sorted(s.Values, e.X)
		n += out
	}
	return n
}

func (e ECDF) paint(c *canvas, x, y scale) {
	for i, s := range e.Samples {
		values, _ := sorted(s.Values, e.X)
		if len(values) == 0 {
			continue
		}
		points := []xy{{x.a, y.at(0)}, {x.at(values[0]), y.at(0)}}
		type stop struct{ x, y, value, share float64 }
		var stops []stop
		for j := range values {
			if j+1 < len(values) && (values[j+1] == values[j] || x.at(values[j+1])-points[len(points)-1].x < 0.5) {
				continue
			}
			share := 100 * float64(j+1) / float64(len(values))
			at := xy{x.at(values[j]), y.at(share)}
			points = append(points, xy{at.x, points[len(points)-1].y}, at)
			stops = append(stops, stop{at.x, at.y, values[j], share})
		}
		points = append(points, xy{x.b, y.at(100)})
		c.path(points, false, fmt.Sprintf("ls%d", i%series), s.Name)
		every := len(stops)/100 + 1
		for j := 0; j < len(stops); j += every {
			t := stops[j]
			c.circle(t.x, t.y, 4, "hover", strings.TrimSpace(fmt.Sprintf("%s %s %% within %s %s", s.Name, plain(t.share, 1), plain(t.value, 2), e.X.Unit)))
		}
	}
	c.references(e.References, x, y, true)
}

func (e ECDF) tell() string {
	var words []string
	for _, s := range e.Samples {
		x, _ := sorted(s.Values, e.X)
		word := fmt.Sprintf("%s %s", clean(s.Name), spread(x, e.X.Unit))
		if len(x) > 0 {
			word += fmt.Sprintf("; 90 %% are within %s", plain(quantile(x, 0.9), 2))
		}
		words = append(words, strings.TrimSpace(word))
	}
	return fmt.Sprintf("Cumulative distribution of %s: %s.", e.X.title(), list(words, 8))
}

func (e ECDF) header() []string { return []string{"sample", e.X.title(), "share within, %"} }

func (e ECDF) rows() [][]string {
	var rows [][]string
	for _, s := range e.Samples {
		x, _ := sorted(s.Values, e.X)
		for j, v := range x {
			if j+1 < len(x) && x[j+1] == v {
				continue
			}
			rows = append(rows, []string{cell(s.Name), value(v), value(100 * float64(j+1) / float64(len(x)))})
		}
	}
	return rows
}
