package prompts

import (
	"fmt"
	"strings"

	"assay/benchmark"
)

// Review is what reviewers have made of a prompt.
type Review string

// The states of a prompt.
const (
	ReviewNone Review = ""           // it needs none: it follows from the task
	Unreviewed Review = "unreviewed" // nobody has decided, or not yet as many as are wanted
	Accepted   Review = "accepted"
	Edited     Review = "edited" // accepted as a reviewer wrote it
	Rejected   Review = "rejected"
	Disputed   Review = "disputed" // two reviewers disagree
)

// Reviews lists the states that a written prompt can have.
func Reviews() []Review { return []Review{Unreviewed, Accepted, Edited, Rejected, Disputed} }

// Prompt is one wording of a task.
type Prompt struct {
	Task    string // id
	Name    string // unique within the task, and fit for a file's name
	Level   int
	Wording int // of TaskEval's, 1 to 6; else 0
	Text    string
	Review  Review
}

// MaxWordings is how many wordings TaskEval has of each context level.
const MaxWordings = 6

// Levels are the three prompts of Yeo et al. (section 5.1): "level-1" is the description,
// "level-2" adds the constraints, "level-3" the examples, each with the signature.
func Levels(t *benchmark.Task) []Prompt {
	var list []Prompt
	for level := 1; level <= benchmark.MaxPromptLevel; level++ {
		list = append(list, Prompt{Task: t.ID, Name: fmt.Sprintf("level-%d", level), Level: level, Text: t.PromptText(level)})
	}
	return list
}

// Statement is the task as its file states it: the code to be completed, where it has
// some, else all that is known.
func Statement(t *benchmark.Task) Prompt {
	text := t.PromptText(benchmark.MaxPromptLevel)
	if strings.TrimSpace(t.Prompt) != "" {
		text = t.Prompt
	}
	return Prompt{Task: t.ID, Name: "statement", Text: text}
}

// Context are the context levels that the task brings along, written by its author:
// "context-1" to "context-3", each with the signature. Many tasks have none.
func Context(t *benchmark.Task) []Prompt {
	var list []Prompt
	for i, text := range t.ContextLevels {
		list = append(list, Prompt{Task: t.ID, Name: fmt.Sprintf("context-%d", i+1), Level: i + 1, Text: asSent(t, text)})
	}
	return list
}

// asSent is a wording with the interface of what is to be written, as in [Levels].
func asSent(t *benchmark.Task, text string) string {
	worded := *t
	worded.Description = text
	return worded.PromptText(1)
}

// nameOf is the name of a wording of a context level.
func nameOf(level, wording int) string { return fmt.Sprintf("context-%d.%d", level, wording) }
