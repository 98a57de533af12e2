package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/judge"
	"assay/scoring/irt"
	"assay/scoring/stats"
	"assay/session/batch"
	"assay/session/difficulty"
	"assay/session/generate"
	"assay/session/pipeline"
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
	out        string
	curves     []string

	runs []string // directories of runs, whose answers are at hand
	seed uint64
	json bool
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
	f.IntVar(&o.top, "top", 10, "how many of the hardest and easiest tasks to print")
	f.StringVar(&o.out, "out", "", "write the analysis and its figures (TaskEval, figures 2 to 5) to this `directory`")
	f.StringSliceVar(&o.curves, "curves", nil, "the `tasks` whose characteristic curves are drawn; needs --out")
	f.Uint64Var(&o.seed, "seed", 1, "the seed of the random starts and of the intervals")
	f.BoolVar(&o.json, "json", false, "print one JSON object, with all tasks")
	return cmd
}

func (o *difficultyOptions) check() error {
	switch {
	case o.by != string(difficulty.ByModel) && o.by != string(difficulty.ByPrompt):
		return usagef("--by is model or prompt, not %q", o.by)
	case o.score != string(difficulty.Correct) && o.score != string(difficulty.PassRatio) && o.score != string(difficulty.PassRate):
		return usagef("--score is correct, pass-ratio or pass-rate, not %q", o.score)
	case o.subset < 0 || o.top < 0:
		return usagef("--subset and --top take numbers from 0 on")
	case o.topics && o.tasks == "":
		return usagef("--topics needs the statements of the tasks: give --tasks FILE")
	case o.constructs && o.tasks == "":
		return usagef("--constructs needs the reference solutions of the tasks: give --tasks FILE")
	case len(o.curves) > 0 && o.out == "":
		return usagef("--curves are drawn into a directory: give --out DIRECTORY")
	case !(o.similar >= 0 && o.similar <= 1):
		return usagef("--similar is a number from 0 to 1, not %v", o.similar)
	}
	return nil
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
		similarity := difficulty.Similar()
		similarity.Threshold = o.similar
		if a.Constructs, err = difficulty.CountConstructs(a, tasks, o.codes(tasks), similarity); err != nil {
			return err
		}
	}
	if o.out != "" {
		if _, err := a.Write(o.out, o.curves); err != nil {
			return err
		}
	}
	if o.json {
		return writeJSON(io, a)
	}
	printDifficulty(io.Out, a, o.top)
	if o.out != "" {
		fmt.Fprintf(io.Out, "\nThe analysis is in %s.\n", o.out)
	}
	return nil
}

// responses reads a table, or everything that is named as one set of results.
func (o *difficultyOptions) responses(io *IO, args []string) (irt.Responses, error) {
	if strings.HasSuffix(args[0], ".csv") {
		if len(args) > 1 {
			return irt.Responses{}, usagef("a table is analysed alone: give %s by itself", args[0])
		}
		in, err := os.Open(args[0])
		if err != nil {
			return irt.Responses{}, fmt.Errorf("the table cannot be read: %w", err)
		}
		defer in.Close()
		return difficulty.ReadCSV(args[0], in)
	}
	var runs []difficulty.Run
	for _, arg := range args {
		if found, err := pipeline.Results(arg); err == nil {
			if len(found) == 0 {
				return irt.Responses{}, fmt.Errorf("the run %s has no results yet: 'assay batch run' makes them", arg)
			}
			o.runs = append(o.runs, arg)
			for _, f := range found {
				rows, err := batch.ReadResults(f.Dir)
				if err != nil {
					return irt.Responses{}, err
				}
				sayUnreviewed(io, f.Model+", "+f.Prompt, rows)
				runs = append(runs, difficulty.Run{Model: f.Model, Prompt: f.Prompt, Rows: rows})
			}
			continue
		} else if !errors.Is(err, os.ErrNotExist) {
			return irt.Responses{}, err
		}
		named, err := resultsIn([]string{arg})
		if err != nil {
			return irt.Responses{}, err
		}
		if len(named) == 0 {
			return irt.Responses{}, usagef("there is no run, directory of results or table %q", arg)
		}
		rows, err := batch.ReadResults(named[0].path)
		if err != nil {
			return irt.Responses{}, fmt.Errorf("%s cannot be read: %w", named[0].path, err)
		}
		runs = append(runs, difficulty.Run{Model: named[0].name, Rows: rows})
	}
	return difficulty.FromRuns(runs, difficulty.By(o.by), difficulty.Score(o.score))
}

