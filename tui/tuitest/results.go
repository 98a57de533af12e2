package tuitest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/scoring/inspect"
	"assay/scoring/quality"
	"assay/session"
	"assay/session/engine"
	"assay/session/report/sessions"
	"assay/tui/results"
	"assay/tui/work/viewer"
)

// Scribe writes the logs of sessions that never happened.
type Scribe struct {
	texts  map[session.Ref][]byte
	events []session.Event
	mono   int64
	origin string
	Wall   int64 // of the first event, in milliseconds
}

// Events returns the log so far.
func (s *Scribe) Events() []session.Event { return s.events }

// Wait lets time pass.
func (s *Scribe) Wait(d time.Duration) { s.mono += d.Milliseconds() }

func (s *Scribe) Blob(ref session.Ref) ([]byte, error) {
	text, known := s.texts[ref]
	if !known {
		return nil, fmt.Errorf("there is no text %s", ref)
	}
	return text, nil
}

func (s *Scribe) Text(text string) session.Ref {
	ref := session.RefOf([]byte(text))
	s.texts[ref] = []byte(text)
	return ref
}

func (s *Scribe) Add(payloads ...session.Payload) {
	for _, p := range payloads {
		s.events = append(s.events, session.Event{
			Seq: uint64(len(s.events) + 1), Payload: p, Origin: s.origin,
			Stamp: session.Stamp{Wall: s.Wall + s.mono, Mono: s.mono, Process: "p", Boot: "b"},
		})
	}
}

// Begin opens a session of so many tasks, whose texts are kept.
func (s *Scribe) Begin(id, name string, tasks int, adjust ...func(*session.Plan)) {
	plan := session.Plan{
		Benchmark: name, K: 5, Seed: 1, Context: session.Conversation, Tester: "ann", Attributes: session.MiahZhuAttributes(),
		Model: session.Model{Name: "qwen2.5-coder:7b", Provider: "openai"},
	}
	for i := range tasks {
		t := benchmark.Task{
			ID: fmt.Sprintf("task-%02d", i+1), Title: []string{"Merge shifts", "Good splits", "图的遍历 🙂", "ספירת מילים", "Round half up"}[i%5], Language: "python",
			Description: "Do what the title says.", Difficulty: benchmark.Difficulties[i%3], Type: []string{"numerical", "structural"}[i%2], Category: "lists",
			Reference: "def f(n):\n    return n\n",
		}
		ref, text := session.TaskContent(&t)
		s.texts[ref] = text
		plan.Tasks = append(plan.Tasks, session.PlanTask{ID: t.ID, Title: t.Title, Set: "T0", Difficulty: t.Difficulty, Type: t.Type, Category: t.Category, Content: ref})
	}
	for _, f := range adjust {
		f(&plan)
	}
	s.Add(session.Opened{Session: id, Plan: plan})
}

// Attempt is a prompt with its answer, verdict, measures and judgement.
func (s *Scribe) Attempt(task, n int, decision session.Decision) {
	code := fmt.Sprintf("def f(n):\n    # attempt %d\n    return n + %d\n", n, n)
	prompt, answer := fmt.Sprintf("Please write f, take %d.", n), "Here:\n\n```python\n"+code+"```\n"
	if n == 1 {
		answer += strings.Repeat("\nAnd more.\n", 40)
	}
	if n == 1 {
		s.Add(session.EditStarted{Attempt: 1})
	}
	s.mono += int64(5000 + 700*task)
	s.Add(session.PromptSent{Attempt: n, Try: 1, Prompt: s.Text(prompt), Bytes: len(prompt)})
	s.mono += 3000
	s.Add(session.AnswerReceived{Attempt: n, Answer: s.Text(answer), Bytes: len(answer), FinishReason: "stop", LatencyMS: 3000},
		session.CodeExtracted{Task: task, Attempt: n, Code: s.Text(code), Bytes: len(code), Method: "the only block"})
	result := verdicts.Result{Verdict: verdicts.WrongAnswer, Passed: 2, Total: 3, Cases: []verdicts.CaseResult{
		{Index: 1, Status: verdicts.Passed, Call: "f(1)"}, {Index: 2, Status: verdicts.Status(verdicts.WrongAnswer), Call: "f(2)", Expected: "4", Got: "3"}, {Index: 3, Status: verdicts.Passed, Call: "f(3)"},
	}}
	if decision == session.DecideSatisfied {
		result.Verdict, result.Passed = verdicts.Accepted, 3
		result.Cases[1] = verdicts.CaseResult{Index: 2, Status: verdicts.Passed, Call: "f(2)"}
	}
	s.Add(session.VerdictRecorded{Task: task, Attempt: n, Verdict: string(result.Verdict), Passed: result.Passed, Total: 3, Loads: true, CPUMS: 4, MemoryKB: 12 << 10, Detail: s.Text(JSONOf(result))},
		session.Measured{Task: task, Attempt: n, Valid: true, Cyclomatic: 1, CodeLines: 2, CommentLines: 1, CommentRate: 33.3, Reliability: "A", Security: "A", Analyser: "rules", Detail: s.Text(JSONOf(inspect.Report{
			Measures: quality.Measures{Valid: true, Cyclomatic: 1, CodeLines: 2, CommentLines: 1, CommentRate: 33.3}, Reliability: "A", Security: "A", Analyser: "rules",
		}))})
	s.mono += 6000
	s.Add(session.Judged{Attempt: n, Decision: decision, VerdictSeen: true})
}

