package batch

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/data/disk"
	"assay/scoring"
)

// Comparison compares two evaluations of the same tasks.
type Comparison struct {
	Metrics []ComparedMetric
	Splits  []Split // of the differences in the first metric

	// Tasks that are left out: those that only one evaluation has, and those without metrics in
	// either because of sandbox errors.
	OnlyFirst, OnlySecond, Withheld []string

	// Unknown are the metrics that need all test cases, where samples were only judged up to the
	// first that failed.
	Unknown []string

	// Changed are the tasks whose text, tests or library differ between the two. They are
	// compared anyway.
	Changed []string

	// Reviewing is how resolved answers counted that a person has to look at.
	Reviewing Reviewing

	Answer *Answer // nil: not asked for
}

// ComparedMetric is a metric of both evaluations, over their common tasks.
type ComparedMetric struct {
	scoring.SampleMetric
	First, Second Metric
	Difference    scoring.Difference // of the first minus the second
}

// ReadResults reads the results of an evaluation, from its directory or the file in it. It
// ignores a last line that a crash cut off.
func ReadResults(path string) ([]Row, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("reading results: %w", err)
	} else if info.IsDir() {
		path = filepath.Join(path, ResultsName)
	}
	f, err := disk.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading results: %w; `assay eval … --out DIRECTORY` writes them", err)
	}
	defer f.Close()
	r := &results{path: path, old: map[key]Row{}, all: true}
	if err := r.readOld(f); err != nil {
		return nil, err
	}
	rows := slices.Collect(maps.Values(r.old))
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.TaskID, b.TaskID), cmp.Compare(a.Sample, b.Sample))
	})
	return rows, nil
}

