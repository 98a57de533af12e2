package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"strconv"

	"assay/data/disk"
)

// Row is one row of a table, with access by column name.
type Row struct {
	at    map[string]int
	cells []string
}

// Text returns a cell unchanged, "" if there is none.
func (r Row) Text(name string) string {
	i, known := r.at[name]
	if !known || i >= len(r.cells) {
		return ""
	}
	return r.cells[i]
}

// Has reports whether the table has a column.
func (r Row) Has(name string) bool {
	_, is := r.at[name]
	return is
}

// Number returns the number in a cell, NaN if the cell is empty or contains no number.
func (r Row) Number(name string) float64 {
	v, err := strconv.ParseFloat(r.Text(name), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Is reports whether a boolean cell is true.
func (r Row) Is(name string) bool { return r.Text(name) == "1" }

// Rows are the rows of a table.
type Rows iter.Seq[Row]

// Named returns the rows of a table, with access by column name.
func (t Table) Named() Rows {
	at := map[string]int{}
	for i, c := range t.Columns {
		at[c.Name] = i
	}
	return func(yield func(Row) bool) {
		for cells := range t.Rows {
			if !yield(Row{at, cells}) {
				return
			}
		}
	}
}

// ReadTables reads tables of a report's dataset by their names.
func ReadTables(dir fs.FS, names ...string) (map[string]Rows, error) {
	tables := map[string]Rows{}
	for _, name := range names {
		path := DatasetFile(name)
		text, err := disk.ReadFS(dir, path, disk.Data)
		if err != nil {
			return nil, fmt.Errorf("the report's dataset cannot be read: %w", err)
		}
		in := csv.NewReader(bytes.NewReader(text))
		head, err := in.Read()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		cells, err := in.ReadAll()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		at := map[string]int{}
		for i, column := range head {
			at[column] = i
		}
		tables[name] = func(yield func(Row) bool) {
			for _, c := range cells {
				if !yield(Row{at, c}) {
					return
				}
			}
		}
	}
	return tables, nil
}
