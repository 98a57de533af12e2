package sessions

import (
	"encoding/json"
	"errors"
	"fmt"

	"assay/benchmark"
	"assay/session"
)

// restrict leaves out the tasks that the filter does not match, with everything that was recorded for them. It
// returns whether each task of the plan is kept.
func (b *Builder) restrict(f *folded) (kept []bool, err error) {
	s := f.state
	kept = make([]bool, len(s.Tasks))
	if b.o.Filter.String() != "" && s.Plan.Adaptive != nil {
		return nil, errors.New("an adaptive test chose its tasks one after the other, and its ability is of all of them: report it without a filter")
	}
	tasks, times, spent := s.Tasks[:0:0], f.times[:0:0], f.spent[:0:0]
	for i := range s.Tasks {
		t, err := b.taskOf(&s.Tasks[i].PlanTask)
		if err != nil {
			return nil, err
		}
		if kept[i] = b.o.Filter.Match(t); kept[i] {
			f.planned = append(f.planned, i)
			tasks, times, spent = append(tasks, s.Tasks[i]), append(times, f.times[i]), append(spent, f.spent[i])
		}
	}
	s.Tasks, f.times, f.spent = tasks, times, spent
	return kept, nil
}

// taskOf returns a task as the session stored it, or the metadata of the plan where nothing is stored.
func (b *Builder) taskOf(p *session.PlanTask) (*benchmark.Task, error) {
	t := &benchmark.Task{ID: p.ID, Title: p.Title, Difficulty: p.Difficulty, Type: p.Type, Category: p.Category}
	if b.o.Filter.String() == "" || p.Content == "" || b.o.Texts == nil {
		return t, nil
	}
	text, err := b.o.Texts(p.Content)
	if err == nil {
		err = json.Unmarshal(text, t)
	}
	if err != nil {
		return nil, fmt.Errorf("the task %q is not stored as a filter needs it: %w", clean(p.ID), err)
	}
	return t, nil
}
