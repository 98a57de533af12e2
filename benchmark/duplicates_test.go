package benchmark

import (
	"fmt"
	"strings"
	"testing"
)

func TestFindSimilar(t *testing.T) {
	const statement = "Write a function that merges the shifts of one day where they overlap or touch and returns them in order of their start"
	task := func(id, language, text string) Task { return Task{ID: id, Language: language, Description: text} }
	a := &Benchmark{Tasks: []Task{
		task("same", "python", statement),
		task("case", "python", strings.ToUpper(statement)+"!"),
		task("other language", "r", statement),
		task("near", "python", strings.Replace(statement, "start", "beginning", 1)),
		task("far", "python", "Count the vowels in a text and give their share of all of its letters as a number"),
		task("short", "python", "Sort."), task("empty", "python", ""),
	}}
	b := &Benchmark{Tasks: []Task{task("same", "python", statement), task("short too", "python", "sort"), task("nothing", "python", "…")}}
	var got []string
	for _, s := range FindSimilar([]*Benchmark{a, b}, 0.8) {
		got = append(got, fmt.Sprintf("%d:%s=%d:%s %.2f", s.FileA, s.A.ID, s.FileB, s.B.ID, s.Jaccard))
	}
	want := "0:same=0:case 1.00, 0:same=1:same 1.00, 0:short=1:short too 1.00, 0:same=0:near 0.90"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s", strings.Join(got, ", "))
	}
}

func TestManyEqualStatements(t *testing.T) {
	many := &Benchmark{}
	for i := range 3 * maxPosting {
		many.Tasks = append(many.Tasks, Task{ID: fmt.Sprint(i), Description: "the same statement for each of very many tasks"})
	}
	if n := len(FindSimilar([]*Benchmark{many}, 0.8)); n != 3*maxPosting-1 {
		t.Errorf("%d pairs", n)
	}
}

// Comparing a hundred thousand statements with each other takes seconds.
func BenchmarkFindSimilar(b *testing.B) {
	many := &Benchmark{}
	for i := range 100_000 {
		var words []string
		for j := range 60 {
			words = append(words, fmt.Sprint((i*7919+j*j*31)%50_000))
		}
		many.Tasks = append(many.Tasks, Task{ID: fmt.Sprint(i), Language: "python", Description: "Write a function that takes a list and " + strings.Join(words, " ")})
	}
	for b.Loop() {
		FindSimilar([]*Benchmark{many}, 0.8)
	}
}

func TestTabulate(t *testing.T) {
	tasks := []*Task{{Difficulty: Hard, Type: "b"}, {Difficulty: Easy, Type: "a"}, {Type: "a"}, {Difficulty: Medium}, {}}
	table := Tabulate(tasks, func(t *Task) string { return t.Type }, func(t *Task) string { return string(t.Difficulty) })
	if got := fmt.Sprint(table.Rows, table.Columns); got != "[a b (not given)] [easy medium hard (not given)]" {
		t.Errorf("got %s", got)
	}
	rows, columns := 0, 0
	for _, r := range table.Rows {
		rows += table.Row(r)
	}
	for _, c := range table.Columns {
		columns += table.Column(c)
	}
	if rows != 5 || columns != 5 || table.Total != 5 || table.Row("a") != 2 || table.Column(NotGiven) != 2 {
		t.Errorf("got rows %d, columns %d, total %d", rows, columns, table.Total)
	}
}
