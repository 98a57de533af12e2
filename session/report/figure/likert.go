package figure

import (
	"fmt"
	"math"
	"strings"
)

// Likert draws ratings as stacked bars that diverge from the middle of the neutral
// level, with the percentage that is favourable (above neutral) and n.
type Likert struct {
	About
	Levels []string // from poorest to best: an odd number has a neutral one
	Rows   []Rated
}

// Rated is one item: how many gave each level.
type Rated struct {
	Name   string
	Counts []int
}

func (r Rated) n() (n int) {
	for _, c := range r.Counts {
		n += max(c, 0)
	}
	return n
}

// halves returns the shares in percent below and above the middle, and the favourable.
func (l Likert) halves(r Rated) (below, above, favourable float64) {
	n := float64(r.n())
	if n == 0 {
		return 0, 0, 0
	}
	for i := range l.Levels {
		share := 100 * float64(r.count(i)) / n
		switch twice := 2*i + 1 - len(l.Levels); {
		case twice < 0:
			below += share
		case twice > 0:
			above, favourable = above+share, favourable+share
		default:
			below, above = below+share/2, above+share/2
		}
	}
	return below, above, favourable
}

func (r Rated) count(level int) int {
	if level >= len(r.Counts) {
		return 0
	}
	return max(r.Counts[level], 0)
}

// colour is that of a level: up to seven have their own, both sides alike.
func (l Likert) colour(level int) int {
	const neutral = (levels - 1) / 2
	if len(l.Levels) < 2 {
		return neutral
	}
	at := float64(level) / float64(len(l.Levels)-1) * (levels - 1)
	if at > neutral {
		return int(math.Ceil(at - 0.5))
	}
	return int(math.Floor(at + 0.5))
}

// Draw draws the rows in the order given.
func (l Likert) Draw(width float64) Figure {
	p := newPage(l.About, width)
	rows, more := atMost(l.Rows, maxRows)
	p.tooMany(len(rows), more, "rows")
	header := append([]string{"item"}, l.Levels...)
	header = append(header, "n", "favourable, %")
	if len(rows) == 0 || len(l.Levels) == 0 {
		return p.empty(header)
	}
	var keys []key
	for i, name := range l.Levels {
		keys = append(keys, key{name, func(x, y float64) { p.rect(x-8, y-6, x+8, y+6, fmt.Sprintf("l%d", l.colour(i)), "") }})
	}
	p.legend(keys)
	var labels []string
	most := extent{}
	for _, r := range rows {
		below, above, _ := l.halves(r)
		most.add(-below, above)
		labels = append(labels, r.Name)
	}
	names := p.names(labels, bodyStyle, 190)
	const columns = 112.0
	x0, x1 := margin+names+10, p.full-margin-columns
	p.text(p.full-margin-40, p.y+14, right, tickStyle, "favourable", "", "")
	p.text(p.full-margin, p.y+14, right, tickStyle, "n", "", "")
	p.y += 22
	height := p.rowHeight(26)
	s := l.axis(p, most, x0, x1, p.y, p.y+height*float64(len(rows)))
	var told []string
	for i, r := range rows {
		mid := p.y + height*(float64(i)+0.5)
		p.rowName(x0-10, mid, right, bodyStyle, r.Name, names)
		_, _, favourable := l.halves(r)
		share := "–"
		if r.n() > 0 {
			share = plain(favourable, 0) + " %"
			l.bar(p, r, s, mid)
		}
		p.text(p.full-margin-40, mid+4, right, strongStyle, share, "", "")
		p.label(p.full-margin, mid+4, right, tickStyle, fmt.Sprint(r.n()), 38)
		told = append(told, fmt.Sprintf("%s %s of %d", clean(r.Name), share, r.n()))
	}
	p.y += height*float64(len(rows)) + 32
	return p.finish("Percent favourable: "+list(told, 20)+".", header, l.table())
}

// axis is symmetric in its names: percentages to both sides.
func (l Likert) axis(p *page, most extent, x0, x1, top, bottom float64) scale {
	s := scaleOf(Axis{}, most, 7).to(x0, x1)
	names := tickNames(s)
	if most.hi > most.lo { // no room is lost beyond the longest bars
		s.lo, s.hi = most.lo, most.hi
	}
	for i, name := range names {
		if s.ticks[i] < s.lo || s.ticks[i] > s.hi {
			continue
		}
		p.line(s.at(s.ticks[i]), top, s.at(s.ticks[i]), bottom, "grid")
		p.tick(s.at(s.ticks[i]), bottom+16, strings.TrimPrefix(name, "−"))
	}
	p.line(s.at(0), top-4, s.at(0), bottom+4, "axis")
	title := "share of answers, %, from the middle of neutral"
	if len(l.Levels)%2 == 0 {
		title = "share of answers, %"
	}
	p.label((x0+x1)/2, bottom+32, middle, tickStyle, title, x1-x0)
	return s
}

func (l Likert) bar(p *page, r Rated, s scale, mid float64) {
	below, _, _ := l.halves(r)
	at := -below
	for i, name := range l.Levels {
		n := r.count(i)
		if n == 0 {
			continue
		}
		share := 100 * float64(n) / float64(r.n())
		a, b := s.at(at), s.at(at+share)
		at += share
		gap := 0.0
		if b-a > 3 {
			gap = 0.5
		}
		p.rect(a+gap, mid-9, b-gap, mid+9, fmt.Sprintf("l%d", l.colour(i)),
			fmt.Sprintf("%s, %s: %d of %d = %s %%", r.Name, name, n, r.n(), plain(share, 1)))
		if text := plain(share, 0); b-a > p.width(text, tickStyle)+6 {
			p.text((a+b)/2, mid+4, middle, tickStyle, text, "", fmt.Sprintf("k%d", l.colour(i)))
		}
	}
}

func (l Likert) table() [][]string {
	var rows [][]string
	for _, r := range l.Rows {
		row := []string{cell(r.Name)}
		for i := range l.Levels {
			row = append(row, fmt.Sprint(r.count(i)))
		}
		favourable := ""
		if r.n() > 0 {
			_, _, share := l.halves(r)
			favourable = value(share)
		}
		rows = append(rows, append(row, fmt.Sprint(r.n()), favourable))
	}
	return rows
}
