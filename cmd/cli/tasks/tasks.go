package tasks

import (
	"github.com/spf13/cobra"

	"assay/benchmark/format"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
)

// New returns `assay tasks`.
func New(io *console.IO, g *console.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tasks",
		Short: "Browse, list, show, count, check and convert the tasks of a benchmark",
		Long: `Look at tasks, prove that their tests are strong, and convert them.

FILE is a file of tasks in any format that assay reads, a folder in assay's own
format, or the name of a bundled benchmark. The formats are ` + inputs.FormatNames(format.Formats()) + `.`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	tasks := &inputs.TaskLoader{Err: io.Err}
	cmd.PersistentFlags().StringVar(&tasks.Format, "format", "", "the `format` of FILE (default: as its beginning shows)")
	cmd.AddCommand(newTasksBrowse(io, g, tasks), newTasksList(io, tasks), newTasksShow(io, tasks), newTasksStats(io, tasks), newTasksDraw(io, tasks), newTasksCheck(io, tasks),
		newTasksImport(io, tasks), newTasksExport(io, tasks), newTasksNew(io), newTasksFromGit(io), newTasksScenario(io, tasks), newTasksHarden(io, g, tasks))
	return cmd
}
