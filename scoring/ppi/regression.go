package ppi

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"assay/scoring/stats"
)

// Regression is what coefficients are estimated from. Each row of X is an item's covariates; an intercept is a column of
// ones.
type Regression struct {
	X      [][]float64 // of the rated items
	Human  []float64   // people's ratings; 0 or 1 for a logistic regression
	Judged []float64   // the model's judgements of the same items
	OtherX [][]float64 // of the items that nobody rated
	Others []float64   // the model's judgements of them

	// Cluster and OtherCluster number the cluster, such as the task or the rater, of each item. Nil: items are
	// independent.
	Cluster, OtherCluster []int
}

// Coefficients are the estimates of a regression, in the order of the columns.
//
// As in the reference program, λ of the values is tuned at λ 1, and λ of the intervals at the values: an interval's
// middle is not exactly its value.
type Coefficients struct {
	Values    []float64
	Lambda    float64 // of the values
	SE        []float64
	Intervals []stats.Interval
}

// OLS estimates the coefficients of ordinary least squares: those of the judgements λf of other items, plus those of what
// they leave of the ratings, Y-λf (PPI++, section 4).
func OLS(r Regression, lambda, confidence float64) (Coefficients, error) {
	return r.fit(lambda, confidence, model{func(eta float64) (float64, float64) { return eta, 1 }, (*Regression).leastSquares})
}

// Logistic estimates the coefficients of a logistic regression (PPI++, section 4). The error wraps stats.ErrNoVariation if
// the maximum is at infinity because the covariates separate the ratings.
func Logistic(r Regression, lambda, confidence float64) (Coefficients, error) {
	for i, v := range r.Human {
		if v != 0 && v != 1 {
			return Coefficients{}, fmt.Errorf("a logistic regression is of zeros and ones, but rating %d is %v", i, v)
		}
	}
	return r.fit(lambda, confidence, model{logistic, (*Regression).newton})
}

func logistic(eta float64) (mean, slope float64) {
	p := 1 / (1 + math.Exp(-eta))
	return p, p * (1 - p)
}

// model is a kind of regression: the mean at a linear predictor with its derivative, and how coefficients are found.
type model struct {
	link  func(eta float64) (mean, slope float64)
	solve func(r *Regression, lambda float64) ([]float64, error)
}

func (r *Regression) check() error {
	const statistic = "prediction-powered regression"
	if len(r.X) != len(r.Human) || len(r.X) != len(r.Judged) || len(r.OtherX) != len(r.Others) ||
		r.Cluster != nil && (len(r.Cluster) != len(r.X) || len(r.OtherCluster) != len(r.OtherX)) {
		return fmt.Errorf("%s: %d rows, %d ratings, %d judgements; %d other rows, %d other judgements: %w",
			statistic, len(r.X), len(r.Human), len(r.Judged), len(r.OtherX), len(r.Others), stats.ErrShape)
	}
	if len(r.X) == 0 || len(r.X) <= len(r.X[0]) || len(r.OtherX) <= len(r.X[0]) {
		return fmt.Errorf("%s: %d ratings and %d other judgements are too few for its coefficients: %w", statistic, len(r.X), len(r.OtherX), stats.ErrTooFew)
	}
	for _, rows := range [][][]float64{r.X, r.OtherX} {
		for i, row := range rows {
			if len(row) != len(r.X[0]) {
				return fmt.Errorf("%s: row %d has %d covariates, row 0 has %d: %w", statistic, i, len(row), len(r.X[0]), stats.ErrShape)
			}
			if err := finite(statistic, row); err != nil {
				return err
			}
		}
	}
	return finite(statistic, r.Human, r.Judged, r.Others)
}