// codes reads the programs of the runs' answers, with whether each is accepted.
func (o *difficultyOptions) codes(tasks *benchmark.Benchmark) func(func(difficulty.Code) error) error {
	return func(each func(difficulty.Code) error) error {
		for _, dir := range o.runs {
			results, err := pipeline.Results(dir)
			if err != nil {
				return err
			}
			for _, r := range results {
				rows, err := batch.ReadResults(r.Dir)
				if err != nil {
					return err
				}
				type sample struct {
					task   string
					number int
				}
				accepted := map[sample]bool{}
				for _, row := range rows {
					accepted[sample{row.TaskID, row.Sample}] = row.Verdict == judge.Accepted
				}
				if err := generate.Each(dir, r.Model, r.Prompt, func(a generate.Answer) error {
					task, err := tasks.Task(a.TaskID)
					if err != nil {
						return err
					}
					return each(difficulty.Code{Model: r.Model, Task: a.TaskID, Source: extract.Code(a.Text, task).Code, Accepted: accepted[sample{a.TaskID, a.Sample}]})
				}); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// printConstructs writes the tables in TaskEval's layout, with corrected p-values beside.
func printConstructs(out io.Writer, c *difficulty.Constructs) {
	for _, table := range []struct {
		title string
		rows  []difficulty.ConstructRow
	}{{"Constructs and difficulty", c.Difficulty}, {"Constructs and discrimination, by its absolute value", c.Discrimination}} {
		fmt.Fprintf(out, "\n%s\n", table.title)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "model\tconstruct\ttau-b\tp\t\tHolm\tAD\tp\t\tHolm\ttasks\t")
		for _, r := range table.rows {
			if r.P >= 0.1 && r.ADP >= 0.1 {
				continue
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t\n", middle(r.Model), r.Construct, signed(r.Tau), pValue(r.P), difficulty.Stars(r.P), pValue(r.Holm),
				stats.Round(r.AD, 2), pValue(r.ADP), difficulty.Stars(r.ADP), pValue(r.ADHolm), r.N)
		}
		w.Flush()
	}
	fmt.Fprintf(out, "Rows with a p below 0.1; tau-b: Kendall's, of a construct's frequency by line with the parameter; AD:\nAnderson-Darling between the lower and the upper half of the tasks; stars: p below 0.01, 0.05, 0.1, each\nby itself; Holm: corrected over a model's constructs. %d samples of %d tasks, right or similar to the\nreference (CodeBLEU from %v on); %d tasks left out, of which less than half of the samples are.\n",
		c.Samples, c.Tasks, c.Threshold, c.LeftOut)
}

// printDifficulty writes the tables for people.
func printDifficulty(out io.Writer, a *difficulty.Analysis, top int) {
	fmt.Fprintf(out, "%d tasks, %d respondents, %d responses; %s\n", len(a.Tasks), len(a.Respondents), a.Fit.Responses, a.Method)
	for _, w := range a.Warnings {
		fmt.Fprintf(out, "! %s\n", joined(w.Text))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nrespondent\tability\t95 %\tmean score\ttasks\t")
	for _, r := range a.Respondents {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t\n", middle(r.Name), estimate(r.Ability), stats.Round(r.Mean, 3), r.N)
	}
	w.Flush()
	hardest := a.Tasks[:min(top, len(a.Tasks))]
	printTasks(out, "The hardest tasks", hardest)
	printTasks(out, "The easiest tasks", a.Tasks[max(len(hardest), len(a.Tasks)-top):])
	for _, kind := range []struct {
		kind  difficulty.Kind
		title string
	}{{difficulty.Suspect, "Suspects: the less able do better, and most fail (look at wording, tests and answers)"},
		{difficulty.Chance, "The less able do better, and most succeed: which few respondents do by chance"}} {
		var found []difficulty.Task
		for _, t := range a.Tasks {
			if t.Kind == kind.kind {
				found = append(found, t)
			}
		}
		if len(found) > 0 {
			printTasks(out, kind.title, found[:min(max(top, 1), len(found))])
			if more := len(found) - max(top, 1); more > 0 {
				fmt.Fprintf(out, "and %d more: --json has all\n", more)
			}
		}
	}
	printTopics(out, a)
	if a.Constructs != nil {
		printConstructs(out, a.Constructs)
	}
	if s := a.Subset; s != nil {
		printSubset(out, s)
	}
	printFit(out, &a.Fit)
	for _, n := range a.Notes {
		fmt.Fprintln(out, joined(n))
	}
}

// printFit says how well the model fits, where there is anything to say.
func printFit(out io.Writer, f *difficulty.Fit) {
	var said []string
	if f.Explained.Defined {
		said = append(said, fmt.Sprintf("Expected and observed scores correlate with r² = %s, which does not say that the\nparameters are right: the intervals do.", stats.Round(f.Explained.SquaredCorrelation, 3)))
	}
	if f.Intervals != "" {
		said = append(said, fmt.Sprintf("Intervals: %s.", f.Intervals))
	}
	if len(said) > 0 {
		fmt.Fprintf(out, "\n%s\n", strings.Join(said, " "))
	}
}

// joined is a text of any length with other people's names in it, safe to draw in a line.
func joined(text string) string { return strings.ReplaceAll(frame.Plain(text), "\n", " ") }

// estimate writes a parameter in two cells.
func estimate(p difficulty.Parameter) string {
	text := stats.Round(p.Value, 2) + "\t"
	if p.Interval != nil {
		text += stats.Round(p.Interval.Low, 2) + " to " + stats.Round(p.Interval.High, 2)
	}
	return text
}

func printTasks(out io.Writer, title string, tasks []difficulty.Task) {
	if len(tasks) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "task\tdifficulty\t95 %\tdiscrimination\t95 %\tmean score\texpected\t")
	for _, t := range tasks {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t\n", frame.OneLine(t.ID), estimate(t.Difficulty), estimate(t.Discrimination), stats.Round(t.Mean, 2), stats.Round(t.Expected, 2))
	}
	w.Flush()
}

func printTopics(out io.Writer, a *difficulty.Analysis) {
	if len(a.Topics) == 0 {
		return
	}
	fmt.Fprintln(out, "\nTopics")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "topic\ttasks\tdifficulty\tdiscrimination\t")
	for _, t := range a.Topics {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t\n", frame.OneLine(t.Name), len(t.Tasks), stats.Round(t.Difficulty, 2), stats.Round(t.Discrimination, 2))
	}
	w.Flush()
	fmt.Fprintf(out, "%d tasks belong to no topic.\n", len(a.NoTopic))
}

func printSubset(out io.Writer, s *difficulty.Subset) {
	fmt.Fprintf(out, "\n%d tasks that separate the respondents best (%s):\n  %s\n", len(s.IDs), s.Criterion, joined(strings.Join(s.IDs, " ")))
	if r := s.Ranking; r != nil {
		fmt.Fprintf(out, "Chosen by %d respondents, they rank the other %d as all tasks do with Kendall's tau-b %s;\nof 1,000 random sets of as many tasks 95 %% are below %s.\n",
			len(s.ChosenBy), r.N, stats.Round(r.TauB, 3), stats.Round(r.Quantile95, 3))
	}
	if s.Note != "" {
		fmt.Fprintln(out, joined(s.Note))
	}
}

// middle is a name that is safe to draw, with the middle cut out of a long one: its ends
// tell it from others.
func middle(name string) string {
	const most = 40
	name = frame.OneLine(name)
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most/2-1]) + "…" + string(runes[len(runes)-most/2:])
	}
	return name
}

// pValue writes a p-value with three places, and never as 0.
func pValue(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return stats.Round(p, 3)
}
