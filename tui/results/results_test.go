package results_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/scoring/inspect"
	"assay/scoring/quality"
	"assay/session"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/results"
	"assay/tui/tuitest"
	"assay/tui/work/viewer"
)

// From the list to an attempt and back: everything is there, and every screen is where
// it was left.
func TestResults(t *testing.T) {
	d := tuitest.LookAt(t, tuitest.Study(), 80, 24).Sees("✓ finished", "… open", "9/9", "2.00", "23.8")
	d.Press("enter").Sees("Session finished", "9 tasks").Press("enter").Sees("9 of 9 tasks", "✗ exhausted", "– left out")
	d.Press("down", "enter").Sees("Good splits", "▸       3  ✓ satisfied", "✓ satisfied after 3 attempts", "24 of 40", "writing 17 s")
	d.Press("up", "enter").Sees("attempt 2 of 3", "return n + 2", "↻ refined")
	d.Press("2").Sees("expected  4").Press("]").Sees("attempt 3 of 3", "✓ accepted 3/3").Press("[", "3").Sees("+     return n + 2")
	d.Press("4").Sees("cyclomatic 1").Press("5").Sees("Please write f, take 2.", "changes to the prompt before").Press("6").Sees("Do what the title says.")
	d.Press("7").Sees("return n").Press("8").Sees("note: terse, but right", "Explanation accurate & complete  yes")
	d.Press("tab").Sees("Here:").Press("/", "return", "enter", "n")
	d.Press("esc", "esc").Sees("▸       2  ↻ refined").Press("right").Sees("图的遍历", "task 3 of 9").Press("left", "esc").Sees("▸ Good splits")
	d.Press("esc").Sees("all sessions").Press("enter").Sees("▸ Good splits").Press("1").Sees("Session finished").Press("esc")
	d.Sees("all sessions").Press("end", "enter").Sees("event 7 is missing", "verify S5").Press("esc").Sees("▸ ✗ abandoned")
}

// A reference solution that the plan hides is not shown before the session has ended.
func TestResultsHideTheReference(t *testing.T) {
	d := tuitest.OpenTasks(t, "S2").Press("enter").Sees("judged").Press("enter").Sees("attempt 2 of 2")
	d.Until("seven tabs", func(s string) bool { return strings.Contains(s, "7 result") && !strings.Contains(s, "sol") })
}

// Words narrow lists, with a hyphen they exclude.
func TestResultsFind(t *testing.T) {
	d := tuitest.LookAt(t, tuitest.Study(), 80, 24)
	d.Press("/", "qwen").Sees("2 of 5 sessions").Press(" -open").Sees("1 of 5 sessions").Press("enter", "enter").Sees("Session finished")
	d.Press("enter", "/", "structural -easy").Sees("3 of 9 tasks").Press("esc").Sees("9 of 9 tasks").Press("esc").Sees("1 of 5 sessions")
	d.Press("esc").Sees("5 sessions").Press("/", "王小明").Sees("1 of 5 sessions", "模型").Press("x").Sees("No session has")
	tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("down", "down", "down").Sees("· S4").Press("/", "finished").Sees("3 of 5 sessions", "· S4") // chosen still
}

func TestResultsOrder(t *testing.T) {
	d := tuitest.OpenTasks(t, "S1").Press("o").Sees("most attempts first")
	first := func(name string) {
		t.Helper()
		if row := strings.Split(d.Press("home").Screen(), "\n")[6]; !strings.Contains(row, name) {
			t.Errorf("%s is not first: %s", name, row)
		}
	}
	first("exhausted")
	d.Press("o").Sees("longest first")
	first("exhausted")
	d.Press("o").Sees("lowest total first")
	first("21")
	d.Press("o").Until("the plan's order", func(s string) bool { return !strings.Contains(s, "first") })
}

func TestResultsReport(t *testing.T) {
	d := tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished")
	d.Press("r").Sees("the report lies in reports/S1/report.md").Press("down").Sees("report reports/S1/report.md")
	d.Press("esc").Sees("all sessions").Press("down", "enter").Sees("in progress").Press("r").Sees("the disk is full")
	a := tuitest.Study()
	a.Bad = errors.New("the store is damaged")
	tuitest.LookAt(t, a, 80, 24).Sees("the store is damaged")
}

