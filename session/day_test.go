package session

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/data/fatal"
)

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

// What was done since a moment grows with the span: since the beginning it is all that the session counts, nothing in
// the future, never more than the span has room for, and the parts of two neighbouring spans add up.
func TestDoneSince(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log, s := anyLog(t)
		s.Plan.Clock = ""
		since := func(wall int64) Done {
			d, err := DoneSince(log, time.UnixMilli(wall))
			fatal.If(t, err)
			return d
		}
		first, last := log[0].Wall, log[len(log)-1].Wall
		var worked int64
		for _, task := range s.Tasks {
			if !task.Practice {
				worked += task.worked
			}
		}
		if all := since(first); all.Tasks != s.Progress().Done || log[0].Payload.(Opened).Plan.Clock != ClockHidden && all.WorkedMS != worked {
			t.Fatalf("since the beginning %+v, in the session %d tasks and %d ms", all, s.Progress().Done, worked)
		}
		if none := since(last + 1); none != (Done{}) {
			t.Fatalf("after the end: %+v", none)
		}
		a := rapid.Int64Range(first, last).Draw(t, "from")
		b := rapid.Int64Range(a, last).Draw(t, "later")
		if long, short := since(a), since(b); long.Tasks < short.Tasks || long.WorkedMS < short.WorkedMS || long.WorkedMS-short.WorkedMS > b-a {
			t.Fatalf("since %d %+v, since %d %+v", a, long, b, short)
		}
	})
}
