package batchreport

import (
	"cmp"
	"math"
	"slices"

	"assay/scoring/stats"
	"assay/session/batch"
	"assay/session/report"
)

// fewRanked is the number of runs from which they are ranked; two are a comparison.
const fewRanked = 3

// significance is the level at which runs are told apart.
const significance = 0.05

// Leaderboard ranks the runs with one type of prompt. Levels of prompts are not mixed.
type Leaderboard struct {
	Prompt string     `json:"prompt"` // "": the runs have no types of prompts
	Metric string     `json:"metric"` // that ranks: the first of Report.Metrics
	Rows   []Standing `json:"rows"`
	Tests  int        `json:"tests"` // paired tests, of each run with each, that p-values are corrected for
	Alpha  float64    `json:"alpha"` // the level of "told apart"
}

// Standing is one run's place. Runs with equal values share a rank.
type Standing struct {
	Rank      int             `json:"rank"` // 0: the run has no scored task
	Run       string          `json:"run"`
	Accepted  int             `json:"accepted"` // samples of scored tasks
	Counted   int             `json:"counted"`
	Metric    report.Estimate `json:"value"`
	PassRatio report.Estimate `json:"pass_ratio"`
	Above     Gap             `json:"to_the_one_above"` // this run minus the other, on the tasks that both have
	Best      Gap             `json:"to_the_best"`
	Ties      []Ranks         `json:"not_told_apart_from"` // at Alpha, by the corrected p

	run int
}

// Ranks are those from one to another.
type Ranks struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Gap is the paired difference to another run.
type Gap struct {
	Run        string          `json:"run"` // the other one; "": there is none
	Difference report.Estimate `json:"difference"`
	P          report.Number   `json:"p"`
	Holm       report.Number   `json:"p_holm"`
}

// rank makes a leaderboard for each type of prompt that enough runs have.
func (r *Report) rank() {
	for _, prompt := range r.promptTypes() {
		var runs []int
		for i := range r.Runs {
			if r.Runs[i].Prompt == prompt {
				runs = append(runs, i)
			}
		}
		if len(runs) >= fewRanked {
			r.Leaderboards = append(r.Leaderboards, r.leaderboard(prompt, runs))
		}
	}
}

func (r *Report) leaderboard(prompt string, runs []int) Leaderboard {
	l := Leaderboard{Prompt: prompt, Metric: r.Metrics[0], Alpha: significance}
	for _, i := range runs {
		run := &r.Runs[i]
		l.Rows = append(l.Rows, Standing{Run: run.Name, Accepted: run.Accepted, Counted: run.Counted, Metric: run.Metrics[0], PassRatio: run.Metrics[r.ratioAt()], Ties: []Ranks{}, run: i})
	}
	slices.SortStableFunc(l.Rows, func(a, b Standing) int {
		return cmp.Or(descending(a.Metric.Value, b.Metric.Value), descending(a.PassRatio.Value, b.PassRatio.Value), batch.InOrder(a.Run, b.Run))
	})
	var values []map[string]float64
	for i := range l.Rows {
		row := &l.Rows[i]
		values = append(values, r.valuesOf(row.run, 0))
		switch {
		case !defined(row.Metric.Value):
		case i > 0 && math.Abs(float64(row.Metric.Value-l.Rows[i-1].Metric.Value)) < 1e-12:
			row.Rank = l.Rows[i-1].Rank
		default:
			row.Rank = i + 1
		}
	}
	tests := testsOf(values)
	l.Tests = tests.number
	for i := range l.Rows {
		l.Rows[i].Above, l.Rows[i].Best = noGap(), noGap()
		if i > 0 && l.Rows[i].Rank > 0 {
			l.Rows[i].Above, l.Rows[i].Best = r.gap(&l, values, tests, i, i-1), r.gap(&l, values, tests, i, 0)
		}
	}
	l.ties(tests)
	return l
}

