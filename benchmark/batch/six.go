package batch

import (
	"cmp"
	"slices"

	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/scoring/stats"
)

// SixTable is the evaluation of Su et al. 2023 over a benchmark. A task with several samples
// counts with their mean.
type SixTable struct {
	Final      scoring.FinalScore
	Dimensions []Dimension
	Correct    *Metric // shares of samples by outcome, the means over tasks
	Wrong      *Metric
	Runtime    *Metric // all other verdicts: an error on at least one test case
	Categories []Category

	Cyclomatic  int     // sums over all measured samples
	Cognitive   int     //
	CommentRate *Metric // percent, the mean over tasks
	Samples     int     // measured and judged
	Unmeasured  int     // samples left out because they could not be measured
	Analyser    string

	// By has the scores with each analyser's own ratings, and Agreement how far their ratings of the same samples
	// agree; nil: analysers were not named.
	By        []SixBy
	Agreement []RatingsAgreement
}

// Dimension is the mean of one of the six dimensions over tasks, out of Most points. Where
// something is unknown the mean is a range, from Low to High, and its interval extends from the
// lower end of one to the upper end of the other.
type Dimension struct {
	Name string
	Most int
	scoring.Bounds
	Interval stats.Interval
	Method   string // "": no interval
}

// Category is the share of incorrect samples of a category's tasks.
type Category struct {
	Name      string
	Tasks     int
	Incorrect *Metric
	Few       bool // too few tasks for a share
}

// sixTally sums one task's samples in six dimensions.
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

// add adds a sample, also to the sums by analyser.
func (t *sixTally) add(r Row, by *ByAnalyser) {
	if r.Measures == nil {
		t.unmeasured++
		return
	}
	m := r.Measures
	facts := m.Facts()
	facts.Valid, facts.PassRate = r.Loads, float64(r.PassedTests)/float64(max(r.TotalTests, 1))
	six, err := scoring.ScoreSix(facts)
	if err != nil { // only in an edited results file
		t.unmeasured++
		return
	}
	t.samples++
	if len(m.By) > 0 {
		by.Add(r.TaskID, facts, m.By)
	}
	for i, d := range six.Parts() {
		t.dimensions[i] = t.dimensions[i].Plus(d.Bounds)
	}
	t.total = t.total.Plus(six.Total)
	if t.outcomes == nil {
		t.outcomes = map[scoring.Outcome]int{}
	}
	t.outcomes[OutcomeOf(r.Verdict)]++
	t.comments += m.CommentRate
	t.cyclomatic += m.Cyclomatic
	t.cognitive += m.Cognitive
	t.analyser = cmp.Or(t.analyser, m.Analyser)
}

// OutcomeOf classifies a verdict as Su et al. do, for whom every error is a runtime error.
func OutcomeOf(v verdicts.Verdict) scoring.Outcome {
	switch v {
	case verdicts.Accepted:
		return scoring.Correct
	case verdicts.WrongAnswer:
		return scoring.WrongAnswer
	}
	return scoring.RuntimeError
}

func share(b scoring.Bounds, n int) scoring.Bounds {
	return scoring.Bounds{Low: b.Low / float64(n), High: b.High / float64(n)}
}

// six returns the table over tasks, in the order of their ids; nil if nothing was measured.
func (t *tally) six(ids []string) *SixTable {
	s := &SixTable{}
	for _, part := range (scoring.SixDimensions{}).Parts() {
		s.Dimensions = append(s.Dimensions, Dimension{Name: part.Name, Most: part.Of})
	}
	var scored []scoring.ScoredQuestion
	var tasks []*sixTally
	var measured []string
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
		tasks, measured = append(tasks, six), append(measured, id)
		scored = append(scored, scoring.ScoredQuestion{Score: share(six.total, six.samples), Weight: task.weight})
		categories[task.category] = append(categories[task.category], six)
		s.Samples += six.samples
		s.Cyclomatic += six.cyclomatic
		s.Cognitive += six.cognitive
		s.Analyser = cmp.Or(s.Analyser, six.analyser)
	}
	final, err := scoring.Final(scored)
	if err != nil {
		return nil
	}
	s.Final = final
	s.By, s.Agreement = t.by.Result(measured, func(id string) scoring.Weight { return t.tasks[id].weight })
	s.CommentRate = meanOn(tasks, 100, func(m *sixTally) float64 { return m.comments / float64(m.samples) })
	for i := range s.Dimensions {
		s.Dimensions[i].over(tasks, i)
	}
	s.Correct, s.Wrong, s.Runtime = outcomeShare(tasks, scoring.Correct), outcomeShare(tasks, scoring.WrongAnswer), outcomeShare(tasks, scoring.RuntimeError)
	if len(categories) > 1 {
		for name, members := range categories {
			s.Categories = append(s.Categories, Category{name, len(members),
				shareOver(members, func(m *sixTally) int { return m.samples - m.outcomes[scoring.Correct] }), len(members) < scoring.FewTasks})
		}
		slices.SortFunc(s.Categories, func(a, b Category) int { return cmp.Compare(a.Name, b.Name) })
	}
	return s
}

// over sets a dimension's mean over tasks.
func (d *Dimension) over(tasks []*sixTally, dimension int) {
	low := meanOn(tasks, float64(d.Most), func(m *sixTally) float64 { return m.dimensions[dimension].Low / float64(m.samples) })
	high := meanOn(tasks, float64(d.Most), func(m *sixTally) float64 { return m.dimensions[dimension].High / float64(m.samples) })
	if low == nil || high == nil {
		return
	}
	d.Bounds = scoring.Bounds{Low: low.Value, High: high.Value}
	if low.Method != "" && high.Method != "" {
		d.Interval, d.Method = stats.Interval{Low: low.Interval.Low, High: high.Interval.High}, low.Method
	}
}

func outcomeShare(tasks []*sixTally, o scoring.Outcome) *Metric {
	return shareOver(tasks, func(m *sixTally) int { return m.outcomes[o] })
}

// shareOver returns the mean over tasks of a share of their samples.
func shareOver(tasks []*sixTally, count func(*sixTally) int) *Metric {
	values := make([]scoring.TaskValue, len(tasks))
	for i, t := range tasks {
		values[i] = scoring.ShareValue(count(t), t.samples)
	}
	m, err := scoring.MeanOverTasks(values)
	if err != nil {
		return nil
	}
	return &m
}

// meanOn returns the mean over tasks of a value from 0 to most.
func meanOn(tasks []*sixTally, most float64, value func(*sixTally) float64) *Metric {
	values := make([]float64, len(tasks))
	for i, t := range tasks {
		values[i] = min(max(value(t), 0), most) // rounding errors
	}
	m, err := scoring.MeanOf(values, 0, most)
	if err != nil {
		return nil
	}
	return &m
}
