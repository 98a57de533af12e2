package batch_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"assay/benchmark/judge"
	"assay/session/batch"
)

// accepted are results in which the tasks have so many of the samples accepted.
func accepted(samples int, counts ...int) []batch.Row {
	var rows []batch.Row
	for task, n := range counts {
		for s := range samples {
			r := batch.Row{TaskID: fmt.Sprintf("t%d", task), Sample: s, Verdict: judge.WrongAnswer, TotalTests: 1}
			if s < n {
				r.Verdict, r.PassedTests = judge.Accepted, 1
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func asked(t *testing.T, first, second []batch.Row) (*batch.Answer, map[string]any) {
	t.Helper()
	a, err := batch.Ask(first, second, []int{1}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(a)
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
	a, object := asked(t, accepted(10, 3, 0, 0), accepted(10, 0, 1, 2))
	if a.Difference.Value != 0 || !strings.Contains(a.Needed.Problem, "no number of tasks") {
		t.Errorf("%v, %+v", a.Difference.Value, a.Needed)
	}
	needed := object["tasks_needed"].(map[string]any)
	if object["difference"] != 0.0 || needed["tasks"] != nil || needed["problem"] == "" {
		t.Errorf("%v", object)
	}
}

// Where every task differs alike there is no interval, and so no verdict.
func TestNoIntervalTellsNothingApart(t *testing.T) {
	for tasks, p := range map[int]float64{1: 1, 5: 0.0625, 6: 0.03125, 12: math.Exp2(-11)} {
		first, second := make([]int, tasks), make([]int, tasks)
		for i := range second {
			second[i] = 1
		}
		a, object := asked(t, accepted(1, first...), accepted(1, second...))
		if better, split := a.Verdict(); better != 0 || split || object["told_apart"] != false || object["no_interval"] == nil {
			t.Errorf("%d tasks: better %d, split %v, %v", tasks, better, split, object)
		}
		if method, _ := object["p_method"].(string); math.Abs(a.Difference.Test.P-p) > 1e-15 || !strings.HasPrefix(method, "exact") {
			t.Errorf("%d tasks: p = %v, %s; want %v", tasks, a.Difference.Test.P, method, p)
		}
		if a.Needed.Problem == "" {
			t.Errorf("%d tasks: %+v", tasks, a.Needed)
		}
	}
}

// No number of tasks is said to tell with which the test cannot be significant.
func TestNeededTasksCanBeSignificant(t *testing.T) {
	for _, c := range []struct {
		first, second []int
		least         float64
	}{
		{[]int{0, 0, 0, 0, 0}, []int{4, 4, 4, 4, 3}, 6},                                // all five differ
		{[]int{0, 0, 0, 0, 0, 4, 4, 4, 4, 4}, []int{4, 4, 4, 4, 3, 4, 4, 4, 4, 4}, 12}, // every other one
		{[]int{1, 1, 1, 1, 1, 1, 1, 1}, []int{4, 4, 4, 4, 4, 4, 4, 3}, 6},              // told apart
	} {
		a, _ := asked(t, accepted(4, c.first...), accepted(4, c.second...))
		if n := a.Needed; n.Problem != "" || n.Tasks < c.least || n.Fewest < c.least || n.Most < n.Tasks || n.Tasks < n.Fewest {
			t.Errorf("%v and %v: %+v, want at least %v", c.first, c.second, n, c.least)
		}
	}
	if a, _ := asked(t, accepted(4, 1, 1, 1, 1, 1, 1, 1, 1), accepted(4, 4, 4, 4, 4, 4, 4, 4, 3)); a.Difference.Value >= 0 {
		t.Errorf("%+v", a.Difference)
	} else if better, split := a.Verdict(); better != -1 || split {
		t.Errorf("better %d, split %v: p = %v, %+v", better, split, a.Difference.Test.P, a.Difference.Interval)
	}
}
