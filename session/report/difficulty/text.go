package difficulty

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/scoring/irt"
	"assay/scoring/stats"
	"assay/session/difficulty"
	"assay/session/report"
	doc "assay/session/report/document"
)

// The papers.
const (
	taskEval = "Tambon et al. 2025"
	scholz   = "Scholz & Stephens 1987"
	holm     = "Holm 1979"
)

// writer writes the report's text.
type writer struct {
	*Report
	report.Writer
	d *doc.Document

	// Of the analysis that is written about.
	a     *difficulty.Analysis
	v     *View
	names []string
	end   string // of the ids of its tables and figures, where there are two
	of    string // its name in their captions, likewise

	sections map[string]*doc.Section
}

// Document is the report as a text, with the drawings.
func (r *Report) Document() *doc.Document { return r.document(report.Draw(r.marks())) }

func (r *Report) document(drawings []report.Drawing) *doc.Document {
	d := doc.New(r.Title, r)
	w := &writer{Report: r, Writer: report.NewWriter(d, &r.Level, drawings), d: d, sections: map[string]*doc.Section{}}
	w.each(w.summary)
	w.each(w.responded)
	w.each(w.source)
	d.EndLead()
	if r.Compared != nil {
		w.comparison()
	}
	for _, part := range []func(){w.tasks, w.respondents, w.curves, w.expected, w.topics, w.constructs, w.originals, w.people, w.looks, w.subset, w.fit} {
		w.each(part)
	}
	further := d.Aside("further", "Definitions and self-check")
	w.method(further.Section("definitions", "Definitions"))
	w.WriteChecks(further, r.Checks)
	return w.d
}

// each writes a part of every analysis: those of two stand below each other in one section.
func (w *writer) each(part func()) {
	for i, a := range w.Analyses {
		w.a, w.v, w.names, w.end, w.of = a, &w.Views[i], names(a, w.Views[i].Shown), "", ""
		if len(w.Analyses) > 1 {
			w.end, w.of = fmt.Sprintf("-%d", i+1), ", "+middle(a.Source.Name, 40)
		}
		part()
	}
}

// aside is a section of which only the heading is printed.
func (w *writer) aside(id, title string, intro ...any) *doc.Section {
	s := w.section(id, title, intro...)
	w.sections[id].Aside = true
	return s
}

// section is the one about a subject, whose intro is said once, with the name of the
// analysis where there are two.
func (w *writer) section(id, title string, intro ...any) *doc.Section {
	s := w.sections[id]
	if s == nil {
		s = w.d.Section(id, title)
		w.sections[id] = s
		if len(intro) > 0 {
			s.Text(intro...)
		}
	}
	if w.of != "" {
		s.Text(w.d.Strong(doc.Name(middle(w.a.Source.Name, 40))))
	}
	return s
}

func (w *writer) table(s *doc.Section, id, caption string, columns ...doc.Column) *doc.Table {
	return s.Table(id+w.end, caption+w.of, columns...)
}

// figure places a drawing that there are data for.
func (w *writer) figure(s *doc.Section, name string) {
	w.Figure(s, name+w.end)
}

// tableFile is where a table of the analysis lies.
func (w *writer) tableFile(name string) string {
	return report.DatasetFile(name + strings.TrimPrefix(w.end, "-"))
}

// parameter is a number with its interval, in two cells.
func (w *writer) parameter(p *difficulty.Parameter) []any {
	return doc.Item(w.d.Num(&p.Value, 2), w.d.Range(p.Interval, 1, 2))
}

// p is a p-value; one that the table of a test ends with is written as a bound.
func (w *writer) p(p *float64, capped stats.Cap) doc.Span {
	switch {
	case capped == stats.AtMost || *p < 0.001:
		return doc.Fixed("<0.001")
	case capped == stats.AtLeast:
		return doc.Fixed(">0.25")
	}
	return w.d.Num(p, 3)
}

