package batch

import (
	"cmp"
	"slices"

	"assay/benchmark/judge"
	"assay/scoring"
)

// SixTable is the evaluation of Su et al. 2023 over a benchmark. Where a task has
// several samples, it counts with their mean.
type SixTable struct {
	Final      scoring.FinalScore
	Dimensions []Dimension
	Correct    *Metric // shares of samples by outcome, the means over tasks
	Wrong      *Metric
	Runtime    *Metric // all other verdicts: an error on at least one test case
	Categories []Category

	Cyclomatic  int     // sums over all measured samples
	Cognitive   int     //
	CommentRate float64 // percent, the mean over tasks
	Samples     int     // that are measured and judged
	Unmeasured  int     // samples left out, because they could not be measured
	Analyser    string
}

// Dimension is one of the six with its mean over tasks, of Most points.
type Dimension struct {
	Name string
	Most int
	scoring.Bounds
}

// Category is the share of incorrect samples of a category's tasks.
type Category struct {
	Name      string
	Tasks     int
	Incorrect *Metric
	Few       bool // fewer tasks than a share can be told from
}

// sixTally sums up one task's samples in six dimensions.
type sixTally struct {
	samples    int
	dimensions [6]scoring.Bounds // sums
	total      scoring.Bounds
	outcomes   map[scoring.Outcome]int
	comments   float64
	cyclomatic int
	cognitive  int
	unmeasured int
	analyser   string
}

func (t *sixTally) add(r Row) {
	if r.Measures == nil {
		t.unmeasured++
		return
	}
	m := r.Measures
	six, err := scoring.ScoreSix(scoring.Facts{Valid: r.Loads, PassRate: float64(r.PassedTests) / float64(max(r.TotalTests, 1)),
		Cyclomatic: m.Cyclomatic, Cognitive: m.Cognitive, Reliability: m.Reliability, Security: m.Security, CommentRate: m.CommentRate})
	if err != nil { // a results file that somebody changed
		t.unmeasured++
		return
	}
	t.samples++
	for i, d := range six.Parts() {
		t.dimensions[i] = t.dimensions[i].Plus(d.Bounds)
	}
	t.total = t.total.Plus(six.Total)
	if t.outcomes == nil {
		t.outcomes = map[scoring.Outcome]int{}
	}
	t.outcomes[outcome(r.Verdict)]++
	t.comments += m.CommentRate
	t.cyclomatic += m.Cyclomatic
	t.cognitive += m.Cognitive
	t.analyser = cmp.Or(t.analyser, m.Analyser)
}

// outcome is a verdict as Su et al. tell them apart.
func outcome(v judge.Verdict) scoring.Outcome {
	switch v {
	case judge.Accepted:
		return scoring.Correct
	case judge.WrongAnswer:
		return scoring.WrongAnswer
	}
	return scoring.RuntimeError
}

func share(b scoring.Bounds, n int) scoring.Bounds {
	return scoring.Bounds{Low: b.Low / float64(n), High: b.High / float64(n)}
}

// six is the table over tasks, in the order of their ids; nil if nothing was
// measured.
func (t *tally) six(ids []string) *SixTable {
	s := &SixTable{}
	for _, part := range (scoring.SixDimensions{}).Parts() {
		s.Dimensions = append(s.Dimensions, Dimension{Name: part.Name, Most: part.Of})
	}
	var scored []scoring.ScoredQuestion
	var tasks []*sixTally
	categories := map[string][]*sixTally{}
	for _, id := range ids {
		task := t.tasks[id]
		if task.unsolved > 0 || task.judged == 0 {
			continue
		}
		six := &task.six
		s.Unmeasured += six.unmeasured
		if six.samples == 0 {
			continue
		}
		tasks = append(tasks, six)
		scored = append(scored, scoring.ScoredQuestion{Score: share(six.total, six.samples), Weight: task.weight})
		categories[task.category] = append(categories[task.category], six)
		s.Samples += six.samples
		s.Cyclomatic += six.cyclomatic
		s.Cognitive += six.cognitive
		s.CommentRate += six.comments / float64(six.samples)
		s.Analyser = cmp.Or(s.Analyser, six.analyser)
		for i := range s.Dimensions {
			s.Dimensions[i].Bounds = s.Dimensions[i].Plus(share(six.dimensions[i], six.samples))
		}
	}
	final, err := scoring.Final(scored)
	if err != nil {
		return nil
	}
	s.Final = final
	s.CommentRate /= float64(len(tasks))
	for i, d := range s.Dimensions {
		s.Dimensions[i].Bounds = share(d.Bounds, len(tasks))
	}
	s.Correct, s.Wrong, s.Runtime = outcomeShare(tasks, scoring.Correct), outcomeShare(tasks, scoring.WrongAnswer), outcomeShare(tasks, scoring.RuntimeError)
	if len(categories) > 1 {
		for name, members := range categories {
			s.Categories = append(s.Categories, Category{name, len(members),
				meanOf(members, func(m *sixTally) float64 { return 1 - float64(m.outcomes[scoring.Correct])/float64(m.samples) }), len(members) < scoring.FewTasks})
		}
		slices.SortFunc(s.Categories, func(a, b Category) int { return cmp.Compare(a.Name, b.Name) })
	}
	return s
}

func outcomeShare(tasks []*sixTally, o scoring.Outcome) *Metric {
	return meanOf(tasks, func(m *sixTally) float64 { return float64(m.outcomes[o]) / float64(m.samples) })
}

func meanOf(tasks []*sixTally, value func(*sixTally) float64) *Metric {
	values := make([]float64, len(tasks))
	for i, t := range tasks {
		values[i] = value(t)
	}
	m, err := scoring.MeanOverTasks(values)
	if err != nil {
		return nil
	}
	return &m
}

// object is the table as one JSON object.
func (s *SixTable) object() map[string]any {
	bounds := func(b scoring.Bounds) map[string]any { return map[string]any{"low": b.Low, "high": b.High} }
	dimensions := map[string]any{}
	for _, d := range s.Dimensions {
		dimensions[d.Name] = bounds(d.Bounds)
	}
	final := bounds(s.Final.Bounds)
	if s.Final.Method != "" {
		final["95%"] = map[string]any{"low": s.Final.Interval.Low, "high": s.Final.Interval.High, "method": s.Final.Method}
	}
	m := map[string]any{"final": final, "dimensions": dimensions, "tasks": s.Final.N, "samples": s.Samples,
		"tasks_with_something_missing": s.Final.Open, "tasks_with_assumed_weight": s.Final.Assumed, "unmeasured_samples": s.Unmeasured,
		"cyclomatic": s.Cyclomatic, "cognitive": s.Cognitive, "comment_rate": s.CommentRate, "analyser": s.Analyser}
	put(s.Correct, "correct", m)
	put(s.Wrong, "wrong_answer", m)
	put(s.Runtime, "runtime_error", m)
	var categories []map[string]any
	for _, c := range s.Categories {
		row := map[string]any{"category": c.Name, "tasks": c.Tasks, "few": c.Few}
		put(c.Incorrect, "incorrect", row)
		categories = append(categories, row)
	}
	if categories != nil {
		m["categories"] = categories
	}
	return m
}
