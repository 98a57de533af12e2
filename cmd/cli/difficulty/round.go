package difficulty

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	promptscmd "assay/cmd/cli/prompts"
	"assay/data"
	"assay/data/program"
	rounds "assay/session/estimate"
	"assay/session/prompts"
	"assay/tui/frame"
)

// roundOptions are the flags of `assay difficulty round`.
type roundOptions struct {
	tasks      promptscmd.Tasks
	sample     int
	seed       uint64
	prompts    string
	estimators int
	threshold  float64
	rounds     int
	minutes    []int
	examples   string
	after      []string
}

func newDifficultyRound(io *console.IO) *cobra.Command {
	o := &roundOptions{}
	cmd := &cobra.Command{
		Use:   "round FILE --tasks TASKS",
		Short: "Begin a round in which people estimate how hard tasks are",
		Long: `Make FILE, in which people estimate how long tasks would take them and how difficult they
are, in the manner of planning poker (TaskEval, RQ4). Each estimator opens it, or a copy of
it, with 'assay difficulty estimate'.

With --sample tasks are drawn at random from three groups, by the lines and the cyclomatic
complexity of their reference solutions. With --prompts the accepted wordings of a file of
'assay prompts' are shown beside each task's own.

Before their first task estimators see two worked examples; --examples FILE has others, with
title, text, summary, minutes, difficulty and reason under each [[example]].

With --after FILE is the round after the one in these files: the tasks whose estimates do not
agree, with the least, the median, the most and the comments, without names. It is for people
who have not estimated them before.`,
		Example: "  assay difficulty round round1.jsonl --tasks HumanEval.jsonl.gz --sample 12 --seed 1 --prompts prompts.jsonl\n  assay difficulty round round2.jsonl --after round1-ann.jsonl,round1-bob.jsonl",
		Args:    oneRound,
		RunE: func(cmd *cobra.Command, args []string) error {
			h, err := o.header(io, cmd.Flags().Changed)
			if err != nil {
				return err
			}
			if err := rounds.Create(args[0], h); err != nil {
				return err
			}
			if h.Sample != nil && h.Round == 1 {
				for _, g := range h.Sample.Groups {
					fmt.Fprintf(io.Err, "%d of %s with solutions that are %s\n", g.Drawn, frame.Count(g.Tasks, "task"), g.Name)
				}
			}
			fmt.Fprintf(io.Err, "%s: round %d, %s, for %s each\nnext: assay difficulty estimate %[1]s --estimator NAME\n", program.Word(args[0]), h.Round, frame.Count(len(h.Items), "task"), frame.Count(h.Estimators, "estimator"))
			return nil
		},
	}
	f := cmd.Flags()
	o.tasks.Flags(cmd)
	f.IntVar(&o.sample, "sample", 0, "draw this `number` of tasks, from three groups; 0: all")
	console.Bounds(f, "sample", 0, console.MostTasks)
	f.Uint64Var(&o.seed, "seed", 1, "the seed of the draw")
	f.StringVar(&o.prompts, "prompts", "", "the `file` of written prompts whose accepted wordings are shown, too")
	f.IntVar(&o.estimators, "estimators", 5, "how many estimates each task wants")
	console.Bounds(f, "estimators", 2, 1000)
	f.Float64Var(&o.threshold, "threshold", 0.6, "the `agreement` (van der Eijk's A) from which on a task is settled")
	console.Bounds(f, "threshold", -0.99, 1)
	f.IntVar(&o.rounds, "rounds", 3, "the most rounds there are to be")
	console.Bounds(f, "rounds", 1, 1000)
	f.IntSliceVar(&o.minutes, "minutes", rounds.DefaultMinutes(), "the scale of times in `minutes`; one more category is beyond the last")
	console.Bounds(f, "minutes", 0, 1000000)
	f.StringVar(&o.examples, "examples", "", "a `file` of worked examples that each estimator sees first (TOML; default: two of assay's); none: no examples")
	f.StringSliceVar(&o.after, "after", nil, "make the round after the one in these `files`: all of its files, and those of the rounds before")
	return cmd
}

// oneRound requires exactly one argument.
func oneRound(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return console.Usagef("%s takes one FILE of estimates, not %d arguments; see '%[1]s --help'%[3]s", cmd.CommandPath(), len(args), meantRun(cmd, args))
	}
	return nil
}

