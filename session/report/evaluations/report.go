package evaluations

import (
	"math"

	"assay/benchmark"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
)

// FormatVersion is the version of the JSON form.
const FormatVersion = 2

// Report is the report of one or more runs. Its JSON form is the file report.json.
type Report struct {
	Format       int            `json:"assay_batch_report"`
	Title        string         `json:"title"`
	Filter       string         `json:"filter,omitempty"`    // the filter that chose the tasks of this report; absent: all
	Reviewing    string         `json:"to_review,omitempty"` // how resolved samples count that a person has to look at: "failed" or "excluded"; absent: as resolved
	Number       int            `json:"run_count"`
	Runs         []Run          `json:"runs"`     // in the order given
	K            []int          `json:"k"`        // of pass@k and pass^k, ascending
	Fewest       int            `json:"n_fewest"` // samples of a scored task, over all runs
	Most         int            `json:"n_most"`
	Metrics      []string       `json:"metrics"`                        // the names of what each list of metrics holds, in its order
	About        *Benchmark     `json:"benchmark"`                      // null: no file of tasks was given
	Tasks        []Task         `json:"tasks"`                          // with a sample in any of the runs, by id
	Leaderboards []Leaderboard  `json:"leaderboards"`                   // of the runs with one type of prompt each
	Prompts      Prompts        `json:"prompts"`                        // what more detail and other wordings change
	Cutoffs      []Cutoff       `json:"training_cutoffs"`               // tasks before and after the models' training
	Slices       []Slices       `json:"slices"`                         // the metrics by metadata
	Groups       Groups         `json:"groups"`                         // difficulty by year of publication (Yeo et al., tables 3 and 5)
	Samples      []Example      `json:"examples"`                       // tasks sample by sample (Yeo et al., table 4)
	Usage        []Usage        `json:"usage"`                          // run time and memory
	Six          Six            `json:"six"`                            // Su et al.
	Pairs        []Pair         `json:"comparisons"`                    // of two runs each
	Selected     bool           `json:"selected_comparisons,omitempty"` // not all pairs: each run with the next in rank, and the first ones with the best
	Families     []Family       `json:"families"`                       // of tests, whose p-values are corrected together
	Level        float64        `json:"confidence"`                     // of every interval
	Small        int            `json:"few"`                            // a group of fewer tasks is marked
	Checks       []report.Check `json:"checks"`

	given  []given
	drawn  []int      // the tasks in the order of their ids as bytes, in which package batch sums them up
	tested *contrasts // the differences between runs

	described []benchmark.Task // of the benchmark's file

	source string // of figures in another report; "": this one is of evaluations
}

