package eval

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"assay/benchmark/batch"
	"assay/benchmark/extract"
	"assay/benchmark/format"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/tui/frame"
)

// samplesOptions are the flags of `assay eval export`.
type samplesOptions struct {
	tasks, tasksFormat string
	from, to           string
	out                console.OutFlags
	extract            bool
}

func newEvalExport(io *console.IO) *cobra.Command {
	o := &samplesOptions{}
	cmd := &cobra.Command{
		Use:   "export SAMPLES --tasks FILE --to FORMAT --out PATH",
		Short: "Write recorded samples in another tool's format",
		Long: `Write recorded samples in another tool's format: ` + inputs.FormatNames(format.WrittenSampleFormats()) + `.

evalplus-folder and multipl-e are folders, the others files; a name that ends in .gz
makes a file compressed. A format of whole programs gets prompt and completion in one
text. What a format has no place for is an error that names the sample. Code is
extracted from raw answers with --extract only.`,
		Example: "  assay eval export samples.jsonl --tasks HumanEval.jsonl.gz --to bigcode --out generations.json",
		Args:    console.One("one file or folder of samples"),
		RunE:    func(_ *cobra.Command, args []string) error { return runSamples(io, o, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.tasks, "tasks", "", "the `file` of the tasks that the samples were made for, or the name of a bundled benchmark")
	f.StringVar(&o.tasksFormat, "tasks-format", "", inputs.TasksFormatHelp)
	f.StringVar(&o.from, "samples-format", "", "the `format` of SAMPLES (default: as their beginning shows)")
	f.StringVar(&o.to, "to", "", "the `format` to write")
	o.out.Flags(cmd)
	f.Lookup("out").Usage = "the `file` or folder to write (- is standard output)"
	f.BoolVar(&o.extract, "extract", false, "extract the code of raw answers, as eval does")
	return cmd
}

func runSamples(io *console.IO, o *samplesOptions, path string) error {
	if !slices.Contains(format.WrittenSampleFormats(), format.SampleFormat(o.to)) {
		return console.Usagef("--to takes one of %s, not %q", inputs.FormatNames(format.WrittenSampleFormats()), o.to)
	}
	if o.tasks == "" || o.out.Path == "" {
		return console.Usagef("assay eval export needs the tasks and a place to write to: give --tasks FILE and --out PATH")
	}
	tasks := &inputs.TaskLoader{Format: o.tasksFormat, Err: io.Err}
	b, err := tasks.Load(o.tasks)
	if err != nil {
		return err
	}
	from, err := format.OpenSamplesAs(path, format.SampleFormat(o.from), b)
	if err != nil {
		return err
	}
	defer from.Close()
	n, err := format.WriteSamples(o.out.Out(io), format.SampleFormat(o.to), b.Tasks, func() (format.Sample, error) {
		s, err := from.Next()
		if err == nil && s.Kind == format.Answer && o.extract {
			task, err := b.Task(s.TaskID)
			if err != nil {
				return s, fmt.Errorf("%s:%d: %w", s.Path, s.Line, err)
			}
			s.Kind, s.Text = format.Solution, extract.Code(s.Text, task).Code
		}
		return s, err
	})
	if err != nil {
		return err
	}
	absent := map[string]int{}
	for _, a := range from.Absent() {
		absent[a.Why]++
	}
	if len(absent) > 0 {
		fmt.Fprintf(io.Err, "%s\n", batch.AbsentWords(absent))
	}
	fmt.Fprintf(io.Err, "%s, read as %s and written as %s\n", frame.Count(n, "sample"), from.Format(), o.to)
	return nil
}
