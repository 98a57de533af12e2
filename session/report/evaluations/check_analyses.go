package evaluations

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
)

// wholeAnalyses reports whether the lists of the analyses have the lengths that the checks rely on, and name
// existing runs.
func (r *Report) wholeAnalyses() bool {
	good, metrics := true, len(r.Metrics)
	for _, run := range r.Runs {
		good = good && (run.Flags == nil) == (run.Without == nil) && (run.Without == nil || len(run.Without) == metrics)
	}
	for _, l := range r.Leaderboards {
		for _, row := range l.Rows {
			good = good && r.named(row.Run) >= 0
		}
	}
	for _, e := range r.Prompts.Effects {
		good = good && len(e.Measures) == 2
	}
	for _, c := range r.Cutoffs {
		good = good && r.named(c.Run) >= 0 && len(c.Before.Metrics) == metrics && len(c.After.Metrics) == metrics && len(c.Differences) == metrics
	}
	return good
}

func (r *Report) named(name string) int {
	return slices.IndexFunc(r.Runs, func(run Run) bool { return run.Name == name })
}

// checkAnalyses recomputes ranks, effects of prompts, cutoffs and outliers.
func (r *Report) checkAnalyses(tables map[string]report.Rows, again []*runAgain, tested *contrasts) *report.Check {
	c := report.NewCheck("Ranks, prompts, cutoffs and outliers computed again from the tables")
	same := func(what, got, want string) {
		if c.Compared++; got != want {
			c.Fault("%s: %q, not %q", what, got, want)
		}
	}
	for row := range tables["runs"] {
		i := r.indexOf(row)
		if i < 0 {
			continue // another check reports this
		}
		run := &r.Runs[i]
		same(run.Name+": model", report.CSVCell(run.Model), row.Text("model"))
		same(run.Name+": prompt", report.CSVCell(run.Prompt), row.Text("prompt"))
		same(run.Name+": training cutoff", report.CSVCell(run.Cutoff), row.Text("training_cutoff"))
		same(run.Name+": unreviewed prompts", fmt.Sprint(run.Unreviewed), fmt.Sprint(row.Is("unreviewed_prompts")))
		same(run.Name+": outliers looked for", fmt.Sprint(run.Flags != nil), fmt.Sprint(row.Is("flags_known")))
	}
	c.Equal("tests of differences between runs", r.testsOf("differences between runs"), len(tested.p))
	r.checkRanks(c, again, tested)
	r.checkEffects(c, again, tested)
	r.checkWordings(c, again)
	r.checkCutoffs(c, again)
	r.checkFlags(c, again)
	return c
}

// testsOf returns the number of tests of a family; 0 if there is none of that name.
func (r *Report) testsOf(family string) int {
	for _, f := range r.Families {
		if f.Name == family {
			return f.Tests
		}
	}
	return 0
}

// testedAgain tests the differences between runs, from the tables.
func (r *Report) testedAgain(again []*runAgain) *contrasts {
	return r.contrasts(source{
		func(run, metric int) map[string]scoring.TaskValue { return r.valuesAgain(again[run], metric) },
		func(levels, others [][]int, metric int) map[string]scoring.TaskValue {
			values := averagedAgain(levels, others, again, func(t *taskAgain) float64 { return t.metrics[metric] })
			return r.withDraws(values, slices.Concat(levels...), again, metric)
		}})
}

// valuesAgain returns a run's values of a metric by task.
func (r *Report) valuesAgain(a *runAgain, metric int) map[string]scoring.TaskValue {
	values := map[string]float64{}
	for id, t := range a.tasks {
		if t.scores() {
			values[id] = t.metrics[metric]
		}
	}
	return r.withDraws(values, []int{0}, []*runAgain{a}, metric)
}

// withDraws returns values with the fewest draws that a run's samples are for the metric.
func (r *Report) withDraws(values map[string]float64, runs []int, again []*runAgain, metric int) map[string]scoring.TaskValue {
	all, k := map[string]scoring.TaskValue{}, max(r.kinds()[metric].K, 1)
	for id, v := range values {
		draws := math.MaxInt
		for _, run := range runs {
			draws = min(draws, again[run].tasks[id].n/k)
		}
		all[id] = scoring.TaskValue{Value: min(max(v, 0), 1), Draws: draws}
	}
	return all
}

