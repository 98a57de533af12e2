package evaluations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/session/report"
	doc "assay/session/report/document"
)

// writer writes the report's text.
type writer struct {
	*Report
	report.Writer
	d      *doc.Document
	before bool // in a report of sessions before its layout 4
}

// The papers whose layouts the tables follow.
const (
	chen = "Chen et al. 2021"
	yao  = "Yao et al. 2024"
	yeo  = "Yeo et al. 2024"
	su   = "Su et al. 2023"
	apps = "Hendrycks et al. 2021"
)

// Document returns the report as a text, with the drawings.
func (r *Report) Document() *doc.Document { return r.document(report.Draw(r.marks())) }

func (r *Report) document(drawings []report.Drawing) *doc.Document {
	d := doc.New(r.Title, r)
	w := &writer{r, report.NewWriter(d, &r.Level, drawings), d, false}
	w.summary()
	w.runs()
	w.provenance()
	d.EndLead()
	w.results()
	w.leaderboards()
	w.pairs()
	w.outliers()
	w.spent()
	w.slices()
	w.yeo()
	w.prompts()
	w.cutoffs()
	w.su(d.Section("six-dimensions", "Six dimensions"))
	further := d.Aside("further", "Definitions and self-check")
	w.method(further.Section("definitions", "Definitions"))
	w.WriteChecks(further, r.Checks)
	w.unreviewed()
	return w.d
}

// share returns a count with what it is of, in percent.
func (w *writer) share(s *report.Share) []any {
	if s.N == 0 {
		return doc.Item(doc.Undefined)
	}
	return doc.Item(w.d.Count(&s.Count), " of ", w.d.Count(&s.N), " = ", w.d.Percent(&s.Value, s.Estimate.PercentDecimals()), " %")
}

// number of tasks of a cell, marked where they are few.
func (w *writer) number(c *Cell) []any {
	if c.Few {
		return doc.Item(w.d.Count(&c.N), "†")
	}
	return doc.Item(w.d.Count(&c.N))
}

func (w *writer) fewNote(t *doc.Table, few bool) {
	if few {
		t.Note("† Fewer than ", doc.Fixed(fmt.Sprint(w.Small)), " tasks: too few to say anything about the group.")
	}
}

// listed returns some of the names.
func listed(names []string) []any {
	const most = 10
	if len(names) <= most {
		return doc.Item(doc.Name(strings.Join(names, ", ")))
	}
	return doc.Item(doc.Name(strings.Join(names[:most], ", ")), ", …")
}

// numbered reports whether tables with a column for each run use numbers, since the names do not fit side by
// side.
func (w *writer) numbered() bool {
	const room = 60 // characters
	n := 0
	for i := range w.Runs {
		n += utf8.RuneCountInString(w.Runs[i].Name)
	}
	return n > room
}

// head returns the heading of a run's column.
func (w *writer) head(run int) string {
	if w.numbered() {
		return fmt.Sprintf("run %d", run+1) + w.mark(run)
	}
	return w.marked(run)
}

// numbers lists the names of runs that tables call by their numbers.
func (w *writer) numbers(s *doc.Section) {
	if !w.numbered() {
		return
	}
	var items [][]any
	for i := range w.Runs {
		items = append(items, w.numberedName(i))
	}
	s.List(items...)
}

// numberedName returns the name of a run, after its number.
func (w *writer) numberedName(run int) []any {
	return doc.Item(doc.Fixed(fmt.Sprintf("run %d:", run+1)), " ", doc.Name(w.marked(run)))
}

// runs are what was evaluated.
func (w *writer) runs() {
	s := w.d.Section("runs", "Runs and tasks")
	if run := &w.Runs[0]; len(w.Leaderboards) == 1 && !slices.ContainsFunc(w.Runs, func(r Run) bool {
		return r.Tasks != run.Tasks || r.Samples != run.Samples || r.Scored != r.Tasks || r.Fewest != run.Fewest || r.Most != run.Fewest || r.Excluded > 0
	}) {
		s.Text("Each of the ", doc.Fixed(fmt.Sprint(len(w.Runs))), " runs has ", w.d.Count(&run.Samples), " judged samples, ", w.d.Count(&run.Fewest), " of each of ", w.d.Count(&run.Tasks), " tasks.")
		w.numbers(s)
		return
	}
	t := s.Table("runs", "The runs", doc.Left("run"), doc.Right("tasks"), doc.Right("samples"), doc.Right("a task"), doc.Right("accepted"), doc.Right("scored tasks"), doc.Right("withheld tasks"), doc.Right("not judged"))
	for i := range w.Runs {
		run := &w.Runs[i]
		each := doc.Item(w.d.Count(&run.Fewest))
		if run.Fewest != run.Most {
			each = doc.Item(w.d.Count(&run.Fewest), "–", w.d.Count(&run.Most))
		}
		name := doc.Item(doc.Name(w.marked(i)))
		if w.numbered() {
			name = w.numberedName(i)
		}
		t.Row(name, w.d.Count(&run.Tasks), w.d.Count(&run.Samples), each, w.d.Count(&run.Accepted), w.d.Count(&run.Scored), w.d.Count(&run.Withheld), w.d.Count(&run.Excluded))
	}
	t.Note("A task: samples with a verdict, of a scored task. Accepted: of the samples of scored tasks.")
	for i := range w.Runs {
		if run := &w.Runs[i]; run.Withheld > 0 {
			t.Note("Withheld in ", doc.Name(w.marked(i)), ": ", listed(run.WithheldTasks), ".")
		}
	}
}

