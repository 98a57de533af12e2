package rate

import (
	"fmt"
	"strings"

	"assay/cmd/cli/console"
	"assay/scoring/stats"
	"assay/session/overlap"
	"assay/tui/frame"
)

// printedApart is the number of differences that the report prints; JSON has more.
const printedApart = 10

// printJudged prints how judges compare with people, and what both say together.
func printJudged(io *console.IO, list []overlap.JudgeAnalysis) error {
	for i := range list {
		a := &list[i]
		fmt.Fprintf(io.Out, "\njudgements of models: %s%s\n\n", frame.OneLine(a.Name), []string{" (nothing above contains any)", ""}[min(i, 1)])
		w := console.NewTable(io.Out)
		fmt.Fprintln(w, "agreement with people\tboth rated\tkappa, linear weights (95 %)\talpha, interval (95 %)\tjudge minus people (95 %)")
		for _, q := range a.Agreement {
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", frame.OneLine(q.Name), q.N, shownStat(q.Kappa, q.Range, q.Problem, q.NoneSaid),
				shownStat(q.Alpha.Value, q.Alpha.Range, q.Alpha.Problem, q.Alpha.NoneSaid), shownStat(q.Difference, q.Distance, "", "fewer than 5 tasks"))
		}
		if len(a.Bias) > 0 {
			fmt.Fprintln(w, "\t\t\t\t\nbias\tboth rated\tpeople\tjudge\tjudge minus people (95 %)")
		}
		for _, b := range a.Bias {
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", b.Name, b.N, stats.Round(b.People, 3), stats.Round(b.Judge, 3), shownStat(&b.Difference, b.Range, "", "fewer than 5 tasks"))
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if a.First.All > 0 {
			fmt.Fprintf(io.Out, "\nthe answer shown first preferred: %s; pairs judged the same in both orders: %s\n", shared(a.First), shared(a.Consistent))
		}
		for _, t := range a.ByType {
			if t.Type != "" {
				fmt.Fprintf(io.Out, "the same as people, tasks of type %s: %s\n", frame.OneLine(t.Type), shared(t.Share))
			}
		}
		if err := printTables(io, a); err != nil {
			return err
		}
		printApart(io, a)
		if err := printTogether(io, &a.Together); err != nil {
			return err
		}
	}
	return nil
}

// printTables prints the confusion tables of pairs and of labels.
func printTables(io *console.IO, a *overlap.JudgeAnalysis) error {
	for _, q := range a.Agreement {
		if q.N == 0 || q.ID != "better" && !strings.Contains(q.ID, "=") {
			continue
		}
		fmt.Fprintln(io.Out)
		w := console.NewNumbers(io.Out)
		fmt.Fprintf(w, "%s: people down, judge across\t%s\t\n", frame.OneLine(q.Name), frame.OneLine(strings.Join(q.Values, "\t")))
		for i, row := range q.Table {
			fmt.Fprintf(w, "%s\t", frame.OneLine(q.Values[i]))
			for _, n := range row {
				fmt.Fprintf(w, "%d\t", n)
			}
			fmt.Fprintln(w)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// printApart prints where judge and people differ most.
func printApart(io *console.IO, a *overlap.JudgeAnalysis) {
	if len(a.Apart) > 0 {
		fmt.Fprintln(io.Out, "\nwhere judge and people differ most:")
	}
	for _, d := range a.Apart[:min(printedApart, len(a.Apart))] {
		reason := ""
		if len(d.Reasons) > 0 {
			reason = ": " + frame.OneLine(d.Reasons[0])
		}
		fmt.Fprintf(io.Out, "  %s, %s: people %s, judge %s%s\n", frame.OneLine(d.Task), frame.OneLine(strings.Join(d.Models, " against ")), stats.Round(d.People, 2), stats.Round(d.Judge, 2), reason)
	}
}

// printTogether prints the estimates from people's ratings and judgements.
func printTogether(io *console.IO, t *overlap.Together) error {
	if t.Problem != "" {
		fmt.Fprintf(io.Out, "\npeople and judge together: none, %s\n", t.Problem)
		return nil
	}
	fmt.Fprint(io.Out, "\npeople and judge together, PPI++; the last two columns contain judgements of models\n")
	w := console.NewTable(io.Out)
	fmt.Fprintln(w, "what\tpeople alone (95 %)\tjudge alone\ttogether (95 %)")
	for _, c := range t.Estimates {
		if c.Kind == "coefficient" || c.Model != "" && c.OfAttribute() {
			continue
		}
		name := c.Name
		if c.Model != "" {
			name += ", " + c.Model
		}
		if c.Against != "" {
			name += " : " + c.Against
		}
		if c.Problem != "" {
			fmt.Fprintf(w, "%s\t– %s\n", frame.OneLine(name), c.Problem)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", frame.OneLine(name), shownStat(c.People, c.Alone, "", ""), shownStat(c.Judge, nil, "its judgements give no scale", ""), shownStat(c.Value, c.Range, "", ""))
		for _, other := range []struct {
			name string
			*overlap.Corrected
		}{{"Rogan-Gladen", c.RoganGladen}, {"joint estimate", c.Joint}} {
			if other.Corrected != nil {
				fmt.Fprintf(w, "  %s\t\t\t%s\n", other.name, shownStat(other.Value, other.Range, other.Problem, ""))
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := printRegressions(io, t); err != nil {
		return err
	}
	for _, c := range t.Estimates {
		if c.Sentence != "" && (c.ID == "total" && c.Kind == "mean" && c.Model == "" || c.Kind == "win rate" && c.Against == "") {
			fmt.Fprintf(io.Out, "%s\n", frame.OneLine(strings.TrimPrefix(c.Model+": ", ": ")+c.Sentence))
		}
	}
	if t.Warning != "" {
		fmt.Fprintf(io.Out, "warning: %s\n", t.Warning)
	}
	return nil
}

// printRegressions prints what ratings have to do with the covariates.
func printRegressions(io *console.IO, t *overlap.Together) error {
	w, last := console.NewTable(io.Out), ""
	for _, c := range t.Estimates {
		if c.Kind != "coefficient" || c.OfAttribute() {
			continue
		}
		if c.ID != last {
			fmt.Fprintf(w, "\t\t\t\t\t\n%s, regression (%s)\tpeople alone (95 %%)\tp\tjudge alone\ttogether (95 %%)\tp\tratings that count\n", frame.OneLine(c.Name), c.Unit())
			last = c.ID
		}
		if c.Problem != "" {
			fmt.Fprintf(w, "%s\t– %s\n", frame.OneLine(c.Covariate), c.Problem)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%.0f of %d\n", frame.OneLine(c.Covariate), shownStat(c.People, c.Alone, "", ""), strings.TrimPrefix(stats.RoundP(*c.PeopleP), "= "),
			shownStat(c.Judge, nil, "none", ""), shownStat(c.Value, c.Range, "", ""), strings.TrimPrefix(stats.RoundP(*c.P), "= "), c.Effective, c.Rated)
	}
	return w.Flush()
}
