package evaluations

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/data/table"
	"assay/scoring"
	"assay/session/report/document"
)

// Label is a person's judgement of one sample, as in Su et al.
type Label struct {
	Run, Task   string
	Sample      int           // within the task, from 0
	Explanation scoring.Known // accurate and complete
	Cause       scoring.Cause // of an incorrect sample
}

// sampleID identifies a sample of a run.
type sampleID struct {
	task   string
	sample int
}

// labelColumns returns the columns of a file of labels.
func labelColumns() []string { return []string{"run", "task", "sample", "explanation", "cause"} }

// ReadLabels reads labels from a table with the columns run, task, sample, explanation
// ("yes", "no" or empty) and cause ("code", "understanding" or empty).
func ReadLabels(in io.Reader, name string) ([]Label, error) {
	rows, err := table.Read(in, name, labelColumns()...)
	if err != nil {
		return nil, err
	}
	var all []Label
	for _, r := range rows.Rows {
		l := Label{Run: document.Clean(r.Text("run")), Task: r.Text("task")}
		if l.Sample, err = r.Integer("sample", 0, math.MaxInt32); err != nil {
			return nil, fmt.Errorf("%w: samples are numbered from 0 within their task", err)
		}
		var known bool
		if l.Explanation, known = (map[string]scoring.Known{"": scoring.Unknown, "no": scoring.No, "yes": scoring.Yes})[r.Text("explanation")]; !known {
			return nil, r.Fault("explanation", "%q is not yes, no, or empty", r.Text("explanation"))
		}
		if l.Cause, known = (map[string]scoring.Cause{"": scoring.NoCause, "code": scoring.CodeProblem, "understanding": scoring.UnderstandingProblem})[r.Text("cause")]; !known {
			return nil, r.Fault("cause", "%q is not code, understanding, or empty", r.Text("cause"))
		}
		all = append(all, l)
	}
	return all, nil
}

// WriteLabels writes labels as [ReadLabels] reads them.
func WriteLabels(out io.Writer, labels []Label) error {
	rows := [][]string{labelColumns()}
	for _, l := range labels {
		rows = append(rows, []string{l.Run, l.Task, strconv.Itoa(l.Sample), [...]string{"", "no", "yes"}[l.Explanation], strings.TrimSuffix(string(l.Cause), " problem")})
	}
	return csv.NewWriter(out).WriteAll(rows)
}

// LabelsOf returns the labels that a report of the tasks that a filter matches has: all but those of other tasks of b.
func LabelsOf(labels []Label, b *benchmark.Benchmark, filter benchmark.Filter) []Label {
	if b == nil || filter.String() == "" {
		return labels
	}
	others := map[string]bool{}
	for i := range b.Tasks {
		others[b.Tasks[i].ID] = !filter.Match(&b.Tasks[i])
	}
	return slices.DeleteFunc(slices.Clone(labels), func(l Label) bool { return others[l.Task] })
}

// takeLabels assigns each label to its run. A label of an unknown sample is an error: a typing mistake would
// otherwise lose it.
func (r *Report) takeLabels(labels []Label) error {
	for _, l := range labels {
		i := slices.IndexFunc(r.given, func(g given) bool { return g.Name == l.Run })
		if i < 0 {
			return fmt.Errorf("a label is of the run %q, which is not reported", l.Run)
		}
		g, id := &r.given[i], sampleID{l.Task, l.Sample}
		at, known := g.index[l.Task]
		if !known || !slices.ContainsFunc(g.of[at], func(row batch.Row) bool { return row.Sample == l.Sample }) {
			return fmt.Errorf("a label is of sample %d of task %q, which %s does not have", l.Sample, document.Clean(l.Task), l.Run)
		}
		if _, twice := g.labels[id]; twice {
			return fmt.Errorf("sample %d of task %q has two labels in %s", l.Sample, document.Clean(l.Task), l.Run)
		}
		g.labels[id] = l
		r.Six.Labelled = true
	}
	return nil
}
