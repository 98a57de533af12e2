package ratings

import (
	"cmp"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"assay/scoring/stats"
	"assay/session/overlap"
	"assay/session/report"
	doc "assay/session/report/document"
)

// FormatVersion is the version of the JSON form.
const FormatVersion = 1

var kind = report.Kind{Key: "assay_ratings_report", Version: FormatVersion, Command: "assay rate report FILE"}

// Report is the report of closed ratings. Its JSON form is the file report.json.
type Report struct {
	Format   int               `json:"assay_ratings_report"`
	Title    string            `json:"title"`
	Level    float64           `json:"confidence"` // of every interval
	Analysis *overlap.Analysis `json:"analysis"`
}

// Build makes the report of an analysis. An empty title is made from the analysis.
func Build(a *overlap.Analysis, title string) *Report {
	what := "Ratings"
	if a.Pairs != nil {
		what = "Which answer is better"
	}
	return &Report{FormatVersion, cmp.Or(title, what+": "+a.Name), report.Confidence, a}
}

// IsReport reports whether a folder holds a report of this kind.
func IsReport(dir fs.FS) bool { return kind.In(dir) }

// CheckFiles checks the report in a folder; see [report.CheckFiles].
func CheckFiles(dir fs.FS) (*Report, []report.Check, error) {
	return report.CheckFiles(dir, kind, func(*Report, fs.FS) ([]report.Check, error) { return nil, nil })
}

// Document returns the text with its figures.
func (r *Report) Document() *doc.Document { return r.document(report.Draw(r.marks())) }

// JSON writes the report as JSON.
func (r *Report) JSON(w io.Writer) error { return report.WriteJSON(r)(w) }

// Markdown writes the report for reading, without figures.
func (r *Report) Markdown(w io.Writer) error { return r.document(nil).Markdown(w, false) }

// HTML writes the report as one page with its figures.
func (r *Report) HTML(w io.Writer) error { return r.Document().HTML(w) }

// WriteDir writes the report into dir; see [report.WriteFiles].
func (r *Report) WriteDir(dir string) ([]string, error) {
	drawings := report.Draw(r.marks())
	page := r.document(drawings)
	dataset := report.Dataset(r.Title, "Ratings of people, and what judges and people say together. Written by assay.", "Raters appear as letters.", r.tables())
	return report.WriteFiles(dir, report.Layout{Page: page, Text: page, Data: r.JSON, Drawings: drawings, Dataset: dataset}.Files())
}

