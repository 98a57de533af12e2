package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Scatter draws points. Points of one group that fall within the same two pixels
// are drawn as one, whose area tells how many they are. Labels stand where they
// touch nothing; the others are in the tooltips.
type Scatter struct {
	About
	X, Y   Axis
	Points []Dot
	Ramp   bool     // the groups are steps from little to much
	Groups []string // all groups in their order; nil: in that of their first points
}

// Dot is one point. Label is drawn if there is room; Name is for the tooltip.
type Dot struct {
	X, Y  float64
	Group string
	Name  string
	Label string
}

func (s Scatter) shows(d Dot) bool { return s.X.shows(d.X) && s.Y.shows(d.Y) }

// groups returns the names of groups in their order.
func (s Scatter) groups() []string {
	if s.Groups != nil {
		return s.Groups
	}
	var names []string
	seen := map[string]bool{}
	for _, d := range s.Points {
		if !seen[d.Group] {
			seen[d.Group] = true
			names = append(names, d.Group)
		}
	}
	return names
}

// Draw draws the points.
func (s Scatter) Draw(width float64) Figure {
	return single(width, s.About, s, func(p *page) []key {
		if s.tied() {
			of := cmp.Or(clean(s.Of), "points")
			p.note("The area of a point tells how many %s lie there.", of)
		}
		groups := s.groups()
		if len(groups) < 2 {
			return nil
		}
		shown, more := atMost(groups, 24)
		if more > 0 {
			p.note("Not in the key: %s.", plural(more, "groups"))
		}
		if s.Ramp {
			return p.rampKeys(shown)
		}
		return p.seriesKeys(shown, false, true)
	}, 280)
}

// rampKeys returns the keys of steps.
func (p *page) rampKeys(names []string) []key {
	var keys []key
	for i, n := range names {
		keys = append(keys, key{n, func(x, y float64) { p.shape(x, y, 4, i, rampClass(i, len(names)), "") }})
	}
	return keys
}

// rampClass returns the look of a point of one of n steps, whose edge is seen where its fill is
// near to that of the page.
func rampClass(i, n int) string { return fmt.Sprintf("r%d axis", (i*(steps-1)+(n-1)/2)/max(n-1, 1)) }

func (s Scatter) tied() bool {
	seen := map[[2]float64]bool{}
	for _, d := range s.Points {
		at := [2]float64{d.X, d.Y}
		if s.shows(d) && seen[at] {
			return true
		}
		seen[at] = true
	}
	return len(s.Points) > 2000
}

func (s Scatter) frame() frame {
	f := frame{x: s.X, y: s.Y, ex: nothing(), ey: nothing(), inset: 9}
	for _, d := range s.Points {
		if s.shows(d) {
			f.ex.add(d.X)
			f.ey.add(d.Y)
		}
	}
	return f
}

func (s Scatter) left() (n int) {
	for _, d := range s.Points {
		if !s.shows(d) {
			n++
		}
	}
	return n
}

// mostByArea is how many points at one place the area of a point tells; of more there is the number.
const mostByArea = 9

// spot is what is drawn at one place.
type spot struct {
	x, y  float64
	group int
	n     int
	names []string
	label string
	first Dot
}

func (s Scatter) spots(x, y scale) []spot {
	type key struct{ x, y, group int }
	at := map[key]int{}
	group := map[string]int{}
	for i, g := range s.groups() {
		group[g] = i
	}
	var all []spot
	for _, d := range s.Points {
		if !s.shows(d) {
			continue
		}
		px, py := x.at(d.X), y.at(d.Y)
		k := key{int(math.Floor(px / 2)), int(math.Floor(py / 2)), group[d.Group]}
		i, known := at[k]
		if !known {
			i = len(all)
			at[k] = i
			all = append(all, spot{x: px, y: py, group: k.group, first: d})
		}
		all[i].n++
		if name := cmp.Or(d.Name, d.Label); name != "" && len(all[i].names) < 9 {
			all[i].names = append(all[i].names, name)
		}
		all[i].label = cmp.Or(all[i].label, clean(d.Label))
	}
	return all
}

