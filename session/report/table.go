package report

import (
	"encoding/csv"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/session/report/document"
)

// Column describes one column of a table in the codebook.
type Column struct {
	Name    string `json:"name"`
	Type    string `json:"type"` // "text", "integer", "decimal", "boolean" (1 or 0), "time" (RFC 3339, UTC)
	Unit    string `json:"unit"` // "" where there is none
	Meaning string `json:"meaning"`

	Values   []string `json:"values,omitempty"` // all that a text can be
	Min, Max string   `json:"-"`                // of a number
}

// Table is a tidy table: one row for each thing it is about. An empty cell
// means not known or not applicable, never 0.
type Table struct {
	Name    string
	Meaning string
	Columns []Column
	Rows    iter.Seq[[]string]
}

// ColumnOf is a column of a table whose rows are made from values of type R. Cell returns clean text, or a
// formatted number.
type ColumnOf[R any] struct {
	Column
	Cell func(R) string
}

// Between returns the column with its smallest and largest value.
func (c ColumnOf[R]) Between(min, max int) ColumnOf[R] {
	c.Min, c.Max = strconv.Itoa(min), strconv.Itoa(max)
	return c
}

// OneOf returns the column with all of its possible values.
func (c ColumnOf[R]) OneOf(values ...string) ColumnOf[R] {
	c.Values = values
	return c
}

// TableOf makes a table. It makes text safe for spreadsheets, and leaves numbers as they are.
func TableOf[R any](name, meaning string, columns []ColumnOf[R], rows iter.Seq[R]) Table {
	t := Table{Name: name, Meaning: meaning}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.Column)
	}
	t.Rows = func(yield func([]string) bool) {
		for r := range rows {
			cells := make([]string, len(columns))
			for i, c := range columns {
				cells[i] = c.Cell(r)
				if c.Type == "text" {
					cells[i] = CSVCell(cells[i])
				}
			}
			if !yield(cells) {
				return
			}
		}
	}
	return t
}

// CSVCell makes clean text safe in a spreadsheet, which would run a cell that
// begins like a formula: such a cell begins with an apostrophe.
func CSVCell(text string) string {
	text = document.Clean(text)
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune("=+-@＝＋－＠", first) { // full width, too
		return "'" + text
	}
	return text
}

// NewColumn returns a column whose cells are written by cell.
func NewColumn[R any](name, kind, meaning string, cell func(R) string) ColumnOf[R] {
	return ColumnOf[R]{Column{Name: name, Type: kind, Meaning: meaning}, cell}
}

// Text returns a column of clean text.
func Text[R any](name, meaning string, cell func(R) string) ColumnOf[R] {
	return NewColumn(name, "text", meaning, cell)
}

// Integer returns a column of whole numbers, empty if they are not known.
func Integer[R any](name, unit, meaning string, cell func(R) (value int64, known bool)) ColumnOf[R] {
	c := NewColumn(name, "integer", meaning, func(r R) string {
		v, known := cell(r)
		if !known {
			return ""
		}
		return strconv.FormatInt(v, 10)
	})
	c.Unit = unit
	return c
}

// Boolean returns a column of 1 and 0, empty if the value is not known.
func Boolean[R any](name, meaning string, cell func(R) (value, known bool)) ColumnOf[R] {
	return NewColumn(name, "boolean", meaning, func(r R) string {
		switch v, known := cell(r); {
		case !known:
			return ""
		case v:
			return "1"
		}
		return "0"
	})
}

// csv writes the table with a header as RFC 4180 specifies.
func (t Table) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	if err := out.Write(names); err != nil {
		return err
	}
	for row := range t.Rows {
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// codebook returns the table of all columns of all tables.
func codebook(tables []Table) Table {
	type entry struct {
		table string
		Column
	}
	columns := []ColumnOf[entry]{
		Text("table", "the table that has the column", func(e entry) string { return e.table }),
		Text("column", "the column's name in the file's header", func(e entry) string { return e.Name }),
		Text("type", "text, integer, decimal, boolean (1 or 0), or time (RFC 3339 in UTC)", func(e entry) string { return e.Type }),
		Text("unit", "the unit of a number; empty for a plain count or score", func(e entry) string { return e.Unit }),
		Text("values", "all the values there are, or the range of a number, where it is bounded", func(e entry) string { return e.levels() }),
		Text("meaning", "what the cell says", func(e entry) string { return e.Meaning }),
	}
	var entries []entry
	for _, t := range tables {
		for _, c := range t.Columns {
			entries = append(entries, entry{t.Name, c})
		}
	}
	return TableOf("codebook", "one row for each column of each table", columns, slices.Values(entries))
}
