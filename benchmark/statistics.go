package benchmark

import (
	"cmp"
	"maps"
	"slices"
)

// NotGiven represents the value of a missing field.
const NotGiven = "(not given)"

// CrossTable counts tasks by two metadata fields, as Miah & Zhu's Table III does by type and difficulty for
// each source. Every task is counted once, even without a field, so that all totals agree.
type CrossTable struct {
	Rows, Columns []string
	Counts        map[[2]string]int // by row and column
	Total         int
}

// Tabulate counts tasks by two fields. Lists of values, such as topics, are not a partition and cannot be
// tabulated.
func Tabulate(tasks []*Task, row, column func(*Task) string) CrossTable {
	t := CrossTable{Counts: map[[2]string]int{}, Total: len(tasks)}
	rows, columns := map[string]bool{}, map[string]bool{}
	for _, task := range tasks {
		r, c := cmp.Or(row(task), NotGiven), cmp.Or(column(task), NotGiven)
		rows[r], columns[c] = true, true
		t.Counts[[2]string{r, c}]++
	}
	t.Rows, t.Columns = inOrder(rows), inOrder(columns)
	return t
}

// Row returns the total of a row.
func (t CrossTable) Row(row string) int {
	n := 0
	for _, c := range t.Columns {
		n += t.Counts[[2]string{row, c}]
	}
	return n
}

// Column returns the total of a column.
func (t CrossTable) Column(column string) int {
	n := 0
	for _, r := range t.Rows {
		n += t.Counts[[2]string{r, column}]
	}
	return n
}

// inOrder sorts values: difficulties by level, missing values last, all others by name.
func inOrder(values map[string]bool) []string {
	rank := func(v string) int {
		if i := slices.Index(Difficulties[:], Difficulty(v)); i >= 0 {
			return i
		}
		if v == NotGiven {
			return len(Difficulties) + 1
		}
		return len(Difficulties)
	}
	return slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
}
