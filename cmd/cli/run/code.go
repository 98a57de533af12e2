package run

import (
	"fmt"
	goio "io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/session/pipeline"
	"assay/tui/frame"
)

// Widths of the columns in which code stands side by side.
const (
	leastCode = 30 // with less, columns stand one below the other
	codeGap   = 3
)

func newCode(io *console.IO) *cobra.Command {
	var models []string
	var sample, width int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "code RUN TASK",
		Short: "Show the code of a task's answers, types of prompts side by side",
		Long: `Show the code that each model wrote for a task of a run, the types of prompts side by side, each
with its verdict, as figure 2 of Yeo et al. does. RUN is the directory of 'assay run batch' or
'assay run generate', TASK an id. Where --width has no room for columns of 30 characters, they
stand one below the other.`,
		Example: "  assay run code batch add",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return console.Usagef("assay run code takes the directory of a run and the id of a task, not %s; see 'assay run code --help'", frame.Count(len(args), "argument"))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := pipeline.Results(args[0]); err != nil {
				return err
			}
			tasks, err := (&inputs.TaskLoader{Err: goio.Discard}).Load(filepath.Join(args[0], "tasks.json"))
			if err != nil {
				return err
			}
			i := slices.IndexFunc(tasks.Tasks, func(t benchmark.Task) bool { return t.ID == args[1] })
			if i < 0 {
				return console.Usagef("the run in %s has no task %q; 'assay tasks list %[1]s/tasks.json' lists its tasks", args[0], args[1])
			}
			all, err := pipeline.CodeOf(args[0], &tasks.Tasks[i], sample-1)
			if err != nil {
				return err
			}
			for _, name := range models {
				if !slices.ContainsFunc(all, func(c pipeline.Code) bool { return c.Model == name }) {
					return console.Usagef("--model: the run has no answer of %q to this task", name)
				}
			}
			all = slices.DeleteFunc(all, func(c pipeline.Code) bool { return len(models) > 0 && !slices.Contains(models, c.Model) })
			if asJSON {
				return console.WriteJSON(io, all)
			}
			printCode(io.Out, all, width)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&models, "model", nil, "`names` of models, with commas (default: all of the run)")
	f.IntVar(&sample, "sample", 1, "`number` of the answer, from 1")
	console.Bounds(f, "sample", 1, 1_000_000)
	f.IntVar(&width, "width", 120, "`number` of characters in a line")
	console.Bounds(f, "width", 20, 1000)
	console.JSONFlag(f, &asJSON, "print a JSON array", []pipeline.Code{})
	return cmd
}

// printCode prints the code of each model, a column for each type of prompt.
func printCode(out goio.Writer, all []pipeline.Code, width int) {
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(c pipeline.Code) bool { return c.Model != all[0].Model })
		if n < 0 {
			n = len(all)
		}
		fmt.Fprintf(out, "%s\n\n", frame.OneLine(all[0].Model))
		column := (width+codeGap)/n - codeGap
		if column < leastCode {
			for _, c := range all[:n] {
				fmt.Fprintln(out, strings.Join(codeColumn(c, width), "\n")+"\n")
			}
		} else {
			printColumns(out, all[:n], column)
		}
		all = all[n:]
	}
}

func printColumns(out goio.Writer, codes []pipeline.Code, width int) {
	var columns [][]string
	rows := 0
	for _, c := range codes {
		columns = append(columns, codeColumn(c, width))
		rows = max(rows, len(columns[len(columns)-1]))
	}
	for i := range rows {
		line := ""
		for j, column := range columns {
			if i < len(column) {
				line += strings.Repeat(" ", max(0, j*(width+codeGap)-frame.Width(line))) + column[i]
			}
		}
		fmt.Fprintln(out, line)
	}
	fmt.Fprintln(out)
}

// codeColumn returns the lines of an answer's code below its type of prompt and verdict.
func codeColumn(c pipeline.Code, width int) []string {
	head := frame.OneLine(c.Prompt)
	if c.Verdict != "" {
		head += fmt.Sprintf(": %s, %d/%d", c.Verdict, c.Passed, c.Total)
	}
	text := frame.Plain(strings.TrimRight(c.Code, "\n"))
	if text == "" {
		text = "(the answer has no code)"
	}
	lines := strings.Split(ansi.Hardwrap(head, width, true), "\n")
	lines = append(lines, strings.Repeat("─", min(width, leastCode)))
	return append(lines, strings.Split(ansi.Hardwrap(strings.ReplaceAll(text, "\t", "    "), width, true), "\n")...)
}
