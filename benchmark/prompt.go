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

// directoryForm is the same for a task directory.
const directoryForm = "Answer with a script, in a fence, that begins with #!/bin/bash and makes the changes, or with the changed files, whose paths " +
	"begin below /: as a unified diff, or as whole files, each in a fence below its path. State all changes in each answer: it is applied to the system as it was given."

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
		form := AnswerForm
		if t.Repository.Directory != nil {
			form = directoryForm
		}
		b.WriteString("\n" + form + "\n")
	} else if form := answerForms[t.Tests.Style]; form != "" {
		b.WriteString("\n" + form + "\n")
	} else if sig != "" {
		fmt.Fprintf(&b, "\nWrite it in %s with this signature:\n\n    %s\n", language.Title(t.Language), indented(sig, "    "))
	} else {
		fmt.Fprintf(&b, "\nWrite it in %s.\n", language.Title(t.Language))
	}
	b.WriteString(t.details(level))
	return b.String()
}

// details returns constraints and examples as far as a level has them.
func (t *Task) details(level PromptLevel) string {
	var b strings.Builder
	if level >= 2 && len(t.Constraints) > 0 {
		b.WriteString("\nConstraints:\n")
		for _, c := range t.Constraints {
			fmt.Fprintf(&b, "- %s\n", c)
		}
	}
	if level >= 3 && len(t.Examples) > 0 {
		b.WriteString("\nExamples:\n")
		for _, e := range t.Examples {
			b.WriteString("- " + e.Text() + "\n")
		}
	}
	return b.String()
}

// Statement returns all that the task says in words, and the code to complete unless the task's prompt has it.
func (t *Task) Statement() string {
	text := strings.TrimSpace(t.Description)
	if details := t.details(MaxPromptLevel); details != "" {
		text += "\n" + strings.TrimRight(details, "\n")
	}
	if code := t.Signature.Code; code != "" && !strings.Contains(t.Prompt, code) {
		text += "\n\nComplete this code:\n\n" + code
	}
	return text
}

// Text returns an example as input → output (explanation), or part by part if the explanation has several lines.
// An example that is a sentence has an input only.
func (e Example) Text() string {
	switch {
	case strings.Contains(e.Explanation, "\n"):
		return indented(fmt.Sprintf("Input: %s\nOutput: %s\nExplanation: %s", e.Input, e.Output, e.Explanation), "  ")
	case e.Output == "" && e.Explanation == "":
		return e.Input
	case e.Explanation == "":
		return e.Input + " → " + e.Output
	}
	return e.Input + " → " + e.Output + " (" + e.Explanation + ")"
}

func indented(text, by string) string { return strings.ReplaceAll(text, "\n", "\n"+by) }
