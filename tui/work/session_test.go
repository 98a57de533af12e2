package work_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/tui/home"
	"assay/tui/tuitest"
	"assay/tui/work"
	"assay/tui/work/viewer"
)

func TestTaskRefinedOnce(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say(tuitest.WrongAnswer)
	d.Press("enter").Sees("your prompt", "attempt 1 of 10", "double(n: int) -> int")
	d.Press("Double it").Sees("Double it")
	d.Press("ctrl+s").Sees("tests ✗ 2/3", "y satisfied")
	d.Press("2").Sees("✗ wrong answer 2/3", "expected  4", "got       5")
	d.Press("r").Sees("your next message", "attempt 2 of 10", "1 turn before")
	d.Press("tab").Sees("the answer before", "return n  # wrong")
	d.Press("tab").Sees("expected  4")
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("Twice").Press("ctrl+s").Sees("tests ✓ 3/3")
	d.Press("3").Sees("attempt 1 → attempt 2", "-     return n  # wrong", "+     return 2 * n")
	d.Press("5").Sees("5 characters", "changes to the prompt before")
	d.Press("7").Sees("return 2 * n")
	d.Press("y").Sees("Rate the final answer", "satisfied: u takes it back", "9 to go")
	d.Press("enter").Sees("nothing is rated for you")
	d.Press("4", "5", "3", "4", "4").Sees("4 to go")
	d.Press("u").Sees("5 to go").Press("4", "4", "4", "5").Sees("1 to go")
	d.Press("y").Sees("complete: enter commits")
	d.Press("enter").Sees("Session finished", "1 task: 1 satisfied", "report reports/one.md")
	d.Press("f2").Settled().Sees("Session finished").Lacks("pause")

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
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say(tuitest.PlottingAnswer)
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✓ 3/3", "o save ")
	d.Press("2", "end").Sees("files of the program", "plot.png", "PNG 640×480", "18.2 KB", "n,double", "…", "not copied: it is a symbolic link", "o saves them")
	if raw := d.App.View().Content; strings.Contains(raw, "\x1b[2J") {
		t.Error("an escape sequence of a file reached the screen")
	}
	d.Press("o").Sees("outputs/01JTESTSESSION/double-1-1 with 18633 and").Press("end").Sees("saved in outputs/01JTESTSESSION")
	v := rig.Engine.State().Tasks[0].Attempts[0].Verdict
	detail, err := rig.Engine.Text(v.Detail)
	if err != nil || len(v.Outputs) != 3 || v.Outputs[0].Data == "" || len(detail) > 4000 {
		t.Errorf("%d bytes of detail, %v, %v", len(detail), v.Outputs, err)
	}
	rig.Client.Say(tuitest.PlottingAnswer)
	d.Press("r").Sees("your next message").Press("x", "ctrl+s").Sees("tests ✓ 3/3", "o save ").Press("o").Sees("not saved: the disk is full")
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("r").Sees("your next message").Press("x", "ctrl+s").Sees("tests ✓ 3/3").Press("o", "2").Sees("1-3    passed")
	if screen := d.Screen(); strings.Contains(screen, "o save ") {
		t.Errorf("a key for files that there are not:\n%s", screen)
	}
}

// Where files were saved is told of the attempt that they are of, not of another one that
// came to the same.
func TestSavedInIsOfItsAttempt(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say(tuitest.PlottingAnswer)
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✓ 3/3", "o save ").Press("2", "o").Sees("with 18633").Press("end").Sees("saved in outputs/01JTESTSESSION/double-1-1")
	rig.Client.Say(tuitest.PlottingAnswer)
	d.Press("r").Sees("your next message").Press("x", "ctrl+s").Sees("tests ✓ 3/3").Press("2", "end").Sees("o saves them")
}

// Nine keys rate eight attributes and commit; the label takes one more.
func TestRatingKeys(t *testing.T) {
	d, rig := tuitest.Begin(t, 2)
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✓").Press("y").Sees("9 to go")
	d.Press("1", "2", "3", "4", "5", "4", "3", "2", "y").Press("enter").Sees("1 of 2 tasks done")
}