func each[R any](list []R) func(func(*R) bool) {
	return func(yield func(*R) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// tables are those of people's ratings, and of the numbers with judgements.
func (r *Report) tables() []report.Table {
	a := r.Analysis
	var list []report.Table
	if a.Pairs != nil {
		type row = *overlap.PairGiven
		models := func(of func(row) []string) func(row) string {
			return func(g row) string { return strings.Join(of(g), "; ") }
		}
		list = append(list, report.TableOf("judgements", "One row for each judgement of people", []report.ColumnOf[row]{
			report.Text("task", "the task's id", func(g row) string { return g.Task }),
			report.Text("rater", "the letter", func(g row) string { return g.Rater }),
			report.Text("left", "models that gave the answer at the left", models(func(g row) []string { return g.Left })),
			report.Text("right", "models that gave the answer at the right", models(func(g row) []string { return g.Right })),
			report.Text("outcome", "a: left is better; b: right; =: equal; 0: neither is usable", func(g row) string { return string(g.Outcome) }),
			report.Integer("much", "", "1 slightly, 2 clearly, 3 far better", func(g row) (int64, bool) { return int64(g.Much), g.Much > 0 }),
			report.Text("use", "judgement, repeat, attention or pick", func(g row) string { return g.Use }),
		}, each(a.Pairs.Given)))
	} else {
		type row = *overlap.RaterScore
		list = append(list, report.TableOf("ratings", "One row for each score or label that a rater gave", []report.ColumnOf[row]{
			report.Text("item", "hash of the answer", func(g row) string { return g.Item }),
			report.Text("task", "the task's id", func(g row) string { return g.Task }),
			report.Text("rater", "the letter", func(g row) string { return g.Rater }),
			report.Text("name", "id of the attribute or label", func(g row) string { return g.Name }),
			report.Integer("score", "", "of an attribute", func(g row) (int64, bool) { return int64(g.Score), g.Score > 0 }),
			report.Text("value", "of a label", func(g row) string { return g.Value }),
		}, each(a.Given)))
	}
	if len(a.Judges) == 0 {
		return list
	}
	return append(list, estimates(a.Judges))
}

// estimate is a number of people and a judge.
type estimate struct {
	judge string
	*overlap.Combined
}

// estimates is the table of the numbers that contain judgements of models.
func estimates(judges []overlap.JudgeAnalysis) report.Table {
	var rows []estimate
	for i := range judges {
		for k := range judges[i].Together.Estimates {
			rows = append(rows, estimate{judges[i].Name, &judges[i].Together.Estimates[k]})
		}
	}
	number := func(name, meaning string, of func(*overlap.Combined) *float64) report.ColumnOf[*estimate] {
		return report.NewColumn(name, "decimal", meaning, func(e *estimate) string {
			if v := of(e.Combined); v != nil {
				return strconv.FormatFloat(*v, 'g', -1, 64)
			}
			return ""
		})
	}
	end := func(iv *stats.Interval, high bool) *float64 {
		switch {
		case iv == nil:
			return nil
		case high:
			return &iv.High
		}
		return &iv.Low
	}
	return report.TableOf("together", "One row for each number of people's ratings, with judgements of models where the column says so", []report.ColumnOf[*estimate]{
		report.Text("judge", "the model, or the panel", func(e *estimate) string { return e.judge }),
		report.Text("id", "of what is estimated", func(e *estimate) string { return e.ID }),
		report.Text("kind", "of the number", func(e *estimate) string { return e.Kind }),
		report.Text("name", "of what is estimated", func(e *estimate) string { return e.Name }),
		report.Text("model", "whose answers; empty: all", func(e *estimate) string { return e.Model }),
		report.Text("against", "the other model", func(e *estimate) string { return e.Against }),
		report.Text("covariate", "of a coefficient", func(e *estimate) string { return e.Covariate }),
		report.Text("problem", "why there is no estimate", func(e *estimate) string { return e.Problem }),
		report.Integer("rated", "", "answers or judgements of people", func(e *estimate) (int64, bool) { return int64(e.Rated), e.People != nil }),
		report.Integer("judged", "", "answers or pairs that only the judge rated", func(e *estimate) (int64, bool) { return int64(e.Judged), e.People != nil }),
		number("people", "from people's ratings alone", func(c *overlap.Combined) *float64 { return c.People }),
		number("people_low", "lower end of its interval", func(c *overlap.Combined) *float64 { return end(c.Alone, false) }),
		number("people_high", "upper end of its interval", func(c *overlap.Combined) *float64 { return end(c.Alone, true) }),
		number("people_p", "two-sided p of a coefficient of 0", func(c *overlap.Combined) *float64 { return c.PeopleP }),
		number("judge_alone", "judgements of models alone", func(c *overlap.Combined) *float64 { return c.Judge }),
		number("together", "from people's ratings and judgements of models", func(c *overlap.Combined) *float64 { return c.Value }),
		number("together_low", "lower end of its interval, with judgements of models", func(c *overlap.Combined) *float64 { return end(c.Range, false) }),
		number("together_high", "upper end of its interval, with judgements of models", func(c *overlap.Combined) *float64 { return end(c.Range, true) }),
		number("together_p", "two-sided p of a coefficient of 0, with judgements of models", func(c *overlap.Combined) *float64 { return c.P }),
		number("effective", "ratings of people that alone would be as sure", func(c *overlap.Combined) *float64 {
			if c.Value == nil {
				return nil
			}
			return &c.Effective
		}),
	}, each(rows))
}