// A session without results has no figures, and says so.
func TestResultsOfNothing(t *testing.T) {
	s := tuitest.NewScribe()
	s.Begin("S", "core", 2)
	s.Add(session.TaskSkipped{Index: 0, Task: "task-01", Reason: "by the tester"}, session.Closed{Reason: "abandoned"})
	a := &tuitest.Archive{Logs: map[string]*tuitest.Scribe{}, Opened: map[string]int{}}
	a.Keep("S", s, session.Summary{Status: "abandoned", Benchmark: "core", Progress: session.Progress{Tasks: 2}})
	d := tuitest.LookAt(t, a, 80, 24).Sees("✗ abandoned", "–", "no task has a result").Press("enter")
	d.Sees("Session abandoned", "2 tasks: 1 left out, 1 not opened", "No task has a result yet.", "2 tasks").Press("2").Sees("2 of 2 tasks", "not yet")
	d.Press("enter").Sees("no attempt was made", "by the tester").Press("enter").Sees("not now: no attempt was made")
}

// After a session its attempts are a key away.
func TestSummaryLooks(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✓").Press("y").Sees("9 to go")
	d.Press("4", "5", "3", "4", "4", "4", "5", "2", "y", "enter").Sees("Session finished", "1 task: 1 satisfied", "reports/one.md", "mean total", "31.0")
	d.Press("2").Sees("by the attempt that satisfied").Press("d", "d").Sees("Bars of tasks by attempt").Press("v").Sees("core-python")
	d.Press("esc").Sees("Bars of tasks by attempt", "v look at the attempts")
}

// Only the logs of sessions on the screen are read, one after the other, while the
// list is there at once.
func TestResultsReadWhatIsSeen(t *testing.T) {
	a := &tuitest.Archive{Logs: map[string]*tuitest.Scribe{}, Opened: map[string]int{}}
	one := tuitest.NewScribe()
	one.Begin("S", "core", 1)
	one.Play(0, 1, 1, true)
	for i := range 200 {
		a.Keep(fmt.Sprintf("S%03d", i), one, session.Summary{Status: "finished", Benchmark: "core", Model: "m", Progress: session.Progress{Done: 1, Tasks: 1}})
	}
	a.Mu.Lock() // nothing can be read
	d := tuitest.Drive(t, results.New(results.Options{Library: a}), 80, 24).Sees("200 sessions", "▸ ✓ finished", "…")
	a.Mu.Unlock()
	d.Sees("1.00").Settled()
	if len(a.Opened) != 14 {
		t.Errorf("%d logs were read for 14 rows", len(a.Opened))
	}
	d.Press("end").Settled()
	if len(a.Opened) != 28 {
		t.Errorf("%d logs were read for 28 rows", len(a.Opened))
	}
	for id, n := range a.Opened {
		if n != 1 {
			t.Errorf("the log of %s was read %d times", id, n)
		}
	}
}

// Escape sequences in names, texts and notes never reach the terminal.
func TestResultsClean(t *testing.T) {
	evil := "evil\x1b]0;owned\x07\x1b[2J\u009b31m\r\nname"
	s := tuitest.NewScribe()
	s.Begin("S", evil, 2, func(p *session.Plan) {
		p.Model.Name, p.Tester = evil, evil
		p.Attributes = append(p.Attributes, session.Attribute{ID: "evil", Name: evil})
		for i := range p.Tasks {
			p.Tasks[i].Title, p.Tasks[i].Type, p.Tasks[i].Category, p.Tasks[i].Difficulty = evil, evil, evil, benchmark.Difficulty(evil)
		}
	})
	s.Add(session.TaskOpened{Index: 0, Task: "task-01"})
	s.Attempt(0, 1, session.DecideRefine)
	prompt := s.Text(evil)
	s.Add(session.PromptSent{Attempt: 2, Try: 1, Prompt: prompt, Bytes: 9}, session.AnswerReceived{Attempt: 2, Answer: prompt, Bytes: 9, FinishReason: evil},
		session.CodeExtracted{Task: 0, Attempt: 2, Code: prompt, Bytes: 9, Method: evil, Note: evil},
		session.VerdictRecorded{Task: 0, Attempt: 2, Verdict: evil, Passed: 1, Total: 2, Detail: s.Text(tuitest.JSONOf(verdicts.Result{Message: evil, Stdout: evil, Cases: []verdicts.CaseResult{{Index: 1, Status: verdicts.Status(evil), Call: evil, Got: evil}}}))},
		session.Measured{Task: 0, Attempt: 2, Analyser: evil, Detail: s.Text(tuitest.JSONOf(inspect.Report{
			Measures: quality.Measures{Functions: []quality.Function{{Name: evil, Line: 1}}}, Reliability: scoring.Rating(evil), Security: "B", Analyser: evil,
			Findings: []quality.Finding{{Rule: evil, Message: evil, Severity: quality.Severity(evil), Dimension: quality.Dimension(evil)}},
		}))}, session.Judged{Attempt: 2, Decision: session.DecideSatisfied}, session.Noted{Text: evil})
	a := &tuitest.Archive{Logs: map[string]*tuitest.Scribe{}, Opened: map[string]int{}}
	a.Keep("S", s, session.Summary{Status: session.Status(evil), Benchmark: evil, Model: evil, Tester: evil, Progress: session.Progress{Tasks: 2}})
	for _, width := range []int{60, 80, 120} {
		d := tuitest.LookAt(t, a, width, 24)
		check := func() {
			t.Helper()
			if text := d.Settled().App.View().Content; strings.ContainsAny(text, "\x07\r\u009b") || strings.Contains(text, "\x1b[2J") || strings.Contains(text, "\x1b]") {
				t.Errorf("at %d columns the screen has escape sequences of the session:\n%q", width, text)
			}
			tuitest.CheckFits(t, fmt.Sprint(width), d.Screen(), frame.Size{Width: width, Height: 24})
		}
		check()
		d.Press("enter").Sees("in progress")
		check()
		d.Press("tab").Sees("all tasks")
		for _, key := range []string{"enter"} {
			d.Press(key)
			check()
		}
		d.Press("enter").Sees("1 answer")
		for _, key := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "["} {
			d.Press(key)
			check()
		}
	}
}

