package pipeline

import (
	"fmt"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/session/generate"
)

// checkPrompt says what is wrong with the name of a kind of prompt.
func checkPrompt(name string) error {
	if _, ok := level(name, "level-", benchmark.MaxPromptLevel); ok {
		return nil
	}
	if _, ok := level(name, "context-", benchmark.MaxContextLevel); ok {
		return nil
	}
	return fmt.Errorf("there is no kind of prompt %q: write level-1 to level-%d (description, with constraints, with examples) or context-1 to context-%d (statements of a task by how much they tell, where it has them)",
		name, benchmark.MaxPromptLevel, benchmark.MaxContextLevel)
}

func level(name, prefix string, most int) (int, bool) {
	digits, ok := strings.CutPrefix(name, prefix)
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n >= 1 && n <= most && digits == strconv.Itoa(n)
}

// Wordings are the prompts of the given kinds that a task has by itself. A kind that a
// task does not have is left out for it.
func Wordings(t *benchmark.Task, kinds []string) []generate.Prompt {
	var all []generate.Prompt
	for _, kind := range kinds {
		if n, ok := level(kind, "level-", benchmark.MaxPromptLevel); ok {
			all = append(all, generate.Prompt{Name: kind, Text: t.PromptText(n)})
		} else if n, ok := level(kind, "context-", benchmark.MaxContextLevel); ok && n <= len(t.ContextLevels) {
			all = append(all, generate.Prompt{Name: kind, Text: t.ContextLevels[n-1]})
		}
	}
	return all
}

// CheckPrompts is checkPrompt for names from elsewhere than a batch file.
func CheckPrompts(names []string) error {
	for _, name := range names {
		if err := checkPrompt(name); err != nil {
			return err
		}
	}
	return nil
}
