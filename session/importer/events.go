package importer

import "assay/session"

// As names the imported session and the time of import.
type As struct {
	Session   string // its id, a ULID
	Benchmark string
	Model     string
	Tester    string
	Assay     string // version of the program
	Now       int64  // Unix milliseconds; the session ends then
}

// Events returns the log of the study as one finished, unsealed session.
//
// All of an attempt's duration passes before its prompt is sent: the log needs some phase, and reports
// ignore the phases of imported sessions.
func (s *Study) Events(as As) []session.Event {
	total := int64(0)
	for _, t := range s.tasks {
		total += t.ms
	}
	b := &builder{wall: as.Now - total, process: "import-" + as.Session}
	b.add(session.Opened{Session: as.Session, Plan: s.plan(as), Env: session.Environment{Assay: as.Assay, Sandbox: "none: nothing was executed, the results are imported"}})
	for _, w := range s.Warnings {
		b.add(session.Flagged{Reason: "import: " + w})
	}
	for i, t := range s.tasks {
		s.task(b, i, t)
	}
	b.add(session.Closed{Reason: "finished"})
	return b.events
}

func (s *Study) plan(as As) session.Plan {
	p := session.Plan{
		Benchmark: as.Benchmark, K: s.k, Context: session.Conversation, Tester: as.Tester,
		Model: session.Model{Name: as.Model, Provider: "imported"}, Attributes: s.attributes,
	}
	for _, t := range s.tasks {
		p.Tasks = append(p.Tasks, session.PlanTask{ID: t.id, Title: t.title, Set: t.set, Difficulty: t.difficulty, Type: t.kind})
	}
	return p
}

func (s *Study) task(b *builder, index int, t *task) {
	if t.attempts == 0 {
		b.add(session.TaskSkipped{Index: index, Task: t.id, Reason: "imported without attempts"})
		return
	}
	b.add(session.TaskOpened{Index: index, Task: t.id})
	outcome := session.Satisfied
	for i, ms := range t.durations {
		n, decision := i+1, session.DecideRefine
		switch {
		case n < t.attempts:
		case t.satisfied:
			decision = session.DecideSatisfied
		default:
			decision, outcome = session.DecideGiveUp, session.GaveUp
			if n == s.k {
				outcome = session.Exhausted
			}
		}
		b.pass(ms)
		b.add(session.PromptSent{Attempt: n, Try: 1})
		b.add(session.AnswerReceived{Attempt: n, FinishReason: "imported"})
		b.add(session.Judged{Attempt: n, Decision: decision})
	}
	for _, a := range s.attributes {
		b.add(session.Rated{Attribute: a.ID, Score: t.ratings[a.ID]})
	}
	b.add(session.TaskClosed{Index: index, Outcome: outcome})
}

// builder numbers and stamps events; only pass moves its clock.
type builder struct {
	events     []session.Event
	wall, mono int64
	process    string
}

func (b *builder) pass(ms int64) { b.wall, b.mono = b.wall+ms, b.mono+ms }

func (b *builder) add(p session.Payload) {
	b.events = append(b.events, session.Event{
		Seq: uint64(len(b.events) + 1), Version: 1, Origin: session.Imported, Payload: p,
		Stamp: session.Stamp{Wall: b.wall, Mono: b.mono, Process: b.process, Boot: b.process},
	})
}
