package report

import (
	"fmt"
	"strings"

	doc "assay/session/report/document"
)

func (w *writer) arms() {
	a := w.Arms
	if a == nil {
		return
	}
	s := w.d.Section("comparison", "Comparison")
	w.figure(s, "success-by-attempt-arms")
	w.figure(s, "arms")
	columns := []doc.Column{doc.Left("arm"), doc.Right("sessions"), doc.Right("testers"), doc.Right("tasks"), doc.Right("attempts"), doc.Right("95 %"), doc.Right("satisfied"), doc.Right("time, s")}
	rated := !w.allAutomatic()
	if rated {
		columns = append(columns, doc.Right("total"))
	}
	t := s.Table("arms", "The arms", append(columns, doc.Right("tests passed"))...)
	small := false
	for i := range a.Arms {
		x := &a.Arms[i]
		c := &x.Slice
		small = small || c.Small
		row := []any{doc.Name(x.Name), w.d.Count(&x.Sessions), w.d.Count(&x.Testers), w.d.Count(&c.N), shown(c, w.d.Num(&c.Attempts.Value, 2)), shown(c, w.d.Range(c.Attempts.Interval, 1, 2)),
			shown(c, w.short(&c.Satisfied)), shown(c, w.d.Num(&c.Completion.Value, 2))}
		if rated {
			row = append(row, shown(c, w.d.Num(&c.Total.Value, 2)))
		}
		t.Row(append(row, shown(c, w.d.Num(&c.PassRate.Value, 3)))...)
	}
	w.few(t, small)
	for i := range a.Pairs {
		w.pair(s, i)
	}
	if len(a.Arms) > maxArms {
		s.Note("The pairs of the first ", doc.Fixed(fmt.Sprint(maxArms)), " arms are compared.")
	}
}

func (w *writer) pair(s *doc.Section, i int) {
	p := &w.Arms.Pairs[i]
	t := s.Table(fmt.Sprintf("comparison-%d", i+1), p.First+" against "+p.Second, doc.Left("measure"), doc.Right("first"), doc.Right("second"), doc.Right("difference"), doc.Right("95 %"), doc.Left("how"), doc.Left("test"), doc.Right("p"), doc.Right("p, Holm"))
	for j := range p.Measures {
		m := &p.Measures[j]
		t.Row(m.Measure, w.d.Num(&m.First.Value, 2), w.d.Num(&m.Second.Value, 2), w.d.Num(&m.Difference.Value, 2), w.d.Range(m.Difference.Interval, 1, 2), doc.Fixed(m.Difference.Method), m.Test, w.d.Num(&m.P, 3), w.d.Num(&m.Holm, 3))
	}
	if p.Paired {
		t.Note("Only the ", w.d.Count(&p.Tasks), " tasks that both arms have are compared; ", w.d.Count(&p.OnlyOne), " tasks of one alone are left out.")
	} else {
		t.Note("The arms have too few tasks in common (", w.d.Count(&p.Tasks), "), so that a difference may be that of their tasks.")
	}
	few := doc.Fixed(fmt.Sprint(fewestTesters))
	if p.mixed(w.Report) {
		t.Note("A program is not drawn from other testers: people are compared with it as it was, on the same tasks. From ", few, " people on, the interval and test are over people's means; of fewer they are over tasks, and say nothing about other people. Neither says what the program would do with another model.")
		return
	}
	t.Note("Where several testers worked, a difference is that of their means, and its interval and test are over testers; of one tester who worked in both arms they are over tasks, and say nothing about others. With fewer than ", few, " testers an arm there is neither.")
}

func (w *writer) testers() {
	if len(w.Sessions) < 2 {
		return
	}
	s := w.d.Section("testers", "Testers and sessions")
	if sl := w.sliced("tester"); sl != nil {
		if len(sl.Cells) > 30 {
			s.Text("The means of each of the ", w.d.Count(&w.Testers), " testers are in ", doc.Code("report.json"), ".")
		} else {
			w.sliceTable(s, sl)
		}
	}
	if w.allAutomatic() {
		return
	}
	if w.Same == nil {
		s.Text("Agreement between testers is not computed: no two of them rated the same answer. Each tester wrote prompts of their own and rated what came of them.")
		return
	}
	t := s.Table("agreement", "Agreement on answers that several testers rated", doc.Left("attribute"), doc.Right("answers"), doc.Right("ratings"), doc.Right("Krippendorff's α, ordinal"))
	for i := range w.Same {
		a := &w.Same[i]
		if a.Problem != "" {
			t.Row(doc.Name(a.Attribute), w.d.Count(&a.Answers), w.d.Count(&a.Ratings), a.Problem)
			continue
		}
		t.Row(doc.Name(a.Attribute), w.d.Count(&a.Answers), w.d.Count(&a.Ratings), w.d.Num(&a.Alpha, 3))
	}
}

func (w *writer) checks() {
	if len(w.Checks) == 0 {
		return
	}
	s := w.d.Section("checks", "What this report checked of itself")
	t := s.Table("checks", "Self-check", doc.Left("check"), doc.Right("compared"), doc.Left("result"))
	for i := range w.Checks {
		c := &w.Checks[i]
		result := any("holds")
		if len(c.Faults) > 0 {
			result = w.d.Strong(doc.Name(fmt.Sprintf("%d faults: %s", len(c.Faults), strings.Join(c.Faults[:min(3, len(c.Faults))], "; "))))
		}
		t.Row(c.Name, w.d.Count(&c.Compared), result)
	}
	t.Note("The same checks, on the files as they lie, and on the numbers of this text, each of which is traced to a cell of ", doc.Code("report.json"), ": ", doc.Code("assay report --check DIRECTORY"), ".")
}
