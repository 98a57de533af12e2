package evaluations_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/data/fatal"
	"assay/scoring"
	"assay/session/report/evaluations"
)

// The report of the tasks that a filter chooses equals that of results and a benchmark that have only these tasks.
func TestFilteredEvaluations(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	compared := 0
	for range 20 {
		whole := eight()
		text := pick("difficulty:easy", "-difficulty:easy", "year:2023", "category:sets difficulty:hard", "published:<2023", "pass_rate:>=0.5", "id:easy*,hard-2022-1", "hard-2023-2", "type:none")
		filter, err := benchmark.ParseFilter(text)
		fatal.If(t, err)
		part := &benchmark.Benchmark{Name: whole.Name} // as [benchmark.Filter.Part] should be
		for i := range whole.Tasks {
			if filter.Match(&whole.Tasks[i]) {
				part.Tasks = append(part.Tasks, whole.Tasks[i])
			}
		}
		o := evaluations.Options{Title: "T"}
		if random.IntN(2) == 0 {
			o.By = [][]string{{"difficulty"}, {"year", "category"}}
		}
		if random.IntN(2) == 0 {
			o.K = []int{1}
		}
		o.AllPairs = random.IntN(2) == 0
		o.Reviewing = []batch.Reviewing{batch.CountResolved, batch.CountFailed}[random.IntN(2)]
		labelled := random.IntN(2) == 0
		var labels, kept []evaluations.Label
		var some, only []evaluations.Results
		for r := range 1 + random.IntN(3) {
			a := evaluations.Results{Name: fmt.Sprint("run", r)}
			b := a
			for i := range whole.Tasks {
				if random.IntN(8) == 0 {
					continue // this run has not answered it
				}
				for n := range 1 + random.IntN(4) {
					row := sample(whole.Tasks[i].ID, n, random.IntN(3), 2)
					if a.Rows = append(a.Rows, row); filter.Match(&whole.Tasks[i]) {
						b.Rows = append(b.Rows, row)
					}
					if labelled && random.IntN(2) == 0 {
						l := evaluations.Label{Run: a.Name, Task: row.TaskID, Sample: n, Explanation: scoring.Known(random.IntN(3))}
						if labels = append(labels, l); filter.Match(&whole.Tasks[i]) {
							kept = append(kept, l)
						}
					}
				}
			}
			if a.Rows, err = batch.Choose(a.Rows, whole, filter); err != nil {
				if len(b.Rows) > 0 || !strings.Contains(err.Error(), fmt.Sprintf("no task of \"eight\" with results matches the filter %q: ", text)) {
					t.Errorf("%s: %v", text, err)
				}
				continue
			}
			some, only = append(some, a), append(only, b)
		}
		if len(some) == 0 {
			continue
		}
		o.Tasks, o.Filter, o.Labels = filter.Part(whole), text, evaluations.LabelsOf(labels, whole, filter)
		got, err := evaluations.Build(some, o)
		o.Tasks, o.Filter, o.Labels = part, "", kept
		want, errWant := evaluations.Build(only, o)
		if fmt.Sprint(err) != fmt.Sprint(errWant) {
			t.Errorf("%s: %v, and of the data %v", text, err, errWant)
		}
		if err != nil || errWant != nil {
			continue
		}
		compared++
		if got.Filter != text {
			t.Errorf("the filter is said to be %q", got.Filter)
		}
		got.Filter, got.Checks, want.Checks = "", nil, nil // the filter is one more text that is compared
		a, err := json.Marshal(got)
		fatal.If(t, err)
		b, err := json.Marshal(want)
		fatal.If(t, err)
		for i := range a {
			if i >= len(b) || a[i] != b[i] {
				from := max(0, i-300)
				t.Errorf("%s: the report differs:\n%s\nand of the data\n%s", text, a[from:min(i+100, len(a))], b[from:min(i+100, len(b))])
				break
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d of 20 reports have results", compared)
	}
}
