package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/session/difficulty"
	"assay/tui/frame"
)

// difficultyOptions are the flags of `assay difficulty`.
type difficultyOptions struct {
	tasks  string
	format string // of the tasks
	by     string
	score  string
	method string
	subset int
	topics bool
	top    int

	constructs bool
	similar    float64
	weights    string
	out        string
	title      string
	curves     []string
	models     []string
	texts      int

	runs  []string         // directories of runs, whose answers are at hand
	found []difficulty.Run // what the responses were made of; none of a table
	seed  uint64
	json  bool
}

func newDifficulty(io *IO, _ *globals) *cobra.Command {
	o := &difficultyOptions{}
	cmd := &cobra.Command{
		Use:   "difficulty RESULTS...",
		Short: "Say how hard each task is and how well it separates models",
		Long: `Estimate each task's difficulty and discrimination, and each model's ability, by item
response theory (β3-IRT, as TaskEval does), with an interval for each.

RESULTS are runs of 'assay batch run', results of 'assay eval --out' as NAME=DIRECTORY
(or a directory, named by itself), or a table FILE.csv with the columns task, respondent,
score (0 to 1) and, if known, n. Several are put together: at least two respondents, and
some twenty before a single task's difficulty means much.

Difficulty and ability lie between 0 and 1: a respondent is expected to have half of the
score on a task that is as difficult as it is able. Discrimination says how steeply the
expected score rises with ability; where it is negative the less able do better. If most
fail then, which is a difficulty below a half, wording or tests are often wrong; else it may
be chance.`,
		Example: "  assay difficulty run --tasks HumanEval.jsonl.gz --topics\n  assay difficulty run --by prompt --subset 40\n  assay difficulty responses.csv --method taskeval --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("assay difficulty takes runs, results or a table; see 'assay difficulty --help'")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runDifficulty(io, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.tasks, "tasks", "", "the `file` of tasks, or the name of a bundled benchmark: for titles and topics")
	f.StringVar(&o.format, "tasks-format", "", tasksFormatHelp)
	f.StringVar(&o.by, "by", "model", "who a respondent is: model, or prompt (a model with one kind of prompt)")
	f.StringVar(&o.score, "score", "correct", "what a score is: correct (share of samples that pass), pass-ratio (mean of (passed/total)²) or pass-rate (mean of passed/total)")
	f.StringVar(&o.method, "method", "map", "how parameters are estimated: map, taskeval (as its code does, without intervals), 2pl or 1pl (scores of 0 and 1)")
	f.IntVar(&o.subset, "subset", 0, "choose this `number` of tasks that separate the respondents best")
	f.BoolVar(&o.topics, "topics", false, "group tasks by what they are about; needs --tasks")
	f.BoolVar(&o.constructs, "constructs", false, "compare the constructs that models' programs use with the tasks' difficulty and discrimination; needs --tasks, and runs of 'assay batch run'")
	f.Float64Var(&o.similar, "similar", difficulty.Similar().Threshold, "the `CodeBLEU` with the reference solution from which on a wrong answer counts for --constructs")
	f.StringVar(&o.weights, "weights", "0.25,0.25,0.25,0.25", "the `weights` of CodeBLEU's parts for --constructs: n-grams, weighted n-grams, syntax, data flow")
	f.IntVar(&o.top, "top", 10, "how many of the hardest and easiest tasks to print")
	f.StringVar(&o.out, "out", "", "write a report to this `directory`: report.html, report.md, tables and figures (TaskEval, figures 2 to 5, tables 1 and 2)")
	f.StringVar(&o.title, "title", "", "title of the report")
	f.StringSliceVar(&o.curves, "curves", nil, "the `tasks` whose characteristic curves are drawn; needs --out (default: some that differ)")
	f.StringSliceVar(&o.models, "models", nil, "the `respondents` in the report's figures and tables that have no room for all; needs --out (default: six, from the ablest to the least able)")
	f.IntVar(&o.texts, "answers", 3, "how many answers to a suspect to quote, of runs of 'assay batch run'")
	f.Uint64Var(&o.seed, "seed", 1, "the seed of the random starts and of the intervals")
	f.BoolVar(&o.json, "json", false, "print one JSON object, with all tasks")
	cmd.AddCommand(newDifficultyReport(io))
	return cmd
}

func (o *difficultyOptions) check() error {
	switch {
	case o.by != string(difficulty.ByModel) && o.by != string(difficulty.ByPrompt):
		return usagef("--by is model or prompt, not %q", o.by)
	case o.score != string(difficulty.Correct) && o.score != string(difficulty.PassRatio) && o.score != string(difficulty.PassRate):
		return usagef("--score is correct, pass-ratio or pass-rate, not %q", o.score)
	case o.subset < 0 || o.top < 0 || o.texts < 0:
		return usagef("--subset, --top and --answers take numbers from 0 on")
	case o.topics && o.tasks == "":
		return usagef("--topics needs the statements of the tasks: give --tasks FILE")
	case o.constructs && o.tasks == "":
		return usagef("--constructs needs the reference solutions of the tasks: give --tasks FILE")
	case (len(o.curves) > 0 || len(o.models) > 0) && o.out == "":
		return usagef("--curves and --models are of the report: give --out DIRECTORY")
	case !(o.similar >= 0 && o.similar <= 1):
		return usagef("--similar is a number from 0 to 1, not %v", o.similar)
	}
	_, err := o.similarity()
	return err
}

// similarity says which samples count for constructs.
func (o *difficultyOptions) similarity() (difficulty.Similarity, error) {
	s := difficulty.Similarity{Threshold: o.similar}
	parts := []*float64{&s.Weights.NGram, &s.Weights.WeightedNGram, &s.Weights.Syntax, &s.Weights.DataFlow}
	given := strings.Split(o.weights, ",")
	if len(given) != len(parts) {
		return s, usagef("--weights takes four numbers with commas, of n-grams, weighted n-grams, syntax and data flow, not %q", o.weights)
	}
	for i, text := range given {
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return s, usagef("--weights takes numbers, not %q", text)
		}
		*parts[i] = v
	}
	if err := s.Weights.Check(); err != nil {
		return s, usagef("--weights: %v", err)
	}
	return s, nil
}

