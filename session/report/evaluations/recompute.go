package evaluations

import (
	"maps"
	"math"
	"slices"

	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/session/report"
)

// runAgain is a run read from the tables.
type runAgain struct {
	samples  int
	flagged  int
	verdicts map[string]int
	outcomes map[string]int        // of repository tasks
	tasks    map[string]*taskAgain // from the table of samples, by the cell of the id
	listed   map[string]report.Row // from the table of tasks
}

// taskAgain are the samples of a task.
type taskAgain struct {
	n, accepted, failed int
	ratios              []float64 // of each sample with a verdict
	kept                []float64 // and without a flag
	keptAccepted        int
	metrics             []float64
	six                 sixAgain
}

func (t *taskAgain) scores() bool { return t.n > 0 && t.failed == 0 }

// indexOf returns the run that a row of a table is of.
func (r *Report) indexOf(row report.Row) int {
	return slices.IndexFunc(r.Runs, func(run Run) bool { return report.CSVCell(run.Name) == row.Text("run") })
}

// recompute reads the tables of samples and tasks and computes the metrics of each task.
func (r *Report) recompute(tables map[string]report.Rows) []*runAgain {
	var all []*runAgain
	for range r.Runs {
		all = append(all, &runAgain{verdicts: map[string]int{}, outcomes: map[string]int{}, tasks: map[string]*taskAgain{}, listed: map[string]report.Row{}})
	}
	for row := range tables["tasks"] {
		if i := r.indexOf(row); i >= 0 {
			all[i].listed[row.Text("task")] = row
		}
	}
	for row := range tables["samples"] {
		if i := r.indexOf(row); i >= 0 {
			all[i].add(row)
		}
	}
	for _, a := range all {
		for _, t := range a.tasks {
			t.measure(r.K)
		}
	}
	return all
}

func (a *runAgain) add(row report.Row) {
	verdict := row.Text("verdict")
	a.samples++
	if row.Is("flagged") {
		a.flagged++
	}
	a.verdicts[verdict]++
	a.outcomes[row.Text("outcome")]++
	t := a.tasks[row.Text("task")]
	if t == nil {
		t = &taskAgain{six: newSixAgain()}
		a.tasks[row.Text("task")] = t
	}
	switch verdicts.Verdict(verdict) {
	case verdicts.SandboxError:
		t.failed++
		return
	case verdicts.NotJudged:
		return
	case verdicts.Accepted:
		t.accepted++
	}
	t.n++
	t.six.sample(row)
	t.keep(row)
	t.ratios = append(t.ratios, row.Number("passed")/max(row.Number("total"), 1))
}

// measure computes pass@k as Chen et al. write it in their program,
// 1 - Π (1 - k/i) for i from n-c+1 to n, which is not how package scoring does, and pass^k as the
// same product over the samples that failed.
func (t *taskAgain) measure(ks []int) {
	none := func(passed, k int) float64 {
		if t.n-passed < k {
			return 0
		}
		product := 1.0
		for i := t.n - passed + 1; i <= t.n; i++ {
			product *= 1 - float64(k)/float64(i)
		}
		return product
	}
	for _, k := range ks {
		t.metrics = append(t.metrics, 1-none(t.accepted, k))
	}
	for _, k := range ks {
		if k > 1 {
			t.metrics = append(t.metrics, none(t.n-t.accepted, k))
		}
	}
	squares, rates, strict := 0.0, 0.0, 0.0
	for _, x := range t.ratios {
		squares, rates = squares+x*x, rates+x
		if x == 1 {
			strict++
		}
	}
	n := float64(t.n)
	t.metrics = append(t.metrics, squares/n, rates/n, strict/n)
}

// scored returns the tasks that enter the metrics.
func (a *runAgain) scored() []*taskAgain { return a.where(func(report.Row) bool { return true }) }

// where returns the scored tasks whose row in the table of tasks is selected, by their ids.
func (a *runAgain) where(meant func(report.Row) bool) []*taskAgain {
	var all []*taskAgain
	for _, id := range slices.Sorted(maps.Keys(a.tasks)) {
		if t := a.tasks[id]; t.scores() && meant(a.listed[id]) {
			all = append(all, t)
		}
	}
	return all
}

