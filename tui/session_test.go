package tui_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark/judge"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/session/report/sessions"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/results"
	"assay/tui/work"
)

const (
	rightAnswer    = "Here it is:\n\n```python\ndef double(n):\n    return 2 * n\n```\n\nIt multiplies the number by **two**.\n"
	plottingAnswer = "```python\ndef double(n):\n    savefig('plot.png')\n    return 2 * n\n```\n"
	wrongAnswer    = "Try this:\n\n```python\ndef double(n):\n    return n  # wrong\n```\n"
)

// begin starts a session on the screen, at its first task's ready page.
func begin(t testing.TB, tasks int, adjust ...func(*session.Choice)) (*driver, *enginetest.Rig) {
	t.Helper()
	rig, err := enginetest.New(tasks, adjust...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	d := drive(t, work.New(rig.Engine, work.Options{
		Report: func(context.Context, string) (string, error) { return "reports/one.md", nil },
		Results: func(_ context.Context, id string) (*sessions.Report, error) {
			events, err := rig.Store.Events(id, 1)
			if err != nil {
				return nil, err
			}
			return sessions.Build(events)
		},
		Look: func(context.Context, string) (frame.Screen, error) {
			return results.NewScreen(results.Options{Library: study()}, "S1"), nil
		},
		SaveOutputs: func(_ context.Context, id, task string, attempt int, files []judge.OutputFile) (string, error) {
			if attempt > 1 {
				return "", errors.New("the disk is full; make room, and press o again")
			}
			return fmt.Sprintf("outputs/%s/%s-%d with %d and %d bytes", id, task, attempt, len(files[0].Data), len(files[1].Data)), nil
		},
	}), 80, 24)
	return d.sees("enter open the task"), rig
}

func TestTaskRefinedOnce(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Say(wrongAnswer)
	d.press("enter").sees("your prompt", "attempt 1/10", "double(n: int) -> int")
	d.press("Double it").sees("Double it")
	d.press("ctrl+s").sees("tests ✗ 2 of 3", "y satisfied")
	d.press("2").sees("✗ wrong answer", "2 of 3 passed", "expected  4", "got       5")
	d.press("r").sees("your next message", "attempt 2/10", "1 turn before")
	d.press("tab").sees("the answer before", "return n  # wrong")
	d.press("tab").sees("expected  4")
	rig.Client.Say(rightAnswer)
	d.press("Twice").press("ctrl+s").sees("tests ✓ 3 of 3")
	d.press("3").sees("attempt 1 → attempt 2", "-     return n  # wrong", "+     return 2 * n")
	d.press("5").sees("5 bytes, 0 of them inserted", "against the prompt before")
	d.press("7").sees("return 2 * n")
	d.press("y").sees("Rate the final answer", "satisfied after 2 attempts", "9 to go")
	d.press("enter").sees("nothing is rated for you")
	d.press("4", "5", "3", "4", "4").sees("4 to go")
	d.press("u").sees("5 to go").press("4", "4", "4", "5").sees("1 to go")
	d.press("y").sees("complete: enter commits")
	d.press("enter").sees("Session finished", "1 task: 1 satisfied", "report reports/one.md")
	d.press("f2").settled().sees("Session finished").lacks("pause")

	s := rig.Engine.State()
	if s.Tasks[0].Outcome != session.Satisfied || len(s.Tasks[0].Attempts) != 2 {
		t.Fatalf("outcome %s after %d attempts", s.Tasks[0].Outcome, len(s.Tasks[0].Attempts))
	}
	if !s.Tasks[0].Attempts[0].VerdictSeen || !s.Tasks[0].Attempts[1].VerdictSeen {
		t.Error("the log must say that both verdicts had been on the screen")
	}
	want := map[string]int{"accuracy": 4, "completeness": 5, "conciseness": 3, "logic_clarity": 4, "readability": 4,
		"structuredness": 4, "parameter_coverage": 4, "explanation_depth": 5}
	for id, score := range want {
		if s.Tasks[0].Ratings[id] != score {
			t.Errorf("%s is %d, want %d", id, s.Tasks[0].Ratings[id], score)
		}
	}
}

// The files that a program left are shown and saved; what is in them never reaches
// the terminal raw, and the log refers to them.
func TestFilesOfTheProgram(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Say(plottingAnswer)
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✓ 3 of 3", "o save files")
	d.press("2", "end").sees("files of the program", "plot.png", "PNG 640×480", "18.2 KB", "n,double", "…", "not copied: it is a symbolic link", "o saves them")
	if raw := d.App.View().Content; strings.Contains(raw, "\x1b[2J") {
		t.Error("an escape sequence of a file reached the screen")
	}
	d.press("o").sees("outputs/01JTESTSESSION/double-1-1 with 18633 and").press("end").sees("saved in outputs/01JTESTSESSION")
	v := rig.Engine.State().Tasks[0].Attempts[0].Verdict
	detail, err := rig.Engine.Text(v.Detail)
	if err != nil || len(v.Outputs) != 3 || v.Outputs[0].Data == "" || len(detail) > 4000 {
		t.Errorf("%d bytes of detail, %v, %v", len(detail), v.Outputs, err)
	}
	rig.Client.Say(plottingAnswer)
	d.press("r").sees("your next message").press("x", "ctrl+s").sees("tests ✓ 3 of 3", "o save files").press("o").sees("not saved: the disk is full")
	rig.Client.Say(rightAnswer)
	d.press("r").sees("your next message").press("x", "ctrl+s").sees("tests ✓ 3 of 3").press("o", "2").sees("1-3    passed")
	if screen := d.screen(); strings.Contains(screen, "save files") {
		t.Errorf("a key for files that there are not:\n%s", screen)
	}
}

// Where files were saved is told of the attempt that they are of, not of another one that
// came to the same.
func TestSavedInIsOfItsAttempt(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Say(plottingAnswer)
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✓ 3 of 3", "o save files").press("2", "o").sees("with 18633").press("end").sees("saved in outputs/01JTESTSESSION/double-1-1")
	rig.Client.Say(plottingAnswer)
	d.press("r").sees("your next message").press("x", "ctrl+s").sees("tests ✓ 3 of 3").press("2", "end").sees("o saves them")
}

// Nine keys rate eight attributes and commit; the label takes one more.
func TestRatingKeys(t *testing.T) {
	d, rig := begin(t, 2)
	rig.Client.Say(rightAnswer)
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✓").press("y").sees("9 to go")
	d.press("1", "2", "3", "4", "5", "4", "3", "2", "y").press("enter").sees("1 of 2 tasks done")
}

// A mistaken judgement can be taken back, on the form and in the editor.
func TestUndoJudgement(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Say(rightAnswer)
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✓")
	d.press("y").sees("Rate the final answer").press("u").sees("y satisfied", "r refine")
	d.press("r").sees("your next message").press("f6").sees("y satisfied", "attempt 1/10")
	d.press("r").sees("your next message").press("f6", "r", "gyq").sees("your next message", " gyq")
}

// Taking a judgement back drops the message that was begun: that asks first.
func TestUndoJudgementAsks(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Say(rightAnswer)
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✓")
	d.press("r").sees("your next message").press("Shorter", "f6").sees("Take the judgement back?")
	d.press("esc").sees("your next message", "Shorter")
	d.press("f6", "y").sees("y satisfied", "attempt 1/10")
}

// Keys that are pressed before a step is committed belong to the view after it.
func TestKeysAhead(t *testing.T) {
	d, rig := begin(t, 2)
	rig.Client.Say(rightAnswer)
	d.press("enter", "gyq? first", "ctrl+s").sees("tests ✓")
	if sent := rig.Client.Requests()[0].Messages; sent[0].Text != "gyq? first" {
		t.Errorf("the prompt is %q", sent[0].Text)
	}
	rig.Client.Say(rightAnswer)
	d.press("r", "good, yes? y", "ctrl+s").sees("tests ✓", "attempt 2/10")
	if sent := rig.Client.Requests()[1].Messages; sent[2].Text != "good, yes? y" {
		t.Errorf("the second message is %q", sent[2].Text)
	}
	d.press("y", "1", "2", "3", "4", "5", "4", "3", "2", "y", "enter", "enter", "next").sees("task 2 of 2", "your prompt", " next")
	if got := rig.Engine.State().Tasks[0]; !got.Closed || got.Ratings["accuracy"] != 1 || got.Ratings["explanation_depth"] != 2 {
		t.Errorf("the first task is %+v", got)
	}
	d.press("f2", "enter", "!").sees(" next!")
}

// Giving up asks first.
func TestGiveUp(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Say("I cannot do that.")
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("I cannot do that.", "y satisfied")
	d.press("2").sees("The answer holds no code")
	d.press("g").sees("Give this task up").press("esc").sees("y satisfied")
	d.press("g", "y").sees("given up after 1 attempt", "What the model got wrong", "10 to go").press("d").sees("9 to go", "[d understanding]")
}

// A provider's error stands where the prompt is, with what to do, and the
// prompt is still there.
func TestProviderError(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Fail(&llm.Error{Class: llm.Unreachable, Message: "localhost:11434 refused the connection", Advice: "is the model server running?"})
	d.press("enter").sees("your prompt").press("Double it").press("ctrl+s")
	d.sees("✗ localhost:11434 refused the connection: is the model server running?", "cost no attempt", "Double it", "attempt 1/10")
	rig.Client.Say(rightAnswer)
	d.press("ctrl+s").sees("tests ✓", "attempt 1/10")
}

// Why there is no answer is said in full on the smallest screen, too.
func TestFailureIsNotCut(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Fail(&llm.Error{Class: llm.Unreachable, Message: "localhost:11434 refused the connection", Advice: "is the model server running?"})
	d.send(tea.WindowSizeMsg{Width: 60, Height: 20})
	d.press("enter").sees("your prompt").press("Double it").press("ctrl+s")
	d.sees("✗ localhost:11434 refused", "running? ctrl+s sends", "attempt.\n", "Double 1", "Double it")
	d.press("ctrl+s").sees("waiting for the first words").press("esc").sees("You stopped the answer.", "attempt.\n")
	d.press("ctrl+s").sees("waiting for the first words")
	if err := rig.Crash(1000); err != nil {
		t.Fatal(err)
	}
	d = drive(t, work.New(rig.Engine, work.Options{}), 60, 20)
	d.sees("The answer was cut off when assay ended.", "attempt.\n", "Double 1", "Double it", "attempt 1/10")
}

// What an answer holds cannot reach the terminal.
func TestEscapesInAnswer(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Say("\x1b[2J\x1b]0;owned\x07Hello \x1b[31mred\x1b[0m\n\n```python\ndef double(n): return '\x1b]52;c;aGk=\x07'\n```\n")
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("Hello red", "tests ✓")
	for _, tab := range []string{"1", "2", "3"} {
		d.press(tab)
		raw := d.App.View().Content
		for _, bad := range []string{"\x1b[2J", "\x1b]", "\x07", "[31m"} {
			if strings.Contains(raw, bad) {
				t.Errorf("tab %s passes %q on to the terminal", tab, bad)
			}
		}
	}
}

func TestOddAnswers(t *testing.T) {
	for _, tc := range []struct{ name, answer, sees string }{
		{"empty", "", "The answer is empty."},
		{"one megabyte", strings.Repeat("words and more words\n", 50_000), "words and more words"},
		{"no code", "Use the operator.", "Use the operator."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d, rig := begin(t, 1)
			rig.Client.Say(tc.answer)
			d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("y satisfied")
			d.until("the rendered answer", func(string) bool { return d.App.Settled() }).sees(tc.sees)
		})
	}
}

