package difficulty

import (
	"slices"

	"assay/session/difficulty"
	doc "assay/session/report/document"
)

// originals writes where δ and the difficulty by the benchmark's own prompts differ.
func (w *writer) originals() {
	o := w.a.Originals
	if o == nil {
		return
	}
	s := w.section("originals", "Difficulty and original prompts", "Difficulty δ, which is over all prompts of a task, beside the share that fails at the benchmark's own prompt alone (", doc.Fixed("TaskEval, section 2"), ").")
	for _, warning := range o.Warnings {
		s.Warn(doc.Name(warning))
	}
	s.Text(w.d.Count(&o.N), " tasks have both. Each is on a scale of its own, and the second is of few answers: only a large difference tells something, as where all solve the original prompt of a task of high δ, or all fail at that of a task of low δ.")
	if o.Tau != nil {
		s.Text("Kendall's tau-b of the two: ", w.d.Num(&o.Tau.TauB, 2), " (", w.d.Count(&o.Tau.N), " tasks, p ", w.p(&o.Tau.P, ""), ").")
	}
	columns := []doc.Column{doc.Left("task"), doc.Left("title"), doc.Right("δ"), doc.Right("95 % CI"), doc.Right("original"), doc.Right("difference"), doc.Right("all fail"), doc.Right("all solve"), doc.Right("respondents")}
	if w.a.People != nil {
		columns = append(columns, doc.Left("people"))
	}
	t := w.table(s, "originals", "The largest differences between δ and the original prompts", columns...)
	tasks := w.a.ByID()
	for i := range o.Rows[:min(mostJudged, len(o.Rows))] {
		x := tasks[o.Rows[i].Task]
		row := append([]any{name(x.ID), name(x.Title)}, w.parameter(&x.Difficulty)...)
		row = append(row, w.d.Num(&x.Original.Difficulty, 2), w.d.Num(&o.Rows[i].Gap, 2), w.d.Count(&x.Original.Failed), w.d.Count(&x.Original.Solved), w.d.Count(&x.Original.N))
		if p := w.a.People; p != nil {
			var time any = doc.Undefined
			if at := slices.IndexFunc(p.Rows, func(r difficulty.PeopleRow) bool { return r.Task == x.ID }); at >= 0 {
				time = doc.Name(p.Rows[at].MedianTime)
			}
			row = append(row, time)
		}
		t.Row(row...)
	}
	t.Note("Original: the share that fails at the original prompt, the mean over respondents. All fail, all solve: respondents none or all of whose samples pass.")
	if w.a.People != nil {
		t.Note("People: the median time that they estimate.")
	}
}