// Run is one evaluation: of one model, or with one prompt.
type Run struct {
	Name       string  `json:"name"`
	Model      string  `json:"model"`
	Prompt     string  `json:"prompt"`             // its type; "": not told apart
	Cutoff     string  `json:"training_cutoff"`    // the date; "": not known
	Unreviewed bool    `json:"unreviewed_prompts"` // nobody reviewed the prompts
	Samples    int     `json:"samples"`
	Tasks      int     `json:"tasks"`    // with a sample
	Scored     int     `json:"scored"`   // tasks that metrics are means over
	Withheld   int     `json:"withheld"` // tasks without metrics, since the sandbox failed on a sample
	Unjudged   int     `json:"unjudged"` // tasks of which no sample could be judged
	Counted    int     `json:"counted"`  // samples of the scored tasks that have a verdict
	Accepted   int     `json:"accepted"` // of the counted
	Fewest     int     `json:"n_fewest"`
	Most       int     `json:"n_most"`
	Excluded   int     `json:"not_judged"`         // samples
	Failed     int     `json:"sandbox_errors"`     // samples
	NoCode     int     `json:"without_code"`       // samples in which no code was found: they count, as failed
	Forgeable  int     `json:"forgeable_verdicts"` // since program and tests shared a process, or nothing isolated the program
	Repeated   int     `json:"repeated_calls"`     // samples that contain the call whose value they state: LiveCodeBench does not count them
	ToReview   int     `json:"to_review"`          // resolved samples that a person has to look at
	Other      int     `json:"other_versions"`     // tasks judged in another version than that of the tasks given
	Left       int     `json:"tasks_without_samples"`
	Verdicts   []Share `json:"verdicts"` // of all samples
	Outcomes   []Share `json:"outcomes"` // of the samples for repository tasks; empty if there are none

	Metrics []report.Estimate `json:"metrics"`                // means over the scored tasks, in the order of Report.Metrics, for tasks like these
	These   []Between         `json:"metrics_on_these_tasks"` // their intervals for these tasks, in the same order

	Spent *report.Spent `json:"spent,omitempty"` // what its answers took; absent: not known

	Generated int     `json:"generated"`       // answers of the model
	Flags     []Share `json:"flags"`           // of the generated, by what is odd about them; null: nobody looked
	Flagged   int     `json:"flagged_samples"` // that have any flag

	Without []report.Estimate `json:"metrics_without_flagged"` // the metrics without those samples; null: nobody looked

	WithheldTasks []string `json:"withheld_tasks"`
	Isolation     []string `json:"isolation"`
	Enforcement   []string `json:"enforcement"`
	Interpreters  []string `json:"interpreters"`
	Libraries     []string `json:"libraries"`
	Analysers     []string `json:"analysers"`
	Extractions   []string `json:"extraction"`
	Rules         []string `json:"rules"` // of another program, in place of the tasks' own; empty: none
}

// Between is a second interval of a statistic.
type Between struct {
	Interval *stats.Interval `json:"interval,omitempty"`
	Method   string          `json:"method"` // "": there is none
}

// onThese returns the interval of a metric for these tasks.
func onThese(m scoring.Metric) Between {
	if m.TheseMethod == "" {
		return Between{}
	}
	return Between{&m.These, m.TheseMethod}
}

// Share is a named count with its percentage.
type Share struct {
	Name string `json:"name"`
	report.Share
}

// Benchmark is the file of tasks.
type Benchmark struct {
	Name  string  `json:"name"`
	Tasks int     `json:"tasks"`
	Items []Share `json:"items"` // how many tasks have each kind of metadata (Yeo et al., table 1)

	Weights []Weights `json:"weights"` // question weights (Su et al., table 1)
}

// Weights counts the tasks of a difficulty by the share of people who solve them.
type Weights struct {
	Difficulty string `json:"difficulty"`    // easy, medium, hard, or empty
	Low        int    `json:"below_40"`      // tasks with a human pass rate below 40 %
	Middle     int    `json:"from_40_to_70"` // tasks with one from 40 to 70 %
	High       int    `json:"above_70"`      // tasks with one above 70 %
	Unknown    int    `json:"unknown"`       // the middle column's weight is assumed
}

// Task is a task with the results of each run.
type Task struct {
	ID         string        `json:"id"`              // as the benchmark calls it
	Difficulty string        `json:"difficulty"`      // easy, medium, hard, or empty
	Year       string        `json:"year"`            // of publication
	Published  string        `json:"published"`       // the date, or its year or month
	Type       string        `json:"type"`            // kind of code wanted
	Category   string        `json:"category"`        // area of the language
	Topics     []string      `json:"topics"`          // algorithms and structures
	Human      report.Number `json:"human_pass_rate"` // share of people's submissions accepted, 0 to 1; null: not known
	Weight     float64       `json:"weight"`          // of the question (Su et al., table 1)
	Assumed    bool          `json:"weight_assumed"`  // difficulty or human pass rate is not known
	Cases      int           `json:"test_cases"`      // the most that a sample was tested with
	Runs       []Result      `json:"runs"`            // in the order of the runs

	keys map[string][]string // the values of each field
}

