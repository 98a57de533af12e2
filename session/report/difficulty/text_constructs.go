package difficulty

import (
	"slices"

	"assay/scoring/quality"
	"assay/session/difficulty"
	doc "assay/session/report/document"
)

// constructs writes TaskEval's tables 1 and 2.
func (w *writer) constructs() {
	c := w.a.Constructs
	if c == nil {
		return
	}
	s := w.aside("constructs", "Constructs")
	s.Text("How often models use each construct, by line of code, and how hard the tasks are. ", w.d.Count(&c.Samples), " samples of ", w.d.Count(&c.Tasks), " tasks, right or similar to the reference solution (CodeBLEU from ", w.d.Num(&c.Threshold, 2),
		" on; weights of n-grams ", w.d.Num(&c.Weights.NGram, 2), ", weighted n-grams ", w.d.Num(&c.Weights.WeightedNGram, 2), ", syntax ", w.d.Num(&c.Weights.Syntax, 2), ", data flow ", w.d.Num(&c.Weights.DataFlow, 2), "). ",
		w.d.Count(&c.LeftOut), " tasks are left out, of which less than half of the samples are.")
	together := w.together()
	for _, x := range subjects() {
		switch {
		case !together:
			models, heads := w.models(x.rows(c))
			w.paperTable(s, x, w.end, w.of, models, heads, []part{{"", x.rows(c), x.at(c)}})
		case w.a == w.Analyses[1]:
			w.bothTable(s, x)
		}
		if w.v.Respondents > mostShown {
			w.acrossTable(s, x.id+"-all", "The same over all models, by "+x.what, x.of)
		}
		s.Fold(doc.Item("All models and constructs, by ", x.what, ": tau-b, p and corrected p"), func(in *doc.Section) {
			w.longTable(in, x.id+"-long", "Constructs and "+x.what, x.rows(c))
		})
	}
}

// subject is what constructs are compared with.
type subject struct {
	id, caption, what string
	rows              func(*difficulty.Constructs) []difficulty.ConstructRow
	at                func(*difficulty.Constructs) *float64
	of                func(*Pattern) *Across
}

func subjects() []subject {
	return []subject{
		{"constructs-difficulty", "Program constructs (node type) with regard to the tasks' difficulty, after TaskEval, table 1", "difficulty",
			func(c *difficulty.Constructs) []difficulty.ConstructRow { return c.Difficulty }, func(c *difficulty.Constructs) *float64 { return &c.DifficultyAt }, func(p *Pattern) *Across { return &p.Difficulty }},
		{"constructs-discrimination", "Program constructs (node type) with regard to the tasks' absolute discrimination, after TaskEval, table 2", "absolute discrimination",
			func(c *difficulty.Constructs) []difficulty.ConstructRow { return c.Discrimination }, func(c *difficulty.Constructs) *float64 { return &c.DiscriminationAt }, func(p *Pattern) *Across { return &p.Discrimination }},
	}
}

// models returns the shown respondents as constructs name them. Constructs are by model,
// respondents may be by prompt; then the models are taken as they come.
func (w *writer) models(rows []difficulty.ConstructRow) (models, heads []string) {
	for _, i := range w.v.Shown {
		if who := w.a.Respondents[i].Name; uses(rows, who) {
			models, heads = append(models, who), append(heads, w.names[i])
		}
	}
	if len(models) > 0 {
		return models, heads
	}
	for _, r := range rows {
		if !slices.Contains(models, r.Model) && len(models) < mostShown {
			models, heads = append(models, r.Model), append(heads, middle(r.Model, 20))
		}
	}
	return models, heads
}

func uses(rows []difficulty.ConstructRow, model string) bool {
	return slices.ContainsFunc(rows, func(r difficulty.ConstructRow) bool { return r.Model == model })
}

// common returns the models of a subject that both benchmarks have, those first that are shown.
func (w *writer) common(x subject) (models []string) {
	first, second := w.Analyses[0], w.Analyses[1]
	if first.Constructs == nil || second.Constructs == nil {
		return nil
	}
	add := func(who string) {
		if len(models) < mostShown && !slices.Contains(models, who) && uses(x.rows(first.Constructs), who) && uses(x.rows(second.Constructs), who) {
			models = append(models, who)
		}
	}
	for _, i := range w.Views[0].Shown {
		add(first.Respondents[i].Name)
	}
	for _, r := range x.rows(first.Constructs) {
		add(r.Model)
	}
	return models
}

// together reports whether two benchmarks share a table, as in the paper.
func (w *writer) together() bool {
	return len(w.Analyses) == 2 && !slices.ContainsFunc(subjects(), func(x subject) bool { return len(w.common(x)) == 0 })
}

// bothTable has the rows of both benchmarks.
func (w *writer) bothTable(s *doc.Section, x subject) {
	var parts []part
	for _, a := range w.Analyses {
		parts = append(parts, part{middle(a.Source.Name, 24), x.rows(a.Constructs), x.at(a.Constructs)})
	}
	models := w.common(x)
	var heads []string
	for _, m := range models {
		heads = append(heads, middle(m, 14))
	}
	w.paperTable(s, x, "", "", models, heads, parts)
}

// part are the rows of one benchmark.
type part struct {
	benchmark string // "": there is no other
	rows      []difficulty.ConstructRow
	at        *float64
}