// KeepResults writes results into a directory, in place of those that are there.
func KeepResults(dir string, rows []Row) error {
	if err := disk.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the directory for results: %w", err)
	}
	return disk.Replace(filepath.Join(dir, ResultsName), 0o644, func(w io.Writer) error {
		lines := json.NewEncoder(w)
		for _, r := range rows {
			if err := lines.Encode(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// Summarize returns the summary of results, with pass@k for each k; none: 1.
func Summarize(rows []Row, b *benchmark.Benchmark, ks []int) *Summary {
	if len(ks) == 0 {
		ks = []int{1}
	}
	known, _ := taskHashes(b)
	s := tallied(rows, known).summary(ks, nil)
	s.Planned = s.Samples
	return s
}

// Choose returns the results of the tasks that a filter chooses. It is an error if there are none.
func Choose(rows []Row, b *benchmark.Benchmark, f benchmark.Filter) ([]Row, error) {
	known, _ := taskHashes(b)
	var chosen []Row
	var answered []*benchmark.Task
	for _, r := range rows {
		t := known[r.TaskID]
		if t == nil {
			continue
		}
		if len(answered) == 0 || answered[len(answered)-1] != t {
			answered = append(answered, t)
		}
		if f.Match(t) {
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 0 {
		return nil, f.NoMatch(fmt.Sprintf("no task of %q with results", b.Name), answered)
	}
	return chosen, nil
}

// CompareOptions are the options of a comparison.
type CompareOptions struct {
	Reviewing Reviewing // how resolved answers count that a person has to look at; "": as resolved

	K       []int
	Tasks   *benchmark.Benchmark // nil: only the ids of the tasks are known
	By      [][]string           // the fields to split by
	Cluster string               // the field whose values form clusters of tasks; "": no clusters
}

func (o *CompareOptions) known() map[string]*benchmark.Task {
	if o.Tasks == nil {
		return map[string]*benchmark.Task{}
	}
	known, _ := taskHashes(o.Tasks)
	return known
}

// difference compares the two by the values of their tasks.
func (o *CompareOptions) difference(known map[string]*benchmark.Task, first, second map[string]scoring.TaskValue) (scoring.Difference, error) {
	if o.Cluster == "" {
		return scoring.PairedDifference(first, second, nil)
	}
	return scoring.PairedDifference(first, second, func(id string) string {
		if t := known[id]; t != nil {
			return FieldsOf(t)[o.Cluster]
		}
		return ""
	})
}

// Compare compares two evaluations, task by task. It is an error if they have no task in common,
// or if a task has fewer samples than a k.
func Compare(first, second []Row, o CompareOptions) (*Comparison, error) {
	known := o.known()
	c := &Comparison{Reviewing: o.Reviewing}
	first, second = o.Reviewing.Apply(first), o.Reviewing.Apply(second)
	a, b := tallied(first, known), tallied(second, known)
	for _, t := range []*tally{a, b} {
		for id, task := range t.tasks {
			if task.unsolved > 0 {
				c.Withheld = append(c.Withheld, id)
			}
		}
	}
	c.Changed = changed(first, second)
	slices.Sort(c.Withheld)
	c.Withheld = slices.Compact(c.Withheld)
	for i, m := range scoring.SampleMetrics(o.K) {
		if m.AllCases() && (a.stopped() > 0 || b.stopped() > 0) {
			c.Unknown = append(c.Unknown, m.Name())
			continue
		}
		va, err := a.values(m, c.Withheld)
		if err != nil {
			return nil, fmt.Errorf("%s of the first: %w", m.Name(), err)
		}
		vb, err := b.values(m, c.Withheld)
		if err != nil {
			return nil, fmt.Errorf("%s of the second: %w", m.Name(), err)
		}
		d, err := o.difference(known, va, vb)
		if err != nil {
			return nil, err
		}
		c.OnlyFirst, c.OnlySecond = d.OnlyFirst, d.OnlySecond
		compared := ComparedMetric{SampleMetric: m, Difference: d}
		var xa, xb []scoring.TaskValue
		for _, id := range slices.Sorted(maps.Keys(va)) {
			if other, common := vb[id]; common {
				xa, xb = append(xa, va[id]), append(xb, other)
			}
		}
		if compared.First, err = scoring.MeanOverTasks(xa); err != nil {
			return nil, err
		}
		if compared.Second, err = scoring.MeanOverTasks(xb); err != nil {
			return nil, err
		}
		c.Metrics = append(c.Metrics, compared)
		for _, names := range o.By {
			if i > 0 {
				break
			}
			s, err := o.split(m.Name(), names, known, va, vb)
			if err != nil {
				return nil, err
			}
			c.Splits = append(c.Splits, *s)
		}
	}
	return c, nil
}

// split compares the two within each group of tasks.
func (o *CompareOptions) split(name string, by []string, tasks map[string]*benchmark.Task, first, second map[string]scoring.TaskValue) (*Split, error) {
	type group struct {
		keys          []string
		first, second map[string]scoring.TaskValue
	}
	groups := map[string]*group{}
	for id := range first {
		if _, common := second[id]; !common {
			continue
		}
		keys := make([]string, len(by))
		if t := tasks[id]; t != nil {
			for i, field := range by {
				keys[i] = FieldsOf(t)[field]
			}
		}
		at := strings.Join(keys, "\x00")
		if groups[at] == nil {
			groups[at] = &group{keys, map[string]scoring.TaskValue{}, map[string]scoring.TaskValue{}}
		}
		groups[at].first[id], groups[at].second[id] = first[id], second[id]
	}
	s := &Split{Metric: name, By: by}
	for _, at := range slices.Sorted(maps.Keys(groups)) {
		g := groups[at]
		d, err := o.difference(tasks, g.first, g.second)
		if err != nil {
			return nil, err
		}
		s.Cells = append(s.Cells, scoring.Cell{Keys: g.keys, Metric: d.Metric, Few: d.N < scoring.FewTasks})
	}
	slices.SortStableFunc(s.Cells, byFields(by))
	return s, nil
}

// changed lists the tasks whose hash is not the same in both.
func changed(first, second []Row) []string {
	versions := map[string]map[string]bool{}
	for _, r := range slices.Concat(first, second) {
		if r.Task == "" {
			continue // written by an earlier version
		}
		if versions[r.TaskID] == nil {
			versions[r.TaskID] = map[string]bool{}
		}
		versions[r.TaskID][r.Task] = true
	}
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(versions)) {
		if len(versions[id]) > 1 {
			ids = append(ids, id)
		}
	}
	return ids
}

func tallied(rows []Row, tasks map[string]*benchmark.Task) *tally {
	t := newTally(tasks)
	for _, r := range rows {
		t.add(r)
	}
	return t
}

// values returns a metric of all tasks that have one, without some tasks.
func (t *tally) values(metric scoring.SampleMetric, without []string) (map[string]scoring.TaskValue, error) {
	all := map[string]scoring.TaskValue{}
	for id, task := range t.tasks {
		if task.judged == 0 || task.unsolved > 0 || slices.Contains(without, id) {
			continue
		}
		v, err := metric.Of(task.accepted, task.cases)
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", id, err)
		}
		all[id] = v
	}
	return all, nil
}