// Result is the result of one run's samples of a task.
type Result struct {
	Samples  int             `json:"samples"`        // of any verdict
	N        int             `json:"n"`              // with a verdict
	Accepted int             `json:"accepted"`       // samples that passed every test case
	Failed   int             `json:"sandbox_errors"` // samples on which the sandbox failed
	Metrics  []report.Number `json:"metrics"`        // in the order of Report.Metrics; null: the task is not scored
	Six      []report.Number `json:"six"`            // the least and the most of 100; null: not measured, or not scored
	First    string          `json:"first"`          // the verdict of the first sample
	Measured int             `json:"measured"`       // of the n

	values []scoring.TaskValue // the metrics, with their sampling variances
}

// scored reports whether the task counts in the metrics.
func (r Result) scored() bool { return r.N > 0 && r.Failed == 0 }

// Slices are the metrics over groups of tasks.
type Slices struct {
	By      string  `json:"by"`
	Overlap bool    `json:"overlap"` // a task may be in several groups
	Cells   []Slice `json:"cells"`

	fields []string
}

// Slice is one group.
type Slice struct {
	Value string `json:"value"`
	Runs  []Cell `json:"runs"`
}

// Cell is a group of a run's tasks.
type Cell struct {
	N       int               `json:"tasks"` // scored tasks
	Few     bool              `json:"few"`   // too few tasks to say anything about the group
	Metrics []report.Estimate `json:"metrics"`
}

// Groups are the tasks by difficulty and year.
type Groups struct {
	Difficulties []string    `json:"difficulties"`
	Years        []string    `json:"years"` // ascending; the earliest may stand for all before it, as "~2021"
	Missing      []string    `json:"missing"`
	Runs         [][][]Group `json:"runs"` // by run, difficulty and year
}

// Group are the tasks of one difficulty and year.
type Group struct {
	Cell
	Solved   int           `json:"solved"`   // by at least one of the samples
	Expected report.Number `json:"expected"` // tasks solved by one sample on average: tasks times pass@1
}

// Example is a task of one run, sample by sample.
type Example struct {
	Run       string          `json:"run"`
	Task      string          `json:"task"`
	Kind      string          `json:"kind"` // "all pass", "some pass" or "none passes"
	Solutions []Solution      `json:"solutions"`
	More      int             `json:"more"`    // samples that are not shown
	PassAtK   []report.Number `json:"pass_at"` // for k = 1 to n, at most ten
	PassRatio report.Number   `json:"pass_ratio"`
}

// Solution is one sample with its test cases.
type Solution struct {
	Passed  int    `json:"passed"`
	Total   int    `json:"total"`
	Verdict string `json:"verdict"`
}

// Six is the evaluation of Su et al. 2023.
type Six struct {
	Runs       []SixRun   `json:"runs"`
	Categories []Category `json:"categories"` // of tasks, by name; empty where the tasks have none
	Labelled   bool       `json:"labelled"`   // people labelled the samples
}

// SixRun is the evaluation of one run.
type SixRun struct {
	Name       string   `json:"name"`       // of the run
	Tasks      int      `json:"tasks"`      // scored, with a measured sample
	Measured   int      `json:"measured"`   // samples
	Unmeasured int      `json:"unmeasured"` // samples of scored tasks
	Final      Final    `json:"final"`
	Dimensions []Points `json:"dimensions"` // means over tasks
	Open       int      `json:"open"`       // tasks without a rating or a label
	Assumed    int      `json:"assumed"`    // tasks whose weight is assumed

	MeanRate report.Estimate `json:"mean_pass_rate"` // mean over tasks
	CaseRate report.Share    `json:"case_pass_rate"` // of all test cases, whatever their task

	Outcomes []Outcome `json:"outcomes"`

	Cyclomatic  int             `json:"cyclomatic"`   // sums over the measured samples
	Cognitive   int             `json:"cognitive"`    // sum over the measured samples
	CommentRate report.Estimate `json:"comment_rate"` // percent, mean over tasks
	Reliability []report.Count  `json:"reliability"`  // measured samples by rating
	Security    []report.Count  `json:"security"`

	Accurate      int `json:"accurate_explanations"`   // measured samples, as labelled
	Inaccurate    int `json:"inaccurate_explanations"` // measured samples, as labelled
	Unlabelled    int `json:"unlabelled_explanations"` // measured samples
	CodeProblems  int `json:"code_problems"`           // counted samples that are not correct, as labelled
	Misunderstood int `json:"understanding_problems"`  // counted samples that are not correct, as labelled
	NoCause       int `json:"without_cause"`           // counted samples that are not correct, and not labelled

	By        []RatedBy   `json:"by_analyser,omitempty"` // where analysers were named
	Agreement []Agreement `json:"agreement,omitempty"`   // of these analysers
}