// corrected is a corrected p-value, of one that may be a bound.
func (w *writer) corrected(p *float64, capped stats.Cap) []any {
	switch {
	case *p < 0.001:
		return doc.Item(doc.Fixed("<0.001"))
	case capped == stats.AtMost:
		return doc.Item("≤", w.d.Num(p, 3))
	case capped == stats.AtLeast && *p < 1:
		return doc.Item("≥", w.d.Num(p, 3))
	}
	return doc.Item(w.d.Num(p, 3))
}

// name is a name from outside, of a length that can be read.
func name(text string) doc.Span { return doc.Name(middle(text, 80)) }

// summary is the first page: the question, the answer with its uncertainty, and what limits it.
func (w *writer) summary() {
	s := w.section("summary", "Summary", w.d.Strong("How hard are the tasks, and which of them separate respondents by ability?"))
	if filter := w.a.Source.Filter; filter != "" {
		s.Text(w.d.Strong("A part of the results:"), " only tasks that match the filter ", w.d.Strong(doc.Name(filter)), " are in this report.")
	}
	s.Text(w.d.Count(&w.v.Respondents), " respondents answered ", w.d.Count(&w.v.Tasks), " tasks of ", name(w.a.Source.Name), ": ", w.d.Count(&w.a.Fit.Responses), " responses.")
	// Where the discrimination may be none or negative, the difficulty does not tell how hard a task is.
	if sure := w.surelyPositive(); len(sure) > 1 {
		if !slices.ContainsFunc(w.a.Warnings, func(x irt.Warning) bool { return x.Kind == irt.TooFewRespondents }) {
			s.Text(w.d.Strong("The hardest of the tasks whose discrimination has an interval above ", doc.Fixed("0"), " is ", w.extreme(sure, 0), "; the easiest is ", w.extreme(sure, len(sure)-1), "."))
		}
	}
	if len(w.a.Respondents) > 0 {
		r := &w.a.Respondents[0]
		s.Text(append(append(doc.Item("The highest ability is that of ", name(r.Name), ": "), w.withInterval(&r.Ability)...), ". The expected score is ", doc.Fixed("0.5"), " where the ability equals the difficulty."))
	}
	if len(w.Analyses) == 1 {
		w.figure(s, "map")
	} else if w.a == w.Analyses[1] {
		w.Figure(s, "map")
	}
	if w.v.Suspects > 0 {
		s.Warn("Suspect tasks: ", w.d.Count(&w.v.Suspects), ". Respondents of lower ability score higher on them, and most fail, for which wording or tests are often the reason: ", doc.Link("look at them", "#tasks"), " before the tasks are used.")
	}
	for i := range w.a.Warnings {
		if w.a.Warnings[i].Kind != irt.ConstantItems { // the section on the tasks tells which
			s.Warn(doc.Name(w.a.Warnings[i].Text))
		}
	}
}

// withInterval is a parameter with its interval in brackets.
func (w *writer) withInterval(p *difficulty.Parameter) []any {
	text := doc.Item(w.d.Num(&p.Value, 2))
	if p.Interval != nil {
		text = append(text, " (", w.Confidence(), " CI ", w.d.Range(p.Interval, 1, 2), ")")
	}
	return text
}

// responded writes who answered what.
func (w *writer) responded() {
	s := w.section("source", "Respondents and tasks")
	s.Text("A respondent is ", map[difficulty.By]string{difficulty.ByModel: "a model, over all prompts and samples", difficulty.ByPrompt: "a model with one kind of prompt"}[w.a.Source.By],
		"; a score is ", map[difficulty.Score]string{difficulty.Correct: "the share of samples that pass all tests", difficulty.PassRatio: "the mean of (passed/total)²", difficulty.PassRate: "the mean of passed/total"}[w.a.Source.Score], ".")
	if w.v.Constant > 0 {
		s.Text("For ", w.d.Count(&w.v.Constant), " of the tasks all responses are the same: their discrimination is unknown, their difficulty comes from the prior.")
	}
}

