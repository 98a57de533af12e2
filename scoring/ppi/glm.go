package ppi

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"assay/scoring/stats"
)

// Model is how the mean of an outcome depends on covariates x with coefficients θ.
type Model string

// The models, whose losses are convex.
const (
	Mean     Model = "mean"          // θ; there are no covariates
	OLS      Model = "least squares" // xθ
	Logistic Model = "logistic"      // 1/(1+exp(-xθ)), of outcomes from 0 to 1
)

// Row is an item of a regression.
type Row struct {
	X []float64 // covariates, with a constant 1 if there is an intercept
	Rated
}

// outcome returns the mean and its derivative at xθ.
func (m Model) outcome(eta float64) (mean, slope float64) {
	if m != Logistic {
		return eta, 1
	}
	mean = 1 / (1 + math.Exp(-eta))
	return mean, mean * (1 - mean)
}

// loss returns the integral of the mean from 0 to xθ.
func (m Model) loss(eta float64) float64 {
	if m != Logistic {
		return eta * eta / 2
	}
	return max(eta, 0) + math.Log1p(math.Exp(-math.Abs(eta)))
}

// regression is a checked sample: rated rows and others.
type regression struct {
	model         Model
	human, others []Row
	d             int // coefficients
}

func newRegression(m Model, rows []Row) (*regression, error) {
	r := &regression{model: m}
	for i, row := range rows {
		if i == 0 {
			r.d = len(row.X)
		}
		if len(row.X) != r.d || r.d == 0 {
			return nil, fmt.Errorf("row %d has %d covariates, the first one %d: %w", i, len(row.X), r.d, stats.ErrShape)
		}
		values := append([]float64{row.Judged}, row.X...)
		if rated := !math.IsNaN(row.Human); rated {
			values, r.human = append(values, row.Human), append(r.human, row)
		} else {
			r.others = append(r.others, row)
		}
		for _, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("row %d: %w", i, stats.ErrNotFinite)
			}
			if v = row.Judged; m == Logistic && (v < 0 || v > 1 || row.Human < 0 || row.Human > 1) {
				return nil, fmt.Errorf("row %d is rated %v and judged %v, not from 0 to 1", i, row.Human, row.Judged)
			}
		}
	}
	if len(r.human) < max(leastRated, r.d) || len(r.others) < leastRated {
		return nil, fmt.Errorf("%d coefficients of %d rated rows and %d others: %w", r.d, len(r.human), len(r.others), stats.ErrTooFew)
	}
	return r, nil
}

// summand is a row's part of a loss: weight × [Model.loss](xθ) − target × xθ.
type summand struct {
	x              []float64
	weight, target float64
}

// summands are rows with one weight and target.
func summands(rows []Row, weight float64, target func(Row) float64) []summand {
	list := make([]summand, len(rows))
	for i, row := range rows {
		list[i] = summand{row.X, weight, weight * target(row)}
	}
	return list
}

func (row Row) eta(theta []float64) float64 { return floats.Dot(row.X, theta) }

// minimise returns the coefficients that minimise a loss, by Newton's steps, halved where it does not fall. The error wraps
// stats.ErrNoVariation where there are none: covariates determine each other, or they separate outcomes.
func (m Model) minimise(parts []summand) ([]float64, error) {
	const most = 100
	d := len(parts[0].x)
	at := func(theta []float64) (loss float64) {
		for _, p := range parts {
			eta := floats.Dot(p.x, theta)
			loss += p.weight*m.loss(eta) - p.target*eta
		}
		return loss
	}
	theta, last := make([]float64, d), math.Inf(1)
	loss := at(theta)
	for range most {
		gradient, hessian := make([]float64, d), mat.NewDense(d, d, nil)
		for _, p := range parts {
			mean, slope := m.outcome(floats.Dot(p.x, theta))
			floats.AddScaled(gradient, p.target-p.weight*mean, p.x)
			addOuter(hessian, p.x, p.weight*slope)
		}
		inverse, err := inverted(hessian)
		if err != nil {
			return nil, err
		}
		step, size := times(inverse, gradient), 1.0
		next := make([]float64, d)
		for {
			floats.AddScaledTo(next, theta, size, step)
			if l := at(next); l <= loss+1e-12*math.Abs(loss) || size < 1e-6 { // the tolerance is for rounding
				theta, loss = append(theta[:0], next...), l
				break
			}
			size /= 2
		}
		moved, long := floats.Norm(step, math.Inf(1)), 1+floats.Norm(theta, math.Inf(1))
		if moved < 1e-9*long && (moved >= last || moved < 1e-14*long) { // what is left is rounding
			return theta, nil
		}
		last = moved
	}
	return nil, fmt.Errorf("the covariates tell the outcome of some rows (separation): %w", stats.ErrNoVariation)
}

// addOuter adds weight × xx' to a matrix.
func addOuter(to *mat.Dense, x []float64, weight float64) {
	v := mat.NewVecDense(len(x), x)
	to.RankOne(to, weight, v, v)
}

// times returns a matrix times a vector.
func times(m *mat.Dense, v []float64) []float64 {
	var out mat.VecDense
	out.MulVec(m, mat.NewVecDense(len(v), v))
	return out.RawVector().Data
}

// inverted returns the inverse of a matrix of second derivatives, scaled to a diagonal of 1 meanwhile.
func inverted(hessian *mat.Dense) (*mat.Dense, error) {
	const condition = 1e10
	d, _ := hessian.Dims()
	scale := make([]float64, d)
	for i := range d {
		scale[i] = math.Sqrt(hessian.At(i, i))
	}
	apply := func(m *mat.Dense) *mat.Dense {
		out := mat.NewDense(d, d, nil)
		out.Apply(func(i, j int, v float64) float64 { return v / (scale[i] * scale[j]) }, m)
		return out
	}
	var inverse mat.Dense
	if scaled := apply(hessian); !(mat.Cond(scaled, 1) < condition) || inverse.Inverse(scaled) != nil {
		return nil, fmt.Errorf("the covariates of rated rows are constant, determine each other, or tell the outcome: %w", stats.ErrNoVariation)
	}
	return apply(&inverse), nil
}

// scores returns the derivatives x(mean − outcome) of rows' losses, 0 where the mean is the outcome up to rounding.
func (m Model) scores(rows []Row, theta []float64, outcome func(Row) float64) [][]float64 {
	const rounding = 1e-13
	list := make([][]float64, len(rows))
	for i, row := range rows {
		mean, _ := m.outcome(row.eta(theta))
		left := mean - outcome(row)
		if math.Abs(left) < rounding*(1+math.Abs(mean)) {
			left = 0
		}
		for _, x := range row.X {
			list[i] = append(list[i], x*left)
		}
	}
	return list
}

// hessian returns the weighted mean of rows' second derivatives.
func (m Model) hessian(rows []Row, theta []float64) *mat.Dense {
	out, all := mat.NewDense(len(theta), len(theta), nil), 0.0
	for _, row := range rows {
		_, slope := m.outcome(row.eta(theta))
		addOuter(out, row.X, slope*row.weight())
		all += row.weight()
	}
	out.Scale(1/all, out)
	return out
}

func rowHuman(r Row) float64  { return r.Human }
func rowJudged(r Row) float64 { return r.Judged }
