// Package table reads tables that people write or spreadsheets save: a first line that names the columns, separated by
// commas, semicolons or tabs, in UTF-8 with or without a byte order mark. Errors name file, line and column.
package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/data/disk"
)

// Table is a table in memory with at least one row.
type Table struct {
	Name   string   // in errors
	Header []string // names of the columns, without blanks around them; no two are the same
	Rows   []Row

	comma   rune
	columns map[string]int // by name as it is written, and in lower case
}

// Row is one of its rows.
type Row struct {
	Line  int // in the file, from 1
	of    *Table
	cells []string // as many as the header has
}

// Read reads a table that must have the required columns, of at most [disk.Table] bytes.
func Read(in io.Reader, name string, required ...string) (*Table, error) {
	text, err := disk.ReadAll(in, name, disk.Table)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("%s is not in UTF-8: save it as “CSV UTF-8”", name)
	}
	t := &Table{Name: name, comma: delimiter(text), columns: map[string]int{}}
	lines := csv.NewReader(bytes.NewReader(text))
	lines.Comma = t.comma
	if t.Header, err = lines.Read(); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is empty: its first line must name the columns %s", name, strings.Join(required, ", "))
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, column := range t.Header {
		t.Header[i] = strings.TrimSpace(column)
		if slices.Contains(t.Header[:i], t.Header[i]) {
			return nil, fmt.Errorf("%s:1: two columns have the name %q; rename or remove one", name, t.Header[i])
		}
		if lower := strings.ToLower(t.Header[i]); !t.Has(lower) {
			t.columns[lower] = i
		}
		t.columns[t.Header[i]] = i
	}
	for _, column := range required {
		if !t.Has(column) {
			return nil, t.Lacks(column)
		}
	}
	for {
		cells, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) && errors.Is(err, csv.ErrFieldCount) {
			return nil, fmt.Errorf("%s:%d: %d cells where the header has %d; add or remove some", name, parse.StartLine, len(cells), len(t.Header))
		} else if parse != nil {
			return nil, fmt.Errorf("%s:%d: %w; check the quotation marks", name, parse.StartLine, parse.Err)
		}
		line, _ := lines.FieldPos(0)
		t.Rows = append(t.Rows, Row{line, t, cells})
	}
	if len(t.Rows) == 0 {
		return nil, fmt.Errorf("%s has a header but no rows", name)
	}
	return t, nil
}

// Lacks returns the error that a column is missing.
func (t *Table) Lacks(column string) error {
	return fmt.Errorf("%s:1: there is no column %s; the columns are %s: rename or add it", t.Name, column, strings.Join(t.Header, ", "))
}

// delimiter is the most frequent separator of the first line.
func delimiter(text []byte) rune {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	best := ','
	for _, d := range ";\t" {
		if bytes.Count(first, []byte(string(d))) > bytes.Count(first, []byte(string(best))) {
			best = d
		}
	}
	return best
}

// Has reports whether there is a column of a name, in any case.
func (t *Table) Has(column string) bool {
	_, is := t.index(column)
	return is
}

func (t *Table) index(column string) (int, bool) {
	if i, is := t.columns[column]; is {
		return i, true
	}
	i, is := t.columns[strings.ToLower(column)]
	return i, is
}

// Text returns a cell without blanks around it, "" if the table has no such column.
func (r Row) Text(column string) string {
	i, is := r.of.index(column)
	if !is {
		return ""
	}
	return strings.TrimSpace(r.cells[i])
}

// Integer parses a whole number from low to high.
func (r Row) Integer(column string, low, high int) (int, error) {
	text := r.Text(column)
	v, err := strconv.Atoi(text)
	if err != nil || v < low || v > high {
		return 0, r.Fault(column, "%q is not a whole number from %d to %d; correct it", text, low, high)
	}
	return v, nil
}

// Number parses a finite number from low to high, with a decimal comma where commas separate no columns.
func (r Row) Number(column string, low, high float64) (float64, error) {
	text := r.Text(column)
	written := text
	if r.of.comma != ',' {
		written = strings.Replace(text, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(written, 64)
	switch {
	case err == nil && v >= low && v <= high && !math.IsInf(v, 0):
		return v, nil
	case math.IsInf(high, 1):
		return 0, r.Fault(column, "%q is not a number of at least %v; correct it", text, low)
	}
	return 0, r.Fault(column, "%q is not a number from %v to %v; correct it", text, low, high)
}

// Yes parses yes or no, 1 or 0, true or false.
func (r Row) Yes(column string) (bool, error) {
	switch text := r.Text(column); strings.ToLower(text) {
	case "1", "true", "yes":
		return true, nil
	case "0", "false", "no":
		return false, nil
	default:
		return false, r.Fault(column, "%q is neither yes (1) nor no (0); correct it", text)
	}
}

// Fault returns an error at a cell.
func (r Row) Fault(column, format string, args ...any) error {
	return fmt.Errorf("%s:%d: column %s: %s", r.of.Name, r.Line, column, fmt.Sprintf(format, args...))
}
