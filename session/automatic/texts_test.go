package automatic

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/session"
)

// about returns a policy's feedback on a verdict.
func about(policy session.Feedback, context session.Context, code string, v verdicts.Result) feedback {
	return feedback{
		plan: session.Plan{Level: 1, Context: context, Automatic: Tester(policy, 1, context, 3, session.TooLongUnsolved)},
		task: &benchmark.Task{ID: "t", Language: "python", Description: "Do it."}, code: code, verdict: v,
	}
}

// Hostile values, code and reflections stay text of limited length.
func TestUntrustedText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hostile := rapid.Custom(func(t *rapid.T) string {
			one := rapid.SampledFrom([]string{"\x1b[2J", "\x1b]0;title\x07", "\x00", "\u202e", "```", "````\n", "{code}", "{feedback}", "{tests}", "\r\n", "ü", "\xff", "x"})
			return strings.Repeat(one.Draw(t, "piece"), rapid.IntRange(0, 20_000).Draw(t, "times"))
		})
		cases := make([]verdicts.CaseResult, rapid.IntRange(0, 60).Draw(t, "cases"))
		value := hostile.Draw(t, "value")
		for i := range cases {
			cases[i] = verdicts.CaseResult{Index: i + 1, Status: verdicts.Status(verdicts.WrongAnswer), Call: value, Got: value, Message: value}
		}
		policy := rapid.SampledFrom(session.Feedbacks()).Draw(t, "policy")
		context := rapid.SampledFrom([]session.Context{session.Conversation, session.Fresh}).Draw(t, "context")
		f := about(policy, context, hostile.Draw(t, "code"), verdicts.Result{Verdict: verdicts.WrongAnswer, Cases: cases, Message: hostile.Draw(t, "message")})
		f.reflection = hostile.Draw(t, "reflection")
		for _, text := range []string{f.prompt(), f.reflect()} {
			// A fence is longer than the runs of backticks inside: code and tests may have two each.
			if limit := 4*maxText + 4*maxTests; len(text) > limit {
				t.Fatalf("%d bytes are sent, more than %d", len(text), limit)
			}
			if !utf8.ValidString(text) {
				t.Fatal("it is not UTF-8")
			}
			if i := strings.IndexFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
				t.Fatalf("it has the control character %q", text[i])
			}
		}
	})
}

// Braces in inserted texts are not placeholders.
func TestFilledOnce(t *testing.T) {
	f := about(session.FeedbackFirst, session.Fresh, "print('{feedback} {prompt}')", verdicts.Result{
		Verdict: verdicts.WrongAnswer, Cases: []verdicts.CaseResult{{Status: verdicts.Status(verdicts.WrongAnswer), Call: "f('{code}')", Got: "{verdict}"}},
	})
	text := f.prompt()
	for _, kept := range []string{"print('{feedback} {prompt}')", "f('{code}')", "got: {verdict}"} {
		if !strings.Contains(text, kept) {
			t.Errorf("%q is not in\n%s", kept, text)
		}
	}
	if strings.Count(text, "Do it.") != 1 {
		t.Errorf("the statement stands more than once in\n%s", text)
	}
}

