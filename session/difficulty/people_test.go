package difficulty

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/scoring/irt"
	"assay/session/estimate"
)

// The data of testdata/kappa.R: difficulties for models, and the category of people's median.
var (
	found = []float64{0.02, 0.95, 0.31, 0.64, 0.88, 0.12, 0.45, 0.55, 0.07, 0.71, 0.99, 0.28, 0.36, 0.81, 0.17, 0.60, 0.49, 0.90, 0.23, 0.03}
	felt  = []int{2, 2, 1, 3, 4, 0, 2, 1, 1, 5, 3, 2, 2, 3, 0, 4, 1, 5, 3, 1}
)

// sides returns an analysis and a study of the given number of tasks; two people agree on each.
func sides(t testing.TB, found []float64, felt []int) (*Analysis, *estimate.Study) {
	t.Helper()
	a := &Analysis{model: irt.Beta3}
	h := estimate.Header{Version: 1, Benchmark: "b", Round: 1, Rounds: 1, Estimators: 2, Threshold: 0.6, Minutes: estimate.DefaultMinutes()}
	for i, d := range found {
		id := fmt.Sprintf("t%02d", i)
		a.Tasks = append(a.Tasks, Task{ID: id, Difficulty: Parameter{Value: d}})
		h.Items = append(h.Items, estimate.Item{Task: id, Title: "Task " + id, Phrasings: []estimate.Phrasing{{Name: "statement", Text: "Do it."}}})
	}
	r := estimate.NewRound(h)
	apply := func(ev estimate.Event) {
		fatal.If(t, r.Apply(ev))
	}
	for _, who := range []string{"ann", "bob"} {
		apply(estimate.Event{Opened: &estimate.Opened{Estimator: who}})
		for i, category := range felt {
			apply(estimate.Event{Estimate: &estimate.Estimate{Estimator: who, Task: h.Items[i].Task, Form: estimate.Form{Summary: "s", Time: &category, Difficulty: 3, Reason: "r"}}})
		}
		apply(estimate.Event{Submitted: &estimate.Submitted{Estimator: who}})
	}
	s, err := estimate.Combine(r)
	fatal.If(t, err)
	return a, s
}

// Kappa, its standard error, both shifts, and tau-b are R's (testdata/kappa.R).
func TestPeopleAgainstR(t *testing.T) {
	a, s := sides(t, found, felt)
	p, err := a.ComparePeople(s, Equal, nil)
	fatal.If(t, err)
	for _, c := range []struct {
		what      string
		got       PeopleKappa
		kappa, se float64
	}{{"down", p.Down, 0.3814432990, 0.1106916484}, {"as it is", p.Kappa, 0.4623655914, 0.1068690662}, {"up", p.Up, 0.3733681462, 0.1040730003}} {
		if k := c.got.Value; k == nil || math.Abs(k.Kappa-c.kappa) > 1e-9 || math.Abs(k.SE-c.se) > 1e-9 || k.N != 20 {
			t.Errorf("%s: %+v, want %v ± %v", c.what, k, c.kappa, c.se)
		}
	}
	if p.Tau == nil || math.Abs(p.Tau.TauB-0.4745569672) > 1e-9 {
		t.Errorf("tau-b %+v", p.Tau)
	}
	if p.N != 20 || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "Only 20 tasks") || !strings.Contains(p.Discretisation, "TaskEval") {
		t.Errorf("%d, %q, %s", p.N, p.Warnings, p.Discretisation)
	}
	first := p.Rows[0]
	if want := (PeopleRow{Task: "t01", Title: "Task t01", Difficulty: 0.95, Models: 5, People: 2, MedianTime: "10 min", LowMedian: 2, MedianDifficulty: "medium", N: 2, Rounds: 1, Agreement: 1, Agreed: true}); first != want {
		t.Errorf("%+v", first)
	}
	if !slices.IsSortedFunc(p.Rows, func(x, y PeopleRow) int { return distance(y) - distance(x) }) {
		t.Error("the largest disagreement is not the first")
	}
}

// By quantile the models' categories have the sizes of people's, in order of difficulty; equal difficulties
// are in one category.
func TestQuantile(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(rt, "n")
		found := rapid.Permutation(func() (list []float64) {
			for i := range n {
				list = append(list, float64(i)/float64(n))
			}
			return list
		}()).Draw(rt, "found")
		felt := rapid.SliceOfN(rapid.IntRange(0, 5), n, n).Draw(rt, "felt")
		a, s := sides(t, found, felt)
		p, err := a.ComparePeople(s, Quantile, nil)
		fatal.If(rt, err)
		var models, people []int
		slices.SortFunc(p.Rows, func(x, y PeopleRow) int { return compare(x.Difficulty, y.Difficulty) })
		for _, r := range p.Rows {
			models, people = append(models, r.Models), append(people, r.People)
		}
		slices.Sort(people)
		if !slices.Equal(models, people) {
			rt.Fatalf("models %v, people %v", models, people)
		}
	})
	a, s := sides(t, []float64{0.5, 0.5, 0.5, 0.9}, []int{0, 1, 2, 5})
	p, err := a.ComparePeople(s, Quantile, nil)
	fatal.If(t, err)
	for _, r := range p.Rows {
		if want := map[bool]int{true: 5, false: 1}[r.Difficulty == 0.9]; r.Models != want {
			t.Errorf("%+v", r)
		}
	}
}

// Data that cannot be compared are rejected or named, and never lead to NaN.
func TestPeopleRefused(t *testing.T) {
	a, s := sides(t, []float64{0.1, 0.2}, []int{0, 0})
	p, err := a.ComparePeople(s, Quantile, nil)
	if err != nil || p.Kappa.Value != nil || p.Kappa.Why == "" || p.Tau != nil {
		t.Errorf("one category: %v, %+v", err, p)
	}
	fails := func(says string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
	_, err = a.ComparePeople(s, "halves", nil)
	fails("equal or quantile", err)
	_, err = a.ComparePeople(s, Equal, &benchmark.Benchmark{Name: "b"})
	fails("have since changed", err)
	_, err = (&Analysis{model: irt.Beta3}).ComparePeople(s, Equal, nil)
	fails("none of the tasks that models answered", err)
	a.model = irt.Logistic2
	_, err = a.ComparePeople(s, Equal, nil)
	fails("discretise by quantile", err)
	open, err := estimate.Combine(estimate.NewRound(s.Rounds[0].Header))
	fatal.If(t, err)
	_, err = a.ComparePeople(open, Quantile, nil)
	fails("2 wait for estimates", err)
}
