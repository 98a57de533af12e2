package difficulty

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/scoring/irt"
	"assay/session/difficulty"
	"assay/tui/frame"
)

// difficultyOptions are the flags of `assay difficulty`.
type difficultyOptions struct {
	tasks  string
	format string // of the tasks
	choose inputs.Chooser
	by     string
	score  string
	method string
	subset int
	topics bool
	top    int

	people    peopleOptions
	originals []string

	constructs bool
	similar    float64
	weights    string
	out        string
	title      string
	curves     []string
	models     []string
	texts      int

	runs  []string         // directories of runs whose answers are available
	found []difficulty.Run // the source of the models' responses; none for a table
	from  difficultyFrom
	seed  uint64
	json  bool
}

// evenWeights are the weights of CodeBLEU's components in TaskEval.
const evenWeights = "0.25,0.25,0.25,0.25"

// New returns `assay difficulty`.
func New(io *console.IO, g *console.Globals) *cobra.Command {
	o := &difficultyOptions{weights: evenWeights, from: difficultyFrom{g: g}}
	cmd := &cobra.Command{
		Use:   "difficulty RESULTS...",
		Short: "Estimate how hard each task is and how well it separates models",
		Long: `Estimate each task's difficulty and discrimination, and each model's ability, by item
response theory (β3-IRT, as TaskEval does), with an interval for each.

RESULTS are runs of 'assay run batch', results of 'assay eval --out' as NAME=DIRECTORY
(or a directory, named by itself), or a table FILE.csv with the columns task, respondent,
score (0 to 1) and, if known, n. Several are put together: at least two respondents, and
some twenty before a single task's difficulty means much. With --testers the testers of the
store's sessions are respondents, alone or together with models; a directory that 'assay
report --out' has written names those of its dataset.

Difficulty and ability lie between 0 and 1: a respondent is expected to have half of the
score on a task that is as difficult as it is able. Discrimination says how steeply the
expected score rises with ability; where it is negative the less able do better. If most
fail then, which is a difficulty below a half, wording or tests are often wrong; else it may
be chance.`,
		Example: "  assay difficulty run --tasks HumanEval.jsonl.gz --topics\n  assay difficulty run --by prompt --subset 40\n  assay difficulty responses.csv --method taskeval --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && !o.from.testers {
				return console.Usagef("assay difficulty takes runs, results or a table; see 'assay difficulty --help'")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runDifficulty(cmd.Context(), io, o, args) },
	}
	cmd.AddCommand(newDifficultyRound(io), newDifficultyEstimate(io, g), newDifficultyStatus(io), newDifficultyReview(io, true), newDifficultyReview(io, false), newDifficultyBrowse(io, g), newDifficultyReport(io, g), newDifficultyItems(io, g), newDifficultySimulate(io, g))
	f := cmd.Flags()
	o.flags(f)
	o.people.flags(cmd)
	f.StringSliceVar(&o.originals, "original", nil, "compare with the difficulty by these `results` of the tasks' original prompts alone, the share that fails (TaskEval, section 2): what RESULTS may be")
	f.BoolVar(&o.constructs, "constructs", false, "compare the constructs that models' programs use with the tasks' difficulty and discrimination; needs --tasks, and runs of 'assay run batch'")
	f.Float64Var(&o.similar, "similar", difficulty.Similar().Threshold, "the `CodeBLEU` with the reference solution from which on a wrong answer counts for --constructs")
	console.Bounds(f, "similar", 0, 1)
	f.StringVar(&o.weights, "weights", evenWeights, "the `weights` of CodeBLEU's parts for --constructs: n-grams, weighted n-grams, syntax, data flow")
	f.IntVar(&o.top, "top", 10, "how many of the hardest and easiest tasks to print")
	console.Bounds(f, "top", 0, console.MostTasks)
	f.StringVar(&o.out, "out", "", "write a report to this `directory`: report.html, report.md, tables and figures (TaskEval, figures 2 to 5, tables 1 to 3)")
	f.StringVar(&o.title, "title", "", "title of the report")
	f.StringSliceVar(&o.curves, "curves", nil, "the `tasks` whose characteristic curves are drawn; needs --out (default: some that differ)")
	f.StringSliceVar(&o.models, "models", nil, "the `respondents` in the report's figures and tables that have no room for all; needs --out (default: six, from the ablest to the least able)")
	f.IntVar(&o.texts, "answers", 3, "how many answers to a suspect to quote, of runs of 'assay run batch'")
	console.Bounds(f, "answers", 0, console.MostTasks)
	f.BoolVar(&o.from.quick, "quick", false, quickHelp)
	console.JSONFlag(f, &o.json, "print one JSON object, with all tasks", difficulty.Analysis{})
	return cmd
}

