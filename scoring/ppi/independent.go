package ppi

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"assay/scoring/stats"
)

// Tuned is a λ that minimises the variance.
var Tuned = math.NaN()

// Independent estimates coefficients by PPI++ as its authors' program ppi_py (4b4879a) does: all rows are independent,
// intervals are normal, and λ, if it is [Tuned] and not given, is one for all coefficients and minimises the sum of their
// variances on the rows themselves, from 0 to 1. P is that of the null. Weights are not used. For few, clustered or weighted
// ratings use [Model.Clustered].
//
// The gradients are those at the estimate with λ 1; for the interval those at the tuned estimate, so that the estimate of the
// interval, its middle, is of another λ than Value.
func (m Model) Independent(rows []Row, lambda, null, confidence float64) ([]Estimate, error) {
	if err := checkConfidence(confidence); err != nil {
		return nil, err
	}
	if !math.IsNaN(lambda) && !(lambda >= 0 && lambda <= 1) {
		return nil, fmt.Errorf("λ is %v, not from 0 to 1", lambda)
	}
	r, err := newRegression(m, rows)
	if err != nil {
		return nil, err
	}
	first, middle, unclipped := lambda, lambda, lambda
	theta, err := r.point(1)
	for _, next := range []*float64{&first, &middle} {
		if err == nil && math.IsNaN(lambda) {
			var g *gradients
			if g, err = r.gradients(theta, true); err == nil {
				unclipped = g.tune()
				*next = min(max(unclipped, 0), 1)
				theta, err = r.point(*next)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	value, err := r.point(first)
	if err != nil {
		return nil, err
	}
	theta, se, err := r.at(middle)
	if err != nil {
		return nil, err
	}
	forP, seForP := theta, se
	if m == Mean { // ppi_py does not clip λ for this p
		if forP, seForP, err = r.at(unclipped); err != nil {
			return nil, err
		}
	}
	z := stats.NormalQuantile((1 + confidence) / 2)
	out := make([]Estimate, r.d)
	for c := range out {
		p := math.Erfc(math.Abs(forP[c]-null) / seForP[c] / math.Sqrt2)
		out[c] = Estimate{Value: value[c], SE: se[c], Lambda: first, P: p, Interval: stats.Interval{Low: theta[c] - z*se[c], High: theta[c] + z*se[c]}}
	}
	return checked(out, slices.Concat(value, theta, se)...)
}

// point returns the estimate with a λ. The loss is λ L(f, others) + L(Y, rated) − λ L(f, rated), of which ppi_py minimises
// the two parts of least squares separately.
func (r *regression) point(lambda float64) ([]float64, error) {
	left := func(row Row) float64 { return row.Human - lambda*row.Judged }
	judged := func(row Row) float64 { return lambda * row.Judged }
	n, others := float64(len(r.human)), float64(len(r.others))
	if r.model != Logistic {
		theta, err := r.model.minimise(summands(r.human, 1/n, left))
		if err != nil || lambda == 0 {
			return theta, err
		}
		more, err := r.model.minimise(summands(r.others, 1/others, judged))
		if err != nil {
			return nil, err
		}
		floats.Add(theta, more)
		return theta, nil
	}
	parts := summands(r.human, 1/n, left)
	for i := range parts {
		parts[i].weight *= 1 - lambda
	}
	for _, p := range summands(r.others, 1/others, judged) {
		p.weight *= lambda
		parts = append(parts, p)
	}
	return r.model.minimise(parts)
}

// gradients are the derivatives of the losses, and the inverse of the second derivatives, at an estimate.
type gradients struct {
	human, judged, others [][]float64
	inverse               *mat.Dense
}

// gradients returns those at θ; without others the second derivatives are those of the rated rows.
func (r *regression) gradients(theta []float64, others bool) (*gradients, error) {
	g := &gradients{human: r.model.scores(r.human, theta, rowHuman), judged: r.model.scores(r.human, theta, rowJudged), others: r.model.scores(r.others, theta, rowJudged)}
	all := r.human
	if others {
		all = slices.Concat(r.others, r.human)
	}
	var err error
	g.inverse, err = inverted(r.model.hessian(all, theta))
	return g, err
}

// covariance returns Σ(a − ā)(b − b̄)' / divisor.
func covariance(a, b [][]float64, divisor float64) *mat.Dense {
	d := len(a[0])
	centre := func(list [][]float64) *mat.Dense {
		m := mat.NewDense(len(list), d, nil)
		for c := range d {
			sum := 0.0
			for _, v := range list {
				sum += v[c]
			}
			for i, v := range list {
				m.Set(i, c, v[c]-sum/float64(len(list)))
			}
		}
		return m
	}
	var out mat.Dense
	out.Mul(centre(a).T(), centre(b))
	out.Scale(1/divisor, &out)
	return &out
}

// sandwich returns the inverse times a matrix times the inverse.
func (g *gradients) sandwich(m *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Product(g.inverse, m, g.inverse)
	return &out
}

// tune returns the λ that minimises the sum of the variances (PPI++, section 6): the trace of the sandwich of cov(∇Y, ∇f),
// by (1 + n/N) times that of the variance of ∇f over all rows; 0 where this is 0.
func (g *gradients) tune() float64 {
	n, others := float64(len(g.human)), float64(len(g.others))
	all := slices.Concat(g.judged, g.others)
	square := mat.Trace(g.sandwich(covariance(all, all, n+others-1)))
	if square == 0 {
		return 0
	}
	return mat.Trace(g.sandwich(covariance(g.human, g.judged, n))) / ((1 + n/others) * square)
}

// at returns the estimate with a λ and its standard errors.
func (r *regression) at(lambda float64) (theta, se []float64, err error) {
	if theta, err = r.point(lambda); err != nil {
		return nil, nil, err
	}
	g, err := r.gradients(theta, lambda != 0)
	if err != nil {
		return nil, nil, err
	}
	left := make([][]float64, len(g.human))
	for i := range left {
		left[i] = floats.AddScaledTo(make([]float64, r.d), g.human[i], -lambda, g.judged[i])
	}
	n, others := float64(len(r.human)), float64(len(r.others))
	lost := 1.0 // of the divisors of variances, which ppi_py does not subtract for a mean
	if r.model == Mean {
		lost = 0
	}
	var sum mat.Dense
	sum.Scale(1/n, covariance(left, left, n-lost))
	judge := covariance(g.others, g.others, others-lost)
	judge.Scale(lambda*lambda/others, judge)
	sum.Add(&sum, judge)
	variance := g.sandwich(&sum)
	for c := range r.d {
		se = append(se, math.Sqrt(variance.At(c, c)))
	}
	return theta, se, nil
}
