package sessions

import (
	"slices"
	"strings"

	"assay/session/report"
	doc "assay/session/report/document"
)

// writer writes the report as text.
type writer struct {
	*Report
	report.Writer
	d *doc.Document
}

// estimate returns a statistic with its n and interval, in words.
func (w *writer) estimate(e *report.Estimate, decimals int) []any {
	if e.Interval == nil {
		return doc.Item(w.d.Num(&e.Value, decimals), " (n = ", w.d.Count(&e.N), "; ", doc.Fixed(e.Method), ")")
	}
	return doc.Item(w.d.Num(&e.Value, decimals), " (n = ", w.d.Count(&e.N), "; ", w.Confidence(), " CI ", w.d.Range(e.Interval, 1, decimals), ", ", doc.Fixed(e.Method), ")")
}

// share returns a count with its total, and the percentage with its interval.
func (w *writer) share(s *report.Share) []any {
	if s.N == 0 {
		return doc.Item("none observed")
	}
	return doc.Item(w.d.Count(&s.Count), " of ", w.d.Count(&s.N), " = ", w.Percent(&s.Estimate), " % (", w.Confidence(), " CI ", w.PercentInterval(&s.Estimate), ")")
}

func of(value, most report.Number) doc.Span { return doc.Bar(float64(value) / float64(most)) }

// sessionsN returns the number of sessions, which the check verifies.
func (w *writer) sessionsN() doc.Span { return w.d.Count(&w.Report.Number) }

// capital begins a caption.
func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// distinct returns the values that sessions have, each once.
func (r *Report) distinct(of func(Header) string) []any {
	var values []string
	for _, h := range r.Sessions {
		if v := of(h); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return doc.Item("not recorded")
	}
	const most = 8
	more := ""
	if len(values) > most {
		values, more = values[:most], ", …"
	}
	return doc.Item(doc.Name(strings.Join(values, ", ") + more))
}

// pValue is ", p = …" where there is one.
func (w *writer) pValue(p *report.Number) []any {
	if !p.Defined() {
		return nil
	}
	if *p < 0.001 {
		return doc.Item(", p ", w.p(p))
	}
	return doc.Item(", p = ", w.p(p))
}

// p returns a formatted p-value, never 0.
func (w *writer) p(p *report.Number) doc.Span {
	if *p < 0.001 {
		return doc.Fixed("< 0.001")
	}
	return w.d.Num(p, 3)
}

// reason returns why an estimate has no interval.
func reason(e *report.Estimate) string { return strings.TrimPrefix(e.Method, "no interval: ") }

// newer returns the words of this layout or, on pages of earlier ones, theirs.
func (w *writer) newer(now, before string) string {
	if w.Layout < Layout {
		return before
	}
	return now
}

// folded puts what fill writes into a fold; pages of earlier layouts have it open.
func (w *writer) folded(s *doc.Section, summary string, fill ...func(*doc.Section)) {
	all := func(s *doc.Section) {
		for _, f := range fill {
			f(s)
		}
	}
	if w.Layout < Layout {
		all(s)
		return
	}
	s.Fold(doc.Item(summary), all)
}

// bracketed returns an estimate with its interval in brackets.
func (w *writer) bracketed(e *report.Estimate, scale float64, decimals int) []any {
	cell := doc.Item(w.d.Scaled(&e.Value, scale, decimals))
	if e.Interval != nil {
		cell = append(cell, " (", w.d.Range(e.Interval, scale, decimals), ")")
	}
	return cell
}
