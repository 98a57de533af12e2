package difficulty

import (
	"fmt"

	"assay/session/difficulty"
	doc "assay/session/report/document"
)

// mostJudged is how many disagreements are listed.
const mostJudged = 10

// people writes how hard people estimate tasks to be, beside how hard they are for models.
func (w *writer) people() {
	p := w.a.People
	if p == nil {
		return
	}
	s := w.section("people", "People and models", "How hard people take tasks to be, beside how hard they are for models (", doc.Fixed("TaskEval, section 5.4 and table 3"), ").")
	for _, warning := range p.Warnings {
		s.Warn(doc.Name(warning))
	}
	s.Text(w.d.Count(&p.N), " tasks have a settled estimate of people and a difficulty for models. ",
		w.kappa("Agreement", &p.Kappa), w.kappa(" Had people estimated a category more, where the scale has one", &p.Up), w.kappa(" A category less", &p.Down))
	if p.Tau != nil {
		s.Text("Kendall's tau-b of the models' difficulty and people's category: ", w.d.Num(&p.Tau.TauB, 2), " (", w.d.Count(&p.Tau.N), " tasks, p ", w.p(&p.Tau.P, ""), ").")
	}
	s.Text("The models' difficulty on people's scale: ", doc.Name(p.Discretisation), ". People agreed on a task where ", doc.Name(p.Statistic), " reached ", w.d.Num(&p.Threshold, 2), ".")
	if d := w.v.Drawn; d != nil {
		s.Text("Are the ", w.d.Count(&d.N), " estimated tasks as difficult for models as all ", w.d.Count(&w.v.Tasks), "? The k-sample Anderson-Darling test between the two distributions of δ: ", w.tested(&d.Tested))
	}
	if len(p.Rows) == 0 {
		return
	}
	t := w.table(s, "people", "The largest disagreements between models and people, after TaskEval, table 3", doc.Left("task description"), doc.Left("task"), doc.Right("LLMs"), doc.Right("humans"),
		doc.Left("median time"), doc.Right("estimates"), doc.Right("agreement"))
	for i := range p.Rows[:min(mostJudged, len(p.Rows))] {
		x := &p.Rows[i]
		t.Row(name(x.Title), name(x.Task), w.d.Count(&x.Models), w.d.Count(&x.People), doc.Name(x.MedianTime), w.d.Count(&x.N), w.d.Num(&x.Agreement, 2))
	}
	levels := []any{"Levels, "}
	for i, l := range p.Scale {
		if i > 0 {
			levels = append(levels, "; ")
		}
		levels = append(levels, doc.Name(fmt.Sprintf("%d: %s", i, l)))
	}
	t.Note(append(levels, ".")...)
}

// kappa writes a weighted kappa, or why there is none.
func (w *writer) kappa(what string, k *difficulty.PeopleKappa) []any {
	if k.Value == nil {
		return doc.Item(what, ": no kappa, since ", doc.Name(k.Why), ".")
	}
	return doc.Item(what, ": Cohen's kappa with linear weights ", w.d.Num(&k.Value.Kappa, 2), " (", w.Confidence(), " CI ", w.d.Range(&k.Value.Interval, 1, 2), ").")
}
