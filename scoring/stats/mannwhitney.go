package stats

import (
	"fmt"
	"math"
)

// RankSum is the result of the Mann-Whitney test.
type RankSum struct {
	U1          float64     `json:"u1"` // pairs in which x is larger, ties by half
	U2          float64     `json:"u2"` // pairs in which y is larger
	N1          int         `json:"n1"`
	N2          int         `json:"n2"`
	P           float64     `json:"p"`
	Alternative Alternative `json:"alternative"`
	Method      Method      `json:"method"` // Exact, Normal or NormalContinuity
}

// Bounds of the exact distribution: both samples smaller than this for Auto (R's
// rule), and the product of the sizes at all (the cost is its square).
const (
	autoRankSum  = 50
	exactRankSum = 10_000
)

// MannWhitney tests whether values of x tend to be larger or smaller than those
// of y (Wilcoxon's rank-sum test):
//
//	U₁ = R₁ - n₁(n₁+1)/2;  E = n₁n₂/2;  Var = n₁n₂/12 (N+1 - Σ(t³-t)/(N(N-1)))
//
// (Mann & Whitney 1947; ties as Lehmann, Nonparametrics, 1975, section 1.4.)
// Auto is exact without ties and with both samples under 50 values, as R's
// wilcox.test, else the normal approximation with continuity correction. Errors
// wrap ErrTooFew (an empty sample), ErrNotFinite, ErrNoVariation (all values of
// both are equal), and for Exact ErrTies and, over 10,000 pairs, ErrTooMany.
func MannWhitney(x, y []float64, alternative Alternative, method Method) (RankSum, error) {
	const what = "Mann-Whitney"
	for _, err := range []error{alternative.check(), method.check(), samples(what, x, y)} {
		if err != nil {
			return RankSum{}, err
		}
	}
	ranks, groups := midranks(append(append(make([]float64, 0, len(x)+len(y)), x...), y...))
	if len(groups) < 2 {
		return RankSum{}, fmt.Errorf("%s: %w", what, ErrNoVariation)
	}
	n1, n2 := float64(len(x)), float64(len(y))
	r := RankSum{N1: len(x), N2: len(y), Alternative: alternative, Method: method}
	r.U1 = Sum(ranks[:len(x)]) - n1*(n1+1)/2
	r.U2 = n1*n2 - r.U1
	switch {
	case method == Auto && !tied(groups) && max(r.N1, r.N2) < autoRankSum:
		r.Method = Exact
	case method == Auto:
		r.Method = NormalContinuity
	case method == Exact && tied(groups):
		return RankSum{}, fmt.Errorf("%s: %w", what, ErrTies)
	case method == Exact && n1*n2 > exactRankSum:
		return RankSum{}, fmt.Errorf("%s of %d and %d values: %w", what, r.N1, r.N2, ErrTooMany)
	}
	if r.Method == Exact {
		r.P = exactP(rankSumPMF(r.N1, r.N2), int(r.U1), alternative)
		return checked(what, r)
	}
	n := n1 + n2
	sd := math.Sqrt(n1 * n2 / 12 * (n + 1 - tieSum(groups)/(n*(n-1))))
	_, r.P = normalP(r.U1, n1*n2/2, sd, alternative, r.Method)
	return checked(what, r)
}

// rankSumPMF is the distribution of U for untied samples of m and n values, by
// the largest value of all: it is one of the m, and larger than all n, with
// probability m/(m+n).
//
//	P(m,n,u) = m/(m+n) P(m-1,n,u-n) + n/(m+n) P(m,n-1,u)
func rankSumPMF(m, n int) []float64 {
	if m > n {
		m, n = n, m // U and its mirror image have the same distribution
	}
	// row[i] is the distribution for i and j values.
	row := make([][]float64, m+1)
	for i := range row {
		row[i] = make([]float64, m*n+1)
		row[i][0] = 1 // j = 0
	}
	for j := 1; j <= n; j++ {
		for i := 1; i <= m; i++ {
			share := float64(i) / float64(i+j)
			for u := i * j; u >= 0; u-- {
				row[i][u] *= 1 - share
				if u >= j {
					row[i][u] += share * row[i-1][u-j]
				}
			}
		}
	}
	return row[m]
}
