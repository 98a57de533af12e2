package evaluations

import (
	"fmt"
	"slices"

	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
)

// six is the evaluation of Su et al. over each run. Where a task has several samples,
// it counts with their mean.
func (r *Report) six() {
	r.Six.Runs, r.Six.Categories = []SixRun{}, []Category{}
	for run := range r.Runs {
		r.Six.Runs = append(r.Six.Runs, r.sixOf(run))
	}
	categories := r.values(func(t *Task) []string { return []string{t.Category} }, knownFirst)
	if len(categories) == 1 && categories[0] == "" {
		return
	}
	for _, name := range categories {
		c := Category{Name: name}
		for run := range r.Runs {
			c.Runs = append(c.Runs, r.incorrect(run, name))
		}
		r.Six.Categories = append(r.Six.Categories, c)
	}
}

// incorrect returns the share of samples that are not correct, the mean over the category's
// tasks.
func (r *Report) incorrect(run int, category string) Cell {
	var shares []scoring.TaskValue
	for _, i := range r.drawn {
		if result := &r.Tasks[i].Runs[run]; result.scored() && r.Tasks[i].Category == category {
			shares = append(shares, scoring.ShareValue(result.N-result.Accepted, result.N))
		}
	}
	return Cell{N: len(shares), Few: len(shares) < scoring.FewTasks, Metrics: []report.Estimate{estimate(scoring.MeanOverTasks(shares))}}
}

// outcomeOrder lists the outcomes in the order of their table 5.
func outcomeOrder() []scoring.Outcome {
	return []scoring.Outcome{scoring.Correct, scoring.WrongAnswer, scoring.RuntimeError}
}

// ratings returns the grades, and none.
func ratings() []scoring.Rating {
	return []scoring.Rating{"A", "B", "C", "D", "E", scoring.NotAnalysed}
}

// sixSum adds up the samples of a task, then the means of the tasks.
type sixSum struct {
	n          int
	dimensions [6]scoring.Bounds
	total      scoring.Bounds
	comments   float64
}

// sixOf evaluates one run.
func (r *Report) sixOf(run int) SixRun {
	x := SixRun{Name: r.Runs[run].Name, Dimensions: []Points{}, Outcomes: []Outcome{}}
	for _, rating := range ratings() {
		x.Reliability = append(x.Reliability, report.Count{Name: string(rating)})
		x.Security = append(x.Security, report.Count{Name: string(rating)})
	}
	var scored []scoring.ScoredQuestion
	var rates []scoring.TaskValue
	var comments []float64
	var means []sixSum
	shares := map[scoring.Outcome][]scoring.TaskValue{}
	counts := map[scoring.Outcome]int{}
	passed, cases := 0, 0
	by, weights, ids := batch.NewByAnalyser(), map[string]scoring.Weight{}, []string(nil)
	for _, i := range r.drawn {
		t := &r.Tasks[i]
		result := &t.Runs[run]
		if !result.scored() {
			continue
		}
		rates = append(rates, result.values[r.rateAt()])
		of := map[scoring.Outcome]int{}
		var task sixSum
		for _, row := range r.given[run].of[i] {
			if row.Verdict == verdicts.NotJudged {
				continue
			}
			c := casesOf(row)
			passed, cases = passed+c.Passed, cases+c.Total
			of[batch.OutcomeOf(row.Verdict)]++
			label := r.given[run].labels[sampleID{row.TaskID, row.Sample}]
			x.cause(row, label)
			x.sample(&task, row, label, by)
		}
		for _, o := range outcomeOrder() {
			counts[o] += of[o]
			shares[o] = append(shares[o], scoring.ShareValue(of[o], result.N))
		}
		if task.n == 0 {
			continue
		}
		mean := task.mean()
		ids, weights[t.ID] = append(ids, t.ID), scoring.Weight{Value: t.Weight, Assumed: t.Assumed}
		result.Six = []report.Number{report.Number(mean.total.Low), report.Number(mean.total.High)}
		scored = append(scored, scoring.ScoredQuestion{Score: mean.total, Weight: weights[t.ID]})
		comments, means = append(comments, mean.comments), append(means, mean)
	}
	x.Tasks = len(scored)
	x.final(scored)
	x.rated(by, ids, func(task string) scoring.Weight { return weights[task] })
	for i, part := range (scoring.SixDimensions{}).Parts() {
		x.Dimensions = append(x.Dimensions, pointsOf(part, i, means))
	}
	x.MeanRate = estimate(scoring.MeanOverTasks(rates))
	x.CommentRate = estimate(scoring.MeanOf(comments, 0, 100))
	x.CaseRate = shareOf("", passed, cases).Share
	// Cases of one task pass and fail together: an interval as of independent ones
	// would be far too narrow.
	x.CaseRate.Interval, x.CaseRate.Method = nil, "no interval: cases of a task depend on each other"
	n := r.Runs[run].Counted
	for _, o := range outcomeOrder() {
		x.Outcomes = append(x.Outcomes, Outcome{string(o), counts[o], n, estimate(scoring.MeanOverTasks(shares[o]))})
	}
	return x
}

