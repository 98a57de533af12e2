package difficulty

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"unicode"
	"unicode/utf8"

	"assay/scoring/quality"
	"assay/scoring/stats"
	"assay/session/difficulty"
	"assay/session/report"
)

// repeat computes a report's numbers again, in R.
//
//go:embed repeat.R
var repeat string

// lists matches JSON's lists of numbers, which are written on one line. No text contains a line break.
var lists = regexp.MustCompile(`\[\n\s*(?:(?:-?[0-9][-+.eE0-9]*|null)(?:,\n\s*)?)+\n\s*\]`)

// spaces are those between the numbers.
var spaces = regexp.MustCompile(`\s+`)

// indented writes v as JSON for reading: lists of numbers on one line, marks that change the reading direction
// escaped.
func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetIndent("", " ")
	out.SetEscapeHTML(false)
	if err := out.Encode(v); err != nil {
		return nil, err
	}
	text := lists.ReplaceAllFunc(b.Bytes(), func(list []byte) []byte { return spaces.ReplaceAll(list, nil) })
	shown := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if unicode.Is(unicode.Bidi_Control, r) {
			shown = fmt.Appendf(shown, "\\u%04x", r)
		} else {
			shown = utf8.AppendRune(shown, r)
		}
	}
	return shown, nil
}

// JSON writes the report as JSON.
func (r *Report) JSON(w io.Writer) error { return writeJSON(w, r) }

