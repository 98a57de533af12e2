package difficulty

import (
	"fmt"

	"assay/session/difficulty"
	doc "assay/session/report/document"
)

// scale writes with what difficulties and abilities can be compared.
func scale(a *difficulty.Analysis) string {
	if j := a.Joint; j != nil {
		return fmt.Sprintf("Scale: that of %s and %s together, linked by %d respondents of both.", middle(a.Source.Name, 40), middle(j.With, 40), len(j.Shared))
	}
	return "Scale: that of these tasks alone; numbers of other benchmarks are not comparable with it."
}

// population writes the assumed distribution of abilities.
func (w *writer) population(s *doc.Section) {
	p := w.a.Fit.Population
	if p == nil {
		return
	}
	s.Text("The logits of ability have a standard deviation of ", w.d.Num(&p.SD, 2), " (", w.Confidence(), " CI ", w.d.Range(&p.SDInterval, 1, 2), ") around a mean of ", w.d.Num(&p.Mean, 2), " (", w.d.Range(&p.MeanInterval, 1, 2), ") in the population that the respondents are drawn from, as estimated.")
	if p.SDInterval.Low < alike {
		s.Warn("Respondents may hardly differ: the interval reaches down to a standard deviation of ", w.d.Num(&p.SDInterval.Low, 2), ". Their order and the discrimination of tasks are then uncertain.")
	}
}

// alike is the standard deviation of the logits of abilities below which respondents hardly differ: the odds of
// two of them differ by a quarter.
const alike = 0.2
