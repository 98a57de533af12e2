package figure

import (
	"fmt"
	"strings"
)

// Flow draws how many units pass each step, and beside the arrow to the next step how many
// leave and why, as the CONSORT statement shows participants (Schulz et al. 2010).
type Flow struct {
	About
	Stages []Stage
}

// Stage is a box of a flow. Left are those that do not reach the next step, by reason.
type Stage struct {
	Name string
	N    int
	Left []Value // Value is the count
}

// Draw draws the steps downwards.
func (f Flow) Draw(width float64) Figure {
	p := newPage(f.About, width)
	header := []string{"step", "n", "left because", "left"}
	if len(f.Stages) == 0 {
		return p.empty(header)
	}
	height, box, side := 40.0, 250.0, 290.0
	line := 16.0 // of a reason
	if p.narrow() {
		height, box, side, line = 54, 150, p.inner()-176, 28
	}
	var rows [][]string
	var told []string
	y := p.y + 6
	mid := margin + box/2
	steps, more := atMost(f.Stages, 12)
	p.tooMany(len(steps), more, "steps")
	for i, s := range steps {
		p.rect(margin, y, margin+box, y+height, "box", "")
		p.rowName(mid, y+height/2-7, middle, strongStyle, s.Name, box-12)
		p.text(mid, y+height-8, middle, bodyStyle, fmt.Sprintf("n = %d", s.N), "", "")
		words := fmt.Sprintf("%s: %d", clean(s.Name), s.N)
		var left []Value
		for _, v := range s.Left {
			if v.Value > 0 {
				left = append(left, v)
			}
		}
		if len(left) == 0 {
			rows = append(rows, []string{cell(s.Name), fmt.Sprint(s.N), "", ""})
		}
		gap := 26.0
		if left, more := atMost(left, 8); len(left) > 0 {
			gap = max(gap, line*float64(len(left))+22)
			at := y + height + gap/2
			x := margin + box + 26
			p.line(mid, at, x, at, "whisker")
			p.rect(x, at-line/2*float64(len(left))-4, x+side, at+line/2*float64(len(left))+4, "box", "")
			for j, v := range left {
				text := fmt.Sprintf("%s: %s", clean(v.Name), plain(v.Value, 0))
				p.rowName(x+8, at-line/2*float64(len(left))+line*(float64(j)+0.5), "start", tickStyle, text, side-16)
				rows = append(rows, []string{cell(s.Name), fmt.Sprint(s.N), cell(v.Name), value(v.Value)})
				words += "; left: " + text
			}
			p.tooMany(len(left), more, "reasons")
		}
		told = append(told, words)
		if i < len(steps)-1 {
			p.line(mid, y+height, mid, y+height+gap-5, "whisker")
			p.path([]xy{{mid - 5, y + height + gap - 8}, {mid, y + height + gap}, {mid + 5, y + height + gap - 8}}, true, "arrow", "")
		}
		y += height + gap
	}
	p.y = y - 20
	return p.finish(strings.Join(told, ". ")+".", header, rows)
}
