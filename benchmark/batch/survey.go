package batch

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/format"
)

// survey reads the whole file and counts the samples of each task, and those without an answer by the reason.
func (o *Options) survey(tasks map[string]*benchmark.Task) (counts map[string]int, total int, absent map[string]int, err error) {
	samples, err := o.open()
	if err != nil {
		return nil, 0, nil, err
	}
	defer samples.Close()
	counts, absent = map[string]int{}, map[string]int{}
	for {
		s, err := samples.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, 0, nil, err
		}
		chosen, err := o.chosen(tasks, s.TaskID, s.Path, s.Line)
		if err != nil {
			return nil, 0, nil, err
		}
		if chosen {
			counts[s.TaskID]++
			total++
		}
	}
	for _, a := range samples.Absent() {
		chosen, err := o.chosen(tasks, a.TaskID, a.Path, a.Line)
		if err != nil {
			return nil, 0, nil, err
		}
		if chosen {
			absent[a.Why]++
		}
	}
	switch {
	case total == 0 && len(absent) > 0:
		return nil, 0, nil, fmt.Errorf("%s has no answer: %s", o.Samples, AbsentWords(absent))
	case total == 0 && o.Filter.String() != "":
		return nil, 0, nil, fmt.Errorf("%s has no sample of a task that the filter %q chooses", o.Samples, o.Filter)
	}
	if o.Sampled != nil {
		var sampled []*benchmark.Task
		for _, t := range o.Benchmark.Pointers() {
			if counts[t.ID] > 0 {
				sampled = append(sampled, t)
			}
		}
		o.Sampled(sampled)
	}
	return counts, total, absent, nil
}

// chosen reports whether the filter chooses a sample's task, which must be known. It chooses no task that is left out,
// since that has no fields: such samples are told of where all tasks are chosen.
func (o *Options) chosen(tasks map[string]*benchmark.Task, id, path string, line int) (bool, error) {
	if tasks[id] == nil && o.Benchmark.FaultOf(id) != nil {
		return o.Filter.String() == "", nil
	}
	if tasks[id] == nil {
		return false, &format.LineError{Path: path, Line: line, Field: "task_id",
			Text: fmt.Sprintf("there is no task %q: name the file of tasks that these samples were made for", id)}
	}
	return o.Filter.Match(tasks[id]), nil
}

// AbsentWords tells how many samples have no answer, and why, the most frequent reason first.
func AbsentWords(absent map[string]int) string {
	total, reasons := 0, slices.SortedFunc(maps.Keys(absent), func(a, b string) int {
		return cmp.Or(cmp.Compare(absent[b], absent[a]), cmp.Compare(a, b))
	})
	for i, why := range reasons {
		total += absent[why]
		if len(reasons) > 1 {
			reasons[i] = fmt.Sprintf("%s: %d", why, absent[why])
		}
	}
	verb := "samples are"
	if total == 1 {
		verb = "sample is"
	}
	return fmt.Sprintf("%d %s missing: %s", total, verb, strings.Join(reasons, "; "))
}
