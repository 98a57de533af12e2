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
	"assay/scoring"
	"assay/scoring/inspect"
	"assay/scoring/quality"
	"assay/session"
	"assay/session/engine"
	"assay/session/report/sessions"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/results"
	"assay/tui/tuitest"
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
		answer += strings.Repeat("\nAnd more.\n", 40)
	}
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
	for _, l := range (session.Plan{}).LabelsFor(outcome) {
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
	list   []session.Summary
	logs   map[string]*scribe
	opened map[string]int
	bad    error
}

func (a *archive) Sessions(context.Context) ([]session.Summary, error) { return a.list, a.bad }

func (a *archive) Open(_ context.Context, id string) (results.Opened, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.opened[id]++
	s := a.logs[id]
	if s == nil {
		return results.Opened{}, fmt.Errorf("the log of session %s is damaged: event 7 is missing; see 'assay session verify %[1]s'", id)
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
	_, intervals, err := session.Fold(events)
	if err != nil {
		return results.Opened{}, err
	}
	r, err := sessions.Build(events)
	return results.Opened{State: state, Times: session.TimesOf(state, intervals), Report: r, Source: engine.NewRecord(blobs, state.Plan)}, err
}

func (a *archive) WriteReport(_ context.Context, id string) (string, error) {
	if id == "S2" {
		return "", errors.New("the disk is full; make room, and press r again")
	}
	return "reports/" + id + "/report.md", nil
}

// keep adds a session to the list.
func (a *archive) keep(id string, s *scribe, row session.Summary) {
	row.ID, row.LastSeq, row.LastAt = id, uint64(len(s.events)), noon().Add(-time.Duration(len(a.list))*26*time.Hour).UnixMilli()
	if row.OpenedAt == 0 {
		row.OpenedAt = row.Last().Add(-time.Hour).UnixMilli()
	}
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
	a.keep("S1", s, session.Summary{Status: "finished", Benchmark: "core-python", Model: "qwen2.5-coder:7b", Tester: "ann", Progress: session.Progress{Done: 8, Skipped: 1, Tasks: 9}})

	s = newScribe()
	s.begin("S2", "starter", 4)
	s.play(0, 1, 2, true)
	s.add(session.TaskOpened{Index: 1, Task: "task-02"}, session.EditStarted{Attempt: 1})
	a.keep("S2", s, session.Summary{Status: "open", Benchmark: "starter", Model: "qwen2.5-coder:7b", Tester: "ann", Progress: session.Progress{Done: 1, Tasks: 4}})

	s = newScribe()
	s.begin("S3", "基准测试 אמת", 2, func(p *session.Plan) { p.Model.Name, p.Tester = "模型 🙂", "王小明" })
	s.play(0, 1, 2, false)
	s.play(1, 2, 1, false)
	s.add(session.Closed{Reason: "finished"})
	a.keep("S3", s, session.Summary{Status: "finished", Benchmark: "基准测试 אמת", Model: "模型 🙂", Tester: "王小明", Progress: session.Progress{Done: 2, Tasks: 2}})

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
	a.keep("S4", s, session.Summary{Status: "finished", Benchmark: "study", Model: "ChatGPT", Progress: session.Progress{Done: 1, Tasks: 2}, Imported: true})

	a.keep("S5", newScribe(), session.Summary{Status: "abandoned", Benchmark: "starter", Model: "rehearsal", Progress: session.Progress{Tasks: 3}})
	a.logs["S5"] = nil // damaged
	return a
}

// whole is a library with one session that has tasks enough for a table by type and
// difficulty.
func whole() *archive {
	a := &archive{logs: map[string]*scribe{}, opened: map[string]int{}}
	s := newScribe()
	s.begin("S", "core-python", 36)
	for i := range 36 {
		s.play(i, i+1, 1+i%3, i%7 > 0)
	}
	s.add(session.Closed{Reason: "finished"})
	a.keep("S", s, session.Summary{Status: "finished", Benchmark: "core-python", Model: "m", Progress: session.Progress{Done: 36, Tasks: 36}})
	return a
}

func lookAt(t *testing.T, a *archive, width, height int) *driver {
	t.Helper()
	d := drive(t, results.New(results.Options{Library: a, Work: work.Options{Copy: func(string) tea.Cmd { return nil }}}), width, height)
	return d.sees("Sessions").until("all numbers", func(string) bool { return d.App.Settled() })
}

// settled waits until everything on the screen is what it will be.
func (d *driver) settled() *driver {
	d.T.Helper()
	return d.until("a settled screen", func(string) bool { return d.App.Settled() })
}

// openTasks is the list of tasks of a session.
func openTasks(t *testing.T, id string) *driver {
	t.Helper()
	opts := results.Options{Library: study(), Work: work.Options{Copy: func(string) tea.Cmd { return nil }}}
	return drive(t, results.NewScreen(opts, id), 80, 24).sees("1 numbers").press("enter").sees("every task")
}

// openAttempt is the last of three attempts.
func openAttempt(t *testing.T) *driver {
	t.Helper()
	return openTasks(t, "S1").press("down", "enter").sees("judged").press("enter").sees("1 answer", "return n + 3")
}

// From the list to an attempt and back: everything is there, and every screen is where
// it was left.
func TestResults(t *testing.T) {
	d := lookAt(t, study(), 80, 24).sees("✓ finished", "‖ open", "9/9", "2.00", "23.8")
	d.press("enter").sees("Session finished", "9 tasks").press("enter").sees("9 of 9 tasks", "✗ exhausted", "– left out")
	d.press("down", "enter").sees("Good splits", "▸       3  ✓ satisfied", "✓ satisfied after 3 attempts", "24 of 40", "writing 17 s")
	d.press("up", "enter").sees("attempt 2 of 3", "return n + 2", "↻ refined")
	d.press("2").sees("expected  4").press("]").sees("attempt 3 of 3", "3 of 3 passed").press("[", "3").sees("+     return n + 2")
	d.press("4").sees("cyclomatic 1").press("5").sees("Please write f, take 2.", "against the prompt before").press("6").sees("Do what the title says.")
	d.press("7").sees("return n").press("8").sees("note: terse, but right", "Explanation accurate & complete  yes")
	d.press("tab").sees("Here:").press("/", "return", "enter", "n")
	d.press("esc", "esc").sees("▸       2  ↻ refined").press("right").sees("图的遍历", "task 3 of 9").press("left", "esc").sees("▸ Good splits")
	d.press("esc").sees("every session").press("enter").sees("▸ Good splits").press("1").sees("Session finished").press("esc")
	d.sees("every session").press("end", "enter").sees("event 7 is missing", "verify S5").press("esc").sees("▸ ✗ abandoned")
}

// A reference solution that the plan hides is not shown before the session has ended.
func TestResultsHideTheReference(t *testing.T) {
	d := openTasks(t, "S2").press("enter").sees("judged").press("enter").sees("attempt 2 of 2")
	d.until("seven tabs", func(s string) bool { return strings.Contains(s, "7 result") && !strings.Contains(s, "sol") })
}

// Words narrow lists, with a hyphen they exclude.
func TestResultsFind(t *testing.T) {
	d := lookAt(t, study(), 80, 24)
	d.press("/", "qwen").sees("2 of 5 sessions").press(" -open").sees("1 of 5 sessions").press("enter", "enter").sees("Session finished")
	d.press("enter", "/", "structural -easy").sees("3 of 9 tasks").press("esc").sees("9 of 9 tasks").press("esc").sees("1 of 5 sessions")
	d.press("esc").sees("5 sessions").press("/", "王小明").sees("1 of 5 sessions", "模型").press("x").sees("No session has")
	lookAt(t, study(), 80, 24).press("down", "down", "down").sees("· S4").press("/", "finished").sees("3 of 5 sessions", "· S4") // chosen still
}

func TestResultsOrder(t *testing.T) {
	d := openTasks(t, "S1").press("o").sees("most attempts first")
	first := func(name string) {
		t.Helper()
		if row := strings.Split(d.press("home").screen(), "\n")[6]; !strings.Contains(row, name) {
			t.Errorf("%s is not first: %s", name, row)
		}
	}
	first("exhausted")
	d.press("o").sees("longest first")
	first("exhausted")
	d.press("o").sees("lowest total first")
	first("21")
	d.press("o").until("the plan's order", func(s string) bool { return !strings.Contains(s, "first") })
}

func TestResultsReport(t *testing.T) {
	d := lookAt(t, study(), 80, 24).press("enter").sees("Session finished")
	d.press("r").sees("the report lies in reports/S1/report.md").press("down").sees("report reports/S1/report.md")
	d.press("esc").sees("every session").press("down", "enter").sees("in progress").press("r").sees("the disk is full")
	a := study()
	a.bad = errors.New("the store is damaged")
	lookAt(t, a, 80, 24).sees("the store is damaged")
}

// A session without results has no figures, and says so.
func TestResultsOfNothing(t *testing.T) {
	s := newScribe()
	s.begin("S", "core", 2)
	s.add(session.TaskSkipped{Index: 0, Task: "task-01", Reason: "by the tester"}, session.Closed{Reason: "abandoned"})
	a := &archive{logs: map[string]*scribe{}, opened: map[string]int{}}
	a.keep("S", s, session.Summary{Status: "abandoned", Benchmark: "core", Progress: session.Progress{Tasks: 2}})
	d := lookAt(t, a, 80, 24).sees("✗ abandoned", "–", "no task has a result").press("enter")
	d.sees("Session abandoned", "2 tasks: 1 left out, 1 not opened", "No task has a result yet.", "2 tasks").press("2").sees("2 of 2 tasks", "not yet")
	d.press("enter").sees("no attempt was made", "by the tester").press("enter").sees("not now: no attempt was made")
}

// After a session its attempts are a key away.
func TestSummaryLooks(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Say(rightAnswer)
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✓").press("y").sees("9 to go")
	d.press("4", "5", "3", "4", "4", "4", "5", "2", "y", "enter").sees("Session finished", "1 task: 1 satisfied", "reports/one.md", "mean total", "31.0")
	d.press("2").sees("by the attempt that satisfied").press("d", "d").sees("Bars of tasks by attempt").press("v").sees("core-python")
	d.press("esc").sees("Bars of tasks by attempt", "v look at the attempts")
}

// Only the logs of sessions on the screen are read, one after the other, while the
// list is there at once.
func TestResultsReadWhatIsSeen(t *testing.T) {
	a := &archive{logs: map[string]*scribe{}, opened: map[string]int{}}
	one := newScribe()
	one.begin("S", "core", 1)
	one.play(0, 1, 1, true)
	for i := range 200 {
		a.keep(fmt.Sprintf("S%03d", i), one, session.Summary{Status: "finished", Benchmark: "core", Model: "m", Progress: session.Progress{Done: 1, Tasks: 1}})
	}
	a.mu.Lock() // nothing can be read
	d := drive(t, results.New(results.Options{Library: a}), 80, 24).sees("200 sessions", "▸ ✓ finished", "…")
	a.mu.Unlock()
	d.sees("1.00").settled()
	if len(a.opened) != 14 {
		t.Errorf("%d logs were read for 14 rows", len(a.opened))
	}
	d.press("end").settled()
	if len(a.opened) != 28 {
		t.Errorf("%d logs were read for 28 rows", len(a.opened))
	}
	for id, n := range a.opened {
		if n != 1 {
			t.Errorf("the log of %s was read %d times", id, n)
		}
	}
}

// Escape sequences in names, texts and notes never reach the terminal.
func TestResultsClean(t *testing.T) {
	evil := "evil\x1b]0;owned\x07\x1b[2J\u009b31m\r\nname"
	s := newScribe()
	s.begin("S", evil, 2, func(p *session.Plan) {
		p.Model.Name, p.Tester = evil, evil
		p.Attributes = append(p.Attributes, session.Attribute{ID: "evil", Name: evil})
		for i := range p.Tasks {
			p.Tasks[i].Title, p.Tasks[i].Type, p.Tasks[i].Category, p.Tasks[i].Difficulty = evil, evil, evil, benchmark.Difficulty(evil)
		}
	})
	s.add(session.TaskOpened{Index: 0, Task: "task-01"})
	s.attempt(0, 1, session.DecideRefine)
	prompt := s.text(evil)
	s.add(session.PromptSent{Attempt: 2, Try: 1, Prompt: prompt, Bytes: 9}, session.AnswerReceived{Attempt: 2, Answer: prompt, Bytes: 9, FinishReason: evil},
		session.CodeExtracted{Task: 0, Attempt: 2, Code: prompt, Bytes: 9, Method: evil, Note: evil},
		session.VerdictRecorded{Task: 0, Attempt: 2, Verdict: evil, Passed: 1, Total: 2, Detail: s.text(jsonOf(judge.Result{Message: evil, Stdout: evil, Cases: []judge.CaseResult{{Index: 1, Status: judge.Status(evil), Call: evil, Got: evil}}}))},
		session.Measured{Task: 0, Attempt: 2, Analyser: evil, Detail: s.text(jsonOf(inspect.Report{
			Measures: quality.Measures{Functions: []quality.Function{{Name: evil, Line: 1}}}, Reliability: scoring.Rating(evil), Security: "B", Analyser: evil,
			Findings: []quality.Finding{{Rule: evil, Message: evil, Severity: quality.Severity(evil), Dimension: quality.Dimension(evil)}},
		}))}, session.Judged{Attempt: 2, Decision: session.DecideSatisfied}, session.Noted{Text: evil})
	a := &archive{logs: map[string]*scribe{}, opened: map[string]int{}}
	a.keep("S", s, session.Summary{Status: session.Status(evil), Benchmark: evil, Model: evil, Tester: evil, Progress: session.Progress{Tasks: 2}})
	for _, width := range []int{60, 80, 120} {
		d := lookAt(t, a, width, 24)
		check := func() {
			t.Helper()
			if text := d.settled().App.View().Content; strings.ContainsAny(text, "\x07\r\u009b") || strings.Contains(text, "\x1b[2J") || strings.Contains(text, "\x1b]") {
				t.Errorf("at %d columns the screen has escape sequences of the session:\n%q", width, text)
			}
			checkFits(t, fmt.Sprint(width), d.screen(), frame.Size{Width: width, Height: 24})
		}
		check()
		d.press("enter").sees("in progress")
		check()
		d.press("tab").sees("every task")
		for _, key := range []string{"enter"} {
			d.press(key)
			check()
		}
		d.press("enter").sees("1 answer")
		for _, key := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "["} {
			d.press(key)
			check()
		}
	}
}

