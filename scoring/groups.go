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

// Cell is a metric over the tasks with the same values of the grouping fields.
type Cell struct {
	Keys   []string // in the order of the requested fields; "" if a task has no value
	Metric          // N is the number of tasks
	Few    bool     // fewer than FewTasks: too few for a conclusion
}

// FewTasks is the number of tasks below which a cell is marked as Few.
const FewTasks = 5

// GroupBy groups tasks by one or more metadata fields (such as difficulty and year) and returns the mean
// with its interval for each combination of values that occurs, sorted by keys. Every task is in exactly
// one cell; a task without the field has the key "". It is an error to name no field; other errors are
// those of MeanOverTasks.
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
