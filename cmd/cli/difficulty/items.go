package difficulty

import (
	"encoding/json"
	"fmt"
	out "io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/scoring/irt"
	"assay/scoring/irt/adaptive"
	"assay/session/difficulty"
	"assay/tui/frame"
)

// itemOptions are the flags for what items are calibrated with.
type itemOptions struct{ difficultyOptions }

func newItemOptions(g *console.Globals) *itemOptions {
	return &itemOptions{difficultyOptions{method: string(difficulty.MAP), weights: evenWeights, from: difficultyFrom{g: g}}}
}

func (o *itemOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.by, "by", string(difficulty.ByModel), "who a respondent is: model, or prompt (a model with one kind of prompt)")
	f.Uint64Var(&o.seed, "seed", 1, "the seed of all draws")
	o.score = string(difficulty.Correct)
	o.from.outcome = string(difficulty.WithinK)
}

var needsResults = console.Some("runs, results or a table")

// calibrators reads the responses in the arguments; a directory with an analysis has those that it analysed.
func (o *itemOptions) calibrators(io *console.IO, args []string) (irt.Responses, error) {
	if o.by != string(difficulty.ByModel) && o.by != string(difficulty.ByPrompt) {
		return irt.Responses{}, console.Usagef("--by is model or prompt, not %q", o.by)
	}
	if len(args) == 1 && console.Exists(filepath.Join(args[0], difficulty.FileName)) {
		a, err := difficulty.Read(os.DirFS(args[0]))
		if err != nil {
			return irt.Responses{}, fmt.Errorf("%s: %w", args[0], err)
		}
		return a.Answers(), nil
	}
	return o.responses(io, args)
}

func newDifficultyItems(io *console.IO, g *console.Globals) *cobra.Command {
	o := newItemOptions(g)
	var to console.OutFlags
	cmd := &cobra.Command{
		Use:   "items RESULTS...",
		Short: "Calibrate tasks as the items of adaptive tests",
		Long: `Write the file of items from which adaptive tests choose the next task: for each task the
chance of success by ability, with the uncertainty of its parameters.

RESULTS are those of 'assay difficulty', or a directory that 'assay difficulty … --out' has
written. Responses of 0 and 1 are fitted by 2PL, others by β3-IRT. Abilities are in standard
deviations of these respondents, around their mean.

'assay eval --adaptive', 'assay run batch --adaptive' and studies with order = "adaptive" read
the file; 'assay difficulty simulate' shows first how many tasks such tests would need.`,
		Example: "  assay difficulty items responses.csv --out items.json\n  assay difficulty items a=results-a b=results-b c=results-c --out items.json",
		Args:    needsResults,
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := o.calibrators(io, args)
			if err != nil {
				return err
			}
			source, err := o.source(args, nil)
			if err != nil {
				return err
			}
			f, err := difficulty.CalibrateItems(source.Name, r, o.seed, false)
			if err != nil {
				return err
			}
			if err := to.Out(io).Put(func(w out.Writer) error {
				encoder := json.NewEncoder(w)
				encoder.SetIndent("", "  ")
				return encoder.Encode(f)
			}); err != nil {
				return err
			}
			to.Wrote(io, "%s, calibrated with %s by %s", frame.Count(len(f.Items), "task"), frame.Count(len(f.Respondents), "respondent"), f.Model)
			console.SayNotes(io, f.Notes)
			return nil
		},
	}
	o.flags(cmd)
	to.Flags(cmd)
	return cmd
}

// simulateOptions are the flags of `assay difficulty simulate`.
type simulateOptions struct {
	*itemOptions
	rules       adaptive.Rules
	sizes       []int
	splits      int
	respondents int
	mean, sd    float64
	json        bool
}

