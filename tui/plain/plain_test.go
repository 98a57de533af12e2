package plain_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/tui/plain"
	"assay/tui/setup"
)

const (
	right = "Try this:\n\n```python\ndef double(n):\n    return 2 * n\n```\n"
	wrong = "Try this:\n\n```python\ndef double(n):\n    return n  # wrong\n```\n"
)

// talk types the lines of a script into a session and returns what was said.
func talk(t testing.TB, rig *enginetest.Rig, script string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var out bytes.Buffer
	lines := plain.Lines(ctx, strings.NewReader(script))
	fatal.If(t, plain.Run(ctx, rig.Engine, lines, &out, plain.Options{}))
	if strings.ContainsRune(out.String(), '\x1b') {
		t.Error("an escape sequence was written")
	}
	return out.String()
}

func rig(t testing.TB, tasks int, adjust func(*session.Choice), answers ...string) *enginetest.Rig {
	t.Helper()
	r, err := enginetest.New(tasks, adjust)
	fatal.If(t, err)
	for _, a := range answers {
		r.Client.Say(a)
	}
	return r
}

func says(t *testing.T, said string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(said, text) {
			t.Fatalf("%q was not said:\n%s", text, said)
		}
	}
}

// TestSession: two tasks from the statement to the ratings, with a refinement, an
// insertion, an undo, a note, and everything in words.
func TestSession(t *testing.T) {
	r := rig(t, 2, func(*session.Choice) {}, "\x1b[2J"+wrong, right, right)
	said := talk(t, r, `open
Double
it.
.back
..it, please
.show
.
tests
refine
.insert failing
.
tests
code
sat
5
4
undo
3
3
3
3
3
3
3
x
y
note terse
commit
open
One line
.
give
1
2
3
4
5
1
2
3
no
code
commit
`)
	says(t, said, "Return twice the number", "Example: double(2) gives 4", "Double\n.it, please", "Tests: wrong answer, 2 of 3 passed",
		"Test 2: double(2) fails: expected 4, got 5", "Inserted:\ndouble(2) fails: expected 4, got 5", "return 2 * n", "Tests: accepted",
		`"x" is unknown or ambiguous here`, "What the model got wrong, code or understanding", "were satisfied: 1; given up: 1")
	s := r.Engine.State()
	first := s.Tasks[0]
	if s.Closed != "finished" || len(first.Attempts) != 2 || first.Ratings["completeness"] != 3 || first.Note != "terse" || s.Tasks[1].Labels[session.LabelErrorCause] != "code" {
		t.Errorf("%+v", first)
	}
	if a := first.Attempts; !a[0].VerdictSeen || a[0].Sent.Inserted != 0 || a[1].Sent.Inserted != a[1].Sent.Bytes || !slices.Contains(a[1].Tabs, "tests") {
		t.Errorf("%+v", a)
	}
	if prompt, _ := r.Engine.Text(first.Attempts[0].Sent.Prompt); prompt != "Double\n.it, please" {
		t.Errorf("sent %q", prompt)
	}
}

// Whoever continues a session hears the open task, whatever comes next in it, and hears it once.
func TestContinued(t *testing.T) {
	const task = "Return twice the number"
	r := rig(t, 1, func(*session.Choice) {}, wrong, right)
	for i, part := range []string{"open\n", "\nDouble\n.\n", "\nrefine\n", "\nAgain\n.\n", "\nsat\n", "\n5\nundo\nundo\nsat\n"} {
		if said := talk(t, r, part); strings.Count(said, task) != 1 {
			t.Errorf("part %d reads the task out %d times:\n%s", i+1, strings.Count(said, task), said)
		}
		r.Reopen(t, func(*engine.Config) {})
	}
}

// Blocks of an answer are told, and another can be judged.
func TestBlocks(t *testing.T) {
	r := rig(t, 1, func(*session.Choice) {}, wrong+"\nBetter:\n\n```python\ndef double(n):\n    return 2 * n\n```\n")
	said := talk(t, r, "open\nDouble\n.\ntests\nblocks\ntake 3\ntake 1\ntests\nblocks\n.quit\n")
	says(t, said, "Tests: accepted", "Block 1 of 2, 2 lines, is not judged. A later block does the same.", "Block 2 of 2, 2 lines, is judged. Block 2 of the answer's 2 was taken",
		"The answer has 2 blocks of code.", "Block 1 is judged instead.", "Tests: wrong answer, 2 of 3 passed", "Block 1 of 2, 2 lines, is judged. Block 1 of the answer's 2 was taken by the tester.")
	forTheEar(t, said)
}

