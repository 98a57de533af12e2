package prompts

import (
	"strings"

	"assay/benchmark"
	"assay/benchmark/statement"
)

// Original returns the statement that a task's prompts are written from: its description without examples, and
// its constraints. TaskEval removes examples first, since their quality would affect how hard a task seems.
func Original(t *benchmark.Task) string {
	text := statement.New(t.EntryPoint).Without(t.Description, t.Examples)
	if text == "" {
		text = strings.TrimSpace(t.Description) // it consists only of examples
	}
	if len(t.Constraints) > 0 {
		text += "\n\nConstraints:\n- " + strings.Join(t.Constraints, "\n- ")
	}
	return text
}
