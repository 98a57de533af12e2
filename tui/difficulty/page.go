package difficulty

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/scoring/stats"
	"assay/session/difficulty"
	"assay/session/report/figure"
	"assay/tui/chart"
	"assay/tui/frame"
)

// topHeight is the number of rows above a list: the filter, and a message or rule.
const topHeight = 2

// mainHeight returns the height of the list, or of list and task side by side.
func (m *Model) mainHeight() int { return m.size.Body().Height - topHeight }

// listWidth returns the width of the list. Beside a task it has room for intervals of fifteen columns, as far as the task
// keeps 44.
func (m *Model) listWidth() int {
	if m.beside() {
		return max(m.size.Width/2, min(72, m.size.Width-44))
	}
	return m.size.Width
}

// Page draws the browser.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.size, m.theme = size, theme
	p := m.page(size, theme)
	p.Keys = m.keys() // after drawing, which knows what can be scrolled
	return p
}

func (m *Model) page(size frame.Size, theme frame.Theme) frame.Page {
	p := frame.Page{Scope: frame.ScopeDifficulty, Title: "Difficulty · " + frame.OneLine(m.opts.Name)}
	p.Place = frame.Count(len(m.all.Tasks), "task") + " · " + frame.Count(len(m.all.Respondents), "respondent")
	if n := m.shown.Len(); n < len(m.all.Tasks) {
		p.Place = fmt.Sprintf("%d of %s", n, frame.Count(len(m.all.Tasks), "task"))
	}
	if m.drawing {
		p.Title += " · … intervals"
	}
	switch {
	case m.mode == topics || m.mode == naming:
		p.Title += " · topics"
		p.Place = fmt.Sprintf("%d topics", len(m.all.Topics))
		var top string
		top, p.Cursor = m.topicsTop()
		p.Body, p.Seen = top+"\n"+m.topicList(), m.topics.Seen()
		return p
	case m.mode == reading && !m.beside():
		p.Place = fmt.Sprintf("task %d of %d", m.shown.Row()+1, m.shown.Len())
		body := size.Body()
		p.Body = m.detail(body.Width, body.Height-m.troubled())
		if m.troubled() > 0 {
			p.Body = frame.Under(p.Body, []string{m.message(body.Width)}, body)
		}
		return p
	}
	top, cursor := m.filterTop()
	p.Cursor = cursor
	main := m.taskList()
	if m.beside() {
		left := m.listWidth()
		main = frame.Columns(main, m.detail(size.Width-left-1, m.mainHeight()), left, size.Width-left-1, m.mainHeight(), theme)
	}
	p.Body, p.Seen = top+"\n"+main, m.shown.Seen()
	if !m.Typing() {
		p.Status = m.order.String()
	}
	return p
}

// troubled returns the number of rows that a message takes below a task.
func (m *Model) troubled() int {
	if m.trouble == "" && m.notice == "" {
		return 0
	}
	return 1
}

// message returns an error or a confirmation in one line, or a rule.
func (m *Model) message(width int) string {
	text, style := "", m.theme.Dim
	switch {
	case m.trouble != "":
		text, style = "✗ "+m.trouble, m.theme.Bad
	case m.wrong != "" && m.mode != topics && m.mode != naming:
		text, style = "✗ "+m.wrong, m.theme.Bad
	case m.merging != 0:
		text, style = fmt.Sprintf("%s merges “%s” into the chosen topic, which keeps its name", m.theme.Press(frame.ScopeDifficulty, "enter"), m.topicName(m.merging)), m.theme.Warn
	case m.notice != "":
		text = "✓ " + m.notice
	default:
		return frame.Rule("", width, m.theme)
	}
	return frame.Notice(text, style, width, 1)[0]
}

// filterTop draws the filter, or a description of the list if there is none, above the message.
func (m *Model) filterTop() (string, *tea.Cursor) {
	var all string
	switch {
	case m.topic > 0:
		all = "the topic " + m.theme.Strong.Render(frame.OneLine(m.topicName(m.topic)))
	case m.topic == outside:
		all = "tasks without a topic"
	default:
		all = m.theme.Dim.Render("all tasks; type " + m.theme.Press(frame.ScopeDifficulty, "/") + " and a filter, for example kind:suspect difficulty<0.4 topic:word")
	}
	width := m.size.Width
	row, cursor := m.filter.View(width, all, m.theme)
	return row + "\n" + m.message(width), cursor
}

func (m *Model) topicsTop() (string, *tea.Cursor) {
	width := m.size.Width
	if m.mode == naming {
		row, cursor := frame.Field(" name ", &m.name, true, 0, width, m.theme)
		return row + "\n" + m.message(width), cursor
	}
	return frame.Cut(m.theme.Dim.Render(" ")+m.theme.Dim.Render(frame.OneLine(m.all.TopicsBy)), width) + "\n" + m.message(width), nil
}

// kindWord classifies a task by its parameters, as a glyph and a word.
func kindWord(t *difficulty.Task) string {
	switch {
	case t.Kind == difficulty.Suspect && t.Sure:
		return "! suspect, sure"
	case t.Kind == difficulty.Suspect:
		return "! suspect"
	case t.Kind == difficulty.Chance && t.Sure:
		return "~ noise, sure"
	case t.Kind == difficulty.Chance:
		return "~ noise"
	case t.Kind == difficulty.Alike:
		return "= all alike"
	case t.Sure:
		return "✓ sure"
	}
	return "· unsure"
}

// layout has the widths of the list's columns.
type layout struct{ id, bar, other, kind int }

