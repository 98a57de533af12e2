package session

import "time"

// Day is the tester's progress in a session, without practice.
type Day struct {
	Progress
	Attempts int   // answers received
	WorkedMS int64 // counted time, on closed tasks and the open one
	PaceMS   int64 // counted time for each closed task with a result; 0 if there is none
	Breaks   int   // the breaks that remain among the coming tasks
}

// Day sums up the session at the given time.
func (s *State) Day(now Stamp) Day {
	d := Day{Progress: s.Progress()}
	var closed int64
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.Practice {
			continue
		}
		for _, a := range t.Attempts {
			if a.Answer != nil {
				d.Attempts++
			}
		}
		worked := t.worked
		if i == s.Current {
			worked = s.Worked(now)
		} else if t.Closed && t.Outcome != Skipped {
			closed += worked
		}
		d.WorkedMS += worked
	}
	if d.Done > 0 {
		d.PaceMS = closed / int64(d.Done)
	}
	d.Breaks = s.breaksLeft(d.Tasks - d.Closed())
	return d
}

// breaksLeft counts the breaks among the coming tasks; there is none after the last task.
func (s *State) breaksLeft(tasks int) int {
	b := s.Plan.Breaks
	if b == nil || tasks == 0 {
		return 0
	}
	next := max(0, b.Tasks-s.sinceBreak) // tasks before the next break
	if tasks <= next {
		return 0
	}
	return 1 + (tasks-next-1)/b.Tasks
}

// Done is what was done in a span of time, without practice.
type Done struct {
	Tasks    int   // closed with a result
	WorkedMS int64 // counted time in the span; 0 in a session whose study hides the clock
	PaceMS   int64 // counted time of those tasks, with what lies before the span
}

// Plus adds what was done in another session.
func (d Done) Plus(o Done) Done {
	return Done{d.Tasks + o.Tasks, d.WorkedMS + o.WorkedMS, d.PaceMS + o.PaceMS}
}

// DoneSince returns what a log tells to have been done since a moment. Of an interval that began before, the part
// since then counts; a task that was corrected since then, but closed before, does not.
func DoneSince(events []Event, from time.Time) (Done, error) {
	s, since := New(), from.UnixMilli()
	var d Done
	var before []bool // the tasks that were closed with a result
	for _, e := range events {
		if e.Wall < since {
			before = nil
		} else if before == nil {
			before = s.results()
		}
		if t := s.Task(); s.measures(e) && t != nil && !t.Practice {
			if iv := s.interval(e); !iv.Paused && !iv.Unobserved {
				d.WorkedMS += max(0, min(iv.MS, e.Wall-since))
			}
		}
		if err := s.Apply(e); err != nil {
			return Done{}, err
		}
	}
	for i, closed := range s.results() {
		if before != nil && closed && (i >= len(before) || !before[i]) {
			d.Tasks++
			d.PaceMS += s.Tasks[i].worked
		}
	}
	if s.Plan.Clock == ClockHidden {
		d.WorkedMS, d.PaceMS = 0, 0
	}
	return d, nil
}

// results tells which tasks are closed with a result, without practice.
func (s *State) results() []bool {
	list := make([]bool, len(s.Tasks))
	for i, t := range s.Tasks {
		list[i] = t.Closed && t.Outcome != Skipped && !t.Practice
	}
	return list
}
