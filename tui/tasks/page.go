package tasks

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/tui/frame"
)

// Page draws the browser.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.size, m.theme = size, theme
	p := frame.Page{Scope: frame.ScopeTasks, Title: "Tasks · " + frame.OneLine(m.benchmark().Name), Place: m.line.Count(), Keys: m.keys()}
	switch {
	case m.mode == counting:
		p.Title = "Tasks · " + frame.OneLine(m.benchmark().Name) + " · statistics"
		p.Body = m.statistics()
		p.Seen = m.seen
		return p
	case m.mode == reading && !m.beside():
		p.Title += " · " + frame.OneLine(m.task.ID)
		p.Place = fmt.Sprintf("task %d of %d", m.row+1, len(m.shown))
		p.Body = m.withTrouble(m.detail(), size.Body())
		return p
	}
	top, cursor := m.topLines()
	p.Cursor = cursor
	main := m.mainText()
	if m.beside() {
		left := m.listWidth()
		main = frame.Columns(main, m.detail(), left, size.Width-left-1, m.mainHeight(), theme)
	}
	p.Body, p.Seen = top+"\n"+main, frame.Position(m.top, m.listHeight(), len(m.shown))
	if m.mode == listing && m.line.Order() != 0 {
		p.Status = m.line.Order().String()
	}
	return p
}

// withTrouble puts what is wrong under a body.
func (m *Model) withTrouble(body string, size frame.Size) string {
	if m.trouble == "" {
		return body
	}
	rows := frame.Fit(body, frame.Size{Width: size.Width, Height: size.Height - 1})
	return strings.Join(append(rows, m.message(size.Width)), "\n")
}

// message is what is wrong or what was done, in one line; empty for nothing.
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
		text = err.Error() // it is being written, and the menu says how to go on
	case err != nil:
		text, style = "✗ "+err.Error(), m.theme.Bad
	case m.notice != "":
		text = "✓ " + m.notice
	default:
		return ""
	}
	return style.Render(frame.Fit(" "+frame.OneLine(text), frame.Size{Width: width, Height: 1})[0])
}

// topHeight is how many rows stand above the list: the filter, and a message or rule.
const topHeight = 2

// menuHeight is how many rows the completions have while the filter is typed.
func (m *Model) menuHeight() int {
	if m.mode != filtering {
		return 0
	}
	return min(8, m.size.Body().Height/3)
}

// mainHeight is the room for the list, or for list and task side by side.
func (m *Model) mainHeight() int { return m.size.Body().Height - topHeight - m.menuHeight() }

// listHeight is how many tasks are on the screen.
func (m *Model) listHeight() int { return max(1, m.mainHeight()-1) } // without the heading

// listWidth is the width of the list.
func (m *Model) listWidth() int {
	if m.beside() {
		return m.size.Width / 2
	}
	return m.size.Width
}

// topLines draws the filter, what is wrong with it, and the menu.
func (m *Model) topLines() (string, *tea.Cursor) {
	width := m.size.Width
	label := " filter "
	field := m.line.View
	if m.mode == naming {
		label = " save as "
		field = func(width int) (string, *tea.Cursor) {
			m.name.SetWidth(max(1, width-1))
			return m.name.View(), m.name.Cursor()
		}
	}
	text, cursor := field(width - frame.Width(label) - 1)
	if !m.Typing() && m.line.Text() == "" {
		text = m.theme.Dim.Render("every task; " + m.theme.Press(frame.ScopeTasks, "/") + " types one, such as difficulty:hard type:structural")
	}
	if m.mode != filtering && m.mode != naming {
		cursor = nil
	}
	if cursor != nil {
		cursor.X += frame.Width(label)
	}
	style := m.theme.Dim
	if m.Typing() {
		style = m.theme.Accent
	}
	rows := []string{frame.Fit(style.Render(label)+text, frame.Size{Width: width, Height: 1})[0], m.message(width)}
	if rows[1] == "" {
		rows[1] = m.theme.Dim.Render(strings.Repeat("─", width))
	}
	if h := m.menuHeight(); h > 0 {
		menu := frame.Indent(strings.Join(m.line.Menu(width-8, h, m.theme), "\n"), "      ")
		if err := m.line.Err(); err != nil && len(m.line.Offers()) == 0 {
			menu = frame.Indent(m.theme.Bad.Render(frame.Wrap("✗ "+frame.OneLine(err.Error()), width-8)), " ") // whole: there is room
			rows[1] = m.theme.Dim.Render(strings.Repeat("─", width))
		}
		rows = append(rows, frame.Fit(menu, frame.Size{Width: width, Height: h})...)
	}
	return strings.Join(rows, "\n"), cursor
}

