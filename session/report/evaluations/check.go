package evaluations

import (
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/session/report"
)

// kind is the kind of these reports.
var kind = report.Kind{Key: "assay_batch_report", Version: FormatVersion, Command: "assay report RESULTS"}

// IsReport reports whether a folder holds a report of this kind.
func IsReport(dir fs.FS) bool { return kind.In(dir) }

// CheckFiles checks the report in a folder; see [report.CheckFiles].
func CheckFiles(dir fs.FS) (*Report, []report.Check, error) {
	return report.CheckFiles(dir, kind, func(r *Report, dir fs.FS) ([]report.Check, error) {
		tables, err := report.ReadTables(dir, "runs", "tasks", "samples")
		if err != nil {
			return nil, err
		}
		return r.checkAgainst(tables, true), nil
	})
}

// checkData checks a report against its own tables, but for ranks and comparisons.
func (r *Report) checkData() []report.Check {
	tables := map[string]report.Rows{}
	for _, t := range r.tables() {
		tables[t.Name] = t.Named()
	}
	return r.checkAgainst(tables, false)
}

// checkAgainst builds the report again from its tables, which may be those of its files, and compares it. That the
// arithmetic is right is for recompute.py and repeat.R, which share no code with it.
func (r *Report) checkAgainst(tables map[string]report.Rows, compared bool) []report.Check {
	shares, c := report.NewCheck("Percentages match their counts"), report.NewCheck("Results computed again from the tables")
	v := reflect.ValueOf(r).Elem()
	report.Each(v, "", func(path string, s report.Share) {
		c := shares
		c.Compared++
		if s.Count < 0 || s.Count > s.N {
			c.Fault("%s: %d of %d", path, s.Count, s.N)
		}
		if s.N > 0 {
			c.Near(path, s.Value, float64(s.Count)/float64(s.N))
		}
	})
	report.Each(v, "", shares.Inside)
	again := &Report{tested: r.tested}
	runs, options := r.fromTables(c, tables)
	err := again.build(runs, options)
	if err == nil && compared {
		err = again.compare()
	}
	if err != nil {
		c.Fault("the tables give no report: %v", err)
		return []report.Check{*shares, *c}
	}
	if r.Usage == nil { // an earlier version had none
		again.Usage = nil
	}
	for i := range min(len(again.Runs), len(r.Runs)) { // an earlier version did not know all verdicts
		again.Runs[i].Verdicts = slices.DeleteFunc(again.Runs[i].Verdicts, func(v Share) bool {
			return v.Count == 0 && !slices.ContainsFunc(r.Runs[i].Verdicts, func(had Share) bool { return had.Name == v.Name })
		})
	}
	c.Same("", again, r, func(path string) bool {
		return !compared && (path == "/comparisons" || path == "/leaderboards") || r.untold(path)
	})
	for _, t := range again.tables()[:2] { // of runs and of tasks
		c.Rows(t, tables[t.Name], t.Name == "tasks", "run", "task")
	}
	return []report.Check{*shares, *c}
}

// untold reports whether the tables do not tell what is at a path: they have neither the benchmark nor what isolated
// the samples, and intervals are of the version that wrote the report.
func (r *Report) untold(path string) bool {
	steps := strings.Split(path, "/")[1:]
	switch steps[0] {
	case "benchmark", "checks":
		return true
	case "slices":
		if i, err := strconv.Atoi(steps[len(steps)-1]); err == nil && len(steps) == 2 && i < len(r.Slices) {
			return slices.ContainsFunc(strings.Split(r.Slices[i].By, ", "), func(field string) bool {
				return !slices.Contains([]string{"difficulty", "year", "published", "type", "category"}, field)
			})
		}
	}
	return slices.Contains([]string{"interval", "method", "metrics_on_these_tasks", "difference_on_these_tasks", "topics", "changed", "changed_tasks",
		"forgeable_verdicts", "repeated_calls", "to_review", "other_versions", "tasks_without_samples",
		"isolation", "enforcement", "interpreters", "libraries", "analysers", "rules"}, steps[len(steps)-1])
}

