package tasks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/tui/frame"
)

// Page draws the browser.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.size, m.theme = size, theme
	p := m.page(size, theme)
	p.Keys = m.keys() // after drawing, which knows what can be scrolled
	return p
}

func (m *Model) page(size frame.Size, theme frame.Theme) frame.Page {
	p := frame.Page{Scope: frame.ScopeTasks, Title: "Tasks · " + frame.OneLine(m.benchmark().Name), Place: m.line.Count()}
	switch {
	case m.mode == counting:
		p.Title = "Tasks · " + frame.OneLine(m.benchmark().Name) + " · statistics"
		p.Body = m.statistics()
		p.Seen = m.window.Seen()
		return p
	case m.mode == reading && !m.beside():
		p.Title += " · " + frame.OneLine(m.task.ID)
		p.Place = fmt.Sprintf("task %d of %d", m.shown.Row()+1, m.shown.Len())
		if p.Body = m.detail(); m.trouble != "" {
			p.Body = frame.Under(p.Body, []string{m.message(size.Width)}, size.Body())
		}
		return p
	}
	top, cursor := m.topLines()
	p.Cursor = cursor
	main := m.mainText()
	if m.beside() {
		left := m.listWidth()
		main = frame.Columns(main, m.detail(), left, size.Width-left-1, m.mainHeight(), theme)
	}
	if p.Body, p.Seen = top+"\n"+main, m.shown.Seen(); m.mode == loading {
		p.Seen = m.saved.Seen()
	}
	if m.mode == listing && m.line.Order() != 0 {
		p.Status = m.line.Order().String()
	}
	return p
}

// message returns an error or a confirmation in one line, or "".
func (m *Model) message(width int) string {
	text, style := "", m.theme.Dim
	switch err := m.line.Err(); {
	case m.trouble != "":
		text, style = "✗ "+m.trouble, m.theme.Bad
	case m.mode == naming && m.replaces() != "":
		text, style = m.theme.Press(frame.ScopeTasks, "enter")+" replaces the filter of that name: "+m.replaces(), m.theme.Warn
	case m.mode == naming:
		text = m.theme.Press(frame.ScopeTasks, "enter") + " saves the filter by this name: " + m.line.Text()
	case err != nil && len(m.line.Offers()) > 0:
		text = err.Error() // while typing, the menu suggests how to continue
	case err != nil:
		text, style = "✗ "+err.Error(), m.theme.Bad
	case m.notice != "":
		text = "✓ " + m.notice
	default:
		return ""
	}
	return frame.Notice(text, style, width, 1)[0]
}

// topHeight is the number of rows above the list: the filter, and a message or rule.
const topHeight = 2

// menuHeight returns the number of rows of completions while the filter is typed.
func (m *Model) menuHeight() int {
	if m.mode != filtering {
		return 0
	}
	return min(8, m.size.Body().Height/3)
}

// mainHeight returns the height of the list, or of list and task side by side.
func (m *Model) mainHeight() int { return m.size.Body().Height - topHeight - m.menuHeight() }

// listWidth returns the width of the list.
func (m *Model) listWidth() int {
	if m.beside() {
		return m.size.Width / 2
	}
	return m.size.Width
}

// topLines draws the filter, its error, and the menu.
func (m *Model) topLines() (string, *tea.Cursor) {
	width := m.size.Width
	var field string
	var cursor *tea.Cursor
	switch label := " filter "; {
	case m.mode == filtering:
		rows, cursor := m.line.Typed(width, m.menuHeight(), m.message(width), m.theme)
		return strings.Join(rows, "\n"), cursor
	case m.mode == naming:
		field, cursor = frame.Field(" save as ", &m.name, true, 0, width, m.theme)
	case m.line.Text() == "":
		field = frame.Cut(m.theme.Dim.Render(label)+m.theme.Dim.Render("all tasks; type "+m.theme.Press(frame.ScopeTasks, "/")+" and a filter, for example difficulty:hard type:structural"), width)
	default:
		field, _ = m.line.View(width - frame.Width(label) - 1)
		field = frame.Cut(m.theme.Dim.Render(label)+field, width)
	}
	rule := m.message(width)
	if rule == "" {
		rule = frame.Rule("", width, m.theme)
	}
	return field + "\n" + rule, cursor
}

// mainText draws the list, or a message instead.
func (m *Model) mainText() string {
	if m.mode == loading {
		return m.savedList(frame.Size{Width: m.listWidth(), Height: m.mainHeight()})
	}
	_, searched := m.line.Found()
	switch {
	case !searched:
		return "\n   " + m.theme.Dim.Render("searching…")
	case m.shown.Len() == 0:
		return "\n   " + m.theme.Dim.Render("No task matches this filter.")
	}
	return m.list()
}

// columnsOf returns the columns of a benchmark's list in order of importance, as wide as its
// tasks need. With several languages, titles are narrower.
func columnsOf(b *benchmark.Benchmark) []frame.Column[*benchmark.Task] {
	all := make([]*benchmark.Task, len(b.Tasks))
	languages := false
	for i := range b.Tasks {
		all[i] = &b.Tasks[i]
		languages = languages || b.Tasks[i].Language != b.Tasks[0].Language
	}
	orDash := func(of func(*benchmark.Task) string) func(*benchmark.Task) string {
		return func(t *benchmark.Task) string { return cmp.Or(of(t), "-") }
	}
	title := 20
	if languages {
		title = 16
	}
	return []frame.Column[*benchmark.Task]{
		frame.Fixed(1, "title", title, orDash(func(t *benchmark.Task) string { return t.Title })).Growing(),
		frame.Fitted(0, "id", all, 20, func(t *benchmark.Task) string { return t.ID }),
		frame.Fixed(2, "difficulty", 10, orDash(func(t *benchmark.Task) string { return string(t.Difficulty) })),
		frame.Fitted(3, "tests", all, 10, func(t *benchmark.Task) string { return t.TestCount() }).Numeric(),
		frame.Fitted(4, "type", all, 13, orDash(func(t *benchmark.Task) string { return t.Type })),
		frame.Fitted(5, "language", all, 10, orDash(func(t *benchmark.Task) string { return t.Language })),
	}
}

// list draws the visible rows of the list.
func (m *Model) list() string {
	columns := slices.Clone(m.columns)
	if m.beside() { // the task beside it shows its language
		columns[0] = columns[0].AtLeast(20)
	}
	t := frame.Table[*benchmark.Task]{Width: m.listWidth(), Columns: columns, Theme: m.theme}
	return strings.Join(m.shown.Table(m.size.Body().Height-m.mainHeight(), m.mainHeight(), t), "\n")
}
