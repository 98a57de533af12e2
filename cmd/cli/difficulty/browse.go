package difficulty

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/terminal"
	"assay/session/generate"
	"assay/session/pipeline"
	screen "assay/tui/difficulty"
)

func newDifficultyBrowse(io *console.IO, g *console.Globals) *cobra.Command {
	o := &difficultyOptions{weights: evenWeights, from: difficultyFrom{g: g, quick: true}, similar: 1}
	cmd := &cobra.Command{
		Use:   "browse RESULTS...",
		Short: "Browse tasks by difficulty and topic on the screen",
		Long: `Look at the tasks on the screen: by difficulty, discrimination, score or topic, with their
intervals; filter them, go through the suspects, and open one: its statement, the curve of
the score expected by ability with the respondents on it, what each respondent made of it,
and the answers, where runs of 'assay run batch' keep them. Topics are given names and put
together, which is written to --topics-file at once.

RESULTS and flags are those of 'assay difficulty'.`,
		Example: "  assay difficulty browse run --tasks HumanEval.jsonl.gz --topics-file topics.toml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && !o.from.testers {
				return console.Usagef("assay difficulty browse takes runs, results or a table; see 'assay difficulty browse --help'")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !io.Terminal {
				return console.Usagef("%s needs a terminal; without browse the analysis is printed", cmd.CommandPath())
			}
			fmt.Fprintln(io.Err, "reading and fitting …")
			a, tasks, err := o.analyse(cmd.Context(), io, args)
			if err != nil {
				return err
			}
			opts := screen.Options{Name: shownResults(args, tasks), Analysis: a, Tasks: tasks, Topics: o.from.file, Drawn: o.from.drawn}
			if len(o.runs) > 0 {
				opts.Answers = answersIn(o.runs)
			}
			return terminal.Run(cmd.Context(), io, g, screen.New(opts))
		},
	}
	o.flags(cmd.Flags())
	return cmd
}

// shownResults describes the analysed results for the screen.
func shownResults(args []string, tasks *benchmark.Benchmark) string {
	switch {
	case tasks != nil:
		return tasks.Name
	case len(args) == 0:
		return "testers"
	}
	return strings.Join(args, " ")
}

// answersIn returns a function that reads the runs' answers to a task with their verdicts, in the order of
// models, prompts and samples.
func answersIn(runs []string) func(context.Context, string) ([]screen.Answer, error) {
	return func(ctx context.Context, task string) ([]screen.Answer, error) {
		var all []screen.Answer
		for _, dir := range runs {
			results, err := pipeline.Results(dir)
			if err != nil {
				return nil, err
			}
			for _, r := range results {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				rows, err := batch.ReadResults(r.Dir)
				if err != nil {
					return nil, err
				}
				judged := map[int]batch.Row{}
				for _, row := range rows {
					if row.TaskID == task {
						judged[row.Sample] = row
					}
				}
				from := len(all)
				if err := generate.Each(dir, r.Model, r.Prompt, func(a generate.Answer) error {
					if a.TaskID != task {
						return nil
					}
					row := judged[a.Sample]
					all = append(all, screen.Answer{Model: r.Model, Prompt: r.Prompt, Sample: a.Sample, Verdict: strings.ReplaceAll(string(row.Verdict), "_", " "),
						Accepted: row.Verdict == verdicts.Accepted, Passed: row.PassedTests, Total: row.TotalTests, Text: a.Text})
					return nil
				}); err != nil {
					return nil, errors.Join(err, ctx.Err())
				}
				slices.SortStableFunc(all[from:], func(a, b screen.Answer) int { return a.Sample - b.Sample })
			}
		}
		return all, nil
	}
}