func meanAgain(values map[string]float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return stats.Mean(slices.Sorted(maps.Values(values)))
}

func (r *Report) checkRanks(c *report.Check, again []*runAgain, tested *contrasts) {
	boards := 0
	for _, prompt := range r.promptTypes() {
		n := 0
		for i := range r.Runs {
			n += b2i(r.Runs[i].Prompt == prompt)
		}
		boards += b2i(n >= fewRanked)
	}
	c.Equal("leaderboards", len(r.Leaderboards), boards)
	for b := range r.Leaderboards {
		l := &r.Leaderboards[b]
		n := 0
		for i := range r.Runs {
			n += b2i(r.Runs[i].Prompt == l.Prompt)
		}
		c.Equal(l.title()+": runs", len(l.Rows), n)
		var sides []map[string]scoring.TaskValue
		var values []map[string]float64
		for i := range l.Rows {
			side := r.valuesAgain(again[r.named(l.Rows[i].Run)], 0)
			sides, values = append(sides, side), append(values, plain(side))
		}
		tests := tested.among(sides)
		c.Equal(l.title()+": tests", l.Tests, len(tested.p))
		ties := Leaderboard{Alpha: significance}
		for i := range l.Rows {
			row := &l.Rows[i]
			at := r.named(row.Run)
			what := l.title() + ", " + row.Run
			c.Equal(what+": accepted", row.Accepted, r.Runs[at].Accepted)
			c.Equal(what+": counted", row.Counted, r.Runs[at].Counted)
			c.Equal(what+": tasks", row.Metric.N, len(values[i]))
			c.Near(what+": "+l.Metric, row.Metric.Value, meanAgain(values[i]))
			c.Near(what+": pass ratio", row.PassRatio.Value, meanAgain(plain(r.valuesAgain(again[at], r.ratioAt()))))
			c.Equal(what+": rank", row.Rank, rankAgain(values, i))
			ties.Rows = append(ties.Rows, Standing{Rank: row.Rank})
			if i > 0 && row.Rank > 0 {
				l.checkGap(c, what+" to the one above", &row.Above, values, tests, i, i-1)
				l.checkGap(c, what+" to the best", &row.Best, values, tests, i, 0)
			}
		}
		ties.ties(tests)
		for i := range l.Rows {
			if c.Compared++; !slices.Equal(l.Rows[i].Ties, ties.Rows[i].Ties) {
				c.Fault("%s, %s: not told apart from %v, which should be %v", l.title(), l.Rows[i].Run, l.Rows[i].Ties, ties.Rows[i].Ties)
			}
		}
	}
}

// rankAgain is one more than the number of runs that are better.
func rankAgain(values []map[string]float64, run int) int {
	v, better := meanAgain(values[run]), 0
	if math.IsNaN(v) {
		return 0
	}
	for _, other := range values {
		better += b2i(meanAgain(other) > v+1e-12)
	}
	return better + 1
}

func (l *Leaderboard) checkGap(c *report.Check, what string, g *Gap, values []map[string]float64, tests [][]corrected, i, j int) {
	if c.Compared++; g.Run != l.Rows[j].Run {
		c.Fault("%s: %s, not %s", what, g.Run, l.Rows[j].Run)
	}
	differences := map[string]float64{}
	for id, v := range values[i] {
		if w, common := values[j][id]; common {
			differences[id] = v - w
		}
	}
	c.Equal(what+": tasks", g.Difference.N, len(differences))
	c.Near(what+": difference", g.Difference.Value, meanAgain(differences))
	c.Near(what+": p", g.P, tests[i][j].p)
	c.Near(what+": corrected p", g.Holm, tests[i][j].holm)
	c.Near(what+": screened p", g.BH, tests[i][j].bh)
}

// averagedAgain recomputes [Report.averaged] from the tables.
func averagedAgain(levels, others [][]int, again []*runAgain, value func(*taskAgain) float64) map[string]float64 {
	all := map[string]float64{}
	for id := range again[levels[0][0]].tasks {
		whole := true
		for _, runs := range slices.Concat(levels, others) {
			for _, run := range runs {
				t := again[run].tasks[id]
				whole = whole && t != nil && t.scores()
			}
		}
		if !whole {
			continue
		}
		sum := 0.0
		for _, runs := range levels {
			for _, run := range runs {
				sum += value(again[run].tasks[id]) / float64(len(runs)*len(levels))
			}
		}
		all[id] = sum
	}
	return all
}