// flags adds the flags for what is analysed, and how.
func (o *difficultyOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.tasks, "tasks", "", "the `file` of tasks, or the name of a bundled benchmark: for titles and topics")
	f.StringVar(&o.format, "tasks-format", "", inputs.TasksFormatHelp)
	o.choose.Flags(f)
	f.StringVar(&o.by, "by", "model", "who a respondent is: model, or prompt (a model with one kind of prompt)")
	f.StringVar(&o.score, "score", "correct", "what a score is: correct (share of samples that pass), pass-ratio (mean of (passed/total)²) or pass-rate (mean of passed/total)")
	f.StringVar(&o.method, "method", "map", "how parameters are estimated: map, taskeval (as its code does, without intervals), 2pl or 1pl (scores of 0 and 1)")
	f.IntVar(&o.subset, "subset", 0, "choose this `number` of tasks that separate the respondents best")
	console.Bounds(f, "subset", 0, console.MostTasks)
	f.BoolVar(&o.topics, "topics", false, "group tasks by what they are about: by their words, or see --embeddings and --topics-file; needs --tasks")
	f.Uint64Var(&o.seed, "seed", 1, "the seed of the random starts and of the intervals")
	o.from.flags(f)
}

func (o *difficultyOptions) check() error {
	switch {
	case o.by != string(difficulty.ByModel) && o.by != string(difficulty.ByPrompt):
		return console.Usagef("--by is model or prompt, not %q", o.by)
	case o.score != string(difficulty.Correct) && o.score != string(difficulty.PassRatio) && o.score != string(difficulty.PassRate):
		return console.Usagef("--score is correct, pass-ratio or pass-rate, not %q", o.score)
	case o.subset < 0 || o.top < 0 || o.texts < 0:
		return console.Usagef("--subset, --top and --answers take numbers from 0 on")
	case o.topics && o.tasks == "":
		return console.Usagef("--topics needs the statements of the tasks: give --tasks FILE")
	case o.from.wrong(o.topics, o.tasks) != nil:
		return o.from.wrong(o.topics, o.tasks)
	case o.constructs && o.tasks == "":
		return console.Usagef("--constructs needs the reference solutions of the tasks: give --tasks FILE")
	case (len(o.curves) > 0 || len(o.models) > 0) && o.out == "":
		return console.Usagef("--curves and --models are for the report: give --out DIRECTORY")
	}
	_, err := o.similarity()
	return err
}

// similarity returns the rule for which samples count for constructs.
func (o *difficultyOptions) similarity() (difficulty.Similarity, error) {
	s := difficulty.Similarity{Threshold: o.similar}
	parts := []*float64{&s.Weights.NGram, &s.Weights.WeightedNGram, &s.Weights.Syntax, &s.Weights.DataFlow}
	texts := strings.Split(o.weights, ",")
	if len(texts) != len(parts) {
		return s, console.Usagef("--weights takes four numbers with commas, of n-grams, weighted n-grams, syntax and data flow, not %q", o.weights)
	}
	for i, text := range texts {
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return s, console.Usagef("--weights takes numbers, not %q", text)
		}
		*parts[i] = v
	}
	if err := s.Weights.Check(); err != nil {
		return s, console.Usagef("--weights: %v", err)
	}
	return s, nil
}

