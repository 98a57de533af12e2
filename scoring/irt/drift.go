package irt

import (
	"math"

	"assay/scoring/stats"
)

// Drift is how much abler a respondent is on the first benchmark of a joint fit than on the second, in logits: the
// difference of two Newton steps from the joint ability, Σna(y-p) / Σna²p(1-p) over the items of each (a Lagrange
// multiplier test of equal abilities; Glas, Statistica Sinica 8, 1998), less the median of all respondents of both.
// Whoever has memorised items of one benchmark drifts.
type Drift struct {
	Respondent string  `json:"respondent"`
	Difference float64 `json:"difference"` // logits
	SE         float64 `json:"se"`         // with the scatter of the middle respondent's responses
	P          float64 `json:"p"`          // of no drift, two-sided, corrected by Holm over the respondents
}

// Drifts tests the respondents who answered items of both sides, in the order of the fit; second is the index of the second
// benchmark's first item. Respondents whose responses tell nothing on a side are left out.
func (e *Estimates) Drifts(second int) []Drift {
	var all []Drift
	scatter := e.middleScatter()
	for i, name := range e.Respondents {
		var steps, information [2]float64
		for j := range e.Items {
			at := j*e.p.respondents + i
			if n := e.p.n[at]; n > 0 {
				side, p, a := min(1, j/second), e.Expected(i, j), e.at.a[j]
				steps[side] += n * a * (e.p.raw[at] - p)
				information[side] += n * a * a * p * (1 - p)
			}
		}
		if information[0] > 1e-9 && information[1] > 1e-9 {
			se := math.Sqrt(scatter * (1/information[0] + 1/information[1]))
			all = append(all, Drift{Respondent: name, Difference: steps[0]/information[0] - steps[1]/information[1], SE: se})
		}
	}
	differences, ps := make([]float64, len(all)), make([]float64, len(all))
	for i, d := range all {
		differences[i] = d.Difference
	}
	middle := stats.Median(differences)
	for i := range all {
		all[i].Difference -= middle
		ps[i] = math.Erfc(math.Abs(all[i].Difference) / all[i].SE / math.Sqrt2)
	}
	if corrected, err := stats.Holm(ps); err == nil {
		for i := range all {
			all[i].P = corrected[i]
		}
	}
	return all
}

// middleScatter is the median over the respondents of how much their responses scatter, as a multiple of what the model
// expects, at least 1: that of all responses would include what is tested.
func (e *Estimates) middleScatter() float64 {
	if !e.Dispersion.Known {
		return 1
	}
	var ratios []float64
	for i := range e.Respondents {
		found, expected := 0.0, 0.0
		for j := range e.Items {
			if n := e.p.n[j*e.p.respondents+i]; n > 0 {
				mean, variance := e.moments(i, j)
				rest := e.p.raw[j*e.p.respondents+i] - mean
				found, expected = found+n*n*rest*rest, expected+n*n*variance
			}
		}
		if expected > 0 {
			ratios = append(ratios, found/expected)
		}
	}
	return max(1, stats.Median(ratios)*float64(e.Responses)/e.Dispersion.Freedom)
}
