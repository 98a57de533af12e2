package batch

import (
	"encoding/json"

	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/scoring/stats"
)

// The types of this file are what `assay eval --json` and `assay compare --json` print.

// IntervalJSON is an interval at 95 % with the name of its method.
type IntervalJSON struct {
	Low    float64 `json:"low"`    // lower bound
	High   float64 `json:"high"`   // upper bound
	Method string  `json:"method"` // how it was computed
}

// MemberJSON is a member of a MembersJSON: a number, null, a text or an IntervalJSON.
type MemberJSON any

// MembersJSON are members of an object that are named when the program runs: metrics under their names
// ("pass@1"), each beside its intervals for tasks like these ("pass@1 95%") and for these tasks ("pass@1 95%
// these tasks"), and the values of fields of tasks. An interval that cannot be given is absent; a metric that
// has no value is null.
type MembersJSON map[string]MemberJSON

// put adds a metric under its name, and its intervals.
func (m MembersJSON) put(name string, metric *Metric) {
	if metric == nil {
		m[name] = nil
		return
	}
	m[name] = metric.Value
	if i := metricInterval(metric); i != nil {
		m[name+" 95%"] = i
	}
	if i := theseInterval(metric); i != nil {
		m[name+" 95% "+scoring.TheseTasks] = i
	}
}

func intervalJSON(i stats.Interval, method string) *IntervalJSON {
	if method == "" {
		return nil
	}
	return &IntervalJSON{i.Low, i.High, method}
}

func metricInterval(m *Metric) *IntervalJSON { return intervalJSON(m.Interval, m.Method) }
func theseInterval(m *Metric) *IntervalJSON  { return intervalJSON(m.These, m.TheseMethod) }

// inline returns the JSON object of a struct with more members.
func inline(fixed any, members MembersJSON) ([]byte, error) {
	text, err := json.Marshal(fixed)
	if err != nil || len(members) == 0 {
		return text, err
	}
	more, err := json.Marshal(members)
	return append(append(text[:len(text)-1], ','), more[1:]...), err
}

// SummaryJSON is the summary of an evaluation, with its metrics: pass@k, pass^k, pass_ratio@n,
// average_pass_rate and strict_accuracy. Metrics are means over the scored tasks.
type SummaryJSON struct {
	Model        string                   `json:"model,omitempty"`                  // of the samples, where the file has those of several
	Samples      int                      `json:"samples"`                          // judged, by this run or an earlier one
	Planned      int                      `json:"planned"`                          // in the file
	Tasks        int                      `json:"tasks"`                            // with at least one sample
	Unsampled    int                      `json:"tasks_without_samples"`            // tasks of the benchmark without a sample, practice apart
	Absent       map[string]int           `json:"missing_samples,omitempty"`        // samples that the file lists without an answer, by the reason: not counted
	Scored       int                      `json:"scored_tasks"`                     // in the metrics' means
	Withheld     []string                 `json:"withheld_tasks"`                   // tasks without metrics because of sandbox errors
	Accepted     int                      `json:"accepted"`                         // samples
	Verdicts     map[verdicts.Verdict]int `json:"verdicts"`                         // number of samples with each verdict
	Resolutions  map[outcomes.Outcome]int `json:"resolutions,omitempty"`            // outcomes of samples for repository tasks
	N            int                      `json:"n,omitempty"`                      // samples of each scored task, where all have the same number
	MinN         int                      `json:"n_min"`                            // the fewest samples of a scored task
	MaxN         int                      `json:"n_max"`                            // the most samples of a scored task
	Identical    int                      `json:"identical_tasks,omitempty"`        // tasks whose samples, two or more, are the same text
	NoCode       int                      `json:"samples_without_code"`             // samples without code, which count as failed
	Packages     map[string]int           `json:"packages_not_installed,omitempty"` // samples that failed because a package is not installed, by its name
	Stopped      int                      `json:"stopped_samples"`                  // judged only up to the first failing test case
	Near         int                      `json:"near_limit"`                       // samples whose limit of processor time may have decided their verdict
	Alone        int                      `json:"judged_alone"`                     // samples judged again alone, because they reached that limit on a busy machine
	NotJudged    int                      `json:"not_judged"`                       // samples that could not be judged
	MissingTools int                      `json:"missing_tools"`                    // of these, samples that only lack a program, a library or a worker
	Forgeable    map[string]int           `json:"forgeable_verdicts"`               // verdicts that a malicious program could forge, by isolation
	Repeats      int                      `json:"repeated_calls,omitempty"`         // samples that repeat the call whose value they state
	ToReview     int                      `json:"to_review,omitempty"`              // resolved samples that a person has to look at
	Reused       int                      `json:"reused"`                           // samples judged by an earlier run
	Seconds      float64                  `json:"seconds"`                          // duration of this run
	Splits       []SplitJSON              `json:"splits,omitempty"`                 // by the fields given with --by
	Six          *SixJSON                 `json:"six_dimensions,omitempty"`         // absent where nothing was measured
	Metrics      MembersJSON              `json:"-" inline:"true"`
}