// No sequence of keys panics or draws outside the terminal.
func TestAnyKeysInResults(t *testing.T) {
	names := slices.Sorted(maps.Keys(tuitest.NamedKeys))
	rapid.Check(t, func(rt *rapid.T) {
		d := drive(t, results.New(results.Options{Library: study(), Work: work.Options{Copy: func(string) tea.Cmd { return nil }}}), 80, 24)
		for range rapid.IntRange(1, 60).Draw(rt, "keys") {
			switch rapid.IntRange(0, 8).Draw(rt, "kind") {
			case 0, 1:
				d.press(rapid.SampledFrom(names).Draw(rt, "name"))
			case 2, 3, 4:
				d.press(rapid.SampledFrom([]string{"enter", "enter", "down", "up", "esc"}).Draw(rt, "way"))
				if rapid.Bool().Draw(rt, "wait") {
					d.settled()
				}
			case 5:
				size := rapid.SampledFrom(sizes).Draw(rt, "size")
				d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
			case 6:
				d.send(tea.PasteMsg{Content: rapid.String().Draw(rt, "paste")})
			default:
				d.press(rapid.SampledFrom([]string{"/", "o", "d", "r", "n", "c", "[", "]", "1", "2", "3", "7", "k", "j", "l", "easy", "-"}).Draw(rt, "command"))
			}
			d.idle()
			if d.Quit {
				break
			}
			checkDrawn(rt, d)
		}
	})
}

