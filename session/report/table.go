package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// Column describes one column of a table; the codebook is made of these.
type Column struct {
	Name    string `json:"name"`
	Type    string `json:"type"` // "text", "integer", "decimal", "boolean" (1 or 0), "time" (RFC 3339, UTC)
	Unit    string `json:"unit"` // "" where there is none
	Meaning string `json:"meaning"`
}

// Table is a tidy table: one row for each thing it is about. An empty cell
// means not known or not applicable, never 0.
type Table struct {
	Name    string
	Meaning string
	Columns []Column
	Rows    [][]string
}

// column is a column with the way to its cells; fn returns clean text, or a
// number as it is to be written.
type column[R any] struct {
	Column
	cell func(R) string
}

// tableOf lays out rows. Text is made safe for spreadsheets here, numbers are
// left alone.
func tableOf[R any](name, meaning string, columns []column[R], rows []R) Table {
	t := Table{Name: name, Meaning: meaning}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.Column)
	}
	for _, r := range rows {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = c.cell(r)
			if c.Type == "text" {
				cells[i] = csvCell(cells[i])
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

func text[R any](name, meaning string, cell func(R) string) column[R] {
	return column[R]{Column{name, "text", "", meaning}, cell}
}

func integer[R any](name, unit, meaning string, cell func(R) (int64, bool)) column[R] {
	return column[R]{Column{name, "integer", unit, meaning}, func(r R) string {
		v, known := cell(r)
		if !known {
			return ""
		}
		return strconv.FormatInt(v, 10)
	}}
}

func boolean[R any](name, meaning string, cell func(R) (value, known bool)) column[R] {
	return column[R]{Column{name, "boolean", "", meaning}, func(r R) string {
		switch v, known := cell(r); {
		case !known:
			return ""
		case v:
			return "1"
		}
		return "0"
	}}
}

// CSV writes the table with its header, as RFC 4180 has it.
func (t Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	if err := out.Write(names); err != nil {
		return err
	}
	if err := out.WriteAll(t.Rows); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// Tables are the report's tidy tables: sessions, tasks, attempts, ratings and
// labels.
func (r *Report) Tables() []Table { return r.tables }

// codebook is the table of all columns of all tables, its own included.
func codebook(tables []Table) Table {
	type entry struct {
		table string
		Column
	}
	columns := []column[entry]{
		text("table", "the file, without .csv, that has the column", func(e entry) string { return e.table }),
		text("column", "the column's name in the file's header", func(e entry) string { return e.Name }),
		text("type", "text, integer, decimal, boolean (1 or 0), or time (RFC 3339 in UTC)", func(e entry) string { return e.Type }),
		text("unit", "the unit of a number; empty for a plain count or score", func(e entry) string { return e.Unit }),
		text("meaning", "what the cell says", func(e entry) string { return e.Meaning }),
	}
	own := Table{Name: "codebook"}
	for _, c := range columns {
		own.Columns = append(own.Columns, c.Column)
	}
	var entries []entry
	for _, t := range append(append([]Table{}, tables...), own) {
		for _, c := range t.Columns {
			entries = append(entries, entry{t.Name, c})
		}
	}
	return tableOf("codebook", "one row for each column of each table", columns, entries)
}

// codebookMarkdown is the codebook for reading.
func codebookMarkdown(w io.Writer, tables []Table) error {
	p := &printer{w: w}
	p.line("# Codebook")
	p.line("")
	p.line("Every table is tidy: one row for each thing that it is about. Files are UTF-8, comma-separated, with a header (RFC 4180). An empty cell means not known or not applicable, never 0. Text that begins with `=`, `+`, `-` or `@` is written with an apostrophe before it, so that no spreadsheet runs it as a formula; control characters are removed and line breaks are spaces.")
	for _, t := range append(append([]Table{}, tables...), codebook(tables)) {
		p.line("")
		p.line("## %s.csv", t.Name)
		p.line("")
		p.line("%s.", markdown(t.Meaning))
		p.line("")
		p.line("| column | type | unit | meaning |")
		p.line("|---|---|---|---|")
		for _, c := range t.Columns {
			p.line("| `%s` | %s | %s | %s |", c.Name, c.Type, markdown(c.Unit), markdown(c.Meaning))
		}
	}
	return p.err
}

// printer writes lines and keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}
