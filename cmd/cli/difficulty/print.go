package difficulty

import (
	"fmt"
	"io"
	"strings"

	"assay/cmd/cli/console"
	"assay/cmd/cli/eval"
	"assay/scoring/irt"
	"assay/scoring/stats"
	"assay/session/difficulty"
	diffreport "assay/session/report/difficulty"
	"assay/session/report/document"
	"assay/tui/frame"
)

// mostModels is the largest number of models whose constructs are printed individually.
const mostModels = 6

// printConstructs prints TaskEval's tables with corrected p-values; for many models, what they have in
// common.
func printConstructs(out io.Writer, c *difficulty.Constructs) {
	models := map[string]bool{}
	for _, r := range c.Difficulty {
		models[r.Model] = true
	}
	if patterns, err := diffreport.Patterns(c); err == nil && len(models) > mostModels {
		printPatterns(out, patterns)
	} else {
		printConstructRows(out, "Constructs and difficulty", c.Difficulty)
		printConstructRows(out, "Constructs and discrimination, by its absolute value", c.Discrimination)
		fmt.Fprint(out, "Rows with a p below 0.1; stars: p below 0.01, 0.05, 0.1, each by itself; Holm: corrected over all\nmodels and constructs.\n")
	}
	fmt.Fprintf(out, "tau-b: Kendall's, of a construct's frequency by line with the parameter; AD: Anderson-Darling between\nthe lower and the upper half of the tasks. %d samples of %d tasks, right or similar to the reference\n(CodeBLEU from %v on, its parts weighed %v, %v, %v, %v); %d tasks left out, of which less than half\nof the samples are.\n",
		c.Samples, c.Tasks, c.Threshold, c.Weights.NGram, c.Weights.WeightedNGram, c.Weights.Syntax, c.Weights.DataFlow, c.LeftOut)
}

func printConstructRows(out io.Writer, title string, rows []difficulty.ConstructRow) {
	fmt.Fprintf(out, "\n%s\n", title)
	w := console.NewNumbers(out)
	fmt.Fprintln(w, "model\tconstruct\ttau-b\tp\t\tHolm\tAD\tp\t\tHolm\ttasks\t")
	for _, r := range rows {
		if r.P >= 0.1 && r.ADP >= 0.1 {
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t\n", middle(r.Model), r.Construct, eval.Signed(r.Tau), pValue(r.P), difficulty.Stars(r.P), pValue(r.Holm),
			stats.Round(r.AD, 2), bound(r.ADP, r.ADCapped), difficulty.Stars(r.ADP), pValue(r.ADHolm), r.N)
	}
	w.Flush()
}

// printPatterns prints a summary over many models.
func printPatterns(out io.Writer, patterns []diffreport.Pattern) {
	for _, table := range []struct {
		title string
		of    func(diffreport.Pattern) diffreport.Across
	}{{"Constructs and difficulty", func(p diffreport.Pattern) diffreport.Across { return p.Difficulty }},
		{"Constructs and discrimination, by its absolute value", func(p diffreport.Pattern) diffreport.Across { return p.Discrimination }}} {
		fmt.Fprintf(out, "\n%s: models by what they have in common\n", table.title)
		w := console.NewNumbers(out)
		fmt.Fprintln(w, "construct\tmodels\tmedian tau-b\tabove 0\tbelow 0\tAD\t")
		for _, p := range patterns {
			if x := table.of(p); x.Models > 0 {
				fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%d\t%d\t\n", p.Construct, x.Models, eval.Signed(x.Median), x.Up, x.Down, x.Apart)
			}
		}
		w.Flush()
	}
	fmt.Fprintf(out, "Models: that use the construct, and not alike in all tasks; above, below, AD: with a corrected p (Holm)\nbelow %v. --out and --json have every model.\n", diffreport.Alpha)
}