// Final is a score that may be known only as a range.
type Final struct {
	N int `json:"n"` // scored tasks
	Points
}

// Points are the points of one dimension.
type Points struct {
	Name     string          `json:"name"`               // of the dimension, or of the score
	Of       int             `json:"of"`                 // points that there are
	Low      report.Number   `json:"low"`                // mean, if every missing label or rating were the worst
	High     report.Number   `json:"high"`               // mean, if every missing label or rating were the best
	Interval *stats.Interval `json:"interval,omitempty"` // from the lower end of Low's interval to the upper end of High's
	Method   string          `json:"method"`             // of the interval, or why there is none
}

// Outcome is how many samples were correct, wrong, or broken.
type Outcome struct {
	Name    string          `json:"name"`    // correct, wrong answer or runtime error
	Count   int             `json:"count"`   // samples with this outcome
	Samples int             `json:"samples"` // all counted samples
	Share   report.Estimate `json:"share"`   // the mean over tasks
}

// Category is how often the samples for a category's tasks are not correct.
type Category struct {
	Name string `json:"name"` // of the tasks
	Runs []Cell `json:"runs"` // one metric: the share of incorrect samples
}

// Pair compares two runs on the tasks that both have.
type Pair struct {
	First         string     `json:"first"`
	Second        string     `json:"second"`
	Tasks         int        `json:"tasks"`
	OnlyFirst     int        `json:"only_first"`
	OnlySecond    int        `json:"only_second"`
	Withheld      int        `json:"withheld"`
	Changed       int        `json:"changed"`
	Measures      []Compared `json:"measures"`
	ChangedIDs    []string   `json:"changed_tasks"`  // judged in different versions, and compared all the same
	LeftOutIDs    []string   `json:"left_out_tasks"` // of one run alone, or withheld
	Problem       string     `json:"problem"`        // why there are no measures
	first, second int
}

// Compared is one metric of both runs.
type Compared struct {
	Name       string          `json:"name"`
	First      report.Estimate `json:"first"`
	Second     report.Estimate `json:"second"`
	Difference report.Estimate `json:"difference"` // of the first minus the second, mean over tasks
	These      Between         `json:"difference_on_these_tasks"`
	Better     int             `json:"better"`
	Worse      int             `json:"worse"`
	Same       int             `json:"same"`
	P          report.Number   `json:"p"`
	Holm       report.Number   `json:"p_holm"`  // over the family, as everywhere
	BH         report.Number   `json:"p_bh"`    // by Benjamini & Hochberg, over the same
	Least      report.Number   `json:"least_p"` // the least p that so many differing tasks can give
	Test       string          `json:"test"`
}

// undefined returns an undefined statistic.
func undefined() report.Number { return report.Number(math.NaN()) }

// estimate converts a metric for reports.
func estimate(m scoring.Metric, err error) report.Estimate {
	switch {
	case err != nil:
		return report.Estimate{Value: undefined(), Method: "no value"}
	case m.Method != "":
		return report.Estimate{N: m.N, Value: report.Number(m.Value), Interval: &m.Interval, Method: m.Method}
	case m.N == 1:
		return report.Estimate{N: 1, Value: report.Number(m.Value), Method: "no interval: one task"}
	}
	return report.Estimate{N: m.N, Value: report.Number(m.Value), Method: "no interval: too few tasks, or too few that differ"}
}
