package batch

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/scoring"
)

// verdictOrder is the order in which reports list the verdicts.
var verdictOrder = [...]verdicts.Verdict{
	verdicts.Accepted, verdicts.WrongAnswer, verdicts.RuntimeError, verdicts.TimeLimit, verdicts.MemoryLimit,
	verdicts.OutputLimit, verdicts.CompileError, verdicts.NoCode, verdicts.SandboxError, verdicts.NotJudged,
}

// tally sums results as they arrive. It keeps only sums for each task.
type tally struct {
	benchmark map[string]*benchmark.Task
	samples   int
	near      int
	alone     int
	noCode    int
	packages  map[string]int // see [Summary.Packages]
	missing   int            // not judged because of a missing tool
	forgeable map[string]int // verdicts, by isolation
	verdicts  map[verdicts.Verdict]int
	tasks     map[string]*taskTally

	resolutions map[outcomes.Outcome]int
	by          *ByAnalyser
}

type taskTally struct {
	judged   int // samples with a verdict that counts
	accepted int
	cases    []scoring.Cases
	stopped  int // samples judged only up to a failing case
	unsolved int // sandbox errors: the task's metrics are withheld
	excluded int // not judged
	six      sixTally
	weight   scoring.Weight
	category string

	repeats         int // judged samples that repeat the call whose value they state
	repeatsAccepted int
	toReview        int // accepted samples that a person has to look at

	first  string // what identifies the text of the first judged sample
	differ bool   // another one has another text
}

func newTally(tasks map[string]*benchmark.Task) *tally {
	return &tally{benchmark: tasks, verdicts: map[verdicts.Verdict]int{}, forgeable: map[string]int{}, tasks: map[string]*taskTally{},
		packages: map[string]int{}, resolutions: map[outcomes.Outcome]int{}, by: NewByAnalyser()}
}

func (t *tally) add(r Row) {
	t.samples++
	if r.Extraction == extract.MethodNone {
		t.noCode++
	}
	t.verdicts[r.Verdict]++
	if r.Resolution != "" {
		t.resolutions[r.Resolution]++
	}
	if r.Allowed != nil && r.Allowed.Near {
		t.near++
	}
	if r.Allowed != nil && r.Allowed.Alone {
		t.alone++
	}
	task := t.tasks[r.TaskID]
	if task == nil {
		task = &taskTally{}
		if known := t.benchmark[r.TaskID]; known != nil {
			task.weight, task.category = benchmark.Weight(known.Difficulty, known.HumanPassRate), known.Category
		}
		t.tasks[r.TaskID] = task
	}
	switch r.Verdict {
	case verdicts.SandboxError:
		task.unsolved++
		return
	case verdicts.NotJudged:
		if task.excluded++; r.MissingTool {
			t.missing++
		}
		return
	case verdicts.Accepted:
		if task.accepted++; len(r.ToReview) > 0 {
			task.toReview++
		}
	default:
		if m := notInstalled.FindStringSubmatch(r.Message + "\n" + r.FirstFailed); m != nil {
			name, _, _ := strings.Cut(m[1], ".") // of the package that the module is in
			t.packages[name]++
		}
	}
	if task.judged == 0 {
		task.first = r.Content
	}
	task.differ = task.differ || r.Content != task.first
	task.judged++
	if r.RepeatsCall {
		task.repeats++
		if r.Verdict == verdicts.Accepted {
			task.repeatsAccepted++
		}
	}
	if verdicts.Forgeable(r.Isolation) {
		t.forgeable[r.Isolation]++
	}
	if r.Stopped {
		task.stopped++
	}
	task.six.add(r, t.by)
	task.cases = append(task.cases, scoring.Cases{Passed: r.PassedTests, Total: max(r.TotalTests, 1)})
}

// notInstalled matches the errors with which Python, Node.js and R name a package that is not installed.
var notInstalled = regexp.MustCompile(`(?:No module named|Cannot find module|there is no package called) ['‘]([\w@][^'’\n]*)['’]`)

// Summary is what an evaluation found.
type Summary struct {
	Model     string // of the samples, where the file has those of several
	Samples   int    // judged, or reused
	Planned   int    // in the file
	Reused    int
	Tasks     int            // with at least one sample
	Unsampled int            // tasks of the benchmark without a sample, practice apart: not counted
	Absent    map[string]int // samples that the file lists without an answer, by the reason: they are not counted
	Stopped   int            // samples judged only up to the first failing test case
	Near      int            // samples whose limit of processor time may have decided their verdict
	Alone     int            // samples judged again alone, because they reached that limit on a busy machine
	NoCode    int            // samples without code, which count as failed
	Packages  map[string]int // samples that failed because a package is not installed, by its name
	Accepted  int
	Verdicts  map[verdicts.Verdict]int

	Resolutions map[outcomes.Outcome]int // of samples for repository tasks

	Metrics []SummaryMetric // means over the scored tasks
	Repeats int             // samples that repeat the call whose value they state

	// AsLiveCodeBench has pass@k without the samples that Repeats counts, for each k; nil: there are none. A
	// task with no other samples counts as failed.
	AsLiveCodeBench []SummaryMetric

	// ToReview counts the samples that are resolved and that a person has to look at. WithoutToReview has pass@k
	// for each k as if these had failed; nil: there are none.
	ToReview        int
	WithoutToReview []SummaryMetric

	Identical int // tasks whose samples, two or more, are the same text

	MinN int // the fewest samples of a scored task
	MaxN int

	Scored   int      // tasks in the metrics' means
	Withheld []string // tasks without metrics because of sandbox errors
	Excluded int      // samples that could not be judged
	Missing  int      // of these, samples that only lack a program, a library or a worker

	// Forgeable counts the verdicts that a malicious program could forge, by isolation.
	Forgeable map[string]int

	Six    *SixTable // nil: nothing was measured
	Splits []Split   // by the requested fields

	Seconds float64
}

