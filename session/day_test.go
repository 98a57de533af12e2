package session

import "testing"

// Day leaves out practice and pauses; breaks come only before tasks.
func TestDay(t *testing.T) {
	plan := Plan{Rules: Rules{Breaks: &Breaks{Tasks: 2}}, Tasks: []PlanTask{{ID: "p", Practice: true}, {ID: "1"}, {ID: "2"}, {ID: "3"}, {ID: "4"}, {ID: "5"}}}
	st := tell(t, plan)
	at := func(later int64) Day {
		return st.s.Day(Stamp{Wall: st.mono + later, Mono: st.mono + later, Process: "p"})
	}
	if d := at(0); d.Tasks != 5 || d.Practice != 1 || d.Breaks != 2 || d.Attempts != 0 {
		t.Errorf("at the beginning: %+v", d)
	}
	st.work("").rated()
	if d := at(0); d.Done != 0 || d.Attempts != 0 || d.WorkedMS != 0 || d.PracticeDone != 1 {
		t.Errorf("after the practice: %+v", d)
	}
	st.work("").rated()
	first := at(0)
	if first.Done != 1 || first.Attempts != 1 || first.WorkedMS == 0 || first.PaceMS != first.WorkedMS || first.Breaks != 2 {
		t.Errorf("after a task: %+v", first)
	}
	st.do(Paused{Reason: "break"})
	st.mono += 60_000
	st.do(Resumed{Reason: "break"}).do(TaskOpened{Index: 2, Task: "2"})
	if d := at(5000); d.WorkedMS != first.WorkedMS+5000 || d.PaceMS != first.PaceMS {
		t.Errorf("in a task after a break: %+v, before it %+v", d, first)
	}
	st.do(TaskSkipped{Index: 2, Task: "2"})
	if d := at(0); d.Done != 1 || d.Skipped != 1 || d.PaceMS != first.PaceMS || d.Closed() != 2 {
		t.Errorf("after a task was left out: %+v", d)
	}
}

// A break after every second of five tasks gives two breaks; none comes at the end.
func TestBreaksLeft(t *testing.T) {
	for _, row := range []struct{ every, since, tasks, want int }{
		{2, 0, 5, 2}, {2, 1, 4, 2}, {2, 0, 4, 1}, {2, 2, 3, 2}, {2, 2, 1, 1}, {3, 0, 3, 0}, {1, 0, 3, 2}, {5, 1, 0, 0},
	} {
		s := New()
		s.Plan.Breaks, s.sinceBreak = &Breaks{Tasks: row.every}, row.since
		if got := s.breaksLeft(row.tasks); got != row.want {
			t.Errorf("every %d tasks, %d since the last break, %d to come: %d breaks, not %d", row.every, row.since, row.tasks, got, row.want)
		}
	}
	if s := New(); s.breaksLeft(9) != 0 {
		t.Error("breaks without a rule")
	}
}
