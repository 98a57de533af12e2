package filter

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/tui/frame"
)

// View draws the text in width columns, and says where its cursor is.
func (l *Line) View(width int) (string, *tea.Cursor) {
	l.input.SetWidth(max(1, width-1)) // the cursor may stand behind the last letter
	return l.input.View(), l.input.Cursor()
}

// Count says how many tasks there are, as "12 of 45 tasks".
func (l *Line) Count() string {
	if !l.searched {
		return "searching…"
	}
	return fmt.Sprintf("%d of %s", len(l.found.Tasks), frame.Count(l.found.Total, "task"))
}

// Typed draws the line while it is typed: its label and text, a note or a rule, and the completions in height rows, or
// there in full what is wrong with the text.
func (l *Line) Typed(width, height int, note string, theme frame.Theme) (rows []string, cursor *tea.Cursor) {
	const label = " filter "
	field, cursor := l.View(width - frame.Width(label) - 1)
	if cursor != nil {
		cursor.X += frame.Width(label)
	}
	menu := frame.Indent(strings.Join(l.Menu(width-8, height, theme), "\n"), "      ")
	if l.err != nil && len(l.Offers()) == 0 {
		menu, note = frame.Indent(theme.Bad.Render(frame.Wrap("✗ "+frame.OneLine(l.err.Error()), width-8)), " "), ""
	}
	if note == "" {
		note = frame.Rule("", width, theme)
	}
	rows = []string{frame.Cut(theme.Accent.Render(label)+field, width), note}
	return append(rows, frame.Fit(menu, frame.Size{Width: width, Height: height})...), cursor
}

// Menu draws the completions in at most height rows: each with what it is, or how many
// tasks the filter would choose with it. It is empty when nothing is offered.
func (l *Line) Menu(width, height int, theme frame.Theme) []string {
	offers := l.Offers()
	if len(offers) == 0 || height < 1 {
		return nil
	}
	var window frame.Window
	window.Fit(height, len(offers))
	window.Show(max(0, l.chosen))
	first := window.Top()
	label := 0
	for _, c := range offers {
		label = max(label, min(frame.Width(frame.OneLine(c.Label)), width/2))
	}
	var rows []string
	for i := first; i < min(len(offers), first+height); i++ {
		rows = append(rows, row(offers[i], i == l.chosen, label, width, theme))
	}
	if more := len(offers) - first - height; more > 0 {
		rows[len(rows)-1] = theme.Dim.Render(fmt.Sprintf("  … %d more", more+1))
		if l.chosen == first+height-1 {
			rows[len(rows)-1] = row(offers[l.chosen], true, label, width, theme)
		}
	}
	return rows
}

func row(c benchmark.Completion, chosen bool, label, width int, theme frame.Theme) string {
	name := frame.Cell(frame.OneLine(c.Label), label)
	mark := "  "
	if chosen {
		mark, name = theme.Accent.Render("▸ "), theme.Strong.Render(name)
	}
	about := c.About
	if about == "" {
		about = fmt.Sprintf("%6d", c.Count)
	}
	return frame.Fit(mark+name+"  "+theme.Dim.Render(about), frame.Size{Width: width, Height: 1})[0]
}