func (r *Regression) fit(lambda, confidence float64, m model) (Coefficients, error) {
	if err := r.check(); err != nil {
		return Coefficients{}, err
	}
	if err := checkConfidence(confidence); err != nil {
		return Coefficients{}, err
	}
	of, at := lambda, lambda
	if lambda == Tuned {
		for _, step := range []*float64{&of, &at} {
			before := 1.0
			if step == &at {
				before = of
			}
			beta, err := m.solve(r, before)
			if err != nil {
				return Coefficients{}, err
			}
			if *step, err = r.tune(beta, m); err != nil {
				return Coefficients{}, err
			}
		}
	} else if !(lambda >= 0 && lambda <= 1) {
		return Coefficients{}, fmt.Errorf("λ is %v: it must be from 0 to 1", lambda)
	}
	values, err := m.solve(r, of)
	if err != nil {
		return Coefficients{}, err
	}
	middle, err := m.solve(r, at)
	if err != nil {
		return Coefficients{}, err
	}
	se, err := r.errors(middle, at, m)
	if err != nil {
		return Coefficients{}, err
	}
	c := Coefficients{Values: values, Lambda: of, SE: se}
	for i := range se {
		c.Intervals = append(c.Intervals, normal(middle[i], se[i], confidence))
	}
	return checked(c, append(append([]float64{}, values...), se...)...)
}

// scores returns X (μ - y) of each row, and adds weight × X'X μ' to the Hessian.
func scores(x [][]float64, y, beta []float64, m model, weight float64, hessian *mat.SymDense) [][]float64 {
	out := make([][]float64, len(x))
	for i, row := range x {
		eta := 0.0
		for j, b := range beta {
			eta += row[j] * b
		}
		mean, slope := m.link(eta)
		out[i] = make([]float64, len(row))
		for j, v := range row {
			out[i][j] = v * (mean - y[i])
			for k := j; hessian != nil && k < len(row); k++ {
				hessian.SetSym(j, k, hessian.At(j, k)+weight*slope*v*row[k])
			}
		}
	}
	return out
}

// leastSquares solves both least squares.
func (r *Regression) leastSquares(lambda float64) ([]float64, error) {
	sum := make([]float64, len(r.X[0]))
	for _, part := range []struct {
		x [][]float64
		y []float64
	}{{r.X, Sample{Human: r.Human, Judged: r.Judged}.rest(lambda)}, {r.OtherX, scaled(lambda, r.Others)}} {
		x := mat.NewDense(len(part.x), len(sum), nil)
		for i, row := range part.x {
			x.SetRow(i, row)
		}
		var beta mat.VecDense
		if err := beta.SolveVec(x, mat.NewVecDense(len(part.y), part.y)); err != nil {
			return nil, singular()
		}
		for j := range sum {
			sum[j] += beta.AtVec(j)
		}
	}
	return sum, nil
}

func scaled(by float64, x []float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = by * x[i]
	}
	return out
}

// mostSteps bounds Newton's steps: losses that have a minimum take about ten.
const mostSteps = 100

// newton minimises the loss λ L(others, f) - λ L(rated, f) + L(rated, Y), which is convex for λ from 0 to 1.
func (r *Regression) newton(lambda float64) ([]float64, error) {
	m := model{link: logistic}
	d, n, others := len(r.X[0]), float64(len(r.X)), float64(len(r.OtherX))
	beta := make([]float64, d)
	least := math.Inf(1)
	for range mostSteps {
		hessian, gradient := mat.NewSymDense(d, nil), mat.NewVecDense(d, nil)
		add := func(rows [][]float64, weight float64) {
			for _, row := range rows {
				for j, v := range row {
					gradient.SetVec(j, gradient.AtVec(j)+weight*v)
				}
			}
		}
		add(scores(r.X, r.Human, beta, m, (1-lambda)/n, hessian), 1/n)
		add(scores(r.X, r.Judged, beta, m, 0, nil), -lambda/n)
		add(scores(r.OtherX, r.Others, beta, m, lambda/others, hessian), lambda/others)
		var step mat.VecDense
		if err := step.SolveVec(hessian, gradient); err != nil {
			return nil, singular()
		}
		size := mat.Norm(&step, math.Inf(1))
		for j := range beta {
			beta[j] -= step.AtVec(j) * min(1, 2/size)
		}
		if scale := 1 + mat.Norm(mat.NewVecDense(d, beta), math.Inf(1)); size < 1e-9*scale && size >= least {
			return beta, nil // it no longer shrinks: what is left is rounding
		}
		if size == 0 {
			return beta, nil
		}
		least = size
	}
	return nil, singular()
}

func singular() error {
	return fmt.Errorf("prediction-powered regression: the covariates are collinear or separate the ratings: %w", stats.ErrNoVariation)
}

