package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark/batch"
	"assay/data/disk"
	batchreport "assay/session/report/evaluations"
)

// resultsFlags are those that only reports of evaluations have.
type resultsFlags struct {
	tasks, format string
	ks            string
	by            []string
	labels        string
}

// none says whether no flag is set.
func (f *resultsFlags) none() bool {
	return f.tasks == "" && f.format == "" && f.ks == "" && len(f.by) == 0 && f.labels == ""
}

// namedResults is an argument that means the results of an evaluation.
type namedResults struct{ name, path string }

// resultsIn finds the arguments that are results, NAME=DIRECTORY or a directory. All of
// them are, or none: sessions and results are reported apart.
func resultsIn(args []string) ([]namedResults, error) {
	var all []namedResults
	session := ""
	for _, arg := range args {
		name, path, named := strings.Cut(arg, "=")
		switch _, err := os.Stat(arg); {
		case arg == "last" || arg == "all": // a directory of that name is ./last
			session = arg
			continue
		case err == nil:
			name, path = "", arg
		case !named && !strings.ContainsRune(arg, filepath.Separator):
			session = arg
			continue
		case !named:
			path = arg
		}
		if _, err := os.Stat(path); err != nil {
			return nil, usagef("there is no directory %q of results; 'assay eval SAMPLES --tasks FILE --out DIRECTORY' makes one", path)
		}
		if name == "" {
			whole, err := filepath.Abs(path)
			if err != nil {
				return nil, err
			}
			name = filepath.Base(whole)
		}
		all = append(all, namedResults{name, path})
	}
	if len(all) > 0 && session != "" {
		return nil, usagef("%q is a directory of results, and %q is none, so it would be a session: report sessions and results apart", all[0].path, session)
	}
	return all, nil
}

// reportResults reports evaluations.
func reportResults(io *IO, meant []namedResults, f reportFlags) error {
	o := batchreport.Options{Title: f.title}
	var err error
	if f.results.ks != "" {
		if o.K, err = parseKs(f.results.ks); err != nil {
			return err
		}
	}
	if o.By, err = parseBy(f.results.by); err != nil {
		return err
	}
	if len(o.By) > 0 && f.results.tasks == "" {
		return usagef("--by needs the fields of the tasks: give --tasks FILE")
	}
	if f.results.tasks != "" {
		if o.Tasks, err = (&taskLoader{format: f.results.format, err: io.Err}).loadTasks(f.results.tasks); err != nil {
			return err
		}
	}
	if f.results.labels != "" {
		if o.Labels, err = readLabels(f.results.labels); err != nil {
			return err
		}
	}
	var runs []batchreport.Results
	for _, m := range meant {
		if isDir(m.path) && batchreport.IsReport(os.DirFS(m.path)) {
			return usagef("%s holds a written report, not results: 'assay report --check %s' checks it", m.path, m.path)
		}
		rows, err := batch.ReadResults(m.path)
		if err != nil {
			return fmt.Errorf("%s cannot be reported: %w", m.path, err)
		}
		runs = append(runs, batchreport.Results{Name: m.name, Rows: rows, Unreviewed: anyUnreviewed(rows)})
	}
	r, err := batchreport.Build(runs, o)
	if err != nil {
		return err
	}
	if f.check {
		return printChecks(io, r.Checks, f.json)
	}
	return printReport(io, r, f)
}

// anyUnreviewed says whether some of the results are of prompts that nobody reviewed.
func anyUnreviewed(rows []batch.Row) bool {
	return slices.ContainsFunc(rows, func(r batch.Row) bool { return r.Unreviewed })
}

// sayUnreviewed notes where results are of such prompts.
func sayUnreviewed(io *IO, name string, rows []batch.Row) {
	if anyUnreviewed(rows) {
		sayNotes(io, []string{name + " answers prompts that a model wrote, and that nobody has reviewed"})
	}
}

func readLabels(path string) (_ []batchreport.Label, err error) {
	in, err := disk.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading labels: %w", err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return batchreport.ReadLabels(disk.Limited(in, path, disk.Table))
}

// written is a report that can be printed or written.
type written interface {
	WriteDir(dir string) ([]string, error)
	JSON(io.Writer) error
	HTML(io.Writer) error
	Markdown(io.Writer) error
}