func (r *Report) checkEffects(c *report.Check, again []*runAgain, tested *contrasts) {
	at := 0
	for _, of := range r.effectsOf() {
		if len(averagedAgain(of.from, of.to, again, func(*taskAgain) float64 { return 0 })) == 0 {
			continue // no task is in all
		}
		what := fmt.Sprintf("effect of %s against %s, %s", of.names[1], of.names[0], of.model)
		if at >= len(r.Prompts.Effects) || r.Prompts.Effects[at].Model != of.model || r.Prompts.Effects[at].From != of.names[0] || r.Prompts.Effects[at].To != of.names[1] {
			c.Fault("%s is missing", what)
			return
		}
		e := &r.Prompts.Effects[at]
		at++
		c.Equal(what+": models", e.Models, len(of.from))
		for j, metric := range []int{0, r.ratioAt()} {
			value := func(t *taskAgain) float64 { return t.metrics[metric] }
			from, to := averagedAgain(of.from, of.to, again, value), averagedAgain(of.to, of.from, again, value)
			m := &e.Measures[j]
			c.Equal(what+": tasks", m.Difference.N, len(from))
			c.Near(what+": from", m.From, meanAgain(from))
			c.Near(what+": to", m.To, meanAgain(to))
			c.Near(what+": difference", m.Difference.Value, meanAgain(to)-meanAgain(from))
			p := tested.of(r.withDraws(to, slices.Concat(of.to...), again, metric), r.withDraws(from, slices.Concat(of.from...), again, metric))
			c.Near(what+": p", m.P, p.p)
			c.Near(what+": corrected p", m.Holm, p.holm)
			c.Near(what+": screened p", m.BH, p.bh)
		}
		gained, lost, n := flipsAgain(of, again)
		c.Equal(what+": gained", e.Gained, gained)
		c.Equal(what+": lost", e.Lost, lost)
		c.Equal(what+": flips", e.Flips.Count, gained+lost)
		c.Equal(what+": tasks that may flip", e.Flips.N, n)
	}
	c.Equal("effects of prompts", len(r.Prompts.Effects), at)
}

func flipsAgain(of effectOf, again []*runAgain) (gained, lost, n int) {
	share := func(t *taskAgain) float64 { return float64(t.accepted) / float64(t.n) }
	for m := range of.from {
		before := averagedAgain(of.from[m:m+1], of.to[m:m+1], again, share)
		after := averagedAgain(of.to[m:m+1], of.from[m:m+1], again, share)
		for id, v := range before {
			n++
			const half = 0.5 - 1e-12
			gained += b2i(v < half && after[id] >= half)
			lost += b2i(v >= half && after[id] < half)
		}
	}
	return gained, lost, n
}

func (r *Report) checkWordings(c *report.Check, again []*runAgain) {
	at := 0
	for _, model := range r.models() {
		for _, family := range families() {
			for _, l := range r.levels(model, family) {
				if len(l.runs) < 2 {
					continue
				}
				if at >= len(r.Prompts.Wordings) || r.Prompts.Wordings[at].Model != model || r.Prompts.Wordings[at].Level != l.name {
					c.Fault("the wordings of %s, %s, are missing", model, l.name)
					return
				}
				checkWording(c, &r.Prompts.Wordings[at], l, again)
				at++
			}
		}
	}
	c.Equal("levels with several wordings", len(r.Prompts.Wordings), at)
}