// What the person waits for when a session of 100 tasks with 3 attempts each is
// opened: reading its log apart, which BenchmarkArchive of cmd/cli measures.
func BenchmarkResultsOpen(b *testing.B) {
	s := newScribe()
	s.begin("S", "large", 100)
	for i := range 100 {
		s.play(i, i+1, 3, i%4 > 0)
	}
	a := &archive{logs: map[string]*scribe{}, opened: map[string]int{}}
	a.keep("S", s, session.Summary{Status: "open", Benchmark: "large", Progress: session.Progress{Done: 100, Tasks: 100}})
	for b.Loop() {
		app := tui.New(results.NewScreen(results.Options{Library: a}, "S"), true)
		d := &driver{tuitest.New(b, app)}
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.run(app.Init())
		for !strings.Contains(d.screen(), "mean attempts") {
			d.send(<-d.Msgs)
		}
		for _, page := range []string{"2", "3", "4", "5", "6", "7", "8"} {
			d.press(page)
			_ = app.View()
		}
		close(d.End)
	}
}

// automated is a library with a session in which a program worked: its second attempt
// came after the model had said what was wrong.
func automated() *archive {
	a := &archive{logs: map[string]*scribe{}, opened: map[string]int{}}
	s := newScribe()
	s.begin("A1", "starter", 2, func(p *session.Plan) {
		p.Tester, p.Attributes, p.Labels = session.AutomaticTester, []session.Attribute{}, []session.Label{}
		p.Automatic = &session.Automatic{Rule: session.RuleAccepted, Feedback: session.FeedbackReflection, Failures: 3}
	})
	s.add(session.TaskOpened{Index: 0, Task: "task-01"})
	s.attempt(0, 1, session.DecideRefine)
	s.add(session.PromptSent{Attempt: 2, Try: 1, Prompt: s.text("Say what is wrong."), Bytes: 1, Reflection: true},
		session.AnswerReceived{Attempt: 2, Answer: s.text("It adds\x1b[2J too much."), Bytes: 1, FinishReason: "stop"})
	s.attempt(0, 2, session.DecideSatisfied)
	s.add(session.TaskClosed{Index: 0, Outcome: session.Satisfied})
	a.keep("A1", s, session.Summary{Status: "open", Benchmark: "starter", Model: "qwen2.5-coder:7b", Tester: session.AutomaticTester, Progress: session.Progress{Done: 1, Tasks: 2}, Automatic: "reflection"})
	return a
}

// A session in which a program worked says so in the list and when it is open, has no
// ratings to miss, and shows what the model was asked between attempts.
func TestAutomaticResults(t *testing.T) {
	d := lookAt(t, automated(), 80, 24).sees("automatic: reflection")
	d.press("/", "automatic", "enter").sees("starter").press("enter").sees("automatic tester", "mean attempts").lacks("rated")
	d.press("enter").sees("every task").press("enter").sees("2 attempts").press("down", "enter").sees("1 answer").press("5")
	d.sees("asked before, which is no attempt", "Say what is wrong.", "It adds too much.", "take 2")
}
