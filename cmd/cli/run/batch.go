package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/cmd/cli/eval"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/scoring"
	"assay/scoring/irt/adaptive"
	"assay/session/generate"
	"assay/session/llm"
	"assay/session/pipeline"
	"assay/session/report"
	"assay/session/report/evaluations"
	"assay/tui/frame"
)

// batchRunOptions are the flags of `assay run batch`.
type batchRunOptions struct {
	run      runFlags
	repair   int
	json     bool
	adaptive inputs.Adaptive
	analysis judges.Analysis
	judges.Options
}

func newBatch(io *console.IO, g *console.Globals) *cobra.Command {
	o := &batchRunOptions{}
	cmd := &cobra.Command{
		Use:   "batch FILE.toml",
		Short: "Generate, judge, measure and report what a batch file asks for",
		Long: `Run a batch: ask the models of the file for answers, judge and measure them while others
are still being written, and write a report. The same command goes on with a batch that
was stopped or killed: no answer that is stored is asked for again, and none that has a
result is judged again. 'assay run example' prints a batch file with every key.

DIRECTORY (--out, else the file's name without .toml) then has
  answers/MODEL/PROMPT.jsonl  the answers, which 'assay eval' reads, too
  results/MODEL/PROMPT/       their verdicts and measures; 'assay compare' takes two
  repair-ROUND/MODEL/         answers to the prompts of --repair, with their results
  report/                     the report: open report.html
  failures.jsonl              requests that brought no answer, and why

With --adaptive the model, of which there is one, is asked for answers to some tasks only: each
is chosen by the verdicts so far, from a file of items ('assay difficulty items'), until its
ability is known as precisely as --until says. Choices and reasons are in choices.jsonl beside
the results.

Exit codes: 0 all is done, 3 something is missing and the same command goes on, 4 a key is
missing or refused, 5 another process works on the run.`,
		Example: "  assay run example > batch.toml\n  assay run batch batch.toml --dry-run\n  assay run batch batch.toml\n  assay run batch one-model.toml --adaptive items.json --until se=0.3",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return console.Usagef("assay run batch takes one batch file, not %d; 'assay run example' prints one", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			items, err := o.adaptive.Items(cmd.Flags())
			if err != nil {
				return err
			}
			return runBatch(cmd.Context(), io, g, o, args[0], items)
		},
	}
	f := cmd.Flags()
	o.run.flags(cmd)
	o.adaptive.Flags(f, "ask the model")
	o.analysis.Flags(cmd)
	o.Options.Flags(cmd)
	f.IntVar(&o.repair, "repair", 0, "`rounds` in which models repair answers that are not accepted (default: the file's key repair)")
	console.Bounds(f, "repair", 0, pipeline.MostRepairs)
	console.JSONFlag(f, &o.json, "print one JSON object: what was generated, and the summary of each result", pipeline.Outcome{}, []generate.Estimate{})
	return cmd
}

func newBatchExample(io *console.IO) *cobra.Command {
	return &cobra.Command{
		Use:     "example",
		Example: "  assay run example > batch.toml",
		Short:   "Print a batch file with every key explained",
		Args:    console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(io.Out, pipeline.Example())
			return err
		},
	}
}

func runBatch(ctx context.Context, io *console.IO, g *console.Globals, o *batchRunOptions, path string, items *adaptive.File) error {
	if err := o.Fleet.Check(o.Workers, o.Python); err != nil {
		return err
	}
	file, err := pipeline.Load(path)
	if err != nil {
		return err
	}
	if o.run.out == "" {
		o.run.out = strings.TrimSuffix(filepath.Base(path), ".toml")
	}
	o.run.budget = cmp.Or(o.run.budget, file.Budget)
	tasks, err := (&inputs.TaskLoader{Format: file.TasksFormat, Err: io.Err}).Load(file.Tasks)
	if err != nil {
		return err
	}
	if err := o.Complete(tasks); err != nil {
		return err
	}
	rounds := cmp.Or(o.repair, file.Repair)
	if rounds > 0 && items != nil {
		return console.Usagef("an adaptive run does not repair answers: leave --repair and the file's key repair out, or --adaptive")
	}
	plan, err := planOf(ctx, io, g, file, tasks, o.run.dry)
	if err != nil {
		return err
	}
	if !file.Measure && !o.analysis.Plain() {
		return console.Usagef("%s says measure = false: remove that, or leave out --analyser, --sarif and --sonarqube", path)
	}
	analysers, err := o.analysis.Open(ctx, o.Isolation, io.Getenv)
	if err != nil {
		return err
	}
	if o.run.dry {
		return estimateRun(io, o.run, plan, o.json)
	}
	defer analysers.Close(io.Err)
	show := console.NewPanel(io.Err)
	o.Options.Out = o.run.out
	j, err := judges.Open(ctx, io, &o.Options, plan.Benchmark, show.Say)
	if err != nil {
		return err
	}
	finished := false
	defer func() { j.Done(context.WithoutCancel(ctx), finished) }()
	if j.Local != nil && !o.Fleet.Spread() {
		judges.SayNotJudged(ctx, io.Err, j.Local, plan.Benchmark.Pointers())
	}
	options, done := o.run.options(io, plan, agentsOf(j), show.Say)
	defer done()
	work := pipeline.Options{Generate: options, Judge: j.Judge, K: file.K, NoMeasures: !file.Measure, Analysis: analysers.Samples(), Say: show.Say,
		Progress: func(p pipeline.Progress) { show.Show(batchLines(p)) }}
	if items != nil {
		r, dir, err := pipeline.StartAdaptive(ctx, work, o.adaptive.Of(items))
		finished = err == nil
		show.End()
		if r == nil {
			return runError(err)
		}
		return eval.PrintAdaptive(io, r, dir, o.json, err)
	}
	outcome, err := pipeline.Start(ctx, work)
	if err == nil && rounds > 0 && outcome.Complete() {
		err = pipeline.Repair(ctx, work, outcome, rounds)
	}
	show.End()
	finished = err == nil
	if outcome == nil {
		return runError(err)
	}
	if stopped := keepGoing(err); stopped != nil {
		return judges.Refused(stopped)
	}
	return finishBatch(io, o, file, plan, outcome, err)
}

