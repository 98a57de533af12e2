package tui_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/scoring/inspect"
	"assay/scoring/quality"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/report"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/results"
	"assay/tui/work"
)

// scribe writes the logs of sessions that never happened.
type scribe struct {
	texts  map[session.Ref][]byte
	events []session.Event
	mono   int64
	origin string
}

func (s *scribe) Blob(ref session.Ref) ([]byte, error) {
	text, known := s.texts[ref]
	if !known {
		return nil, fmt.Errorf("there is no text %s", ref)
	}
	return text, nil
}

func (s *scribe) text(text string) session.Ref {
	ref := session.RefOf([]byte(text))
	s.texts[ref] = []byte(text)
	return ref
}

func (s *scribe) add(payloads ...session.Payload) {
	for _, p := range payloads {
		s.events = append(s.events, session.Event{
			Seq: uint64(len(s.events) + 1), Payload: p, Origin: s.origin,
			Stamp: session.Stamp{Wall: 1_772_000_000_000 + s.mono, Mono: s.mono, Process: "p", Boot: "b"},
		})
	}
}

// begin opens a session of so many tasks, whose texts are kept.
func (s *scribe) begin(id, name string, tasks int, adjust ...func(*session.Plan)) {
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
	s.add(session.Opened{Session: id, Plan: plan})
}

// attempt is a prompt with its answer, verdict, measures and judgement.
func (s *scribe) attempt(task, n int, decision session.Decision) {
	code := fmt.Sprintf("def f(n):\n    # attempt %d\n    return n + %d\n", n, n)
	prompt, answer := fmt.Sprintf("Please write f, take %d.", n), "Here:\n\n```python\n"+code+"```\n"
	if n == 1 {
		s.add(session.EditStarted{Attempt: 1})
	}
	s.mono += int64(5000 + 700*task)
	s.add(session.PromptSent{Attempt: n, Try: 1, Prompt: s.text(prompt), Bytes: len(prompt)})
	s.mono += 3000
	s.add(session.AnswerReceived{Attempt: n, Answer: s.text(answer), Bytes: len(answer), FinishReason: "stop", LatencyMS: 3000},
		session.CodeExtracted{Task: task, Attempt: n, Code: s.text(code), Bytes: len(code), Method: "the only block"})
	result := judge.Result{Verdict: judge.WrongAnswer, Passed: 2, Total: 3, Cases: []judge.CaseResult{
		{Index: 1, Status: judge.Passed, Call: "f(1)"}, {Index: 2, Status: judge.Status(judge.WrongAnswer), Call: "f(2)", Expected: "4", Got: "3"}, {Index: 3, Status: judge.Passed, Call: "f(3)"},
	}}
	if decision == session.DecideSatisfied {
		result.Verdict, result.Passed = judge.Accepted, 3
		result.Cases[1] = judge.CaseResult{Index: 2, Status: judge.Passed, Call: "f(2)"}
	}
	s.add(session.VerdictRecorded{Task: task, Attempt: n, Verdict: string(result.Verdict), Passed: result.Passed, Total: 3, Loads: true, CPUMS: 4, MemoryKB: 12 << 10, Detail: s.text(jsonOf(result))},
		session.Measured{Task: task, Attempt: n, Valid: true, Cyclomatic: 1, CodeLines: 2, CommentLines: 1, CommentRate: 33.3, Reliability: "A", Security: "A", Analyser: "rules", Detail: s.text(jsonOf(inspect.Report{
			Measures: quality.Measures{Valid: true, Cyclomatic: 1, CodeLines: 2, CommentLines: 1, CommentRate: 33.3}, Reliability: "A", Security: "A", Analyser: "rules",
		}))})
	s.mono += 6000
	s.add(session.Judged{Attempt: n, Decision: decision, VerdictSeen: true})
}

// finish rates a task and closes it.
func (s *scribe) finish(task int, outcome session.Outcome) {
	for i, a := range session.MiahZhuAttributes() {
		s.mono += 800
		s.add(session.Rated{Attribute: a.ID, Score: 1 + (task+i)%5})
	}
	for _, l := range session.LabelsFor(outcome) {
		s.add(session.Labelled{Label: l.ID, Value: l.Values[0]})
	}
	if task == 1 {
		s.add(session.Noted{Text: "terse, but right"})
	}
	s.add(session.TaskClosed{Index: task, Outcome: outcome})
}

// play has a task take so many attempts; it ends without satisfaction where happy is
// false.
func (s *scribe) play(task, id, attempts int, happy bool) {
	s.add(session.TaskOpened{Index: task, Task: fmt.Sprintf("task-%02d", id)})
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
		s.attempt(task, n, decision)
	}
	s.finish(task, outcome)
}

// archive is a library of sessions in memory.
type archive struct {
	mu     sync.Mutex
	list   []results.Session
	logs   map[string]*scribe
	opened map[string]int
	bad    error
}

func (a *archive) Sessions(context.Context) ([]results.Session, error) { return a.list, a.bad }

func (a *archive) Open(_ context.Context, id string) (results.Opened, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.opened[id]++
	s := a.logs[id]
	if s == nil {
		return results.Opened{}, fmt.Errorf("the log of session %s is damaged: event 7 is missing; see 'assay verify %[1]s'", id)
	}
	return openLog(s, s.events)
}

// openLog folds a log as the program does.
func openLog(blobs interface {
	Blob(session.Ref) ([]byte, error)
}, events []session.Event) (results.Opened, error) {
	state, err := session.Replay(events)
	if err != nil {
		return results.Opened{}, err
	}
	intervals, err := session.Timeline(events)
	if err != nil {
		return results.Opened{}, err
	}
	r, err := report.Quick(events)
	return results.Opened{State: state, Times: session.TimesOf(state, intervals), Report: r, Source: engine.NewRecord(blobs, state.Plan)}, err
}

