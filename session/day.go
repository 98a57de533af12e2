package session

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
