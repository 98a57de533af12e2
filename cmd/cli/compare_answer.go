package cli

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/batch"
	"assay/tui/frame"
)

// answerWidth is that of the narrowest terminal that everything is made for.
const answerWidth = 79

// printAnswer writes the answer of a comparison so that it fits one screen.
func printAnswer(out io.Writer, paths []string, a *batch.Answer, c *batch.Comparison) {
	names := shortNames(paths)
	for i, m := range []scoring.Metric{a.First, a.Second} {
		between := ""
		if m.Method != "" {
			between = stats.RoundPercent(m.Interval.Low, 1) + " to " + stats.RoundPercent(m.Interval.High, 1)
		}
		right := fmt.Sprintf("%s  %5s %%  %14s", a.Name, stats.RoundPercent(m.Value, 1), between)
		fmt.Fprintln(out, line(fmt.Sprintf("%c  %s", 'A'+i, frame.OneLine(names[i])), right))
	}
	fmt.Fprintf(out, "\n%s\n\n", frame.Wrap(sentence(a), answerWidth))
	printApart(out, a)
	printDifficulties(out, a)
	fmt.Fprintf(out, "\n%s\n", frame.Wrap(neededWords(a), answerWidth))
	if note := leftOutWords(c); note != "" {
		fmt.Fprintln(out, frame.Wrap(note, answerWidth))
	}
}

// line has a text at each end.
func line(left, right string) string {
	room := answerWidth - frame.Width(right) - 2
	return frame.Cell(left, room) + "  " + right
}

// shortNames are the last parts of two paths, or as much as tells them apart.
func shortNames(paths []string) []string {
	a, b := filepath.ToSlash(filepath.Clean(paths[0])), filepath.ToSlash(filepath.Clean(paths[1]))
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for n := 1; n <= min(len(x), len(y)); n++ {
		p, q := strings.Join(x[len(x)-n:], "/"), strings.Join(y[len(y)-n:], "/")
		if p != q {
			return []string{p, q}
		}
	}
	return []string{a, b}
}

// sentence says who is better, and whether that is known.
func sentence(a *batch.Answer) string {
	d := &a.Difference
	var sure []string
	if d.Method != "" {
		low, high := d.Interval.Low, d.Interval.High
		if d.Value < 0 {
			low, high = -high, -low
		}
		sure = append(sure, fmt.Sprintf("95 %%: %s to %s", stats.RoundPercent(low, 1), stats.RoundPercent(high, 1)))
	}
	if d.Test != nil {
		sure = append(sure, pWords(d.Test))
	}
	known := ""
	if len(sure) > 0 {
		known = " (" + strings.Join(sure, "; ") + ")"
	}
	verb := "solves"
	if !strings.HasPrefix(a.Name, "pass@") {
		verb = "scores"
	}
	better, worse := "A", "B"
	if d.Value < 0 {
		better, worse = "B", "A"
	}
	told, split := a.Verdict()
	end := "not enough to tell them apart."
	switch {
	case told != 0:
		end = fmt.Sprintf("on tasks like these %s is better than %s.", better, worse)
	case split:
		end = "test and interval disagree, so this is too close to tell them apart."
	case a.NoInterval() != "":
		end = "there is no interval, since " + a.NoInterval() + ", so this does not tell them apart."
	}
	if d.Value == 0 {
		same := "A and B solve as much"
		if verb == "scores" {
			same = "A and B score the same"
		}
		return fmt.Sprintf("%s%s: %s", same, known, end)
	}
	return fmt.Sprintf("%s %s %s points more%s: %s", better, verb, stats.RoundPercent(math.Abs(d.Value), 1), known, end)
}

// pWords are the p of a test, with whether it is exact.
func pWords(test *stats.SignedRank) string {
	exact := ""
	if test.Method == stats.Exact || test.Method == stats.Permutation {
		exact = "exact "
	}
	if test.P < 0.0001 {
		return exact + "p < 0.0001"
	}
	return exact + "p = " + stats.Round(test.P, 4)
}

