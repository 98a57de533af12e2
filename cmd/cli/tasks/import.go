package tasks

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/data/disk"
	"assay/tui/frame"
)

func newTasksImport(io *console.IO, from *inputs.TaskLoader) *cobra.Command {
	var out console.OutFlags
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Write the tasks of another tool's file in assay's own format",
		Long: `Write the tasks of FILE in assay's own format, as one JSON file to edit, filter and
check. Fields that assay has no use for are kept as "extra". A file need not be
imported to be used: every verb reads all formats.`,
		Example: "  assay tasks import HumanEval.jsonl.gz --out humaneval.json\n  assay tasks import exercises.csv --out exercises.json",
		Args:    inputs.OneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := from.Load(args[0])
			if err != nil {
				return err
			}
			return writeTasks(io, b, format.Assay, out, false)
		},
	}
	out.Flags(cmd)
	return cmd
}

// writeTasks writes tasks to a file or to the standard output.
func writeTasks(io *console.IO, b *benchmark.Benchmark, as format.Format, to console.OutFlags, lossy bool) error {
	var text bytes.Buffer
	if err := format.WriteTasks(&text, b, as, lossy); err != nil {
		return err
	}
	if err := to.Out(io).Put(disk.Bytes(text.Bytes())); err != nil {
		return fmt.Errorf("the tasks cannot be written: %w", err)
	}
	to.Wrote(io, "%s in the format %s", frame.Count(len(b.Tasks), "task"), as)
	return nil
}
