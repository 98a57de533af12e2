package batch

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/scoring"
)

// FieldsOf returns the metadata of a task that results can be split by.
func FieldsOf(t *benchmark.Task) map[string]string {
	year := ""
	if y := t.Published.Year(); y > 0 {
		year = strconv.Itoa(y)
	}
	return map[string]string{
		"difficulty": string(t.Difficulty), "type": t.Type, "category": t.Category, "language": t.Language,
		"year": year, "published": string(t.Published), "source": t.Source.Title, "topics": strings.Join(t.Topics, ", "),
	}
}

// Fields lists the fields that results can be split by, sorted.
func Fields() []string { return slices.Sorted(maps.Keys(FieldsOf(&benchmark.Task{}))) }

// CheckFields returns what is wrong with the fields to split by: there must be one or two, from
// Fields.
func CheckFields(names []string) error {
	if len(names) == 0 || len(names) > 2 {
		return fmt.Errorf("results can be split by one field or by two, not by %d", len(names))
	}
	for _, name := range names {
		if !slices.Contains(Fields(), name) {
			return fmt.Errorf("there is no field %q; the fields are %s", name, strings.Join(Fields(), ", "))
		}
	}
	return nil
}

// Split is a metric over groups of tasks with the same values of fields.
type Split struct {
	Metric string
	By     []string
	Cells  []scoring.Cell
}

// split groups the values of a metric by fields.
func split(name string, by []string, tasks map[string]*benchmark.Task, values map[string]scoring.TaskValue) (*Split, error) {
	var of []scoring.FieldedValue
	for _, id := range slices.Sorted(maps.Keys(values)) {
		v := scoring.FieldedValue{TaskValue: values[id], Fields: map[string]string{}}
		if t := tasks[id]; t != nil {
			v.Fields = FieldsOf(t)
		}
		of = append(of, v)
	}
	cells, err := scoring.GroupBy(of, by...)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(cells, byFields(by))
	return &Split{name, by, cells}, nil
}

// byFields compares groups field by field: difficulties from easy to hard, other values by name.
func byFields(by []string) func(a, b scoring.Cell) int {
	return func(a, b scoring.Cell) int {
		for i, field := range by {
			compare := InOrder
			if field == "difficulty" {
				compare = byDifficulty
			}
			if c := compare(a.Keys[i], b.Keys[i]); c != 0 {
				return c
			}
		}
		return 0
	}
}
