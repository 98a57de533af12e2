package irt

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"assay/scoring/stats"
)

// spread holds the variances of all parameters, with the covariance of each item's difficulty and
// discrimination.
type spread struct{ t, d, a, da []float64 }

// spread inverts the second derivatives at the estimates, block by block as they were eliminated. It
// reports whether the observed ones could be used; otherwise it uses the expected ones.
func (s *solver) spread(x point) (spread, bool, error) {
	n := s.p.respondents
	observed := true
	_, ok := s.assemble(x, false, 0)
	var c *mat.Cholesky
	if ok {
		c, ok = s.factor()
	}
	if !ok {
		observed = false
		if _, ok = s.assemble(x, true, 0); ok {
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
		// The part due to the abilities' uncertainty: UᵀC⁻¹U, by forward substitution.
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
