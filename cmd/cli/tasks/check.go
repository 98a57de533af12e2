package tasks

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/sandbox"
	"assay/benchmark/strength"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/tui/frame"
)

// tasksCheckOptions are the flags of `assay tasks check`.
type tasksCheckOptions struct {
	strength  bool
	survivors bool
	workers   int
	similar   float64
	choose    inputs.Chooser
	isolation judges.Isolation
	json      bool
}

func newTasksCheck(io *console.IO, from *inputs.TaskLoader) *cobra.Command {
	o := &tasksCheckOptions{}
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Prove that the tests of tasks are right, repeatable and strong",
		Long: `Check tasks with what their author wrote beside them:

  reference  the reference solution is accepted five times of five, under other hash
             seeds and with the test cases in another order each time
  time       ... and with the clock ten years ahead. There is no network to depend on
  examples   they are what the reference solution gives
  answers    every wrong recorded answer is rejected, with the verdict it names
  repository before the reference patch of a repository task no test of fail_to_pass
             passes, after it all tests of both lists do, five times; a task of which
             this does not hold is left out of evaluations on this machine
  metadata   nothing is missing that a study may choose tasks by
  similar    no two tasks, also of different files, have nearly the same statement
  strength   with --strength: the tests notice at least nine of ten small faults in
             the reference solution (mutants of operators, constants, boundaries,
             conditions, returned values and statements; Python only)

Survivors are listed with their difference to the reference: each wants a test case
that tells them apart, or does the same as the reference and can be left. The exit
code is 1 where a fault was found: missing metadata and similar statements are none.`,
		Example: "  assay tasks check core-python --strength\n  assay tasks check mine.json HumanEval.jsonl.gz --json",
		Args:    inputs.SomeFiles,
		RunE:    func(cmd *cobra.Command, args []string) error { return runTasksCheck(cmd, io, from, o, args) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.strength, "strength", false, "run mutants of the reference solutions")
	f.BoolVar(&o.survivors, "survivors", true, "list the mutants that the tests accept")
	f.IntVar(&o.workers, "workers", 0, "`number` of programs run at once (default: one for each processor)")
	console.Bounds(f, "workers", 0, console.MostWorkers)
	f.Float64Var(&o.similar, "similar", 0.8, "the `share` of common words in a row from which two statements are called similar")
	console.Bounds(f, "similar", 0, 1)
	o.choose.Flags(f)
	o.isolation.Flags(cmd)
	console.JSONFlag(f, &o.json, "print one JSON object", checked{})
	return cmd
}

// checked is the JSON form of `assay tasks check`.
type checked struct {
	Files   []checkedFile    `json:"files"`
	Similar []checkedSimilar `json:"similar"`
	Faults  int              `json:"faults"`
	Seconds float64          `json:"seconds"`
}

// checkedFile has the tasks of one file.
type checkedFile struct {
	File  string                  `json:"file"`
	Tasks []*strength.Examination `json:"tasks"`

	LeftOut []checkedLeftOut `json:"left_out,omitempty"` // tasks of another tool's file that cannot be judged
}

// checkedLeftOut is a task that is left out of a file, which is a fault.
type checkedLeftOut struct {
	Task  string `json:"task"`
	Fault string `json:"fault"` // with file, line, field and what to do
}

// leftOut lists the tasks that are left out of a file.
func leftOut(f inputs.TaskFile) (list []checkedLeftOut) {
	for _, left := range f.LeftOut {
		list = append(list, checkedLeftOut{left.ID, left.Fault.Error()})
	}
	return list
}

// checkedSimilar are two tasks that are nearly the same.
type checkedSimilar struct {
	TaskA   string  `json:"task_a"`
	FileA   string  `json:"file_a"`
	TaskB   string  `json:"task_b"`
	FileB   string  `json:"file_b"`
	Jaccard float64 `json:"jaccard"`
}