// Fences are longer than those in their content.
func TestFences(t *testing.T) {
	for text, want := range map[string]string{
		"x = 1\n":     "```python\nx = 1\n```",
		"a\n```\nb":   "````python\na\n```\nb\n````",
		"a\n`````\nb": "``````python\na\n`````\nb\n``````",
	} {
		if got := fenced("python", text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// Each policy's feedback on verdicts with and without test cases.
func TestPolicies(t *testing.T) {
	failing := verdicts.Result{Verdict: verdicts.RuntimeError, Cases: []verdicts.CaseResult{
		{Index: 1, Status: verdicts.Passed, Call: "f(1)"},
		{Index: 2, Status: verdicts.Status(verdicts.RuntimeError), Name: "test_two", Call: "f(2)", Message: "ValueError: no"},
		{Index: 3, Status: verdicts.Status(verdicts.WrongAnswer), Call: "f(3)", Expected: "9", Got: "6"},
		{Index: 4, Status: verdicts.NotRun, Call: "f(4)"},
		{Index: 5, Status: verdicts.Status(verdicts.TimeLimit)},
	}}
	broken := verdicts.Result{Verdict: verdicts.CompileError, Message: "line 1: \x1b[31minvalid syntax", Total: 3}
	for _, c := range []struct {
		policy   session.Feedback
		verdict  verdicts.Result
		has, not []string
	}{
		{session.FeedbackVerdict, failing, []string{"it ends with an error"}, []string{"f(2)", "f(3)", "ValueError"}},
		{session.FeedbackFirst, failing, []string{"test: test_two\ninput: f(2)\nmessage: ValueError: no"}, []string{"f(1)", "f(3)", "not shown"}},
		{session.FeedbackAll, failing, []string{"f(2)", "input: f(3)\nexpected: 9\ngot: 6", "test 5: time limit"}, []string{"f(1)", "f(4)", "not shown"}},
		{session.FeedbackVerdict, broken, []string{"it does not compile"}, []string{"invalid syntax"}},
		{session.FeedbackFirst, broken, []string{"line 1: invalid syntax"}, nil},
		{session.FeedbackAll, verdicts.Result{Verdict: verdicts.TimeLimit}, []string{"it takes too long", "no test case was reached"}, nil},
	} {
		text := about(c.policy, session.Conversation, "x", c.verdict).prompt()
		for _, has := range c.has {
			if !strings.Contains(text, has) {
				t.Errorf("%s: %q is not in %q", c.policy, has, text)
			}
		}
		for _, not := range c.not {
			if strings.Contains(text, not) {
				t.Errorf("%s: %q is in %q", c.policy, not, text)
			}
		}
	}
	if text := about(session.FeedbackVerdict, session.Fresh, "", failing).prompt(); strings.Count(text, "no code was found") != 2 {
		t.Errorf("an answer without code is told of as %q", text)
	}
}

// Of many failing test cases some are shown, and the others counted.
func TestManyFailing(t *testing.T) {
	var v verdicts.Result
	for i := range 45 {
		v.Cases = append(v.Cases, verdicts.CaseResult{Index: i + 1, Status: verdicts.Status(verdicts.WrongAnswer), Call: fmt.Sprintf("f(%d)", i+1), Expected: "1", Got: "2"})
	}
	text := about(session.FeedbackAll, session.Conversation, "x", v).prompt()
	if !strings.Contains(text, "f(20)") || strings.Contains(text, "f(21)") || !strings.Contains(text, "not shown: 25.") {
		t.Errorf("%s", text)
	}
}

// The statement of level 0 is the description with the code that the task begins with; a
// task without such code is at level 1.
func TestStatement(t *testing.T) {
	p := session.Plan{Automatic: Tester(session.FeedbackVerdict, 0, session.Conversation, 3, session.TooLongUnsolved)}
	task := &benchmark.Task{Language: "python", Description: "Do it.\n", Signature: benchmark.Signature{Returns: "int"}, EntryPoint: "f"}
	if got := firstPrompt(p, task, ""); got != task.PromptText(1) {
		t.Errorf("got %q", got)
	}
	task.Prompt = "def f():\n"
	if got, want := firstPrompt(p, task, ""), "Do it.\n\nThe program begins with this:\n\n```python\ndef f():\n```\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A session records the texts that it may use, and no others.
func TestRecordedTexts(t *testing.T) {
	for _, policy := range session.Feedbacks() {
		for _, context := range []session.Context{session.Conversation, session.Fresh} {
			for _, level := range []int{0, 2} {
				a := Tester(policy, level, context, 3, session.TooLongUnsolved)
				var names []string
				for _, text := range a.Texts {
					names = append(names, text.Name)
				}
				if want := used(policy, level, context); len(want) != len(names) {
					t.Errorf("%s, %s, %d: %v are recorded, not %v", policy, context, level, names, want)
				}
				if a.Reveals != (policy == session.FeedbackFirst || policy == session.FeedbackAll) {
					t.Errorf("%s: reveals %v", policy, a.Reveals)
				}
			}
		}
	}
}