// planOf plans a batch file's run with the models that it names, and says what is noted about it.
func planOf(ctx context.Context, io *console.IO, g *console.Globals, file *pipeline.File, tasks *benchmark.Benchmark, dry bool) (generate.Plan, error) {
	models := llm.ModelsPath(g.Models, io.Getenv)
	chosen := g.Models == "" && file.ModelsFile != "" && file.ModelsFile != models // by the batch file, not by who runs it
	if chosen {
		models = file.ModelsFile
	}
	known, err := llm.LoadModels(models)
	if err != nil {
		return generate.Plan{}, err
	}
	plan, notes, err := file.Plan(tasks, known)
	if err == nil && chosen {
		err = file.Harmless(plan.Models)
	}
	if err != nil {
		return generate.Plan{}, err
	}
	if !dry { // which asks nothing
		plan.Holds = inputs.ContextSizes(ctx, io, plan.Models)
	}
	console.SayNotes(io, append(notes, generate.Warnings(plan, file.K)...))
	return plan, nil
}

// agentsOf returns what starts agents: the judge of this machine, which then shares its memory between both.
func agentsOf(j *judges.Judges) llm.Agents {
	if j.Local == nil {
		return nil
	}
	return j.Local
}

// finishBatch writes the report, and prints the results of the batch.
func finishBatch(io *console.IO, o *batchRunOptions, file *pipeline.File, plan generate.Plan, outcome *pipeline.Outcome, stopped error) error {
	fields, err := file.Fields()
	if err != nil {
		return err
	}
	written := "There is no report yet: nothing is judged."
	switch r, err := reportBatch(io, file, plan, outcome, fields); {
	case err != nil && outcome.Complete():
		return err
	case err != nil: // possible later, with more answers
		written = fmt.Sprintf("There is no report yet: %v.", err)
	case r != nil:
		dir := filepath.Join(o.run.out, "report")
		if _, err := r.WriteDir(dir); err != nil {
			return err
		}
		written = fmt.Sprintf("The report is %s.", filepath.Join(dir, "report.html"))
	}
	if o.json {
		if err := console.WriteJSON(io, outcome); err != nil {
			return err
		}
	} else {
		printBatch(io, outcome)
		fmt.Fprintln(io.Out, written)
	}
	if left := outcome.Generation.Stored - outcome.Judged(); left > 0 && outcome.Generation.Complete() {
		return console.WithCode(console.ExitPartial, fmt.Errorf("%d of %d answers are not judged yet; run the same command again to continue", left, outcome.Generation.Stored))
	}
	if err := generateStatus(outcome.Generation, stopped); err != nil {
		return err
	}
	missing := 0
	for _, run := range outcome.Runs {
		missing += run.Summary.Missing
		if len(run.Summary.Withheld) > 0 {
			return console.WithCode(console.ExitPartial, fmt.Errorf("the sandbox failed on some answers of %s to %s; run the same command again to try them once more", run.Model, run.Prompt))
		}
	}
	return judges.MissingTools(missing)
}

