package tasks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark"
	bench "assay/benchmark/harden"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/prompts"
	"assay/data/program"
	"assay/session/generate"
	"assay/session/harden"
	"assay/session/llm"
	wordings "assay/session/prompts"
	"assay/tui/frame"
)

// hardenOptions are the flags of `assay tasks harden`.
type hardenOptions struct {
	model, second, out, templates     string
	models                            []string
	keep, proposals, tries, samples   int
	reviewers, workers, parallel      int
	budget                            float64
	mechanical, reviewersGiven, mixed bool
	choose                            inputs.Chooser
	isolation                         judges.Isolation
}

func newTasksHarden(io *console.IO, g *console.Globals, from *inputs.TaskLoader) *cobra.Command {
	o := &hardenOptions{}
	cmd := &cobra.Command{
		Use:   "harden BENCHMARK --out FILE",
		Short: "Make harder tasks from the solutions of a benchmark's tasks",
		Long: `Make harder tasks by changing solutions first. By syntax tree, without a model:

  distinct  a list with equal elements is refused
  general   a number of the statement becomes a parameter
  chain     the function is applied to its own results until one repeats
  tally     many calls, their results counted, exceptions too
  compose   the result of one task is an argument of another

With --model a model also changes each solution, to more states, a tighter constraint,
composed operations or another structure, and states what the new one does.

Test cases and examples are what the new solution returns: inputs of the old tests, those
that the model proposes and those at the edges of the types, chosen to kill mutants. A
proposal is removed where the solution shows too little, the old solution passes the new
tests, 'tasks check --strength' finds a fault, a statement is nearly that of another task,
or a second solution, which --second (default: the model) writes from the statement alone,
does not pass; those a person decides about. --models then answer the new tasks and the
old ones, and the hardest that some answers solve and some do not are kept.

Everything is in FILE at once; the same command continues. People accept, edit or reject
what was kept: 'assay tasks harden review FILE'. Only tasks in Python with tests of style
"calls" are changed; others are named. Exit code 3: requests failed, or the budget is used
up; calling again continues.`,
		Example: "  assay tasks harden starter --out harder.jsonl --keep 10\n  assay tasks harden core-python --model hosted --models local,hosted --samples 3 --budget 5 --out harder.jsonl",
		Args:    inputs.OneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.reviewersGiven = cmd.Flags().Changed("reviewers")
			return runTasksHarden(cmd.Context(), io, g, from, o, args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "the `file` of harder tasks; decisions about them are written beside it")
	f.StringVar(&o.model, "model", "", "the `name` of the model that changes solutions and states tasks (default: none, only changes by syntax tree)")
	f.StringVar(&o.second, "second", "", "the `name` of the model that writes second solutions (default: that of --model)")
	f.StringSliceVar(&o.models, "models", nil, "`names` of the models that measure how hard the tasks are")
	f.IntVar(&o.keep, "keep", 20, "`number` of tasks to keep for review")
	console.Bounds(f, "keep", 1, 100000)
	f.IntVar(&o.proposals, "proposals", 4, "`number` of changes that the model proposes for each task")
	console.Bounds(f, "proposals", 1, 100)
	f.BoolVar(&o.mechanical, "mechanical", true, "also change solutions by syntax tree")
	f.IntVar(&o.tries, "tries", 2, "`number` of second solutions asked for until one passes")
	console.Bounds(f, "tries", 1, 20)
	f.IntVar(&o.samples, "samples", 1, "`number` of answers of each measuring model to each task")
	console.Bounds(f, "samples", 1, 1000)
	f.IntVar(&o.reviewers, "reviewers", 1, "`number` of people who are to decide about each task, 1 or 2; FILE keeps that it was begun with")
	console.Bounds(f, "reviewers", 1, 2)
	f.Float64Var(&o.budget, "budget", 0, "stop before more than this `amount` is spent, in the currency of the models' prices")
	console.Bounds(f, "budget", 0, 1e12)
	f.StringVar(&o.templates, "templates", "", "the `folder` of templates to ask with (default: assay's own; see 'assay prompts templates')")
	f.BoolVar(&o.mixed, "mixed", false, "continue FILE although it was begun with another model or other templates")
	f.IntVar(&o.parallel, "parallel", 2, "`number` of tasks worked on at a time")
	console.Bounds(f, "parallel", 1, 1000)
	f.IntVar(&o.workers, "workers", 0, "`number` of programs run at once (default: one for each processor)")
	console.Bounds(f, "workers", 0, console.MostWorkers)
	o.choose.Flags(f)
	o.isolation.Flags(cmd)
	cmd.AddCommand(newHardenReview(io, g), newHardenStatus(io), newHardenExport(io))
	return cmd
}

func runTasksHarden(ctx context.Context, io *console.IO, g *console.Globals, from *inputs.TaskLoader, o *hardenOptions, name string) (err error) {
	switch {
	case o.out == "":
		return console.Usagef("assay tasks harden needs a file to write to: give --out FILE")
	case o.model == "" && !o.mechanical:
		return console.Usagef("without --model only changes by syntax tree can be made, and --mechanical=false leaves them out: give --model NAME")
	}
	if err := o.isolation.Check(io.Getenv); err != nil {
		return err
	}
	b, err := from.Load(name)
	if err != nil {
		return err
	}
	chosen, err := o.tasks(io, b)
	if err != nil {
		return err
	}
	abandon, ended := console.SecondInterrupt(func(said string) { fmt.Fprintln(io.Err, said) })
	defer ended()
	run := harden.Options{Benchmark: b, Tasks: chosen, Mechanical: o.mechanical, Proposals: o.proposals, Tries: o.tries, Samples: o.samples,
		Keep: o.keep, Parallel: o.parallel, Now: time.Now, Say: func(text string) { fmt.Fprintln(io.Err, verdicts.StripEscapes(text)) }}
	if err := o.ask(io, g, &run, abandon); err != nil {
		return err
	}
	if run.File, run.Review, err = o.open(b, &run); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.File.Close(), run.Review.Close()) }()
	examiner, done, err := openExaminer(ctx, io, &tasksCheckOptions{strength: true, workers: o.workers, isolation: o.isolation})
	if err != nil {
		return err
	}
	defer done()
	run.Checker = &bench.Checker{Judge: examiner.Judge.(*judge.Judge), Examiner: examiner}
	result, failed := harden.Run(ctx, run)
	run.File.Look(func(s *harden.State) { err = printHardened(io, s) })
	if failed == nil && err == nil {
		fmt.Fprintf(io.Err, "review them: assay tasks harden review %s\n", program.Word(o.out))
	}
	return errors.Join(err, prompts.Outcome(ctx, result.Failed, failed))
}