// JSON returns what --json prints.
func (s *Summary) JSON() SummaryJSON {
	j := SummaryJSON{Model: s.Model, Samples: s.Samples, Planned: s.Planned, Tasks: s.Tasks, Unsampled: s.Unsampled, Absent: s.Absent, Scored: s.Scored, Withheld: append([]string{}, s.Withheld...),
		Accepted: s.Accepted, Verdicts: s.Verdicts, Resolutions: s.Resolutions, MinN: s.MinN, MaxN: s.MaxN, Identical: s.Identical, NoCode: s.NoCode, Packages: s.Packages, Stopped: s.Stopped, Near: s.Near,
		Alone: s.Alone, NotJudged: s.Excluded, MissingTools: s.Missing, Forgeable: s.Forgeable, Repeats: s.Repeats, ToReview: s.ToReview, Reused: s.Reused, Seconds: s.Seconds,
		Splits: splitsJSON(s.Splits), Metrics: MembersJSON{}}
	if s.MinN == s.MaxN {
		j.N = s.MinN
	}
	if s.Six != nil {
		six := s.Six.json()
		j.Six = &six
	}
	for _, metric := range s.Metrics {
		j.Metrics.put(metric.Name(), metric.Metric)
	}
	for _, metric := range s.AsLiveCodeBench {
		j.Metrics.put(metric.Name()+" as LiveCodeBench", metric.Metric)
	}
	for _, metric := range s.WithoutToReview {
		j.Metrics.put(metric.Name()+" without to_review", metric.Metric)
	}
	return j
}

// MarshalJSON writes the form that JSON returns.
func (s *Summary) MarshalJSON() ([]byte, error) { return json.Marshal(s.JSON()) }

// MarshalJSON implements json.Marshaler.
func (j SummaryJSON) MarshalJSON() ([]byte, error) {
	type fixed SummaryJSON
	return inline(fixed(j), j.Metrics)
}

// SplitJSON is a metric over groups of tasks with the same values of fields.
type SplitJSON struct {
	Metric string     `json:"metric"` // its name
	By     []string   `json:"by"`     // the fields
	Cells  []CellJSON `json:"cells"`  // one for each combination of values that occurs
}

// CellJSON is one group of a split: the value of each field under the field's name, and the metric under its
// own.
type CellJSON struct {
	Tasks  int         `json:"tasks"` // in the group
	Few    bool        `json:"few"`   // too few tasks for a conclusion
	Values MembersJSON `json:"-" inline:"true"`
}

// MarshalJSON implements json.Marshaler.
func (j CellJSON) MarshalJSON() ([]byte, error) {
	type fixed CellJSON
	return inline(fixed(j), j.Values)
}

func splitsJSON(splits []Split) []SplitJSON {
	all := []SplitJSON{}
	for _, s := range splits {
		j := SplitJSON{s.Metric, s.By, []CellJSON{}}
		for _, c := range s.Cells {
			cell := CellJSON{c.N, c.Few, MembersJSON{}}
			for i, name := range s.By {
				cell.Values[name] = c.Keys[i]
			}
			cell.Values.put(s.Metric, &c.Metric)
			j.Cells = append(j.Cells, cell)
		}
		all = append(all, j)
	}
	return all
}

