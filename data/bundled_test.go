package data_test

import (
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data"
	"assay/data/fatal"
)

// right reports whether a verdict is that of a right answer, as far as anything decides about it.
func right(verdict string) bool {
	return slices.Contains([]string{"accepted", "not_judged", "resolved"}, verdict)
}

func wrong(verdict string) bool { return verdict != "accepted" && verdict != "resolved" }

// Fields required of every bundled task, so that any scenario can be chosen and any feature tried with it.
func TestBundledTasksAreComplete(t *testing.T) {
	places := map[string]string{}
	for _, name := range data.Benchmarks() {
		folder, err := data.Benchmark(name)
		fatal.If(t, err)
		answers, err := benchmark.ReadAnswers(folder)
		fatal.If(t, err)
		verdicts := map[string][]string{}
		for _, a := range answers {
			verdicts[a.Task] = append(verdicts[a.Task], a.Expect)
		}
		b := load(t, name)
		for i := range b.Tasks {
			task := &b.Tasks[i]
			if other := places[task.ID]; other != "" {
				t.Errorf("%s stands in %s and in %s", task.ID, other, name)
			}
			places[task.ID] = name
			for field, given := range map[string]bool{
				"constraints": len(task.Constraints) > 0, "two examples": len(task.Examples) >= 2, "three context levels": len(task.ContextLevels) == benchmark.MaxContextLevel,
				"difficulty": task.Difficulty != "", "type": task.Type != "", "category": task.Category != "", "topics": len(task.Topics) > 0,
				"published": task.Published != "", "source": task.Source.Title != "" && task.Source.Licence != "", "reference": task.Reference != "",
			} {
				if !given {
					t.Errorf("%s %s has no %s", name, task.ID, field)
				}
			}
			if !slices.Contains([]string{"numerical", "statistical", "structural", "programming", "visualization", "exploratory"}, task.Type) {
				t.Errorf("%s: %q is none of the types of Miah & Zhu", task.ID, task.Type)
			}
			got := verdicts[task.ID]
			if len(got) < 2 || !slices.ContainsFunc(got, right) || !task.Practice && task.HasTests() && !slices.ContainsFunc(got, wrong) {
				t.Errorf("%s has the recorded answers %v: want a right one and a wrong one", task.ID, got)
			}
		}
	}
}

// cases counts the test cases of a task; for source it counts what looks like a test case.
func cases(t *benchmark.Task) int {
	return t.Tests.Count() + strings.Count(t.Tests.Check, "assert ") + strings.Count(t.Tests.Unittest, "def test")
}

// core-python has the shape of the LLMC dataset (Su et al., section 3.1, table 2).
func TestCorePython(t *testing.T) {
	b := load(t, "core-python")
	total := 0
	categories, difficulties, styles := map[string]int{}, map[benchmark.Difficulty]int{}, map[benchmark.Style]int{}
	for i := range b.Tasks {
		task := &b.Tasks[i]
		if n := cases(task); n < 15 {
			t.Errorf("%s has %d test cases, want at least 15", task.ID, n)
		}
		total += cases(task)
		categories[task.Category]++
		difficulties[task.Difficulty]++
		styles[task.Tests.Style]++
	}
	if len(b.Tasks) != 45 || total < 867 {
		t.Errorf("%d tasks with %d test cases, want 45 and at least 867", len(b.Tasks), total)
	}
	for _, c := range []string{"data types and operators", "data structures", "control structures", "strings and regular expressions",
		"functions and modules", "classes and objects", "file handling", "exception handling"} {
		if categories[c] < 4 {
			t.Errorf("%d tasks are about %s, want at least 4", categories[c], c)
		}
	}
	if len(categories) != 8 || min(difficulties["easy"], difficulties["medium"], difficulties["hard"]) < 12 {
		t.Errorf("categories %v, difficulties %v", categories, difficulties)
	}
	if styles[benchmark.Stdin] < 3 || styles[benchmark.Check] < 3 || styles[benchmark.Unittest] < 1 {
		t.Errorf("styles %v", styles)
	}
}

// core-r has two tasks of each type of Miah & Zhu at each difficulty, and those that draw declare their
// plot.
func TestCoreR(t *testing.T) {
	b := load(t, "core-r")
	cells := map[string]int{}
	for i := range b.Tasks {
		task := &b.Tasks[i]
		cells[task.Type+" "+string(task.Difficulty)]++
		if task.Type == "visualization" && (len(task.Outputs) == 0 || task.Tests.Style != benchmark.Script) {
			t.Errorf("%s declares no picture, or does not look at it", task.ID)
		}
		if task.Tests.Style == benchmark.Calls && len(task.Tests.Cases) < 12 {
			t.Errorf("%s has %d test cases, want at least 12", task.ID, len(task.Tests.Cases))
		}
	}
	if len(b.Tasks) != 36 || len(cells) != 18 {
		t.Errorf("%d tasks in %d cells, want 36 in 18", len(b.Tasks), len(cells))
	}
	for cell, n := range cells {
		if n != 2 {
			t.Errorf("%d tasks are %s, want 2", n, cell)
		}
	}
}
