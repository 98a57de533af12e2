package difficulty

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/report"
	"assay/session/difficulty"
	"assay/session/generate"
	"assay/session/pipeline"
	diffreport "assay/session/report/difficulty"
	"assay/tui/frame"
)

// newDifficultyReport returns `assay difficulty report`.
func newDifficultyReport(io *console.IO, g *console.Globals) *cobra.Command {
	var f report.Flags
	var models []string
	var quick bool
	cmd := &cobra.Command{
		Use:   "report DIRECTORY [DIRECTORY]",
		Short: "Report an analysis of tasks again, or two benchmarks side by side",
		Long: `Write the report of an analysis again, from a directory that 'assay difficulty RESULTS --out
DIRECTORY' has made, or the report of two: their figures and tables one beside the other,
and whether the same respondents find them equally hard, by k-sample Anderson-Darling tests
between the two distributions of difficulty, of discrimination, and of what is expected of
each respondent of both.

Two benchmarks are calibrated together: one fit to the responses of both, so that a
respondent has one ability and all tasks stand on one scale. Respondents with the same name
in both link them. Where there are none, each benchmark keeps a scale of its own, and
difficulties are not compared.

Without --out it is drawn on a terminal and printed as Markdown elsewhere, with --json as JSON,
with --html as one page.
'assay report --check DIRECTORY' checks a written one.`,
		Example: "  assay difficulty humaneval-run --tasks HumanEval.jsonl.gz --out humaneval\n  assay difficulty classeval-run --out classeval\n  assay difficulty report humaneval classeval --out both",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return console.Usagef("assay difficulty report takes one or two directories that 'assay difficulty … --out DIRECTORY' has made")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var all []*difficulty.Analysis
			for _, dir := range args {
				a, err := difficulty.Read(os.DirFS(dir))
				if err != nil {
					return fmt.Errorf("%s: %w", dir, err)
				}
				all = append(all, a)
			}
			if len(all) == 2 && all[0].Source.Name == all[1].Source.Name {
				for i, dir := range args {
					all[i].Source.Name += " (" + filepath.Base(filepath.Clean(dir)) + ")"
				}
			}
			o := diffreport.Options{Title: f.Title, Models: models}
			if len(all) == 2 {
				if err := calibrate(io, all, &o, quick); err != nil {
					return err
				}
			}
			r, err := diffreport.Build(all, o)
			if err != nil {
				return err
			}
			return report.Print(io, g, r, f)
		},
	}
	cmd.Flags().StringVar(&f.Dir, "out", "", "write the report, its tables and figures into this `directory`")
	cmd.Flags().StringVar(&f.Title, "title", "", "title of the report")
	console.JSONFlag(cmd.Flags(), &f.Json, "print the report as JSON", diffreport.Report{})
	cmd.Flags().BoolVar(&f.Html, "html", false, "print the report as one HTML page")
	cmd.Flags().StringSliceVar(&models, "models", nil, "the `respondents` in figures and tables that have no room for all (default: six, from the ablest to the least able)")
	cmd.Flags().BoolVar(&quick, "quick", false, quickHelp)
	cmd.MarkFlagsMutuallyExclusive("html", "json")
	return cmd
}

// calibrate puts two analyses on one scale, or notes why that is impossible.
func calibrate(io *console.IO, both []*difficulty.Analysis, o *diffreport.Options, quick bool) error {
	a, b := both[0], both[1]
	if err := difficulty.Comparable(a, b); err != nil {
		return err
	}
	sayManyResponses(io, a.Fit.Responses+b.Fit.Responses, quick)
	x, y, err := difficulty.Calibrate(a, b, quick)
	if err != nil {
		o.Apart = err.Error()
		fmt.Fprintf(io.Err, "note: %s; difficulties are not compared\n", frame.OneLine(o.Apart))
		return nil
	}
	both[0], both[1] = x, y
	return nil
}

// source describes the source of the analysis.
func (o *difficultyOptions) source(args []string, tasks *benchmark.Benchmark) (difficulty.Source, error) {
	s := difficulty.Source{Name: "testers", Results: args, Seed: o.seed}
	switch {
	case len(args) > 1:
		s.Name = fmt.Sprintf("%d runs", len(args))
	case len(args) == 1:
		s.Name = strings.TrimSuffix(filepath.Base(filepath.Clean(args[0])), ".csv")
	}
	if o.from.testers {
		s.Results = append(slices.Clone(args), "testers' sessions")
	}
	if len(o.found) > 0 {
		s.By, s.Score = difficulty.By(o.by), difficulty.Score(o.score)
	}
	if tasks != nil {
		s.Name, s.Tasks = tasks.Name, tasks.Name
	}
	filter, err := o.choose.Filter()
	s.Filter = filter.String()
	return s, err
}

// write writes the report.
func (o *difficultyOptions) write(a *difficulty.Analysis) error {
	if err := a.Draw(o.curves); err != nil {
		return err
	}
	r, err := diffreport.Build([]*difficulty.Analysis{a}, diffreport.Options{Title: o.title, Models: o.models})
	if err != nil {
		return err
	}
	_, err = r.WriteDir(o.out)
	return err
}

// answers reads the texts of the answers to some tasks from runs that keep them.
func (o *difficultyOptions) answers(tasks map[string]bool, each func(difficulty.Answer)) error {
	for _, dir := range o.runs {
		results, err := pipeline.Results(dir)
		if err != nil {
			return err
		}
		for _, r := range results {
			if err := generate.Each(dir, r.Model, r.Prompt, func(a generate.Answer) error {
				if tasks[a.TaskID] {
					each(difficulty.Answer{Model: r.Model, Prompt: r.Prompt, Task: a.TaskID, Sample: a.Sample, Text: a.Text})
				}
				return nil
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
