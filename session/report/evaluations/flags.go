package evaluations

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/session/report"
	"assay/session/report/document"
)

// flagKinds returns the kinds of outliers, in the order of tables.
func flagKinds() []string {
	return []string{"empty", "no code", "refusal", "truncated", "runaway length"}
}

// firstWord identifies a kind by the first word of its name.
func firstWord(kind string) string {
	end := strings.IndexAny(kind, " _-:")
	if end < 0 {
		return kind
	}
	return kind[:end]
}

// kindsOf returns the kinds of a run: those that are always looked for, by the name that the
// run has for them, then others.
func kindsOf(flags map[string]int) []string {
	given := slices.SortedFunc(maps.Keys(flags), batch.InOrder)
	var all []string
	for _, kind := range flagKinds() {
		i := slices.IndexFunc(given, func(k string) bool { return firstWord(k) == firstWord(kind) })
		if i >= 0 {
			kind = given[i]
			given = slices.Delete(given, i, i+1)
		}
		all = append(all, kind)
	}
	return append(all, given...)
}

// flags counts a run's outliers and measures it without them.
func (r *Report) flags(run *Run, i int) {
	g := &r.given[i]
	if g.Flags == nil && len(g.Flagged) == 0 {
		return
	}
	run.Generated = cmp.Or(g.Generated, len(g.Rows))
	run.Flags = []Share{}
	for _, kind := range kindsOf(g.Flags) {
		s := shareOf(document.Clean(strings.ReplaceAll(kind, "_", " ")), g.Flags[kind], run.Generated)
		s.Interval, s.Method = nil, "no interval: samples of a task depend on each other"
		run.Flags = append(run.Flags, s)
	}
	for _, row := range g.Rows {
		if g.odd[sampleID{row.TaskID, row.Sample}] {
			run.Flagged++
		}
	}
	var tasks []withoutFlagged
	for _, at := range r.drawn {
		if r.Tasks[at].Runs[i].scored() {
			tasks = append(tasks, r.withoutFlagged(g, at))
		}
	}
	for m := range r.Metrics {
		run.Without = append(run.Without, r.meanWithout(tasks, m))
	}
}

// withoutFlagged returns the samples of a task that have no flag.
type withoutFlagged struct {
	accepted int
	cases    []scoring.Cases
}

func (r *Report) withoutFlagged(g *given, task int) (w withoutFlagged) {
	for _, row := range g.of[task] {
		if row.Verdict == verdicts.NotJudged || g.odd[sampleID{row.TaskID, row.Sample}] {
			continue
		}
		if row.Verdict == verdicts.Accepted {
			w.accepted++
		}
		w.cases = append(w.cases, casesOf(row))
	}
	return w
}

// meanWithout returns a metric over the tasks that have a sample left. A k that one of them
// has too few samples for has no value, as everywhere.
func (r *Report) meanWithout(tasks []withoutFlagged, metric int) report.Estimate {
	var values []scoring.TaskValue
	for _, t := range tasks {
		if len(t.cases) == 0 {
			continue
		}
		v, err := r.kinds()[metric].Of(t.accepted, t.cases)
		if err != nil {
			return report.Estimate{Value: undefined(), Method: "no value: too few samples are left"}
		}
		values = append(values, v)
	}
	return estimate(scoring.MeanOverTasks(values))
}
