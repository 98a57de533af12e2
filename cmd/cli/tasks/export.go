package tasks

import (
	"slices"

	"github.com/spf13/cobra"

	"assay/benchmark/format"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
)

func newTasksExport(io *console.IO, from *inputs.TaskLoader) *cobra.Command {
	var to string
	var out console.OutFlags
	var lossy bool
	cmd := &cobra.Command{
		Use:   "export FILE --to FORMAT",
		Short: "Write the tasks of a benchmark in another tool's format",
		Long: `Write the tasks of FILE in another format: ` + inputs.FormatNames(format.Writable()) + `.

What is written is read again first. A task that would come back as another is an
error that names it and the field for which the format has no place. With --lossy
such fields may be lost, but never what decides a verdict: prompt, entry point, tests
and reference solution.`,
		Example: "  assay tasks export core-python --to csv --out tasks.csv\n  assay tasks export mine.json --to humaneval --lossy --out mine.jsonl",
		Args:    inputs.OneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			if !slices.Contains(format.Writable(), format.Format(to)) {
				return console.Usagef("--to takes one of %s, not %q", inputs.FormatNames(format.Writable()), to)
			}
			b, err := from.Load(args[0])
			if err != nil {
				return err
			}
			return writeTasks(io, b, format.Format(to), out, lossy)
		},
	}
	f := cmd.Flags()
	f.StringVar(&to, "to", "", "the `format` to write: "+inputs.FormatNames(format.Writable()))
	out.Flags(cmd)
	f.BoolVar(&lossy, "lossy", false, "leave out what the format has no place for, such as difficulty and topics")
	return cmd
}