// SixJSON is the evaluation in six dimensions (Su et al. 2023), with the members "comment_rate" (percent),
// "correct", "wrong_answer" and "runtime_error" (shares of samples; the last has all other verdicts). Members
// are means over tasks; a task with several samples counts with their mean.
type SixJSON struct {
	Final      BoundsJSON            `json:"final"`                        // the weighted score, 0 to 100
	Dimensions map[string]BoundsJSON `json:"dimensions"`                   // points by dimension
	Tasks      int                   `json:"tasks"`                        // in the final score
	Samples    int                   `json:"samples"`                      // measured and judged
	Open       int                   `json:"tasks_with_something_missing"` // tasks with a fact that is not known
	Assumed    int                   `json:"tasks_with_assumed_weight"`    // tasks whose difficulty is not known
	Unmeasured int                   `json:"unmeasured_samples"`           // left out because they could not be measured
	Cyclomatic int                   `json:"cyclomatic"`                   // cyclomatic complexity, the sum over samples
	Cognitive  int                   `json:"cognitive"`                    // cognitive complexity, the sum over samples
	Analyser   string                `json:"analyser"`                     // which gave the ratings
	By         []SixBy               `json:"by_analyser,omitempty"`        // with the ratings of each, where analysers were named
	Agreement  []RatingsAgreement    `json:"agreement,omitempty"`          // of their ratings
	Categories []CategoryJSON        `json:"categories,omitempty"`         // by category of tasks
	Shares     MembersJSON           `json:"-" inline:"true"`
}

// MarshalJSON implements json.Marshaler.
func (j SixJSON) MarshalJSON() ([]byte, error) {
	type fixed SixJSON
	return inline(fixed(j), j.Shares)
}

// BoundsJSON is a mean that is a range where something is unknown. Its interval extends from the lower end for
// the lower bound to the upper end for the upper one.
type BoundsJSON struct {
	Low      float64       `json:"low"`           // with the worst of what is unknown
	High     float64       `json:"high"`          // with the best of what is unknown
	Interval *IntervalJSON `json:"95%,omitempty"` // absent where there is none
}

// CategoryJSON is a category of tasks, with the member "incorrect": the share of its samples that are not
// correct.
type CategoryJSON struct {
	Name   string      `json:"category"` // its name
	Tasks  int         `json:"tasks"`    // in the category
	Few    bool        `json:"few"`      // too few tasks for a share
	Shares MembersJSON `json:"-" inline:"true"`
}

// MarshalJSON implements json.Marshaler.
func (j CategoryJSON) MarshalJSON() ([]byte, error) {
	type fixed CategoryJSON
	return inline(fixed(j), j.Shares)
}

func (s *SixTable) json() SixJSON {
	bounds := func(b scoring.Bounds, i stats.Interval, method string) BoundsJSON {
		return BoundsJSON{b.Low, b.High, intervalJSON(i, method)}
	}
	j := SixJSON{Final: bounds(s.Final.Bounds, s.Final.Interval, s.Final.Method), Dimensions: map[string]BoundsJSON{}, Tasks: s.Final.N, Samples: s.Samples,
		Open: s.Final.Open, Assumed: s.Final.Assumed, Unmeasured: s.Unmeasured, Cyclomatic: s.Cyclomatic, Cognitive: s.Cognitive, Analyser: s.Analyser, By: s.By, Agreement: s.Agreement, Shares: MembersJSON{}}
	for _, d := range s.Dimensions {
		j.Dimensions[d.Name] = bounds(d.Bounds, d.Interval, d.Method)
	}
	j.Shares.put("comment_rate", s.CommentRate)
	j.Shares.put("correct", s.Correct)
	j.Shares.put("wrong_answer", s.Wrong)
	j.Shares.put("runtime_error", s.Runtime)
	for _, c := range s.Categories {
		row := CategoryJSON{c.Name, c.Tasks, c.Few, MembersJSON{}}
		row.Shares.put("incorrect", c.Incorrect)
		j.Categories = append(j.Categories, row)
	}
	return j
}

// DifferenceJSON is a metric of both evaluations over their common tasks, and the difference of the first minus
// the second, each with its intervals.
type DifferenceJSON struct {
	First      float64 `json:"first"`      // of the first evaluation
	Second     float64 `json:"second"`     // of the second evaluation
	Difference float64 `json:"difference"` // first minus second

	FirstInterval      *IntervalJSON `json:"first 95%,omitempty"`                  // for tasks like these
	FirstThese         *IntervalJSON `json:"first 95% these tasks,omitempty"`      // for these tasks
	SecondInterval     *IntervalJSON `json:"second 95%,omitempty"`                 // for tasks like these
	SecondThese        *IntervalJSON `json:"second 95% these tasks,omitempty"`     // for these tasks
	DifferenceInterval *IntervalJSON `json:"difference 95%,omitempty"`             // for tasks like these
	DifferenceThese    *IntervalJSON `json:"difference 95% these tasks,omitempty"` // for these tasks

	SignFlip TestJSON `json:"sign_flip"` // test that the mean difference is 0
}

