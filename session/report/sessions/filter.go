package sessions

import "assay/benchmark"

// restrict leaves out the tasks that the filter does not match, with everything that was recorded for them. It
// returns whether each task of the plan is kept.
func (b *Builder) restrict(f *folded) (kept []bool, err error) {
	s := f.state
	if kept, _, err = f.state.Matching(b.o.Filter, b.o.Texts); err != nil {
		return nil, err
	}
	tasks, times, spent := s.Tasks[:0:0], f.times[:0:0], f.spent[:0:0]
	for i := range s.Tasks {
		if kept[i] {
			f.planned = append(f.planned, i)
			tasks, times, spent = append(tasks, s.Tasks[i]), append(times, f.times[i]), append(spent, f.spent[i])
		}
	}
	s.Tasks, f.times, f.spent = tasks, times, spent
	return kept, nil
}

// noMatch returns an error if the filter matches no task of any session.
func (b *Builder) noMatch() error {
	var all []*benchmark.Task
	for i := range b.logs {
		if len(b.logs[i].state.Tasks) > 0 {
			return nil
		}
		_, tasks, err := b.logs[i].state.Matching(b.o.Filter, b.o.Texts)
		if err != nil {
			return err
		}
		all = append(all, tasks...)
	}
	if b.o.Filter.String() == "" {
		return nil
	}
	return b.o.Filter.NoMatch("no task of the sessions", all)
}
