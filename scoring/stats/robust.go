package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// robust returns a contrast with the standard error CR2, clustered by subject, and Satterthwaite's degrees of
// freedom for it (Bell & McCaffrey, Survey Methodology 28, 2002; Pustejovsky & Tipton, Journal of Business
// & Economic Statistics 36, 2018, whose theorem 2 lets the subjects' effects be absorbed). With more than
// two periods the errors of one subject are unequal: a weak subject falls furthest behind on the hardest
// set. Parameter through is the generalised inverse of X'X times the contrast.
func (m *Crossover) robust(value float64, through *mat.VecDense) Contrast {
	rows, _ := m.x.Dims()
	var spread mat.Dense // (X'X)⁻ X'
	spread.Mul(m.inverse, m.x.T())
	squares, weights := 0.0, make([]*mat.VecDense, 0, len(m.groups))
	for _, members := range m.groups {
		n := len(members)
		if n < 2 {
			continue
		}
		rowsOfSubject := mat.NewDense(n, rows, nil) // the subject's rows of I - H, with subjects' effects absorbed
		for i, row := range members {
			for j := range rows {
				rowsOfSubject.Set(i, j, -mat.Dot(m.x.RowView(row), spread.ColView(j)))
			}
			for _, other := range members {
				rowsOfSubject.Set(i, other, rowsOfSubject.At(i, other)-1/float64(n))
			}
			rowsOfSubject.Set(i, row, rowsOfSubject.At(i, row)+1)
		}
		block := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				block.SetSym(i, j, (rowsOfSubject.At(i, members[j])+rowsOfSubject.At(j, members[i]))/2)
			}
		}
		leverage := mat.NewVecDense(n, nil)
		for i, row := range members {
			leverage.SetVec(i, mat.Dot(m.x.RowView(row), through))
		}
		var adjusted, weight mat.VecDense
		adjusted.MulVec(inverseRoot(block), leverage)
		score := 0.0
		for i, row := range members {
			score += adjusted.AtVec(i) * m.residuals.AtVec(row)
		}
		squares += score * score
		weight.MulVec(rowsOfSubject.T(), &adjusted)
		weights = append(weights, &weight)
	}
	trace, all := 0.0, 0.0
	for i := range weights {
		for j := range weights {
			v := mat.Dot(weights[i], weights[j])
			all += v * v
			if i == j {
				trace += v
			}
		}
	}
	c := Contrast{Value: value}
	if m.DF > 0 && m.SD > 0 && all > 0 {
		c.SE, c.DF = math.Sqrt(squares), trace*trace/all
	}
	return c
}

// inverseRoot returns the inverse square root of a symmetric matrix, with 0 for zero eigenvalues.
func inverseRoot(a *mat.SymDense) *mat.Dense {
	n := a.SymmetricDim()
	root := mat.NewDense(n, n, nil)
	var eigen mat.EigenSym
	if !eigen.Factorize(a, true) {
		return root
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for k, v := range eigen.Values(nil) {
		if v > 1e-9 {
			column := vectors.ColView(k)
			root.RankOne(root, 1/math.Sqrt(v), column, column)
		}
	}
	return root
}