// No sequence of keys panics or draws outside the terminal.
func TestAnyKeysInResults(t *testing.T) {
	names := slices.Sorted(maps.Keys(tuitest.NamedKeys))
	rapid.Check(t, func(rt *rapid.T) {
		d := tuitest.Drive(t, results.New(results.Options{Library: tuitest.Study(), Work: viewer.Options{Copy: func(string) tea.Cmd { return nil }}}), 80, 24)
		for range rapid.IntRange(1, 60).Draw(rt, "keys") {
			switch rapid.IntRange(0, 8).Draw(rt, "kind") {
			case 0, 1:
				d.Press(rapid.SampledFrom(names).Draw(rt, "name"))
			case 2, 3, 4:
				d.Press(rapid.SampledFrom([]string{"enter", "enter", "down", "up", "esc"}).Draw(rt, "way"))
				if rapid.Bool().Draw(rt, "wait") {
					d.Settled()
				}
			case 5:
				size := rapid.SampledFrom(tuitest.Sizes).Draw(rt, "size")
				d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
			case 6:
				d.Send(tea.PasteMsg{Content: rapid.String().Draw(rt, "paste")})
			default:
				d.Press(rapid.SampledFrom([]string{"/", "o", "d", "r", "n", "c", "[", "]", "1", "2", "3", "7", "k", "j", "l", "easy", "-"}).Draw(rt, "command"))
			}
			d.Idle()
			if d.Quit {
				break
			}
			tuitest.CheckDrawn(rt, d)
		}
	})
}

// What the person waits for when a session of 100 tasks with 3 attempts each is
// opened: reading its log apart, which BenchmarkArchive of cmd/cli measures.
func BenchmarkResultsOpen(b *testing.B) {
	s := tuitest.NewScribe()
	s.Begin("S", "large", 100)
	for i := range 100 {
		s.Play(i, i+1, 3, i%4 > 0)
	}
	a := &tuitest.Archive{Logs: map[string]*tuitest.Scribe{}, Opened: map[string]int{}}
	a.Keep("S", s, session.Summary{Status: "open", Benchmark: "large", Progress: session.Progress{Done: 100, Tasks: 100}})
	for b.Loop() {
		app := tui.New(results.NewScreen(results.Options{Library: a}, "S"), true)
		d := tuitest.New(b, app)
		d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.Run(app.Init())
		for !strings.Contains(d.Screen(), "mean attempts") {
			d.Send(<-d.Msgs)
		}
		for _, page := range []string{"2", "3", "4", "5", "6", "7", "8"} {
			d.Press(page)
			_ = app.View()
		}
		close(d.End)
	}
}

