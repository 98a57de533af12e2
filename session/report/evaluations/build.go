package evaluations

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/extract"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
	"assay/session/report/document"
)

// Results are the judged answers of one model to one type of prompt. Without a model and a prompt, the name is
// the model's.
type Results struct {
	Name string // empty: model and prompt
	Rows []batch.Row

	Model      string
	Prompt     string    // its type: "level-1", "context-2.3" (the level and the wording), or any name
	Cutoff     time.Time // end of the model's training data; zero: not known
	Unreviewed bool      // nobody reviewed the prompts: all tables say so

	Spent *report.Spent // what its answers took; nil: not known

	// Outliers among the answers. A nil Flags means that they were not looked for.
	Generated int              // answers; 0: as many as rows
	Flags     map[string]int   // how many were "empty", "no code", "refusal", "truncated", "runaway length"
	Flagged   map[string][]int // the numbers of the samples that have any flag, by the id of the task
}

// Options are the optional parts of a report.
type Options struct {
	Title  string
	Tasks  *benchmark.Benchmark // nil: only the ids of the tasks are known
	K      []int                // of pass@k and pass^k; empty: those of 1, 5, 10 and 100 that all tasks have samples for
	By     [][]string           // the fields to split by, one or two at a time; nil: those in which the tasks differ
	Labels []Label
	Filter string // what chose the tasks; "": nothing

	Reviewing batch.Reviewing // how resolved samples count that a person has to look at; "": as resolved

	AllPairs bool // compare all pairs of runs, however many there are
}

// given is a run while its report is built.
type given struct {
	Results
	index  map[string]int // of the tasks in Report.Tasks, by the id in the rows
	of     [][]batch.Row  // by task
	labels map[sampleID]Label
	odd    map[sampleID]bool // flagged
}

// Build computes the report of runs. It returns an error if two runs have one name, if a task has fewer than k
// samples, or if runs have no task in common.
func Build(runs []Results, o Options) (*Report, error) {
	r := &Report{}
	if err := r.build(runs, o); err != nil {
		return nil, err
	}
	if err := r.compare(); err != nil {
		return nil, err
	}
	r.Checks = r.checkData()
	return r, nil
}

// build computes the report but for ranks and comparisons, whose intervals take most of the time, and without checking it. A
// report with tests has made those of its differences before.
func (r *Report) build(runs []Results, o Options) error {
	*r = Report{tested: r.tested, Format: FormatVersion, Title: document.Clean(o.Title), Filter: document.Clean(o.Filter), Number: len(runs), Level: report.Confidence, Small: scoring.FewTasks,
		Runs: []Run{}, Tasks: []Task{}, Slices: []Slices{}, Samples: []Example{}, Pairs: []Pair{},
		Leaderboards: []Leaderboard{}, Prompts: Prompts{Effects: []Effect{}, Wordings: []Wordings{}}, Cutoffs: []Cutoff{}}
	if o.Reviewing != batch.CountResolved {
		r.Reviewing = string(o.Reviewing)
	}
	if err := r.take(runs, o); err != nil {
		return err
	}
	if err := r.chooseK(o.K); err != nil {
		return err
	}
	for i := range r.given {
		r.Runs = append(r.Runs, r.run(i, o))
	}
	r.selectPairs(o.AllPairs)
	r.test()
	r.prompts()
	r.cutoffs()
	r.describe(o.Tasks)
	r.slice(o)
	r.group()
	r.examples()
	r.uses()
	r.six()
	return nil
}

