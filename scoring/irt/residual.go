package irt

import "math"

// Dispersion is how much the responses scatter around what is expected of them,
// as a multiple of what the observation says they should.
type Dispersion struct {
	// Ratio is N/(N-k) · Σ(y-p)²w² / Σ V(y)w², over the N responses and with k
	// the number of parameters that the responses decide (of MAP: those that
	// are not held by their priors), and weights w: trials for Binomial, 1 for
	// Beta. It is 1 where the observation is right.
	Ratio float64 `json:"ratio"`
	// Freedom is N-k.
	Freedom float64 `json:"freedom"`
	// Known is whether there are more responses than parameters, and any that
	// could scatter; Ratio is 1 if not.
	Known bool `json:"known"`
}

// divisor is what intervals take the responses' curvature to be divided by: the
// ratio where it is above 1 by more than two standard errors, √(2/freedom) each.
func (d Dispersion) divisor() float64 {
	if !d.Known || d.Ratio < 1+2*math.Sqrt(2/d.Freedom) {
		return 1
	}
	return d.Ratio
}

// moments are the mean and the variance of the response of respondent i to item
// j that the model expects.
func (e *Estimates) moments(i, j int) (mean, variance float64) {
	mean = e.Expected(i, j)
	if e.p.observation == Beta {
		alpha, beta := shapes(e.at.t[i], e.at.d[j], e.at.a[j])
		return mean, mean * (1 - mean) / (alpha + beta + 1)
	}
	return mean, mean * (1 - mean) / e.p.n[j*e.p.respondents+i]
}

// dispersion measures it; parameters is how many the responses decide.
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

// PersonOrItemFit is how well one respondent's or item's responses fit.
type PersonOrItemFit struct {
	Name string `json:"name"`
	N    int    `json:"n"` // responses
	// Outfit is the mean of the squared standardised residuals, Σz²/N; a single
	// response that nothing led to expect makes it large.
	Outfit float64 `json:"outfit"`
	// Infit weighs them by the information of the response, ΣVz²/ΣV =
	// Σ(y-p)²w²/ΣV(y)w².
	Infit float64 `json:"infit"`
}

// FitStatistics are those of every respondent and item. Standardised residuals
// are z = (y-p)/√V(y), with V = p(1-p)/n for Binomial, and for Beta the variance
// of the beta distribution, p(1-p)/(α+β+1). Mean squares near 1 are as expected,
// above it responses are more erratic, below it less (Wright & Masters, Rating
// Scale Analysis, 1982, chapter 5; for Beta it is the same with that variance,
// which has no name of its own). They are not corrected for the parameters that
// were fitted: with few respondents they are below 1. Variances below 1e-9 are
// taken as 1e-9, so that certainties of the model do not divide by zero.
type FitStatistics struct {
	Respondents []PersonOrItemFit `json:"respondents"`
	Items       []PersonOrItemFit `json:"items"`
	// Residuals are z of each respondent (row) and item; 0 where a response is
	// missing, which Present tells apart.
	Residuals [][]float64 `json:"residuals"`
	Present   [][]bool    `json:"present"`
}

// Fits works the fit statistics out.
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