func newDifficultySimulate(io *console.IO, g *console.Globals) *cobra.Command {
	o := &simulateOptions{itemOptions: newItemOptions(g)}
	cmd := &cobra.Command{
		Use:   "simulate RESULTS... | ITEMS.json",
		Short: "Simulate adaptive, fixed and random tests of tasks",
		Long: `Show how well tests of a number of tasks measure: with the next task chosen by the responses
so far (adaptive), with tasks drawn at random, and with the same tasks for everyone (fixed:
those that separate best).

With RESULTS, of 0 and 1, half of the respondents calibrate the tasks in each split, and the
others are tested with their recorded responses. With a file of items, as 'assay difficulty
items' writes it, as many drawn respondents as calibrated it calibrate its curves again, and
others are tested with these items: the errors are those of such a calibration.

The columns are the mean standard error of the ability; the root mean square error of the
ability, against the true one or, for recorded responses, that by all tasks; Kendall's τ-b
and Spearman's ρ with the order by the scores on all tasks; the root mean square error, in
points, of the estimated score on all tasks; and how many of its 95 % intervals hold it.`,
		Example: "  assay difficulty simulate run --sizes 10,25,50\n  assay difficulty simulate items.json --respondents 20 --sizes 2,3,10 --until se=0.3",
		Args:    needsResults,
		RunE:    func(_ *cobra.Command, args []string) error { return o.run(io, args) },
	}
	f := cmd.Flags()
	o.itemOptions.flags(cmd)
	f.IntSliceVar(&o.sizes, "sizes", []int{5, 10, 15, 20, 25, 30, 40, 60}, "the `numbers` of tasks")
	console.Bounds(f, "sizes", 1, console.MostTasks)
	f.IntVar(&o.splits, "splits", 20, "how often respondents are divided or drawn")
	console.Bounds(f, "splits", 1, 1000)
	f.IntVar(&o.respondents, "respondents", 50, "how many respondents are drawn for each split, with a file of items")
	console.Bounds(f, "respondents", 2, 10_000)
	f.Float64Var(&o.mean, "mean", 0, "the mean ability of drawn respondents")
	console.Bounds(f, "mean", -5, 5)
	f.Float64Var(&o.sd, "sd", 1, "the standard deviation of their abilities")
	console.Bounds(f, "sd", 0.01, 5)
	inputs.AdaptiveFlags(f, &o.rules)
	console.JSONFlag(f, &o.json, "print one JSON object", adaptive.Comparison{})
	return cmd
}

func (o *simulateOptions) run(io *console.IO, args []string) error {
	if err := o.rules.Check(); err != nil {
		return console.Usagef("%v", err)
	}
	var notes []string
	compare := func() (adaptive.Comparison, error) {
		r, err := o.calibrators(io, args)
		if err != nil {
			return adaptive.Comparison{}, err
		}
		return adaptive.Recorded(r, o.rules, o.sizes, o.splits, o.seed)
	}
	if strings.HasSuffix(args[0], ".json") {
		if len(args) > 1 {
			return console.Usagef("a file of items is simulated on its own: give only %s", args[0])
		}
		compare = func() (adaptive.Comparison, error) {
			f, err := inputs.Items(args[0])
			if err != nil {
				return adaptive.Comparison{}, err
			}
			notes = f.Notes
			return adaptive.Simulated(f, o.rules, o.respondents, o.mean, o.sd, o.sizes, o.splits, o.seed)
		}
	}
	c, err := compare()
	if err != nil {
		return err
	}
	if o.json {
		return console.WriteJSON(io, c)
	}
	if err := o.print(io, c); err != nil {
		return err
	}
	console.SayNotes(io, notes)
	return nil
}

// print prints a table with a row for each way and size.
func (o *simulateOptions) print(io *console.IO, c adaptive.Comparison) error {
	how := "with recorded responses"
	if c.Covered > 0 {
		how = "drawn from the items"
	}
	how += fmt.Sprintf(", %d others calibrated the tasks", c.Calibrated)
	fmt.Fprintf(io.Out, "%s, %s: %s, %s\n\n", frame.Count(c.Items, "task"), frame.Count(c.Splits, "split"), frame.Count(c.Respondents, "respondent"), how)
	w := console.NewNumbers(io.Out, "ρ", "score error", "covered")
	fmt.Fprintln(w, "  tasks\tchosen\tSE\terror\tτ-b\tρ\tscore error\tcovered\t")
	line := func(p adaptive.Point, way string) {
		fmt.Fprintf(w, "  %d\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.1f\t%.1f %%\t\n", p.Items, way, p.SE, p.Error, p.Tau, p.Rho, 100*p.ScoreError, 100*p.Covered)
	}
	for k := range c.Curves[0].Points {
		for _, curve := range c.Curves {
			line(curve.Points[k], string(curve.Way))
		}
	}
	line(c.All, "all")
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(io.Out, "\nAn adaptive test that stops by its rules has %.1f tasks on average (%s).\n", c.Length, o.rules)
	if c.Covered > 0 {
		fmt.Fprintf(io.Out, "Its 95 %% interval holds the true ability in %.1f %% of the tests. Respondents who do not follow\n"+
			"such curves are not simulated; with them intervals hold less often, as RESULTS of 0 and 1 show.\n", 100*c.Covered)
	}
	return nil
}
