package tasks

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/scenario"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/tui/frame"
)

// scenarioOptions are the flags of `assay tasks scenario`.
type scenarioOptions struct {
	most      int
	choose    inputs.Chooser
	out       console.OutFlags
	isolation judges.Isolation
}

func newTasksScenario(io *console.IO, from *inputs.TaskLoader) *cobra.Command {
	o := &scenarioOptions{}
	cmd := &cobra.Command{
		Use:   "scenario execution|output|input FILE",
		Short: "Make tasks that ask what a call returns, or for the call",
		Long: `Make tasks in two scenarios of LiveCodeBench and one of CRUXEval from tasks with
reference solutions:

  execution  the code of the reference is shown, and a call: what does it return?
  output     the statement is shown, and a test case: what value completes it?
  input      the code is shown, and a value: which call returns it?

Each call comes from the task's tests, and its value from running the reference in the
sandbox. Arguments and value are Python literals of at most 200 characters. An answer is
a literal, and grading runs no code; for input it is a call, which is run. Tasks in other languages than Python, and those
whose tests do not call a function, are left out and named.

LiveCodeBench's scenario self-repair needs no tasks of its own: 'assay run batch' has it with
the key repair, and in a session it is the second attempt.`,
		Example: "  assay tasks scenario execution tasks.json --out traces.json\n  assay tasks scenario output HumanEval.jsonl.gz --filter id=HumanEval/100 --most 3 --out outputs.json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 || !benchmark.Style(args[0]).Predicts() {
				return console.Usagef("%s takes a scenario, execution, output or input, and a FILE of tasks; see '%[1]s --help'", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTasksScenario(cmd.Context(), io, from, o, benchmark.Style(args[0]), args[1])
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.most, "most", 1, "the most tasks to make of one: this `number` of calls")
	console.Bounds(f, "most", 1, 1000)
	o.choose.Flags(cmd.Flags())
	o.out.Flags(cmd)
	o.isolation.Flags(cmd)
	return cmd
}

func runTasksScenario(ctx context.Context, io *console.IO, from *inputs.TaskLoader, o *scenarioOptions, style benchmark.Style, file string) error {
	b, err := from.Load(file)
	if err != nil {
		return err
	}
	filter, err := o.choose.Filter()
	if err != nil {
		return err
	}
	j, done, err := judges.OpenHere(ctx, io, &judges.Options{Isolation: o.isolation}, b.Tasks)
	if err != nil {
		return err
	}
	defer done()
	made := &benchmark.Benchmark{
		Version: benchmark.FormatVersion, Name: fmt.Sprintf("%s-%s", b.Name, style), Title: fmt.Sprintf("%s: %s", cmp.Or(b.Title, b.Name), scenarioTitles[style]),
		Description: fmt.Sprintf("Made by 'assay tasks scenario %s' from the tasks and references of %s.", style, b.Name), Licence: b.Licence,
	}
	chosen, _ := filter.Select(b)
	tasks, problems := make([][]benchmark.Task, len(chosen)), make([]string, len(chosen))
	running, ctx := errgroup.WithContext(ctx)
	running.SetLimit(j.Workers())
	for i, task := range chosen {
		running.Go(func() (err error) {
			tasks[i], problems[i], err = scenario.Make(ctx, j, task, scenario.Options{Style: style, Most: o.most})
			return err
		})
	}
	if err := running.Wait(); err != nil {
		return err
	}
	for i, task := range chosen {
		if problems[i] != "" {
			fmt.Fprintf(io.Err, "%s is left out: %s\n", task.ID, verdicts.StripEscapes(problems[i]))
		}
		made.Tasks = append(made.Tasks, tasks[i]...)
	}
	if len(made.Tasks) == 0 {
		return fmt.Errorf("no task of %s can be made into one of the scenario %s", frame.Count(len(chosen), "task"), style)
	}
	return writeTasks(io, made, format.Assay, o.out, false)
}

// scenarioTitles are the scenarios as their papers call them.
var scenarioTitles = map[benchmark.Style]string{benchmark.Execution: "code execution", benchmark.Output: "test output prediction", benchmark.Input: "input prediction"}