// reportBatch builds the report of what is judged; nil if nothing is.
func reportBatch(io *console.IO, file *pipeline.File, plan generate.Plan, outcome *pipeline.Outcome, fields [][]string) (*evaluations.Report, error) {
	var runs []evaluations.Results
	for _, run := range outcome.Runs {
		rows, err := batch.ReadResults(run.Dir)
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			continue
		}
		name := "" // includes the prompt if there are several
		if len(outcome.Runs) == len(plan.Models) {
			name = run.Model
		}
		x := evaluations.Results{Name: name, Model: run.Model, Prompt: run.Prompt, Rows: rows, Unreviewed: run.Unreviewed,
			Generated: run.Stored, Flags: map[string]int{}, Flagged: map[string][]int{}}
		for _, m := range plan.Models {
			if m.Name == run.Model {
				x.Cutoff, x.Spent = m.TrainingCutoff.Time, report.NewSpent(run.Account, m.Price())
			}
		}
		for task, samples := range run.Flagged {
			for sample, flags := range samples {
				x.Flagged[task] = append(x.Flagged[task], sample)
				for _, f := range flags {
					x.Flags[f.Words()]++
				}
			}
			slices.Sort(x.Flagged[task])
		}
		runs = append(runs, x)
	}
	if len(runs) == 0 {
		return nil, nil
	}
	title := file.Name
	if g := outcome.Generation; outcome.Judged() < g.Cells {
		title += fmt.Sprintf(" (incomplete: %d of %d answers are judged)", outcome.Judged(), g.Cells)
	}
	ks := slices.Sorted(slices.Values(file.K))
	for {
		r, err := evaluations.Build(runs, evaluations.Options{Title: title, Tasks: plan.Benchmark, By: fields, K: ks})
		// A missing answer must not prevent other numbers.
		if !errors.Is(err, scoring.ErrTooFewSamples) || len(ks) == 1 {
			return r, err
		}
		ks = ks[:len(ks)-1]
		console.SayNotes(io, []string{fmt.Sprintf("pass@k above %d is left out: %v", ks[len(ks)-1], err)})
	}
}

// batchLines returns the lines of a batch's panel.
func batchLines(p pipeline.Progress) []string {
	lines := generateLines(p.Generate)
	judged := fmt.Sprintf("judged  %d/%d", p.Judged, p.Generate.Cells)
	for _, v := range batch.VerdictOrder() {
		if n := p.Verdicts[v]; n > 0 {
			judged += fmt.Sprintf("  %s %d", v, n)
		}
	}
	if p.Generate.Stored >= p.Generate.Cells { // only judging is left
		return append([]string{judged}, lines...)
	}
	return append([]string{lines[0], judged}, lines[1:]...)
}

// printBatch prints a line for each result.
func printBatch(io *console.IO, o *pipeline.Outcome) {
	w := console.NewNumbers(io.Out)
	if len(o.Runs) == 0 {
		return
	}
	head := "model\tprompt\tanswers\taccepted\t"
	for _, m := range o.Runs[0].Summary.Metrics {
		if m.K > 0 {
			head += m.Name() + "\t95 %\t"
		}
	}
	fmt.Fprintln(w, head+"pass_ratio@n\ttasks\t")
	unreviewed, noCode := false, 0
	var all []*batch.Metric
	var summaries []*batch.Summary
	for _, run := range o.Runs {
		s := run.Summary
		mark := ""
		if run.Unreviewed {
			mark, unreviewed = " ‡", true
		}
		noCode += s.NoCode
		summaries = append(summaries, s)
		fmt.Fprintf(w, "%s\t%s%s\t%d\t%d\t", run.Model, run.Prompt, mark, s.Samples, s.Accepted)
		for _, m := range s.Metrics {
			if m.K > 0 {
				cells := strings.Split(eval.MetricCells(m.Metric), "\t")
				fmt.Fprintf(w, "%s\t%s\t", cells[0], cells[1])
				all = append(all, m.Metric)
			}
		}
		ratio := ""
		if m := s.Mean(scoring.SampleMetric{Kind: scoring.RatioKind}); m != nil {
			ratio = strings.Split(eval.MetricCells(m), "\t")[0]
		}
		fmt.Fprintf(w, "%s\t%d\t\n", ratio, s.Scored)
	}
	w.Flush()
	eval.PrintMethods(io.Out, likeThese(all)...)
	if slices.ContainsFunc(all, func(m *batch.Metric) bool { return m == nil }) {
		fmt.Fprintln(io.Out, "withheld: a task has fewer answers than k, or the sandbox failed on one")
	}
	if noCode > 0 {
		fmt.Fprintf(io.Out, "No code was found in %s: they count as failed.\n", frame.Count(noCode, "answer"))
	}
	eval.PrintPackages(io.Out, summaries...)
	eval.PrintForgeable(io.Out, summaries...)
	if unreviewed {
		fmt.Fprintln(io.Out, "‡ prompts that a model wrote, and that nobody has reviewed")
	}
	g := o.Generation
	printUnusual(io, g)
	printAccounts(io, g)
	fmt.Fprintf(io.Out, "\n%d of %d answers, %d of them from before.\n", g.Stored, g.Cells, g.Before)
}

// likeThese returns metrics without their intervals for these tasks, which have no column.
func likeThese(metrics []*batch.Metric) []*batch.Metric {
	var all []*batch.Metric
	for _, m := range metrics {
		if m != nil {
			metric := *m
			metric.TheseMethod = ""
			all = append(all, &metric)
		}
	}
	return all
}
