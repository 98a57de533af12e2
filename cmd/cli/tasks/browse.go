package tasks

import (
	"slices"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/terminal"
	"assay/tui/tasks"
)

func newTasksBrowse(io *console.IO, g *console.Globals, from *inputs.TaskLoader) *cobra.Command {
	return &cobra.Command{
		Use:   "browse [FILE...]",
		Short: "Browse tasks on the screen: search, filter, read, count",
		Long: `Look at the tasks of the FILEs and of the bundled benchmarks on the screen: type a
filter with completion, read statement, tests, metadata and reference solution, count
tasks by their metadata, and save filters by name for --saved-filter.`,
		Example: "  assay tasks browse\n  assay tasks browse leetcode.jsonl.gz",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !io.Terminal {
				return console.Usagef("%s needs a terminal; 'assay tasks list FILE' and 'assay tasks show FILE ID' print", cmd.CommandPath())
			}
			var all []*benchmark.Benchmark
			for _, name := range args {
				b, err := from.Load(name)
				if err != nil {
					return err
				}
				all = append(all, b)
			}
			rest, err := inputs.Bundled()
			if err != nil {
				return err
			}
			rest = slices.DeleteFunc(rest, func(b *benchmark.Benchmark) bool { return slices.Contains(args, b.Name) })
			return terminal.Run(cmd.Context(), io, g, tasks.New(tasks.Options{
				Benchmarks: append(all, rest...), SavedFilters: inputs.SavedFilters(),
			}))
		},
	}
}