// printApart lists the tasks on which they differ most, side by side.
func printApart(out io.Writer, a *batch.Answer) {
	samples := fmt.Sprintf("%d", a.N[0])
	if a.N[1] > a.N[0] {
		samples += fmt.Sprintf(" to %d", a.N[1])
	}
	fmt.Fprintln(out, frame.Wrap(fmt.Sprintf("Of %s (n = %s), A alone solves %d, B alone %d, both %d, neither %d.",
		counted(a.Difference.N, "task", "tasks"), samples, a.OnlyFirst, a.OnlySecond, a.Both, a.Neither), answerWidth))
	const most = 5
	if len(a.BetterFirst)+len(a.BetterSecond) == 0 {
		return
	}
	half := (answerWidth - 3) / 2
	head := func(name string, n int) string {
		return frame.Cell(fmt.Sprintf("  better with %s: %d", name, n), half-14) + "      A      B"
	}
	fmt.Fprintln(out, head("A", len(a.BetterFirst))+"   "+head("B", len(a.BetterSecond)))
	row := func(list []batch.TaskDifference, i int) string {
		if i >= len(list) {
			return strings.Repeat(" ", half)
		}
		t := list[i]
		name := frame.OneLine(t.Task)
		if t.Difficulty != "" {
			name += " (" + frame.OneLine(t.Difficulty) + ")"
		}
		return frame.Cell("  "+name, half-14) + fmt.Sprintf("%7s%7s", fmt.Sprintf("%d/%d", t.Accepted[0], t.Judged[0]), fmt.Sprintf("%d/%d", t.Accepted[1], t.Judged[1]))
	}
	for i := range min(most, max(len(a.BetterFirst), len(a.BetterSecond))) {
		fmt.Fprintln(out, strings.TrimRight(row(a.BetterFirst, i)+"   "+row(a.BetterSecond, i), " "))
	}
}

func printDifficulties(out io.Writer, a *batch.Answer) {
	if len(a.Difficulties) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%-22s%6s%9s%9s%9s   %s\n", "By difficulty", "tasks", "A, %", "B, %", "A - B", "95 %")
	for _, d := range a.Difficulties {
		name := d.Difficulty
		if name == "" {
			name = "not known"
		}
		between := ""
		if m := d.Difference.Metric; m.Method != "" {
			between = stats.RoundPercent(m.Interval.Low, 1) + " to " + stats.RoundPercent(m.Interval.High, 1)
		}
		if d.Difference.N < scoring.FewTasks {
			between = strings.TrimSpace(between + " (few)")
		}
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("%s%6d%9s%9s%9s   %s", frame.Cell("  "+frame.OneLine(name), 22), d.Difference.N,
			stats.RoundPercent(d.First, 1), stats.RoundPercent(d.Second, 1), stats.RoundPercent(d.Difference.Value, 1), between), " "))
	}
}

// neededWords say how many tasks would tell.
func neededWords(a *batch.Answer) string {
	n := &a.Needed
	if n.Problem != "" {
		return "How many tasks would tell them apart cannot be said: " + n.Problem + "."
	}
	text := fmt.Sprintf("To see such a difference in 80 of 100 tries (at 5 %%) takes about %s tasks like these %d", tasksRounded(n.Tasks), a.Difference.N)
	switch {
	case math.IsInf(n.Most, 0):
		text += fmt.Sprintf(". The interval includes 0, so it may be any number from %s on", tasksRounded(n.Fewest))
	case n.Most > n.Fewest:
		text += fmt.Sprintf("; by the ends of the interval, %s to %s", tasksRounded(n.Fewest), tasksRounded(n.Most))
	}
	return text + "."
}

// tasksRounded are so many tasks, with two digits that count: the number is an estimate.
func tasksRounded(n float64) string {
	if n < 100 {
		return stats.Round(n, 0)
	}
	unit := math.Pow(10, math.Floor(math.Log10(n))-1)
	digits := stats.Round(math.Ceil(n/unit)*unit, 0)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// leftOutWords count what is not in the comparison, or to be read with care.
func leftOutWords(c *batch.Comparison) string {
	var words []string
	for _, left := range []struct {
		n    int
		what string
	}{{len(c.OnlyFirst), "only in A"}, {len(c.OnlySecond), "only in B"}, {len(c.Withheld), "withheld, since the sandbox failed"}, {len(c.Changed), "judged in other versions"}} {
		if left.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", left.n, left.what))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "Tasks " + strings.Join(words, ", ") + ": --full names them."
}
