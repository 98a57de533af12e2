package batch_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
)

// accepted are results in which the tasks have so many of the samples accepted.
func accepted(samples int, counts ...int) []batch.Row {
	var rows []batch.Row
	for task, n := range counts {
		for s := range samples {
			r := batch.Row{TaskID: fmt.Sprintf("t%d", task), Sample: s, Verdict: verdicts.WrongAnswer, TotalTests: 1}
			if s < n {
				r.Verdict, r.PassedTests = verdicts.Accepted, 1
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func asked(t *testing.T, effect float64, first, second []batch.Row) (*batch.Answer, map[string]any) {
	t.Helper()
	a, err := batch.Ask(first, second, "", effect, batch.CompareOptions{K: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(a.JSON())
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	return a, object
}

// 0.3, -0.1 and -0.2 make no difference, although binary says 9e-18.
func TestNoDifferenceIsNone(t *testing.T) {
	a, object := asked(t, 0, accepted(10, 3, 0, 0), accepted(10, 0, 1, 2))
	if a.Difference.Value != 0 || a.Planned.Tasks != 0 || !a.Planned.Wanting {
		t.Errorf("%v, %+v", a.Difference.Value, a.Planned)
	}
	next := object["next_comparison"].(map[string]any)
	if object["difference"] != 0.0 || next["tasks"] != 0.0 || next["problem"] == "" {
		t.Errorf("%v", object)
	}
}

// Where every task differs alike the verdict is that of the bound, which for tasks that
// one solves and the other does not is the exact sign test.
func TestTasksThatDifferAlike(t *testing.T) {
	for tasks, p := range map[int]float64{1: 1, 5: 0.0625, 6: 0.03125, 12: math.Exp2(-11)} {
		first, second := make([]int, tasks), make([]int, tasks)
		for i := range second {
			second[i] = 1
		}
		a, object := asked(t, 0, accepted(1, first...), accepted(1, second...))
		better := 0
		if tasks >= 6 {
			better = -1
		}
		if a.Verdict() != better || object["told_apart"] != (better != 0) || math.Abs(a.Difference.P-p) > 1e-15 {
			t.Errorf("%d tasks: better %d, p = %v, %v", tasks, a.Verdict(), a.Difference.P, object)
		}
		if a.Planned.Problem == "" || a.Planned.Wanting {
			t.Errorf("%d tasks: %+v", tasks, a.Planned)
		}
	}
}

// No number of tasks is planned with which the test cannot be significant, and none for
// the difference that was just found.
func TestPlannedTasks(t *testing.T) {
	for _, c := range []struct {
		first, second []int
		effect, least float64
	}{
		{[]int{0, 0, 0, 0, 0}, []int{4, 4, 4, 4, 3}, 0, 6},                                // all five differ
		{[]int{0, 0, 0, 0, 0, 4, 4, 4, 4, 4}, []int{4, 4, 4, 4, 3, 4, 4, 4, 4, 4}, 0, 12}, // every other one
		{[]int{1, 1, 1, 1, 1, 1, 1, 1}, []int{4, 4, 4, 4, 4, 4, 4, 3}, 0.1, 6},            // told apart, and planned for less
	} {
		a, _ := asked(t, c.effect, accepted(4, c.first...), accepted(4, c.second...))
		if n := a.Planned; n.Problem != "" || n.Tasks < c.least || n.Effect != c.effect {
			t.Errorf("%v and %v: %+v, want at least %v", c.first, c.second, n, c.least)
		}
	}
	a, _ := asked(t, 0, accepted(4, 1, 1, 1, 1, 1, 1, 1, 1), accepted(4, 4, 4, 4, 4, 4, 4, 4, 3))
	if a.Verdict() != -1 || a.Planned.Tasks != 0 || !a.Planned.Wanting {
		t.Errorf("better %d: p = %v, %+v, %+v", a.Verdict(), a.Difference.P, a.Difference.Interval, a.Planned)
	}
}

// Tasks with one value of a field are one unit of the test.
func TestComparedByCluster(t *testing.T) {
	b := &benchmark.Benchmark{}
	for i := range 12 {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: fmt.Sprintf("t%d", i), Category: fmt.Sprint(i % 4)})
	}
	first, second := accepted(4, 4, 3, 4, 4, 4, 4, 4, 3, 4, 4, 4, 4), accepted(4, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2)
	for cluster, told := range map[string]int{"": 1, "category": 0} {
		a, err := batch.Ask(first, second, "", 0, batch.CompareOptions{K: []int{1}, Tasks: b, Cluster: cluster})
		if err != nil || a.Verdict() != told || cluster != "" && (a.Difference.Clusters != 4 || a.Difference.Least != 0.125) {
			t.Errorf("by %q: %d, %+v, %v", cluster, a.Verdict(), a.Difference, err)
		}
	}
}

// A margin shows likeness where the interval lies within it, and says how many tasks it takes where it does not.
func TestMarginOfAComparison(t *testing.T) {
	alternating := func(n, shift int) []batch.Row {
		counts := make([]int, n)
		for i := range counts {
			counts[i] = 5 + (i+shift)%2
		}
		return accepted(10, counts...)
	}
	far := accepted(10, slices.Repeat([]int{9, 8}, 50)...)
	near := accepted(10, slices.Repeat([]int{1, 2}, 50)...)
	for _, c := range []struct {
		name          string
		first, second []batch.Row
		alike, beyond bool
	}{
		{"many tasks", alternating(100, 0), alternating(100, 1), true, false},
		{"few tasks", alternating(8, 0), alternating(8, 1), false, false},
		{"far apart", far, near, false, true},
	} {
		a, _ := asked(t, 0, c.first, c.second)
		a.Margin = 0.05
		j := a.JSON().Margin
		if j == nil || j.Alike != c.alike || j.Beyond != c.beyond || !(j.Tasks > 0) {
			t.Errorf("%s: %+v of %v", c.name, j, a.Difference.Interval)
		}
	}
	if a, object := asked(t, 0, far, near); object["margin"] != nil || a.JSON().Margin != nil {
		t.Error("a margin that nobody declared is in the JSON")
	}
}
