package evaluations

import (
	"cmp"
	"fmt"
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
	run.Analysers, run.Extractions = []string{}, []string{}
	rules, libraries := map[string]int{}, map[string]int{}
	for _, row := range rows {
		var enforced []string
		for _, limit := range slices.Sorted(maps.Keys(row.Enforcement)) {
			enforced = append(enforced, limit+"="+row.Enforcement[limit])
		}
		once(&run.Isolation, row.Isolation)
		once(&run.Enforcement, strings.Join(enforced, " "))
		once(&run.Interpreters, row.Interpreter)
		once(&run.Extractions, row.Extraction)
		rules[document.Clean(string(row.Rules))]++
		libraries[document.Clean(row.Library)]++
		if row.Measures != nil {
			once(&run.Analysers, row.Measures.Analyser)
		}
	}
	for _, list := range [][]string{run.Isolation, run.Enforcement, run.Interpreters, run.Analysers, run.Extractions} {
		slices.Sort(list)
	}
	run.Rules, run.Libraries = shares(rules), shares(libraries)
}

// shares lists values, of which "" is none: with the number of samples of each where they differ.
func shares(counts map[string]int) []string {
	list, all := []string{}, 0
	for _, n := range counts {
		all += n
	}
	for _, value := range slices.Sorted(maps.Keys(counts)) {
		switch {
		case len(counts) > 1:
			list = append(list, fmt.Sprintf("%s (%d of %d samples)", cmp.Or(value, "none"), counts[value], all))
		case value != "":
			list = append(list, value)
		}
	}
	return list
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
