package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Cell is the result of one subject in one period of a crossover study, in which the subject had one
// treatment (Arm) and worked with one set of materials (Set). All are numbered from 0.
type Cell struct {
	Subject, Period, Set, Arm int
	Value                     float64
}

// Term is an effect that a crossover model estimates besides the subjects' effects.
type Term int

// The terms.
const (
	PeriodTerm Term = iota
	SetTerm
	ArmTerm
)

// Crossover is the additive model of a crossover study, fitted by least squares:
//
//	value = subject + period + set + arm + error
//
// with fixed effects of all four, so a difference between arms is adjusted for period and set and taken
// within subjects (Senn, Cross-over Trials in Clinical Research, 2002, chapter 3; Jones & Kenward, Design
// and Analysis of Cross-Over Trials, 2014, chapter 5). The model assumes no carry-over from one period to
// the next.
type Crossover struct {
	Subjects int     // with cells in two or more periods; other subjects carry no information about the terms
	DF       int     // residual degrees of freedom; with none the differences have no standard error
	SD       float64 // residual standard deviation of one cell; 0 without degrees of freedom
	Spread   float64 // standard deviation of subjects in one cell, adjusted for the terms

	levels  [3]int
	offset  [3]int // of the first column of a term
	beta    *mat.VecDense
	inverse *mat.Dense // generalised inverse of X'X
	cross   *mat.Dense // X'X
	center  float64    // mean of all cells
	share   *mat.VecDense

	x         *mat.Dense // centred within subjects
	residuals *mat.VecDense
	groups    [][]int // rows of each subject
	longest   int     // the most cells of a subject
}

// FitCrossover fits the model to cells; each subject has at most one cell per period. Only the given terms
// are in the model. Errors wrap ErrTooFew (no subject has two cells) and ErrNotFinite.
func FitCrossover(cells []Cell, terms ...Term) (*Crossover, error) {
	const statistic = "crossover model"
	m := &Crossover{}
	in := map[Term]bool{}
	for _, t := range terms {
		in[t] = true
	}
	subjects := map[int][]int{}
	for i, c := range cells {
		if err := finite(statistic, []float64{c.Value}); err != nil {
			return nil, err
		}
		subjects[c.Subject] = append(subjects[c.Subject], i)
		for t, level := range [...]int{c.Period, c.Set, c.Arm} {
			if in[Term(t)] {
				m.levels[t] = max(m.levels[t], level+1)
			}
		}
	}
	columns := 0
	for t, n := range m.levels {
		m.offset[t] = columns
		columns += n
	}
	x, y := mat.NewDense(max(len(cells), 1), max(columns, 1), nil), mat.NewVecDense(max(len(cells), 1), nil)
	m.share = mat.NewVecDense(max(columns, 1), nil)
	for i, c := range cells {
		y.SetVec(i, c.Value)
		m.center += c.Value / float64(len(cells))
		for t, level := range [...]int{c.Period, c.Set, c.Arm} {
			if in[Term(t)] {
				x.Set(i, m.offset[t]+level, 1)
				m.share.SetVec(m.offset[t]+level, m.share.AtVec(m.offset[t]+level)+1/float64(len(cells)))
			}
		}
	}
	raw := mat.DenseCopyOf(x)
	used := 0
	for _, members := range subjects {
		if len(members) > 1 {
			m.Subjects++
			used += len(members)
		}
		centre(x, y, members)
	}
	if m.Subjects == 0 {
		return nil, fmt.Errorf("%s: no subject has values in two periods: %w", statistic, ErrTooFew)
	}
	m.cross = mat.NewDense(max(columns, 1), max(columns, 1), nil)
	m.cross.Mul(x.T(), x)
	var rank int
	m.inverse, rank = pseudoInverse(m.cross)
	var xy, fitted, residual mat.VecDense
	xy.MulVec(x.T(), y)
	m.beta = mat.NewVecDense(max(columns, 1), nil)
	m.beta.MulVec(m.inverse, &xy)
	fitted.MulVec(x, m.beta)
	residual.SubVec(y, &fitted)
	m.DF = used - m.Subjects - rank
	size := 1e-12 * max(mat.Norm(y, 2), math.Abs(m.center)*math.Sqrt(float64(used)))
	if rss := mat.Norm(&residual, 2); m.DF > 0 && rss > size {
		m.SD = rss / math.Sqrt(float64(m.DF))
	}
	m.spread(cells, subjects, raw)
	m.x, m.residuals = x, &residual
	for _, c := range cells { // the order of the cells
		if members := subjects[c.Subject]; members != nil {
			m.groups, m.longest = append(m.groups, members), max(m.longest, len(members))
			delete(subjects, c.Subject)
		}
	}
	return m, nil
}

