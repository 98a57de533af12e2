package session

// Interval is the time between two consecutive events of a log. The intervals of a log partition its time.
type Interval struct {
	Task    int   // index of the open task, -1 between tasks
	Attempt int   // number of the open attempt, 0 between tasks
	Phase   Phase // the activity that the time was spent on
	Until   uint64
	MS      int64

	Comparing bool // the part of Review in which two answers are compared: from both answers to the pick

	// Overlays. Only paused and unobserved time is subtracted from durations.
	Paused     bool
	Unobserved bool // after a crash, or while the process was stopped: MS is an upper bound
	Blurred    bool // the terminal did not have the focus
	Idle       bool // there was no input for longer than the threshold
}

// Fold replays a log and divides its time into intervals. Within one process the monotonic clock measures;
// across processes only wall time is known, and the gap counts as paused if the session was paused, and
// otherwise as unobserved. So does the time in which a process was stopped.
func Fold(events []Event) (*State, []Interval, error) {
	s := New()
	intervals := make([]Interval, 0, len(events))
	for _, e := range events {
		if s.measures(e) {
			intervals = append(intervals, s.interval(e))
		}
		if err := s.Apply(e); err != nil {
			return nil, nil, err
		}
	}
	return s, intervals, nil
}

// measures reports whether the time from the state's last event to e belongs to the session.
func (s *State) measures(e Event) bool {
	_, renamed := e.Payload.(Renamed)
	return s.Seq > 0 && s.Phase != Ended && !renamed
}

// interval returns the time from the state's last event to e.
func (s *State) interval(e Event) Interval {
	iv := Interval{
		Task: s.Current, Phase: s.Phase, Until: e.Seq,
		Paused: s.Paused != "", Blurred: s.Blurred, Idle: s.Idle,
	}
	if iv.Phase == Pick {
		iv.Phase, iv.Comparing = Review, true // comparing two answers is reviewing them
	}
	if a := s.Attempt(); a != nil {
		iv.Attempt = a.N
	}
	if e.Process == s.Last.Process {
		iv.MS = e.Mono - s.Last.Mono
		if stopped, is := e.Payload.(Suspended); is && stopped.Frozen {
			iv.Unobserved = !iv.Paused
		}
	} else {
		iv.MS = max(0, e.Wall-s.Last.Wall)
		iv.Unobserved = !iv.Paused
	}
	return iv
}

// TaskTimes are the durations of one task, in milliseconds.
type TaskTimes struct {
	// Completion is the time from opening the task to the judgement in force, as in Miah & Zhu: writing
	// prompts, waiting, reviewing. It is 0 for a task without a judgement. WithoutModel excludes waiting.
	Completion   int64
	WithoutModel int64

	Phases map[Phase]int64 // measured time of each phase; Completion does not include Rate

	Paused     int64
	Unobserved int64 // an upper bound
	Blurred    int64 // part of the phases
	Idle       int64 // part of the phases; starts when the threshold has passed
}

// TimesOf sums up the intervals of every task, in the order of the plan, for the state that the same log
// folds to.
func TimesOf(s *State, intervals []Interval) []TaskTimes {
	times := make([]TaskTimes, len(s.Tasks))
	for i := range times {
		times[i].Phases = map[Phase]int64{}
	}
	for _, iv := range intervals {
		if iv.Task < 0 {
			continue
		}
		if s.Plan.Model.Provider == "paste" && iv.Phase == Wait {
			iv.Blurred = false // the tester is at the chat page, as intended
		}
		times[iv.Task].add(iv, standing(&s.Tasks[iv.Task]))
	}
	return times
}

// standing returns the sequence number of the judgement in force: the one that ended work on the task, or the
// last one; 0 if there is none.
func standing(t *Task) uint64 {
	var seq uint64
	for _, a := range t.Attempts {
		seq = max(seq, a.JudgedSeq)
	}
	return seq
}

func (t *TaskTimes) add(iv Interval, judged uint64) {
	switch {
	case iv.Paused:
		t.Paused += iv.MS
		return
	case iv.Unobserved:
		t.Unobserved += iv.MS
		return
	}
	t.Phases[iv.Phase] += iv.MS
	if iv.Blurred {
		t.Blurred += iv.MS
	}
	if iv.Idle {
		t.Idle += iv.MS
	}
	if iv.Until <= judged {
		t.Completion += iv.MS
		if iv.Phase != Wait {
			t.WithoutModel += iv.MS
		}
	}
}
