package study

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/session/study"
)

type powerFlags struct {
	assume  study.Assumptions
	testers []int
	tasks   []int
	json    bool
	keep    bool
}

// newPower returns `assay study power`.
func newPower(io *console.IO, _ *console.Globals) *cobra.Command {
	var f powerFlags
	cmd := &cobra.Command{
		Use:     "power [FILE]",
		Example: "  assay study power study.toml --testers 8,16 --tasks 4 --runs 20\n  assay study power study.toml --testers 12 --effect 0.2 --keep",
		Short:   "Work out how many testers and tasks a study needs",
		Long: `Simulate the study many times, with several numbers of testers and of tasks in a set, and
analyse each simulation as the report would. The power is therefore that of the design's own
comparison, and numbers of testers for which the report has no test are marked. The last arm
differs from the others by the effect. Power is the probability that the report finds the
last arm different from the first, corrected for all pairs of arms.

The outcome is the study's primary one ([analysis]), or --outcome. The assumptions are
printed with the result: means and effects are shares of tasks, attempts or seconds;
standard deviations are in logits, those of time in natural logarithms. Take them from a
pilot if you have one. Effects of period and test set are assumed to be 0: they only cost
the degrees of freedom of adjusting for them.

With looks under [analysis] each simulated study stops at the first look that crosses its boundary;
"mean testers" is how many it took on average.

With --margin, or [analysis] margin, the last column is the share of simulated studies without
a difference whose interval lies within the margin, so that the report calls the arms alike.

--keep writes the result beside the study file: 'assay study plan' prints it, and 'assay study freeze'
freezes it.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, b, err := studyArg(cmd, args)
			if err != nil {
				return err
			}
			sets, _, err := s.Sets(b)
			if err != nil {
				return err
			}
			if err := f.complete(s, len(sets[0]), cmd.Flags().Changed); err != nil {
				return err
			}
			return f.run(io, s)
		},
	}
	a, flags := &f.assume, cmd.Flags()
	flags.StringVar(&a.Outcome, "outcome", "", "satisfied, attempts or time (default: the study's primary outcome)")
	for _, f := range []struct {
		value              *float64
		name               string
		usual, least, most float64
		help               string
	}{
		{&a.Effect, "effect", 0, -1e6, 1e6, "difference of the last arm: a share of tasks (default 0.15), attempts (1) or seconds (120)"},
		{&a.Base, "base", 0, 0, 1e6, "mean of the other arms (default 0.7 satisfied, 3.5 attempts, 600 s)"},
		{&a.Power, "power", 0.8, 0, 1, "desired power, between 0 and 1"},
		{&a.Level, "level", 0.05, 0, 1, "significance level, between 0 and 1"},
		{&a.Tester, "tester-sd", 0, 0, 1e6, "standard deviation of testers (default 0.8; of time 0.3)"},
		{&a.Task, "task-sd", 0, 0, 1e6, "of tasks (default 1; of time 0.4)"},
		{&a.Session, "session-sd", 0, 0, 1e6, "of a tester with an arm (default 0.3; of time 0.15)"},
		{&a.TaskArm, "task-arm-sd", 0, 0, 1e6, "of a task with an arm (default 0.2; of time 0.1)"},
		{&a.Leave, "leave", 0, 0, 1, "share of testers who leave before their last task"},
		{&a.Margin, "margin", 0, 0, 1e6, "arms that differ by less are alike; of time a factor, such as 1.25 (default: [analysis] margin)"},
		{&a.Noise, "noise-sd", 0, 0, 1e6, "of a single time (default 0.5)"},
	} {
		flags.Float64Var(f.value, f.name, f.usual, f.help)
		console.Bounds(flags, f.name, f.least, f.most)
	}
	flags.IntVar(&a.Runs, "runs", 500, "simulated studies for each row, 10 to 100000")
	console.Bounds(flags, "runs", 10, 100000)
	flags.Uint64Var(&a.Seed, "seed", 1, "seed of the simulation")
	flags.IntSliceVar(&f.testers, "testers", nil, "`numbers` of testers to try (default: 4 to 48, and the study's)")
	console.Bounds(flags, "testers", 1, 10000)
	flags.IntSliceVar(&f.tasks, "tasks", nil, "`numbers` of tasks in a set to try (default: the study's)")
	console.Bounds(flags, "tasks", 1, 10000)
	console.JSONFlag(flags, &f.json, "print the result as JSON", study.Planned{})
	flags.BoolVar(&f.keep, "keep", false, "save the result next to the study file")
	return cmd
}

// complete sets what no flag gave.
func (f *powerFlags) complete(s *study.Study, perSet int, changed func(string) bool) error {
	if f.assume.Outcome == "" {
		if f.assume.Outcome = s.Analysis.Primary; f.assume.Outcome == "" {
			return console.Usagef("the study declares no primary outcome: name one with --outcome satisfied, attempts or time")
		}
	}
	defaults, err := study.DefaultAssumptions(f.assume.Outcome)
	if err != nil {
		return console.Usagef("%v", err)
	}
	for name, of := range map[string]func(*study.Assumptions) *float64{
		"effect":      func(a *study.Assumptions) *float64 { return &a.Effect },
		"base":        func(a *study.Assumptions) *float64 { return &a.Base },
		"tester-sd":   func(a *study.Assumptions) *float64 { return &a.Tester },
		"task-sd":     func(a *study.Assumptions) *float64 { return &a.Task },
		"session-sd":  func(a *study.Assumptions) *float64 { return &a.Session },
		"task-arm-sd": func(a *study.Assumptions) *float64 { return &a.TaskArm },
		"noise-sd":    func(a *study.Assumptions) *float64 { return &a.Noise },
	} {
		if !changed(name) {
			*of(&f.assume) = *of(&defaults)
		}
	}
	if !changed("margin") && f.assume.Outcome == s.Analysis.Primary {
		f.assume.Margin = s.Analysis.Margin
	}
	if !changed("testers") {
		f.testers = []int{4, 6, 8, 12, 16, 24, 32, 48, s.Design.Testers}
	}
	if !changed("tasks") {
		f.tasks = []int{perSet}
	}
	if len(f.testers)*len(f.tasks) > 100 {
		return console.Usagef("%d rows are too many: at most 100 combinations of testers and tasks are tried", len(f.testers)*len(f.tasks))
	}
	for _, list := range []*[]int{&f.testers, &f.tasks} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return nil
}

func (f *powerFlags) run(io *console.IO, s *study.Study) error {
	if f.keep {
		switch lock, err := study.ReadLock(s.Path()); {
		case err == nil && s.Version <= lock.Version:
			return fmt.Errorf("%s is frozen as version %d, and its power calculation with it: leave out --keep, or write version = %d first, and freeze it again", s.Path(), lock.Version, lock.Version+1)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	planned := study.Planned{Assumptions: f.assume, Design: s.DesignWords()}
	for _, tasks := range f.tasks {
		for _, testers := range f.testers {
			row, err := s.Simulate(f.assume, testers, tasks)
			if err != nil {
				return console.Usagef("%v", err)
			}
			planned.Rows = append(planned.Rows, row)
		}
	}
	if f.keep {
		if err := planned.Write(s.Path()); err != nil {
			return fmt.Errorf("the power calculation cannot be saved: %w", err)
		}
		fmt.Fprintf(io.Err, "wrote %s: 'assay study plan' prints it, 'assay study freeze' freezes it\n", study.PowerPath(s.Path()))
	}
	if f.json {
		return console.WriteJSON(io, planned)
	}
	return printPower(io, &planned)
}

func printPower(io *console.IO, p *study.Planned) error {
	a := p.Assumptions
	fmt.Fprintf(io.Out, "power to find a difference of %g in %s, from %g, at level %g\n", a.Effect, a.Outcome, a.Base, a.Level)
	fmt.Fprintf(io.Out, "design: %s\n", p.Design)
	fmt.Fprintf(io.Out, "assumed standard deviations: testers %g, tasks %g, a tester with an arm %g, a task with an arm %g", a.Tester, a.Task, a.Session, a.TaskArm)
	if a.Outcome == "time" {
		fmt.Fprintf(io.Out, ", a single time %g; all of the logarithm\n", a.Noise)
	} else {
		fmt.Fprintln(io.Out, "; in logits")
	}
	if a.Leave > 0 {
		fmt.Fprintf(io.Out, "%g %% of testers leave, after a number of tasks drawn uniformly; where one did, the report's rule for unequal sessions decides\n", 100*a.Leave)
	}
	fmt.Fprintf(io.Out, "%d simulated studies a row, seed %d\n\n", a.Runs, a.Seed)
	w := console.NewNumbers(io.Out)
	columns := "testers\ttasks a set\ttasks a tester\tpower\t95 %\tno test\tenough\t"
	if p.Rows[0].Used != nil {
		columns += "mean testers\t"
	}
	if a.Margin > 0 {
		columns += fmt.Sprintf("alike within %g\t", a.Margin)
	}
	fmt.Fprintln(w, columns)
	var first *study.Power
	for i := range p.Rows {
		r := &p.Rows[i]
		enough := "no"
		if r.Enough {
			if enough = "yes"; first == nil {
				first = r
			}
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%.2f\t%.2f to %.2f\t%.0f %%\t%s\t", r.Testers, r.Tasks, r.Each, r.Power, r.Interval.Low, r.Interval.High, 100*r.Withheld, enough)
		if r.Used != nil {
			fmt.Fprintf(w, "%.1f\t", *r.Used)
		}
		if r.Alike != nil {
			fmt.Fprintf(w, "%.2f\t", *r.Alike)
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if first == nil {
		_, err := fmt.Fprintf(io.Out, "\nnone of these has a power of %g\n", a.Power)
		return err
	}
	_, err := fmt.Fprintf(io.Out, "\nthe fewest of these: %s\n", p.Sentence(*first))
	return err
}