// parts returns the scores of ratings and judgements at the coefficients, and the inverse Hessian over all rows, or over
// the rated ones if λ is 0.
func (r *Regression) parts(beta []float64, lambda float64, m model) (human, judged, others [][]float64, inverse *mat.Dense, err error) {
	d := len(beta)
	hessian := mat.NewSymDense(d, nil)
	weight := 1 / float64(len(r.X)+len(r.OtherX))
	if lambda == 0 {
		weight = 1 / float64(len(r.X))
	}
	human = scores(r.X, r.Human, beta, m, weight, hessian)
	judged = scores(r.X, r.Judged, beta, m, 0, nil)
	if lambda == 0 {
		others = scores(r.OtherX, r.Others, beta, m, 0, nil)
	} else {
		others = scores(r.OtherX, r.Others, beta, m, weight, hessian)
	}
	inverse = mat.NewDense(d, d, nil)
	if err = inverse.Inverse(hessian); err != nil {
		err = singular()
	}
	return human, judged, others, inverse, err
}

// tune returns the λ that minimises the sum of the variances of all coefficients (PPI++, proposition 2).
func (r *Regression) tune(beta []float64, m model) (float64, error) {
	human, judged, others, inverse, err := r.parts(beta, 1, m)
	if err != nil {
		return 0, err
	}
	n, rest := float64(len(human)), float64(len(others))
	trace := func(m mat.Matrix) float64 {
		var t mat.Dense
		t.Product(inverse, m, inverse)
		return mat.Trace(&t)
	}
	both := cross(human, judged)
	var sum mat.Dense
	sum.Add(both, both.T())
	all := append(append([][]float64{}, judged...), others...)
	below := 2 * (1 + n/rest) * trace(cross(all, all)) / (n + rest - 1)
	if below == 0 {
		return 0, nil
	}
	return min(max(trace(&sum)/n/below, 0), 1), nil
}

// cross returns the sums of products of deviations of two lists of rows.
func cross(a, b [][]float64) *mat.Dense {
	matrix := func(rows [][]float64) *mat.Dense {
		m := mat.NewDense(len(rows), len(rows[0]), nil)
		for i, row := range centred(rows) {
			m.SetRow(i, row)
		}
		return m
	}
	var out mat.Dense
	out.Mul(matrix(a).T(), matrix(b))
	return &out
}

// centred returns rows minus the mean of their column.
func centred(rows [][]float64) [][]float64 {
	means, out := make([]float64, len(rows[0])), make([][]float64, len(rows))
	for _, row := range rows {
		for j, v := range row {
			means[j] += v / float64(len(rows))
		}
	}
	for i, row := range rows {
		out[i] = make([]float64, len(row))
		for j, v := range row {
			out[i][j] = v - means[j]
		}
	}
	return out
}

// errors returns the standard errors at a λ: the sandwich of the scores, by cluster if there are any.
func (r *Regression) errors(beta []float64, lambda float64, m model) ([]float64, error) {
	human, judged, others, inverse, err := r.parts(beta, lambda, m)
	if err != nil {
		return nil, err
	}
	n, rest, d := float64(len(human)), float64(len(others)), len(beta)
	for i, row := range human {
		for j := range row {
			row[j] = (row[j] - lambda*judged[i][j]) / n
		}
	}
	for _, row := range others {
		for j := range row {
			row[j] *= lambda / rest
		}
	}
	var meat mat.Dense
	if r.Cluster == nil {
		a, b := cross(human, human), cross(others, others)
		a.Scale(n/(n-1), a)
		b.Scale(rest/(rest-1), b)
		meat.Add(a, b)
	} else {
		keys, rows := slices.Clone(r.Cluster), centred(human)
		if lambda > 0 {
			keys, rows = append(keys, r.OtherCluster...), append(rows, centred(others)...)
		}
		groups := stats.Clusters(keys)
		g := float64(len(groups))
		if g <= float64(d) {
			return nil, fmt.Errorf("prediction-powered regression: %d clusters are too few: %w", len(groups), stats.ErrTooFew)
		}
		sums := make([][]float64, len(groups))
		for c, members := range groups {
			sums[c] = make([]float64, d)
			for _, i := range members {
				for j, v := range rows[i] {
					sums[c][j] += v
				}
			}
		}
		meat.Scale(g/(g-1), cross(sums, sums))
	}
	var v mat.Dense
	v.Product(inverse, &meat, inverse)
	se := make([]float64, d)
	for j := range se {
		se[j] = math.Sqrt(max(v.At(j, j), 0))
	}
	return se, nil
}