// source writes what was analysed, and how.
func (w *writer) source() {
	s := w.section("method", "Methods")
	s.Text("Fitted by ", doc.Name(w.a.Method), ". Intervals: ", doc.Name(cmp.Or(w.a.Fit.Intervals, "none")), ". ", doc.Name(scale(w.a)))
	const longest = 400
	results := strings.Join(w.a.Source.Results, ", ")
	if len(results) > longest {
		results = fmt.Sprintf("%d, named in report.json", len(w.a.Source.Results))
	}
	s.Fold(doc.Item("What was analysed"), func(in *doc.Section) {
		t := w.table(in, "method", "What was analysed", doc.Left("what"), doc.Left("value"))
		t.Row("results", doc.Name(results))
		if w.a.Source.Tasks != "" {
			t.Row("tasks", doc.Name(middle(w.a.Source.Tasks, longest)))
		}
		t.Row("seed", w.d.Count(&w.a.Source.Seed))
	})
	for i := range w.a.Notes {
		s.Note(doc.Name(w.a.Notes[i]))
	}
}

func (w *writer) curves() {
	if len(w.a.Curves) == 0 {
		return
	}
	s := w.section("curves", "Item characteristic curves")
	w.figure(s, "curves")
	s.Fold(doc.Item("Item information"), func(in *doc.Section) { w.figure(in, "item-information") })
}

func (w *writer) expected() {
	s := w.section("expected", "Expected scores")
	w.figure(s, "expected-responses")
	fill := func(in *doc.Section) {
		t := w.table(in, "expected", "Tasks by the expected score", doc.Left("no."), doc.Left("respondent"), doc.Right("at most 0.1, %"), doc.Right("0.4 to 0.6, %"), doc.Right("at least 0.9, %"), doc.Right("median"))
		for i := range w.a.Respondents {
			x := &w.v.Expected[i]
			t.Row(doc.Name(rank(i)), name(w.a.Respondents[i].Name), w.d.Percent(&x.Hard, 0), w.d.Percent(&x.Open, 0), w.d.Percent(&x.Easy, 0), w.d.Num(&x.Median, 2))
		}
		t.Note("Shares and median over the ", w.d.Count(&w.v.Tasks), " tasks, as the model describes these tasks: they have no interval.")
	}
	if w.v.Respondents > mostShown {
		s.Fold(doc.Item("All ", w.d.Count(&w.v.Respondents), " respondents"), fill)
		return
	}
	fill(s)
}

// mostPrinted is the number of rows up to which topics and respondents are printed.
const mostPrinted = 10

func (w *writer) topics() {
	if len(w.a.Topics) == 0 {
		return
	}
	section := w.section
	if len(w.a.Topics) > mostPrinted { // whose drawing fills a page
		section = w.aside
	}
	s := section("topics", "Topics", "Means over each topic's tasks (", doc.Fixed("TaskEval, figure 5"), ").")
	s.Text(w.d.Count(&w.v.NoTopic), " tasks belong to no topic.")
	w.figure(s, "topics")
	columns := []doc.Column{doc.Left("topic"), doc.Left("words"), doc.Right("tasks"), doc.Right("difficulty"), doc.Right("95 % CI"), doc.Right("discrimination"), doc.Right("95 % CI")}
	for _, short := range w.names {
		columns = append(columns, doc.Right(middle(short, 20)))
	}
	s.Fold(doc.Item("Table of the topics"), func(in *doc.Section) {
		t := w.table(in, "topics", "Topics: mean difficulty and discrimination, and mean score by respondent", columns...)
		for i := range w.a.Topics {
			x := &w.a.Topics[i]
			row := []any{name(x.Name), name(strings.Join(x.Words, ", ")), doc.Fixed(fmt.Sprint(len(x.Tasks))), w.d.Num(&x.Difficulty, 2), w.d.Range(x.DifficultyInterval, 1, 2), w.d.Num(&x.Discrimination, 2), w.d.Range(x.DiscriminationInterval, 1, 2)}
			for _, mean := range x.Mean {
				if mean == nil {
					row = append(row, doc.Undefined)
				} else {
					row = append(row, w.d.Num(mean, 2))
				}
			}
			t.Row(row...)
		}
		t.Note("Intervals: Student's t, for tasks like those of the topic; none for topics of fewer than six tasks. Those of the mean scores are in ", doc.Code(w.tableFile("topics")), ".")
		if w.names[0] != w.a.Respondents[0].Name {
			t.Note("R with a number: the ", doc.Link("table of respondents", "#respondents"), " has the names.")
		}
	})
}

