package ratings

import (
	"strings"

	"assay/scoring/stats"
	"assay/session/overlap"
	"assay/session/report"
	doc "assay/session/report/document"
)

type writer struct {
	report.Writer
	*Report
	d *doc.Document
}

func (r *Report) document(drawings []report.Drawing) *doc.Document {
	a := r.Analysis
	d := doc.New(r.Title, r)
	if a.Filter != "" {
		d.Subtitle = "A part of the ratings: only tasks that match the filter " + a.Filter
	}
	w := &writer{report.NewWriter(d, &r.Level, drawings), r, d}
	if a.Pairs != nil {
		w.preferences()
		d.EndLead()
		w.scale()
		w.reasons()
		w.reliability()
	} else {
		w.ratings()
		d.EndLead()
	}
	w.notes()
	for i := range a.Judges {
		w.judge(&a.Judges[i], i)
	}
	return d
}

// with writes a statistic with its interval, or why there is none.
func (w *writer) with(v *float64, iv *stats.Interval, problem string, noInterval ...string) []any {
	switch {
	case v == nil && problem != "":
		return doc.Item(doc.Undefined, " ", doc.Name(problem))
	case v == nil:
		return doc.Item(doc.Undefined)
	case iv == nil && strings.Join(noInterval, "") != "":
		return doc.Item(w.d.Num(v, 3), " (no interval: ", doc.Name(strings.Join(noInterval, "")), ")")
	case iv == nil:
		return doc.Item(w.d.Num(v, 3))
	}
	return doc.Item(w.d.Num(v, 3), " (", w.d.Range(iv, 1, 3), ")")
}

// share writes a number of cases out of all.
func (w *writer) share(s *overlap.Share) []any {
	if s.All == 0 {
		return doc.Item(doc.Undefined)
	}
	return doc.Item(w.d.Count(&s.N), " of ", w.d.Count(&s.All))
}

func rateColumns(first string) []doc.Column {
	return []doc.Column{doc.Left(first), doc.Right("judgements"), doc.Right("wins"), doc.Right("losses"), doc.Right("ties"), doc.Right("neither"), doc.Right("win rate, %"), doc.Right("95 % CI")}
}

func (w *writer) preferences() {
	a, p := w.Analysis, w.Analysis.Pairs
	s := w.d.Section("conclusion", "Conclusion")
	s.Text(w.d.Strong(doc.Name(p.Conclusion)))
	s.Text("People judged ", w.d.Count(&p.Judgements), " times which of two answers to a task is better: ", w.d.Count(&p.Pairs), " pairs, each by ", w.d.Count(&a.Overlap),
		" of ", doc.Fixed(stats.Round(float64(len(a.Raters)), 0)), " raters. ", w.d.Count(&a.Missing), " judgements are missing. Closed by ", doc.Name(a.ClosedBy), " on ", doc.Fixed(a.ClosedAt.Format("2006-01-02")),
		". Models were not named, and their names in answers masked.")
	if p.Picks > 0 {
		s.Text(w.d.Count(&p.Picks), " of these judgements are picks of testers in sessions, which are in no agreement of raters and no time.")
	}
	if p.Identical > 0 {
		s.Text(w.d.Count(&p.Identical), " pairs of models gave the same answer to a task; nobody was asked for these, and they are in no number.")
	}
	if p.Chosen != "" {
		s.Warn("Each pair was chosen by what its rater had judged before: the scale holds for all pairs, win rates only for those that were chosen.")
	}
	if !p.ByRater {
		s.Note("Errors are at the tasks: there are fewer than ", doc.Fixed("5"), " raters, and the numbers speak of these raters only.")
	}
	s = w.d.Section("rates", "Win rates")
	t := s.Table("win-rates", "How often the answers of a model are better", rateColumns("model")...)
	for i := range p.Models {
		w.WinRate(t, doc.Item(doc.Name(p.Models[i].Model)), &p.Models[i])
	}
	t.Note("Rated by people. Equal and neither count one half. There is no interval for fewer than ", doc.Fixed("5"), " tasks.")
	w.Figure(s, "win-rates")
	t = s.Table("matrix", "Each model against each other one", rateColumns("model : against")...)
	for i := range p.Matrix {
		w.WinRate(t, doc.Item(doc.Name(p.Matrix[i].Model+" : "+p.Matrix[i].Against)), &p.Matrix[i].ModelRate)
	}
}

