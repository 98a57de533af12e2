package benchmark

import (
	"fmt"
	"strings"
)

// FormatVersion is the version of the benchmark file format that this package
// reads and writes, in a file's "assay_benchmark" field.
const FormatVersion = 1

// Benchmark is a named set of tasks, the contents of a benchmark file.
type Benchmark struct {
	Version     int    `json:"assay_benchmark"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Licence     string `json:"licence,omitempty"` // an SPDX identifier
	Tasks       []Task `json:"tasks"`

	// Libraries maps languages to directories of packages, for tasks that name none.
	Libraries map[string]string `json:"libraries,omitempty"`

	// LeftOut are the tasks of another tool's file that cannot be judged, in its order. They are not in Tasks.
	LeftOut []LeftOut `json:"-"`
}

// LeftOut is a task that is left out of a benchmark.
type LeftOut struct {
	ID    string
	Index int   // among all tasks of its file, from 0
	Fault error // with file, line, field and what to do
}

// FaultOf returns why the task with the given id is left out, or nil if it is not.
func (b *Benchmark) FaultOf(id string) error {
	for _, left := range b.LeftOut {
		if left.ID == id {
			return left.Fault
		}
	}
	return nil
}

// Pointers returns the tasks in their order.
func (b *Benchmark) Pointers() []*Task {
	list := make([]*Task, len(b.Tasks))
	for i := range b.Tasks {
		list[i] = &b.Tasks[i]
	}
	return list
}

// Task returns the task with the given id.
func (b *Benchmark) Task(id string) (*Task, error) {
	for i := range b.Tasks {
		if b.Tasks[i].ID == id {
			return &b.Tasks[i], nil
		}
	}
	if fault := b.FaultOf(id); fault != nil {
		return nil, fmt.Errorf("the task %q is left out: %w", id, fault)
	}
	hint := ""
	if alike := b.alike(id); len(alike) > 0 {
		hint = " (did you mean " + strings.Join(alike, ", ") + "?)"
	}
	return nil, fmt.Errorf("benchmark %q has no task %q%s", b.Name, id, hint)
}

// alike returns at most three ids of tasks that contain a text, whatever its case.
func (b *Benchmark) alike(text string) (ids []string) {
	for i := range b.Tasks {
		if id := b.Tasks[i].ID; text != "" && len(ids) < 3 && strings.Contains(strings.ToLower(id), strings.ToLower(text)) {
			ids = append(ids, id)
		}
	}
	return ids
}
