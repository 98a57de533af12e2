package rate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/cmd/cli/console"
	"assay/scoring/stats"
	"assay/session/overlap"
	"assay/tui/frame"
)

// percent formats a rate with its interval.
func percent(rate float64, r *stats.Interval) string {
	if r == nil {
		return stats.Round(100*rate, 1) + " % (no interval: fewer than 5 tasks)"
	}
	return fmt.Sprintf("%s %% (%s to %s)", stats.Round(100*rate, 1), stats.Round(100*r.Low, 1), stats.Round(100*r.High, 1))
}

// shared formats a share.
func shared(s overlap.Share) string {
	if s.All == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d (%s %%)", s.N, s.All, stats.Round(100*float64(s.N)/float64(s.All), 1))
}

// printPairs prints the analysis of pairs.
func printPairs(c *console.IO, whole *overlap.Analysis) error {
	a := whole.Pairs
	fmt.Fprintf(c.Out, "%s: %d judgements of people on %d pairs, each by %d of %d; closed by %s on %s, %d missing\n\n",
		frame.OneLine(whole.Name), a.Judgements, a.Pairs, whole.Overlap, len(whole.Raters), frame.OneLine(whole.ClosedBy), whole.ClosedAt.Format("2006-01-02"), whole.Missing)
	if a.Picks > 0 {
		fmt.Fprintf(c.Out, "%d of these judgements: picks of testers in sessions, which are in no agreement of raters and no time\n\n", a.Picks)
	}
	w := console.NewTable(c.Out)
	fmt.Fprintln(w, "model\tjudgements\twins\tlosses\tties\tneither\twin rate (95 %)")
	for _, m := range a.Models {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\n", frame.OneLine(m.Model), m.Judgements, m.Wins, m.Losses, m.Ties, m.Neither, percent(m.Rate, m.Range))
	}
	fmt.Fprintln(w, "\t\t\t\t\t\nagainst\tjudgements\twins\tlosses\tties\tneither\twin rate (95 %)")
	for _, m := range a.Matrix {
		fmt.Fprintf(w, "%s : %s\t%d\t%d\t%d\t%d\t%d\t%s\n", frame.OneLine(m.Model), frame.OneLine(m.Against), m.Judgements, m.Wins, m.Losses, m.Ties, m.Neither, percent(m.Rate, m.Range))
	}
	printScale(w, "Bradley-Terry with ties", &a.Scale)
	printScale(w, "the same at equal "+a.Style.Equal, &a.Style)
	printReasons(w, a)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "\nagreement of raters: alpha %s; %s of judgements of the same pair are the same\n", shownStat(a.Agreement.Value, a.Agreement.Range, a.Agreement.Problem, a.Agreement.NoneSaid), shared(a.Same))
	fmt.Fprintf(c.Out, "repeats with sides swapped judged the same: %s; left side preferred: %s\n", shared(a.Repeats), shared(a.Left))
	for _, p := range a.Attention {
		fmt.Fprintf(c.Out, "attention checks passed by %s: %s\n", p.Rater, shared(p.Share))
	}
	fmt.Fprintf(c.Out, "circular triads: %s; a failing answer preferred to an accepted one: %s\n", shared(a.Triads), shared(a.Wrong))
	for _, r := range a.Rated {
		fmt.Fprintf(c.Out, "the answer preferred that its tester rated higher in %s: %s\n", frame.OneLine(r.Attribute), shared(r.Higher))
	}
	fmt.Fprintf(c.Out, "median time of a judgement: %s s\n", stats.Round(a.Median, 1))
	for _, p := range a.Pace {
		fmt.Fprintf(c.Out, "  %s of each rater's judgements, median %s s: decided %s, left side %s, a failing answer preferred %s\n", p.Name, stats.Round(p.Median, 1), shared(p.Decided), shared(p.Left), shared(p.Wrong))
	}
	if a.Chosen != "" {
		fmt.Fprintln(c.Out, "each pair was chosen by what its rater had judged before: the scale holds for all pairs, win rates only for those that were chosen")
	}
	if a.Identical > 0 {
		fmt.Fprintf(c.Out, "%s of models gave the same answer to a task; nobody was asked for these, and they are in no number\n", frame.Count(a.Identical, "pair"))
	}
	if !a.ByRater {
		fmt.Fprintln(c.Out, "errors are at the tasks: there are fewer than 5 raters, and the numbers speak of these raters only")
	}
	for _, n := range whole.Notes {
		fmt.Fprintf(c.Out, "note of %s on %s: %s\n", n.Rater, frame.OneLine(n.Task), frame.OneLine(n.Text))
	}
	fmt.Fprintf(c.Out, "\n%s\n", frame.OneLine(a.Conclusion))
	return nil
}

// printReasons prints how much better, and in what, answers are.
func printReasons(w io.Writer, a *overlap.PairAnalysis) {
	if slices.ContainsFunc(a.Matrix, func(m overlap.PairRate) bool { return m.HowMuch != nil }) {
		fmt.Fprintln(w, "\t\nhow much better: -3 far worse to 3 far better\tjudgements\tmean (95 %)")
	}
	for _, m := range a.Matrix {
		if g := m.HowMuch; g != nil {
			fmt.Fprintf(w, "%s : %s\t%d\t%s\n", frame.OneLine(m.Model), frame.OneLine(m.Against), g.Judgements, shownStat(&g.Mean, g.Range, "", "no interval: fewer than 5 tasks"))
		}
	}
	for _, y := range a.Why {
		fmt.Fprintf(w, "\t\n%s\tjudgements\twins\tlosses\tties\t\twin rate (95 %%)\n", frame.OneLine(y.Name))
		for _, m := range y.Models {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\t%s\n", frame.OneLine(m.Model), m.Judgements, m.Wins, m.Losses, m.Ties, percent(m.Rate, m.Range))
		}
		fmt.Fprintf(w, "the same side as on the whole\t%s\n", shared(y.Agree))
	}
}

// printScale prints a fit of Davidson's model.
func printScale(w io.Writer, title string, s *overlap.PairScale) {
	fmt.Fprintf(w, "\t\t\t\t\t\n%s\tstrength (95 %%)\t\t\t\trank\tranks left\n", title)
	if s.Problem != "" {
		fmt.Fprintf(w, "– %s\n", s.Problem)
	}
	for _, m := range s.Models {
		fmt.Fprintf(w, "%s\t%s\t\t\t\t%d\t%d to %d\n", frame.OneLine(m.Model), shownStat(&m.Strength, m.Range, "", "there is no error"), m.Rank, m.RankLow, m.RankHigh)
	}
	for _, e := range s.Effects {
		fmt.Fprintf(w, "%s\t%s\n", strings.TrimSpace(e.Name), shownStat(&e.Value, e.Range, "", "there is no error"))
	}
}