func (m *Model) layout(width int) layout {
	l := layout{kind: 15}
	for i := range m.all.Tasks {
		l.id = max(l.id, frame.Width(m.all.Tasks[i].ID))
	}
	l.id = max(6, min(l.id, 16, width/4))
	const fixed = 3 + 2 + 6 + 2 + 6 + 2 + 5 + 2 // mark, gaps and three numbers
	if width < 72 {
		l.kind = 11 // "= all alike"
	}
	l.bar = width - l.id - fixed - l.kind
	if l.bar > 40 {
		l.other = (l.bar - 2) / 2
		l.bar = l.bar - 2 - l.other
	}
	return l
}

// bar draws a parameter with its interval.
func (m *Model) bar(p difficulty.Parameter, from, to float64, width int) string {
	low, high := 0.0, 0.0
	if p.Interval != nil {
		low, high = max(p.Interval.Low, from), min(p.Interval.High, to)
	}
	return chart.Interval(p.Value, low, high, from, to, chart.Look{Width: width, Theme: m.theme})
}

// Range of the drawn discriminations.
const leastDrawn, mostDrawn = -2.0, 4.0

// number formats a number at the right of a column.
func number(x float64, width int) string { return fmt.Sprintf("%*s", width, stats.Round(x, 2)) }

// taskList draws the list, or a message instead.
func (m *Model) taskList() string {
	if m.shown.Len() == 0 {
		return "\n   " + m.theme.Dim.Render("No task matches this filter.")
	}
	width := m.listWidth()
	l := m.layout(width)
	from, to := m.all.Scale()
	scale, says := figure.Plain(from, 1)+" to "+figure.Plain(to, 1), "meaning"
	if l.bar > 24 {
		scale += ", with 95 %"
	}
	if l.kind < frame.Width(says) {
		says = "says"
	}
	head := "   " + frame.Cell("task", l.id) + "  " + fmt.Sprintf("%6s", "diff.") + "  " + frame.Cell(scale, l.bar-1) + fmt.Sprintf(" %6s", "discr.")
	if l.other > 0 {
		head += "  " + frame.Cell(fmt.Sprintf("%g to %g", leastDrawn, mostDrawn), l.other)
	}
	head += "  " + fmt.Sprintf("%5s", "score") + "  " + says
	rows := m.shown.Draw(topHeight+1, m.mainHeight()-1, func(t *difficulty.Task, chosen bool) string {
		text := frame.Cell(frame.OneLine(t.ID), l.id) + "  " + number(t.Difficulty.Value, 6) + "  " + m.bar(t.Difficulty, from, to, l.bar) + number(t.Discrimination.Value, 6)
		if l.other > 0 {
			text += "  " + m.bar(t.Discrimination, leastDrawn, mostDrawn, l.other)
		}
		word := kindWord(t)
		if frame.Width(word) > l.kind {
			word, _, _ = strings.Cut(word, ",")
		}
		text += "  " + number(t.Mean, 5) + "  "
		word = strings.TrimRight(frame.Cell(word, l.kind), " ")
		return m.theme.Item(text+m.kindStyle(t).Render(word), chosen, width)
	})
	return m.theme.Dim.Render(strings.TrimRight(frame.Cell(head, width), " ")) + "\n" + strings.Join(rows, "\n")
}

func (m *Model) kindStyle(t *difficulty.Task) interface{ Render(...string) string } {
	switch {
	case t.Kind == difficulty.Suspect:
		return m.theme.Bad
	case t.Kind == difficulty.Chance:
		return m.theme.Warn
	case t.Sure:
		return m.theme.Text
	}
	return m.theme.Dim
}

// topicList draws the topics.
func (m *Model) topicList() string {
	width := m.size.Width
	from, to := m.all.Scale()
	const fixed = 3 + 2 + 5 + 2 + 6 + 2 + 2 + 6 + 2 + 13 // mark, gaps, numbers, and the last column
	bar := min(30, (width-fixed)/3)
	if bar < 8 {
		bar = 0 // the names need the width
	}
	name := width - fixed - bar
	head := "   " + frame.Cell("topic", name) + "  tasks  " + fmt.Sprintf("%6s", "diff.") + "  " + frame.Cell(figure.Plain(from, 1)+" to "+figure.Plain(to, 1), bar) + "  discr.  least to best"
	rows := m.topics.Draw(topHeight+1, m.mainHeight()-1, func(t *difficulty.Topic, chosen bool) string {
		text := frame.Cell("– no topic", name) + "  " + fmt.Sprintf("%5d", len(m.all.NoTopic))
		if t != nil {
			text = frame.Cell(frame.OneLine(t.Name), name) + "  " + fmt.Sprintf("%5d", len(t.Tasks)) + "  " + number(t.Difficulty, 6) + "  " +
				m.bar(difficulty.Parameter{Value: t.Difficulty}, from, to, bar) + "  " + number(t.Discrimination, 6) + "  " + reach(t)
		}
		text = strings.TrimRight(text, " ")
		if !chosen && t != nil && t.Number == m.merging {
			return m.theme.Accent.Render(" + ") + text
		}
		return m.theme.Item(text, chosen, width)
	})
	return m.theme.Dim.Render(strings.TrimRight(frame.Cell(head, width), " ")) + "\n" + strings.Join(rows, "\n")
}

// reach formats the lowest and the highest mean score of a respondent in a topic.
func reach(t *difficulty.Topic) string {
	low, high, rated := 1.0, 0.0, false
	for _, mean := range t.Mean {
		if mean != nil {
			low, high, rated = min(low, *mean), max(high, *mean), true
		}
	}
	if !rated {
		return "–"
	}
	return stats.Round(low, 2) + " to " + stats.Round(high, 2)
}
