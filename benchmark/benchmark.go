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
}

// Task returns the task with the given id.
func (b *Benchmark) Task(id string) (*Task, error) {
	for i := range b.Tasks {
		if b.Tasks[i].ID == id {
			return &b.Tasks[i], nil
		}
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