// descending puts the larger first, and what is not defined last.
func descending(a, b report.Number) int {
	switch {
	case !defined(a) || !defined(b):
		return cmp.Compare(b2i(!defined(a)), b2i(!defined(b)))
	case math.Abs(float64(a-b)) < 1e-12:
		return 0
	}
	return cmp.Compare(b, a)
}

func b2i(is bool) int {
	if is {
		return 1
	}
	return 0
}

func noGap() Gap {
	return Gap{Difference: report.Estimate{Value: undefined(), Method: "no other run"}, P: undefined(), Holm: undefined()}
}

// valuesOf are a run's values of a metric by task.
func (r *Report) valuesOf(run, metric int) map[string]float64 {
	all := map[string]float64{}
	for i := range r.Tasks {
		if result := &r.Tasks[i].Runs[run]; result.scored() {
			all[r.Tasks[i].ID] = float64(result.Metrics[metric])
		}
	}
	return all
}

func (r *Report) gap(l *Leaderboard, values []map[string]float64, tests *allTests, i, j int) Gap {
	g := noGap()
	g.Run = l.Rows[j].Run
	d, err := r.draws.PairedDifference(values[i], values[j])
	if err != nil {
		g.Difference.Method = "no task in common"
		return g
	}
	g.Difference = estimate(d.Metric, nil)
	g.P, g.Holm = report.Number(tests.p[i][j]), report.Number(tests.holm[i][j])
	return g
}

// ties collects for each run the ranks of those that it is not told apart from: where
// the corrected p is not below the level, and where no task differs.
func (l *Leaderboard) ties(tests *allTests) {
	for i := range l.Rows {
		row := &l.Rows[i]
		last := -2 // the row that the last range ends with
		for j := range l.Rows {
			rank := l.Rows[j].Rank
			switch n := len(row.Ties); {
			case row.Rank == 0 || rank == 0:
			case i == j:
				if last == j-1 {
					last = j // the run itself interrupts nothing
				}
			case tests.holm[i][j] < l.Alpha:
			case n > 0 && (last == j-1 || row.Ties[n-1].To == rank):
				row.Ties[n-1].To, last = rank, j
			default:
				row.Ties, last = append(row.Ties, Ranks{rank, rank}), j
			}
		}
	}
}

// allTests are Wilcoxon's signed-rank tests of each run with each, NaN where no task
// differs or none is common.
type allTests struct {
	number  int
	p, holm [][]float64
}

func testsOf(values []map[string]float64) *allTests {
	n := len(values)
	t := &allTests{}
	for range n {
		t.p, t.holm = append(t.p, make([]float64, n)), append(t.holm, make([]float64, n))
	}
	var family []float64
	var of [][2]int
	for i := range n {
		t.p[i][i], t.holm[i][i] = math.NaN(), math.NaN()
		for j := range i {
			p := signedRank(values[i], values[j])
			t.p[i][j], t.p[j][i] = p, p
			t.holm[i][j], t.holm[j][i] = p, p
			if !math.IsNaN(p) {
				family, of = append(family, p), append(of, [2]int{i, j})
			}
		}
	}
	t.number = len(family)
	if adjusted, err := stats.Holm(family); err == nil { // no p is outside of 0 to 1
		for k, at := range of {
			t.holm[at[0]][at[1]], t.holm[at[1]][at[0]] = adjusted[k], adjusted[k]
		}
	}
	return t
}

// signedRank is the p of the test that comparisons have, NaN where there is none.
func signedRank(a, b map[string]float64) float64 {
	var d []float64
	for id, v := range a {
		if w, common := b[id]; common {
			d = append(d, math.Round((v-w)*1e12)/1e12) // equal differences are ties, whatever binary makes of them
		}
	}
	slices.Sort(d)
	test, err := stats.WilcoxonSignedRank(d, make([]float64, len(d)), stats.Pratt, stats.TwoSided, stats.Auto)
	if err != nil {
		return math.NaN()
	}
	return test.P
}
