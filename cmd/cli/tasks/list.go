package tasks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/tui/frame"
)

func newTasksList(io *console.IO, from *inputs.TaskLoader) *cobra.Command {
	var choose inputs.Chooser
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [FILE]",
		Short: "List the tasks of a benchmark, or the bundled benchmarks",
		Long: `List the tasks of a benchmark, or those that a filter chooses. Without FILE, list the
benchmarks that are part of assay: their names stand wherever FILE does.

A filter has terms separated by spaces, all of which must hold; one with "-" before
it must not. Values are separated by commas, one of which must match; "*" stands for
any text and "_" for a space. Difficulties, dates and numbers can be compared
(>=medium, <0.4) and given as a range (2020..2022). A word without a field is looked
for in the id, title, statement, category and topics. The fields are
` + strings.Join(benchmark.FilterFields(), ", ") + `.`,
		Example: "  assay tasks list\n  assay tasks list core-python --filter 'difficulty:>=medium topic:sets'",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && choose == (inputs.Chooser{}) {
				return nil
			}
			return inputs.OneFile(cmd, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listBenchmarks(io, asJSON)
			}
			filter, err := choose.Filter()
			if err != nil {
				return err
			}
			b, err := from.Load(args[0])
			if err != nil {
				return err
			}
			tasks, practice := filter.Select(b)
			if asJSON {
				return console.WriteJSON(io, console.NonNil(tasks))
			}
			w := console.NewTable(io.Out, "category", "language", "type", "tests")
			fmt.Fprintln(w, "id\tlanguage\tdifficulty\ttype\tcategory\ttests\ttitle")
			for _, t := range tasks {
				w.Row(t.ID, t.Language, cmp.Or(string(t.Difficulty), "-"), cmp.Or(t.Type, "-"), cmp.Or(t.Category, "-"), t.TestCount(), t.Title)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			fmt.Fprintf(io.Err, "%d of %s, and %d to practise\n", len(tasks), frame.Count(len(b.Tasks)-len(practice), "task"), len(practice))
			return nil
		},
	}
	choose.Flags(cmd.Flags())
	console.JSONFlag(cmd.Flags(), &asJSON, "print a JSON array of whole tasks", []*benchmark.Task{}, []benchmarkRow{})
	return cmd
}

// benchmarkRow is the JSON form of a bundled benchmark.
type benchmarkRow struct {
	Name      string   `json:"name"`
	Title     string   `json:"title"`
	Languages []string `json:"languages"`
	Tasks     int      `json:"tasks"`
	Practice  int      `json:"practice"`
}

// listBenchmarks prints the bundled benchmarks.
func listBenchmarks(io *console.IO, asJSON bool) error {
	list, err := inputs.Bundled()
	if err != nil {
		return err
	}
	rows := make([]benchmarkRow, len(list))
	for i, b := range list {
		tasks, practice := benchmark.Filter{}.Select(b)
		rows[i] = benchmarkRow{Name: b.Name, Title: b.Title, Tasks: len(tasks), Practice: len(practice)}
		for _, t := range tasks {
			if !slices.Contains(rows[i].Languages, t.Language) {
				rows[i].Languages = append(rows[i].Languages, t.Language)
			}
		}
	}
	if asJSON {
		return console.WriteJSON(io, rows)
	}
	w := console.NewTable(io.Out)
	fmt.Fprintln(w, "name\ttasks\tto practise\tlanguages\ttitle")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\n", r.Name, r.Tasks, r.Practice, strings.Join(r.Languages, ", "), r.Title)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(io.Err, "'assay tasks list NAME' lists the tasks of one; a file or folder of tasks can be given in place of a name")
	return nil
}