// mainText draws the list, or what stands in its place.
func (m *Model) mainText() string {
	if m.mode == loading {
		return m.savedList(frame.Size{Width: m.listWidth(), Height: m.mainHeight()})
	}
	_, searched := m.line.Found()
	switch {
	case !searched:
		return "\n   " + m.theme.Dim.Render("searching…")
	case len(m.shown) == 0:
		return "\n   " + m.theme.Dim.Render("No task matches this filter.")
	}
	return m.list()
}

// columnWidths are those of a benchmark's list, the same however it is scrolled.
type columnWidths struct {
	id, kind, language, tests int
	languages                 bool // there are several
}

func widthsOf(b *benchmark.Benchmark) columnWidths {
	w := columnWidths{id: len("id"), kind: len("type"), language: len("language"), tests: len("tests")}
	for i := range b.Tasks {
		t := &b.Tasks[i]
		w.id, w.kind, w.language = max(w.id, len(t.ID)), max(w.kind, len(t.Type)), max(w.language, len(t.Language))
		w.tests = max(w.tests, len(testCount(t)))
		w.languages = w.languages || t.Language != b.Tasks[0].Language
	}
	w.id, w.kind, w.language = min(w.id, 20), min(w.kind, 13), min(w.language, 10)
	return w
}

// column is one column of the list.
type column struct {
	name  string
	width int
	right bool // numbers
	of    func(*benchmark.Task) string
}

// columns are those that find room in width, the title as wide as is left. A language
// that all tasks share makes room for titles first.
func (m *Model) columns(width int) []column {
	const mark, gap = 3, 2
	title := 20
	if m.widths.languages && !m.beside() {
		title = 16
	}
	left := width - mark - m.widths.id - gap - title
	list := []column{
		{"id", m.widths.id, false, func(t *benchmark.Task) string { return t.ID }},
		{"title", title, false, func(t *benchmark.Task) string { return t.Title }},
	}
	for _, c := range []column{
		{"difficulty", 10, false, func(t *benchmark.Task) string { return string(t.Difficulty) }},
		{"tests", m.widths.tests, true, testCount},
		{"type", m.widths.kind, false, func(t *benchmark.Task) string { return t.Type }},
		{"language", m.widths.language, false, func(t *benchmark.Task) string { return t.Language }},
	} {
		if left >= c.width+gap {
			list = append(list, c)
			left -= c.width + gap
		}
	}
	if left < 0 {
		list[0].width = max(4, list[0].width+left) // the title keeps its room
		left = 0
	}
	list[1].width += left
	return list
}

// testCount says how many test cases a task has, as far as that is known without
// running them.
func testCount(t *benchmark.Task) string {
	switch n := t.Tests.Count(); {
	case t.Tests.IsZero():
		return "none"
	case n == 0 || t.Tests.Style == benchmark.Script:
		return string(t.Tests.Style)
	default:
		return fmt.Sprint(n)
	}
}

// list draws the rows of the list that are on the screen.
func (m *Model) list() string {
	columns := m.columns(m.listWidth() - 1)
	line := func(of func(c column) string) string {
		var b strings.Builder
		for _, c := range columns {
			text := frame.Cell(of(c), c.width)
			if c.right {
				trimmed := strings.TrimRight(text, " ")
				text = strings.Repeat(" ", c.width-frame.Width(trimmed)) + trimmed
			}
			b.WriteString(text + "  ")
		}
		return strings.TrimRight(b.String(), " ")
	}
	var b strings.Builder
	b.WriteString(m.theme.Dim.Render("   "+line(func(c column) string { return c.name })) + "\n")
	for i := m.top; i < min(len(m.shown), m.top+m.listHeight()); i++ {
		t := m.shown[i]
		text := line(func(c column) string { return cmp.Or(frame.OneLine(c.of(t)), "-") })
		if i == m.row {
			b.WriteString(m.theme.Accent.Render(" ▸ ") + m.theme.Strong.Render(text) + "\n")
			continue
		}
		b.WriteString("   " + text + "\n")
	}
	return b.String()
}
