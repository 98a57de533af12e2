package difficulty

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/scoring/stats"
	"assay/session/difficulty"
	"assay/tui/frame"
)

// peopleOptions are the flags of `assay difficulty` about people's estimates.
type peopleOptions struct {
	files      []string
	discretise string
}

func (p *peopleOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&p.files, "people", nil, "compare with people's settled estimates in these `files` of 'assay difficulty round'")
	cmd.Flags().StringVar(&p.discretise, "discretise", string(difficulty.Equal), "how models' difficulty is put on people's scale for --people: equal (intervals of [0, 1], as TaskEval) or quantile (as many tasks in a category as people put there)")
}

// compare adds the comparison with estimates, if there are any, to the analysis.
func (p *peopleOptions) compare(a *difficulty.Analysis, tasks *benchmark.Benchmark) error {
	if len(p.files) == 0 {
		return nil
	}
	if p.discretise != string(difficulty.Equal) && p.discretise != string(difficulty.Quantile) {
		return console.Usagef("--discretise is equal or quantile, not %q", p.discretise)
	}
	study, err := readRounds(p.files)
	if err != nil {
		return err
	}
	if a.People, err = a.ComparePeople(study, difficulty.Discretise(p.discretise), tasks); err != nil {
		return fmt.Errorf("people and models cannot be compared: %w", err)
	}
	return nil
}

// printPeople prints agreement and disagreement between people and models, in the layout of TaskEval's
// table 3.
func printPeople(out io.Writer, p *difficulty.People) {
	if p == nil {
		return
	}
	fmt.Fprintf(out, "\nPeople and models, %s\n", frame.Count(p.N, "task"))
	for _, w := range p.Warnings {
		fmt.Fprintf(out, "! %s\n", joined(w))
	}
	w := console.NewNumbers(out)
	fmt.Fprintln(w, "\tkappa\t95 %\t")
	for _, k := range []struct {
		name  string
		kappa difficulty.PeopleKappa
	}{{"as estimated", p.Kappa}, {"people one category up", p.Up}, {"people one category down", p.Down}} {
		if k.kappa.Value == nil {
			fmt.Fprintf(w, "%s\t–\t%s\t\n", k.name, k.kappa.Why)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s to %s\t\n", k.name, stats.Round(k.kappa.Value.Kappa, 2), stats.Round(k.kappa.Value.Interval.Low, 2), stats.Round(k.kappa.Value.Interval.High, 2))
	}
	w.Flush()
	if p.Tau != nil {
		fmt.Fprintf(out, "Kendall's tau-b of models' difficulty and people's time: %s (p %s)\n", stats.Round(p.Tau.TauB, 2), pValue(p.Tau.P))
	}
	fmt.Fprintf(out, "Cohen's kappa with linear weights;\n%s.\n", joined(p.Discretisation))
	fmt.Fprintln(out, "\nThe largest disagreements")
	w = console.NewTable(out)
	fmt.Fprintln(w, "task\tmodels\tpeople\tdifficulty\tmedian time\tagreement\trounds")
	shown := 0
	for _, r := range p.Rows {
		if r.Models == r.People || shown == mostDisagreements {
			break
		}
		shown++
		name := frame.OneLine(r.Task)
		if r.Title != "" && r.Title != r.Task {
			name += " · " + frame.OneLine(r.Title)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%d\n", middle(name), r.Models, r.People, stats.Round(r.Difficulty, 2), r.MedianTime, stats.Round(r.Agreement, 2), r.Rounds)
	}
	if shown == 0 {
		fmt.Fprintln(w, "none: all are in the same category")
	}
	w.Flush()
	fmt.Fprintf(out, "Categories from 0 (%s) to %d (%s). People: the median of their estimates.\n", p.Scale[0], len(p.Scale)-1, p.Scale[len(p.Scale)-1])
}

// mostDisagreements is how many tasks are listed on which two difficulties differ.
const mostDisagreements = 10

// printOriginals prints where δ and the difficulty by original prompts differ most.
func printOriginals(out io.Writer, a *difficulty.Analysis) {
	o := a.Originals
	if o == nil {
		return
	}
	fmt.Fprintf(out, "\nDifficulty and original prompts, %s\n", frame.Count(o.N, "task"))
	for _, w := range o.Warnings {
		fmt.Fprintf(out, "! %s\n", joined(w))
	}
	if o.Tau != nil {
		fmt.Fprintf(out, "Kendall's tau-b of the two: %s (p %s)\n", stats.Round(o.Tau.TauB, 2), pValue(o.Tau.P))
	}
	fmt.Fprintln(out, "\nThe largest differences")
	tasks := a.ByID()
	w := console.NewNumbers(out)
	fmt.Fprintln(w, "task\tdifficulty\t95 %\toriginal\tdifference\tall fail\tall solve\trespondents\t")
	for _, row := range o.Rows[:min(mostDisagreements, len(o.Rows))] {
		t := tasks[row.Task]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t\n", middle(t.ID), estimate(t.Difficulty), stats.Round(t.Original.Difficulty, 2), stats.Round(row.Gap, 2), t.Original.Failed, t.Original.Solved, t.Original.N)
	}
	w.Flush()
	fmt.Fprintln(out, "Original: the share that fails at the benchmark's own prompt, mean over respondents. All fail, all solve: respondents\nall or none of whose samples fail. The two are on scales of their own: only large differences tell something.")
}