// finish rates a task and closes it.
func (s *Scribe) finish(task int, outcome session.Outcome) {
	for i, a := range session.MiahZhuAttributes() {
		s.mono += 800
		s.Add(session.Rated{Attribute: a.ID, Score: 1 + (task+i)%5})
	}
	for _, l := range (session.Plan{}).LabelsFor(outcome) {
		s.Add(session.Labelled{Label: l.ID, Value: l.Values[0]})
	}
	if task == 1 {
		s.Add(session.Noted{Text: "terse, but right"})
	}
	s.Add(session.TaskClosed{Index: task, Outcome: outcome})
}

// Play has a task take so many attempts; it ends without satisfaction where happy is
// false.
func (s *Scribe) Play(task, id, attempts int, happy bool) {
	s.Add(session.TaskOpened{Index: task, Task: fmt.Sprintf("task-%02d", id)})
	s.mono += 2000
	outcome := session.Satisfied
	for n := 1; n <= attempts; n++ {
		decision := session.DecideRefine
		if n == attempts {
			decision = session.DecideSatisfied
			if !happy {
				decision, outcome = session.DecideGiveUp, session.GaveUp
				if n == 5 {
					outcome = session.Exhausted
				}
			}
		}
		s.Attempt(task, n, decision)
	}
	s.finish(task, outcome)
}

// Archive is a library of sessions in memory.
type Archive struct {
	Mu     sync.Mutex
	List   []session.Summary
	Logs   map[string]*Scribe
	Opened map[string]int
	Bad    error
}

func (a *Archive) Sessions(context.Context) ([]session.Summary, error) { return a.List, a.Bad }

// TasksOf returns the tasks of a log, with their texts.
func TasksOf(blobs interface {
	Blob(session.Ref) ([]byte, error)
}, events []session.Event) (*benchmark.Benchmark, error) {
	state, err := session.Replay(events)
	if err != nil {
		return nil, err
	}
	tasks, err := state.StoredTasks(blobs.Blob)
	b := &benchmark.Benchmark{Name: state.Plan.Benchmark}
	for _, t := range tasks {
		b.Tasks = append(b.Tasks, *t)
	}
	return b, err
}

// OnlyLog is [OpenLog] of the tasks that a filter chooses.
func OnlyLog(blobs interface {
	Blob(session.Ref) ([]byte, error)
}, events []session.Event, filter benchmark.Filter) (results.Opened, error) {
	opened, err := OpenLog(blobs, events)
	if err != nil || filter.String() == "" {
		return opened, err
	}
	if opened.Matches, _, err = opened.State.Matching(filter, blobs.Blob); err != nil {
		return opened, err
	}
	b := sessions.NewBuilder(sessions.Options{Blind: true, Filter: filter, Texts: blobs.Blob})
	if err = b.Add(events); err == nil {
		opened.Report, err = b.Report()
	}
	return opened, err
}

// filteredArchive opens sessions with a part of their tasks.
type filteredArchive struct {
	*Archive
	filter benchmark.Filter
}

func (a *Archive) Filtered(filter benchmark.Filter) results.Library {
	return filteredArchive{a, filter}
}

func (a *Archive) Tasks(_ context.Context, id string) (*benchmark.Benchmark, error) {
	s := a.Logs[id]
	if s == nil {
		return nil, fmt.Errorf("the log of session %s is damaged", id)
	}
	return TasksOf(s, s.events)
}

func (a filteredArchive) Open(ctx context.Context, id string) (results.Opened, error) {
	if _, err := a.Archive.Open(ctx, id); err != nil {
		return results.Opened{}, err
	}
	return OnlyLog(a.Logs[id], a.Logs[id].events, a.filter)
}

func (a *Archive) Open(_ context.Context, id string) (results.Opened, error) {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	a.Opened[id]++
	s := a.Logs[id]
	if s == nil {
		return results.Opened{}, fmt.Errorf("the log of session %s is damaged: event 7 is missing; see 'assay session verify %[1]s'", id)
	}
	return OpenLog(s, s.events)
}

// OpenLog folds a log as the program does.
func OpenLog(blobs interface {
	Blob(session.Ref) ([]byte, error)
}, events []session.Event) (results.Opened, error) {
	state, err := session.Replay(events)
	if err != nil {
		return results.Opened{}, err
	}
	_, intervals, err := session.Fold(events)
	if err != nil {
		return results.Opened{}, err
	}
	r, err := sessions.Build(events)
	return results.Opened{State: state, Times: session.TimesOf(state, intervals), Report: r, Source: engine.NewRecord(blobs, state.Plan)}, err
}