// TestJSON is a sign-flip test.
type TestJSON struct {
	P        float64 `json:"p"`                  // 0 to 1
	Exact    bool    `json:"exact"`              // p is not an approximation
	Least    float64 `json:"least_p"`            // the smallest p that this number of differing tasks can give
	Clusters int     `json:"clusters,omitempty"` // clusters of tasks whose signs were flipped together; absent: each task on its own
}

func differenceJSON(m *ComparedMetric) DifferenceJSON {
	d := &m.Difference
	return DifferenceJSON{m.First.Value, m.Second.Value, d.Value, metricInterval(&m.First), theseInterval(&m.First), metricInterval(&m.Second), theseInterval(&m.Second),
		metricInterval(&d.Metric), theseInterval(&d.Metric), TestJSON{d.P, d.Exact, d.Least, d.Clusters}}
}

// ComparedJSON is a metric of a comparison.
type ComparedJSON struct {
	Metric string `json:"metric"` // its name
	Tasks  int    `json:"tasks"`  // common to both
	Better int    `json:"better"` // tasks in which the first is better
	Worse  int    `json:"worse"`  // tasks in which the second is better
	Tie    int    `json:"tie"`    // tasks in which both are equal
	DifferenceJSON
}

// ComparisonJSON is a comparison of two evaluations of the same tasks.
type ComparisonJSON struct {
	Metrics     []ComparedJSON `json:"metrics"`             // over the common tasks
	Splits      []SplitJSON    `json:"splits"`              // of the differences in the first metric, by the fields given with --by
	OnlyFirst   []string       `json:"only_first"`          // tasks that only the first has, left out
	OnlySecond  []string       `json:"only_second"`         // tasks that only the second has, left out
	Withheld    []string       `json:"withheld_tasks"`      // tasks without metrics in either because of sandbox errors, left out
	Changed     []string       `json:"changed_tasks"`       // tasks whose text, tests or library differ between the two, compared anyway
	NotCompared []string       `json:"not_compared"`        // metrics that need all test cases, where samples were judged up to the first that failed
	ToReview    Reviewing      `json:"to_review,omitempty"` // how resolved answers counted that a person has to look at: resolved, failed or excluded
	Answer      *AnswerJSON    `json:"answer,omitempty"`    // with --answer
}

// JSON returns what --json prints.
func (c *Comparison) JSON() ComparisonJSON {
	j := ComparisonJSON{Metrics: []ComparedJSON{}, Splits: splitsJSON(c.Splits), OnlyFirst: append([]string{}, c.OnlyFirst...), OnlySecond: append([]string{}, c.OnlySecond...),
		Withheld: append([]string{}, c.Withheld...), Changed: append([]string{}, c.Changed...), NotCompared: append([]string{}, c.Unknown...), ToReview: c.Reviewing}
	for _, m := range c.Metrics {
		j.Metrics = append(j.Metrics, ComparedJSON{m.Name(), m.Difference.N, m.Difference.Better, m.Difference.Worse, m.Difference.Tie, differenceJSON(&m)})
	}
	if c.Answer != nil {
		answer := c.Answer.JSON()
		j.Answer = &answer
	}
	return j
}

// MarshalJSON writes the form that JSON returns.
func (c *Comparison) MarshalJSON() ([]byte, error) { return json.Marshal(c.JSON()) }

