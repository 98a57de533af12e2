package importer

import (
	"io"
	"math"

	"assay/data/table"
)

// Source is a table with its name in messages.
type Source struct {
	Name string
	R    io.Reader
}

// milliseconds parses a duration given in seconds.
func milliseconds(r table.Row, column string) (int64, error) {
	v, err := r.Number(column, 0, 1e7)
	return int64(math.Round(v * 1000)), err
}

// known returns the task that a cell names.
func known(r table.Row, tasks map[string]*task) (*task, error) {
	id := r.Text("task_id")
	t := tasks[id]
	if t == nil {
		return nil, r.Fault("task_id", "there is no task %q in the table of tasks; add it there or remove this row", id)
	}
	return t, nil
}
