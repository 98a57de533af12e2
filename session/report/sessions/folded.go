package sessions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"assay/session"
)

// folded is one session without its events.
type folded struct {
	state   *session.State
	times   []session.TaskTimes
	spent   []map[int]attemptTimes // of each task, by the number of the attempt
	planned []int                  // index of each task in the session's plan
	header  Header
	tester  int    // which of the report's testers
	person  string // what the tester is called in tables
	prompts [][]wording
	ability *session.Ability // of an adaptive session
	human   passRates        // of the report's tasks
}

// passRates are the shares of people's submissions for tasks that were accepted, from 0 to 1, by what the tasks ask and test.
type passRates map[session.Ref]*float64

// humanPassRates reads what the stored tasks of the sessions say.
func humanPassRates(logs []folded, texts Texts) (passRates, error) {
	all := passRates{}
	for i := range logs {
		f := &logs[i]
		if f.withdrawn() {
			continue // its texts are gone
		}
		for i := range f.state.Tasks {
			content := f.state.Tasks[i].Content
			if _, read := all[content]; read || content == "" || texts == nil {
				continue
			}
			var task struct {
				HumanPassRate *float64 `json:"human_pass_rate"`
			}
			text, err := texts(content)
			if err == nil && len(text) > 0 { // simulated sessions have no texts
				err = json.Unmarshal(text, &task)
			}
			if err != nil {
				return nil, fmt.Errorf("session %s: the task %q cannot be read from the store: %w", clean(f.state.Session), clean(f.state.Tasks[i].ID), err)
			}
			all[content] = task.HumanPassRate
		}
	}
	return all, nil
}

// humanPassRate returns the share of people's submissions for the task that were accepted, nil where it is not known.
func (r result) humanPassRate() *float64 { return r.in.human[r.Content] }

