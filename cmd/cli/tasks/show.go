package tasks

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/data/program"
)

func newTasksShow(io *console.IO, from *inputs.TaskLoader) *cobra.Command {
	var asJSON, tests, reference bool
	cmd := &cobra.Command{
		Use:     "show FILE ID",
		Short:   "Show one task: statement, metadata, tests, reference solution",
		Example: "  assay tasks show starter merge-shifts --tests",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return console.Usagef("%s takes a FILE of tasks and the ID of one, not %d arguments; 'assay tasks list FILE' lists the ids", cmd.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := from.Load(args[0])
			if err != nil {
				return err
			}
			task, err := b.Task(args[1])
			if err != nil {
				return fmt.Errorf("%w; 'assay tasks list %s' lists the ids", err, program.Word(args[0]))
			}
			if asJSON {
				return console.WriteJSON(io, task)
			}
			_, err = fmt.Fprint(io.Out, verdicts.StripEscapes(taskText(task, tests, reference)))
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&tests, "tests", false, "with the tests")
	f.BoolVar(&reference, "reference", false, "with the reference solution")
	console.JSONFlag(f, &asJSON, "print the whole task as JSON", benchmark.Task{})
	return cmd
}

// taskText renders a task in Markdown.
func taskText(t *benchmark.Task, tests, reference bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", t.Title, t.PromptText(benchmark.MaxPromptLevel))
	b.WriteString("| | |\n|---|---|\n")
	for _, row := range t.Metadata() {
		fmt.Fprintf(&b, "| %s | %s |\n", row[0], row[1])
	}
	for i, level := range t.ContextLevels {
		fmt.Fprintf(&b, "\n## Context level %d\n\n%s\n", i+1, level)
	}
	if tests {
		fmt.Fprintf(&b, "\n## Tests\n\n%s", t.TestsText())
	}
	if reference && t.Reference != "" {
		fmt.Fprintf(&b, "\n## Reference solution\n\n```%s\n%s\n```\n", t.ReferenceLanguage(), strings.TrimRight(t.Reference, "\n"))
	}
	return b.String()
}
