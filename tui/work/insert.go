package work

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
)

// insertion is a text that a list offers.
type insertion struct {
	n    int    // its number in the list, from 1
	what string // as the log names it
	name string
	text string
	ref  session.Ref // of the text, if text is empty
	why  string      // why there is nothing to insert
}

// insertions lists what can be put into the draft.
func (m *Model) insertions() []insertion {
	t := m.Task()
	list := make([]insertion, 0, 6)
	for level, name := range []string{1: "the statement", 2: "the statement with its constraints", 3: "the statement with constraints and examples"} {
		if level > 0 {
			list = append(list, insertion{what: fmt.Sprintf("level%d", level), name: fmt.Sprintf("%s (level %d)", name, level), text: t.PromptText(benchmark.PromptLevel(level))})
		}
	}
	prompt := insertion{what: "prompt", name: "the prompt before", why: "this is the first attempt"}
	answer := insertion{what: "answer", name: "the answer before", why: "this is the first attempt"}
	failing := insertion{what: "failing_test", name: "the first failing test", why: "no test has failed"}
	if before := m.Previous(); before != nil {
		prompt.text, prompt.why = m.Text(before.Sent.Prompt), ""
		answer.text, answer.why = m.AnswerText(before.Answer.Answer), ""
		if text := m.failingTest(before); text != "" {
			failing.text, failing.why = text, ""
		} else if m.State.Plan.Sees(before) != session.SeeTests {
			failing.why = "this study hides the tests"
		}
	}
	list = append(list, prompt, answer, failing)
	if m.OfRepository() {
		paths := insertion{what: "files", name: "the list of the repository's files", why: "the repository is being read"}
		if found, ready := m.listing(); ready {
			paths.text, paths.why = "Files of the repository:\n\n"+strings.Join(found.paths, "\n")+"\n", found.why
		}
		list = append(list, paths)
	}
	for i := range list {
		list[i].n = i + 1
	}
	return list
}

// failingTest describes how an attempt failed its tests, if the tester may see them: the first
// failed test, or why none was run.
func (m *Model) failingTest(a *session.Attempt) string {
	if a.Verdict == nil || m.State.Plan.Sees(a) != session.SeeTests {
		return ""
	}
	result, err := m.Results(a.Verdict)
	if err != nil {
		return ""
	}
	if c := result.FirstFailing(); c != nil {
		return candidateNote(m.Task(), c.Words()) + c.Words() + "\n"
	}
	if result.Verdict == verdicts.Accepted || result.Verdict == verdicts.NotJudged {
		return ""
	}
	return strings.TrimSuffix(strings.ReplaceAll(string(result.Verdict), "_", " ")+": "+result.Message, ": ") + "\n"
}

// callsCandidate matches a call of the answer's function by the name that tests of benchmarks such as HumanEval give it.
var callsCandidate = regexp.MustCompile(`\bcandidate\b`)

// candidateNote explains the name by which tests call the answer's function or class, if a text has it; else it is "".
func candidateNote(t *benchmark.Task, text string) string {
	const name = "candidate"
	if t.EntryPoint != "" && t.EntryPoint != name && !strings.Contains(t.PromptText(benchmark.MaxPromptLevel), name) && callsCandidate.MatchString(text) {
		return "The tests call " + t.EntryPoint + " " + name + ".\n"
	}
	return ""
}

// promptsBefore lists the prompts sent in this session, newest first.
func (m *Model) promptsBefore() []insertion {
	var list []insertion
	for i := range slices.Backward(m.State.Tasks) {
		t := &m.State.Tasks[i]
		for j := range slices.Backward(t.Attempts) {
			if a := &t.Attempts[j]; a.Sent != nil && a.Sent.Prompt != "" {
				name := fmt.Sprintf("%s · attempt %d", frame.OneLine(cmp.Or(t.Title, t.ID)), a.N)
				list = append(list, insertion{what: "history", name: name, ref: a.Sent.Prompt})
			}
		}
	}
	return list
}