// key explains the short names above columns, and that not all respondents have a column.
func (w *writer) key(t *doc.Table) {
	var key []string
	for _, i := range w.v.Shown {
		if w.names[i] != w.a.Respondents[i].Name {
			key = append(key, w.names[i]+": "+middle(w.a.Respondents[i].Name, 60))
		}
	}
	if len(key) > 0 {
		t.Note(doc.Name(strings.Join(key, "; ")), ".")
	}
	if len(w.v.Shown) < w.v.Respondents {
		t.Note("There is no room for all ", w.d.Count(&w.v.Respondents), " respondents: these span the range of ability, or were named with ", doc.Code("--models"), ".")
	}
}

func (w *writer) respondents() {
	s := w.section("respondents", "Respondents")
	fill := func(in *doc.Section) {
		t := w.table(in, "respondents", "Ability of each respondent", doc.Left("no."), doc.Left("respondent"), doc.Right("ability"), doc.Right("95 % CI"), doc.Right("mean score"), doc.Right("95 % CI"), doc.Right("tasks"), doc.Right("outfit"))
		for i := range w.a.Respondents {
			r := &w.a.Respondents[i]
			row := []any{doc.Name(rank(i)), name(r.Name)}
			row = append(row, w.parameter(&r.Ability)...)
			t.Row(append(row, w.d.Num(&r.Mean, 2), w.d.Range(r.MeanInterval, 1, 2), w.d.Count(&r.N), w.d.Num(&r.Outfit, 2))...)
		}
		t.Note("In the order of ability, the highest first. ", doc.Name(scale(w.a)), " Ability: ", doc.Name(cmp.Or(w.a.Fit.Intervals, "no interval")), ", for these tasks. Mean score: Wilson's interval with Student's t, over tasks like these. Outfit: the mean of squared standardised residuals, expected to be near ", doc.Fixed("1"), "; greater values are responses that fit the model less.")
	}
	if w.v.Respondents <= mostPrinted {
		fill(s)
	}
	w.population(s)
	s.Text("The test information is greatest at an ability of ", w.d.Num(&w.v.Peak.Ability, 2), " (", w.d.Num(&w.v.Peak.Information, 1),
		"); at the respondents' mean ability, ", w.d.Num(&w.v.Ability, 2), ", it is ", w.d.Num(&w.v.Reach.Information, 1), ".")
	w.figure(s, "information")
	w.figure(s, "abilities") // the last, since with many respondents it takes a page of its own
	if w.v.Respondents > mostPrinted {
		s.Fold(doc.Item("Table of all ", w.d.Count(&w.v.Respondents), " respondents"), fill)
	}
}

func (w *writer) subset() {
	x := w.a.Subset
	if x == nil {
		return
	}
	s := w.section("subset", "Subset of tasks")
	var ids []string
	for _, id := range x.IDs {
		ids = append(ids, middle(id, 60))
	}
	s.Text(w.d.Count(&w.v.Subset), " tasks (", doc.Fixed(x.Criterion), "), chosen by ", w.d.Count(&w.v.ChosenBy), " respondents.")
	s.Fold(doc.Item("The tasks, the most useful first"), func(s *doc.Section) { s.Text(doc.Name(strings.Join(ids, ", ")), ".") })
	if r := x.Ranking; r != nil {
		s.Text("They rank the other ", w.d.Count(&r.N), " respondents as all tasks do with Kendall's tau-b ", w.d.Num(&r.TauB, 2), "; of ", w.d.Count(&w.v.Random), " random sets of as many tasks ",
			doc.Fixed("95 %"), " have less than ", w.d.Num(&r.Quantile95, 2), ", and ", w.d.Percent(&r.Below, 1), " % less than the subset.")
	}
	if c := x.CrossFit; c != nil {
		spread := func(x *irt.Spread) []any {
			return doc.Item(w.d.Scaled(&x.Median, 1, 2), " (", w.d.Scaled(&x.Low, 1, 2), " to ", w.d.Scaled(&x.High, 1, 2), ")")
		}
		s.Text("In ", w.d.Count(&c.Splits), " splits half of the respondents chose tasks for the others, whom they rank as all tasks do with Kendall's tau-b ", spread(&c.Informative),
			", median and range; random tasks with ", spread(&c.Random), ", random ones of all difficulties with ", spread(&c.Stratified), ".")
	}
	if x.Note != "" {
		s.Text(doc.Name(x.Note))
	}
}

