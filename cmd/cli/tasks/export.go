package tasks

import (
	"slices"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/data/disk"
	"assay/data/table"
	"assay/tui/frame"
)

func newTasksExport(io *console.IO, from *inputs.TaskLoader) *cobra.Command {
	var to string
	var out console.OutFlags
	var lossy bool
	var rates string
	formats := append(format.Writable(), format.Directories()...)
	cmd := &cobra.Command{
		Use:   "export FILE --to FORMAT",
		Short: "Write the tasks of a benchmark in another tool's format",
		Long: `Write the tasks of FILE in another format: ` + inputs.FormatNames(formats) + `.

What is written is read again first. A task that would come back as another is an
error that names it and the field for which the format has no place. With --lossy
such fields may be lost, but never what decides a verdict: prompt, entry point, tests
and reference solution.

Task directories of Harbor and terminal-bench become each other's: --out names a new
directory, with one below it for each task.

--pass-rates adds the share of people who solve each task, from a table with the
columns id and human_pass_rate (0 to 1): the six-dimension score is weighted by it. A
table of scores with the columns task and score does as well, with the mean of each
task, such as the one that 'assay difficulty --testers --out' writes of the testers of
one's own store, where people solve tasks with an assistant.`,
		Example: "  assay tasks export core-python --to csv --out tasks.csv\n  assay tasks export mine.json --to humaneval --lossy --out mine.jsonl\n  assay tasks export terminal-bench/tasks --to harbor --out harbor-tasks\n  assay tasks export starter --to assay --pass-rates rates.csv --out rated.json",
		Args:    inputs.OneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			directories := slices.Contains(format.Directories(), format.Format(to))
			switch {
			case !slices.Contains(formats, format.Format(to)):
				return console.Usagef("--to takes one of %s, not %q", inputs.FormatNames(formats), to)
			case directories && (out.Path == "" || out.Path == disk.Stdout):
				return console.Usagef("--to %s takes --out with the name of a new directory", to)
			}
			b, err := from.Load(args[0])
			if err != nil {
				return err
			}
			if rates != "" {
				if err := addPassRates(b, rates); err != nil {
					return err
				}
			}
			if directories {
				if err := format.WriteDirectories(out.Path, b, format.Format(to), lossy); err != nil {
					return err
				}
				out.Wrote(io, "%s in the format %s", frame.Count(len(b.Tasks), "task"), to)
				return nil
			}
			return writeTasks(io, b, format.Format(to), out, lossy)
		},
	}
	f := cmd.Flags()
	f.StringVar(&to, "to", "", "the `format` to write: "+inputs.FormatNames(formats))
	out.Flags(cmd)
	f.StringVar(&rates, "pass-rates", "", "add the share of people who solve each task, from a `table` with id and human_pass_rate, or with task and score")
	f.BoolVar(&lossy, "lossy", false, "leave out what the format has no place for, such as difficulty and topics")
	return cmd
}

// addPassRates sets the tasks' human pass rates from a table: of rates, or of scores, whose mean over each task's rows is its
// rate. A row of a task that is not there is an error.
func addPassRates(b *benchmark.Benchmark, path string) error {
	in, err := disk.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	rates, err := table.Read(in, path)
	if err != nil {
		return err
	}
	id, value := "id", "human_pass_rate"
	if rates.Has("task") && rates.Has("score") {
		id, value = "task", "score"
	}
	for _, column := range []string{id, value} {
		if !rates.Has(column) {
			return rates.Lacks(column)
		}
	}
	sums, rows := map[*benchmark.Task]float64{}, map[*benchmark.Task]float64{}
	for _, row := range rates.Rows {
		task, err := b.Task(row.Text(id))
		if err != nil {
			return row.Fault(id, "%v", err)
		}
		rate, err := row.Number(value, 0, 1)
		if err != nil {
			return err
		}
		if sums[task], rows[task] = sums[task]+rate, rows[task]+1; id == "id" && rows[task] > 1 {
			return row.Fault(id, "the task %q has a rate in an earlier row: keep one", task.ID)
		}
	}
	for task, sum := range sums {
		share := sum / rows[task]
		task.HumanPassRate = &share
	}
	return nil
}