// take groups the rows of all runs by task.
func (r *Report) take(runs []Results, o Options) error {
	if len(runs) == 0 {
		return errors.New("there are no results to report")
	}
	if len(o.By) > 0 && o.Tasks == nil {
		return errors.New("results are split by fields of the tasks, which are not there: give the file of tasks")
	}
	index, err := r.nameTasks(runs, o.Tasks)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, run := range runs {
		run.Model, run.Prompt = document.Clean(run.Model), document.Clean(run.Prompt)
		run.Name = cmp.Or(document.Clean(run.Name), strings.Trim(run.Model+", "+run.Prompt, ", "))
		run.Model = cmp.Or(run.Model, run.Name)
		switch {
		case run.Name == "":
			return errors.New("a run has no name: name it, as NAME=DIRECTORY")
		case known[report.CSVCell(run.Name)]:
			return fmt.Errorf("two runs are called %q: name them apart, as NAME=DIRECTORY", run.Name)
		case len(run.Rows) == 0:
			return fmt.Errorf("the results of %s are empty: no sample was judged yet", run.Name)
		case slices.ContainsFunc(r.given, func(g given) bool { return run.Prompt != "" && g.Model == run.Model && g.Prompt == run.Prompt }):
			return fmt.Errorf("two runs are of the model %q with the prompt %q: report them apart", run.Model, run.Prompt)
		}
		known[report.CSVCell(run.Name)] = true
		run.Rows = o.Reviewing.Apply(run.Rows)
		g := given{Results: run, index: index, of: make([][]batch.Row, len(r.Tasks)), labels: map[sampleID]Label{}, odd: map[sampleID]bool{}}
		for task, samples := range run.Flagged {
			for _, sample := range samples {
				g.odd[sampleID{task, sample}] = true
			}
		}
		for _, row := range run.Rows {
			g.of[index[row.TaskID]] = append(g.of[index[row.TaskID]], row)
		}
		r.given = append(r.given, g)
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		for _, g := range r.given {
			result := Result{Samples: len(g.of[i]), Metrics: []report.Number{}, Six: []report.Number{}}
			for j, row := range g.of[i] {
				if j == 0 {
					result.First = string(row.Verdict)
				}
				result.add(row)
				t.Cases = max(t.Cases, row.TotalTests)
			}
			t.Runs = append(t.Runs, result)
		}
	}
	r.Title = cmp.Or(r.Title, titleOf(r.given))
	return r.takeLabels(o.Labels)
}