// TestStudy: consent, hidden tests, attention check, survey; and the end of the input
// leaves the session paused.
func TestStudy(t *testing.T) {
	adjust := func(c *session.Choice) {
		c.Study = &session.InStudy{Name: "Two models", Instructions: "Judge each answer.", Consent: "You agree.", ConsentVersion: "2", Shown: "Model A"}
		c.Tests, c.Checks = session.SeeNothing, map[int]session.Check{1: {Text: "Please choose 2", Score: 2}}
		c.Survey = []session.Question{{ID: "mood", Text: "How was it?", Choices: []string{"fine", "not"}}, {ID: "words", Text: "What else?", Optional: true}}
	}
	r := rig(t, 1, adjust, right)
	said := talk(t, r, "yes\nagree\nopen\nDouble it\n.\ntests\nsatisfied\n")
	says(t, said, "Judge each answer.", "You agree.", "version 2", "Model A is answering", "hides the tests", "Everything is saved")
	if strings.Contains(said, "scripted") || strings.Contains(said, "3 of 3") {
		t.Errorf("the model or the tests show:\n%s", said)
	}
	fatal.If(t, r.Crash(1000))
	said = talk(t, r, "5\n5\n5\n5\n2\n5\n5\n5\n5\nyes\ncommit\n3\n2\n\n\n")
	says(t, said, "Please choose 2:", "How was it?", "Type a number from 1 to 2", "What else?", "The session is finished")
	s := r.Engine.State()
	if s.Closed != "finished" || s.Consented != "2" || s.Tasks[0].Checked != 2 || s.Answers["mood"] != "not" || s.Tasks[0].Attempts[0].VerdictSeen || len(s.Flags) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestPaste: the tester fetches the answer.
func TestPaste(t *testing.T) {
	r := rig(t, 1, func(c *session.Choice) {
		c.Model, c.Suffix = session.Model{Name: "paste", Provider: "paste"}, "Explain it."
	})
	said := talk(t, r, "open\nDouble it\n.\n.stop\n")
	says(t, said, "Give this prompt to your chat page:\nDouble it\n\nExplain it.\nEnd of the prompt", "The answer was cut off")
}

// TestAnyLines: whatever is typed, nothing panics and the log replays to the state.
func TestAnyLines(t *testing.T) {
	words := []string{"open", "break", "", ".", "..", "text", ".insert 2", ".undo", ".skip why", ".clear", "satisfied", "refine", "give", "tests", "code", "undo",
		"1", "5", "9", "y", "no", "code", "und", "commit", "note x", "flag y", "pause", "skip z", "?", ".pause", ".note q", "\x1b[2J"}
	rapid.Check(t, func(rt *rapid.T) {
		r := rig(t, 2, func(c *session.Choice) { c.K = 2 }, right, wrong, right, wrong, right)
		talk(t, r, strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 60).Draw(rt, "lines"), "\n")+"\n")
		events, err := r.Store.Events(r.ID, 1)
		fatal.If(rt, err)
		fatal.If(rt, enginetest.Verify(events))
		again, err := session.Replay(events)
		if err != nil || !reflect.DeepEqual(again.Tasks, r.Engine.State().Tasks) {
			rt.Fatalf("the log does not replay: %v", err)
		}
	})
}

// TestChoose: what to do without flags.
func TestChoose(t *testing.T) {
	sessions := []session.Summary{{ID: "S0", Benchmark: "b", Model: "m", Status: "open", Automatic: "verdict"}, {ID: "S1", Benchmark: "b", Model: "m", Status: "finished"}, {ID: "S2", Benchmark: "b", Model: "m", Status: "open", Progress: session.Progress{Done: 1, Tasks: 3}}}
	choices := setup.Choices{Benchmarks: []*benchmark.Benchmark{enginetest.Benchmark(9)}, Seed: 4, Models: []setup.ModelChoice{
		{Model: session.Model{Name: "recorded", Recorded: true}, Ready: true}, {Model: session.Model{Name: "gpt"}, Why: "no key"},
	}}
	for script, check := range map[string]func(*plain.Choice) bool{
		"q\n":    func(c *plain.Choice) bool { return c == nil },
		"":       func(c *plain.Choice) bool { return c == nil },
		"9\n1\n": func(c *plain.Choice) bool { return c.Continue == "S2" },
		"r\n":    func(c *plain.Choice) bool { return c.Begin.Model.Recorded && c.Begin.Practice },
		"n\n\n2\nx\n7\n\n": func(c *plain.Choice) bool {
			return c.Begin.Model.Name == "gpt" && c.Begin.Tasks == 7 && c.Begin.K == 10
		},
	} {
		var out bytes.Buffer
		c, err := plain.Choose(t.Context(), plain.Lines(t.Context(), strings.NewReader(script)), &out, sessions, choices)
		if err != nil || !check(c) {
			t.Errorf("%q: %+v, %v\n%s", script, c, err, out.String())
		}
	}
}

