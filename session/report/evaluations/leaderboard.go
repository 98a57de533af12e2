package evaluations

import (
	"cmp"
	"math"

	"assay/scoring"
	"assay/session/report"
)

// fewRanked is the least number of runs that are ranked; two are compared.
const fewRanked = 3

// significance is the level at which runs differ.
const significance = scoring.Level

// Leaderboard ranks the runs with one type of prompt. Levels of prompts are not mixed.
type Leaderboard struct {
	Prompt string     `json:"prompt"` // "": the runs have no types of prompts
	Metric string     `json:"metric"` // that ranks: the first of Report.Metrics
	Rows   []Standing `json:"rows"`
	Tests  int        `json:"tests"` // of the family that p-values are corrected for
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

// Ranks is a range of ranks.
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
	BH         report.Number   `json:"p_bh"`
}

// rank makes a leaderboard for each type of prompt that enough runs have.
func (r *Report) rank() {
	for _, prompt := range r.promptTypes() {
		if runs := r.ranked(prompt); len(runs) >= fewRanked {
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
	var values []map[string]scoring.TaskValue
	for i := range l.Rows {
		row := &l.Rows[i]
		values = append(values, r.valuesOf(row.run, 0))
		switch {
		case !row.Metric.Value.Defined():
		case i > 0 && math.Abs(float64(row.Metric.Value-l.Rows[i-1].Metric.Value)) < 1e-12:
			row.Rank = l.Rows[i-1].Rank
		default:
			row.Rank = i + 1
		}
	}
	tests := r.tested.among(values)
	l.Tests = len(r.tested.p)
	for i := range l.Rows {
		l.Rows[i].Above, l.Rows[i].Best = noGap(), noGap()
		if i > 0 && l.Rows[i].Rank > 0 {
			l.Rows[i].Above, l.Rows[i].Best = r.gap(&l, values, tests, i, i-1), r.gap(&l, values, tests, i, 0)
		}
	}
	l.ties(tests)
	return l
}

// descending orders larger values first, undefined ones last.
func descending(a, b report.Number) int {
	switch {
	case !a.Defined() || !b.Defined():
		return cmp.Compare(b2i(!a.Defined()), b2i(!b.Defined()))
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
	return Gap{Difference: report.Estimate{Value: undefined(), Method: "no other run"}, P: undefined(), Holm: undefined(), BH: undefined()}
}

// valuesOf returns a run's values of a metric by task.
func (r *Report) valuesOf(run, metric int) map[string]scoring.TaskValue {
	all := map[string]scoring.TaskValue{}
	for i := range r.Tasks {
		if result := &r.Tasks[i].Runs[run]; result.scored() {
			v := result.values[metric]
			v.Value = min(max(v.Value, 0), 1) // sums of quotients may exceed the range by rounding
			all[r.Tasks[i].ID] = v
		}
	}
	return all
}

func (r *Report) gap(l *Leaderboard, values []map[string]scoring.TaskValue, tests [][]corrected, i, j int) Gap {
	g := noGap()
	g.Run = l.Rows[j].Run
	d, err := scoring.PairedDifference(values[i], values[j], nil)
	if err != nil {
		g.Difference.Method = "no task in common"
		return g
	}
	g.Difference = estimate(d.Metric, nil)
	g.P, g.Holm, g.BH = tests[i][j].numbers()
	return g
}

// ties collects for each run the ranks of those from which it does not differ: the corrected p is above the level,
// or no task differs.
func (l *Leaderboard) ties(tests [][]corrected) {
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
			case tests[i][j].holm <= l.Alpha:
			case n > 0 && (last == j-1 || row.Ties[n-1].To == rank):
				row.Ties[n-1].To, last = rank, j
			default:
				row.Ties, last = append(row.Ties, Ranks{rank, rank}), j
			}
		}
	}
}

// among returns the tests of all pairs of runs.
func (c *contrasts) among(values []map[string]scoring.TaskValue) [][]corrected {
	all := make([][]corrected, len(values))
	for i := range values {
		all[i] = make([]corrected, len(values))
		for j := range i + 1 {
			all[i][j] = c.of(values[i], values[j])
			all[j][i] = all[i][j]
		}
	}
	return all
}
