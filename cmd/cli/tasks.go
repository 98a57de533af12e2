package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/data"
	"assay/tui/frame"
)

func newTasks(io *IO, g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tasks",
		Short: "Browse, list, show, count, check and convert the tasks of a benchmark",
		Long: `Look at tasks, prove that their tests are strong, and convert them.

FILE is a file of tasks in any format that assay reads, a folder in assay's own
format, or the name of a bundled benchmark. The formats are ` + formatNames(format.Formats()) + `.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	tasks := &taskLoader{err: io.Err}
	cmd.PersistentFlags().StringVar(&tasks.format, "format", "", "the `format` of FILE (default: as its beginning shows)")
	cmd.AddCommand(newTasksBrowse(io, g, tasks), newTasksList(io, tasks), newTasksShow(io, tasks), newTasksStats(io, tasks), newTasksDraw(io, tasks), newTasksCheck(io, tasks),
		newTasksImport(io, tasks), newTasksExport(io, tasks), newTasksNew(io))
	return cmd
}

// formatNames lists the names of formats.
func formatNames[F ~string](formats []F) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

// taskFile is a benchmark as it was named on the command line.
type taskFile struct {
	*benchmark.Benchmark
	name    string
	answers []benchmark.RecordedAnswer
}

// taskLoader reads tasks, and says on err which of other tools' formats they have.
type taskLoader struct {
	format string    // "": as the file's beginning shows
	err    io.Writer // nil: nothing is said
}

// loadTasks reads a bundled benchmark by its name, or a file or folder. A file wins
// over a bundled benchmark of the same name only if its name has a slash in it.
func (l *taskLoader) loadTasks(name string) (*benchmark.Benchmark, error) {
	f, err := l.loadTaskFile(name)
	return f.Benchmark, err
}

func (l *taskLoader) loadTaskFile(name string) (taskFile, error) {
	f := taskFile{name: name}
	if l.format != "" && !slices.Contains(format.Formats(), format.Format(l.format)) {
		return f, usagef("%q is no format of tasks; the formats are %s", l.format, formatNames(format.Formats()))
	}
	var err error
	if l.format == "" && slices.Contains(data.Benchmarks(), name) {
		folder, err := data.Benchmark(name)
		if err != nil {
			return f, err
		}
		if f.Benchmark, err = benchmark.LoadFolder(folder, name); err != nil {
			return f, err
		}
		f.answers, err = benchmark.ReadAnswers(folder)
		return f, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return f, fmt.Errorf("the tasks cannot be read, and no bundled benchmark has that name (there are %s): %w", strings.Join(data.Benchmarks(), ", "), err)
	}
	var as format.Format
	if f.Benchmark, as, err = format.LoadAs(name, format.Format(l.format)); err == nil && info.IsDir() {
		f.answers, err = benchmark.ReadAnswers(os.DirFS(name))
	}
	if err == nil && as != format.Assay && l.err != nil {
		fmt.Fprintf(l.err, "%s: %s in the format %s\n", name, frame.Count(len(f.Tasks), "task"), as)
		if packages := format.Packages(f.Benchmark); len(packages) > 0 {
			fmt.Fprintf(l.err, "%s: its tasks import Python packages that must be installed: %s\n", name, strings.Join(packages, ", "))
		}
	}
	return f, err
}

// oneFile refuses other than one argument.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("%s takes one FILE of tasks or the name of a bundled benchmark (%v), not %d; see '%[1]s --help'", cmd.CommandPath(), data.Benchmarks(), len(args))
	}
	return nil
}

// someFiles refuses no arguments.
func someFiles(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("%s takes FILEs of tasks or names of bundled benchmarks (%v); see '%[1]s --help'", cmd.CommandPath(), data.Benchmarks())
	}
	return nil
}

// chooser is the flags that choose tasks.
type chooser struct{ filter, saved string }

func (c *chooser) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.filter, "filter", "", filterHelp)
	cmd.Flags().StringVar(&c.saved, "scenario", "", scenarioHelp)
}

// scenario is what both flags choose: where both are given, both must hold.
func (c *chooser) scenario() (benchmark.Scenario, error) {
	text, err := savedScenarios().with(c.saved, c.filter)
	if err != nil {
		return benchmark.Scenario{}, err
	}
	scenario, err := benchmark.ParseScenario(text)
	if err != nil {
		return scenario, usagef("--filter: %v", err)
	}
	return scenario, nil
}