// common returns the ids of tasks that are scored in both.
func (a *runAgain) common(b *runAgain) []string {
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(a.tasks)) {
		if other := b.tasks[id]; a.tasks[id].scores() && other != nil && other.scores() {
			ids = append(ids, id)
		}
	}
	return ids
}

// sixAgain are the six dimensions of a task's samples, or of a run's tasks.
type sixAgain struct {
	tasks, measured, passed, cases, cyclomatic, cognitive int

	sum              sixSum // of the measured samples, or of the tasks' means
	weight           float64
	low, high        float64 // of a run: sums with weights
	reliability      map[string]int
	security         map[string]int
	outcomes, causes map[string]int
	explained        map[string]int
}

func newSixAgain() sixAgain {
	return sixAgain{reliability: map[string]int{}, security: map[string]int{}, outcomes: map[string]int{}, causes: map[string]int{}, explained: map[string]int{}}
}

// sample adds a row of the table of samples.
func (s *sixAgain) sample(row report.Row) {
	passed, total := row.Number("passed"), max(row.Number("total"), 1)
	s.passed, s.cases = s.passed+int(passed), s.cases+int(total)
	s.outcomes[string(outcomeOf(verdicts.Verdict(row.Text("verdict"))))]++
	if row.Text("verdict") != string(verdicts.Accepted) {
		s.causes[row.Text("cause")]++
	}
	if row.Text("cyclomatic") == "" {
		return
	}
	lines, parses := int(row.Number("code_lines")), row.Is("parses")
	if row.Text("parses") == "" { // an older version scored every text as a program
		lines, parses = max(lines, 1), true
	}
	explained := map[string]scoring.Known{"yes": scoring.Yes, "no": scoring.No}[row.Text("explanation")]
	six, err := scoring.ScoreSix(scoring.Facts{CodeLines: lines, Parses: parses, Valid: row.Is("loads"), PassRate: passed / total, Cyclomatic: int(row.Number("cyclomatic")), Cognitive: int(row.Number("cognitive")),
		Reliability: scoring.Rating(row.Text("reliability")), Security: scoring.Rating(row.Text("security")), CommentRate: row.Number("comment_rate"), Explained: explained})
	if err != nil {
		return
	}
	s.measured++
	s.cyclomatic += int(row.Number("cyclomatic"))
	s.cognitive += int(row.Number("cognitive"))
	s.reliability[row.Text("reliability")]++
	s.security[row.Text("security")]++
	s.explained[row.Text("explanation")]++
	one := sixSum{n: 1, total: six.Total, comments: row.Number("comment_rate")}
	for i, d := range six.Parts() {
		one.dimensions[i] = d.Bounds
	}
	s.sum.add(one)
}

// six averages over the scored tasks.
func (a *runAgain) six() sixAgain {
	s := newSixAgain()
	for _, id := range slices.Sorted(maps.Keys(a.tasks)) {
		if t := a.tasks[id]; t.scores() {
			s.add(&t.six, a.listed[id].Number("weight"))
		}
	}
	return s
}

// add adds a task with its weight.
func (s *sixAgain) add(t *sixAgain, weight float64) {
	s.measured, s.passed, s.cases = s.measured+t.measured, s.passed+t.passed, s.cases+t.cases
	s.cyclomatic, s.cognitive = s.cyclomatic+t.cyclomatic, s.cognitive+t.cognitive
	for _, m := range []struct{ to, from map[string]int }{{s.reliability, t.reliability}, {s.security, t.security}, {s.outcomes, t.outcomes}, {s.causes, t.causes}, {s.explained, t.explained}} {
		for name, n := range m.from {
			m.to[name] += n
		}
	}
	if t.sum.n == 0 {
		return
	}
	mean := t.sum.mean()
	s.tasks++
	s.weight += weight
	s.low, s.high = s.low+weight*mean.total.Low, s.high+weight*mean.total.High
	s.sum.add(mean)
}

// over returns the mean of a sum of n; it is undefined if n is 0.
func over(sum float64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