func runTasksCheck(cmd *cobra.Command, io *console.IO, from *inputs.TaskLoader, o *tasksCheckOptions, names []string) error {
	if o.similar == 0 {
		return console.Usagef("--similar takes a share above 0 and at most 1, not %v", o.similar)
	}
	if err := o.isolation.Check(io.Getenv); err != nil {
		return err
	}
	filter, err := o.choose.Filter()
	if err != nil {
		return err
	}
	var files []inputs.TaskFile
	for _, name := range names {
		f, err := from.LoadFile(name)
		if err != nil {
			return err
		}
		if err := answered(f); err != nil {
			return err
		}
		chosen := filter.Part(f.Benchmark)
		if len(chosen.Tasks) == 0 {
			return o.choose.NoMatch(name, f.Benchmark.Pointers())
		}
		f.Benchmark = chosen
		files = append(files, f)
	}
	examiner, done, err := openExaminer(cmd.Context(), io, o)
	if err != nil {
		return err
	}
	defer done()
	started := time.Now()
	result := checked{Similar: []checkedSimilar{}}
	for _, f := range files {
		tasks, err := examine(cmd.Context(), examiner, f)
		if err != nil {
			return err
		}
		for _, x := range tasks {
			result.Faults += x.Faults()
		}
		of := checkedFile{File: f.Name, Tasks: tasks}
		if !o.choose.IsSet() {
			of.LeftOut = leftOut(f)
		}
		result.Faults += len(of.LeftOut)
		result.Files = append(result.Files, of)
	}
	var all []*benchmark.Benchmark
	for _, f := range files {
		all = append(all, f.Benchmark)
	}
	for _, s := range benchmark.FindSimilar(all, o.similar) {
		result.Similar = append(result.Similar, checkedSimilar{s.A.ID, files[s.FileA].Name, s.B.ID, files[s.FileB].Name, s.Jaccard})
	}
	result.Seconds = time.Since(started).Round(100 * time.Millisecond).Seconds()
	if o.json {
		if err := console.WriteJSON(io, result); err != nil {
			return err
		}
	} else {
		printChecked(io.Out, result, o)
	}
	if result.Faults > 0 {
		return fmt.Errorf("%d faults were found", result.Faults)
	}
	return nil
}

// hashSeeds are the hash seeds of additional runs of a reference solution.
var hashSeeds = [...]uint32{2, 3, 4, 5}

// openExaminer opens the judges. Those with another hash seed start an interpreter for each program, since
// a warm one keeps its seed.
func openExaminer(ctx context.Context, io *console.IO, o *tasksCheckOptions) (strength.Examiner, func(), error) {
	var closers []func() error
	done := func() {
		for _, c := range slices.Backward(closers) {
			_ = c()
		}
	}
	var repositories judge.Repositories
	open := func(isolation judges.Isolation) (sandbox.Box, error) {
		x, err := judges.NewExecution(isolation, io.Getenv)
		if err != nil {
			return nil, err
		}
		repositories = x.Repositories
		box, err := x.MakeBox(ctx)
		if err == nil {
			closers = append(closers, box.Close)
		}
		return box, err
	}
	box, err := open(o.isolation)
	if err != nil {
		return strength.Examiner{}, nil, err
	}
	fresh := box
	if o.isolation.Isolation == judges.IsolationWarm && box.Name() != judges.IsolationNone {
		strict := o.isolation
		strict.Isolation = judges.IsolationStrict
		if fresh, err = open(strict); err != nil {
			done()
			return strength.Examiner{}, nil, err
		}
	}
	e := strength.Examiner{Mutate: o.strength}
	for i, seed := range append([]uint32{0}, hashSeeds[:]...) {
		use := fresh
		if i == 0 {
			use = box
		}
		j, err := judge.New(judge.Options{Box: use, Workers: o.workers, HashSeed: seed, Repositories: repositories})
		if err != nil {
			done()
			return strength.Examiner{}, nil, err
		}
		closers = append(closers, j.Close)
		if i == 0 {
			e.Judge = j
		} else {
			e.Others = append(e.Others, j)
		}
	}
	return e, done, nil
}

// answered returns an error if there are recorded answers to a task that does not exist.
func answered(f inputs.TaskFile) error {
	for _, a := range f.Answers {
		if _, err := f.Task(a.Task); err != nil {
			return fmt.Errorf("there are recorded answers to %q, and %w", a.Task, err)
		}
	}
	return nil
}

// examine examines all tasks of a file, several at a time.
func examine(ctx context.Context, e strength.Examiner, f inputs.TaskFile) ([]*strength.Examination, error) {
	answers := map[string][]benchmark.RecordedAnswer{}
	for _, a := range f.Answers {
		answers[a.Task] = append(answers[a.Task], a)
	}
	found := make([]*strength.Examination, len(f.Tasks))
	running, ctx := errgroup.WithContext(ctx)
	running.SetLimit(e.Judge.Workers())
	for i := range f.Tasks {
		running.Go(func() (err error) {
			found[i], err = e.Examine(ctx, &f.Tasks[i], answers[f.Tasks[i].ID])
			return err
		})
	}
	return found, running.Wait()
}