// paperTable has a row for each node type and two columns for each model, as the paper has
// them, and below it the corrected p-values in the same layout.
func (w *writer) paperTable(s *doc.Section, x subject, end, of string, models, heads []string, parts []part) {
	if len(models) == 0 {
		s.Text("No construct varies: there is no table by ", x.what, ".")
		return
	}
	columns := []doc.Column{doc.Left("Node")}
	if len(parts) > 1 {
		columns = []doc.Column{doc.Left("Benchmark"), doc.Left("Node")}
	}
	for _, h := range heads {
		columns = append(columns, doc.Right(h+" τ"), doc.Left("AD"))
	}
	t := s.Table(x.id+end, x.caption+of, columns...)
	var medians []any
	var below [][]any
	for _, p := range parts {
		before := doc.Item()
		if len(parts) > 1 {
			before = doc.Item(doc.Name(p.benchmark))
		}
		for _, construct := range quality.AllConstructs() {
			cells, corrected, starred, holds := w.paperRow(p.rows, construct, models)
			if starred {
				t.Row(slices.Concat(before, cells)...)
			}
			if holds {
				below = append(below, slices.Concat(before, corrected))
			}
		}
		if len(medians) > 0 {
			medians = append(medians, " and ")
		}
		medians = append(medians, w.d.Num(p.at, 2))
	}
	t.Note("τ: Kendall's tau-b of the construct's frequency by line with the tasks' ", x.what, "; AD: the Anderson-Darling test between the half of the tasks below and the half above the median of ", x.what, ", here ", medians, ". ",
		doc.Fixed("*** p < 0.01, ** p < 0.05, * p < 0.1, - p ≥ 0.1"), ", or the model uses the construct nowhere. Rows without a star are left out. The stars are not corrected.")
	if len(parts) == 1 {
		w.key(t)
	}
	if len(below) == 0 {
		s.Text("Corrected (Holm over all models and constructs), each of these p-values is ", doc.Fixed("1"), ".")
		return
	}
	b := s.Table(x.id+"-holm"+end, "The p-values of the table above, corrected (Holm over all models and constructs)"+of, columns...)
	for _, row := range below {
		b.Row(row...)
	}
	b.Note("Constructs of which every corrected p is ", doc.Fixed("1"), " are left out.")
}

func hasStar(r *difficulty.ConstructRow) bool { return r.P < 0.1 || r.ADP < 0.1 }

// paperRow returns the cells of a node type, with the corrected p-values, whether any has a star, and whether any
// corrected p is below 1.
func (w *writer) paperRow(rows []difficulty.ConstructRow, construct quality.Construct, models []string) (cells, corrected []any, starred, holds bool) {
	cells, corrected = []any{doc.Name(string(construct))}, []any{doc.Name(string(construct))}
	for _, m := range models {
		i := slices.IndexFunc(rows, func(r difficulty.ConstructRow) bool { return r.Model == m && r.Construct == construct })
		if i < 0 {
			cells, corrected = append(cells, "-", "-"), append(corrected, doc.Undefined, doc.Undefined)
			continue
		}
		r := &rows[i]
		starred, holds = starred || hasStar(r), holds || r.Holm < 1 || r.ADHolm < 1
		tau := doc.Item("-")
		if r.P < 0.1 {
			tau = doc.Item(w.d.Num(&r.Tau, 3), doc.Fixed(difficulty.Stars(r.P)))
		}
		cells = append(cells, tau, doc.Fixed(difficulty.Stars(r.ADP)))
		corrected = append(corrected, w.corrected(&r.Holm, ""), w.corrected(&r.ADHolm, r.ADCapped))
	}
	return cells, corrected, starred, holds
}

// acrossTable summarises all models.
func (w *writer) acrossTable(s *doc.Section, id, caption string, of func(*Pattern) *Across) {
	t := w.table(s, id, caption, doc.Left("Node"), doc.Right("models"), doc.Right("median τ"), doc.Right("τ > 0"), doc.Right("τ < 0"), doc.Right("AD"))
	for i := range w.v.Patterns {
		p := &w.v.Patterns[i]
		if x := of(p); x.Models > 0 {
			t.Row(doc.Name(string(p.Construct)), w.d.Count(&x.Models), w.d.Num(&x.Median, 2), w.d.Count(&x.Up), w.d.Count(&x.Down), w.d.Count(&x.Apart))
		}
	}
	t.Note("Models: that use the construct in some tasks and not alike in all. The median of their τ describes these models and has no interval. The last three columns count those with a corrected p below ", doc.Fixed("0.05"), ".")
}

func (w *writer) longTable(s *doc.Section, id, caption string, rows []difficulty.ConstructRow) {
	t := w.table(s, id, caption, doc.Left("model"), doc.Left("Node"), doc.Right("τ"), doc.Right("p"), doc.Right("Holm"), doc.Right("AD"), doc.Right("p"), doc.Right("Holm"), doc.Right("tasks"))
	for i := range rows {
		r := &rows[i]
		if !hasStar(r) {
			continue
		}
		t.Row(name(r.Model), doc.Name(string(r.Construct)), w.d.Num(&r.Tau, 3), w.p(&r.P, ""), w.corrected(&r.Holm, ""), w.d.Num(&r.AD, 2), w.p(&r.ADP, r.ADCapped), w.corrected(&r.ADHolm, r.ADCapped), w.d.Count(&r.N))
	}
	t.Note("Rows in which neither p is below ", doc.Fixed("0.1"), " are left out; ", doc.Code("report.json"), " has all.")
	if least := 0.001 * float64(len(rows)); least >= Alpha {
		t.Note("The table of AD's p-values ends at ", doc.Fixed("0.001"), ": after the correction for as many tests as there are here none can be below ", doc.Fixed("0.05"), ", so that none of them can reject.")
	}
}
