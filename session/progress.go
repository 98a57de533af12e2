package session

import "fmt"

// Progress counts the tasks of a session. All counts shown to people come from here: Done, Skipped and
// Tasks exclude practice tasks.
type Progress struct {
	Tasks        int `json:"tasks"`   // in the plan; of an adaptive test, at most
	Done         int `json:"done"`    // closed with a result
	Skipped      int `json:"skipped"` // closed without a result
	Practice     int `json:"practice,omitempty"`
	PracticeDone int `json:"practice_done,omitempty"`

	// Most is the largest number of tasks of an adaptive test that goes on; 0 for other sessions, and when the
	// test has ended.
	Most int `json:"at_most,omitempty"`
}

// Count adds a task of the plan.
func (p *Progress) Count(practice, closed bool, outcome Outcome) {
	switch {
	case practice:
		p.Practice++
		if closed {
			p.PracticeDone++
		}
		return
	case closed && outcome == Skipped:
		p.Skipped++
	case closed:
		p.Done++
	}
	p.Tasks++
}

// Progress counts the tasks of the session. A practice task that has to be repeated is not done.
func (s *State) Progress() Progress {
	p := s.ProgressOf(nil)
	if s.Plan.Adaptive != nil {
		p.Adapt(s.Plan.Longest(), s.testEnded())
	}
	return p
}

// ProgressOf counts the tasks that match; nil: all of them, of an adaptive test the whole pool.
func (s *State) ProgressOf(matches []bool) Progress {
	var p Progress
	for i := range s.Tasks {
		if matches != nil && !matches[i] {
			continue
		}
		t := &s.Tasks[i]
		p.Count(t.Practice, t.Closed && s.Plan.Gate.passed(t), t.Outcome)
	}
	return p
}

// Adapt makes the counted tasks, which are the pool of an adaptive test, those of the test: at most its longest, and
// when it has ended those that were closed.
func (p *Progress) Adapt(longest int, ended bool) {
	p.Tasks, p.Most = longest, longest
	if ended {
		p.Tasks, p.Most = p.Closed(), 0
	}
}

// whole names the number of tasks: "19", or "at most 20".
func (p Progress) whole() string {
	if p.Most > 0 {
		return fmt.Sprintf("at most %d", p.Most)
	}
	return fmt.Sprint(p.Tasks)
}

// Share returns the number of closed tasks in a few columns: "3 of 3", or "3 of 3, 1 left out".
func (p Progress) Share() string {
	text := fmt.Sprintf("%d of %s", p.Closed(), p.whole())
	if p.Skipped > 0 {
		text += fmt.Sprintf(", %d left out", p.Skipped)
	}
	return text
}

// Closed returns the number of closed tasks, with or without a result.
func (p Progress) Closed() int { return p.Done + p.Skipped }

// Place names the open or next task: "task 2 of 19", "practice 1 of 2, not counted". If there is none it is
// the number of closed tasks.
func (p Progress) Place() string {
	switch {
	case p.PracticeDone < p.Practice && p.Practice == 1:
		return "practice, not counted"
	case p.PracticeDone < p.Practice:
		return fmt.Sprintf("practice %d of %d, not counted", p.PracticeDone+1, p.Practice)
	case p.Closed() < p.Tasks:
		return fmt.Sprintf("task %d of %s", p.Closed()+1, p.whole())
	}
	return p.String()
}

// String returns the number of closed tasks: "2 of 19 tasks done".
func (p Progress) String() string {
	if p.Tasks == 1 {
		return fmt.Sprintf("%d of %s task done", p.Closed(), p.whole())
	}
	return fmt.Sprintf("%d of %s tasks done", p.Closed(), p.whole())
}