// automated is a library with a session in which a program worked: its second attempt
// came after the model had said what was wrong.
func automated() *tuitest.Archive {
	a := &tuitest.Archive{Logs: map[string]*tuitest.Scribe{}, Opened: map[string]int{}}
	s := tuitest.NewScribe()
	s.Begin("A1", "starter", 2, func(p *session.Plan) {
		p.Tester, p.Attributes, p.Labels = session.AutomaticTester, []session.Attribute{}, []session.Label{}
		p.Automatic = &session.Automatic{Rule: session.RuleAccepted, Feedback: session.FeedbackReflection, Failures: 3}
	})
	s.Add(session.TaskOpened{Index: 0, Task: "task-01"})
	s.Attempt(0, 1, session.DecideRefine)
	s.Add(session.PromptSent{Attempt: 2, Try: 1, Prompt: s.Text("Say what is wrong."), Bytes: 1, Reflection: true},
		session.AnswerReceived{Attempt: 2, Answer: s.Text("It adds\x1b[2J too much."), Bytes: 1, FinishReason: "stop"})
	s.Attempt(0, 2, session.DecideSatisfied)
	s.Add(session.TaskClosed{Index: 0, Outcome: session.Satisfied})
	a.Keep("A1", s, session.Summary{Status: "open", Benchmark: "starter", Model: "qwen2.5-coder:7b", Tester: session.AutomaticTester, Progress: session.Progress{Done: 1, Tasks: 2}, Automatic: "reflection"})
	return a
}

// A session in which a program worked says so in the list and when it is open, has no
// ratings to miss, and shows what the model was asked between attempts.
func TestAutomaticResults(t *testing.T) {
	d := tuitest.LookAt(t, automated(), 80, 24).Sees("automatic: reflection")
	d.Press("/", "automatic", "enter").Sees("starter").Press("enter").Sees("automatic tester", "mean attempts").Lacks("rated")
	d.Press("enter").Sees("all tasks").Press("enter").Sees("2 attempts").Press("down", "enter").Sees("1 answer").Press("5")
	d.Sees("asked before, which is no attempt", "Say what is wrong.", "It adds too much.", "take 2")
}

// A filter is typed as in the browser of tasks: numbers, figures, tasks and the report are then of the tasks that it
// chooses, as if the filter had been given at the start. One that chooses none, or is wrong, is said and typed anew.
func TestResultsFilter(t *testing.T) {
	a := tuitest.Study()
	d := tuitest.LookAt(t, a, 80, 24).Press("enter").Sees("Session finished", "9 tasks").Press("f").Sees("filter", "9 of 9 tasks")
	d.Press("type:struct").Sees("structural       4").Press("tab", "enter").Sees("4 of 9 tasks", "filter type:structural").Press("enter").Sees("only type:structural", "4 tasks")
	given, err := a.Filtered(filterOf(t, "type:structural")).Open(t.Context(), "S1")
	if err != nil || given.Report.Counts.Analysed != 3 || given.Report.Filter != "type:structural" {
		t.Fatalf("%v: %d tasks, %q", err, given.Report.Counts.Analysed, given.Report.Filter)
	}
	d.Press("enter").Sees("4 of 4 tasks", "only type:structural").Lacks("Round half up").Press("f").Sees("type:structural")
	d.Press("ctrl+u", "difficulty:hard -id:task-03", "enter").Sees("only difficulty:hard", "2 of 2 tasks").Lacks("Good splits")
	d.Press("f").Sees("difficulty:hard").Press("x", "esc").Sees("only difficulty:hard")
	d.Press("f", "ctrl+u", "colour:red").Sees("✗", "colour").Press("enter").Sees("✗", "colour").Press("ctrl+u", "topic:none", "enter").Sees("✗", "topic:none")
	d.Press("f", "ctrl+u", "enter").Sees("9 of 9 tasks").Lacks("only ")
}

func filterOf(t *testing.T, text string) benchmark.Filter {
	t.Helper()
	f, err := benchmark.ParseFilter(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// named is a library whose sessions have a name.
type named struct{ results.Library }

func (n named) Open(ctx context.Context, id string) (results.Opened, error) {
	o, err := n.Library.Open(ctx, id)
	if err == nil {
		o.State = o.State.Clone()
		o.State.Name = "My prompts"
	}
	return o, err
}

// A session that was renamed has its name above its results, too.
func TestRenamedSession(t *testing.T) {
	tuitest.Drive(t, results.NewScreen(results.Options{Library: named{tuitest.Study()}}, "S1"), 80, 24).Sees("My prompts", "mean attempts").Lacks("core-python · qwen")
}
