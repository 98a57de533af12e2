package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/tui/tasks"
)

func newTasksBrowse(io *IO, g *globals, from *taskLoader) *cobra.Command {
	return &cobra.Command{
		Use:   "browse [FILE...]",
		Short: "Look at tasks on the screen: search, filter, read, count",
		Long: `Look at the tasks of the FILEs and of the bundled benchmarks on the screen: type a
filter with completion, read statement, tests, metadata and reference solution, count
tasks by their metadata, and save filters by name for --scenario.`,
		Example: "  assay tasks browse\n  assay tasks browse leetcode.jsonl.gz",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !io.Terminal {
				return usagef("%s needs a terminal; 'assay tasks list FILE' and 'assay tasks show FILE ID' print", cmd.CommandPath())
			}
			var all []*benchmark.Benchmark
			for _, name := range args {
				b, err := from.loadTasks(name)
				if err != nil {
					return err
				}
				all = append(all, b)
			}
			rest, err := bundled()
			if err != nil {
				return err
			}
			rest = slices.DeleteFunc(rest, func(b *benchmark.Benchmark) bool { return slices.Contains(args, b.Name) })
			return runScreen(cmd.Context(), io, g, tasks.New(tasks.Options{
				Benchmarks: append(all, rest...), Scenarios: savedScenarios(), Reference: true,
			}))
		},
	}
}

func colored(io *IO) bool { return io.Getenv("NO_COLOR") == "" }

// Browse is what the browser of tasks works with.
func (l *library) Browse(context.Context) (tasks.Options, error) {
	if err := l.ready(); err != nil {
		return tasks.Options{}, err
	}
	l.files.Lock()
	defer l.files.Unlock()
	return tasks.Options{Benchmarks: l.benchmarks, Scenarios: savedScenarios(), Reference: true}, nil
}