// A prompt of 100 KB goes through whole, and is known to be pasted.
func TestLongPaste(t *testing.T) {
	d, rig := begin(t, 1)
	text := strings.Repeat("a line of a very long prompt\n", 3700)
	rig.Client.Say(rightAnswer)
	d.press("enter").sees("your prompt")
	d.send(tea.PasteMsg{Content: text})
	d.press("!", "ctrl+s").sees("tests ✓")
	sent := rig.Engine.State().Attempt().Sent
	if sent.Bytes != len(text)+1 || sent.Inserted != len(text) {
		t.Errorf("%d bytes were sent and %d count as inserted; want %d and %d", sent.Bytes, sent.Inserted, len(text)+1, len(text))
	}
}

func TestPauseAndBreak(t *testing.T) {
	d, rig := begin(t, 2)
	d.press("b").sees("‖ Break").press("enter").sees("enter open the task")
	d.press("enter").sees("your prompt").press("half").press("f2").sees("‖ Paused")
	if draft := rig.Engine.State().Task().Draft(); draft != "half" {
		t.Errorf("the draft at the pause is %q", draft)
	}
	d.press("enter").sees("your prompt", "half")
}

func TestSkip(t *testing.T) {
	d, rig := begin(t, 2)
	d.press("enter").sees("your prompt").press("f3").sees("Leave this task out?").press("enter").sees("Say in a few words why")
	d.press("it is a double", "enter").sees("enter open the task", "Double 2")
	if task := rig.Engine.State().Tasks[0]; task.Outcome != session.Skipped || task.Reason != "it is a double" {
		t.Errorf("outcome %s, reason %q", task.Outcome, task.Reason)
	}
}

