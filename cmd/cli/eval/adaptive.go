package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/scoring/irt/adaptive"
	"assay/tui/frame"
)

// adaptiveOptions are the flags of adaptive evaluations.
type adaptiveOptions struct {
	items string
	rules adaptive.Rules
	seed  uint64
}

func (a *adaptiveOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&a.items, "adaptive", "", "judge only the tasks that tell, chosen by this `file` of items; needs --out")
	inputs.AdaptiveFlags(f, &a.rules)
	f.Uint64Var(&a.seed, "seed", 1, "the seed of the choices of --adaptive")
	console.Rare(f, "least", "most", "among", "exposure", "seed")
}

// checkAdaptive reads the file of items; nil without --adaptive.
func (o *evalOptions) checkAdaptive(cmd *cobra.Command) (*adaptive.File, error) {
	if o.adaptive.items == "" {
		for _, name := range []string{"until", "least", "most", "among", "exposure", "seed"} {
			if cmd.Flags().Changed(name) {
				return nil, console.Usagef("--%s is for adaptive evaluations: give --adaptive ITEMS.json", name)
			}
		}
		return nil, nil
	}
	switch {
	case o.Out == "":
		return nil, console.Usagef("--adaptive keeps its choices beside the results: give --out DIRECTORY")
	case len(o.by) > 0 || cmd.Flags().Changed("k") || len(o.results) > 0:
		return nil, console.Usagef("--adaptive estimates ability and pass@1 from a few tasks: leave --by, --k and --results-format out")
	}
	if err := o.adaptive.rules.Check(); err != nil {
		return nil, console.Usagef("%v", err)
	}
	return inputs.Items(o.adaptive.items)
}

// runAdaptive judges the tasks that are chosen, and prints the estimates. It reports whether it came to the end.
func (o *evalOptions) runAdaptive(ctx context.Context, io *console.IO, options batch.Options, items *adaptive.File, progress *judges.EvalProgress) (done bool, err error) {
	options.K, options.By = nil, nil
	r, err := batch.EvalAdaptive(ctx, options, batch.Adaptive{Items: items, Rules: o.adaptive.rules, Seed: o.adaptive.seed})
	progress.End()
	interrupted := errors.Is(err, batch.ErrInterrupted)
	if err != nil && !interrupted {
		return false, judges.Refused(err)
	}
	if o.json {
		if err := console.WriteJSON(io, r); err != nil {
			return false, err
		}
	} else if err := printAdaptive(io, r, o.Out); err != nil {
		return false, err
	}
	if interrupted {
		return false, console.WithCode(console.ExitPartial, fmt.Errorf("%w after %s: run the same command again to continue", batch.ErrInterrupted, frame.Count(r.Tasks, "task")))
	}
	return true, nil
}

// ends are the reasons for the end of a test in words.
var ends = map[adaptive.End]string{
	adaptive.Precise: "the standard error is small enough", adaptive.Longest: "the largest number of tasks was reached",
	adaptive.NoneLeft: "no task is left that may be asked",
}

func printAdaptive(io *console.IO, r *batch.AdaptiveResult, out string) error {
	w := console.NewNumbers(io.Out, "tells")
	fmt.Fprintf(w, "chosen\ttask\tability before\tSE\ttells\t\n")
	for _, c := range r.Choices {
		if c.Task != "" {
			fmt.Fprintf(w, "%d\t%s\t%.2f\t%.2f\t%.2f\t\n", c.N, frame.OneLine(c.Task), c.Estimate.Ability, c.Estimate.SE, c.Information)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	w = console.NewNumbers(io.Out)
	fmt.Fprintf(w, "\nestimate\tvalue\t95 %%\t\n")
	fmt.Fprintf(w, "ability\t%.2f\t%.2f to %.2f\t\n", r.Estimate.Ability, r.Estimate.Interval.Low, r.Estimate.Interval.High)
	fmt.Fprintf(w, "pass@1 of %s\t%.3f\t%.3f to %.3f\t\n", frame.Count(r.Pool, "task"), r.Total.Score, r.Total.Interval.Low, r.Total.Interval.High)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(io.Out, "\nThe ability is in standard deviations of the respondents that calibrated the items, around their mean;\nits standard error is %.2f.\n", r.Estimate.SE)
	if why := ends[r.End]; why != "" {
		fmt.Fprintf(io.Out, "The test ended after %s: %s.\n", frame.Count(r.Tasks, "task"), why)
	}
	if r.Enough {
		fmt.Fprintf(io.Out, "With tasks drawn at random this precision needs about %d of them.\n", r.Needed)
	} else {
		fmt.Fprintf(io.Out, "With tasks drawn at random this precision needs more than all %d.\n", r.Pool)
	}
	if r.NoItem > 0 {
		fmt.Fprintf(io.Out, "%s no item and cannot be chosen.\n", console.Counted(r.NoItem, "task has", "tasks have"))
	}
	if len(r.NotKnown) > 0 {
		fmt.Fprintf(io.Out, "Samples of %s could not be judged, and tell nothing: %s.\n", frame.Count(len(r.NotKnown), "task"), console.FirstFew(r.NotKnown))
	}
	_, err := fmt.Fprintf(io.Out, "%s judged; the choices are in %s.\n", console.Counted(r.Samples, "sample was", "samples were"), frame.OneLine(out)+"/"+batch.ChoicesName)
	return err
}