// SummaryMetric is the mean of a metric over the scored tasks.
type SummaryMetric struct {
	scoring.SampleMetric
	*Metric // nil: withheld, since a task has no value
}

// Metric is a mean over tasks with its intervals at 95 %.
type Metric = scoring.Metric

// Mean returns a metric, nil if it is withheld or was not asked for.
func (s *Summary) Mean(metric scoring.SampleMetric) *Metric {
	for _, m := range s.Metrics {
		if m.SampleMetric == metric {
			return m.Metric
		}
	}
	return nil
}

// Partial reports whether another run could add missing results.
func (s *Summary) Partial() bool {
	return len(s.Withheld) > 0 || s.Missing > 0 || s.Samples < s.Planned
}

func (t *tally) summary(ks []int, by [][]string) *Summary {
	s := &Summary{Samples: t.samples, Tasks: len(t.tasks), NoCode: t.noCode, Packages: t.packages, Near: t.near, Alone: t.alone,
		Accepted: t.verdicts[verdicts.Accepted], Excluded: t.verdicts[verdicts.NotJudged], Missing: t.missing, Verdicts: map[verdicts.Verdict]int{}, Resolutions: t.resolutions, Forgeable: t.forgeable}
	for _, v := range verdictOrder {
		s.Verdicts[v] = t.verdicts[v]
	}
	ids := slices.Sorted(maps.Keys(t.tasks)) // so that sums of floats are the same in every run
	var scored []*taskTally
	for _, id := range ids {
		task := t.tasks[id]
		switch {
		case task.unsolved > 0:
			s.Withheld = append(s.Withheld, id)
		case task.judged > 0:
			scored = append(scored, task)
			if s.MinN == 0 || task.judged < s.MinN {
				s.MinN = task.judged
			}
			s.MaxN = max(s.MaxN, task.judged)
		}
	}
	s.Scored, s.Stopped = len(scored), t.stopped()
	for _, m := range scoring.SampleMetrics(ks) {
		if m.AllCases() && s.Stopped > 0 {
			s.Metrics = append(s.Metrics, SummaryMetric{m, nil})
			continue
		}
		s.Metrics = append(s.Metrics, SummaryMetric{m, mean(scored, m)})
	}
	if s.Stopped == 0 {
		s.Six = t.six(ids)
	}
	var others, reviewed []*taskTally
	for _, task := range scored {
		if task.judged > 1 && !task.differ {
			s.Identical++
		}
		s.Repeats += task.repeats
		s.ToReview += task.toReview
		others = append(others, task.withoutRepeats())
		reviewed = append(reviewed, &taskTally{accepted: task.accepted - task.toReview, cases: task.cases})
	}
	for _, k := range ks {
		if m := (scoring.SampleMetric{Kind: scoring.PassAt, K: k}); s.Repeats > 0 {
			s.AsLiveCodeBench = append(s.AsLiveCodeBench, SummaryMetric{m, mean(others, m)})
		}
		if m := (scoring.SampleMetric{Kind: scoring.PassAt, K: k}); s.ToReview > 0 {
			s.WithoutToReview = append(s.WithoutToReview, SummaryMetric{m, mean(reviewed, m)})
		}
	}
	s.Splits = t.splits(ks, by)
	return s
}

// withoutRepeats returns what pass@k needs of a task's other samples.
func (t *taskTally) withoutRepeats() *taskTally {
	if t.repeats == t.judged {
		return &taskTally{cases: t.cases}
	}
	return &taskTally{accepted: t.accepted - t.repeatsAccepted, cases: t.cases[:t.judged-t.repeats]}
}

// stopped returns the number of samples judged only up to a failing test case.
func (t *tally) stopped() (n int) {
	for _, task := range t.tasks {
		n += task.stopped
	}
	return n
}

// splits returns pass@k for the first k and pass-ratio@n over groups of tasks.
func (t *tally) splits(ks []int, by [][]string) []Split {
	var all []Split
	for _, names := range by {
		for _, m := range []scoring.SampleMetric{scoring.SampleMetrics(ks)[0], {Kind: scoring.RatioKind}} {
			if m.AllCases() && t.stopped() > 0 {
				continue
			}
			values, err := t.values(m, nil)
			if err != nil {
				continue // k exceeds a task's n, which the metric itself reports
			}
			if s, err := split(m.Name(), names, t.benchmark, values); err == nil {
				all = append(all, *s)
			}
		}
	}
	return all
}

// mean returns nil if there are no tasks, or if one of them has no value: a mean over the others
// would answer another question.
func mean(tasks []*taskTally, metric scoring.SampleMetric) *Metric {
	values := make([]scoring.TaskValue, len(tasks))
	for i, task := range tasks {
		v, err := metric.Of(task.accepted, task.cases)
		if err != nil {
			return nil
		}
		values[i] = v
	}
	m, err := scoring.MeanOverTasks(values)
	if err != nil {
		return nil
	}
	return &m
}

// VerdictOrder lists the verdicts in the order of reports.
func VerdictOrder() []verdicts.Verdict { return append([]verdicts.Verdict(nil), verdictOrder[:]...) }
