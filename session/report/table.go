package report

import (
	"encoding/csv"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Column describes one column of a table; the codebook is made of these.
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

// ColumnOf is a column with the way to its cells; Cell returns clean text, or a
// number as it is to be written.
type ColumnOf[R any] struct {
	Column
	Cell func(R) string
}

// between says the smallest and the largest value.
func (c ColumnOf[R]) between(min, max int) ColumnOf[R] {
	c.Min, c.Max = strconv.Itoa(min), strconv.Itoa(max)
	return c
}

// oneOf says all the values there are.
func (c ColumnOf[R]) oneOf(values ...string) ColumnOf[R] {
	c.Values = values
	return c
}

// TableOf lays out rows. Text is made safe for spreadsheets here, numbers are
// left alone.
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
	text = clean(text)
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune("=+-@＝＋－＠", first) { // full width, too
		return "'" + text
	}
	return text
}

func text[R any](name, meaning string, cell func(R) string) ColumnOf[R] {
	return ColumnOf[R]{Column{Name: name, Type: "text", Meaning: meaning}, cell}
}

func integer[R any](name, unit, meaning string, cell func(R) (int64, bool)) ColumnOf[R] {
	return ColumnOf[R]{Column{Name: name, Type: "integer", Unit: unit, Meaning: meaning}, func(r R) string {
		v, known := cell(r)
		if !known {
			return ""
		}
		return strconv.FormatInt(v, 10)
	}}
}

func boolean[R any](name, meaning string, cell func(R) (value, known bool)) ColumnOf[R] {
	return ColumnOf[R]{Column{Name: name, Type: "boolean", Meaning: meaning}, func(r R) string {
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
	for row := range t.Rows {
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Tables are the report's tidy tables: sessions, tasks, attempts, ratings and
// labels.
func (r *Report) Tables() []Table { return tablesOf(r.logs) }

// Codebook is the table of all columns of all tables.
func Codebook(tables []Table) Table {
	type entry struct {
		table string
		Column
	}
	columns := []ColumnOf[entry]{
		text("table", "the table that has the column", func(e entry) string { return e.table }),
		text("column", "the column's name in the file's header", func(e entry) string { return e.Name }),
		text("type", "text, integer, decimal, boolean (1 or 0), or time (RFC 3339 in UTC)", func(e entry) string { return e.Type }),
		text("unit", "the unit of a number; empty for a plain count or score", func(e entry) string { return e.Unit }),
		text("values", "all the values there are, or the range of a number, where it is bounded", func(e entry) string { return e.levels() }),
		text("meaning", "what the cell says", func(e entry) string { return e.Meaning }),
	}
	var entries []entry
	for _, t := range tables {
		for _, c := range t.Columns {
			entries = append(entries, entry{t.Name, c})
		}
	}
	return TableOf("codebook", "one row for each column of each table", columns, slices.Values(entries))
}