func header(s *session.State) Header {
	status := cmp.Or(s.Closed, "open")
	p := s.Plan
	kind, feedback, reveals := kindOf(p)
	h := Header{
		Kind: kind, Feedback: feedback, Reveals: reveals,
		ID: clean(s.Session), Imported: s.Origin == session.Imported, Status: clean(status),
		Benchmark: clean(p.Benchmark), Filter: clean(p.Filter),
		Model: clean(p.Model.Name), Provider: clean(p.Model.Provider), ModelID: clean(p.Model.Model), Definition: clean(p.Model.Definition), Recorded: p.Model.Recorded,
		K: p.K, Level: p.Level, Context: clean(string(p.Context)), Seed: p.Seed,
		Tester: clean(p.Tester), Criterion: clean(p.Criterion), Suffix: clean(p.Suffix), Reference: p.Reference, IdleMS: p.IdleMS,
		Tests: string(cmp.Or(p.Tests, session.SeeTests)), Study: studyOf(s),
		Sandbox: clean(s.Env.Sandbox), Consent: clean(s.Env.Consent), Assay: clean(s.Env.Assay),
		OS: clean(s.Env.OS), Terminal: clean(s.Env.Terminal),
		Began: writable(s.First.Time()), Last: writable(s.Last.Time()), Events: s.Seq, Hash: s.Hash,
		Flags: []string{}, Reported: []string{}, Enforced: []string{}, Analysers: []string{},
	}
	for _, f := range s.Flags {
		h.Flags = append(h.Flags, clean(f))
	}
	note := func(list *[]string, text string) {
		if text = clean(text); text != "" && !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for i := range s.Tasks {
		for _, a := range s.Tasks[i].Attempts {
			for _, answer := range a.Received() {
				note(&h.Reported, answer.Model)
			}
			if a.Verdict != nil {
				note(&h.Enforced, a.Verdict.Enforcement)
			}
			if a.Reflection != nil && a.Reflection.Answer != nil {
				note(&h.Reported, a.Reflection.Answer.Model)
				h.Reflections++
			}
			if a.Measured != nil {
				note(&h.Analysers, a.Measured.Analyser)
			}
		}
	}
	return h
}

func studyOf(s *session.State) Study {
	in := s.Plan.Study
	if in == nil {
		return Study{}
	}
	return Study{clean(in.Name), in.Version, clean(in.Hash), clean(in.Arm), in.Tester, in.Part, in.Shown != "", clean(s.Consented), clean(in.Unblinded)}
}

func (f *folded) withdrawn() bool { return f.state.Closed == "withdrawn" }

// analysable reports whether a task enters the results.
func analysable(t *session.Task) bool { return t.Closed && t.Outcome != session.Skipped && !t.Practice }

// results returns the tasks that enter the results. A withdrawn session has none.
func (f *folded) results() []result {
	if f.withdrawn() {
		return nil
	}
	var all []result
	for i := range f.state.Tasks {
		t := &f.state.Tasks[i]
		if !analysable(t) {
			continue
		}
		r := result{Task: t, in: f, times: f.times[i], index: i, attempts: len(t.Attempts), happy: t.Outcome == session.Satisfied}
		r.counted = r.attempts
		if !r.happy {
			r.counted = f.state.Plan.K
		}
		all = append(all, r)
	}
	return all
}

func (f *folded) count() Counts {
	c := Counts{Planned: len(f.state.Tasks)}
	for i := range f.state.Tasks {
		switch t := &f.state.Tasks[i]; {
		case f.state.PassedOver(t):
			c.Planned--
		case t.Practice:
			c.Practice++
		case f.withdrawn():
			c.Withdrawn++
		case t.Outcome == session.Satisfied:
			c.Satisfied++
		case t.Outcome == session.GaveUp:
			c.GaveUp++
		case t.Outcome == session.Exhausted:
			c.Exhausted++
		case t.Outcome == session.Skipped:
			c.Skipped++
		case t.Opened:
			c.Unfinished++
		default:
			c.NotOpened++
		}
	}
	c.Analysed = c.Satisfied + c.GaveUp + c.Exhausted
	for _, r := range f.results() {
		if r.times.Unobserved > 0 {
			c.Unobserved++
		}
	}
	return c
}

func (e *Events) add(f *folded) {
	e.Events += int(f.state.Seq)
	e.Failures += f.header.Failures
	e.Interruptions += f.header.Interruptions
	e.Reflections += f.header.Reflections
	for i := range f.state.Tasks {
		t := &f.state.Tasks[i]
		if f.header.automatic() && t.Outcome == session.Skipped && !t.Practice && len(t.Attempts) > 1 {
			e.Abandoned++
		}
		for j := range t.Attempts {
			if a := t.Attempts[j].Answer; a != nil && a.Truncated() != "" {
				e.Truncated++
			}
			if a := t.Attempts[j].Answer; a != nil && a.PromptCut {
				e.Cut++
			}
			switch {
			case t.Attempts[j].Decision == "":
				e.Unjudged++
			case analysable(t) && !f.withdrawn():
				e.Judged++
			}
		}
	}
}

// writable returns a time that JSON can represent: a log may have been edited.
func writable(t time.Time) time.Time {
	if y := t.Year(); y < 0 || y > 9999 {
		return time.Time{}
	}
	return t
}

// same is the key of a task: its text and tests, if they are known.
func (r result) same() string {
	return clean(r.in.header.Benchmark) + "\x00" + r.ID + "\x00" + string(r.Content)
}

// attemptTimes are the milliseconds of one attempt.
type attemptTimes struct {
	phases             map[session.Phase]int64
	paused, unobserved int64
	comparing          int64 // part of the review
}

// kindOf returns the kind of a session's tester, with the policy of a program.
func kindOf(p session.Plan) (kind, feedback string, reveals bool) {
	if p.Automatic == nil {
		return human, "", false
	}
	return automatic, clean(string(p.Automatic.Feedback)), p.Automatic.Reveals
}
