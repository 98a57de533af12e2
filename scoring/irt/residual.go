package irt

import "math"

// Dispersion is the scatter of the responses around the expected scores, as a multiple of what the
// observation implies.
type Dispersion struct {
	// Ratio is N/(N-k) · Σ(y-p)²w² / Σ V(y)w², over the N responses, with k the effective number of
	// parameters (those that the priors do not determine) and weights w: trials for Binomial, 1 for Beta.
	// It is 1 if the observation is right.
	Ratio float64 `json:"ratio"`
	// Freedom is N-k.
	Freedom float64 `json:"freedom"`
	// Known reports whether there are more responses than parameters, and any that could scatter; if not,
	// Ratio is 1.
	Known bool `json:"known"`
}

// divisor returns the factor by which intervals divide the responses' curvature: the ratio, if it exceeds 1 by
// more than two standard errors of √(2/freedom) each.
func (d Dispersion) divisor() float64 {
	if !d.Known || d.Ratio < 1+2*math.Sqrt(2/d.Freedom) {
		return 1
	}
	return d.Ratio
}

// moments returns the model's mean and variance of the response of respondent i to item j.
func (e *Estimates) moments(i, j int) (mean, variance float64) {
	mean = e.Expected(i, j)
	if e.p.observation == Beta {
		alpha, beta := shapes(e.at.t[i], e.at.d[j], e.at.a[j])
		return mean, mean * (1 - mean) / (alpha + beta + 1)
	}
	return mean, mean * (1 - mean) / e.p.n[j*e.p.respondents+i]
}

// dispersion computes the dispersion; parameters is their effective number.
func (e *Estimates) dispersion(parameters float64) Dispersion {
	found, expected, count := 0.0, 0.0, 0.0
	for j := range e.Items {
		for i := range e.Respondents {
			at := j*e.p.respondents + i
			n := e.p.n[at]
			if n == 0 {
				continue
			}
			mean, variance := e.moments(i, j)
			found += n * n * (e.p.raw[at] - mean) * (e.p.raw[at] - mean)
			expected += n * n * variance
			count++
		}
	}
	free := count - parameters
	if !(free >= 1 && expected > 0) {
		return Dispersion{Ratio: 1, Freedom: max(0, free)}
	}
	return Dispersion{Ratio: found / expected * count / free, Freedom: free, Known: true}
}

// Shared estimates the intraclass correlation of the trials of a respondent on an item, by moments: with it each
// Σ(y-p)²n² is expected to be np(1-p)(1 + (n-1)ρ) (Williams, Applied Statistics 31, 1982, model II). It is not
// known from single trials, or from shares without a count.
func (e *Estimates) Shared() (rho float64, known bool) {
	single, pairs := 0.0, 0.0
	for j := range e.Items {
		for i := range e.Respondents {
			if n := e.p.n[j*e.p.respondents+i]; n > 0 {
				p := e.Expected(i, j)
				single += n * p * (1 - p)
				pairs += n * (n - 1) * p * (1 - p)
			}
		}
	}
	if !e.Dispersion.Known || !(pairs > 0) || e.p.observation == Beta {
		return 0, false
	}
	return min(1, max(0, e.Dispersion.Ratio-1)*single/pairs), true
}

// Answered returns the number of respondents with a response to item j.
func (e *Estimates) Answered(j int) int {
	count := 0
	for _, n := range e.p.n[j*e.p.respondents : (j+1)*e.p.respondents] {
		if n > 0 {
			count++
		}
	}
	return count
}

// PersonOrItemFit is the fit of one respondent's or item's responses.
type PersonOrItemFit struct {
	Name string `json:"name"`
	N    int    `json:"n"` // responses
	// Outfit is the mean squared standardised residual, Σz²/N; a single unexpected response makes it large.
	Outfit float64 `json:"outfit"`
	// Infit weights them by the information of the response, ΣVz²/ΣV = Σ(y-p)²w²/ΣV(y)w².
	Infit float64 `json:"infit"`
}

// FitStatistics are the fit statistics of every respondent and item. Standardised residuals are z =
// (y-p)/√V(y), with V = p(1-p)/n for Binomial, and for Beta the variance of the beta distribution,
// p(1-p)/(α+β+1). Mean squares are near 1 if the model fits; above it responses are more erratic, below it
// less (Wright & Masters, Rating Scale Analysis, 1982, chapter 5; for Beta the same with that variance).
// They are not corrected for the fitted parameters: with few respondents they are below 1. Variances below
// 1e-9 are raised to it, so that a certain expectation does not divide by zero.
type FitStatistics struct {
	Respondents []PersonOrItemFit `json:"respondents"`
	Items       []PersonOrItemFit `json:"items"`
	// Residuals are z of each respondent (row) and item (column); 0 for a missing response, which Present
	// marks.
	Residuals [][]float64 `json:"residuals"`
	Present   [][]bool    `json:"present"`
}

// Fits computes the fit statistics.
func (e *Estimates) Fits() FitStatistics {
	const least = 1e-9
	out := FitStatistics{Respondents: make([]PersonOrItemFit, len(e.Respondents)), Items: make([]PersonOrItemFit, len(e.Items))}
	type sums struct{ weighted, weight float64 }
	of := func(fits []PersonOrItemFit, names []string) []sums {
		for k := range fits {
			fits[k].Name = names[k]
		}
		return make([]sums, len(fits))
	}
	rows, columns := of(out.Respondents, e.Respondents), of(out.Items, e.Items)
	for i := range e.Respondents {
		out.Residuals = append(out.Residuals, make([]float64, len(e.Items)))
		out.Present = append(out.Present, make([]bool, len(e.Items)))
		for j := range e.Items {
			at := j*e.p.respondents + i
			n := e.p.n[at]
			if n == 0 {
				continue
			}
			mean, variance := e.moments(i, j)
			variance = max(least, variance)
			z := (e.p.raw[at] - mean) / math.Sqrt(variance)
			out.Residuals[i][j], out.Present[i][j] = z, true
			for _, cell := range []struct {
				fit *PersonOrItemFit
				sum *sums
			}{{&out.Respondents[i], &rows[i]}, {&out.Items[j], &columns[j]}} {
				cell.fit.N++
				cell.fit.Outfit += z * z
				cell.sum.weighted += n * n * variance * z * z
				cell.sum.weight += n * n * variance
			}
		}
	}
	finish := func(fits []PersonOrItemFit, all []sums) {
		for k := range fits {
			fits[k].Outfit /= float64(fits[k].N)
			fits[k].Infit = all[k].weighted / all[k].weight
		}
	}
	finish(out.Respondents, rows)
	finish(out.Items, columns)
	return out
}