// Who carries the prompt to a chat page can read it, and the task, at every size: not every
// terminal passes on what is copied.
func TestPromptIsReadWhilePasting(t *testing.T) {
	rig, err := enginetest.New(1, func(c *session.Choice) { c.Model = session.Model{Name: "paste", Provider: "paste"} })
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, work.New(rig.Engine, work.Options{}), 80, 23)
	d.press("enter").sees("your prompt")
	for i := range 30 {
		d.press(fmt.Sprintf("line %02d", i), "enter")
	}
	d.press("ctrl+s").sees("paste its answer here", "line 00", "The answer goes here", "f5 down").press("f5", "f5", "f5", "f5").sees("line 29", "f4 up")
	d.press("tab").sees("Return twice").press("tab").sees("line 29").press("an answer").sees("an answer", "tab task")
	for _, width := range []int{120, 200} {
		d.send(tea.WindowSizeMsg{Width: width, Height: 40})
		d.sees("line 29", "an answer")
	}
	d.sees("Return twice") // beside both
}

// The paste provider: the prompt goes to the clipboard, the answer comes from
// it.
func TestPaste(t *testing.T) {
	rig, err := enginetest.New(1, func(c *session.Choice) { c.Model = session.Model{Name: "paste", Provider: "paste"} })
	if err != nil {
		t.Fatal(err)
	}
	copied := ""
	d := drive(t, work.New(rig.Engine, work.Options{Copy: func(text string) tea.Cmd { copied = text; return nil }}), 80, 24)
	d.press("enter").sees("your prompt").press("Double it").press("ctrl+s").sees("paste its answer here", "ctrl+y copy prompt")
	d.press("ctrl+y").sees("The prompt was sent to the clipboard.")
	if copied != "Double it" {
		t.Errorf("copied %q", copied)
	}
	d.press("ctrl+s").sees("Nothing is pasted yet")
	d.press("half").press("esc").sees("The answer that stands here is dropped").press("n").sees("half", "hand in")
	d.press("esc").sees("is dropped").press("y").sees("No answer was handed in", "Double it")
}

