package eval

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/tui/frame"
)

// printSplit prints a metric by groups of tasks.
func printSplit(out io.Writer, s batch.Split) {
	w := console.NewNumbers(out)
	fmt.Fprintf(w, "%s\t%s\t"+metricHead+"\ttasks\t\n", strings.Join(s.By, "\t"), s.Metric)
	for _, c := range s.Cells {
		for _, key := range c.Keys {
			fmt.Fprintf(w, "%s\t", console.OrNone(key))
		}
		few := ""
		if c.Few {
			few = " (few)"
		}
		fmt.Fprintf(w, "%s\t%d%s\t\n", MetricCells(&c.Metric), c.N, few)
	}
	w.Flush()
	fmt.Fprintln(out)
}

// PrintForgeable prints how many verdicts a malicious program could forge.
func PrintForgeable(out io.Writer, all ...*batch.Summary) {
	judged, forgeable := 0, map[string]int{}
	for _, s := range all {
		judged += s.Samples - s.Excluded - s.Verdicts[verdicts.SandboxError]
		for isolation, n := range s.Forgeable {
			forgeable[isolation] += n
		}
	}
	for _, isolation := range slices.Sorted(maps.Keys(forgeable)) {
		console.Say(out, console.Neutral, fmt.Sprintf("%d of %s could be forged (%s).", forgeable[isolation], frame.Count(judged, "verdict"), isolation))
	}
}

// PrintPackages prints which packages are not installed that answers import, the most frequent first.
func PrintPackages(out io.Writer, all ...*batch.Summary) {
	failed, total := map[string]int{}, 0
	for _, s := range all {
		for name, n := range s.Packages {
			failed[name] += n
			total += n
		}
	}
	if total == 0 {
		return
	}
	names := slices.SortedFunc(maps.Keys(failed), func(a, b string) int { return cmp.Or(failed[b]-failed[a], strings.Compare(a, b)) })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, failed[name])
	}
	console.Say(out, console.Neutral, fmt.Sprintf("%s for packages that are not installed (%s): if answers may use them, name their folder with --library.",
		console.Counted(total, "sample failed", "samples failed"), console.FirstFew(names)))
}