// manyResponses is the number of responses from which intervals take a while.
const manyResponses = 20_000

const quickHelp = "draw intervals with fewer draws, in a third of the time: they are somewhat wider"

func sayManyResponses(io *console.IO, n int, quick bool) {
	if n > manyResponses && !quick {
		fmt.Fprintf(io.Err, "note: %d responses: drawing intervals may take a minute; --quick takes a third of the time\n", n)
	}
}

func runDifficulty(ctx context.Context, io *console.IO, o *difficultyOptions, args []string) error {
	a, tasks, err := o.analyse(ctx, io, args)
	if err != nil {
		return err
	}
	if o.constructs {
		if len(o.runs) == 0 || len(o.runs) < len(args) {
			return console.Usagef("--constructs needs the answers, which only runs of 'assay run batch' keep")
		}
		similarity, err := o.similarity()
		if err != nil {
			return err
		}
		if a.Constructs, err = difficulty.CountConstructs(a, tasks, o.codes(tasks), similarity); err != nil {
			return err
		}
	}
	if err := o.people.compare(a, tasks); err != nil {
		return err
	}
	if err := o.compareOriginals(io, a); err != nil {
		return err
	}
	if err := a.LookAt(o.found, difficulty.By(o.by), tasks, o.texts, o.answers); err != nil {
		return err
	}
	if a.Source, err = o.source(args, tasks); err != nil {
		return err
	}
	if o.out != "" {
		if err := o.write(a); err != nil {
			return err
		}
	}
	if o.json {
		return console.WriteJSON(io, a)
	}
	printDifficulty(io.Out, a, o.top)
	printOriginals(io.Out, a)
	printPeople(io.Out, a.People)
	if o.out != "" {
		fmt.Fprintf(io.Out, "\nThe report is %s.\n", frame.OneLine(filepath.Join(o.out, "report.html")))
	}
	return nil
}

// chosen returns the responses to the tasks that flags choose.
func (o *difficultyOptions) chosen(r irt.Responses, tasks *benchmark.Benchmark) (irt.Responses, error) {
	filter, err := o.choose.Filter()
	if err != nil || !o.choose.IsSet() {
		return r, err
	}
	if tasks == nil {
		return r, console.Usagef("%s needs the task fields: give --tasks FILE", o.choose.Flag())
	}
	return difficulty.Choose(r, tasks, filter)
}

// analyse reads and analyses the arguments.
func (o *difficultyOptions) analyse(ctx context.Context, io *console.IO, args []string) (*difficulty.Analysis, *benchmark.Benchmark, error) {
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	var tasks *benchmark.Benchmark
	if o.tasks != "" {
		var err error
		if tasks, err = (&inputs.TaskLoader{Format: o.format, Err: io.Err}).Load(o.tasks); err != nil {
			return nil, nil, err
		}
	}
	r, err := o.responses(io, args)
	if err != nil {
		return nil, nil, err
	}
	if r, err = o.chosen(r, tasks); err != nil {
		return nil, nil, err
	}
	opts := difficulty.Options{Method: difficulty.Method(o.method), Tasks: tasks, Subset: o.subset, Seed: o.seed, Who: o.from.who, Notes: o.from.notes}
	if opts.Topics = o.topics || o.from.topicsFile != ""; opts.Topics {
		if err := o.from.topics(ctx, io, tasks, r.Items, &opts); err != nil {
			return nil, nil, err
		}
	}
	analyse := func(quick bool) (*difficulty.Analysis, error) {
		opts := opts
		opts.Quick = quick
		a, err := difficulty.Analyse(r, opts)
		if err != nil {
			return nil, fmt.Errorf("the responses cannot be analysed: %w", err)
		}
		return a, nil
	}
	o.from.drawn = func() (*difficulty.Analysis, error) { return analyse(false) }
	sayManyResponses(io, len(r.Respondents)*len(r.Items), o.from.quick)
	a, err := analyse(o.from.quick)
	return a, tasks, err
}
