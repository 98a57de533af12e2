package difficulty

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// The analysis of the tasks that a filter chooses equals that of results that have only these tasks.
func TestFilteredDifficulty(t *testing.T) {
	filters := []string{"difficulty:easy", "-difficulty:hard", "type:plot,table", "difficulty:>=medium type:plot", "published:>=2024", "id:t1*", "t1", "no:type"}
	random := rand.New(rand.NewPCG(5, 6))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	compared := 0
	for range 60 {
		b := &benchmark.Benchmark{Name: "bench"}
		for i := range 12 + random.IntN(20) {
			task := benchmark.Task{ID: fmt.Sprintf("t%d", i), Title: fmt.Sprintf("Task %d", i), Type: pick("", "plot", "table")}
			task.Difficulty = benchmark.Difficulties[random.IntN(3)]
			task.Published = benchmark.Date(pick("2023", "2024-05"))
			b.Tasks = append(b.Tasks, task)
		}
		filter, err := benchmark.ParseFilter(pick(filters...))
		fatal.If(t, err)
		var all, some []Run
		for m := range 3 + random.IntN(4) {
			of := Run{Model: fmt.Sprintf("m%d", m)}
			part, judged := Run{Model: of.Model}, false
			for i := range b.Tasks {
				v := verdicts.Verdict(pick(string(verdicts.Accepted), string(verdicts.WrongAnswer), string(verdicts.NotJudged)))
				r := row(b.Tasks[i].ID, 0, v, 1, 2)
				if of.Rows = append(of.Rows, r); filter.Match(&b.Tasks[i]) {
					part.Rows, judged = append(part.Rows, r), judged || v != verdicts.NotJudged
				}
			}
			if all = append(all, of); judged { // who answered none of them is left out
				some = append(some, part)
			}
		}
		score := Score(pick(string(Correct), string(PassRate)))
		analysis := func(runs []Run, choose bool) string {
			r, err := FromRuns(runs, ByModel, score)
			if err == nil && choose {
				r, err = Choose(r, b, filter)
			}
			if err != nil || len(r.Items) == 0 {
				return "no responses"
			}
			a, err := Analyse(r, Options{Method: OnePL, Tasks: b, Seed: 7, Quick: true})
			if err != nil {
				return err.Error()
			}
			compared++
			text, err := json.Marshal(a)
			fatal.If(t, err)
			return string(text)
		}
		if got, want := analysis(all, true), analysis(some, false); got != want {
			t.Errorf("%s: the analysis is\n%s\nand that of the data is\n%s", filter, got, want)
		}
	}
	if compared < 40 {
		t.Errorf("only %d of 120 analyses have a result", compared)
	}
}

// A filter that chooses no answered task is named, with what there is.
func TestFilterChoosesNothing(t *testing.T) {
	b := &benchmark.Benchmark{Name: "bench", Tasks: []benchmark.Task{{ID: "a", Type: "plot"}, {ID: "b", Type: "table"}, {ID: "c", Type: "other"}}}
	filter, err := benchmark.ParseFilter("type:other")
	fatal.If(t, err)
	r, err := FromRuns([]Run{{Model: "m", Rows: []batch.Row{row("a", 0, verdicts.Accepted, 1, 1), row("b", 0, verdicts.Accepted, 1, 1)}}}, ByModel, Correct)
	fatal.If(t, err)
	if _, err := Choose(r, b, filter); err == nil || !strings.Contains(err.Error(), `no task of "bench" with responses matches the filter "type:other": type is plot (1), table (1)`) {
		t.Error(err)
	}
}