// meantRun suggests how to name a run whose name is also the verb's, if there is one: the verb may be meant
// as RESULTS.
func meantRun(cmd *cobra.Command, args []string) string {
	if _, err := os.Stat(cmd.Name()); err != nil || len(args) > 0 {
		return ""
	}
	return fmt.Sprintf("; the run of that name is ./%s", cmd.Name())
}

// header returns the header of the requested round.
func (o *roundOptions) header(io *console.IO, isSet func(string) bool) (rounds.Header, error) {
	if len(o.after) > 0 {
		return o.next(io, isSet)
	}
	switch {
	case o.tasks.File == "":
		return rounds.Header{}, console.Usagef("a first round needs tasks: give --tasks FILE, or the name of a bundled benchmark (%s); or --after FILE for the round after another", data.BenchmarkNames())
	}
	if err := rounds.CheckMinutes(o.minutes); err != nil {
		return rounds.Header{}, console.Usagef("--minutes: %v", err)
	}
	b, tasks, err := o.tasks.Load(io)
	if err != nil {
		return rounds.Header{}, err
	}
	tasks = slices.DeleteFunc(tasks, func(t *benchmark.Task) bool { return t.Practice })
	if o.sample > len(tasks) {
		return rounds.Header{}, console.Usagef("--sample %d: there are %d tasks to draw from", o.sample, len(tasks))
	}
	setup := rounds.Setup{Sample: o.sample, Seed: o.seed, Estimators: o.estimators, Threshold: o.threshold, Rounds: o.rounds, Minutes: o.minutes}
	if setup.Examples, err = o.worked(); err != nil {
		return rounds.Header{}, err
	}
	if o.prompts != "" {
		if setup.Prompts, err = prompts.Open(o.prompts); err != nil {
			return rounds.Header{}, err
		}
		promptscmd.SayStale(io, setup.Prompts, tasks)
	}
	h, err := rounds.First(b, tasks, setup)
	if err != nil {
		return h, err
	}
	if o.prompts != "" && !slices.ContainsFunc(h.Items, func(it rounds.Item) bool { return len(it.Phrasings) > 1 }) {
		fmt.Fprintf(io.Err, "%s has no accepted wording of these tasks: each is shown with its original statement; accept wordings with 'assay prompts review'\n", o.prompts)
	}
	return h, nil
}

// worked returns the worked examples.
func (o *roundOptions) worked() ([]rounds.Example, error) {
	switch o.examples {
	case "":
		return rounds.OwnExamples(o.minutes)
	case "none":
		return nil, nil
	}
	return rounds.ReadExamples(o.examples, o.minutes)
}

// next returns the header of the next round, which inherits everything but the tasks.
func (o *roundOptions) next(io *console.IO, isSet func(string) bool) (rounds.Header, error) {
	for _, name := range []string{"sample", "seed", "prompts", "estimators", "threshold", "rounds", "minutes", "examples", "filter", "saved-filter", "scenario"} {
		if isSet(name) {
			return rounds.Header{}, console.Usagef("--%s is fixed by the first round: leave it out with --after", name)
		}
	}
	study, err := readRounds(o.after)
	if err != nil {
		return rounds.Header{}, err
	}
	h, err := study.Next()
	if err != nil {
		return h, fmt.Errorf("there is no next round: %w; 'assay difficulty status %s' says more", err, program.Line(o.after...))
	}
	if o.tasks.File != "" {
		b, _, err := o.tasks.Load(io)
		if err != nil {
			return h, err
		}
		if changed := h.Changed(b); len(changed) > 0 {
			return h, fmt.Errorf("tasks have changed since they were estimated, or are not in %s: %s; estimates of the old versions do not count for the new ones", o.tasks.File, strings.Join(changed, ", "))
		}
	}
	return h, nil
}

// readRounds reads and combines files of estimates.
func readRounds(paths []string) (*rounds.Study, error) {
	var files []*rounds.Round
	for _, path := range paths {
		r, err := rounds.Open(path)
		if err != nil {
			return nil, err
		}
		files = append(files, r)
	}
	study, err := rounds.Combine(files...)
	if err != nil {
		return nil, fmt.Errorf("the files do not belong together: %w", err)
	}
	return study, nil
}
