package prompts

import (
	"fmt"
	"strings"

	"assay/benchmark"
)

// Review is the state of a prompt's review.
type Review string

// The states of a review.
const (
	Unreviewed Review = "unreviewed" // no decision, or fewer than wanted
	Accepted   Review = "accepted"
	Edited     Review = "edited" // accepted in a reviewer's wording
	Rejected   Review = "rejected"
	Disputed   Review = "disputed" // two reviewers disagree
)

// Reviews lists the states that a written prompt can have.
func Reviews() []Review { return []Review{Unreviewed, Accepted, Edited, Rejected, Disputed} }

// Prompt is one wording of a task.
type Prompt struct {
	Task    string `json:"task"`              // id
	Name    string `json:"name"`              // unique within the task, and safe as a file name
	Level   int    `json:"level"`             // how much it says; 0: it has no level
	Wording int    `json:"wording,omitempty"` // one of TaskEval's, 1 to 6; otherwise 0
	Review  Review `json:"review,omitempty"`
	Text    string `json:"prompt"`
}

// MaxWordings is the number of wordings that TaskEval has for each context level.
const MaxWordings = 6

// Levels returns the three prompts of Yeo et al. (section 5.1): "level-1" is the description,
// "level-2" adds the constraints, "level-3" the examples, each with the signature.
func Levels(t *benchmark.Task) []Prompt {
	var list []Prompt
	for level := 1; level <= benchmark.MaxPromptLevel; level++ {
		list = append(list, Prompt{Task: t.ID, Name: fmt.Sprintf("level-%d", level), Level: level, Text: t.PromptText(level)})
	}
	return list
}

// Statement returns the task as its file states it: the code to complete, if there is any, or else everything in
// the file.
func Statement(t *benchmark.Task) Prompt {
	text := t.PromptText(benchmark.MaxPromptLevel)
	if strings.TrimSpace(t.Prompt) != "" {
		text = t.Prompt
	}
	return Prompt{Task: t.ID, Name: "statement", Text: text}
}

// Context returns the context levels that the task's author wrote: "context-1" to "context-3", each with
// the signature. Many tasks have none.
func Context(t *benchmark.Task) []Prompt {
	var list []Prompt
	for i, text := range t.ContextLevels {
		list = append(list, Prompt{Task: t.ID, Name: fmt.Sprintf("context-%d", i+1), Level: i + 1, Text: asSent(t, text)})
	}
	return list
}

// asSent appends the required interface to a wording, as in [Levels].
func asSent(t *benchmark.Task, text string) string {
	worded := *t
	worded.Description = text
	return worded.PromptText(1)
}

// nameOf returns the name of a wording of a context level.
func nameOf(level, wording int) string { return fmt.Sprintf("context-%d.%d", level, wording) }