func (w *writer) scale() {
	p := w.Analysis.Pairs
	s := w.d.Section("scale", "Strengths")
	if p.Scale.Problem != "" {
		s.Text("There is no scale of strengths: ", doc.Name(p.Scale.Problem), ".")
		return
	}
	w.Figure(s, "strengths")
	for _, x := range []struct {
		id, title string
		of        *overlap.PairScale
	}{{"scale", "Bradley-Terry with ties", &p.Scale}, {"scale-style", "The same at equal " + p.Style.Equal, &p.Style}} {
		if x.of.Problem != "" {
			s.Text(x.title, ": none, ", doc.Name(x.of.Problem), ".")
			continue
		}
		t := s.Table(x.id, x.title, doc.Left("model"), doc.Right("strength (95 % CI)"), doc.Right("rank"), doc.Right("ranks left"))
		for i := range x.of.Models {
			m := &x.of.Models[i]
			t.Row(doc.Name(m.Model), w.with(&m.Strength, m.Range, ""), w.d.Count(&m.Rank), doc.Item(w.d.Count(&m.RankLow), " to ", w.d.Count(&m.RankHigh)))
		}
		t.Note("Davidson's model: logits, less the mean of all models. Ranks left are those that the data do not exclude, for all models together.")
	}
	if p.Style.Problem == "" && len(p.Style.Effects) > 0 {
		t := s.Table("effects", "Effects of side and style on which answer is better", doc.Left("covariate"), doc.Right("logits (95 % CI)"))
		for i := range p.Style.Effects {
			e := &p.Style.Effects[i]
			t.Row(doc.Name(e.Name), w.with(&e.Value, e.Range, ""))
		}
	}
}

// reasons writes how much better, and in what, answers are.
func (w *writer) reasons() {
	p := w.Analysis.Pairs
	var much *doc.Table
	for i := range p.Matrix {
		m := &p.Matrix[i]
		if m.HowMuch == nil {
			continue
		}
		if much == nil {
			much = w.d.Section("how-much", "How much better").Table("how-much", "How much better answers are", doc.Left("model : against"), doc.Right("judgements"), doc.Right("mean (95 % CI)"))
			much.Note(doc.Fixed("−3"), " far worse to ", doc.Fixed("3"), " far better; ties are ", doc.Fixed("0"), ".")
		}
		much.Row(doc.Name(m.Model+" : "+m.Against), w.d.Count(&m.HowMuch.Judgements), w.with(&m.HowMuch.Mean, m.HowMuch.Range, ""))
	}
	if len(p.Why) == 0 {
		return
	}
	s := w.d.Section("why", "In what answers are better")
	for i := range p.Why {
		y := &p.Why[i]
		t := s.Table("why-"+y.Attribute, y.Name, rateColumns("model")...)
		for k := range y.Models {
			w.WinRate(t, doc.Item(doc.Name(y.Models[k].Model)), &y.Models[k])
		}
		t.Note("The same side as on the whole: ", w.share(&y.Agree), ".")
	}
}

// reliability writes how far the judgements can be trusted, and how preference goes with what else is known.
func (w *writer) reliability() {
	p := w.Analysis.Pairs
	s := w.d.Section("agreement", "Agreement and consistency")
	t := s.Table("agreement", "Agreement of raters, and of each with themself", doc.Left("what"), doc.Right("value"))
	t.Row(doc.Fixed("Krippendorff's alpha, nominal (95 % CI)"), w.with(p.Agreement.Value, p.Agreement.Range, p.Agreement.Problem, p.Agreement.NoneSaid))
	for _, x := range []struct {
		name string
		of   *overlap.Share
	}{{"judgements of the same pair that are the same", &p.Same}, {"repeats with sides swapped judged the same", &p.Repeats}, {"decided judgements for the left side", &p.Left},
		{"circular triads of one rater's judgements of a task; a quarter by chance", &p.Triads}} {
		t.Row(x.name, w.share(x.of))
	}
	for i := range p.Attention {
		t.Row(doc.Item("attention checks passed by ", doc.Name(p.Attention[i].Rater)), w.share(&p.Attention[i].Share))
	}
	s = w.d.Section("tests", "Preference against tests, ratings and time")
	s.Text("A failing answer preferred to an accepted one: ", w.share(&p.Wrong), " decided judgements of such pairs.")
	if len(p.Rated) > 0 {
		t := s.Table("rated", "The answer preferred that its tester rated higher", doc.Left("attribute"), doc.Right("judgements"))
		for i := range p.Rated {
			t.Row(doc.Name(p.Rated[i].Attribute), w.share(&p.Rated[i].Higher))
		}
		t.Note("Of decided judgements of answers that were rated differently in their sessions.")
	} else {
		s.Note("These answers have no ratings of testers.")
	}
	s.Text("Median time of a judgement: ", w.d.Num(&p.Median, 1), " s.")
	if len(p.Pace) > 0 {
		t := s.Table("pace", "The faster and the slower half of each rater's judgements", doc.Left("half"), doc.Right("median, s"), doc.Right("decided"), doc.Right("for the left side"), doc.Right("a failing answer preferred"))
		for i := range p.Pace {
			h := &p.Pace[i]
			t.Row(doc.Name(h.Name), w.d.Num(&h.Median, 1), w.share(&h.Decided), w.share(&h.Left), w.share(&h.Wrong))
		}
	}
}

func (w *writer) notes() {
	a := w.Analysis
	if len(a.Notes) == 0 {
		return
	}
	s := w.d.Section("notes", "Notes of raters")
	var items [][]any
	for _, n := range a.Notes {
		items = append(items, doc.Item(doc.Name(n.Rater+", "+n.Task+": "+strings.TrimSpace(n.Text))))
	}
	s.List(items...)
}
