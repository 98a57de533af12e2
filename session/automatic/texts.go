package automatic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/report/document"
)

// The names of the templates, as recorded in sessions.
const (
	textStatement = "statement"     // the first prompt at level 0
	textFresh     = "fresh"         // feedback if the model does not see earlier turns
	textVerdict   = "verdict"       // feedback of the policies
	textFirst     = "first-failing" //
	textAll       = "all-failing"   //
	textReflect   = "reflect"       // asks what is wrong
	textMend      = "mend"          // asks for the correction after that
	textMendFresh = "mend-fresh"    // the same if the model does not see its reflection
)

// templates returns the message templates. Placeholders in braces are replaced once: braces in inserted
// text have no meaning.
func templates() []session.Template {
	const whole = "Answer with the whole corrected code."
	return []session.Template{
		{Name: textStatement, Text: "{description}\n\nThe program begins with this:\n\n{code}\n"},
		{Name: textFresh, Text: "{prompt}\nAn earlier answer to this had this code:\n\n{code}\n\n{feedback}"},
		{Name: textVerdict, Text: "The tests were run, and the code is not right: {verdict}. " + whole},
		{Name: textFirst, Text: "The tests were run, and the code is not right: {verdict}. The first test case that fails:\n\n{tests}\n\n" + whole},
		{Name: textAll, Text: "The tests were run, and the code is not right: {verdict}. The test cases that fail:\n\n{tests}\n\n" + whole},
		{Name: textReflect, Text: "The tests were run, and the code is not right: {verdict}. Do not write code yet. Say what is wrong with it, and why."},
		{Name: textMend, Text: "Now correct the code accordingly. " + whole},
		{Name: textMendFresh, Text: "The tests were run, and the code is not right: {verdict}. This was found to be wrong with it:\n\n{reflection}\n\nCorrect the code accordingly. " + whole},
	}
}

// used lists the templates that a session with these settings may need.
func used(f session.Feedback, level int, context session.Context) []string {
	var names []string
	if level == 0 {
		names = append(names, textStatement)
	}
	fresh := context == session.Fresh
	if fresh && f != session.FeedbackNone {
		names = append(names, textFresh)
	}
	switch {
	case f == session.FeedbackReflection && fresh:
		names = append(names, textReflect, textMendFresh)
	case f == session.FeedbackReflection:
		names = append(names, textReflect, textMend)
	case f != session.FeedbackNone:
		names = append(names, string(f))
	}
	return names
}

// Tester returns the automatic tester as recorded in a session: its rule, its policy, and its templates.
func Tester(f session.Feedback, level int, context session.Context, failures int, long session.TooLong) *session.Automatic {
	names := used(f, level, context)
	return &session.Automatic{
		Rule: session.RuleAccepted, Feedback: f, Reveals: f.Reveals(), Failures: failures, TooLong: long,
		Texts: slices.DeleteFunc(templates(), func(t session.Template) bool { return !slices.Contains(names, t.Name) }),
	}
}

// Limits of inserted text, in bytes: text from programs and models may be of any length.
const (
	maxValue = 1000  // of one value of a test case
	maxCases = 20    // of all failing test cases
	maxTests = 12000 // of all test cases together
	maxText  = 32000 // of code, and of a reflection
)

// feedback is the content of a message after a failed attempt.
type feedback struct {
	plan       session.Plan
	task       *benchmark.Task
	files      string // of a repository
	code       string // of the attempt
	verdict    verdicts.Result
	reflection string // the model's reflection, "" if there was none
}

// text fills in a template of the plan.
func text(p session.Plan, name string, values ...string) string {
	i := slices.IndexFunc(p.Automatic.Texts, func(t session.Template) bool { return t.Name == name })
	if i < 0 {
		return ""
	}
	return strings.NewReplacer(values...).Replace(p.Automatic.Texts[i].Text)
}

// firstPrompt returns the first prompt of a task. Level 0 is the task as published: its statement with the
// code it starts from. A task without such code uses level 1, since nobody could guess the name that its
// tests call. Files are those of a repository, which has no such code either.
func firstPrompt(p session.Plan, t *benchmark.Task, files string) string {
	switch {
	case t.Repository != nil:
		return t.PromptText(max(1, p.Level)) + files
	case p.Level > 0:
		return t.PromptText(benchmark.PromptLevel(p.Level))
	case strings.TrimSpace(t.Prompt) == "":
		return t.PromptText(1)
	}
	return text(p, textStatement, "{description}", t.Statement(), "{code}", fenced(t.Language, t.Prompt))
}

