package report

import (
	"fmt"
	"strings"

	"assay/session/overlap"
	doc "assay/session/report/document"
)

// Writer has the methods that the writers of all reports share.
type Writer struct {
	to         *doc.Document
	confidence *float64 // in the data
	drawn      map[string]Drawing
}

// NewWriter returns a writer to d. Confidence is that of all intervals; it is a field of the report's data.
func NewWriter(d *doc.Document, confidence *float64, drawings []Drawing) Writer {
	w := Writer{d, confidence, map[string]Drawing{}}
	for _, f := range drawings {
		w.drawn[f.Name] = f
	}
	return w
}

// Drawn reports whether there is a drawing of that name.
func (w *Writer) Drawn(name string) bool {
	_, is := w.drawn[name]
	return is
}

// Figure adds the drawing of that name, if there is one.
func (w *Writer) Figure(s *doc.Section, name string) {
	if f, is := w.drawn[name]; is {
		s.Figure(name, f.Figure, f.Narrow)
	}
}

// Confidence returns the confidence of intervals in percent.
func (w *Writer) Confidence() []any { return doc.Item(w.to.Percent(w.confidence, 0), " %") }

// Percent returns a share in percent.
func (w *Writer) Percent(e *Estimate) doc.Span { return w.to.Percent(&e.Value, e.PercentDecimals()) }

// PercentInterval returns the interval of a share in percent.
func (w *Writer) PercentInterval(e *Estimate) []any {
	return w.to.Range(e.Interval, 100, e.PercentDecimals())
}

// WinRate adds the row of a win rate: judgements, wins, losses, ties, neither, the rate in percent and its interval.
func (w *Writer) WinRate(t *doc.Table, name []any, m *overlap.ModelRate) {
	rate := doc.Item(doc.Undefined)
	if m.Judgements > 0 {
		rate = doc.Item(w.to.Percent(&m.Rate, 1))
	}
	t.Row(name, w.to.Count(&m.Judgements), w.to.Count(&m.Wins), w.to.Count(&m.Losses), w.to.Count(&m.Ties), w.to.Count(&m.Neither), rate, w.to.Range(m.Range, 100, 1))
}

// WriteChecks writes the section on the self-check of a report, if there is one.
func (w *Writer) WriteChecks(in *doc.Section, checks []Check) {
	if len(checks) == 0 {
		return
	}
	s := in.Section("checks", "What this report checked of itself")
	t := s.Table("checks", "Self-check", doc.Left("check"), doc.Right("compared"), doc.Left("result"))
	for i := range checks {
		c := &checks[i]
		result := any("holds")
		if len(c.Faults) > 0 {
			result = w.to.Strong(doc.Name(fmt.Sprintf("%d faults: %s", len(c.Faults), strings.Join(c.Faults[:min(3, len(c.Faults))], "; "))))
		}
		t.Row(c.Name, w.to.Count(&c.Compared), result)
	}
	t.Note("The same checks, on the files as they lie, and on the numbers of this text, each of which is traced to a cell of ", doc.Code("report.json"), ": ", doc.Code("assay report --check DIRECTORY"), ".")
}