func (w *writer) provenance() {
	s := w.d.Section("provenance", "Methods")
	if w.About != nil {
		s.Text("Tasks: ", doc.Name(w.About.Name), ", ", w.d.Count(&w.About.Tasks), " tasks.")
	} else {
		s.Text("No file of tasks was given: ", doc.Code("--tasks FILE"), " adds results by difficulty, category and year, and human pass rates.")
	}
	type recorded struct {
		what, of string
		value    string
	}
	var rows []recorded
	alike := true
	for _, x := range []struct {
		what   string
		values func(*Run) []string
	}{
		{"isolation", func(r *Run) []string { return r.Isolation }}, {"enforcement", func(r *Run) []string { return r.Enforcement }},
		{"interpreter", func(r *Run) []string { return r.Interpreters }}, {"library", func(r *Run) []string { return r.Libraries }},
		{"code quality", func(r *Run) []string { return r.Analysers }}, {"code found by", func(r *Run) []string { return r.Extractions }},
		{"rules of another program", func(r *Run) []string { return r.Rules }},
	} {
		var values []string
		runs := map[string][]string{}
		for i := range w.Runs {
			value := strings.Join(x.values(&w.Runs[i]), "; ")
			if runs[value] == nil {
				values = append(values, value)
			}
			runs[value] = append(runs[value], w.marked(i))
		}
		if len(values) == 1 && values[0] == "" {
			continue
		}
		alike = alike && len(values) == 1
		for _, value := range values {
			of := strings.Join(runs[value], ", ")
			if len(values) == 1 {
				of = "all"
			}
			rows = append(rows, recorded{x.what, of, cmp.Or(value, "none recorded")})
		}
	}
	if len(rows) == 0 {
		return
	}
	columns := []doc.Column{doc.Left("what"), doc.Left("run"), doc.Left("value")}
	if alike {
		columns = slices.Delete(columns, 1, 2)
	}
	s.Fold(doc.Item("How samples were judged"), func(s *doc.Section) {
		t := s.Table("provenance", "How samples were judged, as recorded with each", columns...)
		for _, r := range rows {
			row := []any{r.what, doc.Name(r.of), doc.Name(r.value)}
			if alike {
				row = slices.Delete(row, 1, 2)
			}
			t.Row(row...)
		}
	})
}

func (w *writer) verdicts(s *doc.Section) {
	w.Figure(s, "verdicts")
	s.Fold(doc.Item("All samples by verdict"), func(s *doc.Section) {
		t := w.shares(s, "verdicts", "All samples by verdict", "verdict", func(r *Run) []Share { return r.Verdicts })
		t.Note("Percent of all samples of the run. A verdict that no sample has is left out.")
		for i := range w.Runs {
			if run := &w.Runs[i]; run.NoCode > 0 {
				t.Note("No code was found in ", w.d.Count(&run.NoCode), " samples of ", doc.Name(w.marked(i)), ": they were not run, and count as failed.")
			}
		}
	})
	if slices.ContainsFunc(w.Runs, func(r Run) bool { return len(r.Outcomes) > 0 }) {
		t := w.shares(s, "outcomes", "Samples for repository tasks by outcome of their tests", "outcome", func(r *Run) []Share { return r.Outcomes })
		t.Note("Percent of the run's samples for repository tasks. An answer is resolved if all tests pass that it must mend and all that passed before; it is partly resolved if some of the former do and all of the latter.")
	}
}