// printDifficulty prints the tables.
func printDifficulty(out io.Writer, a *difficulty.Analysis, top int) {
	if a.Source.Filter != "" {
		fmt.Fprintf(out, "a part of the results: only tasks that match the filter %s\n", frame.OneLine(a.Source.Filter))
	}
	fmt.Fprintf(out, "%s, %s, %s; %s\n", frame.Count(len(a.Tasks), "task"), frame.Count(len(a.Respondents), "respondent"), frame.Count(a.Fit.Responses, "response"), a.Method)
	for _, w := range a.Warnings {
		fmt.Fprintf(out, "! %s\n", joined(w.Text))
	}
	w := console.NewNumbers(out)
	fmt.Fprintln(w, "\nrespondent\tability\t95 %\tmean score\t95 %\ttasks\t")
	for _, r := range a.Respondents {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t\n", middle(r.Name), estimate(r.Ability), estimate(difficulty.Parameter{Value: r.Mean, Interval: r.MeanInterval}), r.N)
	}
	w.Flush()
	if p := a.Fit.Population; p != nil {
		fmt.Fprintf(out, "Abilities differ with a standard deviation of %s (%s to %s) in logits.\n", stats.Round(p.SD, 2), stats.Round(p.SDInterval.Low, 2), stats.Round(p.SDInterval.High, 2))
	}
	var usual []difficulty.Task // for other tasks a high difficulty does not mean that most fail
	alike := 0
	for _, t := range a.Tasks {
		switch t.Kind {
		case difficulty.Usual:
			usual = append(usual, t)
		case difficulty.Alike:
			alike++
		}
	}
	hardest := usual[:min(top, len(usual))]
	printTasks(out, "The hardest tasks", hardest)
	printTasks(out, "The easiest tasks", usual[max(len(hardest), len(usual)-top):])
	if alike > 0 {
		fmt.Fprintf(out, "\nNot listed: tasks to which all responses are the same, %d of %d.\n", alike, len(a.Tasks))
	}
	for _, kind := range []struct {
		kind  difficulty.Kind
		title string
	}{{difficulty.Suspect, "Suspects: the less able do better, and most fail (look at wording, tests and answers)"},
		{difficulty.Chance, "The less able do better, and most succeed: which few respondents do by chance"}} {
		var found []difficulty.Task
		for _, t := range a.Tasks {
			if t.Kind == kind.kind {
				found = append(found, t)
			}
		}
		if len(found) > 0 {
			printTasks(out, kind.title, found[:min(max(top, 1), len(found))])
			if more := len(found) - max(top, 1); more > 0 {
				fmt.Fprintf(out, "and %d more: --json has all\n", more)
			}
			printLooks(out, a.Looks, kind.kind, max(top, 1))
		}
	}
	printTopics(out, a)
	if a.Constructs != nil {
		printConstructs(out, a.Constructs)
	}
	if s := a.Subset; s != nil {
		printSubset(out, s)
	}
	printFit(out, &a.Fit)
	for _, n := range a.Notes {
		fmt.Fprintln(out, joined(n))
	}
}

// printLooks prints a line for each task about how answers fail.
func printLooks(out io.Writer, looks []difficulty.Look, kind difficulty.Kind, top int) {
	for _, l := range looks {
		if l.Kind != kind || top == 0 {
			continue
		}
		top--
		line := fmt.Sprintf("  %s: %d of %d answers fail", middle(l.Task), l.Failed, l.Total)
		if len(l.Ways) > 0 {
			w := l.Ways[0]
			if w.Count > 1 {
				line += fmt.Sprintf(", %d of them alike", w.Count)
			}
			line += ": " + strings.ReplaceAll(w.Verdict, "_", " ")
			if w.First > 0 {
				line += fmt.Sprintf(" at test case %d", w.First)
			}
			if w.Message != "" {
				line += " (" + middle(w.Message) + ")"
			}
		}
		fmt.Fprintln(out, line)
	}
}

// printFit prints how well the model fits, if there is anything noteworthy.
func printFit(out io.Writer, f *difficulty.Fit) {
	var notes []string
	if f.Explained.Defined {
		notes = append(notes, fmt.Sprintf("Expected and observed scores correlate with r² = %s, which does not say that the\nparameters are right: the intervals do.", stats.Round(f.Explained.SquaredCorrelation, 3)))
	}
	if f.Intervals != "" {
		notes = append(notes, fmt.Sprintf("Intervals at 95 %%:\n%s; of mean scores Wilson's with Student's t,\nover tasks like these. The scale is that of these tasks alone.", f.Intervals))
	}
	if len(notes) > 0 {
		fmt.Fprintf(out, "\n%s\n", strings.Join(notes, " "))
	}
}

