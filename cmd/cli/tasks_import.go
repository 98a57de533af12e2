package cli

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/data/disk"
	"assay/tui/frame"
)

func newTasksImport(io *IO, from *taskLoader) *cobra.Command {
	var out outFlags
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Write the tasks of another tool's file in assay's own format",
		Long: `Write the tasks of FILE in assay's own format, as one JSON file to edit, filter and
check. Fields that assay has no use for are kept as "extra". A file need not be
imported to be used: every verb reads all formats.`,
		Example: "  assay tasks import HumanEval.jsonl.gz --out humaneval.json\n  assay tasks import exercises.csv --out exercises.json",
		Args:    oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := from.loadTasks(args[0])
			if err != nil {
				return err
			}
			return writeTasks(io, b, format.Assay, out, false)
		},
	}
	out.flags(cmd)
	return cmd
}

// writeTasks writes tasks to a file, or to the standard output.
func writeTasks(io *IO, b *benchmark.Benchmark, as format.Format, to outFlags, lossy bool) error {
	var text bytes.Buffer
	if err := format.WriteTasks(&text, b, as, lossy); err != nil {
		return err
	}
	if err := to.out(io).Put(disk.Bytes(text.Bytes())); err != nil {
		return fmt.Errorf("the tasks cannot be written: %w", err)
	}
	to.wrote(io, "%s in the format %s", frame.Count(len(b.Tasks), "task"), as)
	return nil
}