// A mistaken judgement can be taken back, on the form and in the editor.
func TestUndoJudgement(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✓")
	d.Press("y").Sees("Rate the final answer").Press("u").Sees("y satisfied", "r refine")
	d.Press("r").Sees("your next message").Press("f6").Sees("y satisfied", "attempt 1 of 10")
	d.Press("r").Sees("your next message").Press("f6", "r", "gyq").Sees("your next message", " gyq")
}

// Taking a judgement back drops the message that was begun: that asks first.
func TestUndoJudgementAsks(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✓")
	d.Press("r").Sees("your next message").Press("Shorter", "f6").Sees("Take the judgement back?")
	d.Press("esc").Sees("your next message", "Shorter")
	d.Press("f6", "y").Sees("y satisfied", "attempt 1 of 10")
}

// Keys that are pressed before a step is committed belong to the view after it.
func TestKeysAhead(t *testing.T) {
	d, rig := tuitest.Begin(t, 2)
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter", "gyq? first", "ctrl+s").Sees("tests ✓")
	if sent := rig.Client.Requests()[0].Messages; sent[0].Text != "gyq? first" {
		t.Errorf("the prompt is %q", sent[0].Text)
	}
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("r", "good, yes? y", "ctrl+s").Sees("tests ✓", "attempt 2 of 10")
	if sent := rig.Client.Requests()[1].Messages; sent[2].Text != "good, yes? y" {
		t.Errorf("the second message is %q", sent[2].Text)
	}
	d.Press("y", "1", "2", "3", "4", "5", "4", "3", "2", "y", "enter", "enter", "next").Sees("task 2 of 2", "your prompt", " next")
	if got := rig.Engine.State().Tasks[0]; !got.Closed || got.Ratings["accuracy"] != 1 || got.Ratings["explanation_depth"] != 2 {
		t.Errorf("the first task is %+v", got)
	}
	d.Press("f2", "enter", "!").Sees(" next!")
}

// Giving up asks first.
func TestGiveUp(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say("I cannot do that.")
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("I cannot do that.", "y satisfied")
	d.Press("2").Sees("The answer holds no code")
	d.Press("g").Sees("given up: u takes it back").Press("u").Sees("y satisfied").Press("y").Sees("satisfied: u takes it back").Press("u").Sees("y satisfied")
	d.Press("g").Sees("given up: u takes it back", "What the model got wrong", "10 to go").Press("d").Sees("9 to go", "[d understanding]")
}

// A provider's error stands where the prompt is, with what to do, and the
// prompt is still there.
func TestProviderError(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Fail(&llm.Error{Class: llm.Unreachable, Message: "localhost:11434 refused the connection", Advice: "is the model server running?"})
	d.Press("enter").Sees("your prompt").Press("Double it").Press("ctrl+s")
	d.Sees("✗ localhost:11434 refused the connection: is the model server running?", "cost no attempt", "Double it", "attempt 1 of 10")
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("ctrl+s").Sees("tests ✓", "attempt 1 of 10")
}

// Why there is no answer is said in full on the smallest screen, too.
func TestFailureIsNotCut(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Fail(&llm.Error{Class: llm.Unreachable, Message: "localhost:11434 refused the connection", Advice: "is the model server running?"})
	d.Send(tea.WindowSizeMsg{Width: 60, Height: 20})
	d.Press("enter").Sees("your prompt").Press("Double it").Press("ctrl+s")
	d.Sees("✗ localhost:11434 refused", "server running?", "ctrl+s sends the prompt again; this cost no attempt.\n", "Double 1", "Double it")
	d.Press("ctrl+s").Sees("waiting for the first words").Press("esc").Sees("You stopped the answer.", "attempt.\n")
	d.Press("ctrl+s").Sees("waiting for the first words")
	fatal.If(t, rig.Crash(1000))
	d = tuitest.Drive(t, work.New(rig.Engine, work.Options{}), 60, 20)
	d.Sees("The answer was cut off when assay ended.", "attempt.\n", "Double 1", "Double it", "attempt 1 of 10")
}