// tasks chooses the tasks that can be changed, and names the others.
func (o *hardenOptions) tasks(io *console.IO, b *benchmark.Benchmark) ([]*benchmark.Task, error) {
	filter, err := o.choose.Filter()
	if err != nil {
		return nil, err
	}
	chosen, _ := filter.Select(b)
	if len(chosen) == 0 {
		return nil, o.choose.NoMatch(b.Name, b.Pointers())
	}
	usable := slices.DeleteFunc(slices.Clone(chosen), func(t *benchmark.Task) bool {
		why := bench.Refusal(t)
		if why != "" {
			fmt.Fprintf(io.Err, "%s is left out: %s\n", frame.OneLine(t.ID), verdicts.StripEscapes(why))
		}
		return why != ""
	})
	if len(usable) == 0 {
		return nil, fmt.Errorf("no task of %s can be changed: tasks are changed that are in Python, with a reference solution and tests of style \"calls\"", frame.Count(len(chosen), "task"))
	}
	return usable, nil
}

// ask opens the models, the templates and the account.
func (o *hardenOptions) ask(io *console.IO, g *console.Globals, run *harden.Options, abandon <-chan struct{}) error {
	var used []llm.Model
	opened := map[string]*generate.Asked{}
	open := func(name string) (*generate.Asked, error) {
		if name == "" || opened[name] != nil {
			return opened[name], nil
		}
		client, model, err := prompts.Client(io, g, name, func(c llm.Client) llm.Client { return llm.Graceful(c, prompts.Grace, abandon) })
		if err == nil {
			err = prompts.Ready(io, model)
		}
		if err != nil {
			return nil, err
		}
		used = append(used, model)
		opened[name] = &generate.Asked{Model: model, Client: client}
		return opened[name], nil
	}
	var err error
	if run.Writer, err = open(o.model); err != nil {
		return err
	}
	if run.Second, err = open(cmp.Or(o.second, o.model)); err != nil {
		return err
	}
	for i, name := range o.models {
		if slices.Contains(o.models[:i], name) {
			return console.Usagef("--models names %q twice", name)
		}
		asked, err := open(name)
		if err != nil {
			return err
		}
		run.Models = append(run.Models, asked)
	}
	if run.Account, err = generate.NewAccount(o.budget, used); err != nil {
		return console.Usagef("%v", err)
	}
	run.Templates, err = prompts.Templates(o.templates, harden.TemplateNames())
	return err
}