// shares writes a table of the shares of every run that at least one sample has.
func (w *writer) shares(s *doc.Section, id, caption, column string, of func(*Run) []Share) *doc.Table {
	t := s.Table(id, caption, w.runColumns(column)...)
	names, counts := []string{}, map[string]int{}
	for i := range w.Runs {
		for _, x := range of(&w.Runs[i]) {
			if _, known := counts[x.Name]; !known {
				names = append(names, x.Name)
			}
			counts[x.Name] += x.Count
		}
	}
	for n, name := range names {
		if counts[name] == 0 {
			continue
		}
		row := []any{doc.Name(strings.ReplaceAll(name, "_", " "))}
		for i := range w.Runs[:w.listedRuns()] {
			if all := of(&w.Runs[i]); len(all) > 0 && all[n].Count == 0 {
				row = append(row, w.d.Count(&all[n].Count))
			} else if len(all) > 0 {
				x := &all[n]
				row = append(row, doc.Item(w.d.Count(&x.Count), " (", w.d.Percent(&x.Value, x.Estimate.PercentDecimals()), " %)"))
			} else {
				row = append(row, "–")
			}
		}
		t.Row(row...)
	}
	w.runsNote(t)
	return t
}

func (w *writer) slices() {
	if len(w.Slices) == 0 {
		return
	}
	s := w.d.Section("slices", "By metadata of the tasks")
	for i := range w.Slices {
		x := &w.Slices[i]
		if len(x.Cells)*len(w.Runs) > 40 {
			s.Fold(doc.Item("By ", doc.Name(x.By)), func(inside *doc.Section) { w.sliceTable(inside, x) })
		} else {
			w.sliceTable(s, x)
		}
		w.Figure(s, "by-"+slug(x.By))
	}
}

// slug returns a name for a file.
func slug(by string) string { return strings.ReplaceAll(by, ", ", "-and-") }

func (w *writer) sliceTable(s *doc.Section, x *Slices) {
	columns := []doc.Column{doc.Left(x.By)}
	if len(w.Runs) > 1 {
		columns = append(columns, doc.Left("run"))
	}
	t := s.Table("by-"+slug(x.By), "Metrics by "+x.By, append(columns, w.metricColumns()...)...)
	few := false
	for i := range x.Cells {
		c := &x.Cells[i]
		for run := range c.Runs {
			few = few || c.Runs[run].Few
			row := []any{doc.Name(orNone(c.Value))}
			if len(w.Runs) > 1 {
				row = append(row, doc.Name(w.marked(run)))
			}
			t.Row(append(row, w.metricCells(&c.Runs[run])...)...)
		}
	}
	t.Note("In percent, means over the tasks of the group.")
	if x.Overlap {
		t.Note("A task is in each of its groups, so that they overlap.")
	}
	w.fewNote(t, few)
}

// metricColumns returns those of the number of tasks and the metrics; pass@k of the first
// k, and pass-ratio@n, have their intervals beside them.
func (w *writer) metricColumns() []doc.Column {
	columns := []doc.Column{doc.Right("tasks")}
	for m, name := range w.Metrics[:w.rateAt()+1] {
		columns = append(columns, doc.Right(name))
		if m == 0 || m == w.ratioAt() {
			columns = append(columns, doc.Right("95 % CI"))
		}
	}
	return columns
}

func (w *writer) metricCells(c *Cell) []any {
	cells := []any{w.number(c)}
	for m := range w.Metrics[:w.rateAt()+1] {
		cells = append(cells, w.Percent(&c.Metrics[m]))
		if m == 0 || m == w.ratioAt() {
			cells = append(cells, w.PercentInterval(&c.Metrics[m]))
		}
	}
	return cells
}

// listedRuns is the number of runs that wide tables of the page have; report.json has all.
func (w *writer) listedRuns() int { return min(len(w.Runs), 40) }

// listedTasks is the number of tasks that the page lists, fewer for many runs; the dataset has all.
func (w *writer) listedTasks() int {
	const most, mostCells = 500, 12_000
	return min(len(w.Tasks), most, max(10, mostCells/len(w.Runs)))
}

// runsNote says that a table does not have all runs.
func (w *writer) runsNote(t *doc.Table) {
	if len(w.Runs) > w.listedRuns() {
		t.Note("The first runs; ", doc.Code("report.json"), " has all.")
	}
}

// restNote says what a table with a column for each run and a row for each task does not list.
func (w *writer) restNote(t *doc.Table) {
	w.runsNote(t)
	if len(w.Tasks) > w.listedTasks() {
		t.Note("The first tasks; ", doc.Code("dataset/"), " has all.")
	}
}

