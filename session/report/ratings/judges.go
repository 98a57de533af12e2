package ratings

import (
	"fmt"
	"strings"

	"assay/session/overlap"
	doc "assay/session/report/document"
)

// judge writes how a judge compares with people, and what both say together.
func (w *writer) judge(j *overlap.JudgeAnalysis, n int) {
	id := func(of string) string { return fmt.Sprintf("%s-%d", of, n+1) }
	s := w.d.Section(id("judge"), "Judgements of models: "+j.Name)
	if n == 0 {
		s.Text("What follows contains judgements of models; nothing above does.")
	} else {
		s.Text("These are other judgements of models.")
	}
	t := s.Table(id("judge-agreement"), "Agreement of "+j.Name+" with people (95 % CI)", doc.Left("what"), doc.Right("both rated"), doc.Right("kappa, linear weights"), doc.Right("alpha, interval"), doc.Right("judge minus people"))
	for i := range j.Agreement {
		q := &j.Agreement[i]
		t.Row(doc.Name(q.Name), w.d.Count(&q.N), w.with(q.Kappa, q.Range, q.Problem, q.NoneSaid), w.with(q.Alpha.Value, q.Alpha.Range, q.Alpha.Problem, q.Alpha.NoneSaid), w.with(q.Difference, q.Distance, ""))
	}
	if j.First.All > 0 {
		s.Text("The answer shown first preferred: ", w.share(&j.First), ". Pairs judged the same in both orders: ", w.share(&j.Consistent), ".")
	}
	if len(j.Bias) > 0 {
		t = s.Table(id("bias"), "Where "+j.Name+" and people differ systematically (95 % CI)", doc.Left("group"), doc.Right("both rated"), doc.Right("people"), doc.Right("judge"), doc.Right("judge minus people"))
		for i := range j.Bias {
			b := &j.Bias[i]
			t.Row(doc.Name(b.Name), w.d.Count(&b.N), w.d.Num(&b.People, 3), w.d.Num(&b.Judge, 3), w.with(&b.Difference, b.Range, ""))
		}
		t.Note("No interval for fewer than ", doc.Fixed("5"), " tasks. Of pairs: how often the answer that is named is better.")
	}
	for i := range j.ByType {
		if k := &j.ByType[i]; k.Type != "" {
			s.Text("The same as people, tasks of type ", doc.Name(k.Type), ": ", w.share(&k.Share), ".")
		}
	}
	w.confusion(s, j, id)
	w.together(s, &j.Together, id)
	w.apart(s, j, id)
}

// confusion writes the confusion tables of pairs and of labels.
func (w *writer) confusion(s *doc.Section, j *overlap.JudgeAnalysis, id func(string) string) {
	for i := range j.Agreement {
		q := &j.Agreement[i]
		if q.N == 0 || q.ID != "better" && !strings.Contains(q.ID, "=") {
			continue
		}
		columns := []doc.Column{doc.Left("people \\ judge")}
		for _, v := range q.Values {
			columns = append(columns, doc.Right(v))
		}
		t := s.Table(fmt.Sprintf("%s-%d", id("confusion"), i+1), q.Name+": people down, judge across", columns...)
		for k := range q.Table {
			row := []any{doc.Name(q.Values[k])}
			for c := range q.Table[k] {
				row = append(row, w.d.Count(&q.Table[k][c]))
			}
			t.Row(row...)
		}
	}
}

// together writes the estimates from people's ratings and judgements.
func (w *writer) together(s *doc.Section, t *overlap.Together, id func(string) string) {
	in := s.Section(id("together"), "People and judge together")
	if t.Problem != "" {
		in.Text("None: ", doc.Name(t.Problem), ".")
		return
	}
	if t.Warning != "" {
		in.Warn(doc.Name(t.Warning))
	}
	in.Text("Prediction-powered inference: people's ratings of a random sample correct the judgements of all. The interval is valid whatever the judge's faults.")
	columns := []doc.Column{doc.Left("what"), doc.Right("people alone (95 % CI)"), doc.Right("judge alone"), doc.Right("together, with judgements of models (95 % CI)"), doc.Right("ratings of people"), doc.Right("as sure as")}
	means := in.Table(id("together"), "Numbers of people, and with judgements of models", columns...)
	var regression *doc.Table
	last := ""
	for i := range t.Estimates {
		c := &t.Estimates[i]
		if c.OfAttribute() && (c.Model != "" || c.Kind == "coefficient") {
			continue
		}
		table, name := means, c.Name
		if c.Model != "" {
			name += ", " + c.Model
		}
		if c.Against != "" {
			name += " : " + c.Against
		}
		if c.Kind == "coefficient" {
			if name = c.Covariate; c.ID != last {
				last = c.ID
				regression = in.Table(fmt.Sprintf("%s-%d", id("regression"), i), "Regression of "+c.Name+", in "+c.Unit(), append(columns[:len(columns):len(columns)], doc.Right("p, people alone"), doc.Right("p, with judgements of models"))...)
			}
			table = regression
		}
		row := []any{doc.Name(name), doc.Item(doc.Undefined, " ", doc.Name(c.Problem)), "", "", "", ""}
		if c.Problem == "" {
			row = []any{doc.Name(name), w.with(c.People, c.Alone, ""), w.with(c.Judge, nil, ""), w.with(c.Value, c.Range, ""), w.d.Count(&c.Rated), w.d.Num(&c.Effective, 0)}
		}
		if c.Kind == "coefficient" {
			row = append(row, w.p(c.PeopleP), w.p(c.P))
		}
		table.Row(row...)
		for _, other := range []struct {
			name string
			*overlap.Corrected
		}{{"Rogan-Gladen", c.RoganGladen}, {"joint estimate", c.Joint}} {
			if other.Corrected != nil {
				table.Row(doc.Item(doc.Name(name+", "+other.name)), "", "", w.with(other.Value, other.Range, other.Problem), "", "")
			}
		}
	}
	means.Note("As sure as so many ratings of people alone would be. Intervals are at the tasks, and with ", doc.Fixed("5"), " raters or more of pairs and regressions also at the raters.")
}

// p writes a p-value.
func (w *writer) p(p *float64) any {
	if p == nil {
		return doc.Undefined
	}
	if *p < 0.001 {
		return doc.Fixed("< 0.001")
	}
	return w.d.Num(p, 4)
}

// apart lists where judge and people differ most.
func (w *writer) apart(s *doc.Section, j *overlap.JudgeAnalysis, id func(string) string) {
	if len(j.Apart) == 0 {
		return
	}
	t := s.Table(id("apart"), "Where "+j.Name+" and people differ most", doc.Left("task"), doc.Left("answer of"), doc.Right("people"), doc.Right("judge"), doc.Left("the judge's reason"))
	for i := range j.Apart {
		d := &j.Apart[i]
		reason := ""
		if len(d.Reasons) > 0 {
			reason = d.Reasons[0]
		}
		t.Row(doc.Name(d.Task), doc.Name(strings.Join(d.Models, " against ")), w.d.Num(&d.People, 2), w.d.Num(&d.Judge, 2), doc.Name(reason))
	}
	s.Fold(doc.Item("These answers"), func(s *doc.Section) {
		for _, d := range j.Apart {
			for i, text := range d.Answers {
				s.Answer(d.Task+", by "+d.Models[i], text)
			}
		}
	})
}