func titleOf(runs []given) string {
	var names []string
	for _, g := range runs {
		name := g.Name
		if g.Prompt != "" {
			name = g.Model
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 3 {
		return fmt.Sprintf("Evaluation of %d runs", len(runs))
	}
	return "Evaluation of " + strings.Join(names, ", ")
}

func (r *Result) add(row batch.Row) {
	switch row.Verdict {
	case verdicts.SandboxError:
		r.Failed++
		return
	case verdicts.NotJudged:
		return
	case verdicts.Accepted:
		r.Accepted++
	}
	r.N++
	if row.Measures != nil {
		r.Measured++
	}
}

// nameTasks collects the tasks with a sample in any run, and their indices. Ids are cleaned for display; cleaned
// ids that would be equal are numbered.
func (r *Report) nameTasks(runs []Results, b *benchmark.Benchmark) (map[string]int, error) {
	known := map[string]*benchmark.Task{}
	if b != nil {
		for i := range b.Tasks {
			known[b.Tasks[i].ID] = &b.Tasks[i]
		}
	}
	ids, found := map[string]bool{}, false
	for _, run := range runs {
		for _, row := range run.Rows {
			ids[row.TaskID] = true
			found = found || known[row.TaskID] != nil
		}
	}
	if b != nil && !found && len(ids) > 0 {
		return nil, fmt.Errorf("the tasks of %q are none of those in the results, such as %q: give the file of tasks that the samples were made for", document.Clean(b.Name), document.Clean(slices.Min(slices.Collect(maps.Keys(ids)))))
	}
	index, names := map[string]int{}, map[string]bool{}
	r.drawn = make([]int, len(ids))
	shown, keys := func(id string) string { return cmp.Or(document.Clean(id), "(no id)") }, map[string]string{}
	for id := range ids {
		keys[id] = metadata(shown(id)) // as the tables show it, so that a report built from them has the same order
	}
	order := func(a, b string) int { return cmp.Or(batch.InOrder(keys[a], keys[b]), batch.InOrder(a, b)) }
	for _, id := range slices.SortedFunc(maps.Keys(ids), order) {
		name := shown(id)
		for n := 2; names[report.CSVCell(name)]; n++ {
			name = fmt.Sprintf("%s (%d)", shown(id), n)
		}
		names[report.CSVCell(name)] = true
		index[id] = len(r.Tasks)
		r.Tasks = append(r.Tasks, taskOf(name, known[id]))
	}
	for i, id := range slices.Sorted(maps.Keys(ids)) {
		r.drawn[i] = index[id]
	}
	return index, nil
}

// taskOf returns a task with the fields that are known.
func taskOf(name string, t *benchmark.Task) Task {
	task := Task{ID: name, Topics: []string{}, Human: undefined(), keys: map[string][]string{}}
	weight := benchmark.Weight("", nil)
	if t != nil {
		if t.Published.Valid() {
			task.Published = string(t.Published)
		}
		for field, value := range batch.FieldsOf(t) {
			task.keys[field] = []string{metadata(value)}
		}
		for _, topic := range t.Topics {
			if topic = metadata(topic); topic != "" && !slices.Contains(task.Topics, topic) {
				task.Topics = append(task.Topics, topic)
			}
		}
		task.keys["topics"] = task.Topics
		task.Difficulty, task.Year = task.key("difficulty")[0], task.key("year")[0]
		task.Type, task.Category = task.key("type")[0], task.key("category")[0]
		if t.HumanPassRate != nil {
			task.Human = report.Number(*t.HumanPassRate)
		}
		weight = benchmark.Weight(t.Difficulty, t.HumanPassRate)
	}
	task.Weight, task.Assumed = weight.Value, weight.Assumed
	return task
}

// metadata normalises a value for groups and tables: tables write an apostrophe before a formula, so a value with
// it equals the one without.
func metadata(value string) string {
	value = document.Clean(value)
	if bare := strings.TrimPrefix(value, "'"); report.CSVCell(bare) == value {
		return bare
	}
	return value
}

// key returns the task's values of a field: all topics, else one value, "" if it has none.
func (t *Task) key(field string) []string {
	if values := t.keys[field]; len(values) > 0 {
		return values
	}
	return []string{""}
}

// chooseK sets the k of pass@k and pass^k, and the names of the metrics. A k larger than n of any task is an
// error: without such tasks, the metric would answer another question.
func (r *Report) chooseK(ks []int) error {
	short, where := "", ""
	for i := range r.Tasks {
		for j, result := range r.Tasks[i].Runs {
			if !result.scored() {
				continue
			}
			if r.Fewest == 0 || result.N < r.Fewest {
				r.Fewest, short, where = result.N, r.Tasks[i].ID, r.given[j].Name
			}
			r.Most = max(r.Most, result.N)
		}
	}
	if len(ks) == 0 {
		ks = []int{1}
		for _, k := range []int{5, 10, 100} {
			if k <= r.Fewest {
				ks = append(ks, k)
			}
		}
	}
	r.K = slices.Compact(slices.Sorted(slices.Values(ks)))
	for _, k := range r.K {
		switch {
		case k < 1:
			return fmt.Errorf("pass@%d cannot be computed: k must be at least 1", k)
		case r.Fewest > 0 && k > r.Fewest:
			return fmt.Errorf("pass@%d cannot be computed: it needs at least %d samples for each task, and %s has %d in %s; choose a smaller k: %w",
				k, k, short, r.Fewest, where, scoring.ErrTooFewSamples)
		}
	}
	n := "n"
	if r.Fewest == r.Most && r.Most > 0 {
		n = fmt.Sprint(r.Most)
	}
	for _, m := range r.kinds() {
		r.Metrics = append(r.Metrics, m.Words(n))
	}
	for i := range r.Tasks {
		for j := range r.Tasks[i].Runs {
			if err := r.measure(i, j); err != nil {
				return err
			}
		}
	}
	return nil
}

// kinds returns the metrics in the order of r.Metrics.
func (r *Report) kinds() []scoring.SampleMetric { return scoring.SampleMetrics(r.K) }

// Indices of metrics.
func (r *Report) ratioAt() int  { return r.metricAt(scoring.RatioKind) }
func (r *Report) rateAt() int   { return r.metricAt(scoring.RateKind) }
func (r *Report) strictAt() int { return r.metricAt(scoring.StrictKind) }

func (r *Report) metricAt(kind scoring.SampleKind) int {
	return slices.IndexFunc(r.kinds(), func(m scoring.SampleMetric) bool { return m.Kind == kind })
}

// measure computes one run's metrics of a task.
func (r *Report) measure(task, run int) error {
	result := &r.Tasks[task].Runs[run]
	if !result.scored() {
		return nil
	}
	var cases []scoring.Cases
	for _, row := range r.given[run].of[task] {
		if row.Verdict != verdicts.NotJudged {
			cases = append(cases, casesOf(row))
		}
	}
	for _, m := range r.kinds() {
		v, err := m.Of(result.Accepted, cases)
		if err != nil {
			return fmt.Errorf("the results of %s, task %s, cannot be reported: %w; was the file changed?", r.given[run].Name, r.Tasks[task].ID, err)
		}
		result.Metrics, result.values = append(result.Metrics, report.Number(v.Value)), append(result.values, v)
	}
	return nil
}

// casesOf returns a sample's test cases. A sample that failed before the first, such as a program that does not
// compile, passed 0 of 1.
func casesOf(row batch.Row) scoring.Cases {
	return scoring.Cases{Passed: row.PassedTests, Total: max(row.TotalTests, 1)}
}

// run summarises a run.
func (r *Report) run(i int, o Options) Run {
	g := &r.given[i]
	run := Run{Name: g.Name, Model: g.Model, Prompt: g.Prompt, Unreviewed: g.Unreviewed, Spent: g.Spent, Samples: len(g.Rows), WithheldTasks: []string{}, Verdicts: []Share{}, Outcomes: []Share{}}
	if !g.Cutoff.IsZero() {
		run.Cutoff = g.Cutoff.Format(time.DateOnly)
	}
	counts, found, repositories := map[verdicts.Verdict]int{}, map[outcomes.Outcome]int{}, 0
	for _, row := range g.Rows {
		counts[row.Verdict]++
		found[row.Resolution]++
		repositories += b2i(row.Resolution != "")
		run.NoCode += b2i(row.Extraction == extract.MethodNone)
		run.Repeated += b2i(row.RepeatsCall)
		run.ToReview += b2i(len(row.ToReview) > 0)
		run.Forgeable += b2i(verdicts.Forgeable(row.Isolation) && row.Verdict != verdicts.NotJudged && row.Verdict != verdicts.SandboxError)
	}
	for _, v := range batch.VerdictOrder() {
		run.Verdicts = append(run.Verdicts, shareOf(string(v), counts[v], len(g.Rows)))
	}
	if repositories > 0 {
		for _, o := range outcomes.Outcomes() {
			run.Outcomes = append(run.Outcomes, shareOf(string(o), found[o], repositories))
		}
	}
	run.Excluded, run.Failed = counts[verdicts.NotJudged], counts[verdicts.SandboxError]
	for j := range r.Tasks {
		t := &r.Tasks[j]
		switch result := t.Runs[i]; {
		case result.Samples == 0:
			continue
		case result.Failed > 0:
			run.Withheld++
			run.WithheldTasks = append(run.WithheldTasks, t.ID)
		case result.N == 0:
			run.Unjudged++
		default:
			run.Scored++
			run.Counted += result.N
			run.Accepted += result.Accepted
			if run.Fewest == 0 || result.N < run.Fewest {
				run.Fewest = result.N
			}
			run.Most = max(run.Most, result.N)
		}
		run.Tasks++
	}
	if run.Samples > run.Tasks {
		for _, shares := range [][]Share{run.Verdicts, run.Outcomes} { // samples of a task are not independent, so their interval would be too narrow
			for i := range shares {
				shares[i].Interval, shares[i].Method = nil, "no interval: samples of a task depend on each other"
			}
		}
	}
	for _, m := range r.metricsOf(i, func(*Task) bool { return true }) {
		run.Metrics, run.These = append(run.Metrics, m.estimate()), append(run.These, onThese(m.Metric))
	}
	r.flags(&run, i)
	run.provenance(g.Rows)
	if o.Tasks != nil {
		run.versions(g, o.Tasks)
	}
	return run
}

// metric returns a mean over tasks, or the reason why there is none.
type metric struct {
	scoring.Metric
	err error
}

func (m metric) estimate() report.Estimate { return estimate(m.Metric, m.err) }

// means returns a run's metrics over the selected scored tasks.
func (r *Report) means(run int, meant func(*Task) bool) []report.Estimate {
	var all []report.Estimate
	for _, m := range r.metricsOf(run, meant) {
		all = append(all, m.estimate())
	}
	return all
}

func (r *Report) metricsOf(run int, meant func(*Task) bool) []metric {
	values := make([][]scoring.TaskValue, len(r.Metrics))
	for _, i := range r.drawn {
		if result := &r.Tasks[i].Runs[run]; result.scored() && meant(&r.Tasks[i]) {
			for j, v := range result.values {
				values[j] = append(values[j], v)
			}
		}
	}
	var all []metric
	for _, v := range values {
		m, err := scoring.MeanOverTasks(v)
		all = append(all, metric{m, err})
	}
	return all
}

func shareOf(name string, count, n int) Share {
	s := Share{name, report.Share{Count: count, Estimate: report.Estimate{N: n, Value: undefined(), Method: report.Exact}}}
	if iv, err := stats.ClopperPearson(count, n, report.Confidence); err == nil {
		s.Value, s.Interval = report.Number(float64(count)/float64(n)), &iv
	}
	return s
}