// A full disk is said, and nothing typed is lost.
func TestFullDisk(t *testing.T) {
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt").press("Double it")
	rig.Store.Fail(errors.New("no space left on device"))
	d.press("ctrl+s").sees("this was not saved: no space left on device", "Double it")
	rig.Store.Fail(nil)
	rig.Client.Say(rightAnswer)
	d.press("ctrl+s").sees("tests ✓")
}

// After the program ended in the middle, the screen is where it was.
func TestBackAfterCrash(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Say(rightAnswer)
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✓").press("y").sees("9 to go").press("4", "5").sees("7 to go")
	d.until("two stored ratings", func(string) bool { return len(rig.Engine.State().Task().Ratings) == 2 })
	if err := rig.Crash(5000); err != nil {
		t.Fatal(err)
	}
	again := drive(t, work.New(rig.Engine, work.Options{}), 80, 24)
	again.sees("Rate the final answer", "7 to go", "[4]", "[5]")
}

// Leaving asks, saves and ends the program.
func TestLeave(t *testing.T) {
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt").press("unsaved")
	d.press("ctrl+c").sees("Leave assay?").press("n").sees("unsaved")
	d.press("ctrl+c", "y").ends()
	s := rig.Engine.State()
	if s.Paused != "quit" || s.Task().Draft() != "unsaved" {
		t.Errorf("left as %q with the draft %q", s.Paused, s.Task().Draft())
	}
}

func TestTooSmall(t *testing.T) {
	// In a terminal without room for a page, own keys ask no page what they mean.
	own := drive(t, home.New(fullShelf(t), noon), 80, 24).use("[keys.home]\nn = \"z\"\n").press("r").sees("5 sessions")
	own.send(tea.WindowSizeMsg{Width: 5, Height: 1})
	own.press("z", "down", "enter")
	own.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	own.sees("5 sessions")

	d, _ := begin(t, 1)
	d.send(tea.WindowSizeMsg{Width: 50, Height: 12})
	d.sees("assay needs 60 columns and 20 rows", "50 and 12").press("enter")
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.sees("enter open the task")
}

// Whoever has never seen the screens reads what there is to do before the first task, in
// the empty editor that only its text is sent, and beside each label how it is answered.
func TestFirstTask(t *testing.T) {
	d, rig := begin(t, 2)
	rig.Client.Say(rightAnswer)
	d.sees("In each task: you write a prompt, scripted answers", "refine the prompt, or give up")
	d.press("enter").sees("The model reads what you write here, and not the task")
	if d.press("x").sees(" x"); strings.Contains(d.screen(), "The model reads") {
		t.Errorf("the hint stands on in a text:\n%s", d.screen())
	}
	d.press("ctrl+s").sees("tests ✓").press("r").sees("The earlier prompts and answers are sent along")
	d.press("f6").sees("y satisfied").press("g", "y").sees("u back").press("esc").sees("saved as they stand")
	d.press("1", "2", "3", "4", "5", "4", "3", "2").sees("u undo", "y or n answers it").press("3").sees("this row is answered with")
	d.press("y").sees("c or d answers it: wrong code, or a misunderstood task").press("d", "enter").sees("1 of 2 tasks done")
	if strings.Contains(d.screen(), "In each task") {
		t.Errorf("said again:\n%s", d.screen())
	}
}