// What an answer holds cannot reach the terminal.
func TestEscapesInAnswer(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say("\x1b[2J\x1b]0;owned\x07Hello \x1b[31mred\x1b[0m\n\n```python\ndef double(n): return '\x1b]52;c;aGk=\x07'\n```\n")
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("Hello red", "tests ✓")
	for _, tab := range []string{"1", "2", "3"} {
		d.Press(tab)
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
			d, rig := tuitest.Begin(t, 1)
			rig.Client.Say(tc.answer)
			d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("y satisfied")
			d.Until("the rendered answer", func(string) bool { return d.App.Settled() }).Sees(tc.sees)
		})
	}
}

// A prompt of 100 KB goes through whole, and is known to be pasted.
func TestLongPaste(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	text := strings.Repeat("a line of a very long prompt\n", 3700)
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("your prompt")
	d.Send(tea.PasteMsg{Content: text})
	d.Press("!", "ctrl+s").Sees("tests ✓")
	sent := rig.Engine.State().Attempt().Sent
	if sent.Bytes != len(text)+1 || sent.Inserted != len(text) {
		t.Errorf("%d bytes were sent and %d count as inserted; want %d and %d", sent.Bytes, sent.Inserted, len(text)+1, len(text))
	}
}

func TestPauseAndBreak(t *testing.T) {
	d, rig := tuitest.Begin(t, 2)
	d.Press("b").Sees("‖ Break").Press("enter").Sees("enter open the task")
	d.Press("enter").Sees("your prompt").Press("half").Press("f2").Sees("‖ Paused")
	if draft := rig.Engine.State().Task().Draft(); draft != "half" {
		t.Errorf("the draft at the pause is %q", draft)
	}
	d.Press("enter").Sees("your prompt", "half")
}

func TestSkip(t *testing.T) {
	d, rig := tuitest.Begin(t, 2)
	d.Press("enter").Sees("your prompt").Press("f3").Sees("Leave this task out?").Press("enter").Sees("Say in a few words why")
	d.Press("it is a double", "enter").Sees("enter open the task", "Double 2")
	if task := rig.Engine.State().Tasks[0]; task.Outcome != session.Skipped || task.Reason != "it is a double" {
		t.Errorf("outcome %s, reason %q", task.Outcome, task.Reason)
	}
}

// Who carries the prompt to a chat page can read it, and the task, at every size: not every
// terminal passes on what is copied.
func TestPromptIsReadWhilePasting(t *testing.T) {
	rig, err := enginetest.New(1, func(c *session.Choice) { c.Model = session.Model{Name: "paste", Provider: "paste"} })
	fatal.If(t, err)
	d := tuitest.Drive(t, work.New(rig.Engine, work.Options{}), 80, 23)
	d.Press("enter").Sees("your prompt")
	for i := range 30 {
		d.Press(fmt.Sprintf("line %02d", i), "enter")
	}
	d.Press("ctrl+s").Sees("paste its answer here", "line 00", "The answer goes here", "f5 down").Press("f5", "f5", "f5", "f5").Sees("line 29", "f4 up")
	d.Press("tab").Sees("Return twice").Press("tab").Sees("line 29").Press("an answer").Sees("an answer", "tab task")
	for _, width := range []int{120, 200} {
		d.Send(tea.WindowSizeMsg{Width: width, Height: 40})
		d.Sees("line 29", "an answer")
	}
	d.Sees("Return twice") // beside both
}

// The paste provider: the prompt goes to the clipboard, the answer comes from
// it.
func TestPaste(t *testing.T) {
	rig, err := enginetest.New(1, func(c *session.Choice) { c.Model = session.Model{Name: "paste", Provider: "paste"} })
	fatal.If(t, err)
	copied := ""
	d := tuitest.Drive(t, work.New(rig.Engine, work.Options{Options: viewer.Options{Copy: func(text string) tea.Cmd { copied = text; return nil }}}), 80, 24)
	d.Press("enter").Sees("your prompt").Press("Double it").Press("ctrl+s").Sees("paste its answer here", "ctrl+y copy prompt")
	d.Press("ctrl+y").Sees("The prompt was sent to the clipboard.")
	if copied != "Double it" {
		t.Errorf("copied %q", copied)
	}
	d.Press("ctrl+s").Sees("Nothing is pasted yet")
	d.Press("half").Press("esc").Sees("The answer that stands here is dropped").Press("n").Sees("half", "hand in")
	d.Press("esc").Sees("is dropped").Press("y").Sees("No answer was handed in", "Double it")
}

