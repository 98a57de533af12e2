package tasks

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
)

// countable are the fields by which tasks can be counted.
var countable = map[string]func(*benchmark.Task) string{
	"difficulty": func(t *benchmark.Task) string { return string(t.Difficulty) },
	"type":       func(t *benchmark.Task) string { return strings.ToLower(t.Type) },
	"category":   func(t *benchmark.Task) string { return t.Category },
	"language":   func(t *benchmark.Task) string { return t.Language },
	"source":     func(t *benchmark.Task) string { return t.Source.Title },
	"style":      func(t *benchmark.Task) string { return string(t.Tests.Style) },
	"year": func(t *benchmark.Task) string {
		if y := t.Published.Year(); y > 0 {
			return fmt.Sprint(y)
		}
		return ""
	},
}

func newTasksStats(io *console.IO, from *inputs.TaskLoader) *cobra.Command {
	var choose inputs.Chooser
	var rows, columns string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats FILE...",
		Short: "Count tasks by their metadata, as Miah and Zhu's Table III does",
		Long: `Count tasks by two fields of their metadata: by type and difficulty, as in Table III
of Miah and Zhu, and by type and source. Every task is counted once, also where it
does not give a field, so that all totals agree.`,
		Example: "  assay tasks stats core-r\n  assay tasks stats leetcode.jsonl.gz --rows year --columns difficulty",
		Args:    inputs.SomeFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			for _, name := range []string{rows, columns} {
				if countable[name] == nil {
					return console.Usagef("tasks can be counted by category, difficulty, language, source, style, type and year, not %q", name)
				}
			}
			filter, err := choose.Filter()
			if err != nil {
				return err
			}
			var tasks []*benchmark.Task
			for _, name := range args {
				b, err := from.Load(name)
				if err != nil {
					return err
				}
				chosen, _ := filter.Select(b)
				tasks = append(tasks, chosen...)
			}
			table := benchmark.Tabulate(tasks, countable[rows], countable[columns])
			if asJSON {
				return console.WriteJSON(io, tableJSON(table, rows, columns))
			}
			return printCrossTable(io.Out, table, rows, columns)
		},
	}
	f := cmd.Flags()
	choose.Flags(cmd.Flags())
	f.StringVar(&rows, "rows", "type", "the `field` to count by, a line for each value")
	f.StringVar(&columns, "columns", "difficulty", "the `field` to count by, a column for each value")
	console.JSONFlag(f, &asJSON, "print one JSON object", crossTable{})
	return cmd
}

func printCrossTable(out io.Writer, t benchmark.CrossTable, rows, columns string) error {
	w := console.NewNumbers(out)
	w.Row(append(append([]string{rows + " \\ " + columns}, t.Columns...), "total")...)
	for _, r := range t.Rows {
		cells := []string{r}
		for _, c := range t.Columns {
			cells = append(cells, fmt.Sprint(t.Counts[[2]string{r, c}]))
		}
		w.Row(append(cells, fmt.Sprint(t.Row(r)))...)
	}
	cells := []string{"total"}
	for _, c := range t.Columns {
		cells = append(cells, fmt.Sprint(t.Column(c)))
	}
	w.Row(append(cells, fmt.Sprint(t.Total))...)
	return w.Flush()
}

// crossTable counts tasks by two of their fields.
type crossTable struct {
	Rows    string                    `json:"rows"`    // the field that names rows
	Columns string                    `json:"columns"` // the field that names columns
	Counts  map[string]map[string]int `json:"counts"`  // tasks by row and column
	Total   int                       `json:"total"`   // tasks
}

func tableJSON(t benchmark.CrossTable, rows, columns string) crossTable {
	counts := map[string]map[string]int{}
	for _, r := range t.Rows {
		counts[r] = map[string]int{}
		for _, c := range t.Columns {
			counts[r][c] = t.Counts[[2]string{r, c}]
		}
	}
	return crossTable{rows, columns, counts, t.Total}
}
