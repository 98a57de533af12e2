package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/scoring/irt/adaptive"
	"assay/tui/frame"
)

// checkAdaptive reads the file of items; nil without --adaptive.
func (o *evalOptions) checkAdaptive(cmd *cobra.Command) (*adaptive.File, error) {
	items, err := o.adaptive.Items(cmd.Flags())
	switch {
	case err != nil || items == nil:
		return nil, err
	case o.Out == "":
		return nil, console.Usagef("--adaptive keeps its choices beside the results: give --out DIRECTORY")
	case len(o.by) > 0 || cmd.Flags().Changed("k") || len(o.results) > 0:
		return nil, console.Usagef("--adaptive estimates ability and pass@1 from a few tasks: leave --by, --k and --results-format out")
	}
	return items, nil
}

// runAdaptive judges the tasks that are chosen, and prints the estimates. It reports whether it came to the end.
func (o *evalOptions) runAdaptive(ctx context.Context, io *console.IO, options batch.Options, items *adaptive.File, progress *judges.EvalProgress) (done bool, err error) {
	options.K, options.By = nil, nil
	r, err := batch.EvalAdaptive(ctx, options, o.adaptive.Of(items))
	progress.End()
	interrupted := errors.Is(err, batch.ErrInterrupted)
	if err != nil && !interrupted {
		return false, judges.Refused(err)
	}
	return !interrupted, PrintAdaptive(io, r, o.Out, o.json, err)
}

// PrintAdaptive prints what an adaptive evaluation with results in a directory has found; interrupted is the error
// that ended it early, or nil.
func PrintAdaptive(io *console.IO, r *batch.AdaptiveResult, dir string, asJSON bool, interrupted error) error {
	if asJSON {
		if err := console.WriteJSON(io, r); err != nil {
			return err
		}
	} else if err := printAdaptive(io, r, dir); err != nil {
		return err
	}
	if interrupted != nil {
		return console.WithCode(console.ExitPartial, fmt.Errorf("%w after %s: run the same command again to continue", interrupted, frame.Count(r.Tasks, "task")))
	}
	return nil
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
