package evaluations

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/scoring"
	"assay/session/report"
)

// The rows of the tidy tables.
type (
	taskRow struct {
		*Task
		run    int
		name   string
		result *Result
	}
	sampleRow struct {
		run  string
		task string
		batch.Row
		label   Label
		flagged bool
	}
)

// tables returns the report's tidy tables: runs, tasks (of each run) and samples.
func (r *Report) tables() []report.Table {
	tasks := func(yield func(taskRow) bool) {
		for i := range r.Tasks {
			for run := range r.Runs {
				if result := &r.Tasks[i].Runs[run]; result.Samples > 0 && !yield(taskRow{&r.Tasks[i], run, r.Runs[run].Name, result}) {
					return
				}
			}
		}
	}
	samples := func(yield func(sampleRow) bool) {
		for _, g := range r.given {
			for i, rows := range g.of {
				for _, row := range rows {
					if !yield(sampleRow{g.Name, r.Tasks[i].ID, row, g.labels[sampleID{row.TaskID, row.Sample}], g.odd[sampleID{row.TaskID, row.Sample}]}) {
						return
					}
				}
			}
		}
	}
	all := []report.Table{
		report.TableOf("runs", "one row for each evaluation: of a model, or with a prompt", runColumns(r.Runs), slices.Values(r.Runs)),
		report.TableOf("tasks", "one row for each task of each run", r.taskColumns(), tasks),
		report.TableOf("samples", "one row for each sample", sampleColumns(), samples),
	}
	if r.About != nil {
		all = append(all, report.TableOf("benchmark", "one row for each task of the benchmark's file: what it tells of itself", benchmarkColumns(), slices.Values(r.described)))
	}
	return all
}

func benchmarkColumns() []report.ColumnOf[benchmark.Task] {
	all := []report.ColumnOf[benchmark.Task]{report.Text("task", "id of the task", func(t benchmark.Task) string { return t.ID })}
	for _, item := range items() {
		all = append(all, yes(strings.ReplaceAll(item.name, " ", "_"), "1 where the task has it", func(t benchmark.Task) bool { return item.has(&t) }))
	}
	return all
}

func count[R any](name, unit, meaning string, cell func(R) int) report.ColumnOf[R] {
	return report.Integer(name, unit, meaning, func(r R) (int64, bool) { return int64(cell(r)), true })
}

func yes[R any](name, meaning string, cell func(R) bool) report.ColumnOf[R] {
	return report.Boolean(name, meaning, func(r R) (bool, bool) { return cell(r), true })
}

func decimal[R any](name, unit, meaning string, cell func(R) report.Number) report.ColumnOf[R] {
	return report.ColumnOf[R]{Column: report.Column{Name: name, Type: "decimal", Unit: unit, Meaning: meaning}, Cell: func(r R) string {
		if v := cell(r); v.Defined() {
			return strconv.FormatFloat(float64(v), 'g', -1, 64)
		}
		return ""
	}}
}

func runColumns(runs []Run) []report.ColumnOf[Run] {
	joined := func(name, meaning string, of func(Run) []string) report.ColumnOf[Run] {
		return report.Text(name, meaning, func(r Run) string { return strings.Join(of(r), "; ") })
	}
	columns := []report.ColumnOf[Run]{
		report.Text("run", "name of the run", func(r Run) string { return r.Name }),
		report.Text("model", "the model that answered", func(r Run) string { return r.Model }),
		report.Text("prompt", "the type of prompt; empty where types are not told apart", func(r Run) string { return r.Prompt }),
		report.Text("training_cutoff", "the end of the model's training data; empty where it is not known", func(r Run) string { return r.Cutoff }),
		yes("unreviewed_prompts", "1 where nobody reviewed the prompts", func(r Run) bool { return r.Unreviewed }),
		yes("flags_known", "1 where outliers among the answers were looked for", func(r Run) bool { return r.Flags != nil }),
		report.Integer("generated", "", "answers that were looked through for outliers; empty where nobody looked", func(r Run) (int64, bool) { return int64(r.Generated), r.Flags != nil }),
		joined("outliers", "how many of them are outliers, by kind", func(r Run) (all []string) {
			for _, kind := range r.Flags {
				all = append(all, fmt.Sprintf("%s: %d", kind.Name, kind.Count))
			}
			return all
		}),
		count("samples", "", "samples with a result of any kind", func(r Run) int { return r.Samples }),
		count("tasks", "", "tasks with a sample", func(r Run) int { return r.Tasks }),
		count("scored", "", "tasks that metrics are means over", func(r Run) int { return r.Scored }),
		count("withheld", "", "tasks without metrics, since the sandbox failed on a sample", func(r Run) int { return r.Withheld }),
		count("unjudged", "", "tasks of which no sample could be judged", func(r Run) int { return r.Unjudged }),
		count("counted", "", "samples of scored tasks that have a verdict", func(r Run) int { return r.Counted }),
		count("accepted", "", "of the counted samples, those that passed every test", func(r Run) int { return r.Accepted }),
		count("not_judged", "", "samples that could not be judged", func(r Run) int { return r.Excluded }),
		count("sandbox_errors", "", "samples that the sandbox failed on", func(r Run) int { return r.Failed }),
		joined("isolation", "what isolated the samples", func(r Run) []string { return r.Isolation }),
		joined("enforcement", "what enforced each limit", func(r Run) []string { return r.Enforcement }),
		joined("interpreter", "what ran the samples", func(r Run) []string { return r.Interpreters }),
		joined("rules", "rules of another program by which samples were judged; empty for the tasks' own", func(r Run) []string { return r.Rules }),
		joined("library", "packages that the samples could import, with their SHA-256", func(r Run) []string { return r.Libraries }),
		joined("analyser", "what rated reliability and security", func(r Run) []string { return r.Analysers }),
	}
	if known, priced := spentBy(runs); known {
		columns = append(columns, report.SpentColumns(func(r Run) *report.Spent { return r.Spent }, priced)...)
	}
	return columns
}