func (a *archive) WriteReport(_ context.Context, id string) (string, error) {
	if id == "S2" {
		return "", errors.New("the disk is full; make room, and press r again")
	}
	return "reports/" + id + "/report.md", nil
}

// keep adds a session to the list.
func (a *archive) keep(id string, s *scribe, row results.Session) {
	row.ID, row.Events, row.Last = id, uint64(len(s.events)), noon().Add(-time.Duration(len(a.list))*26*time.Hour)
	a.list, a.logs[id] = append(a.list, row), s
}

func newScribe() *scribe { return &scribe{texts: map[session.Ref][]byte{}} }

// study is a library with a session of every kind.
func study() *archive {
	a := &archive{logs: map[string]*scribe{}, opened: map[string]int{}}
	s := newScribe()
	s.begin("S1", "core-python", 9)
	for i, attempts := range []int{1, 3, 1, 2, 2, 5, 1} {
		s.play(i, i+1, attempts, i != 5)
	}
	s.add(session.TaskSkipped{Index: 7, Task: "task-08", Reason: "by the tester"})
	s.play(8, 9, 1, true)
	s.add(session.Closed{Reason: "finished"})
	a.keep("S1", s, results.Session{Status: "finished", Benchmark: "core-python", Model: "qwen2.5-coder:7b", Tester: "ann", Done: 8, Planned: 9})

	s = newScribe()
	s.begin("S2", "starter", 4)
	s.play(0, 1, 2, true)
	s.add(session.TaskOpened{Index: 1, Task: "task-02"}, session.EditStarted{Attempt: 1})
	a.keep("S2", s, results.Session{Status: "open", Benchmark: "starter", Model: "qwen2.5-coder:7b", Tester: "ann", Done: 1, Planned: 4})

	s = newScribe()
	s.begin("S3", "基准测试 אמת", 2, func(p *session.Plan) { p.Model.Name, p.Tester = "模型 🙂", "王小明" })
	s.play(0, 1, 2, false)
	s.play(1, 2, 1, false)
	s.add(session.Closed{Reason: "finished"})
	a.keep("S3", s, results.Session{Status: "finished", Benchmark: "基准测试 אמת", Model: "模型 🙂", Tester: "王小明", Done: 2, Planned: 2})

	s = newScribe()
	s.origin = session.Imported
	s.begin("S4", "study", 2, func(p *session.Plan) {
		p.Model = session.Model{Name: "ChatGPT", Provider: "imported"}
		for i := range p.Tasks {
			p.Tasks[i].Content = ""
		}
	})
	s.add(session.TaskOpened{Index: 0, Task: "task-01"}, session.EditStarted{Attempt: 1}, session.PromptSent{Attempt: 1, Try: 1})
	s.mono += 40_000
	s.add(session.AnswerReceived{Attempt: 1, FinishReason: "imported"}, session.Judged{Attempt: 1, Decision: session.DecideSatisfied})
	for _, attribute := range session.MiahZhuAttributes() {
		s.add(session.Rated{Attribute: attribute.ID, Score: 4})
	}
	s.add(session.TaskClosed{Index: 0, Outcome: session.Satisfied}, session.TaskSkipped{Index: 1, Task: "task-02", Reason: "not in the tables"}, session.Closed{Reason: "finished"})
	a.keep("S4", s, results.Session{Status: "finished", Benchmark: "study", Model: "ChatGPT", Done: 1, Planned: 2, Imported: true})

	a.keep("S5", newScribe(), results.Session{Status: "abandoned", Benchmark: "starter", Model: "rehearsal", Planned: 3})
	a.logs["S5"] = nil // damaged
	return a
}

func lookAt(t *testing.T, a *archive, width, height int) *driver {
	t.Helper()
	d := drive(t, results.New(results.Options{Library: a, Work: work.Options{Copy: func(string) tea.Cmd { return nil }}}), width, height)
	return d.sees("Results").until("all numbers", func(string) bool { return d.app.Settled() })
}

// settled waits until everything on the screen is what it will be.
func (d *driver) settled() *driver {
	d.t.Helper()
	return d.until("a settled screen", func(string) bool { return d.app.Settled() })
}

func TestTemp(t *testing.T) {
	d := lookAt(t, study(), 80, 24)
	show := func(what string) { d.settled(); fmt.Println("=====", what); fmt.Println(d.screen()) }
	show("list")
	d.press("enter").sees("Session finished")
	show("open")
	for _, k := range []string{"8"} {
		d.press(k)
		show(k)
	}
	d.press("down", "enter")
	show("task")
	d.press("enter").sees("1 answer")
	show("attempt")
	for _, k := range []string{"2", "3", "4", "5", "6", "7", "8", "["} {
		d.press(k)
		show(k)
	}
	d.press("esc").sees("judged")
	d.press("esc", "esc").sees("every session")
	show("list")
	d.press("down", "down", "down", "enter").sees("study")
	show("imported")
	d.press("8", "enter")
	show("task")
	d.press("enter").sees("1 answer")
	show("att")
	d.press("esc").sees("judged")
	d.press("esc", "esc").sees("every session").press("down", "enter").sees("damaged")
	show("damaged")
}

var _ = maps.Keys[map[int]int]
var _ = slices.Sorted[int]
var _ = strings.Contains
var _ = rapid.Check
var _ = tui.New
var _ = frame.Open
var _ = enginetest.New
