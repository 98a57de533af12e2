package sessions

import (
	"math"
	"slices"

	"assay/scoring/stats"
	"assay/session/report"
	doc "assay/session/report/document"
)

// testOfLogs is the name of the test of a comparison that the ratio decides.
const testOfLogs = "t of the logarithms"

// ratioInstead is why a difference in seconds has no interval.
const ratioInstead = "no interval: times are too skewed for Student's t of seconds; their ratio has an interval"

// logOf begins the id of a measure's logarithms.
const logOf = "log "

// logarithms returns the measure of the logarithms of a measure's values.
func (m measure) logarithms() measure {
	of := m.of
	m.id, m.low, m.high, m.share = logOf+m.id, math.Inf(-1), math.Log(m.high), false
	m.of = func(r result) (float64, bool) {
		v, known := of(r)
		return math.Log(v), known
	}
	return m
}

// ratio compares two arms by the ratio of a measure's values, unless one of them is 0. Estimate and test are those of the
// difference in the mean logarithm, by the design's own model: times scatter in proportion to their size, so the errors
// of logarithms are alike in both arms where those of seconds are not. The ratio decides whether the arms differ, and
// the difference in seconds has no interval beside it: Student's covers 86 to 90 % where one arm is four times slower
// (TestCalibrateRatio), and less where it is printed only if the arms look alike.
func (c *Compared) ratio(cross *crossings, m measure, paired, crossed bool, a, b []result) {
	zero := func(r result) bool {
		v, known := m.of(r)
		return known && !(v > 0)
	}
	if c.contrast = (stats.Contrast{}); slices.ContainsFunc(cross.results, zero) {
		return
	}
	logs := compared(cross, m.logarithms(), paired, crossed, a, b)
	c.contrast = logs.contrast
	r := logs.Difference
	if logs.mixed(cross.plan) {
		r = logs.General.Difference
	}
	if r.Interval == nil {
		return
	}
	r.Value, c.Ratio = report.Number(math.Exp(float64(r.Value))), &r
	r.Interval = &stats.Interval{Low: math.Exp(r.Interval.Low), High: math.Exp(r.Interval.High)}
	c.P, c.Test = logs.P, testOfLogs
	c.Difference.Interval, c.Difference.Method, c.Effect = nil, ratioInstead, nil
	if logs.General == nil {
		c.General = nil
	}
	if c.General != nil {
		c.General.P = logs.General.P
		c.General.Difference.Interval, c.General.Difference.Method = nil, ratioInstead
	}
}

// sign returns the sign of the difference that the deciding interval shows, 0 if it includes no difference. ok is false
// without an interval.
func (w *writer) sign(m *Compared) (sign int, ok bool) {
	if m.Ratio != nil {
		return excludesNone(&stats.Interval{Low: m.Ratio.Interval.Low - 1, High: m.Ratio.Interval.High - 1}), true
	}
	difference, _, _ := w.judged(m)
	if difference.Interval == nil {
		return 0, false
	}
	return excludesNone(difference.Interval), true
}

// ratio returns the ratio of a comparison in words.
func (w *writer) ratio(m *Compared, p *report.Number) []any {
	return doc.Item("ratio ", w.d.Num(&m.Ratio.Value, 2), " (", w.confidenceOf(m), " CI ", w.d.Range(m.Ratio.Interval, 1, 2), w.pValue(p), ")")
}
