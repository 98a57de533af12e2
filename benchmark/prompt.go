package benchmark

import (
	"fmt"
	"strings"

	"assay/data/language"
)

// PromptLevel is how much of a task a prompt states, after Yeo et al.: 1 the description, 2 also the
// constraints, 3 also the examples, always with the signature or, for a repository, the form of
// the answer. Level 0 states nothing: the tester formulates the query.
type PromptLevel = int

// MaxPromptLevel is the most detailed level.
const MaxPromptLevel PromptLevel = 3

// AnswerForm asks for an answer to a repository task in a form that can be applied.
const AnswerForm = "Answer with the changes of the repository's files: as a unified diff, as search/replace blocks below the file's path, " +
	"or as whole files, each in a fence below its path. State all changes in each answer: it is applied to the repository as it was given."

// answerForms ask for answers that are no programs in the form that is read.
var answerForms = map[Style]string{
	Execution: "Work out what the call returns, step by step. Then write the whole assertion, completed with a literal " +
		"(no expressions, no calls), between [ANSWER] and [/ANSWER].",
	Output: "Work out what the call returns. Then write the whole assertion, completed with a literal (no expressions, no calls), " +
		"on a line of its own that begins with assert.",
	Input: "Work out arguments with which the call returns that value, step by step; any will do. Then write the whole assertion, completed " +
		"with literals, between [ANSWER] and [/ANSWER].",
}

// PromptText returns the statement of the task at a level, in Markdown. It is empty at level 0.
func (t *Task) PromptText(level PromptLevel) string {
	if level <= 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(strings.TrimSpace(t.Description) + "\n")
	if sig := t.SignatureText(); t.Repository != nil {
		b.WriteString("\n" + AnswerForm + "\n")
	} else if form := answerForms[t.Tests.Style]; form != "" {
		b.WriteString("\n" + form + "\n")
	} else if sig != "" {
		fmt.Fprintf(&b, "\nWrite it in %s with this signature:\n\n    %s\n", language.Title(t.Language), sig)
	} else {
		fmt.Fprintf(&b, "\nWrite it in %s.\n", language.Title(t.Language))
	}
	if level >= 2 && len(t.Constraints) > 0 {
		b.WriteString("\nConstraints:\n")
		for _, c := range t.Constraints {
			fmt.Fprintf(&b, "- %s\n", c)
		}
	}
	if level >= 3 && len(t.Examples) > 0 {
		b.WriteString("\nExamples:\n")
		for _, e := range t.Examples {
			fmt.Fprintf(&b, "- %s → %s", e.Input, e.Output)
			if e.Explanation != "" {
				fmt.Fprintf(&b, " (%s)", e.Explanation)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
