package eval

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/tui/frame"
)

// printAnswer prints the result of a comparison so that it fits one screen.
func printAnswer(out io.Writer, paths []string, a *batch.Answer, c *batch.Comparison) {
	names := shortNames(paths)
	for i, m := range []scoring.Metric{a.First, a.Second} {
		between := ""
		if m.Method != "" {
			between = percents(m.Interval, decimalsOf(&m))
		}
		right := fmt.Sprintf("%s  %5s %%  %14s", a.Name(), stats.RoundPercent(m.Value, decimalsOf(&m)), between)
		fmt.Fprintln(out, line(fmt.Sprintf("%c  %s", 'A'+i, frame.OneLine(names[i])), right))
	}
	means := console.Good
	if a.Verdict() == 0 {
		means = console.Unsure
	}
	fmt.Fprintln(out)
	console.Say(out, means, frame.Wrap(sentence(a), answerWidth))
	if a.Margin > 0 {
		console.Say(out, map[bool]console.Meaning{true: console.Good, false: console.Unsure}[a.Alike()], frame.Wrap(marginWords(a), answerWidth))
	}
	fmt.Fprintln(out)
	printApart(out, a)
	printDifficulties(out, a)
	fmt.Fprintf(out, "\n%s\n", plannedWords(a))
	if note := leftOutWords(c); note != "" {
		fmt.Fprintln(out, frame.Wrap(note, answerWidth))
	}
}

// line returns a line with left- and right-aligned text.
func line(left, right string) string {
	room := answerWidth - frame.Width(right) - 2
	return frame.Cell(left, room) + "  " + right
}

// shortNames returns the last elements of two paths, as many as needed to distinguish them.
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

func percents(iv stats.Interval, decimals int) string {
	return stats.RoundPercent(iv.Low, decimals) + " to " + stats.RoundPercent(iv.High, decimals)
}

// sentence states who is better, and whether that is significant.
func sentence(a *batch.Answer) string {
	d := &a.Difference
	decimals := decimalsOf(&d.Metric)
	var sure []string
	if d.Method != "" {
		iv := d.Interval
		if d.Value < 0 {
			iv = stats.Interval{Low: -iv.High, High: -iv.Low}
		}
		sure = append(sure, "95 %, for tasks like these: "+percents(iv, decimals))
	}
	sure = append(sure, pWords(d))
	better, worse := "A", "B"
	if d.Value < 0 {
		better, worse = "B", "A"
	}
	points := stats.RoundPercent(math.Abs(d.Value), decimals)
	unit := "points"
	if points == "1" {
		unit = "point"
	}
	text := fmt.Sprintf("The %s of %s is %s %s higher", a.Name(), better, points, unit)
	if d.Value == 0 {
		text = fmt.Sprintf("The %s of A and B is the same", a.Name())
	}
	text += " (" + strings.Join(sure, "; ") + "): "
	if a.Verdict() == 0 {
		return strings.TrimSpace(text + "not enough to tell them apart. " + cannotReject(d))
	}
	text += fmt.Sprintf("on tasks like these %s is better than %s.", better, worse)
	if d.Better == 0 || d.Worse == 0 {
		// The exact form of the rule of three: the share for which seeing none in n has a probability of 5
		// %.
		unseen := 1 - math.Pow(scoring.Level, 1/float64(d.N))
		text += fmt.Sprintf(" No task favours %s; up to %s %% of such tasks may (95 %%).", worse, stats.RoundPercent(unseen, 0))
	}
	return text
}

// marginWords states whether the two are alike within the margin.
func marginWords(a *batch.Answer) string {
	margin := fmt.Sprintf("%.4g", 100*a.Margin)
	switch {
	case a.Alike():
		return fmt.Sprintf("They are alike within %s points: the whole interval is.", margin)
	case a.Beyond():
		return fmt.Sprintf("The difference is larger than %s points: the whole interval is.", margin)
	}
	words := fmt.Sprintf("They are not shown to be alike within %s points.", margin)
	if n := a.TasksAlike(); n > 0 {
		words += fmt.Sprintf(" If they are equal, about %s tasks like these show it, with %s %% assurance.", tasksRounded(n), stats.RoundPercent(batch.AnswerAssurance, 0))
	}
	return words
}

// pWords formats the p-value of the test, with whether it is exact.
func pWords(d *scoring.Difference) string {
	if d.Unequal && d.P < 1 {
		return "p " + stats.RoundP(d.P) + ", the larger of flipped signs and of samples permuted within tasks, since their numbers are unequal"
	}
	if d.Exact && d.P < 1 {
		return "exact p " + stats.RoundP(d.P)
	}
	return "p " + stats.RoundP(d.P)
}

// printApart lists the tasks with the largest differences, side by side.
func printApart(out io.Writer, a *batch.Answer) {
	samples := fmt.Sprintf("%d", a.N[0])
	if a.N[1] > a.N[0] {
		samples += fmt.Sprintf(" to %d", a.N[1])
	}
	fmt.Fprintln(out, frame.Wrap(fmt.Sprintf("Of %s (n = %s), A alone solves %d, B alone %d, both %d, neither %d: with at least one sample.",
		console.Counted(a.Difference.N, "task", "tasks"), samples, a.OnlyFirst, a.OnlySecond, a.Both, a.Neither), answerWidth))
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
		name := cmp.Or(d.Difficulty, "not known")
		decimals := decimalsOf(&d.Difference.Metric)
		between := ""
		if m := d.Difference.Metric; m.Method != "" {
			between = percents(m.Interval, decimalsOf(&m))
		}
		if d.Difference.N < scoring.FewTasks {
			between = strings.TrimSpace(between + " (few)")
		}
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("%s%6d%9s%9s%9s   %s", frame.Cell("  "+frame.OneLine(name), 22), d.Difference.N,
			stats.RoundPercent(d.First, decimals), stats.RoundPercent(d.Second, decimals), stats.RoundPercent(d.Difference.Value, decimals), between), " "))
	}
}

// plannedWords states how many tasks the next comparison needs.
func plannedWords(a *batch.Answer) string {
	const head = "Planning the next comparison: "
	p, hint := &a.Planned, ""
	if p.Problem != "" {
		if p.Wanting {
			hint = "\n--effect POINTS plans for the difference that matters."
		}
		return frame.Wrap(head+p.Problem+".", answerWidth) + hint
	}
	subject := "this difference, as uncertain as it is"
	if p.Effect > 0 {
		subject = "a difference of " + stats.RoundPercent(p.Effect, 1) + " points"
	}
	return frame.Wrap(fmt.Sprintf("%sabout %s tasks like these find %s, with %s %% assurance (p <= 0.05, two-sided).", head, tasksRounded(p.Tasks), subject, stats.RoundPercent(batch.AnswerAssurance, 0)), answerWidth)
}

// tasksRounded formats an estimated number of tasks with two significant digits.
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

// leftOutWords counts what the comparison leaves out, and what needs care in reading.
func leftOutWords(c *batch.Comparison) string {
	var words []string
	for _, left := range []struct {
		n    int
		noun string
	}{{len(c.OnlyFirst), "only in A"}, {len(c.OnlySecond), "only in B"}, {len(c.Withheld), "withheld, since the sandbox failed"}, {len(c.Changed), "judged in other versions"}} {
		if left.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", left.n, left.noun))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "Tasks " + strings.Join(words, ", ") + ": --full names them."
}
