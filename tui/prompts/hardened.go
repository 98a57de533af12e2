package prompts

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"assay/benchmark"
	"assay/session/harden"
	"assay/session/prompts"
	"assay/tui/frame"
)

// Hardened are the options for deciding about harder tasks: each has its statement for a text.
func Hardened(state *harden.State, set *prompts.Set, reviewer string) Options {
	o := Options{Set: set, Reviewer: reviewer, Now: time.Now, NoWriter: "a task has one statement; e edits it"}
	shown := map[string]*harden.Proposed{}
	for _, p := range state.Shown() {
		shown[p.Task.ID] = p
		o.Tasks = append(o.Tasks, &p.Task)
	}
	difficulties := map[string]harden.Difficulty{}
	for _, d := range state.Difficulties() {
		difficulties[d.Task] = d
	}
	o.Subject = &Subject{
		Title: "Harder tasks · " + state.Header.Benchmark, Noun: "task",
		Texts:  func(t *benchmark.Task) []Text { return textsOf(shown[t.ID]) },
		Doubts: func(t *benchmark.Task) []prompts.Flag { return doubtsOf(shown[t.ID], difficulties[t.ID]) },
		About: func(t *benchmark.Task) string {
			p := shown[t.ID]
			text := fmt.Sprintf("%s of %s · %s", p.Change, strings.Join(p.From, " and "), frame.Count(len(t.Tests.Cases), "test case"))
			if d := difficulties[t.ID]; d.Solved != nil {
				text += fmt.Sprintf(" · %.0f %% of the answers solve it", 100**d.Solved)
			}
			return text
		},
	}
	return o
}

// textsOf returns what a reviewer can compare a statement with.
func textsOf(p *harden.Proposed) []Text {
	t := &p.Task
	var examples strings.Builder
	examples.WriteString(t.SignatureText() + "\n\n")
	for _, e := range t.Examples {
		fmt.Fprintf(&examples, "%s\n  %s\n", e.Input, e.Output)
	}
	for i, c := range t.Constraints {
		if i == 0 {
			examples.WriteString("\nConstraints, which the statement goes with:\n")
		}
		fmt.Fprintf(&examples, "- %s\n", c)
	}
	list := []Text{
		{Name: "the original", Text: p.Original},
		{Name: "interface and examples", Text: examples.String(), Apart: true},
		{Name: "the test cases", Text: t.TestsText(), Apart: true},
		{Name: "the new solution", Text: t.Reference, Apart: true},
	}
	if p.Second != nil {
		list = append(list, Text{Name: "the second solution, of " + p.Second.Model, Text: p.Second.Code, Apart: true})
	}
	return list
}

// doubtsOf lists what a reviewer should look at.
func doubtsOf(p *harden.Proposed, d harden.Difficulty) []prompts.Flag {
	var flags []prompts.Flag
	add := func(text string, args ...any) {
		flags = append(flags, prompts.Flag{Kind: prompts.FlagKind(fmt.Sprintf(text, args...))})
	}
	switch {
	case p.Second == nil:
		add("no second solution: nobody has solved it from its statement")
	case !p.Second.Agrees:
		add("disagreement: %s", p.Second.Why)
	case p.Second.Tries > 1:
		add("second solution: only number %d passed", p.Second.Tries)
	}
	if d.Solved != nil && !d.Separates && p.Removed == "" {
		add("not separating: %.0f %% of the answers solve it", 100**d.Solved)
	}
	if p.Killed < p.Mutants {
		add("mutants: %d of %d are not noticed", p.Mutants-p.Killed, p.Mutants)
	}
	for number, line := range strings.Split(p.Task.Reference, "\n") {
		if call := reaching.FindString(line); call != "" {
			add("line %d of the new solution reaches out of the task: %s", number+1, strings.TrimFunc(call, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }))
		}
	}
	return flags
}

// reaching is code by which a function of values reaches processes, files, the network or the interpreter.
var reaching = regexp.MustCompile(`\b(?:os\.(?:system|popen|exec\w*|spawn\w*|fork|kill|remove|unlink|rmdir|environ)|subprocess|socket|shutil|ctypes|urllib|requests|` +
	`sys\.(?:exit|modules|settrace|setprofile)|__import__|child_process|process\.exit)\b|(?:^|[^\w.])(?:eval|exec|open|input)\(`)