// open opens or creates the file of harder tasks, and that of decisions.
func (o *hardenOptions) open(b *benchmark.Benchmark, run *harden.Options) (*harden.File, *wordings.Set, error) {
	h := harden.Header{Benchmark: b.Name, Templates: run.Templates.Hash(), Reviewers: o.reviewers}
	if run.Writer != nil {
		h.Author = wordings.AuthorOf(run.Writer.Model)
	}
	if _, err := os.Stat(o.out); errors.Is(err, fs.ErrNotExist) {
		if err := harden.Create(o.out, h); err != nil {
			return nil, nil, err
		}
	}
	file, err := harden.Change(o.out)
	if err != nil {
		return nil, nil, err
	}
	var was harden.Header
	file.Look(func(s *harden.State) { was = s.Header })
	if err := o.fits(was, h); err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	path := harden.ReviewPath(o.out)
	var set *wordings.Set
	if _, err = os.Stat(path); err == nil {
		set, err = wordings.Change(path)
	} else if errors.Is(err, fs.ErrNotExist) {
		set, err = wordings.Create(path, wordings.Header{Benchmark: b.Name + "-hard", Author: was.Author, Templates: was.Templates, Reviewers: was.Reviewers})
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, set, nil
}

// fits returns why an existing file cannot be continued.
func (o *hardenOptions) fits(was, now harden.Header) error {
	other := ""
	switch {
	case was.Benchmark != now.Benchmark:
		return fmt.Errorf("%s has tasks made of the benchmark %s, but these are of %s: give another file with --out", o.out, was.Benchmark, now.Benchmark)
	case o.reviewersGiven && was.Reviewers != now.Reviewers:
		return fmt.Errorf("%s was begun with %d reviewers for each task, but --reviewers is %d: leave --reviewers out, or begin another file with --out", o.out, was.Reviewers, now.Reviewers)
	case o.mixed || now.Author.Name == "" || was.Author.Name == "":
		return nil
	case was.Author.Definition != now.Author.Definition:
		other = fmt.Sprintf("it was begun by the model %s, and %s is not the same or has other settings", was.Author.Name, now.Author.Name)
	case was.Templates != now.Templates:
		other = "it was begun with other templates"
	default:
		return nil
	}
	return fmt.Errorf("%s cannot be continued: %s; give another file with --out, or mix both with --mixed", o.out, other)
}

// printHardened prints what each check removed, and what is kept.
func printHardened(io *console.IO, s *harden.State) error {
	byModel := 0
	for _, p := range s.Proposed {
		if p.Model != "" {
			byModel++
		}
	}
	fmt.Fprintf(io.Out, "%s of %s: %d by syntax tree, %d by a model\n\n", frame.Count(len(s.Proposed), "proposal"), frame.OneLine(s.Header.Benchmark), len(s.Proposed)-byModel, byModel)
	table := console.NewNumbers(io.Out)
	fmt.Fprintln(table, "check\tin\tremoved\t")
	for _, c := range s.Tally() {
		fmt.Fprintf(table, "%s\t%d\t%d\t\n", c.Stage, c.In, c.Removed)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	known := s.Difficulties()
	fmt.Fprintf(io.Out, "\n%s, %d kept%s\n", console.Counted(len(known), "proposal passes", "proposals pass"), len(s.Kept), unmeasured(known))
	if len(s.Kept) == 0 {
		return nil
	}
	kept := console.NewTable(io.Out)
	fmt.Fprintln(kept, "task\tsolved\tdifficulty\tmutants")
	for _, d := range known {
		if slices.Contains(s.Kept, d.Task) {
			fmt.Fprintf(kept, "%s\t%s\t%s\t%d\n", frame.OneLine(d.Task), number(d.Solved), number(d.Difficulty), d.Mutants)
		}
	}
	if err := kept.Flush(); err != nil {
		return err
	}
	if shift, ok := s.Shift(); ok {
		fmt.Fprintf(io.Out, "\nsolved by the measuring models: %.2f of the answers to old tasks, %.2f of those to all new ones that pass", shift.Before, shift.After)
		if shift.Known {
			fmt.Fprintf(io.Out, " (difference %+.2f, 95 %% %+.2f to %+.2f, %s)", shift.After-shift.Before, shift.Difference.Low, shift.Difference.High, frame.Count(shift.Tasks, "task"))
		}
		fmt.Fprintln(io.Out)
	}
	return nil
}

// unmeasured says how the order of the tasks was found if not by models' answers.
func unmeasured(list []harden.Difficulty) string {
	if slices.ContainsFunc(list, func(d harden.Difficulty) bool { return d.Solved == nil }) {
		return "; how hard they are was not measured (--models): the order is by the size of the solutions"
	}
	var never []string
	for _, d := range list {
		if !d.Separates {
			never = append(never, fmt.Sprintf("%s (%s)", d.Task, number(d.Solved)))
		}
	}
	if len(never) == 0 {
		return ""
	}
	return "; not separating: " + strings.Join(never, ", ")
}

func number(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *v)
}
