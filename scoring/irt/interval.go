package irt

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"assay/scoring/stats"
)

// ErrNoIntervals: the estimates are of a procedure that has none.
var ErrNoIntervals = errors.New("there are no intervals for these estimates")

// Intervals bound every parameter, on the scale of the estimates.
type Intervals struct {
	Method         string           `json:"method"`
	Confidence     float64          `json:"confidence"`
	Ability        []stats.Interval `json:"ability"`
	Difficulty     []stats.Interval `json:"difficulty"`
	Discrimination []stats.Interval `json:"discrimination"`
	// Divisor is what the responses' curvature was divided by, since they scatter
	// more than the observation says; 1 where they do not.
	Divisor float64 `json:"divisor"`
	// Mixing is of draws of the posterior alone: see Posterior.
	Mixing float64 `json:"mixing,omitempty"`
}

// bounded is an error where these estimates have no intervals of that confidence.
func (e *Estimates) bounded(confidence float64) error {
	if !(confidence > 0 && confidence < 1) {
		return fmt.Errorf("confidence %v: it must lie between 0 and 1, for example 0.95", confidence)
	}
	if e.Start == faithfulStart {
		return fmt.Errorf("%s: %w", e.Method, ErrNoIntervals)
	}
	return nil
}

// spread are the variances of all parameters, with the covariance of each
// item's difficulty and discrimination.
type spread struct{ t, d, a, da []float64 }

// spread inverts the second derivatives at the estimates, in blocks as they
// were eliminated. It reports whether observed ones could be used; else they
// are the expected ones.
func (s *solver) spread(x point, divisor float64) (spread, bool, error) {
	n := s.p.respondents
	observed := true
	_, ok := s.assemble(x, false, 0, divisor)
	var c *mat.Cholesky
	if ok {
		c, ok = s.factor()
	}
	if !ok {
		observed = false
		if _, ok = s.assemble(x, true, 0, divisor); ok {
			c, ok = s.factor()
		}
	}
	if !ok {
		return spread{}, false, fmt.Errorf("β3-IRT: the second derivatives at the estimates are singular: %w", stats.ErrNoVariation)
	}
	out := spread{make([]float64, n), make([]float64, s.p.items), make([]float64, s.p.items), make([]float64, s.p.items)}
	var lower mat.TriDense
	c.LTo(&lower)
	l := lower.RawTriangular()
	var inverse mat.SymDense
	if err := c.InverseTo(&inverse); err != nil {
		return spread{}, false, fmt.Errorf("β3-IRT: the second derivatives at the estimates cannot be inverted (%v): %w", err, stats.ErrNotFinite)
	}
	for i := range n {
		out.t[i] = inverse.At(i, i)
	}
	w1, w2 := make([]float64, n), make([]float64, n)
	for j, e := range s.items {
		u1, u2 := s.cross[2*n*j:2*n*j+n], s.cross[2*n*j+n:2*n*(j+1)]
		// What the abilities' uncertainty adds: UᵀC⁻¹U, by forward substitution.
		m11, m12, m22 := 1.0, 0.0, 1.0
		for i := range n {
			v1, v2 := u1[i], u2[i]
			row := l.Data[i*l.Stride : i*l.Stride+i]
			for k, f := range row {
				v1 -= f * w1[k]
				v2 -= f * w2[k]
			}
			diagonal := l.Data[i*l.Stride+i]
			w1[i], w2[i] = v1/diagonal, v2/diagonal
			m11 += w1[i] * w1[i]
			m12 += w1[i] * w2[i]
			m22 += w2[i] * w2[i]
		}
		// L⁻ᵀ M L⁻¹
		k11, k21, k22 := 1/e.l11, -e.l21/(e.l11*e.l22), 1/e.l22
		out.d[j] = k11*k11*m11 + 2*k11*k21*m12 + k21*k21*m22
		out.da[j] = k22 * (k11*m12 + k21*m22)
		out.a[j] = k22 * k22 * m22
	}
	return out, observed, nil
}

// Laplace are intervals from the normal approximation of the posterior at its
// maximum: on the logits of ability and difficulty and on discrimination, the
// estimate ± z times the square root of its part in the inverse of the second
// derivatives; the ends are carried over to the scale of the estimates.
func (e *Estimates) Laplace(confidence float64) (Intervals, error) {
	if err := e.bounded(confidence); err != nil {
		return Intervals{}, err
	}
	if e.Model != Beta3 {
		return Intervals{}, fmt.Errorf("%v integrates abilities out; it has Posterior and Bootstrap intervals, but by Laplace: %w", e.Model, ErrNoIntervals)
	}
	divisor := e.Dispersion.divisor()
	v, observed, err := newSolver(e.p).spread(e.at, divisor)
	if err != nil {
		return Intervals{}, err
	}
	out := Intervals{Method: "Laplace", Confidence: confidence, Divisor: divisor}
	if !observed {
		out.Method = "Laplace, by expected second derivatives"
	}
	z := stats.NormalQuantile((1 + confidence) / 2)
	for i, t := range e.at.t {
		half := z * math.Sqrt(v.t[i])
		out.Ability = append(out.Ability, stats.Interval{Low: logistic(t - half), High: logistic(t + half)})
	}
	for j, d := range e.at.d {
		half := z * math.Sqrt(v.d[j])
		out.Difficulty = append(out.Difficulty, stats.Interval{Low: logistic(d - half), High: logistic(d + half)})
		half = z * math.Sqrt(v.a[j])
		out.Discrimination = append(out.Discrimination, stats.Interval{Low: e.at.a[j] - half, High: e.at.a[j] + half})
	}
	return out, nil
}