func (r *Report) taskColumns() []report.ColumnOf[taskRow] {
	all := []report.ColumnOf[taskRow]{
		report.Text("run", "name of the run", func(t taskRow) string { return t.name }),
		report.Text("task", "id of the task", func(t taskRow) string { return t.ID }),
		report.Text("difficulty", "easy, medium or hard", func(t taskRow) string { return t.Difficulty }),
		report.Text("year", "year of publication", func(t taskRow) string { return t.Year }),
		report.Text("published", "date of publication, or its year or month", func(t taskRow) string { return t.Published }),
		report.Text("type", "kind of code wanted", func(t taskRow) string { return t.Type }),
		report.Text("category", "area of the language", func(t taskRow) string { return t.Category }),
		report.Text("topics", "algorithms and structures", func(t taskRow) string { return strings.Join(t.Topics, "; ") }),
		decimal("human_pass_rate", "", "share of people's submissions that were accepted, 0 to 1", func(t taskRow) report.Number { return t.Human }),
		decimal("weight", "", "question weight (Su et al., table 1)", func(t taskRow) report.Number { return report.Number(t.Weight) }),
		yes("weight_assumed", "1 where difficulty or human pass rate is not known", func(t taskRow) bool { return t.Assumed }),
		count("samples", "", "samples with a result of any kind", func(t taskRow) int { return t.result.Samples }),
		count("n", "", "samples with a verdict", func(t taskRow) int { return t.result.N }),
		count("accepted", "", "samples that passed every test", func(t taskRow) int { return t.result.Accepted }),
		count("sandbox_errors", "", "samples that the sandbox failed on", func(t taskRow) int { return t.result.Failed }),
		yes("scored", "1 where the task enters the metrics: judged, and not withheld", func(t taskRow) bool { return t.result.scored() }),
	}
	for i, m := range r.kinds() {
		all = append(all, decimal(m.Column(), "", r.Metrics[i]+", 0 to 1; empty where the task is not scored", func(t taskRow) report.Number { return at(t.result.Metrics, i) }))
	}
	return append(all,
		decimal("six_low", "points", "least score in six dimensions, of 100, the mean over samples", func(t taskRow) report.Number { return at(t.result.Six, 0) }),
		decimal("six_high", "points", "most that the score can be: higher where a label or a rating is missing", func(t taskRow) report.Number { return at(t.result.Six, 1) }))
}

func at(values []report.Number, i int) report.Number {
	if i < len(values) {
		return values[i]
	}
	return undefined()
}

