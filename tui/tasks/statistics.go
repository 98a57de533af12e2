package tasks

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/tui/frame"
)

// field is a metadata field by which tasks are counted.
type field struct {
	name string
	of   func(*benchmark.Task) string
}

var (
	difficulty = field{"difficulty", func(t *benchmark.Task) string { return string(t.Difficulty) }}
	kind       = field{"type", func(t *benchmark.Task) string { return strings.ToLower(t.Type) }}
	category   = field{"category", func(t *benchmark.Task) string { return t.Category }}
	language   = field{"language", func(t *benchmark.Task) string { return t.Language }}
	source     = field{"source", func(t *benchmark.Task) string { return t.Source.Title }}
)

// tables are the pairs of fields by which tasks are counted, rows first. The first is Table III
// of Miah & Zhu; the field with more and longer values is in the rows.
var tables = [...][2]field{
	{kind, difficulty}, {source, kind}, {source, difficulty}, {category, difficulty}, {language, difficulty},
}

// tableKey identifies a table.
type tableKey struct {
	list, table int
}

// count starts counting the listed tasks if the statistics are shown.
func (m *Model) count() tea.Cmd {
	if m.mode != counting {
		return nil
	}
	key, tasks := m.tableKey(), m.shown.Rows()
	return m.tables.Ask(key, func(context.Context) benchmark.CrossTable {
		return benchmark.Tabulate(tasks, tables[key.table][0].of, tables[key.table][1].of)
	})
}

func (m *Model) tableKey() tableKey { return tableKey{m.lists, m.table} }

// tableHead is the number of rows around those of a table: the fields, the heading, the total and
// what is counted.
const tableHead = 7

// statistics draws the table.
func (m *Model) statistics() string {
	var b strings.Builder
	var names []string
	for i, t := range tables {
		name := t[0].name + " × " + t[1].name
		if m.size.Width < besideWidth && i != m.table {
			name = "·"
		}
		names = append(names, m.theme.Tab(name, i == m.table))
	}
	b.WriteString(strings.Join(names, "") + "\n\n")
	key, t, ok := m.tables.Last()
	if !ok || key != m.tableKey() {
		return b.String() + " " + m.theme.Dim.Render("counting…")
	}
	b.WriteString(m.crossTable(t))
	text := "no filter"
	if f, _ := m.line.Found(); f.Filter.String() != "" {
		text = "filter " + f.Filter.String()
	}
	b.WriteString("\n " + m.theme.Dim.Render(frame.OneLine(m.benchmark().Name)+" · "+frame.OneLine(text)+" · practice tasks are not counted"))
	return b.String()
}

// crossTable draws a table with its totals. Columns that do not fit are counted together, so that
// every row still adds up.
func (m *Model) crossTable(t benchmark.CrossTable) string {
	rowField, columnField := tables[m.table][0].name, tables[m.table][1].name
	label := frame.Width(rowField)
	for _, r := range t.Rows {
		label = max(label, frame.Width(frame.OneLine(r)))
	}
	label = min(label, m.size.Width*2/5)
	columns := t.Columns
	widest := len("total")
	for _, c := range columns {
		widest = max(widest, frame.Width(frame.OneLine(c)))
	}
	// Including the gap before it; names are shortened a little before columns are dropped.
	cell := max(9, min((m.size.Width-3-label)/(len(columns)+1), widest+2, 16))
	room := max(1, (m.size.Width-3-label)/cell-1) // without the total
	others := 0
	if len(columns) > room {
		others = len(columns) - room + 1
		columns = columns[:room-1]
	}
	line := func(name string, cells []string) string {
		var b strings.Builder
		b.WriteString("   " + frame.Cell(name, label))
		for _, c := range cells {
			c = strings.TrimRight(frame.Cell(c, cell-2), " ")
			b.WriteString(strings.Repeat(" ", cell-frame.Width(c)) + c)
		}
		return b.String()
	}
	cells := func(count func(column string) int, total int) []string {
		var list []string
		rest := total
		for _, c := range columns {
			list = append(list, fmt.Sprint(count(c)))
			rest -= count(c)
		}
		if others > 0 {
			list = append(list, fmt.Sprint(rest))
		}
		return append(list, fmt.Sprint(total))
	}
	heads := make([]string, 0, len(columns)+2)
	for _, c := range columns {
		heads = append(heads, frame.OneLine(c))
	}
	if others > 0 {
		heads = append(heads, "others")
	}
	var b strings.Builder
	b.WriteString(m.theme.Dim.Render(strings.Repeat(" ", label+5)+columnField) + "\n")
	b.WriteString(m.theme.Strong.Render(line(rowField, append(heads, "total"))) + "\n")
	for _, r := range m.window.Of(t.Rows, m.size.Body().Height-tableHead) {
		b.WriteString(line(frame.OneLine(r), cells(func(c string) int { return t.Counts[[2]string{r, c}] }, t.Row(r))) + "\n")
	}
	b.WriteString(m.theme.Strong.Render(line("total", cells(t.Column, t.Total))) + "\n")
	return b.String()
}
