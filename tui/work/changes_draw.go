package work

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"assay/tui/diff"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// drawing is how the lines of two texts are drawn.
type drawing struct {
	old, new      string
	before, after markdown.Painted // the two in the colours of code; nil for other texts

	width   int
	theme   frame.Theme
	numbers int // digits of the lines' numbers; 0: without numbers
}

// unified draws deleted lines above new ones.
func (d drawing) unified(rows []diff.Row) []string {
	theme, width := d.theme, d.width
	var out []string
	for i := 0; i < len(rows); {
		if rows[i].Kind == diff.Same {
			out = append(out, d.side("   ", rows[i].New, d.after, theme.Text, false, width)...)
			i++
			continue
		}
		j := i
		for ; j < len(rows) && rows[j].Kind == rows[i].Kind; j++ {
			if rows[j].Kind != diff.New {
				out = append(out, d.side(" - ", rows[j].Old, d.before, theme.Bad, true, width)...)
			}
		}
		for _, r := range rows[i:j] {
			if r.Kind != diff.Gone {
				out = append(out, d.side(" + ", r.New, d.after, theme.Good, false, width)...)
			}
		}
		i = j
	}
	return out
}

// sideBySide draws the old text at the left and the new one at the right.
func (d drawing) sideBySide(rows []diff.Row) []string {
	theme, half := d.theme, (d.width-1)/2
	bar := theme.Line.Render("│")
	var out []string
	for _, r := range rows {
		var left, right []string
		switch r.Kind {
		case diff.Same:
			left, right = d.side("   ", r.Old, d.before, theme.Text, false, half), d.side("   ", r.New, d.after, theme.Text, false, half)
		case diff.Gone:
			left = d.side(" - ", r.Old, d.before, theme.Bad, true, half)
		case diff.New:
			right = d.side(" + ", r.New, d.after, theme.Good, false, half)
		case diff.Changed:
			left, right = d.side(" - ", r.Old, d.before, theme.Bad, true, half), d.side(" + ", r.New, d.after, theme.Good, false, half)
		}
		for i := range max(len(left), len(right)) {
			l, rt := "", ""
			if i < len(left) {
				l = left[i]
			}
			if i < len(right) {
				rt = right[i]
			}
			out = append(out, l+strings.Repeat(" ", max(0, half-frame.Width(l)))+bar+rt)
		}
	}
	return out
}

// side draws a line in a column, wrapped, with differing words reversed. Code keeps its colours: a quiet ground
// tells what became of the line, in all of its rows.
func (d drawing) side(sign string, l diff.Line, code markdown.Painted, style lipgloss.Style, old bool, width int) []string {
	number := ""
	if d.numbers > 0 {
		number = fmt.Sprintf(" %*d", d.numbers, l.Number)
	}
	var b strings.Builder
	at := 0
	for _, p := range l.Parts {
		drawn, painted := code.Stretch(l.Number, at, p.Text)
		switch at += len(p.Text); {
		case p.Text == "":
		case p.Differs:
			b.WriteString(style.Bold(true).Reverse(true).Render(p.Text))
		case painted:
			b.WriteString(drawn)
		default:
			b.WriteString(style.Render(p.Text))
		}
	}
	of, ground := strings.TrimSpace(sign), d.theme.Came
	if old {
		ground = d.theme.Gone
	}
	rows := frame.WrapCode(b.String(), max(8, width-len(number)-len(sign)))
	room := width - len(number)
	if width == markdown.MostColumns {
		room = 0 // the lines run beyond the screen
	}
	for i, row := range rows {
		if i > 0 {
			number, sign = strings.Repeat(" ", len(number)), strings.Repeat(" ", len(sign))
		}
		rows[i] = style.Render(sign) + row
		if of != "" {
			rows[i] = frame.On(ground, style.Render(sign)+row, room)
		}
		if number != "" {
			rows[i] = d.theme.Dim.Render(number) + rows[i]
		}
	}
	return rows
}
