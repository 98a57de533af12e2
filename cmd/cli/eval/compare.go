package eval

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/tui/frame"
)

// compareOptions are the flags of `assay compare`.
type compareOptions struct {
	tasks   string
	format  string // of the tasks
	ks      string
	metric  string
	choose  inputs.Chooser
	effect  float64 // in points
	margin  float64 // in points
	by      []string
	cluster string
	review  string
	full    bool
	json    bool
}

// ToReviewHelp is the help of --to-review.
const ToReviewHelp = "how resolved answers `count` that a person has to look at: resolved (the default), failed or excluded"

// NewCompare returns `assay compare`.
func NewCompare(io *console.IO, _ *console.Globals) *cobra.Command {
	o := &compareOptions{}
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two evaluations of the same tasks: which is better, and how certain that is",
		Long: `Compare two evaluations, task by task, on one screen: how much one is better, with the
interval of the difference and a plain sentence on whether that tells them apart; the
tasks on which they differ; and how many tasks the next comparison takes.

A and B are what 'assay eval … --out RESULTS' has made. The metric is pass@1, or another
one by --k and --metric. Since the tasks are the same, the difference is known better
than the two values are.

They are told apart where p <= 0.05 by the sign-flip test of the mean difference (Fisher
1935; Pitman 1937): if A and B were exchangeable, the difference on each task could as well
have the other sign, and p is the share of all signs that give a mean as far from 0. It is
exact, but for thousands of tasks. The interval at 95 % holds every difference that the
same test does not reject (Hartigan 1969), so that p and interval never disagree. Where
all tasks differ by the same, both are bounds that hold whatever the other tasks are.

Interval and p are for tasks like these: other tasks of the kind could have been drawn.
--full and --json add the interval for these tasks, where only the samples vary.
--cluster FIELD flips tasks with the same value together, such as variants of one problem.

With fewer than 6 tasks that differ p cannot be 0.05 or less, which the screen says. In
simulations the test rejects equal models in 3 to 6 % of cases, and is conservative for
tasks of one sample each: 0 to 3 % up to 45 tasks. Where models are equal on average alone,
and the differences skewed, it rejects in up to 8 %, and in 11 % where one task in twenty
outweighs all others: no test of few tasks excludes rare tasks with a large difference the
other way.

The number of tasks is for planning the next comparison: with so many tasks like these it
finds the difference with 80 % assurance, which is the power at 5 % averaged over what
these tasks leave open (O'Hagan et al. 2005): the spread, and the difference itself unless
--effect gives one that matters. At least it is that with which 6 tasks differ.

"Not enough to tell them apart" does not mean alike. --margin POINTS names the difference
that does not matter: A and B are alike within it if the whole interval is, which is the
test of equivalence by two one-sided tests at 2.5 % each (Schuirmann 1987). A margin chosen
after looking at the results shows nothing.

--full prints all metrics in tables, and so does --by, which splits the first of them.`,
		Example: "  assay compare gpt-4 claude --tasks HumanEval.jsonl.gz\n  assay compare gpt-4 claude --tasks HumanEval.jsonl.gz --by difficulty --by year,type",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return console.Usagef("assay compare takes the results of two evaluations, not %d; see 'assay compare --help'", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runCompare(io, args, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.tasks, "tasks", "", "the `file` of tasks: their difficulty, and the fields that --by splits by")
	f.StringVar(&o.format, "tasks-format", "", inputs.TasksFormatHelp)
	o.choose.Flags(cmd.Flags())
	f.StringVar(&o.ks, "k", "1", "the k of pass@k and pass^k; several with commas")
	f.StringVar(&o.metric, "metric", "", "the `metric` of the answer: pass@K, pass^K, pass_ratio@n, average_pass_rate or strict_accuracy (default: the first pass@k)")
	ByFlag(cmd, &o.by)
	f.StringVar(&o.cluster, "cluster", "", "the `field` of which tasks with one value are flipped together: "+strings.Join(batch.Fields(), ", "))
	f.Float64Var(&o.effect, "effect", 0, "the difference in `points` that the next comparison is planned for (default: the one found)")
	console.Bounds(f, "effect", 0, 100)
	f.Float64Var(&o.margin, "margin", 0, "say whether A and B are alike within these `points`, declared before the results were seen")
	console.Bounds(f, "margin", 0, 100)
	f.StringVar(&o.review, "to-review", "", ToReviewHelp)
	f.BoolVar(&o.full, "full", false, "print all metrics in tables")
	console.JSONFlag(f, &o.json, "print one JSON object", batch.Comparison{})
	return cmd
}

func runCompare(io *console.IO, args []string, o *compareOptions) error {
	ks, err := ParseKs(o.ks)
	if err != nil {
		return err
	}
	by, err := ParseBy(o.by)
	if err != nil {
		return err
	}
	reviewing, err := batch.ParseReviewing(o.review)
	if err != nil {
		return console.Usagef("--to-review: %v", err)
	}
	if len(by) > 0 && o.tasks == "" {
		return console.Usagef("--by needs the task fields: give --tasks FILE")
	}
	if o.cluster != "" {
		if err := batch.CheckFields([]string{o.cluster}); err != nil {
			return console.Usagef("--cluster %s: %v", o.cluster, err)
		}
		if o.tasks == "" {
			return console.Usagef("--cluster needs the task fields: give --tasks FILE")
		}
	}
	if o.margin > 0 && (o.full || len(by) > 0) && !o.json {
		return console.Usagef("--margin is of the comparison on one screen: leave --full and --by out, or give --json")
	}
	var tasks *benchmark.Benchmark
	if o.tasks != "" {
		if tasks, err = (&inputs.TaskLoader{Format: o.format, Err: io.Err}).Load(o.tasks); err != nil {
			return err
		}
	}
	read, err := ReaderOf(&o.choose, tasks)
	if err != nil {
		return err
	}
	var rows [2][]batch.Row
	for i, path := range args {
		if rows[i], err = read(path); err != nil {
			return fmt.Errorf("comparing %s: %w", path, err)
		}
		SayUnreviewed(io, path, rows[i])
		sayToReview(io, path, rows[i], reviewing)
	}
	options := batch.CompareOptions{Reviewing: reviewing, K: ks, Tasks: tasks, By: by, Cluster: o.cluster}
	c, err := batch.Compare(rows[0], rows[1], options)
	if err != nil {
		return fmt.Errorf("comparing %s with %s: %w", args[0], args[1], err)
	}
	if (o.full || len(by) > 0) && !o.json {
		printComparison(io.Out, args, c)
		return nil
	}
	a, err := batch.Ask(rows[0], rows[1], o.metric, o.effect/100, options)
	if err != nil {
		return console.Usagef("%v", err)
	}
	a.Margin = o.margin / 100
	if o.json {
		c.Answer = a
		return console.WriteJSON(io, c)
	}
	printAnswer(io.Out, args, a, c)
	return nil
}

// sayToReview prints how resolved answers count that a person has to look at.
func sayToReview(io *console.IO, name string, rows []batch.Row, counted batch.Reviewing) {
	n := 0
	for _, r := range rows {
		if r.Verdict == verdicts.Accepted && len(r.ToReview) > 0 {
			n++
		}
	}
	if n > 0 {
		console.SayNotes(io, []string{fmt.Sprintf("%s: %s that a person has to look at (to_review), counted as %s", name, frame.Count(n, "resolved answer"), counted)})
	}
}

func printComparison(out io.Writer, names []string, c *batch.Comparison) {
	fmt.Fprintf(out, "first: %s   second: %s\n\n", names[0], names[1])
	w := console.NewNumbers(out, "same", "95 %, these tasks", "worse", "better")
	fmt.Fprintf(w, "metric\tfirst\tsecond\tdifference\t95 %%, tasks like these\t95 %%, these tasks\tp\tbetter\tworse\tsame\ttasks\t\n")
	methods := []*scoring.Metric{}
	for _, m := range c.Metrics {
		d := m.Difference
		methods = append(methods, &d.Metric)
		decimals := 2 + decimalsOf(&d.Metric)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t\n", m.Name(), stats.Round(m.First.Value, decimals), stats.Round(m.Second.Value, decimals),
			signedTo(d.Value, decimals), interval(d.Interval, d.Method, decimals), interval(d.These, d.TheseMethod, decimals), strings.TrimPrefix(stats.RoundP(d.P), "= "), d.Better, d.Worse, d.Tie, d.N)
	}
	w.Flush()
	fmt.Fprintln(out)
	PrintMethods(out, methods...)
	fmt.Fprintln(out, frame.Wrap(strings.TrimSpace("Difference: first minus second, mean over tasks. p: sign-flip test of the mean difference, two-sided, each metric for itself. "+cannotReject(&c.Metrics[0].Difference)), answerWidth))
	fmt.Fprintln(out)
	for _, s := range c.Splits {
		printSplit(out, s)
	}
	for _, left := range []struct {
		what string
		ids  []string
	}{{"which only the first has", c.OnlyFirst}, {"which only the second has", c.OnlySecond}, {"since the sandbox failed", c.Withheld}} {
		if len(left.ids) > 0 {
			fmt.Fprintf(out, "%s left out, %s: %s.\n", console.Counted(len(left.ids), "task is", "tasks are"), left.what, console.FirstFew(left.ids))
		}
	}
	if len(c.Unknown) > 0 {
		fmt.Fprintf(out, "Not compared, since samples were judged no further than to a failing test case: %s.\n", strings.Join(c.Unknown, ", "))
	}
	if len(c.Changed) > 0 {
		fmt.Fprintf(out, "%s not the same in both, by its text, tests or library: %s. Compare with care.\n", console.Counted(len(c.Changed), "task is", "tasks are"), console.FirstFew(c.Changed))
	}
}

// cannotReject explains that too few tasks differ for the test to reject.
func cannotReject(d *scoring.Difference) string {
	if d.Least <= scoring.Level || d.Better+d.Worse == 0 {
		return ""
	}
	few := console.Counted(d.Better+d.Worse, "task that differs", "tasks that differ")
	if d.Clusters > 0 {
		few = console.Counted(d.Clusters, "cluster", "clusters")
	}
	return fmt.Sprintf("With %s p cannot be below %s.", few, strings.TrimRight(strings.TrimRight(stats.Round(d.Least, 4), "0"), "."))
}
