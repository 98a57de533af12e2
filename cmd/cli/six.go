package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/batch"
	"assay/tui/frame"
)

// printSix writes the six-dimension evaluation of Su et al. for people.
func printSix(out io.Writer, s *batch.SixTable) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "six dimensions\tpoints\tof\t\n")
	for _, d := range s.Dimensions {
		fmt.Fprintf(w, "%s\t%s\t%d\t\n", d.Name, points(d.Bounds), d.Most)
	}
	fmt.Fprintf(w, "final score\t%s\t100\t\n", points(s.Final.Bounds))
	w.Flush()
	if s.Final.Method != "" {
		fmt.Fprintf(out, "final score 95 %%: %s–%s (%s over %s)\n", stats.Round(s.Final.Interval.Low, 2), stats.Round(s.Final.Interval.High, 2), s.Final.Method, frame.Count(s.Final.N, "task"))
	}
	if s.Final.Open > 0 {
		fmt.Fprintf(out, "Readability is a range: nobody has labelled the explanations. Ratings by %s.\n", orNone(s.Analyser))
	}
	if s.Final.Assumed > 0 {
		fmt.Fprintf(out, "%d of %d tasks have an assumed weight: their difficulty or human pass rate is not known.\n", s.Final.Assumed, s.Final.N)
	}
	fmt.Fprintln(out)
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "samples\tshare\t95 %%\t\ttasks\t\n")
	for _, m := range []struct {
		name string
		*batch.Metric
	}{{"correct", s.Correct}, {"wrong answer", s.Wrong}, {"runtime error", s.Runtime}} {
		fmt.Fprintf(w, "%s\t%s\t%d\t\n", m.name, number(m.Metric), s.Final.N)
	}
	for _, c := range s.Categories {
		few := ""
		if c.Few {
			few = " (few)"
		}
		fmt.Fprintf(w, "incorrect in %s\t%s\t%d%s\t\n", orNone(c.Name), number(c.Incorrect), c.Tasks, few)
	}
	w.Flush()
	fmt.Fprintf(out, "Cyclomatic complexity %d and cognitive complexity %d in all of %d samples; comment rate %s %% (mean over tasks).\n\n",
		s.Cyclomatic, s.Cognitive, s.Samples, stats.Round(s.CommentRate, 2))
	if s.Unmeasured > 0 {
		fmt.Fprintf(out, "%d samples could not be measured and are not in the six dimensions.\n", s.Unmeasured)
	}
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// points writes a score, as a range where something is not known.
func points(b scoring.Bounds) string {
	if b.Known() {
		return stats.Round(b.Low, 2)
	}
	return stats.Round(b.Low, 2) + "–" + stats.Round(b.High, 2)
}
