package session

// Day is how far the work of a session has come, for its tester: practice is not part of it.
type Day struct {
	Progress
	Attempts int   // answers received
	WorkedMS int64 // time that counts, on closed tasks and the open one
	PaceMS   int64 // time that counts, for each closed task that has a result; 0 without one
	Breaks   int   // that the study still has between the tasks to come
}

// Day sums the session up at that moment.
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

// breaksLeft counts the breaks that stand between so many tasks to come: after the last
// task there is none.
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