func writeJSON(w io.Writer, v any) error {
	text, err := indented(v)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Markdown writes the report for reading, without figures.
func (r *Report) Markdown(w io.Writer) error { return r.document(nil).Markdown(w, false) }

// HTML writes the report as one page with its figures.
func (r *Report) HTML(w io.Writer) error { return r.Document().HTML(w) }

// files are all files of the report in the order in which they are written. Those of one
// analysis have difficulty.json, which [difficulty.Read] reads.
func (r *Report) files() []report.File {
	var extra []report.File
	for _, a := range r.Analyses {
		if len(r.Analyses) == 1 {
			extra = append(extra, report.File{Name: difficulty.FileName, Write: func(w io.Writer) error { return writeJSON(w, a) }})
		}
	}
	drawings := report.Draw(r.marks())
	page := r.document(drawings)
	dataset := report.Dataset(r.Title, "How hard tasks are, how able those are who responded to them, and the responses. Written by assay.",
		"It fits difficulty and discrimination of tasks with counted trials once more, given the abilities, and agrees with the report to three digits. "+
			"It does not compute the abilities, the intervals of parameters and the population, which are of the fit as a whole: by marginal likelihood, or by draws of a Markov chain, which R's generators cannot repeat; "+
			"the degrees of freedom of the dispersion, which are that fit's; and which programs are similar to a reference solution, since the programs are not in these tables.", r.tables())
	return report.Layout{Page: page, Text: page, Data: r.JSON, Repeat: repeat, Extra: extra, Drawings: drawings, Dataset: dataset}.Files()
}

// tables are those of all analyses: of two their names are numbered.
func (r *Report) tables() []report.Table {
	var all []report.Table
	for i, a := range r.Analyses {
		for _, t := range tablesOf(a) {
			if len(r.Analyses) > 1 {
				t.Name += strconv.Itoa(i + 1)
			}
			all = append(all, t)
		}
	}
	return all
}

// WriteDir writes the report into dir; see [report.WriteFiles].
func (r *Report) WriteDir(dir string) ([]string, error) { return report.WriteFiles(dir, r.files()) }

// tablesOf are the tables of tasks, respondents and responses. The last can be analysed
// again.
func tablesOf(a *difficulty.Analysis) []report.Table {
	all := []report.Table{tasksTable(a), respondentsTable(a), responsesTable(a)}
	if len(a.Topics) > 0 && len(a.Topics[0].Answered) > 0 {
		all = append(all, topicsTable(a))
	}
	if a.Constructs != nil && len(a.Constructs.Means) > 0 {
		all = append(all, constructsTable(a))
	}
	if len(a.Looks) > 0 {
		all = append(all, looksTable(a))
	}
	if a.People != nil && len(a.People.Rows) > 0 {
		all = append(all, peopleTable(a))
	}
	return all
}

// constructsTable has a row for each model and task.
func constructsTable(a *difficulty.Analysis) report.Table {
	type row = *difficulty.ConstructMeans
	columns := []report.ColumnOf[row]{
		report.Text("model", "its name", func(m row) string { return m.Model }),
		report.Text("task", "the task's id", func(m row) string { return m.Task }),
		report.NewColumn("samples", "integer", "programs that are correct or similar to the reference solution", func(m row) string { return strconv.Itoa(m.Samples) }),
	}
	for i, construct := range quality.AllConstructs() {
		columns = append(columns, report.NewColumn(string(construct), "decimal", "how often it occurs per line of code: the mean over these programs", func(m row) string { return decimal(m.PerLine[i]) }))
	}
	return report.TableOf("constructs", "One row for each model and task: the constructs in its programs", columns, each(a.Constructs.Means))
}

// looked is an answer to a suspect task.
type looked struct {
	task string
	difficulty.Answered
}

// looksTable has a row for each answer.
func looksTable(a *difficulty.Analysis) report.Table {
	number := func(name, meaning string, of func(looked) int) report.ColumnOf[looked] {
		return report.NewColumn(name, "integer", meaning, func(l looked) string { return strconv.Itoa(of(l)) })
	}
	return report.TableOf("looks", "One row for each answer to a task whose discrimination is negative", []report.ColumnOf[looked]{
		report.Text("task", "the task's id", func(l looked) string { return l.task }),
		report.Text("respondent", "its name", func(l looked) string { return l.Respondent }),
		report.Text("prompt", "the type of prompt; empty where types are not told apart", func(l looked) string { return l.Prompt }),
		number("sample", "number of the sample within its task, from 0", func(l looked) int { return l.Sample }),
		report.Text("verdict", "verdict on the answer", func(l looked) string { return l.Verdict }),
		number("passed", "test cases passed", func(l looked) int { return l.Passed }),
		number("total", "test cases", func(l looked) int { return l.Total }),
		number("first_failing_case", "from 1; 0: not known, or none failed", func(l looked) int { return l.First }),
	}, func(yield func(looked) bool) {
		for _, look := range a.Looks {
			for _, answered := range look.Answers {
				if !yield(looked{look.Task, answered}) {
					return
				}
			}
		}
	})
}

// peopleTable has a row for each task that people estimated.
func peopleTable(a *difficulty.Analysis) report.Table {
	type row = *difficulty.PeopleRow
	number := func(name, meaning string, of func(row) int) report.ColumnOf[row] {
		return report.NewColumn(name, "integer", meaning, func(r row) string { return strconv.Itoa(of(r)) })
	}
	return report.TableOf("people", "One row for each task with a settled estimate of people", []report.ColumnOf[row]{
		report.Text("task", "the task's id", func(r row) string { return r.Task }),
		number("models", "category of its difficulty for models, from 0", func(r row) int { return r.Models }),
		number("people", "category of the median time that people estimate, from 0", func(r row) int { return r.People }),
		report.Text("median_time", "that category in words", func(r row) string { return r.MedianTime }),
		report.Text("median_difficulty", "the median of the difficulties that people name", func(r row) string { return r.MedianDifficulty }),
		number("estimates", "that count, in the last round", func(r row) int { return r.N }),
		number("rounds", "until it was settled", func(r row) int { return r.Rounds }),
		report.NewColumn("agreement", "decimal", "among people in the last round", func(r row) string { return decimal(r.Agreement) }),
	}, each(a.People.Rows))
}

// topicMean is a respondent's mean score on a topic.
type topicMean struct {
	topic, respondent string
	n                 int
	mean              *float64
	interval          *stats.Interval
}

// topicsTable has a row for each topic and respondent.
func topicsTable(a *difficulty.Analysis) report.Table {
	columns := []report.ColumnOf[topicMean]{
		report.Text("topic", "its name", func(m topicMean) string { return m.topic }),
		report.Text("respondent", "its name", func(m topicMean) string { return m.respondent }),
		report.NewColumn("tasks", "integer", "of the topic that it answered", func(m topicMean) string { return strconv.Itoa(m.n) }),
		report.NewColumn("mean", "decimal", "of its scores; empty: it answered none", func(m topicMean) string {
			if m.mean == nil {
				return ""
			}
			return decimal(*m.mean)
		}),
	}
	columns = append(columns, ends("mean", func(m topicMean) *stats.Interval { return m.interval })...)
	return report.TableOf("topics", "One row for each topic and respondent", columns, func(yield func(topicMean) bool) {
		for _, t := range a.Topics {
			for i, r := range a.Respondents {
				if !yield(topicMean{t.Name, r.Name, t.Answered[i], t.Mean[i], t.MeanInterval[i]}) {
					return
				}
			}
		}
	})
}

// bounds are the columns of a parameter with its interval.
func bounds[R any](name string, of func(R) difficulty.Parameter) []report.ColumnOf[R] {
	value := report.NewColumn(name, "decimal", name, func(r R) string { return decimal(of(r).Value) })
	return append([]report.ColumnOf[R]{value}, ends(name, func(r R) *stats.Interval { return of(r).Interval })...)
}

// ends are the columns of an interval.
func ends[R any](name string, of func(R) *stats.Interval) []report.ColumnOf[R] {
	return []report.ColumnOf[R]{
		report.NewColumn(name+"_low", "decimal", "the lower end of its interval at 95 %", func(r R) string {
			if iv := of(r); iv != nil {
				return decimal(iv.Low)
			}
			return ""
		}),
		report.NewColumn(name+"_high", "decimal", "the upper end", func(r R) string {
			if iv := of(r); iv != nil {
				return decimal(iv.High)
			}
			return ""
		}),
	}
}

// scaleOf is a column that names the scale of the other numbers.
func scaleOf[R any](a *difficulty.Analysis) report.ColumnOf[R] {
	text := "own"
	if a.Joint != nil {
		text = "with " + a.Joint.With
	}
	return report.Text("scale", "own: of these tasks alone; with NAME: calibrated together with that benchmark", func(R) string { return text })
}

// decimal is a number with all of its digits, from which others can be computed.
func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func each[R any](list []R) func(func(*R) bool) {
	return func(yield func(*R) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

func tasksTable(a *difficulty.Analysis) report.Table {
	type row = *difficulty.Task
	columns := []report.ColumnOf[row]{
		report.Text("task", "the task's id", func(t row) string { return t.ID }),
		report.Text("title", "its title, where the tasks were given", func(t row) string { return t.Title }),
	}
	columns = append(columns, bounds("difficulty", func(t row) difficulty.Parameter { return t.Difficulty })...)
	columns = append(columns, bounds("discrimination", func(t row) difficulty.Parameter { return t.Discrimination })...)
	columns = append(columns,
		report.NewColumn("expected", "decimal", "score of a respondent of mean ability", func(t row) string { return decimal(t.Expected) }),
		report.NewColumn("mean", "decimal", "of its scores", func(t row) string { return decimal(t.Mean) }),
		report.NewColumn("respondents", "integer", "that answered it", func(t row) string { return strconv.Itoa(t.N) }),
		report.NewColumn("outfit", "decimal", "mean of squared standardised residuals", func(t row) string { return decimal(t.Outfit) }),
		report.Text("kind", "where the discrimination is negative: suspect, where most fail, or noise, where most succeed", func(t row) string { return string(t.Kind) }),
		report.NewColumn("topic", "integer", "from 1; 0: none", func(t row) string { return strconv.Itoa(t.Topic) }),
		scaleOf[row](a),
	)
	if a.Originals != nil {
		count := func(name, meaning string, of func(*difficulty.Original) string) report.ColumnOf[row] {
			return report.NewColumn(name, "decimal", meaning, func(t row) string {
				if t.Original == nil {
					return ""
				}
				return of(t.Original)
			})
		}
		columns = append(columns,
			count("original", "difficulty by the benchmark's own prompt: 1 less the mean score; empty: no results", func(o *difficulty.Original) string { return decimal(o.Difficulty) }),
			count("original_respondents", "that answered the benchmark's own prompt", func(o *difficulty.Original) string { return strconv.Itoa(o.N) }),
		)
	}
	return report.TableOf("tasks", "One row for each task, the hardest first", columns, each(a.Tasks))
}

func respondentsTable(a *difficulty.Analysis) report.Table {
	type row = *difficulty.Respondent
	columns := []report.ColumnOf[row]{report.Text("respondent", "its name", func(r row) string { return r.Name })}
	columns = append(columns, bounds("ability", func(r row) difficulty.Parameter { return r.Ability })...)
	columns = append(columns, report.NewColumn("mean", "decimal", "of its scores", func(r row) string { return decimal(r.Mean) }))
	columns = append(columns, ends("mean", func(r row) *stats.Interval { return r.MeanInterval })...)
	columns = append(columns,
		report.NewColumn("tasks", "integer", "that it answered", func(r row) string { return strconv.Itoa(r.N) }),
		report.NewColumn("outfit", "decimal", "mean of squared standardised residuals", func(r row) string { return decimal(r.Outfit) }),
		scaleOf[row](a),
	)
	return report.TableOf("respondents", "One row for each respondent, by ability, the highest first", columns, each(a.Respondents))
}

// response is a cell of the responses.
type response struct {
	task, respondent string
	score            float64
	trials, expected float64
	counted          bool
}

// responsesTable has a row for each response.
func responsesTable(a *difficulty.Analysis) report.Table {
	columns := []report.ColumnOf[response]{
		report.Text("task", "the task's id", func(r response) string { return r.task }),
		report.Text("respondent", "its name", func(r response) string { return r.respondent }),
		report.NewColumn("score", "decimal", "from 0 to 1", func(r response) string { return decimal(r.score) }),
		report.NewColumn("n", "decimal", "trials that the score is the share of; empty: not known", func(r response) string {
			if !r.counted {
				return ""
			}
			return decimal(r.trials)
		}),
		report.NewColumn("expected", "decimal", "the score that the model expects", func(r response) string { return decimal(r.expected) }),
	}
	return report.TableOf("responses", "One row for each response", columns, func(yield func(response) bool) {
		for i := range a.Respondents {
			who := &a.Respondents[i]
			for j := range a.Tasks {
				if who.Scores[j] == nil {
					continue
				}
				r := response{task: a.Tasks[j].ID, respondent: who.Name, score: *who.Scores[j], expected: who.Expected[j]}
				if len(who.Trials) > 0 && who.Trials[j] != nil {
					r.trials, r.counted = *who.Trials[j], true
				}
				if !yield(r) {
					return
				}
			}
		}
	})
}

// whole returns an error if the views do not fit the analyses.
func (r *Report) whole() error {
	if len(r.Analyses) < 1 || len(r.Analyses) > 2 || len(r.Views) != len(r.Analyses) || (r.Compared != nil) != (len(r.Analyses) == 2) {
		return fmt.Errorf("it has %d analyses and %d views", len(r.Analyses), len(r.Views))
	}
	for _, a := range r.Analyses {
		if a == nil {
			return fmt.Errorf("an analysis is empty")
		}
		if err := a.Whole(); err != nil {
			return err
		}
	}
	return nil
}
