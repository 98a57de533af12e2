package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// Mixed is a linear model with fixed effects and crossed random factors, each level of which has a normal
// effect, fitted by restricted maximum likelihood (Patterson & Thompson, Biometrika 58, 1971). Its cost
// grows with the number of levels, not of observations: the likelihood is that of Henderson's mixed model
// equations (Bates et al., Journal of Statistical Software 67, 2015, section 3).
type Mixed struct {
	SD       []float64 // of each random factor
	Residual float64   // standard deviation of the error

	n, p    int
	levels  []int // of each factor
	cross   *mat.SymDense
	against *mat.Dense // Z' [X y]
	fixed   *mat.Dense // [X y]' [X y]
}

// maxLevels limits the levels of all random factors together: fitting takes time cubic in them.
const maxLevels = 600

// FitMixed fits y to the fixed columns x, of full rank, and to random factors, each with the level of every
// observation, from 0. Errors wrap ErrShape, ErrNotFinite, ErrTooFew, ErrTooMany and ErrNoVariation.
func FitMixed(y []float64, x [][]float64, factors [][]int) (*Mixed, error) {
	const statistic = "mixed model"
	if err := finite(statistic, y); err != nil {
		return nil, err
	}
	m := &Mixed{n: len(y), p: len(x)}
	if m.n <= m.p+len(factors)+1 {
		return nil, tooFew(statistic, m.n, m.p+len(factors)+2)
	}
	all := 0
	for _, f := range factors {
		if len(f) != m.n {
			return nil, fmt.Errorf("%s: a factor names %d levels for %d values: %w", statistic, len(f), m.n, ErrShape)
		}
		levels := 0
		for _, level := range f {
			levels = max(levels, level+1)
		}
		m.levels = append(m.levels, levels)
		all += levels
	}
	if all > maxLevels {
		return nil, fmt.Errorf("%s: %d levels of random effects, at most %d: %w", statistic, all, maxLevels, ErrTooMany)
	}
	columns := append(append([][]float64{}, x...), y)
	m.cross, m.against, m.fixed = mat.NewSymDense(all, nil), mat.NewDense(all, m.p+1, nil), mat.NewDense(m.p+1, m.p+1, nil)
	at := make([]int, len(factors))
	for i := range y {
		offset := 0
		for f := range factors {
			at[f] = offset + factors[f][i]
			offset += m.levels[f]
		}
		for a, row := range at {
			for _, column := range at[a:] {
				m.cross.SetSym(row, column, m.cross.At(row, column)+1)
			}
			for c := range columns {
				m.against.Set(row, c, m.against.At(row, c)+columns[c][i])
			}
		}
		for a := range columns {
			for b := range columns {
				m.fixed.Set(a, b, m.fixed.At(a, b)+columns[a][i]*columns[b][i])
			}
		}
	}
	return m, m.fit()
}

// fit estimates the factors' standard deviations relative to the error's, and the error's. Values that fixed effects, or
// those and random ones, explain but for rounding have none: the likelihood grows without bound as the error vanishes.
func (m *Mixed) fit() error {
	const rounding = 1e-6 // of a sum of squares
	start := make([]float64, len(m.levels))
	whole, ok := m.solve(start)
	if !ok || !(whole.rss > rounding*rounding*m.fixed.At(m.p, m.p)) {
		return fmt.Errorf("mixed model: the fixed effects explain all values: %w", ErrNoVariation)
	}
	for i := range start {
		start[i] = 0.5
	}
	problem := optimize.Problem{Func: func(theta []float64) float64 {
		s, ok := m.solve(theta)
		if !ok || !(s.rss > 0) {
			return math.Inf(1)
		}
		return s.logs + float64(m.n-m.p)*math.Log(s.rss)
	}}
	found, err := optimize.Minimize(problem, start, &optimize.Settings{FuncEvaluations: 400, Converger: &optimize.FunctionConverge{Absolute: 1e-5, Iterations: 25}}, &optimize.NelderMead{})
	if found == nil || math.IsInf(found.F, 0) || math.IsNaN(found.F) {
		return fmt.Errorf("mixed model: the likelihood has no maximum (%v): %w", err, ErrNoVariation)
	}
	s, _ := m.solve(found.X)
	if !(s.rss > rounding*whole.rss) {
		return fmt.Errorf("mixed model: the random effects explain all that differs: %w", ErrNoVariation)
	}
	m.Residual = math.Sqrt(s.rss / float64(m.n-m.p))
	for _, theta := range found.X {
		sd := math.Abs(theta)
		if sd < 1e-3 {
			sd = 0
		}
		m.SD = append(m.SD, sd*m.Residual)
	}
	return nil
}

// solved is the solution of the mixed model equations at given standard deviations.
type solved struct {
	logs float64 // log |V/σ²| + log |X' V⁻¹ X σ²|
	rss  float64 // the weighted residual sum of squares
	beta *mat.VecDense
	cov  *mat.Dense // (X' V⁻¹ X σ²)⁻¹
}