func checkWording(c *report.Check, w *Wordings, l level, again []*runAgain) {
	what := w.Model + ", " + w.Level
	tasks := averagedAgain([][]int{l.runs}, nil, again, func(*taskAgain) float64 { return 0 })
	c.Equal(what+": wordings", w.Wordings, len(l.runs))
	c.Equal(what+": tasks of all wordings", w.Tasks, len(tasks))
	var means, between, within []float64
	for _, run := range l.runs {
		means = append(means, meanAgain(averagedAgain([][]int{{run}}, [][]int{l.runs}, again, func(t *taskAgain) float64 { return t.metrics[0] })))
	}
	if len(tasks) > 0 {
		c.Near(what+": lowest", w.Lowest.Value, slices.Min(means))
		c.Near(what+": highest", w.Highest.Value, slices.Max(means))
	}
	for _, id := range slices.Sorted(maps.Keys(tasks)) {
		var groups [][]float64
		for _, run := range l.runs {
			t := again[run].tasks[id]
			groups = append(groups, onesOf(t.accepted, t.n))
		}
		if v, err := stats.VarianceComponents(groups); err == nil {
			between, within = append(between, v.Between), append(within, v.Within)
		}
	}
	if w.Problem == "" {
		c.Near(what+": variance between wordings", w.Between.Value, stats.Mean(between))
		c.Near(what+": variance of samples", w.Sampling, stats.Mean(within))
	}
}

func (r *Report) checkCutoffs(c *report.Check, again []*runAgain) {
	for i := range r.Cutoffs {
		x := &r.Cutoffs[i]
		a := again[r.named(x.Run)]
		on := func(side int) []*taskAgain {
			return a.where(func(row report.Row) bool { return sideOf(row.Text("published"), x.Date) == side })
		}
		what := x.Run + ", training cutoff"
		before, after := on(beforeCutoff), on(afterCutoff)
		c.Equal(what+": tasks before", x.Before.N, len(before))
		c.Equal(what+": tasks after", x.After.N, len(after))
		c.Equal(what+": tasks without a date", x.Undated, len(on(undatedCutoff)))
		c.Equal(what+": tasks on neither side", x.Unclear, len(on(unclearCutoff)))
		means(c, what+", before", x.Before.Metrics, r.Metrics, before)
		means(c, what+", after", x.After.Metrics, r.Metrics, after)
		for m, d := range x.Differences {
			c.Near(what+": difference in "+r.Metrics[m], d.Value, float64(x.After.Metrics[m].Value-x.Before.Metrics[m].Value))
		}
	}
	for i := range r.Runs {
		dated := slices.ContainsFunc(r.Tasks, func(t Task) bool { return t.Published != "" })
		listed := slices.ContainsFunc(r.Cutoffs, func(x Cutoff) bool { return x.Run == r.Runs[i].Name })
		if c.Compared++; listed != (dated && r.Runs[i].Cutoff != "") {
			c.Fault("%s: split by a training cutoff: %v", r.Runs[i].Name, listed)
		}
	}
}

func (r *Report) checkFlags(c *report.Check, again []*runAgain) {
	for i := range r.Runs {
		run := &r.Runs[i]
		c.Equal(run.Name+": samples with a flag", again[i].flagged, run.Flagged)
		for _, f := range run.Flags {
			c.Equal(run.Name+": answers that may be "+f.Name, f.N, run.Generated)
		}
		for m := range run.Without {
			want, n := again[i].without(m, r.K)
			c.Near(run.Name+": without flagged samples, "+r.Metrics[m], run.Without[m].Value, want)
			if !math.IsNaN(want) {
				c.Equal(run.Name+": tasks without flagged samples", run.Without[m].N, n)
			}
		}
	}
}

// without returns a metric without the flagged samples, and over how many tasks.
func (a *runAgain) without(metric int, ks []int) (mean float64, tasks int) {
	var values []float64
	for _, t := range a.scored() {
		left := taskAgain{n: len(t.kept), ratios: t.kept, accepted: t.keptAccepted}
		if left.n == 0 {
			continue
		}
		if scoring.SampleMetrics(ks)[metric].K > left.n {
			return math.NaN(), 0
		}
		left.measure(ks)
		values = append(values, left.metrics[metric])
	}
	if len(values) == 0 {
		return math.NaN(), 0
	}
	slices.Sort(values)
	return stats.Mean(values), len(values)
}

// keep adds a sample with a verdict that has no flag.
func (t *taskAgain) keep(row report.Row) {
	if row.Is("flagged") {
		return
	}
	t.kept = append(t.kept, row.Number("passed")/max(row.Number("total"), 1))
	if verdicts.Verdict(row.Text("verdict")) == verdicts.Accepted {
		t.keptAccepted++
	}
}