func (w *writer) fit() {
	s := w.section("fit", "Model fit")
	f := &w.a.Fit
	if f.Explained.Defined {
		s.Text("Expected and observed scores correlate with ", doc.Fixed("r² = "), w.d.Num(&f.Explained.SquaredCorrelation, 3), " (which TaskEval prints as ", doc.Fixed("R²"), "); Efron's pseudo-", doc.Fixed("R²"), " is ", w.d.Num(&f.Explained.Efron, 3),
			". With few respondents both are high even where the parameters are far off.")
	} else {
		s.Text("Expected or observed scores do not vary, so that no correlation is defined.")
	}
	if f.Dispersion.Known {
		s.Text("The dispersion of the responses is ", w.d.Num(&f.Dispersion.Ratio, 2), " times that of the model (", w.d.Num(&f.Dispersion.Freedom, 0), " degrees of freedom).")
	} else {
		s.Text("The dispersion is not known: there are no more responses than parameters.")
	}
	s.Text(w.d.Count(&w.v.Erratic), " tasks have an outfit above ", doc.Fixed(fmt.Sprint(Misfit)), ".")
}

func (w *writer) method(s *doc.Section) {
	s.List(
		doc.Item(w.d.Strong(doc.Fixed("β3-IRT")), doc.Fixed(": the expected score of a respondent of ability θ on a task of difficulty δ and discrimination a is 1 / (1 + (δ/(1−δ))ᵃ · (θ/(1−θ))⁻ᵃ)"), " (", doc.Fixed("Chen et al. 2019"), "). Ability and difficulty lie between ", doc.Fixed("0 and 1"), ": half of the score is expected where they are equal."),
		doc.Item("The paper (", doc.Fixed(taskEval), ") fits five models without intervals; here each parameter has an interval at ", w.Confidence(), ", and too few respondents are warned of before all numbers."),
		doc.Item(w.d.Strong("Suspect task"), ": discrimination below ", doc.Fixed("0"), " and difficulty below ", doc.Fixed(fmt.Sprint(difficulty.Half)), "; ", w.d.Strong("noise"), ": discrimination below ", doc.Fixed("0"), " and a difficulty from there on (", doc.Fixed(taskEval+", section 5.1"), ")."),
		doc.Item(w.d.Strong("AD"), ": the k-sample Anderson-Darling test with midranks (", doc.Fixed(scholz), "). Its table ends at ", doc.Fixed("0.001 and 0.25"), ": p-values beyond are written as bounds."),
		doc.Item(w.d.Strong("Population"), ": abilities of ", doc.Fixed("β3-IRT"), " are drawn from a normal distribution of their logits, whose mean and standard deviation are estimated with them; their uncertainty is part of every interval. Difficulties are uniform between ", doc.Fixed("0 and 1"), " and discriminations normal around ", doc.Fixed("1"), " before there are responses, which gives the scale its middle and its unit."),
		doc.Item(w.d.Strong("Holm"), ": p-values corrected for the number of tests (", doc.Fixed(holm), "). Families: all tests between two benchmarks; and of the constructs of one benchmark four, the tests by τ and by AD with difficulty and with discrimination, each over all models and constructs. Stars are those of the paper, by p-values that are not corrected."),
		doc.Item(w.d.Strong("Kendall's τ"), ": tau-b."),
		doc.Item("Rounding is half away from zero, in decimal."),
	)
}
