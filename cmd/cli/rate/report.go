package rate

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/data/program"
	"assay/scoring/stats"
	"assay/session/overlap"
	"assay/session/report/ratings"
	"assay/tui/frame"
)

func newRatingsReport(io *console.IO) *cobra.Command {
	var asJSON, asHTML bool
	var dir, title string
	apart := overlap.Apart
	var choose inputs.Chooser
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Report how far raters agree, and which model's answers they prefer",
		Long: `Report, once the rating is closed, how far the raters agree on each attribute and on the total:
Krippendorff's alpha for ordinal and for interval data, Cohen's kappa with linear weights for
each pair of raters, ICC(2,1) of one rating and ICC(2,k) of the mean of all over the answers
that everybody rated, and Fleiss' kappa of labels. Intervals come from resampling the answers;
those of Cohen's kappa are for large samples; fewer than 5 answers give none. What cannot be
computed is listed with the reason. The people who wrote the prompts are compared with the
raters separately. Settled scores stand beside the means.

Of pairs: win rates with intervals at the tasks, and with 5 raters or more also at the raters;
the scale of Bradley and Terry with Davidson's ties, ranks that hold for all models together,
the effects of side, length and format; agreement, repeats, attention checks, circular preferences, and
how often people preferred an answer that fails its tests to one that passes. The last line
claims no more than the intervals do.

Of each model that judged ('assay rate judge'), and of all of them as a panel: agreement with people,
bias by length, family, verdict and order, confusion tables, and where it differs most from people. If
'assay rate plan --people' drew at random what people rate, their ratings and the judgements of all
are joined by prediction-powered inference (PPI++): each number of people stands beside the one with
judgements, which is as sure as more ratings, or no surer if the judge is useless. So do the
coefficients of regressions of scores and labels on model, difficulty, tests and attempts.

--out writes the report as a page with figures, in Markdown, for LaTeX, as JSON and as a dataset, which
'assay report --check' checks; --html prints the page.

--filter and --saved-filter choose the tasks whose ratings are reported; the first line says so.`,
		Example: "  assay rate report ratings.jsonl --json\n  assay rate report pairs.jsonl --out report",
		Args:    oneRatings,
		RunE: func(_ *cobra.Command, args []string) error {
			if title != "" && dir == "" && !asHTML {
				return console.Usagef("--title is that of the page: add --out or --html")
			}
			filter, err := choose.Filter()
			if err != nil {
				return err
			}
			a, err := Analyse(args[0], apart, filter)
			if err != nil {
				return err
			}
			page := ratings.Build(a, title)
			if dir != "" {
				files, err := page.WriteDir(dir)
				if err != nil {
					return err
				}
				fmt.Fprintf(io.Err, "wrote %s; open %s\n", frame.Count(len(files), "file"), program.Word(files[0]))
				if !asJSON && !asHTML {
					return nil
				}
			}
			switch {
			case asHTML:
				return page.HTML(console.Data(io.Out))
			case asJSON:
				return console.WriteJSON(io, a)
			}
			return printReport(io, a)
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print JSON", overlap.Analysis{})
	cmd.Flags().StringVar(&dir, "out", "", "write the report as a page, tables and figures into this `directory`")
	cmd.Flags().BoolVar(&asHTML, "html", false, "print the report as one HTML page")
	cmd.Flags().StringVar(&title, "title", "", "title of the page")
	cmd.MarkFlagsMutuallyExclusive("html", "json")
	choose.Flags(cmd.Flags())
	cmd.Flags().IntVar(&apart, "apart", apart, "how many `points` apart raters disagree")
	console.Bounds(cmd.Flags(), "apart", 1, 100)
	return cmd
}

// printReport prints what people said, and then what judges add.
func printReport(io *console.IO, a *overlap.Analysis) error {
	if a.Filter != "" {
		fmt.Fprintf(io.Out, "a part of the ratings: only tasks that match the filter %s\n", frame.OneLine(a.Filter))
	}
	of := printRatings
	if a.Pairs != nil {
		of = printPairs
	}
	if err := of(io, a); err != nil {
		return err
	}
	return printJudged(io, a.Judges)
}

// Analyse analyses closed ratings of the tasks that a filter matches.
func Analyse(path string, apart int, filter benchmark.Filter) (*overlap.Analysis, error) {
	set, err := overlap.Open(path)
	if err != nil {
		return nil, err
	}
	if err := set.Header.CheckApart(apart); err != nil {
		return nil, console.Usagef("--apart: %v", err)
	}
	if set.Closed() == nil {
		return nil, fmt.Errorf("%s: %w: 'assay rate status' shows their progress, 'assay rate close' closes them", path, overlap.ErrOpen)
	}
	part, err := set.Only(filter)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return overlap.Analyse(part, apart)
}

// shownStat formats a statistic with its interval, or why there is none.
func shownStat(v *float64, r *stats.Interval, problem, noInterval string) string {
	switch {
	case v == nil:
		return "– " + problem
	case r == nil && noInterval != "":
		return fmt.Sprintf("%s (no interval: %s)", stats.Round(*v, 3), noInterval)
	case r == nil:
		return stats.Round(*v, 3)
	}
	return fmt.Sprintf("%s (%s to %s)", stats.Round(*v, 3), stats.Round(r.Low, 3), stats.Round(r.High, 3))
}

func printRatings(io *console.IO, a *overlap.Analysis) error {
	fmt.Fprintf(io.Out, "%s: %d answers, each by %d of %d people; closed by %s on %s, %d ratings missing\n\n", frame.OneLine(a.Name), a.Items, a.Overlap, len(a.Raters), frame.OneLine(a.ClosedBy), a.ClosedAt.Format("2006-01-02"), a.Missing)
	w := console.NewTable(io.Out)
	rows := append(a.Attributes[:len(a.Attributes):len(a.Attributes)], a.Total)
	fmt.Fprintln(w, "Krippendorff's alpha\tanswers\tratings\tmean\tordinal (95 %)\tinterval (95 %)\tGwet's AC2 (95 %)")
	for _, x := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%s\n", frame.OneLine(x.Name), x.Items, x.Ratings, shownStat(x.Mean, nil, "", ""), shownStat(x.Ordinal.Value, x.Ordinal.Range, x.Ordinal.Problem, x.Ordinal.NoneSaid), shownStat(x.Interval.Value, x.Interval.Range, x.Interval.Problem, x.Interval.NoneSaid), shownStat(x.Gwet.Value, x.Gwet.Range, "", x.Gwet.NoneSaid))
	}
	fmt.Fprintln(w, "\t\t\t\t\t\nkappa, linear weights\tanswers\traters\tkappa (95 %)\t\t")
	for _, x := range rows {
		for _, k := range x.Kappas {
			fmt.Fprintf(w, "%s\t%d\t%s, %s\t%s\t\t\n", frame.OneLine(x.Name), k.N, k.A, k.B, shownStat(k.Kappa, k.Range, k.Problem, k.NoneSaid))
		}
	}
	fmt.Fprintln(w, "\t\t\t\t\t\nintraclass correlation\tanswers\traters\tICC(2,1) (95 %)\tICC(2,k) (95 %)\t")
	for _, x := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t\n", frame.OneLine(x.Name), x.ICC.Items, x.ICC.Raters, shownStat(x.ICC.Single, x.ICC.SingleRange, x.ICC.Problem, x.ICC.NoneSaid), shownStat(x.ICC.Mean, x.ICC.MeanRange, "", x.ICC.NoneSaid))
	}
	if len(a.Labels) > 0 {
		fmt.Fprintln(w, "\t\t\t\t\t\nlabels\tanswers\traters each\tFleiss' kappa (95 %)\tpairs that agree\t")
		for _, l := range a.Labels {
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t\n", frame.OneLine(l.Name), l.Items, l.Raters, shownStat(l.Kappa, l.Range, l.Problem, l.NoneSaid), shownStat(l.Observed, nil, "", ""))
		}
	}
	fmt.Fprintln(w, "\t\t\t\t\t\nwho wrote the prompts, as one more rater\tanswers\t\tdifference\tordinal alpha\t")
	for _, x := range rows {
		fmt.Fprintf(w, "%s\t%d\t\t%s\t%s\t\n", frame.OneLine(x.Name), x.First.Items, shownStat(x.First.Difference, nil, "", ""), shownStat(x.First.Alpha, nil, x.First.Problem, ""))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(io.Out, "\n%d questions on which raters lie %d points apart or label otherwise; %d are settled\n", a.Disputes, a.Apart, len(a.Settled))
	for _, s := range a.Settled {
		value := frame.OneLine(s.Value)
		if s.Mean != nil {
			value = fmt.Sprintf("%d, mean %s", s.Score, stats.Round(*s.Mean, 2))
		}
		fmt.Fprintf(io.Out, "  %s, %s: %s → %s; %s (%s, %s)\n", frame.OneLine(s.Task), frame.OneLine(s.Name), frame.OneLine(strings.Join(s.Answers, ", ")), value, frame.OneLine(s.Reason), frame.OneLine(s.By), s.At.Format("2006-01-02"))
	}
	for _, r := range a.ToReview {
		fmt.Fprintf(io.Out, "  to review, %s: resolved, but %s\n", frame.OneLine(r.Task), frame.OneLine(r.Reason))
	}
	for _, n := range a.Notes {
		fmt.Fprintf(io.Out, "  note of %s on %s: %s\n", n.Rater, frame.OneLine(n.Task), frame.OneLine(n.Text))
	}
	return nil
}
