package overlap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/session/overlap"
	"assay/tui/frame"
)

// Page draws the answer, and the raters' scores beside it or instead of it.
func (s *Adjudication) Page(size frame.Size, theme frame.Theme) frame.Page {
	s.size, s.theme = size, theme
	label := fmt.Sprintf(" %d because: ", s.chosen.Score)
	if s.chosen.Label != "" {
		label = " " + frame.OneLine(s.chosen.Value) + " because: "
	}
	text, seen := s.table()
	done := frame.CountIf(s.all, func(d *overlap.Dispute) bool { return d.Settled != nil })
	return s.drawn(frame.Page{
		Scope: frame.ScopeOverlap, Title: "Settle · " + frame.OneLine(s.header.Name+" · "+s.dispute().Item.Title()),
		Place: fmt.Sprintf("%d of %d", s.at+1, len(s.all)), Keys: s.keys(), Status: fmt.Sprintf("%d of %d settled", done, len(s.all)),
	}, text, seen, label)
}

const nameWidth = 26 // of the names of questions, after the mark

// table draws the ratings of all raters of the item side by side, and their notes below.
func (s *Adjudication) table() (text, seen string) {
	width, height := s.width(), s.size.Body().Height-1
	lines, chosen := s.rows(width, false)
	if len(lines) > height { // agreed rows are dropped first
		lines, chosen = s.rows(width, true)
	}
	s.text.Fit(height, len(lines))
	s.text.Show(min(chosen+1, len(lines)-1))
	return strings.Join(s.text.Of(lines, height), "\n"), s.text.Seen()
}

// rows returns the table, and the row of the current question; agreed rows may be omitted.
func (s *Adjudication) rows(width int, short bool) (lines []string, chosen int) {
	given := slices.Clone(s.given)
	slices.SortFunc(given, func(a, b overlap.Given) int {
		return slices.Index(s.header.Raters, a.Rater) - slices.Index(s.header.Raters, b.Rater)
	})
	heading := strings.Repeat(" ", 3+nameWidth)
	for _, g := range given {
		heading += fmt.Sprintf("%3s", s.header.Letter(g.Rater))
	}
	lines = []string{frame.Section("what the raters said", s.state(), width, s.theme), s.theme.Dim.Render(frame.Cell(heading+"  settled", width))}
	for i := range s.header.Attributes {
		a := &s.header.Attributes[i]
		d, here := s.find(a.ID, "")
		if short && d == nil {
			continue
		}
		row := frame.Cell(frame.OneLine(a.Name), nameWidth)
		for _, g := range given {
			text := "–"
			if score := g.Form.Scores[a.ID]; score > 0 {
				text = fmt.Sprint(score)
			}
			row += fmt.Sprintf("%3s", text)
		}
		if here {
			chosen = len(lines)
		}
		lines = append(lines, s.row(row, d, here, width)...)
	}
	for i := range s.header.Labels {
		l := &s.header.Labels[i]
		d, here := s.find("", l.ID)
		if short && d == nil {
			continue
		}
		var said []string
		for _, g := range given {
			value := cmp.Or(g.Form.Labels[l.ID], "–")
			said = append(said, s.header.Letter(g.Rater)+" "+frame.OneLine(value))
		}
		if here {
			chosen = len(lines)
		}
		lines = append(lines, s.row(frame.Cell(frame.OneLine(l.Name), nameWidth)+" "+strings.Join(said, "  "), d, here, width)...)
	}
	return append(lines, s.notes(given, width)...), chosen
}

// find returns the disagreement on a question of the item, or nil, and whether it is the current
// one.
func (s *Adjudication) find(attribute, label string) (d *overlap.Dispute, here bool) {
	for i := range s.all {
		if s.all[i].Item.ID == s.dispute().Item.ID && asks(&s.all[i], attribute, label) {
			return &s.all[i], i == s.at
		}
	}
	return nil, false
}

// row draws one question with its settlement, and the reason below the chosen one.
func (s *Adjudication) row(text string, d *overlap.Dispute, here bool, width int) []string {
	mark := "   "
	switch {
	case here:
		mark = s.theme.Accent.Render(" ▸ ")
	case d != nil:
		mark = " ≠ "
	}
	if d == nil {
		return []string{s.theme.Dim.Render(frame.Cell(mark+text, width))}
	}
	settled, why := "  ≠", ""
	if e := d.Settled; e != nil {
		settled = "  ✓ " + frame.OneLine(e.Value)
		if d.Attribute != nil {
			settled = fmt.Sprintf("  ✓ %d", e.Score)
		}
		why = fmt.Sprintf("%s, by %s on %s", frame.OneLine(e.Reason), frame.OneLine(e.By), e.At.Format("2006-01-02"))
	} else if here {
		why = "not settled: " + s.how(d) + " settles it"
	}
	lines := []string{mark + text + settled}
	if here && why != "" {
		for _, l := range strings.Split(frame.Wrap(why, max(10, width-6)), "\n") {
			lines = append(lines, "     "+s.theme.Dim.Render(l))
		}
	}
	return lines
}

// how names the keys that settle a question.
func (s *Adjudication) how(d *overlap.Dispute) string {
	if d.Attribute != nil {
		low, high := d.Attribute.Anchors()
		return fmt.Sprintf("1 (%s) to %d (%s)", frame.OneLine(low), d.Attribute.Max(), frame.OneLine(high))
	}
	return s.letters(d.Label.ID)
}

// state returns a glyph and words for whether the question is settled.
func (s *Adjudication) state() string {
	if s.dispute().Settled != nil {
		return "✓ settled"
	}
	return "≠ not settled"
}

// notes returns the raters' notes.
func (s *Adjudication) notes(given []overlap.Given, width int) []string {
	var lines []string
	for _, reason := range s.dispute().Item.ToReview() {
		text := frame.Wrap("to review: "+frame.OneLine(reason), max(10, width-3))
		lines = append(lines, strings.Split(frame.Indent(s.theme.Warn.Render(text), "   "), "\n")...)
	}
	for _, g := range given {
		if g.Form.Note == "" {
			continue
		}
		if len(lines) == 0 {
			lines = []string{""}
		}
		for i, l := range strings.Split(frame.Wrap(frame.OneLine(g.Form.Note), max(10, width-8)), "\n") {
			lead := fmt.Sprintf("   %-3s", s.header.Letter(g.Rater))
			if i > 0 {
				lead = "      "
			}
			lines = append(lines, lead+l)
		}
	}
	return lines
}