// A full disk is said, and nothing typed is lost.
func TestFullDisk(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("Double it")
	rig.Store.Fail(errors.New("no space left on device"))
	d.Press("ctrl+s").Sees("this was not saved: no space left on device", "Double it")
	rig.Store.Fail(nil)
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("ctrl+s").Sees("tests ✓")
}

// After the program ended in the middle, the screen is where it was.
func TestBackAfterCrash(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✓").Press("y").Sees("9 to go").Press("4", "5").Sees("7 to go")
	d.Until("two stored ratings", func(string) bool { return len(rig.Engine.State().Task().Ratings) == 2 })
	fatal.If(t, rig.Crash(5000))
	again := tuitest.Drive(t, work.New(rig.Engine, work.Options{}), 80, 24)
	again.Sees("Rate the final answer", "7 to go", "[4]", "[5]")
}

// Leaving asks, saves and ends the program.
func TestLeave(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("unsaved")
	d.Press("ctrl+c").Sees("Leave assay?").Press("n").Sees("unsaved")
	d.Press("ctrl+c", "y").Ends()
	s := rig.Engine.State()
	if s.Paused != "quit" || s.Task().Draft() != "unsaved" {
		t.Errorf("left as %q with the draft %q", s.Paused, s.Task().Draft())
	}
}

func TestTooSmall(t *testing.T) {
	// In a terminal without room for a page, own keys ask no page what they mean.
	own := tuitest.Drive(t, home.New(tuitest.FullShelf(t), tuitest.Noon), 80, 24).Use("[keys.home]\nn = \"z\"\n").Press("r").Sees("5 sessions")
	own.Send(tea.WindowSizeMsg{Width: 5, Height: 1})
	own.Press("z", "down", "enter")
	own.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	own.Sees("5 sessions")

	d, _ := tuitest.Begin(t, 1)
	d.Send(tea.WindowSizeMsg{Width: 50, Height: 12})
	d.Sees("assay needs 60 columns and 20 rows", "50 and 12").Press("enter")
	d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.Sees("enter open the task")
}

// Whoever has never seen the screens reads what there is to do before the first task, in
// the empty editor that only its text is sent, and beside each label how it is answered.
func TestFirstTask(t *testing.T) {
	d, rig := tuitest.Begin(t, 2)
	rig.Client.Say(tuitest.RightAnswer)
	d.Sees("In each task: you write a prompt, scripted answers", "refine the prompt, or give up")
	d.Press("enter").Sees("The model reads what you write here, and not the task")
	if d.Press("x").Sees(" x"); strings.Contains(d.Screen(), "The model reads") {
		t.Errorf("the hint stands on in a text:\n%s", d.Screen())
	}
	d.Press("ctrl+s").Sees("tests ✓").Press("r").Sees("The earlier prompts and answers are sent along")
	d.Press("f6").Sees("y satisfied").Press("g").Sees("u takes it back").Press("esc").Sees("saved as they stand")
	d.Press("1", "2", "3", "4", "5", "4", "3", "2").Sees("u undo", "y or n answers it").Press("3").Sees("this row is answered with")
	d.Press("y").Sees("c or d answers it: wrong code, or a misunderstood task").Press("d", "enter").Sees("1 of 2 tasks done")
	if strings.Contains(d.Screen(), "In each task") {
		t.Errorf("said again:\n%s", d.Screen())
	}
}

// A question is answered by its own keys alone: the key that asked it, pressed twice, is no answer.
func TestQuestionsTakeTheirOwnKeys(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("The model reads")
	d.Press("x").Sees(" x")
	d.Press("ctrl+s").Sees("y satisfied").Press("r").Sees("your next message").Press("Once more", "f6").Sees("y take it back")
	d.Press("f6", "enter", "7").Sees("y says yes, esc no", "y take it back")
	d.Press("esc").Sees("Once more").Press("f6", "y").Sees("y satisfied")
}
