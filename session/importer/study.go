package importer

import (
	"assay/benchmark"
	"assay/session"
)

// Study is one tester's work on some tasks, as another program recorded it.
type Study struct {
	Warnings   []string            // what is read otherwise than it is written, or is not known
	K          int                 // attempts allowed for each task
	Began      int64               // Unix milliseconds; 0 if not known
	Tasks      []Task              // in working order
	Attributes []session.Attribute // none if nothing is rated
}

// Task is a task with what was done for it.
type Task struct {
	ID, Title, Set, Type string
	Difficulty           benchmark.Difficulty
	Satisfied            bool
	Attempts             []Attempt      // none if the task was skipped
	Ratings              map[string]int // of a task with attempts: a score for each of the study's attributes
}

// Attempt is a prompt with its answer.
type Attempt struct {
	MS             int64  // of the whole attempt, to its judgement
	Prompt, Answer string // "" if not known

	Verdict       string // by tests; "" if not known
	Passed, Total int    // tests
}

// As names the imported session and the time of import.
type As struct {
	Session   string // its id, a ULID
	Benchmark string
	Model     string
	Tester    string
	Assay     string // version of the program
	Now       int64  // Unix milliseconds; the session ends then if it is not known when it began
}

// Events returns the log of the study as one finished, unsealed session, and the texts it refers to.
//
// All of an attempt's duration passes before its prompt is sent: the log needs some phase, and reports
// ignore the phases of imported sessions.
func (s *Study) Events(as As) ([]session.Event, map[session.Ref][]byte) {
	began := s.Began
	if began == 0 {
		began = as.Now
		for _, t := range s.Tasks {
			for _, a := range t.Attempts {
				began -= a.MS
			}
		}
	}
	b := &builder{wall: began, process: "import-" + as.Session, texts: map[session.Ref][]byte{}}
	b.add(session.Opened{Session: as.Session, Plan: s.plan(as), Env: session.Environment{Assay: as.Assay, Sandbox: "none: nothing was executed, the results are imported"}})
	for _, w := range s.Warnings {
		b.add(session.Flagged{Reason: "import: " + w})
	}
	for i := range s.Tasks {
		s.task(b, i, &s.Tasks[i])
	}
	b.add(session.Closed{Reason: "finished"})
	return b.events, b.texts
}

func (s *Study) plan(as As) session.Plan {
	p := session.Plan{
		Benchmark: as.Benchmark, K: s.K, Context: session.Conversation, Tester: as.Tester,
		Model: session.Model{Name: as.Model, Provider: session.Imported}, Attributes: s.Attributes,
	}
	for _, t := range s.Tasks {
		p.Tasks = append(p.Tasks, session.PlanTask{ID: t.ID, Title: t.Title, Set: t.Set, Difficulty: t.Difficulty, Type: t.Type})
	}
	return p
}

func (s *Study) task(b *builder, index int, t *Task) {
	if len(t.Attempts) == 0 {
		b.add(session.TaskSkipped{Index: index, Task: t.ID, Reason: "imported without attempts"})
		return
	}
	b.add(session.TaskOpened{Index: index, Task: t.ID})
	outcome := session.Satisfied
	for i, a := range t.Attempts {
		n, decision := i+1, session.DecideRefine
		switch {
		case n < len(t.Attempts):
		case t.Satisfied:
			decision = session.DecideSatisfied
		default:
			decision, outcome = session.DecideGiveUp, session.GaveUp
			if n == s.K {
				outcome = session.Exhausted
			}
		}
		b.mono += a.MS
		b.add(session.PromptSent{Attempt: n, Try: 1, Prompt: b.text(a.Prompt), Bytes: len(a.Prompt)})
		b.add(session.AnswerReceived{Attempt: n, FinishReason: "imported", Answer: b.text(a.Answer), Bytes: len(a.Answer)})
		if a.Verdict != "" {
			b.add(session.VerdictRecorded{Task: index, Attempt: n, Verdict: a.Verdict, Passed: a.Passed, Total: a.Total, Loads: a.Passed > 0})
		}
		b.add(session.Judged{Attempt: n, Decision: decision})
	}
	for _, a := range s.Attributes {
		b.add(session.Rated{Attribute: a.ID, Score: t.Ratings[a.ID]})
	}
	b.add(session.TaskClosed{Index: index, Outcome: outcome})
}

// builder numbers and stamps events, and keeps texts.
type builder struct {
	events  []session.Event
	texts   map[session.Ref][]byte
	wall    int64 // when the session began
	mono    int64 // the time since then
	process string
}

func (b *builder) add(p session.Payload) {
	b.events = append(b.events, session.Event{
		Seq: uint64(len(b.events) + 1), Version: 1, Origin: session.Imported, Payload: p,
		Stamp: session.Stamp{Wall: b.wall + b.mono, Mono: b.mono, Process: b.process, Boot: b.process},
	})
}

// text keeps a text, if it is known.
func (b *builder) text(text string) session.Ref {
	if text == "" {
		return ""
	}
	ref := session.RefOf([]byte(text))
	b.texts[ref] = []byte(text)
	return ref
}
