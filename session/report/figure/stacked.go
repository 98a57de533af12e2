package figure

import (
	"fmt"
	"slices"
	"strings"
)

// Stacked draws how things divide into kinds: one bar of 100 % for each row. Kinds beyond the
// sixth, the rarest, are drawn together.
type Stacked struct {
	About
	Kinds []string
	Rows  []Rated // Counts are by kind
}

// Draw draws the rows in the order given.
func (s Stacked) Draw(width float64) Figure {
	p := newPage(s.About, width)
	rows, more := atMost(s.Rows, maxRows)
	p.tooMany(len(rows), more, "rows")
	header := append(append([]string{"row"}, s.Kinds...), "n")
	if len(rows) == 0 || len(s.Kinds) == 0 {
		return p.empty(header)
	}
	kinds, of := s.drawn()
	var keys []key
	for i, name := range kinds {
		keys = append(keys, key{name, func(x, y float64) { p.rect(x-8, y-6, x+8, y+6, fmt.Sprintf("fs%d", i%series), "") }})
	}
	p.legend(keys)
	var labels []string
	for _, r := range rows {
		labels = append(labels, r.Name)
	}
	names := p.names(labels, bodyStyle, 200)
	x0, x1 := margin+names+10, p.full-margin-48
	p.text(p.full-margin, p.y+14, right, tickStyle, "n", "", "")
	p.y += 22
	axis := scale{lo: 0, hi: 100}.to(x0, x1)
	height := p.rowHeight(26)
	bottom := p.y + height*float64(len(rows))
	for _, v := range []float64{0, 25, 50, 75, 100} {
		p.line(axis.at(v), p.y, axis.at(v), bottom, "grid")
		p.tick(axis.at(v), bottom+16, plain(v, 0))
	}
	p.label((x0+x1)/2, bottom+32, middle, tickStyle, "share, %", x1-x0)
	var told []string
	for i, r := range rows {
		mid := p.y + height*(float64(i)+0.5)
		p.rowName(x0-10, mid, right, bodyStyle, r.Name, names)
		p.label(p.full-margin, mid+4, right, tickStyle, fmt.Sprint(r.n()), 44)
		var words []string
		at := 0.0
		for k, name := range kinds {
			n := 0
			for j := range s.Kinds {
				if of[j] == k {
					n += r.count(j)
				}
			}
			if n == 0 {
				continue
			}
			share := 100 * float64(n) / float64(r.n())
			a, b := axis.at(at), axis.at(at+share)
			at += share
			p.rect(a, mid-9, b, mid+9, fmt.Sprintf("fs%d", k%series), fmt.Sprintf("%s, %s: %d of %d = %s %%", clean(r.Name), clean(name), n, r.n(), plain(share, 1)))
			words = append(words, fmt.Sprintf("%s %s %%", clean(name), plain(share, 1)))
		}
		told = append(told, fmt.Sprintf("%s (n = %d): %s", clean(r.Name), r.n(), strings.Join(words, ", ")))
	}
	p.y = bottom + 32
	return p.finish("Shares. "+list(told, 12)+".", header, s.table())
}

// drawn returns the kinds that have a colour, and which of them each kind is drawn as.
func (s Stacked) drawn() (names []string, of []int) {
	totals := make([]int, len(s.Kinds))
	order := make([]int, len(s.Kinds))
	for i := range s.Kinds {
		order[i] = i
		for _, r := range s.Rows {
			totals[i] += r.count(i)
		}
	}
	if len(s.Kinds) <= series {
		return s.Kinds, order
	}
	byCount := slices.Clone(order)
	slices.SortStableFunc(byCount, func(a, b int) int { return totals[b] - totals[a] })
	kept := byCount[:series-1]
	for _, i := range order {
		if slices.Contains(kept, i) {
			names, of = append(names, s.Kinds[i]), append(of, len(names))
		} else {
			of = append(of, series-1)
		}
	}
	return append(names, "others"), of
}

func (s Stacked) table() [][]string {
	var rows [][]string
	for _, r := range s.Rows {
		row := []string{cell(r.Name)}
		for i := range s.Kinds {
			row = append(row, fmt.Sprint(r.count(i)))
		}
		rows = append(rows, append(row, fmt.Sprint(r.n())))
	}
	return rows
}
