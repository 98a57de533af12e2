package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/batch"
)

// compareOptions are the flags of `assay compare`.
type compareOptions struct {
	tasks  string
	format string // of the tasks
	ks     string
	metric string
	by     []string
	full   bool
	json   bool
}

func newCompare(io *IO, _ *globals) *cobra.Command {
	o := &compareOptions{}
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two evaluations of the same tasks: which is better, and how sure is that",
		Long: `Compare two evaluations, task by task, on one screen: how much one is better, with the
interval of the difference and a plain sentence on whether that tells them apart; the
tasks on which they differ; and how many tasks would tell them apart.

A and B are what 'assay eval … --out RESULTS' has made. The metric is pass@1, or another
one by --k and --metric. Since the tasks are the same, the difference is known better
than the two values are. They count as told apart where Wilcoxon's signed-rank test
(two-sided, zeros by Pratt) has p < 0.05 and the interval at 95 % (BCa over tasks, paired)
does not include 0; where there is no interval they never do. The p is exact, over all
signs that the differences could have, where at most 25 tasks differ, or at most 50 with
no ties; else it is of the normal approximation.

The number of tasks is that with which such a test finds a difference as large as the
one on these tasks in 80 of 100 cases, if the paired differences spread as here:
((1.960 + 0.842) SD / difference)² + 1.92 (Lachin 1981; Guenther 1981). The difference is
itself known only within its interval, whose ends give the range. At least it is that
with which 6 tasks differ if as many do as here: with fewer, p is never below 0.05.

--full prints all metrics in tables, and so does --by, which splits the first of them.`,
		Example: "  assay compare gpt-4 claude --tasks HumanEval.jsonl.gz\n  assay compare gpt-4 claude --tasks HumanEval.jsonl.gz --by difficulty --by year,type",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("assay compare takes the results of two evaluations, not %d; see 'assay compare --help'", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runCompare(io, args, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.tasks, "tasks", "", "the `file` of tasks: their difficulty, and the fields that --by splits by")
	f.StringVar(&o.format, "tasks-format", "", tasksFormatHelp)
	f.StringVar(&o.ks, "k", "1", "the k of pass@k; several with commas")
	f.StringVar(&o.metric, "metric", "", "the `metric` of the answer: pass@K, pass_ratio@n, average_pass_rate or strict_accuracy (default: the first pass@k)")
	byFlag(cmd, &o.by)
	f.BoolVar(&o.full, "full", false, "print all metrics in tables")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

// byFlag adds the flag that splits metrics.
func byFlag(cmd *cobra.Command, by *[]string) {
	cmd.Flags().StringArrayVar(by, "by", nil, "split by a `field` of the tasks, or by two with a comma between them: "+strings.Join(batch.Fields(), ", ")+"; may be repeated")
}

func parseBy(texts []string) ([][]string, error) {
	var all [][]string
	for _, text := range texts {
		names := strings.Split(text, ",")
		for i, name := range names {
			names[i] = strings.TrimSpace(name)
		}
		if err := batch.CheckFields(names); err != nil {
			return nil, usagef("--by %s: %v", text, err)
		}
		all = append(all, names)
	}
	return all, nil
}

func runCompare(io *IO, args []string, o *compareOptions) error {
	ks, err := parseKs(o.ks)
	if err != nil {
		return err
	}
	by, err := parseBy(o.by)
	if err != nil {
		return err
	}
	if len(by) > 0 && o.tasks == "" {
		return usagef("--by needs the fields of the tasks: give --tasks FILE")
	}
	var tasks *benchmark.Benchmark
	if o.tasks != "" {
		if tasks, err = (&taskLoader{format: o.format, err: io.Err}).loadTasks(o.tasks); err != nil {
			return err
		}
	}
	var rows [2][]batch.Row
	for i, path := range args {
		if rows[i], err = batch.ReadResults(path); err != nil {
			return err
		}
		sayUnreviewed(io, path, rows[i])
	}
	c, err := batch.Compare(rows[0], rows[1], ks, tasks, by)
	if err != nil {
		return fmt.Errorf("comparing %s with %s: %w", args[0], args[1], err)
	}
	if (o.full || len(by) > 0) && !o.json {
		printComparison(io.Out, args, c)
		return nil
	}
	a, err := batch.Ask(rows[0], rows[1], ks, o.metric, tasks)
	if err != nil {
		return usagef("%v", err)
	}
	if o.json {
		enc := json.NewEncoder(io.Out)
		enc.SetIndent("", "  ")
		c.Answer = a
		return enc.Encode(c)
	}
	printAnswer(io.Out, args, a, c)
	return nil
}

func printComparison(out io.Writer, names []string, c *batch.Comparison) {
	fmt.Fprintf(out, "first: %s   second: %s\n\n", names[0], names[1])
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "metric\tfirst\tsecond\tdifference\t95 %%\tp\tbetter\tworse\tsame\ttasks\t\n")
	for _, m := range c.Metrics {
		d := m.Difference
		p := ""
		if d.Test != nil {
			if p = stats.Round(d.Test.P, 4); d.Test.P < 0.0001 {
				p = "<0.0001"
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t\n", m.Name, stats.Round(m.First.Value, 4), stats.Round(m.Second.Value, 4),
			signed(d.Value), interval(d.Metric), p, d.Better, d.Worse, d.Tie, d.N)
	}
	w.Flush()
	fmt.Fprintln(out, "\nDifference: first minus second, mean over tasks; 95 %: BCa over tasks, paired; p: Wilcoxon\nsigned-rank, two-sided, zeros by Pratt, exact where at most 25 tasks differ, each metric\nfor itself.")
	fmt.Fprintln(out)
	for _, s := range c.Splits {
		printSplit(out, s)
	}
	for _, left := range []struct {
		what string
		ids  []string
	}{{"which only the first has", c.OnlyFirst}, {"which only the second has", c.OnlySecond}, {"since the sandbox failed", c.Withheld}} {
		if len(left.ids) > 0 {
			fmt.Fprintf(out, "%s left out, %s: %s.\n", counted(len(left.ids), "task is", "tasks are"), left.what, some(left.ids))
		}
	}
	if len(c.Changed) > 0 {
		fmt.Fprintf(out, "%s not the same in both, by its text, tests or library: %s. Compare with care.\n", counted(len(c.Changed), "task is", "tasks are"), some(c.Changed))
	}
}

func signed(v float64) string {
	text := stats.Round(v, 4)
	if v > 0 {
		return "+" + text
	}
	return text
}

func interval(m scoring.Metric) string {
	if m.Method == "" {
		return ""
	}
	return fmt.Sprintf("%s to %s", signed(m.Interval.Low), signed(m.Interval.High))
}

// printSplit writes a metric over groups of tasks.
func printSplit(out io.Writer, s batch.Split) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\t%s\t95 %%\t\ttasks\t\n", strings.Join(s.By, "\t"), s.Metric)
	for _, c := range s.Cells {
		for _, key := range c.Keys {
			fmt.Fprintf(w, "%s\t", orNone(key))
		}
		few := ""
		if c.Few {
			few = " (few)"
		}
		fmt.Fprintf(w, "%s\t%d%s\t\n", number(&c.Metric), c.N, few)
	}
	w.Flush()
	fmt.Fprintln(out)
}