// why a task is not scored.
func why(x *Result) string {
	switch {
	case x.Samples == 0:
		return "no sample"
	case x.Failed > 0:
		return "withheld"
	}
	return "not judged"
}

func (w *writer) method(s *doc.Section) {
	s.List(
		doc.Item(w.d.Strong("pass@k"), ": the probability that at least one of k samples passes all tests, estimated without bias from n independent samples of which c passed, ", doc.Fixed("1 − C(n−c, k) / C(n, k)"), " (", doc.Fixed(chen+", equation 1"), "). A k larger than a task's n is refused."),
		doc.Item(w.d.Strong("pass^k"), ": the probability that all of k samples pass, ", doc.Fixed("C(c, k) / C(n, k)"), " (", doc.Fixed(yao+", τ-bench"), "): how reliable a model is over repeated runs. pass@k grows with k, pass^k falls, and both start at pass@k of one sample."),
		doc.Item(w.d.Strong("pass-ratio@n"), ": the mean over n samples of ", doc.Fixed("(passed / total)²"), " (", doc.Fixed(yeo), "). A sample that failed before its first test case passed none."),
		doc.Item(w.d.Strong("average pass rate"), ": the mean over samples of passed / total; ", w.d.Strong("strict accuracy"), ": the share of samples that passed all (", doc.Fixed(apps+", section 4.3"), ")."),
		doc.Item(w.d.Strong("six dimensions"), ": validity, correctness, complexity, reliability, security and readability with at most ", doc.Fixed("15, 30, 10, 10, 10 and 25"), " points; the final score weighs tasks by difficulty and human pass rate (", doc.Fixed(su+", equations 1 to 7"), ")."),
		doc.Item("All metrics are means over tasks, so that a task counts once however many samples it has. Intervals at ", w.Confidence(), " are exact for values of zero and one (", doc.Fixed("Clopper & Pearson 1934"), ") and else Wilson's, modified near the ends of the scale (", doc.Fixed("Brown, Cai & DasGupta 2001"), "), with an effective sample size: the number of tasks, or as many more as their values differ less than ", doc.Fixed("0 and 1"), " would (", doc.Fixed("Korn & Graubard 1998"), "). In simulations of ", doc.Fixed("5 to 500"), " tasks they cover ", doc.Fixed("93 %"), " or more; near the ends of the scale, and where tasks are alike, more than ", doc.Fixed("97 %"), "."),
		doc.Item("Intervals are for ", w.d.Strong("tasks like these"), " where nothing else is said: they say how sure a mean would be if other tasks of the kind had been asked, with as many samples. Those for ", w.d.Strong("these tasks"), " say how sure it would be if the same tasks had been asked again. Neither says anything of other versions of a model."),
		doc.Item(w.d.Strong("Differences between runs"), " are tested by flipping the signs of the differences on each task (", doc.Fixed("Fisher 1935; Pitman 1937"), "): p is the share of all signs that give a mean difference as far from none, two-sided, and exact but for thousands of tasks. The interval holds every difference that the same test does not reject (", doc.Fixed("Hartigan 1969"), "), so that p at most ", doc.Fixed("0.05"), " and an interval that excludes ", doc.Fixed("0"), " are one statement. Where all tasks differ alike both are bounds from the ends of the scale. Where only n tasks differ, p is at least ", doc.Fixed("2 / 2ⁿ"), ". In simulations the test at ", doc.Fixed("5 %"), " rejects equal runs in ", doc.Fixed("3 to 6 %"), " of cases, but is conservative for tasks of one sample each, where p has few values: ", doc.Fixed("0 to 3 %"), " up to ", doc.Fixed("45"), " tasks. Where runs are equal on average alone, and the differences skewed, it rejects in up to ", doc.Fixed("8 %"), ", and in ", doc.Fixed("11 %"), " where one task in twenty outweighs all others: no test of few tasks excludes rare tasks with a large difference the other way."),
		doc.Item(w.d.Strong("Families"), ": all differences between runs that this report shows are one family of ", w.d.Count(&w.Families[0].Tests), " tests, in all metrics: of pairs of runs, on leaderboards, and of types of prompts. A difference that stands in several places, or under two names, as strict accuracy is pass@k of one sample, is one test and has the same corrected p everywhere. Holm's correction (", doc.Fixed("1979"), ") bounds the chance of any wrong claim; that of Benjamini and Hochberg (", doc.Fixed("BH, 1995"), "), for screening, the expected share of wrong ones among the claims. Differences by metadata of the tasks and by training cutoff are not tested."),
		doc.Item("Rounding is half away from zero, in decimal."),
	)
}