func (a *Archive) WriteReport(_ context.Context, id string) (string, error) {
	if id == "S2" {
		return "", errors.New("the disk is full; make room, and press r again")
	}
	return "reports/" + id + "/report.md", nil
}

// Keep adds a session to the list.
func (a *Archive) Keep(id string, s *Scribe, row session.Summary) {
	row.ID, row.LastSeq, row.LastAt = id, uint64(len(s.events)), Noon().Add(-time.Duration(len(a.List))*26*time.Hour).UnixMilli()
	if row.OpenedAt == 0 {
		row.OpenedAt = row.Last().Add(-time.Hour).UnixMilli()
	}
	a.List, a.Logs[id] = append(a.List, row), s
}

func NewScribe() *Scribe { return &Scribe{texts: map[session.Ref][]byte{}, Wall: 1_772_000_000_000} }

// Study returns a library with a session of every kind.
func Study() *Archive {
	a := &Archive{Logs: map[string]*Scribe{}, Opened: map[string]int{}}
	s := NewScribe()
	s.Begin("S1", "core-python", 9)
	for i, attempts := range []int{1, 3, 1, 2, 2, 5, 1} {
		s.Play(i, i+1, attempts, i != 5)
	}
	s.Add(session.TaskSkipped{Index: 7, Task: "task-08", Reason: "by the tester"})
	s.Play(8, 9, 1, true)
	s.Add(session.Closed{Reason: "finished"})
	a.Keep("S1", s, session.Summary{Status: "finished", Benchmark: "core-python", Model: "qwen2.5-coder:7b", Tester: "ann", Progress: session.Progress{Done: 8, Skipped: 1, Tasks: 9}})

	s = NewScribe()
	s.Begin("S2", "starter", 4)
	s.Play(0, 1, 2, true)
	s.Add(session.TaskOpened{Index: 1, Task: "task-02"}, session.EditStarted{Attempt: 1})
	a.Keep("S2", s, session.Summary{Status: "open", Benchmark: "starter", Model: "qwen2.5-coder:7b", Tester: "ann", Progress: session.Progress{Done: 1, Tasks: 4}})

	s = NewScribe()
	s.Begin("S3", "基准测试 אמת", 2, func(p *session.Plan) { p.Model.Name, p.Tester = "模型 🙂", "王小明" })
	s.Play(0, 1, 2, false)
	s.Play(1, 2, 1, false)
	s.Add(session.Closed{Reason: "finished"})
	a.Keep("S3", s, session.Summary{Status: "finished", Benchmark: "基准测试 אמת", Model: "模型 🙂", Tester: "王小明", Progress: session.Progress{Done: 2, Tasks: 2}})

	s = NewScribe()
	s.origin = session.Imported
	s.Begin("S4", "study", 2, func(p *session.Plan) {
		p.Model = session.Model{Name: "ChatGPT", Provider: "imported"}
		for i := range p.Tasks {
			p.Tasks[i].Content = ""
		}
	})
	s.Add(session.TaskOpened{Index: 0, Task: "task-01"}, session.EditStarted{Attempt: 1}, session.PromptSent{Attempt: 1, Try: 1})
	s.mono += 40_000
	s.Add(session.AnswerReceived{Attempt: 1, FinishReason: "imported"}, session.Judged{Attempt: 1, Decision: session.DecideSatisfied})
	for _, attribute := range session.MiahZhuAttributes() {
		s.Add(session.Rated{Attribute: attribute.ID, Score: 4})
	}
	s.Add(session.TaskClosed{Index: 0, Outcome: session.Satisfied}, session.TaskSkipped{Index: 1, Task: "task-02", Reason: "not in the tables"}, session.Closed{Reason: "finished"})
	a.Keep("S4", s, session.Summary{Status: "finished", Benchmark: "study", Model: "ChatGPT", Progress: session.Progress{Done: 1, Tasks: 2}, Imported: true})

	a.Keep("S5", NewScribe(), session.Summary{Status: "abandoned", Benchmark: "starter", Model: "rehearsal", Progress: session.Progress{Tasks: 3}})
	a.Logs["S5"] = nil // damaged
	return a
}

func LookAt(t *testing.T, a *Archive, width, height int) *Driver {
	t.Helper()
	d := Drive(t, results.New(results.Options{Library: a, Work: viewer.Options{Copy: func(string) tea.Cmd { return nil }}}), width, height)
	return d.Sees("Sessions").Until("all numbers", func(string) bool { return d.App.Settled() })
}

// OpenTasks returns the list of tasks of a session.
func OpenTasks(t *testing.T, id string) *Driver {
	t.Helper()
	opts := results.Options{Library: Study(), Work: viewer.Options{Copy: func(string) tea.Cmd { return nil }}}
	return Drive(t, results.NewScreen(opts, id), 80, 24).Sees("1 numbers").Press("enter").Sees("all tasks")
}
