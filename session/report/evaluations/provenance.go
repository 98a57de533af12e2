package evaluations

import (
	"maps"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/session/report/document"
)

// provenance collects how the rows were made.
func (run *Run) provenance(rows []batch.Row) {
	once := func(list *[]string, value string) {
		if value = document.Clean(value); value != "" && !slices.Contains(*list, value) {
			*list = append(*list, value)
		}
	}
	run.Isolation, run.Enforcement, run.Interpreters = []string{}, []string{}, []string{}
	run.Libraries, run.Analysers, run.Extractions, run.Rules = []string{}, []string{}, []string{}, []string{}
	for _, row := range rows {
		var enforced []string
		for _, limit := range slices.Sorted(maps.Keys(row.Enforcement)) {
			enforced = append(enforced, limit+"="+row.Enforcement[limit])
		}
		once(&run.Isolation, row.Isolation)
		once(&run.Enforcement, strings.Join(enforced, " "))
		once(&run.Interpreters, row.Interpreter)
		once(&run.Libraries, row.Library)
		once(&run.Extractions, row.Extraction)
		once(&run.Rules, string(row.Rules))
		if row.Measures != nil {
			once(&run.Analysers, row.Measures.Analyser)
		}
	}
	for _, list := range [][]string{run.Isolation, run.Enforcement, run.Interpreters, run.Libraries, run.Analysers, run.Extractions, run.Rules} {
		slices.Sort(list)
	}
}

// versions compares the judged versions of tasks with the given ones.
func (run *Run) versions(g *given, b *benchmark.Benchmark) {
	for i := range b.Tasks {
		t := &b.Tasks[i]
		at, sampled := g.index[t.ID]
		if !sampled || len(g.of[at]) == 0 {
			run.Left++
			continue
		}
		hash := t.Hash()
		if slices.ContainsFunc(g.of[at], func(row batch.Row) bool { return row.Task != "" && !strings.HasPrefix(hash, row.Task) }) {
			run.Other++
		}
	}
}