// joined cleans a text that may contain untrusted names for printing on one line.
func joined(text string) string { return document.Clean(text) }

// estimate formats a parameter as two cells.
func estimate(p difficulty.Parameter) string {
	text := stats.Round(p.Value, 2) + "\t"
	if p.Interval != nil {
		text += stats.Round(p.Interval.Low, 2) + " to " + stats.Round(p.Interval.High, 2)
	}
	return text
}

func printTasks(out io.Writer, title string, tasks []difficulty.Task) {
	if len(tasks) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	w := console.NewNumbers(out)
	fmt.Fprintln(w, "task\tdifficulty\t95 %\tdiscrimination\t95 %\tmean score\texpected\t")
	for _, t := range tasks {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t\n", middle(t.ID), estimate(t.Difficulty), estimate(t.Discrimination), stats.Round(t.Mean, 2), stats.Round(t.Expected, 2))
	}
	w.Flush()
}

func printTopics(out io.Writer, a *difficulty.Analysis) {
	if len(a.Topics) == 0 {
		return
	}
	fmt.Fprintln(out, "\nTopics")
	w := console.NewNumbers(out)
	fmt.Fprintln(w, "topic\ttasks\tdifficulty\t95 %\tdiscrimination\t95 %\t")
	for _, t := range a.Topics {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t\n", frame.OneLine(t.Name), len(t.Tasks), estimate(difficulty.Parameter{Value: t.Difficulty, Interval: t.DifficultyInterval}),
			estimate(difficulty.Parameter{Value: t.Discrimination, Interval: t.DiscriminationInterval}))
	}
	w.Flush()
	fmt.Fprintf(out, "%s to no topic. Means over a topic's tasks; intervals at 95 %% by Student's t over\ntasks like them, from six tasks on.\n", console.Counted(len(a.NoTopic), "task belongs", "tasks belong"))
}

func printSubset(out io.Writer, s *difficulty.Subset) {
	fmt.Fprintf(out, "\n%s the respondents best (%s):\n  %s\n", console.Counted(len(s.IDs), "task that separates", "tasks that separate"), s.Criterion, strings.Join(shortened(s.IDs), " "))
	if r := s.Ranking; r != nil {
		fmt.Fprintf(out, "Chosen by %d respondents, they rank the other %d as all tasks do with Kendall's tau-b %s;\nof 1,000 random sets of as many tasks 95 %% are below %s.\n",
			len(s.ChosenBy), r.N, stats.Round(r.TauB, 2), stats.Round(r.Quantile95, 2))
	}
	if c := s.CrossFit; c != nil {
		spread := func(x irt.Spread) string {
			return fmt.Sprintf("%s (%s to %s)", stats.Round(x.Median, 2), stats.Round(x.Low, 2), stats.Round(x.High, 2))
		}
		fmt.Fprintf(out, "In %d splits half of the respondents chose tasks for the others, whom they rank as all tasks\ndo with Kendall's tau-b %s, median and range; random tasks with %s,\nrandom ones of all difficulties with %s.\n",
			c.Splits, spread(c.Informative), spread(c.Random), spread(c.Stratified))
	}
	if s.Note != "" {
		fmt.Fprintln(out, joined(s.Note))
	}
}

// shortened returns names that are safe to print.
func shortened(names []string) []string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = middle(n)
	}
	return all
}

// middle returns a name that is safe to print, with the middle of a long one cut out, since its ends
// distinguish it from others.
func middle(name string) string {
	const most = 40
	name = document.Clean(name)
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most/2-1]) + "…" + string(runes[len(runes)-most/2:])
	}
	return name
}

// bound formats a p-value that may be beyond the table of its test.
func bound(p float64, capped stats.Cap) string {
	switch capped {
	case stats.AtMost:
		return "<" + stats.Round(p, 3)
	case stats.AtLeast:
		return ">" + stats.Round(p, 2)
	}
	return pValue(p)
}

// pValue formats a p-value with three decimals, never as 0.
func pValue(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return stats.Round(p, 3)
}
