package eval

import (
	"fmt"
	"io"

	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/tui/frame"
)

// printSix prints the six-dimension evaluation of Su et al.
func printSix(out io.Writer, s *batch.SixTable) {
	w := console.NewNumbers(out)
	fmt.Fprintf(w, "six dimensions\tpoints\tof\t95 %%, tasks like these\ttasks\t\n")
	between := func(iv stats.Interval, method string) string {
		if method == "" {
			return ""
		}
		return stats.Round(iv.Low, 1) + "–" + stats.Round(iv.High, 1)
	}
	for _, d := range s.Dimensions {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%d\t\n", d.Name, points(d.Bounds), d.Most, between(d.Interval, d.Method), s.Final.N)
	}
	fmt.Fprintf(w, "final score\t%s\t100\t%s\t%d\t\n", points(s.Final.Bounds), between(s.Final.Interval, s.Final.Method), s.Final.N)
	w.Flush()
	if s.Final.Method != "" {
		console.Say(out, console.Neutral, fmt.Sprintf("95 %% of the final score, in which questions are weighted: %s.", s.Final.Method))
	}
	if s.Final.Open > 0 {
		console.Say(out, console.Neutral, fmt.Sprintf("Readability is a range: nobody has labelled the explanations. Ratings by %s.", console.OrNone(s.Analyser)))
	}
	if s.Final.Assumed > 0 {
		console.Say(out, console.Neutral, fmt.Sprintf("%d of %d tasks have an assumed weight: their difficulty or human pass rate is unknown.", s.Final.Assumed, s.Final.N))
	}
	fmt.Fprintln(out)
	printByAnalyser(out, s)
	w = console.NewNumbers(out)
	fmt.Fprintf(w, "samples\tshare\t"+metricHead+"\ttasks\t\n")
	for _, m := range []struct {
		name string
		*batch.Metric
	}{{"correct", s.Correct}, {"wrong answer", s.Wrong}, {"runtime error", s.Runtime}} {
		fmt.Fprintf(w, "%s\t%s\t%d\t\n", m.name, MetricCells(m.Metric), s.Final.N)
	}
	for _, c := range s.Categories {
		few := ""
		if c.Few {
			few = " (few)"
		}
		fmt.Fprintf(w, "incorrect in %s\t%s\t%d%s\t\n", console.OrNone(c.Name), MetricCells(c.Incorrect), c.Tasks, few)
	}
	w.Flush()
	console.Say(out, console.Neutral, fmt.Sprintf("Cyclomatic complexity %d and cognitive complexity %d in all of %d samples.\nComment rate, mean over tasks: %s.",
		s.Cyclomatic, s.Cognitive, s.Samples, commentRate(s.CommentRate)))
	fmt.Fprintln(out)
	if s.Unmeasured > 0 {
		console.Say(out, console.Neutral, frame.Count(s.Unmeasured, "sample")+" could not be measured: not in the six dimensions.")
	}
}

// printByAnalyser prints the scores with the ratings of each analyser, and how far these agree.
func printByAnalyser(out io.Writer, s *batch.SixTable) {
	if len(s.By) == 0 {
		return
	}
	span := func(b batch.BoundsJSON) string { return points(scoring.Bounds{Low: b.Low, High: b.High}) }
	w := console.NewNumbers(out)
	fmt.Fprintf(w, "analyser\tsamples\tfindings\treliability, of 10\tsecurity, of 10\tfinal score\t\n")
	for _, x := range s.By {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t\n", x.Analyser, x.Samples, x.Findings, span(x.Reliability), span(x.Security), span(x.Final))
	}
	w.Flush()
	console.Say(out, console.Neutral, "Above, the worst rating of all analysers counts; here those of one alone. What an analyser does not rate is a range.")
	fmt.Fprintln(out)
	if len(s.Agreement) == 0 {
		return
	}
	w = console.NewNumbers(out)
	fmt.Fprintf(w, "analysers\tratings\tsamples\tequal, %%\tweighted kappa\t\n")
	for _, a := range s.Agreement {
		kappa := "undefined"
		if a.Kappa != nil {
			kappa = stats.Round(*a.Kappa, 2)
		}
		fmt.Fprintf(w, "%s and %s\t%s\t%d\t%.1f\t%s\t\n", a.First, a.Second, a.Dimension, a.N, 100*float64(a.Equal)/float64(a.N), kappa)
	}
	w.Flush()
	fmt.Fprintln(out)
}

func commentRate(m *batch.Metric) string {
	if m == nil {
		return "withheld"
	}
	text := stats.Round(m.Value, 1) + " %"
	if m.Method != "" {
		text += fmt.Sprintf(", 95 %% %s–%s (%s)", stats.Round(m.Interval.Low, 1), stats.Round(m.Interval.High, 1), m.Method)
	}
	return text
}

// points formats a score, as a range if something is unknown.
func points(b scoring.Bounds) string {
	if b.Known() {
		return stats.Round(b.Low, 1)
	}
	return stats.Round(b.Low, 1) + "–" + stats.Round(b.High, 1)
}