// printChecked prints the results: a line for each task, then the problems.
func printChecked(out io.Writer, result checked, o *tasksCheckOptions) {
	for _, f := range result.Files {
		fmt.Fprintf(out, "%s: %s\n\n", f.File, frame.Count(len(f.Tasks), "task"))
		w := console.NewTable(out)
		fmt.Fprint(w, "task\treference\tcases\texamples\twrong answers rejected")
		if o.strength {
			fmt.Fprint(w, "\tmutants\tkilled\tscore")
		}
		fmt.Fprintln(w, "\tfound")
		total := strength.Score{}
		cases, examples, wrong := 0, 0, 0
		for _, x := range f.Tasks {
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d", frame.OneLine(x.Task), times(x.Runs), x.Cases, x.Examples, x.Wrong)
			cases, examples, wrong = cases+x.Cases, examples+x.Examples, wrong+x.Wrong
			if s := x.Strength; s != nil && s.Mutants > 0 {
				total.Mutants, total.Killed = total.Mutants+s.Mutants, total.Killed+s.Killed
				fmt.Fprintf(w, "\t%d\t%d\t%.3f", s.Mutants, s.Killed, s.Share())
			} else if o.strength {
				fmt.Fprint(w, "\t-\t-\t-")
			}
			fmt.Fprintf(w, "\t%s\n", whatWasFound(x))
		}
		fmt.Fprintf(w, "total\t\t%d\t%d\t%d", cases, examples, wrong)
		if o.strength {
			fmt.Fprintf(w, "\t%d\t%d\t%.3f", total.Mutants, total.Killed, total.Share())
		}
		fmt.Fprintln(w, "\t")
		w.Flush()
		fmt.Fprintln(out)
		for _, left := range f.LeftOut {
			fmt.Fprintf(out, "%s: fault: left out: %s\n", frame.OneLine(left.Task), frame.OneLine(left.Fault))
		}
		printFindings(out, f.Tasks)
		if o.survivors {
			printSurvivors(out, f.Tasks)
		}
		printSkipped(out, f.Tasks)
	}
	for _, s := range result.Similar {
		fmt.Fprintf(out, "similar statements (%.2f): %s of %s and %s of %s\n", s.Jaccard, frame.OneLine(s.TaskA), s.FileA, frame.OneLine(s.TaskB), s.FileB)
	}
	if result.Seconds > 0 {
		fmt.Fprintf(out, "%s, %s of similar statements, in %.1f s\n", frame.Count(result.Faults, "fault"), frame.Count(len(result.Similar), "pair"), result.Seconds)
	}
}

func times(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", n, 1+len(hashSeeds))
}

// whatWasFound describes the findings in a few words.
func whatWasFound(x *strength.Examination) string {
	var names []string
	for _, f := range x.Findings {
		name := f.What
		if f.Weight == strength.Fault {
			name = strings.ToUpper(name)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return cmp.Or(strings.Join(names, " "), "ok")
}

// tasksOf returns what several tasks may have alike, in the order of the tasks, with the tasks that have it.
func tasksOf[T comparable](tasks []*strength.Examination, of func(*strength.Examination) []T) (order []T, ids map[T][]string) {
	ids = map[T][]string{}
	for _, x := range tasks {
		for _, t := range of(x) {
			if ids[t] == nil {
				order = append(order, t)
			}
			ids[t] = append(ids[t], frame.OneLine(x.Task))
		}
	}
	return order, ids
}

// printFindings prints each finding once, with the task that has it or how many do.
func printFindings(out io.Writer, tasks []*strength.Examination) {
	order, ids := tasksOf(tasks, func(x *strength.Examination) []strength.Finding { return x.Findings })
	for _, f := range order {
		who := ids[f][0]
		if n := len(ids[f]); n > 1 {
			who = frame.Count(n, "task")
		}
		fmt.Fprintf(out, "%s: %s: %s: %s\n", who, f.Weight, f.What, verdicts.StripEscapes(f.Text))
	}
}

func printSurvivors(out io.Writer, tasks []*strength.Examination) {
	for _, x := range tasks {
		if x.Strength == nil {
			continue
		}
		for _, s := range x.Strength.Survivors {
			fmt.Fprintf(out, "%s: survivor: %s\n%s", frame.OneLine(x.Task), s.Operator, verdicts.StripEscapes(s.Diff))
		}
	}
}

// printSkipped prints what was not checked, once for each reason.
func printSkipped(out io.Writer, tasks []*strength.Examination) {
	order, ids := tasksOf(tasks, func(x *strength.Examination) []string { return x.Skipped })
	for _, reason := range order {
		fmt.Fprintf(out, "not checked (%d): %s\n", len(ids[reason]), verdicts.StripEscapes(reason))
	}
}