func sampleColumns() []report.ColumnOf[sampleRow] {
	measured := func(name, unit, meaning string, cell func(*batch.Measures) float64) report.ColumnOf[sampleRow] {
		return decimal(name, unit, meaning, func(s sampleRow) report.Number {
			if s.Measures == nil {
				return undefined()
			}
			return report.Number(cell(s.Measures))
		})
	}
	rated := func(name, meaning string, cell func(*batch.Measures) scoring.Rating) report.ColumnOf[sampleRow] {
		return report.Text(name, meaning, func(s sampleRow) string {
			if s.Measures == nil {
				return ""
			}
			return string(cell(s.Measures))
		})
	}
	return []report.ColumnOf[sampleRow]{
		report.Text("run", "name of the run", func(s sampleRow) string { return s.run }),
		report.Text("task", "id of the task", func(s sampleRow) string { return s.task }),
		count("sample", "", "number of the sample within its task, from 0", func(s sampleRow) int { return s.Sample }),
		report.Text("verdict", "verdict on the sample", func(s sampleRow) string { return string(s.Verdict) }),
		count("passed", "", "test cases passed", func(s sampleRow) int { return s.PassedTests }),
		count("total", "", "test cases; 0 where the sample failed before the first", func(s sampleRow) int { return s.TotalTests }),
		report.Text("failed", "numbers of the test cases that failed, from 1", func(s sampleRow) string { return s.FailedTests }),
		report.Text("outcome", "how far an answer solves a repository task; empty for other tasks", func(s sampleRow) string { return string(s.Resolution) }),
		report.Text("to_review", "why a person has to look at a resolved answer; empty for others", func(s sampleRow) string { return strings.Join(s.ToReview, "; ") }),
		count("cpu_ms", "ms", "processor time", func(s sampleRow) int { return int(s.CPUMS) }),
		count("wall_ms", "ms", "elapsed time", func(s sampleRow) int { return int(s.WallMS) }),
		count("memory_kb", "KB", "most memory resident", func(s sampleRow) int { return int(s.MemoryKB) }),
		report.Text("extraction", "how the code was found, or which kind of sample it was", func(s sampleRow) string { return s.Extraction }),
		report.Text("extraction_note", "the same in words; empty where the sample is no answer", func(s sampleRow) string { return s.Found }),
		yes("loads", "1 where the program ran far enough for a test case", func(s sampleRow) bool { return s.Loads }),
		report.Boolean("parses", "1 where the code is well formed in its language; empty where nothing was measured", func(s sampleRow) (bool, bool) {
			return s.Measures != nil && s.Measures.Parses, s.Measures != nil
		}),
		measured("cyclomatic", "", "cyclomatic complexity, as SonarQube counts it; empty where nothing was measured", func(m *batch.Measures) float64 { return float64(m.Cyclomatic) }),
		measured("cognitive", "", "cognitive complexity", func(m *batch.Measures) float64 { return float64(m.Cognitive) }),
		measured("code_lines", "", "lines of code", func(m *batch.Measures) float64 { return float64(m.CodeLines) }),
		measured("comment_lines", "", "lines of comment", func(m *batch.Measures) float64 { return float64(m.CommentLines) }),
		measured("comment_rate", "%", "comment lines of code and comment lines", func(m *batch.Measures) float64 { return m.CommentRate }),
		measured("findings", "", "findings of the analyser", func(m *batch.Measures) float64 { return float64(m.Findings) }),
		rated("reliability", "rating A to E; empty where nothing was analysed", func(m *batch.Measures) scoring.Rating { return m.Reliability }),
		rated("security", "rating A to E; empty where nothing was analysed", func(m *batch.Measures) scoring.Rating { return m.Security }),
		report.Text("by_analyser", "findings and ratings of each analyser that was named, as JSON; empty where none was", func(s sampleRow) string {
			if s.Measures == nil {
				return ""
			}
			return RatingsText(s.Measures.By)
		}),
		report.Text("explanation", "a person's label, whether the explanation is accurate and complete: yes, no, or empty", func(s sampleRow) string {
			return [...]string{"", "no", "yes"}[s.label.Explanation]
		}),
		report.Text("cause", "a person's label, why the sample is not correct: code problem, understanding problem, or empty", func(s sampleRow) string { return string(s.label.Cause) }),
		yes("flagged", "1 where the answer is an outlier: empty, a refusal, truncated …", func(s sampleRow) bool { return s.flagged }),
		report.Text("content", "identifies the sample's text and the task", func(s sampleRow) string { return s.Content }),
		report.Text("task_version", "identifies the task's text, tests and library", func(s sampleRow) string { return s.Row.Task }),
	}
}

// dataset returns the tables as a dataset.
func (r *Report) dataset() []report.File {
	return report.Dataset(r.Title, "Verdicts on samples that models generated, judged without a human, with what measuring their code found. Written by assay.",
		"Splits by fields that the table of tasks does not have are left out.", r.tables())
}