func (s Scatter) paint(c *canvas, x, y scale) {
	all := s.spots(x, y)
	small, class := 3.5, "ds"
	if len(all) > 2000 {
		small, class = 1.5, "fs" // without an edge, which would be all that is seen
	}
	radius := func(o spot) float64 { return small * math.Sqrt(float64(min(o.n, mostByArea))) }
	for i := range all {
		if o := &all[i]; o.n > mostByArea {
			o.label = strings.TrimSuffix(fmt.Sprintf("%d: %s", o.n, o.label), ": ")
		}
	}
	big := slices.Clone(all) // small ones are drawn over large ones
	slices.SortStableFunc(big, func(a, b spot) int { return b.n - a.n })
	for _, o := range big {
		title := fmt.Sprintf("%s at %s", plural(o.n, "points"), s.place(o))
		if len(o.names) > 0 {
			names := strings.Join(o.names, ", ")
			if o.n > len(o.names) {
				names += fmt.Sprintf(" and %d more", o.n-len(o.names))
			}
			title = names + ": " + s.place(o)
		}
		look := fmt.Sprintf("%s%d", class, o.group%series)
		if s.Ramp {
			look = rampClass(o.group, len(s.groups()))
		}
		c.shape(o.x, o.y, radius(o), o.group, look, title)
	}
	c.spotLabels(all, radius, x, y)
}

// place tells the values of a spot: those of its first point.
func (s Scatter) place(o spot) string {
	return fmt.Sprintf("%s %s; %s %s", clean(s.X.Name), plain(o.first.X, 2), clean(s.Y.Name), plain(o.first.Y, 2))
}

// spotLabels writes labels to the right, left, above or below of their points,
// where they touch no text and no point.
func (c *canvas) spotLabels(all []spot, radius func(spot) float64, x, y scale) {
	written := 0
	for _, o := range all {
		if o.label == "" || written >= 60 {
			continue
		}
		text := c.cut(o.label, smallStyle, 140)
		gap := radius(o) + 4
		for _, p := range []struct {
			x, y float64
			a    anchor
		}{{o.x + gap, o.y + 3, left}, {o.x - gap, o.y + 3, right}, {o.x, o.y - gap, middle}, {o.x, o.y + gap + 7, middle}} {
			b := c.box(p.x, p.y, p.a, smallStyle, text)
			if b.x0 < x.a-9 || b.x1 > x.b+9 || b.y0 < y.b-9 || b.y1 > y.a+9 || !c.free(b) || touches(b, all, radius) {
				continue
			}
			c.text(p.x, p.y, p.a, smallStyle, text, o.label, "halo")
			written++
			break
		}
	}
}

func touches(b textBox, all []spot, radius func(spot) float64) bool {
	for _, o := range all {
		if r := radius(o); o.x+r > b.x0 && o.x-r < b.x1 && o.y+r > b.y0 && o.y-r < b.y1 {
			return true
		}
	}
	return false
}

func (s Scatter) tell() string {
	e := s.frame()
	text := fmt.Sprintf("Points of %s against %s", s.Y.title(), s.X.title())
	if e.ex.lo > e.ex.hi {
		return text + ": none."
	}
	text += fmt.Sprintf(": %s from %s to %s, %s from %s to %s", clean(s.X.Name), plain(e.ex.lo, 2), plain(e.ex.hi, 2), clean(s.Y.Name), plain(e.ey.lo, 2), plain(e.ey.hi, 2))
	if groups := s.groups(); len(groups) > 1 {
		text += "; groups: " + clean(list(groups, 8))
	}
	return text + "."
}

func (s Scatter) header() []string { return []string{"name", "group", s.X.title(), s.Y.title()} }

func (s Scatter) rows() [][]string {
	var rows [][]string
	for _, d := range s.Points {
		rows = append(rows, []string{cell(cmp.Or(d.Name, d.Label)), cell(d.Group), value(d.X), value(d.Y)})
	}
	return rows
}
