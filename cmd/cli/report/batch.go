package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/cmd/cli/eval"
	"assay/cmd/cli/inputs"
	"assay/data/disk"
	"assay/data/program"
	"assay/session/generate"
	"assay/session/llm"
	"assay/session/report"
	"assay/session/report/document"
	"assay/session/report/evaluations"
)

// resultsFlags are the flags of reports of evaluations only.
type resultsFlags struct {
	tasks, format string
	ks            string
	by            []string
	labels        string
	choose        inputs.Chooser
	cutoffs       []string // NAME=DATE
	allPairs      bool
	toReview      string
}

// only names a flag that is set and has no meaning for sessions, or "".
func (f *resultsFlags) only() string {
	for _, flag := range [...]struct {
		name string
		set  bool
	}{
		{"--tasks", f.tasks != ""}, {"--tasks-format", f.format != ""}, {"--k", f.ks != ""}, {"--by", len(f.by) > 0},
		{"--labels", f.labels != ""}, {"--cutoff", len(f.cutoffs) > 0}, {"--all-pairs", f.allPairs}, {"--to-review", f.toReview != ""},
	} {
		if flag.set {
			return flag.name
		}
	}
	return ""
}

// reportResults makes a report of evaluations.
func reportResults(io *console.IO, g *console.Globals, meant []eval.NamedResults, f Flags) error {
	o := evaluations.Options{Title: f.Title, AllPairs: f.results.allPairs}
	var err error
	if f.results.ks != "" {
		if o.K, err = eval.ParseKs(f.results.ks); err != nil {
			return err
		}
	}
	if o.Reviewing, err = batch.ParseReviewing(f.results.toReview); err != nil {
		return console.Usagef("--to-review: %v", err)
	}
	if o.By, err = eval.ParseBy(f.results.by); err != nil {
		return err
	}
	if len(o.By) > 0 && f.results.tasks == "" {
		return console.Usagef("--by needs the task fields: give --tasks FILE")
	}
	if f.results.tasks != "" {
		if o.Tasks, err = (&inputs.TaskLoader{Format: f.results.format, Err: io.Err}).Load(f.results.tasks); err != nil {
			return err
		}
	}
	if f.results.labels != "" {
		if o.Labels, err = readLabels(f.results.labels); err != nil {
			return err
		}
	}
	read, err := eval.ReaderOf(&f.results.choose, o.Tasks)
	if err != nil {
		return err
	}
	filter, err := f.results.choose.Filter()
	if err != nil {
		return err
	}
	if o.Filter = filter.String(); o.Filter != "" {
		o.Labels = evaluations.LabelsOf(o.Labels, o.Tasks, filter)
		o.Tasks = filter.Part(o.Tasks) // ReaderOf requires them
	}
	cutoffs, err := f.results.cutoffDates(meant)
	if err != nil {
		return err
	}
	var runs []evaluations.Results
	for _, m := range meant {
		if disk.IsDir(m.Path) && evaluations.IsReport(os.DirFS(m.Path)) {
			return console.Usagef("%s is a written report, not results: 'assay report --check %s' checks it", m.Path, program.Word(m.Path))
		}
		rows, err := read(m.Path)
		if err != nil {
			return fmt.Errorf("%s cannot be reported: %w", m.Path, err)
		}
		spent, err := spentOn(io, g, m.Path, rows)
		if err != nil {
			return err
		}
		runs = append(runs, evaluations.Results{Name: m.Name, Rows: rows, Cutoff: cutoffs[m.Name], Unreviewed: eval.AnyUnreviewed(rows), Spent: spent})
	}
	r, err := evaluations.Build(runs, o)
	if err != nil {
		return err
	}
	if f.check {
		return printChecks(io, r.Checks, f.Json)
	}
	return Print(io, g, r, f)
}

// spentOn returns what the answers of a batch's results took and cost, by the prices of the models file that --models
// names, else by those that the batch recorded, else by those of the same model in the models file. It is nil for other
// results.
func spentOn(io *console.IO, g *console.Globals, path string, rows []batch.Row) (*report.Spent, error) {
	tasks := map[string]bool{}
	for _, r := range rows {
		tasks[r.TaskID] = true
	}
	took, err := generate.TookOf(path, func(task string) bool { return tasks[task] })
	if err != nil || took == nil {
		return nil, err
	}
	price := took.Price
	if g.Models != "" || price == nil {
		models, problem := llm.LoadModels(llm.ModelsPath(g.Models, io.Getenv))
		if problem != nil && g.Models != "" {
			return nil, problem
		}
		if m, err := models.Get(took.Model); problem == nil && err == nil && m.Defines(took.Definition) && m.Price() != nil {
			price = m.Price()
		}
	}
	return report.NewSpent(took.Account, price), nil
}

// cutoffDates parses the ends of the models' training data, by the name of the results.
func (f *resultsFlags) cutoffDates(meant []eval.NamedResults) (map[string]time.Time, error) {
	dates := map[string]time.Time{}
	for _, text := range f.cutoffs {
		name, date, _ := strings.Cut(text, "=")
		if !slices.ContainsFunc(meant, func(m eval.NamedResults) bool { return m.Name == name }) {
			return nil, console.Usagef("--cutoff %s: no results are called %q; write NAME=DATE with the name of results", text, name)
		}
		var cutoff llm.Date
		if err := cutoff.UnmarshalText([]byte(date)); err != nil {
			return nil, console.Usagef("--cutoff %s: %v; write 2024-04-30, or 2024-04 for the end of the month", text, err)
		}
		dates[name] = cutoff.Time
	}
	if len(dates) > 0 && f.tasks == "" {
		return nil, console.Usagef("--cutoff needs the dates of the tasks: give --tasks FILE")
	}
	return dates, nil
}

func readLabels(path string) (_ []evaluations.Label, err error) {
	in, err := disk.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading labels: %w", err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return evaluations.ReadLabels(in, path)
}

// written is a report that can be printed or written.
type written interface {
	Document() *document.Document
	WriteDir(dir string) ([]string, error)
	JSON(io.Writer) error
	HTML(io.Writer) error
	Markdown(io.Writer) error
}
