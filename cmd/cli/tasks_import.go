package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/tui/frame"
)

func newTasksImport(io *IO, from *taskLoader) *cobra.Command {
	var out string
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
	cmd.Flags().StringVar(&out, "out", "", "the `file` to write (default: standard output)")
	return cmd
}

// writeTasks writes tasks to a file that it makes anew, or to the standard output.
func writeTasks(io *IO, b *benchmark.Benchmark, as format.Format, path string, lossy bool) error {
	var text bytes.Buffer
	if err := format.WriteTasks(&text, b, as, lossy); err != nil {
		return err
	}
	if path == "" {
		_, err := text.WriteTo(io.Out)
		return err
	}
	// Beside the file first: a crash leaves the old one or the new one.
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer os.Remove(f.Name()) // not there any more if all went well
	_, err = text.WriteTo(f)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	fmt.Fprintf(io.Err, "%s: %s in the format %s\n", path, frame.Count(len(b.Tasks), "task"), as)
	return nil
}