// TestRepeatedPractice: the answer of a practice task that is begun anew is read out, and
// its tests count as unseen until they are told.
func TestRepeatedPractice(t *testing.T) {
	r := rig(t, 1, func(c *session.Choice) {
		c.Benchmark.Tasks[0].Tests = c.Benchmark.Tasks[1].Tests
		c.Practice, c.Gate, c.Labels = true, &session.Gate{Needs: session.GateAccepted, Repeats: 1}, []session.Label{{ID: "use", Name: "Use it?", Values: []string{"not sure", "no"}}}
	}, wrong, right)
	rates := strings.Repeat("3\n", 8)
	said := talk(t, r, "open\nDouble\n.\ntests\nsat\n"+rates+"n\nno\ncommit\nopen\nAgain\n.\nsat\n"+rates+"answer\nnot\ncommit\n")
	says(t, said, "Next, practice, not counted: Warm-up", "repeat 1 of 1", "return 2 * n", "That could be not sure or no")
	if strings.Count(said, "return 2 * n") != 2 {
		t.Error("answer did not read it out again")
	}
	task := r.Engine.State().Tasks[0]
	if task.Attempts[0].VerdictSeen || task.Repeats != 1 || task.Labels["use"] != "not sure" {
		t.Errorf("%+v", task)
	}
}

// TestSurveyCommands: a dot begins a command, and an answer can be changed.
func TestSurveyCommands(t *testing.T) {
	adjust := func(c *session.Choice) {
		c.Criterion = "Satisfied\x1b]0;owned\a: it is right."
		c.Survey = []session.Question{{ID: "a", Text: "First?"}, {ID: "b", Text: "Second?", Choices: []string{"yes", "no"}}}
	}
	r := rig(t, 1, adjust, right)
	said := talk(t, r, "open\nDouble\n.\nsat\n5\n5\n5\n5\n5\n5\n5\n5\nyes\ncommit\none\n.back\n\n.back\ntwo\n.flag too\x1b[31m long\n2\n.back\n1\n.quit\n")
	says(t, said, "Your answer so far: one.", "It has been recorded.", "Press enter to finish", "The session is paused")
	s := r.Engine.State()
	if s.Closed != "" || s.Answers["a"] != "two" || s.Answers["b"] != "yes" || len(s.Flags) != 1 || s.Flags[0] != "by the tester, between tasks: too long" {
		t.Errorf("%q, %q, %q", s.Closed, s.Answers, s.Flags)
	}
}

// An answer that the store does not take is told, and printed when the input has ended, since
// nobody can do anything about it then.
func TestAnswerThatCannotBeSaved(t *testing.T) {
	r := rig(t, 1, func(*session.Choice) {})
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	lines := make(chan string)
	var out bytes.Buffer
	ended := make(chan error)
	go func() { ended <- plain.Run(ctx, r.Engine, lines, &out, plain.Options{}) }()
	for _, line := range []string{"open", "Double it.", "."} {
		lines <- line
	}
	for r.Engine.State().Phase != session.Wait {
		<-r.Engine.Changes()
	}
	r.Store.Fail(errors.New("no space left on device"))
	r.Client.Say(right)
	close(lines)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "the answer is not saved: ") {
		t.Errorf("it ended with %v", err)
	}
	says(t, out.String(), "The answer cannot be saved: ", "no space left on device", "The answer, which is not saved:", "return 2 * n")
}

// TestTwoModels: with two models, both answers are read out, a letter says which is better, and no model is named.
func TestTwoModels(t *testing.T) {
	r := rig(t, 1, enginetest.Arena, right, "I am scripted-1.")
	r.Rival.Say(wrong)
	r.Rival.Say(right)
	said := talk(t, r, "open\nDouble it\n.\ntests a\nanswer c\nb\nrefine\nAgain\n.\n0\nsatisfied\nquit\n")
	says(t, said, "Two models are answering", "Answer A:", "Answer B:", "Which answer is better?", "Tests: ", "Say of which answer: a or b.", "Answer B goes on.", "I am [model].", "Neither is usable: later prompts are sent without this one", "not possible now")
	for _, name := range []string{"scripted-1", "rival"} {
		if _, after, _ := strings.Cut(said, "Two models are answering"); strings.Contains(after, name) {
			t.Errorf("%q is named:\n%s", name, said)
		}
	}
	if a := r.Engine.State().Tasks[0].Attempts; len(a) != 2 || a[0].Picked.Goes != session.SideB || !a[1].Unusable() {
		t.Errorf("%+v", a)
	}
}

// What a program prints and leaves is read out with its tests, and what comes of a call of one's own.
func TestOutput(t *testing.T) {
	r := rig(t, 1, func(*session.Choice) {}, strings.Replace(right, "return 2 * n", "return 2 * n  # savefig", 1))
	said := talk(t, r, "open\nDouble it.\n.\n\nrun\nrun double(4)\nsatisfied\nrun double(5)\n")
	says(t, said, "It left the file ", "Say which call: run CALL.", "What came of it, which is no verdict:\nran ", `"run" is unknown or ambiguous here`)
}
