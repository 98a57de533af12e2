package importer

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

	"assay/data/disk"
)

// Source is a table with its name in messages.
type Source struct {
	Name string
	R    io.Reader
}

// table is a CSV file in memory.
type table struct {
	name   string
	header []string
	rows   []row
}

// row is one line of a table.
type row struct {
	of    *table
	line  int
	cells []string
}

// fault returns an error at a cell.
func (r row) fault(column, format string, args ...any) error {
	return fmt.Errorf("%s, line %d, column %s: %s", r.of.name, r.line, column, fmt.Sprintf(format, args...))
}

// read reads a table whose header has the required columns. The header determines the delimiter: comma,
// semicolon or tab.
func read(src Source, required ...string) (*table, error) {
	text, err := disk.ReadAll(src.R, src.Name, disk.Table)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", src.Name, err)
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	in := csv.NewReader(bytes.NewReader(text))
	in.Comma = delimiter(text)
	t := &table{name: src.Name}
	if t.header, err = in.Read(); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s is empty: its first line must name the columns %s", src.Name, strings.Join(required, ", "))
		}
		return nil, fmt.Errorf("%s: %w", src.Name, err)
	}
	for i, name := range t.header {
		t.header[i] = strings.ToLower(strings.TrimSpace(name))
		if slices.Index(t.header, t.header[i]) < i {
			return nil, fmt.Errorf("%s, line 1: column %s is duplicated; remove one", src.Name, t.header[i])
		}
	}
	for _, name := range required {
		if !slices.Contains(t.header, name) {
			return nil, fmt.Errorf("%s, line 1: there is no column %s; the columns are %s: rename or add it", src.Name, name, strings.Join(t.header, ", "))
		}
	}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, csv.ErrFieldCount) {
			line, _ := in.FieldPos(0)
			return nil, fmt.Errorf("%s, line %d: %d cells where the header has %d; add or remove some", src.Name, line, len(cells), len(t.header))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w; check the quotation marks", src.Name, err)
		}
		line, _ := in.FieldPos(0)
		t.rows = append(t.rows, row{t, line, cells})
	}
	if len(t.rows) == 0 {
		return nil, fmt.Errorf("%s has a header but no rows", src.Name)
	}
	return t, nil
}

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

func (t *table) has(column string) bool { return slices.Contains(t.header, column) }

// text returns a cell, "" if the table has no such column.
func (r row) text(column string) string {
	i := slices.Index(r.of.header, column)
	if i < 0 {
		return ""
	}
	return strings.TrimSpace(r.cells[i])
}

// integer parses a whole number from low to high.
func (r row) integer(column string, low, high int) (int, error) {
	text := r.text(column)
	v, err := strconv.Atoi(text)
	if err != nil || v < low || v > high {
		return 0, r.fault(column, "%q is not a whole number from %d to %d; correct it", text, low, high)
	}
	return v, nil
}

// milliseconds parses a duration given in seconds.
func (r row) milliseconds(column string) (int64, error) {
	text := r.text(column)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0) || v > 1e7 {
		return 0, r.fault(column, "%q is not a number of seconds; write it like 41 or 41.5", text)
	}
	return int64(math.Round(v * 1000)), nil
}

// boolean parses 0 or 1, or one of the usual words for them.
func (r row) boolean(column string) (bool, error) {
	switch text := r.text(column); strings.ToLower(text) {
	case "1", "true", "yes":
		return true, nil
	case "0", "false", "no":
		return false, nil
	default:
		return false, r.fault(column, "%q is neither 1 (yes) nor 0 (no); correct it", text)
	}
}

// known returns the task that a cell names.
func (r row) known(tasks map[string]*task) (*task, error) {
	id := r.text("task_id")
	t := tasks[id]
	if t == nil {
		return nil, r.fault("task_id", "there is no task %q in the table of tasks; add it there or remove this row", id)
	}
	return t, nil
}