// sample scores one sample and adds its measures.
func (x *SixRun) sample(task *sixSum, row batch.Row, label Label, by *batch.ByAnalyser) {
	m := row.Measures
	if m == nil {
		x.Unmeasured++
		return
	}
	c := casesOf(row)
	facts := m.Facts()
	facts.Valid, facts.PassRate, facts.Explained = row.Loads, float64(c.Passed)/float64(c.Total), label.Explanation
	six, err := scoring.ScoreSix(facts)
	if err != nil { // a file of results that somebody changed
		x.Unmeasured++
		return
	}
	by.Add(row.TaskID, facts, m.By)
	x.Measured++
	x.Cyclomatic += m.Cyclomatic
	x.Cognitive += m.Cognitive
	x.Reliability[slices.Index(ratings(), m.Reliability)].Count++
	x.Security[slices.Index(ratings(), m.Security)].Count++
	switch label.Explanation {
	case scoring.Yes:
		x.Accurate++
	case scoring.No:
		x.Inaccurate++
	default:
		x.Unlabelled++
	}
	one := sixSum{n: 1, total: six.Total, comments: m.CommentRate}
	for i, d := range six.Parts() {
		one.dimensions[i] = d.Bounds
	}
	task.add(one)
}

// cause counts why a sample is not correct.
func (x *SixRun) cause(row batch.Row, label Label) {
	switch {
	case row.Verdict == verdicts.Accepted:
	case label.Cause == scoring.CodeProblem:
		x.CodeProblems++
	case label.Cause == scoring.UnderstandingProblem:
		x.Misunderstood++
	default:
		x.NoCause++
	}
}

func (s *sixSum) add(one sixSum) {
	s.n++
	s.total = s.total.Plus(one.total)
	s.comments += one.comments
	for i, d := range one.dimensions {
		s.dimensions[i] = s.dimensions[i].Plus(d)
	}
}

// mean divides the sums by n.
func (s sixSum) mean() sixSum {
	n := float64(max(s.n, 1))
	share := func(b scoring.Bounds) scoring.Bounds { return scoring.Bounds{Low: b.Low / n, High: b.High / n} }
	m := sixSum{n: s.n, total: share(s.total), comments: s.comments / n}
	for i, d := range s.dimensions {
		m.dimensions[i] = share(d)
	}
	return m
}

func (x *SixRun) final(scored []scoring.ScoredQuestion) {
	x.Final = Final{Points: Points{Name: "final score", Of: 100, Low: undefined(), High: undefined(), Method: "no sample was measured"}}
	f, err := scoring.Final(scored)
	if err != nil {
		return
	}
	x.Open, x.Assumed = f.Open, f.Assumed
	x.Final.N, x.Final.Low, x.Final.High, x.Final.Method = f.N, report.Number(f.Low), report.Number(f.High), fmt.Sprintf("no interval: %d task", f.N)
	if f.Method != "" {
		x.Final.Interval, x.Final.Method = &f.Interval, f.Method
	}
}

// pointsOf returns the mean of a dimension over tasks, with the interval from the lower end of
// the least that it can be to the upper end of the most.
func pointsOf(part scoring.SixPart, dimension int, tasks []sixSum) Points {
	p := Points{Name: part.Name, Of: part.Of, Low: undefined(), High: undefined(), Method: "no sample was measured"}
	var low, high []float64
	most := float64(part.Of)
	for _, t := range tasks { // clamped to the scale: sums of quotients may exceed it by rounding
		low, high = append(low, min(max(t.dimensions[dimension].Low, 0), most)), append(high, min(max(t.dimensions[dimension].High, 0), most))
	}
	least, err := scoring.MeanOf(low, 0, most)
	largest, other := scoring.MeanOf(high, 0, most)
	if err != nil || other != nil {
		return p
	}
	p.Low, p.High, p.Method = report.Number(least.Value), report.Number(largest.Value), "no interval: one task"
	if least.Method != "" && largest.Method != "" {
		p.Interval, p.Method = &stats.Interval{Low: least.Interval.Low, High: largest.Interval.High}, least.Method
	}
	return p
}
