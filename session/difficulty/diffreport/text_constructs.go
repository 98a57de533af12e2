package diffreport

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
	s := w.section("constructs", "Constructs")
	s.Text("How often models use each construct, by line of code, and how hard the tasks are. ", w.d.Count(&c.Samples), " samples of ", w.d.Count(&c.Tasks), " tasks, right or similar to the reference solution (CodeBLEU from ", w.d.Num(&c.Threshold, 2),
		" on; weights of n-grams ", w.d.Num(&c.Weights.NGram, 2), ", weighted n-grams ", w.d.Num(&c.Weights.WeightedNGram, 2), ", syntax ", w.d.Num(&c.Weights.Syntax, 2), ", data flow ", w.d.Num(&c.Weights.DataFlow, 2), "). ",
		w.d.Count(&c.LeftOut), " tasks are left out, of which less than half of the samples are.")
	for _, x := range []struct {
		id, caption string
		rows        []difficulty.ConstructRow
		at          *float64
		what        string
		of          func(*Pattern) *Across
	}{
		{"constructs-difficulty", "Program constructs (node type) with regard to the tasks' difficulty, after TaskEval, table 1", c.Difficulty, &c.DifficultyAt, "difficulty", func(p *Pattern) *Across { return &p.Difficulty }},
		{"constructs-discrimination", "Program constructs (node type) with regard to the tasks' absolute discrimination, after TaskEval, table 2", c.Discrimination, &c.DiscriminationAt, "absolute discrimination", func(p *Pattern) *Across { return &p.Discrimination }},
	} {
		w.paperTable(s, x.id, x.caption, x.rows, x.what, x.at)
		if w.v.Respondents > mostShown {
			w.acrossTable(s, x.id+"-all", "The same over all models, by "+x.what, x.of)
		}
		s.Fold(doc.Item("All models and constructs, by ", x.what, ": tau-b, p and corrected p"), func(in *doc.Section) { w.longTable(in, x.id+"-long", "Constructs and "+x.what, x.rows) })
	}
}

// models are the shown respondents as constructs name them. Constructs are by model,
// respondents may be by prompt; then the models are taken as they come.
func (w *writer) models(rows []difficulty.ConstructRow) (models, heads []string) {
	for _, i := range w.v.Shown {
		who := w.a.Respondents[i].Name
		if slices.ContainsFunc(rows, func(r difficulty.ConstructRow) bool { return r.Model == who }) {
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

// paperTable has a row for each node type and two columns for each model, as the paper has
// them, and below it the corrected p-values in the same layout.
func (w *writer) paperTable(s *doc.Section, id, caption string, rows []difficulty.ConstructRow, what string, at *float64) {
	models, heads := w.models(rows)
	if len(models) == 0 {
		s.Text("No construct varies: there is no table by ", what, ".")
		return
	}
	find := func(model string, construct quality.Construct) *difficulty.ConstructRow {
		i := slices.IndexFunc(rows, func(r difficulty.ConstructRow) bool { return r.Model == model && r.Construct == construct })
		if i < 0 {
			return nil
		}
		return &rows[i]
	}
	columns := []doc.Column{doc.Left("Node")}
	for _, h := range heads {
		columns = append(columns, doc.Right(h+" τ"), doc.Left("AD"))
	}
	t := w.table(s, id, caption, columns...)
	below := w.table(s, id+"-holm", "The p-values of the table above, corrected (Holm over each model's constructs)", columns...)
	for _, construct := range quality.AllConstructs() {
		any1 := false
		cells, corrected := []any{doc.Name(string(construct))}, []any{doc.Name(string(construct))}
		for _, m := range models {
			r := find(m, construct)
			if r == nil {
				cells, corrected = append(cells, "-", "-"), append(corrected, doc.Undefined, doc.Undefined)
				continue
			}
			any1 = any1 || r.P < 0.1 || r.ADP < 0.1
			tau := doc.Item("-")
			if r.P < 0.1 {
				tau = doc.Item(w.d.Num(&r.Tau, 3), doc.Fixed(difficulty.Stars(r.P)))
			}
			cells = append(cells, tau, doc.Fixed(difficulty.Stars(r.ADP)))
			corrected = append(corrected, w.corrected(&r.Holm, ""), w.corrected(&r.ADHolm, r.ADCapped))
		}
		if any1 {
			t.Row(cells...)
			below.Row(corrected...)
		}
	}
	t.Note("τ: Kendall's tau-b of the construct's frequency by line with the tasks' ", what, "; AD: the Anderson-Darling test between the half of the tasks below and the half above the median of ", what, ", here ", w.d.Num(at, 2), ". ",
		doc.Fixed("*** p < 0.01, ** p < 0.05, * p < 0.1, - p ≥ 0.1"), ", or the model uses the construct nowhere. Rows without a star are left out. The stars are not corrected; the next table is.")
	w.key(t)
}

// acrossTable sums all models up.
func (w *writer) acrossTable(s *doc.Section, id, caption string, of func(*Pattern) *Across) {
	t := w.table(s, id, caption, doc.Left("Node"), doc.Right("models"), doc.Right("median τ"), doc.Right("τ > 0"), doc.Right("τ < 0"), doc.Right("AD"))
	for i := range w.v.Patterns {
		p := &w.v.Patterns[i]
		if x := of(p); x.Models > 0 {
			t.Row(doc.Name(string(p.Construct)), w.d.Count(&x.Models), w.d.Num(&x.Median, 2), w.d.Count(&x.Up), w.d.Count(&x.Down), w.d.Count(&x.Apart))
		}
	}
	t.Note("Models: that use the construct in some tasks and not alike in all. The last three columns count those with a corrected p below ", doc.Fixed("0.05"), ".")
}

func (w *writer) longTable(s *doc.Section, id, caption string, rows []difficulty.ConstructRow) {
	t := w.table(s, id, caption, doc.Left("model"), doc.Left("Node"), doc.Right("τ"), doc.Right("p"), doc.Right("Holm"), doc.Right("AD"), doc.Right("p"), doc.Right("Holm"), doc.Right("tasks"))
	for i := range rows {
		r := &rows[i]
		t.Row(name(r.Model), doc.Name(string(r.Construct)), w.d.Num(&r.Tau, 3), w.p(&r.P, ""), w.corrected(&r.Holm, ""), w.d.Num(&r.AD, 2), w.p(&r.ADP, r.ADCapped), w.corrected(&r.ADHolm, r.ADCapped), w.d.Count(&r.N))
	}
}
