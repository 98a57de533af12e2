package scoring

import (
	"errors"
	"slices"
)

// FieldedValue is a metric's value for one task, with the task's metadata.
type FieldedValue struct {
	TaskValue
	Fields map[string]string // such as "difficulty" or "year"
}

// Cell is a metric over the tasks whose fields have these values.
type Cell struct {
	Keys   []string // in the order of the fields asked for; "" where a task has none
	Metric          // N is the number of tasks
	Few    bool     // fewer than FewTasks: too few to say anything about the cell
}

// FewTasks is the number of tasks below which a cell is marked.
const FewTasks = 5

// GroupBy splits tasks by a field of their metadata, or by two (difficulty by
// year), and gives each combination that occurs its mean with its interval, in
// the order of the keys. Every task is in exactly one cell: one without the
// field is under the key "". It is an error if no field is named; else errors
// are those of MeanOverTasks.
func GroupBy(tasks []FieldedValue, fields ...string) ([]Cell, error) {
	if len(fields) == 0 {
		return nil, errors.New("grouping tasks: no field is named")
	}
	type group struct {
		keys   []string
		values []TaskValue
	}
	var groups []group
	for _, t := range tasks {
		keys := make([]string, len(fields))
		for i, f := range fields {
			keys[i] = t.Fields[f]
		}
		at, known := slices.BinarySearchFunc(groups, keys, func(g group, keys []string) int { return slices.Compare(g.keys, keys) })
		if !known {
			groups = slices.Insert(groups, at, group{keys: keys})
		}
		groups[at].values = append(groups[at].values, t.TaskValue)
	}
	cells := make([]Cell, len(groups))
	for i, g := range groups {
		m, err := MeanOverTasks(g.values)
		if err != nil {
			return nil, err
		}
		cells[i] = Cell{Keys: g.keys, Metric: m, Few: m.N < FewTasks}
	}
	return cells, nil
}