// fromTables returns the runs and options that the tables were made from, as far as numbers depend on them.
func (r *Report) fromTables(c *report.Check, tables map[string]report.Rows) ([]Results, Options) {
	o := Options{Title: r.Title, Filter: r.Filter, Reviewing: batch.Reviewing(r.Reviewing), K: r.K, AllPairs: !r.Selected, By: [][]string{}}
	for _, s := range r.Slices {
		o.By = append(o.By, strings.Split(s.By, ", "))
	}
	var runs []Results
	at := map[string]int{} // by the cell of the name
	for row := range tables["runs"] {
		name := row.Text("run")
		i := slices.IndexFunc(r.Runs, func(run Run) bool { return report.CSVCell(run.Name) == name })
		if _, twice := at[name]; i < 0 || twice {
			c.Fault("run %s is in the table of runs alone", name)
			continue
		}
		at[name] = len(runs)
		cutoff, _ := time.Parse(time.DateOnly, row.Text("training_cutoff")) // "": not known
		run := Results{Name: r.Runs[i].Name, Model: metadata(row.Text("model")), Prompt: metadata(row.Text("prompt")), Cutoff: cutoff, Unreviewed: row.Is("unreviewed_prompts"), Spent: report.SpentIn(row)}
		if row.Is("flags_known") {
			run.Generated, run.Flags, run.Flagged = whole(c, row, "generated"), map[string]int{}, map[string][]int{}
			for kind := range strings.SplitSeq(row.Text("outliers"), "; ") {
				if name, n, is := strings.Cut(kind, ": "); is {
					run.Flags[metadata(name)], _ = strconv.Atoi(n)
				}
			}
		}
		runs = append(runs, run)
	}
	if r.About != nil {
		o.Tasks = &benchmark.Benchmark{Name: r.About.Name}
		seen := map[string]bool{}
		for row := range tables["tasks"] {
			if id := row.Text("task"); !seen[id] {
				seen[id] = true
				o.Tasks.Tasks = append(o.Tasks.Tasks, taskIn(row))
			}
		}
	}
	for row := range tables["samples"] {
		i, known := at[row.Text("run")]
		if !known {
			c.Fault("run %s is in the table of samples alone", row.Text("run"))
			continue
		}
		run, sample := &runs[i], sampleIn(c, row)
		run.Rows = append(run.Rows, sample)
		if row.Is("flagged") && run.Flagged != nil {
			run.Flagged[sample.TaskID] = append(run.Flagged[sample.TaskID], sample.Sample)
		}
		l := Label{run.Name, sample.TaskID, sample.Sample, map[string]scoring.Known{"yes": scoring.Yes, "no": scoring.No}[row.Text("explanation")], scoring.Cause(row.Text("cause"))}
		if l.Explanation != scoring.Unknown || l.Cause != scoring.NoCause {
			o.Labels = append(o.Labels, l)
		}
	}
	return runs, o
}

// taskIn is the task of a row of the table of tasks.
func taskIn(row report.Row) benchmark.Task {
	t := benchmark.Task{ID: metadata(row.Text("task")), Difficulty: benchmark.Difficulty(metadata(row.Text("difficulty"))),
		Published: benchmark.Date(row.Text("published")), Type: metadata(row.Text("type")), Category: metadata(row.Text("category")), Topics: strings.Split(row.Text("topics"), "; ")}
	if rate := row.Number("human_pass_rate"); !math.IsNaN(rate) {
		t.HumanPassRate = &rate
	}
	return t
}

// sampleIn is the sample of a row of the table of samples.
func sampleIn(c *report.Check, row report.Row) batch.Row {
	s := batch.Row{TaskID: metadata(row.Text("task")), Sample: whole(c, row, "sample"), Verdict: verdicts.Verdict(row.Text("verdict")), PassedTests: whole(c, row, "passed"), TotalTests: whole(c, row, "total"),
		Resolution: outcomes.Outcome(row.Text("outcome")), Extraction: row.Text("extraction"), Loads: row.Is("loads"), Content: row.Text("content"), Task: row.Text("task_version"),
		CPUMS: int64(whole(c, row, "cpu_ms")), MemoryKB: int64(whole(c, row, "memory_kb"))}
	if row.Text("cyclomatic") == "" {
		return s
	}
	m := batch.Measures{Parses: row.Is("parses"), Cyclomatic: whole(c, row, "cyclomatic"), Cognitive: whole(c, row, "cognitive"), CodeLines: whole(c, row, "code_lines"), CommentLines: whole(c, row, "comment_lines"),
		CommentRate: row.Number("comment_rate"), Reliability: scoring.Rating(row.Text("reliability")), Security: scoring.Rating(row.Text("security")), By: ratingsIn(row.Text("by_analyser"))}
	if row.Text("parses") == "" { // an older version scored every text as a program
		m.CodeLines, m.Parses = max(m.CodeLines, 1), true
	}
	s.Measures = &m
	return s
}

// whole returns the whole number in a cell, 0 if the table does not have the column.
func whole(c *report.Check, row report.Row, column string) int {
	v := row.Number(column)
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return int(v)
	}
	if row.Has(column) {
		c.Fault("run %s, task %s: %s is %q", row.Text("run"), row.Text("task"), column, row.Text(column))
	}
	return 0
}
