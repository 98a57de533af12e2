package evaluations

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark/batch"
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

// ReadLabels reads labels from CSV with the columns run, task, sample, explanation
// ("yes", "no" or empty) and cause ("code", "understanding" or empty).
func ReadLabels(in io.Reader) ([]Label, error) {
	lines := csv.NewReader(in)
	head, err := lines.Read()
	if err != nil || !slices.Equal(head, labelColumns()) {
		return nil, fmt.Errorf("labels have the columns %s, in a first line that names them", strings.Join(labelColumns(), ","))
	}
	var all []Label
	for {
		cells, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading labels: %w", err)
		}
		line, _ := lines.FieldPos(0)
		l := Label{Run: document.Clean(cells[0]), Task: cells[1]}
		if l.Sample, err = strconv.Atoi(cells[2]); err != nil || l.Sample < 0 {
			return nil, fmt.Errorf("labels, line %d: the sample is %q; samples are numbered from 0 within their task", line, cells[2])
		}
		explained, known := map[string]scoring.Known{"": scoring.Unknown, "no": scoring.No, "yes": scoring.Yes}[cells[3]]
		if !known {
			return nil, fmt.Errorf("labels, line %d: the explanation is %q; it is yes, no, or empty", line, cells[3])
		}
		cause, known := map[string]scoring.Cause{"": scoring.NoCause, "code": scoring.CodeProblem, "understanding": scoring.UnderstandingProblem}[cells[4]]
		if !known {
			return nil, fmt.Errorf("labels, line %d: the cause is %q; it is code, understanding, or empty", line, cells[4])
		}
		l.Explanation, l.Cause = explained, cause
		all = append(all, l)
	}
}

// WriteLabels writes labels as [ReadLabels] reads them.
func WriteLabels(out io.Writer, labels []Label) error {
	rows := [][]string{labelColumns()}
	for _, l := range labels {
		rows = append(rows, []string{l.Run, l.Task, strconv.Itoa(l.Sample), [...]string{"", "no", "yes"}[l.Explanation], strings.TrimSuffix(string(l.Cause), " problem")})
	}
	return csv.NewWriter(out).WriteAll(rows)
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
