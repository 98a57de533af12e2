package cli

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/tui/frame"
)

const filterHelp = "`terms`" + ` that choose tasks, as in 'difficulty:hard type:visualization,exploratory published:>=2023 -source:"R for Everyone"'`

func newTasksList(io *IO, from *taskLoader) *cobra.Command {
	var choose chooser
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list FILE",
		Short: "List the tasks of a benchmark, or those that a filter chooses",
		Long: `List the tasks of a benchmark, or those that a filter chooses.

A filter has terms separated by spaces, all of which must hold; one with "-" before
it must not. Values are separated by commas, one of which must match; "*" stands for
any text and "_" for a space. Difficulties, dates and numbers can be compared
(>=medium, <0.4) and given as a range (2020..2022). A word without a field is looked
for in the id, title, statement, category and topics. The fields are
` + strings.Join(benchmark.FilterFields(), ", ") + `.`,
		Example: "  assay tasks list core-python --filter 'difficulty:>=medium topic:sets'",
		Args:    oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			scenario, err := choose.scenario()
			if err != nil {
				return err
			}
			b, err := from.loadTasks(args[0])
			if err != nil {
				return err
			}
			tasks, practice := scenario.Select(b)
			if asJSON {
				return printJSON(io.Out, nonNil(tasks))
			}
			w := tabwriter.NewWriter(io.Out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "id\tlanguage\tdifficulty\ttype\tcategory\ttests\ttitle")
			for _, t := range tasks {
				fmt.Fprintln(w, judge.StripEscapes(strings.Join([]string{t.ID, t.Language, cmp.Or(string(t.Difficulty), "-"), cmp.Or(t.Type, "-"),
					cmp.Or(t.Category, "-"), testCount(t), t.Title}, "\t")))
			}
			if err := w.Flush(); err != nil {
				return err
			}
			fmt.Fprintf(io.Err, "%d of %s, and %d to practise\n", len(tasks), frame.Count(len(b.Tasks)-len(practice), "task"), len(practice))
			return nil
		},
	}
	choose.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of whole tasks")
	return cmd
}

// testCount says how many test cases a task has, as far as that is known without
// running them.
func testCount(t *benchmark.Task) string {
	switch n := t.Tests.Count(); {
	case t.Tests.IsZero():
		return "none"
	case n == 0 || t.Tests.Style == benchmark.Script:
		return string(t.Tests.Style)
	default:
		return fmt.Sprint(n)
	}
}

func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