func runDifficulty(io *IO, o *difficultyOptions, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	var tasks *benchmark.Benchmark
	if o.tasks != "" {
		var err error
		if tasks, err = (&taskLoader{format: o.format, err: io.Err}).loadTasks(o.tasks); err != nil {
			return err
		}
	}
	r, err := o.responses(io, args)
	if err != nil {
		return err
	}
	a, err := difficulty.Analyse(r, difficulty.Options{Method: difficulty.Method(o.method), Tasks: tasks, Subset: o.subset, Topics: o.topics, Seed: o.seed})
	if err != nil {
		return fmt.Errorf("the responses cannot be analysed: %w", err)
	}
	if o.constructs {
		if len(o.runs) == 0 || len(o.runs) < len(args) {
			return usagef("--constructs needs the answers, which only runs of 'assay batch run' keep")
		}
		similarity, err := o.similarity()
		if err != nil {
			return err
		}
		if a.Constructs, err = difficulty.CountConstructs(a, tasks, o.codes(tasks), similarity); err != nil {
			return err
		}
	}
	if err := a.LookAt(o.found, difficulty.By(o.by), tasks, o.texts, o.answers); err != nil {
		return err
	}
	a.Source = o.source(args, tasks)
	if o.out != "" {
		if err := o.write(a); err != nil {
			return err
		}
	}
	if o.json {
		return writeJSON(io, a)
	}
	printDifficulty(io.Out, a, o.top)
	if o.out != "" {
		fmt.Fprintf(io.Out, "\nThe report is %s.\n", frame.OneLine(filepath.Join(o.out, "report.html")))
	}
	return nil
}