// centre subtracts the mean of a subject's rows, which leaves the differences within the subject.
func centre(x *mat.Dense, y *mat.VecDense, rows []int) {
	_, columns := x.Dims()
	for j := range columns + 1 {
		get := func(i int) float64 { return y.AtVec(i) }
		set := func(i int, v float64) { y.SetVec(i, v) }
		if j < columns {
			get = func(i int) float64 { return x.At(i, j) }
			set = func(i int, v float64) { x.Set(i, j, v) }
		}
		mean := 0.0
		for _, i := range rows {
			mean += get(i) / float64(len(rows))
		}
		for _, i := range rows {
			set(i, get(i)-mean)
		}
	}
}

// spread estimates the standard deviation of subjects in one cell from the variance of their means,
// adjusted for the terms, and the residual variance within subjects.
func (m *Crossover) spread(cells []Cell, subjects map[int][]int, raw *mat.Dense) {
	var effects mat.VecDense
	effects.MulVec(raw, m.beta)
	var means []float64
	within := 0.0 // the error's part of the variance of a subject's mean
	for _, members := range subjects {
		mean := 0.0
		for _, i := range members {
			mean += (cells[i].Value - effects.AtVec(i)) / float64(len(members))
		}
		means = append(means, mean)
		within += m.SD * m.SD / float64(len(members)) / float64(len(subjects))
	}
	if len(means) > 1 {
		sd := SD(means)
		m.Spread = math.Sqrt(max(0, sd*sd-within) + m.SD*m.SD)
	}
}

// pseudoInverse returns the Moore-Penrose inverse of a symmetric matrix, with its rank.
func pseudoInverse(a *mat.Dense) (*mat.Dense, int) {
	n, _ := a.Dims()
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			symmetric.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	var eigen mat.EigenSym
	inverse := mat.NewDense(n, n, nil)
	if !eigen.Factorize(symmetric, true) {
		return inverse, 0
	}
	values := eigen.Values(nil)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	rank := 0
	for k, v := range values {
		if v <= 1e-9*max(1, values[n-1]) {
			continue
		}
		rank++
		column := vectors.ColView(k)
		inverse.RankOne(inverse, 1/v, column, column)
	}
	return inverse, rank
}

// Difference returns the effect of level a of a term minus that of level b, adjusted for the other terms. If the
// cells cannot separate it from other effects the error wraps ErrShape.
func (m *Crossover) Difference(t Term, a, b int) (Contrast, error) {
	l := mat.NewVecDense(m.beta.Len(), nil)
	if a < 0 || b < 0 || a >= m.levels[t] || b >= m.levels[t] {
		return Contrast{}, fmt.Errorf("crossover model: there is no level %d or %d: %w", a, b, ErrShape)
	}
	l.SetVec(m.offset[t]+a, 1)
	l.SetVec(m.offset[t]+b, l.AtVec(m.offset[t]+b)-1)
	return m.contrast(l)
}

// Robust reports whether standard errors are clustered by subject. They are if a subject has more than two
// cells, since the errors of one subject are then unequal.
func (m *Crossover) Robust() bool { return m.longest > 2 }

// Mean returns the adjusted mean of a level of a term: the levels of other terms have the shares that they have
// among all cells.
func (m *Crossover) Mean(t Term, level int) (Contrast, error) {
	if level < 0 || level >= m.levels[t] {
		return Contrast{}, fmt.Errorf("crossover model: there is no level %d: %w", level, ErrShape)
	}
	l := mat.NewVecDense(m.beta.Len(), nil)
	for j := range m.levels[t] {
		l.SetVec(m.offset[t]+j, -m.share.AtVec(m.offset[t]+j))
	}
	l.SetVec(m.offset[t]+level, l.AtVec(m.offset[t]+level)+1)
	c, err := m.contrast(l)
	c.Value += m.center
	return c, err
}

func (m *Crossover) contrast(l *mat.VecDense) (Contrast, error) {
	var through, back mat.VecDense
	through.MulVec(m.inverse, l)
	back.MulVec(m.cross, &through)
	back.SubVec(&back, l)
	if mat.Norm(&back, 2) > 1e-7 {
		return Contrast{}, fmt.Errorf("crossover model: the difference cannot be told from effects of other terms: %w", ErrShape)
	}
	if m.Robust() {
		return m.robust(mat.Dot(l, m.beta), &through), nil
	}
	return Contrast{Value: mat.Dot(l, m.beta), SE: m.SD * math.Sqrt(max(0, mat.Dot(l, &through))), DF: float64(m.DF)}, nil
}