func (m *Mixed) solve(theta []float64) (solved, bool) {
	q := m.against.RawMatrix().Rows
	scale := make([]float64, 0, q)
	for f, levels := range m.levels {
		for range levels {
			scale = append(scale, math.Abs(theta[f]))
		}
	}
	a := mat.NewSymDense(q, nil)
	for i := range q {
		for j := i; j < q; j++ {
			v := scale[i] * scale[j] * m.cross.At(i, j)
			if i == j {
				v++
			}
			a.SetSym(i, j, v)
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) {
		return solved{}, false
	}
	scaled := mat.DenseCopyOf(m.against)
	for i := range q {
		for c := range m.p + 1 {
			scaled.Set(i, c, scale[i]*scaled.At(i, c))
		}
	}
	var half, weighted mat.Dense // [X y]' V⁻¹ [X y] σ²
	if err := chol.SolveTo(&half, scaled); err != nil {
		return solved{}, false
	}
	weighted.Mul(scaled.T(), &half)
	weighted.Sub(m.fixed, &weighted)
	xx := mat.DenseCopyOf(weighted.Slice(0, m.p, 0, m.p))
	xy := mat.VecDenseCopyOf(weighted.Slice(0, m.p, m.p, m.p+1).(*mat.Dense).ColView(0))
	var inverse mat.Dense
	if err := inverse.Inverse(xx); err != nil {
		return solved{}, false
	}
	var beta mat.VecDense
	beta.MulVec(&inverse, xy)
	logX, sign := mat.LogDet(xx)
	return solved{
		logs: chol.LogDet() + logX, rss: weighted.At(m.p, m.p) - mat.Dot(&beta, xy),
		beta: &beta, cov: &inverse,
	}, sign > 0
}

// Contrast returns a linear combination of fixed effects with Satterthwaite's degrees of freedom for its
// standard error (Giesbrecht & Burns, Biometrics 41, 1985; Kuznetsova et al., Journal of Statistical
// Software 82, 2017): twice the squared variance over the variance of the variance, whose derivatives are
// taken numerically. A factor whose standard deviation is estimated as 0 is ignored.
func (m *Mixed) Contrast(l []float64) (Contrast, error) {
	sds := append(append([]float64{}, m.SD...), m.Residual)
	weight := mat.NewVecDense(m.p, l)
	variance := func(sds []float64) float64 {
		s, ok := m.solve(m.relative(sds))
		if !ok {
			return math.NaN()
		}
		var through mat.VecDense
		through.MulVec(s.cov, weight)
		return mat.Dot(weight, &through) * sds[len(sds)-1] * sds[len(sds)-1]
	}
	deviance := func(sds []float64) float64 {
		s, ok := m.solve(m.relative(sds))
		if !ok {
			return math.NaN()
		}
		v := sds[len(sds)-1] * sds[len(sds)-1]
		return s.logs + float64(m.n-m.p)*math.Log(v) + s.rss/v
	}
	var free []int
	for i, sd := range sds {
		if sd > 0 {
			free = append(free, i)
		}
	}
	at := func(f func([]float64) float64, steps map[int]float64) float64 {
		moved := append([]float64{}, sds...)
		for i, h := range steps {
			moved[i] += h
		}
		return f(moved)
	}
	const h = 1e-3
	gradient, hessian := mat.NewVecDense(len(free), nil), mat.NewDense(len(free), len(free), nil)
	for a, i := range free {
		step := h * sds[i]
		gradient.SetVec(a, (at(variance, map[int]float64{i: step})-at(variance, map[int]float64{i: -step}))/(2*step))
		for b, j := range free[:a+1] {
			other := h * sds[j]
			var v float64
			if i == j {
				v = (at(deviance, map[int]float64{i: step}) - 2*deviance(sds) + at(deviance, map[int]float64{i: -step})) / (step * step)
			} else {
				v = (at(deviance, map[int]float64{i: step, j: other}) - at(deviance, map[int]float64{i: step, j: -other}) -
					at(deviance, map[int]float64{i: -step, j: other}) + at(deviance, map[int]float64{i: -step, j: -other})) / (4 * step * other)
			}
			hessian.Set(a, b, v)
			hessian.Set(b, a, v)
		}
	}
	s, ok := m.solve(m.relative(sds))
	v := variance(sds)
	if !ok || !(v > 0) {
		return Contrast{}, fmt.Errorf("mixed model: %w", ErrNoVariation)
	}
	inverse, _ := pseudoInverse(hessian)
	var through mat.VecDense
	through.MulVec(inverse, gradient)
	c := Contrast{Value: mat.Dot(weight, s.beta), SE: math.Sqrt(v)}
	if spread := 2 * mat.Dot(gradient, &through); spread > 0 {
		c.DF = 2 * v * v / spread
	}
	return checked("mixed model", c)
}

// relative returns the factors' standard deviations in units of the error's.
func (m *Mixed) relative(sds []float64) []float64 {
	theta := make([]float64, len(m.SD))
	for i := range theta {
		theta[i] = sds[i] / sds[len(sds)-1]
	}
	return theta
}