// prompt returns the prompt of a later attempt.
func (f feedback) prompt() string {
	policy := f.plan.Automatic.Feedback
	switch {
	case policy == session.FeedbackNone:
		return firstPrompt(f.plan, f.task, f.files)
	case policy != session.FeedbackReflection:
		return f.message(string(policy))
	case f.plan.Context == session.Fresh:
		return f.message(textMendFresh)
	}
	return f.message(textMend)
}

// reflect returns the request for a reflection.
func (f feedback) reflect() string { return f.message(textReflect) }

// message returns a feedback message, which in a fresh context starts with the task and its code.
func (f feedback) message(name string) string {
	said := text(f.plan, name, "{verdict}", f.said(), "{tests}", f.tests(), "{reflection}", bounded(clean(f.reflection), maxText))
	if f.plan.Context != session.Fresh {
		return said
	}
	code := "(no code was found in it)"
	if f.code != "" {
		code = fenced(f.task.Language, bounded(clean(f.code), maxText))
	}
	return text(f.plan, textFresh, "{prompt}", firstPrompt(f.plan, f.task, f.files), "{code}", code, "{feedback}", said)
}

// said describes the verdict in words.
func (f feedback) said() string {
	if f.code == "" {
		return "no code was found in the answer"
	}
	if f.verdict.Resolution != "" {
		return "the task is not resolved by it: " + f.verdict.Resolution.Words()
	}
	switch f.verdict.Verdict {
	case verdicts.CompileError:
		return "it does not compile"
	case verdicts.OutputLimit:
		return "it prints too much"
	case verdicts.MemoryLimit:
		return "it uses too much memory"
	case verdicts.TimeLimit:
		return "it takes too long"
	case verdicts.RuntimeError:
		return "it ends with an error"
	case verdicts.WrongAnswer:
		return "it gives a wrong result"
	}
	return strings.ReplaceAll(string(f.verdict.Verdict), "_", " ")
}

// tests lists, between fences, the test cases that the policy shows.
func (f feedback) tests() string {
	most := map[session.Feedback]int{session.FeedbackFirst: 1, session.FeedbackAll: maxCases}[f.plan.Automatic.Feedback]
	if most == 0 {
		return ""
	}
	var shown []string
	failed, size := 0, 0
	for _, c := range f.verdict.Cases {
		if c.Status == verdicts.Passed || c.Status == verdicts.NotRun {
			continue
		}
		failed++
		described := describeCase(c)
		if len(shown) < most && size+len(described) <= maxTests {
			shown, size = append(shown, described), size+len(described)
		}
	}
	if failed == 0 { // no test case was reached
		return fenced("", cmp.Or(bounded(clean(f.verdict.Message), maxValue), "no test case was reached"))
	}
	text := fenced("", strings.Join(shown, "\n\n"))
	if left := failed - len(shown); left > 0 && most > 1 {
		text += fmt.Sprintf("\n\nTest cases that fail and are not shown: %d.", left)
	}
	return text
}

// describeCase describes a failed test case: input, expected and actual result.
func describeCase(c verdicts.CaseResult) string {
	if c.Call == verdicts.FailToPass || c.Call == verdicts.PassToPass {
		return bounded(clean(c.Words()), maxValue)
	}
	var lines []string
	for _, part := range []struct{ name, value string }{
		{"test", c.Name}, {"input", c.Call}, {"expected", c.Expected}, {"got", c.Got}, {"message", c.Message},
	} {
		if value := bounded(clean(part.value), maxValue); value != "" {
			lines = append(lines, part.name+": "+value)
		}
	}
	if len(lines) == 0 {
		lines = append(lines, fmt.Sprintf("test %d: %s", c.Index, strings.ReplaceAll(string(c.Status), "_", " ")))
	}
	return strings.Join(lines, "\n")
}

// clean removes control characters from text of programs and models.
func clean(text string) string { return strings.TrimRight(document.Lines(text), " \t\n") }

// bounded truncates a text, and says how much is left out.
func bounded(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s … (%d more bytes)", text[:end], len(text)-end)
}

// fenced puts text between fences longer than any in it.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}