// AnswerJSON is which of two evaluations is better in one metric, how certain that is, on which tasks, and how
// many tasks the next comparison needs.
type AnswerJSON struct {
	Metric         string             `json:"metric"`                      // its name
	Tasks          int                `json:"tasks"`                       // common to both
	SamplesFewest  int                `json:"samples_fewest"`              // of a task in either
	SamplesMost    int                `json:"samples_most"`                // of a task in either
	ToldApart      bool               `json:"told_apart"`                  // the difference is significant
	Better         *string            `json:"better"`                      // "first" or "second"; null: neither with certainty
	SD             *float64           `json:"sd_of_differences,omitempty"` // standard deviation over tasks; absent for one task
	SolvedBy       SolvedByJSON       `json:"solved_by"`                   // tasks by which of the two solves them with at least one sample
	BetterInFirst  []TaskDifference   `json:"better_in_first"`             // tasks in which the first is better, the largest difference first
	BetterInSecond []TaskDifference   `json:"better_in_second"`            // tasks in which the second is better, the largest difference first
	ByDifficulty   []DifficultyJSON   `json:"by_difficulty"`               // from easy to hard
	Next           NextComparisonJSON `json:"next_comparison"`             // how many tasks it needs
	Margin         *MarginJSON        `json:"margin,omitempty"`            // absent: none was declared
	DifferenceJSON
}

// MarginJSON is the comparison with the margin below which two evaluations count as alike.
type MarginJSON struct {
	Margin float64 `json:"margin"` // from 0 to 1
	Alike  bool    `json:"alike"`  // the interval for tasks like these lies within the margin
	Beyond bool    `json:"beyond"` // the interval lies outside the margin
	Tasks  float64 `json:"tasks"`  // like these, that show two equal evaluations to be alike; 0: not known
}

// SolvedByJSON counts tasks.
type SolvedByJSON struct {
	OnlyFirst  int `json:"only_first"`  // by the first alone
	OnlySecond int `json:"only_second"` // by the second alone
	Both       int `json:"both"`        // by both
	Neither    int `json:"neither"`     // by neither
}

// DifficultyJSON is the comparison within one difficulty.
type DifficultyJSON struct {
	Difficulty string        `json:"difficulty"`                           // "" where it is unknown
	Tasks      int           `json:"tasks"`                                // common to both
	First      float64       `json:"first"`                                // of the first evaluation
	Second     float64       `json:"second"`                               // of the second evaluation
	Difference float64       `json:"difference"`                           // first minus second
	Interval   *IntervalJSON `json:"difference 95%,omitempty"`             // for tasks like these
	These      *IntervalJSON `json:"difference 95% these tasks,omitempty"` // for these tasks
}

// NextComparisonJSON is how many tasks like these the next comparison needs to tell the two apart.
type NextComparisonJSON struct {
	Level     float64 `json:"level"`     // of the test
	Assurance float64 `json:"assurance"` // the power, averaged over the uncertainty that these tasks leave
	Effect    float64 `json:"effect"`    // the difference to find; 0: the difference found, with its uncertainty
	Tasks     float64 `json:"tasks"`     // 0: none can be given
	Problem   string  `json:"problem"`   // why none can be given
}

// JSON returns what --json prints.
func (a *Answer) JSON() AnswerJSON {
	j := AnswerJSON{Metric: a.Name(), Tasks: a.Difference.N, SamplesFewest: a.N[0], SamplesMost: a.N[1],
		SolvedBy:      SolvedByJSON{a.OnlyFirst, a.OnlySecond, a.Both, a.Neither},
		BetterInFirst: append([]TaskDifference{}, a.BetterFirst...), BetterInSecond: append([]TaskDifference{}, a.BetterSecond...),
		ByDifficulty: []DifficultyJSON{}, DifferenceJSON: differenceJSON(&a.ComparedMetric),
		Next: NextComparisonJSON{scoring.Level, AnswerAssurance, a.Planned.Effect, a.Planned.Tasks, a.Planned.Problem}}
	if better := a.Verdict(); better != 0 {
		name := map[int]string{1: "first", -1: "second"}[better]
		j.ToldApart, j.Better = true, &name
	}
	if a.Difference.N > 1 {
		j.SD = &a.Difference.SD
	}
	if a.Margin > 0 {
		j.Margin = &MarginJSON{a.Margin, a.Alike(), a.Beyond(), a.TasksAlike()}
	}
	for _, d := range a.Difficulties {
		j.ByDifficulty = append(j.ByDifficulty, DifficultyJSON{d.Difficulty, d.Difference.N, d.First, d.Second, d.Difference.Value,
			metricInterval(&d.Difference.Metric), theseInterval(&d.Difference.Metric)})
	}
	return j
}
