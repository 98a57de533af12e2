package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// KendallTau is the result of Kendall's rank correlation.
type KendallTau struct {
	TauB   float64 `json:"tau_b"`
	TauC   float64 `json:"tau_c"` // Stuart's, for rectangular tables
	N      int     `json:"n"`
	P      float64 `json:"p"`      // two-sided, of no association
	Method Method  `json:"method"` // Exact or Normal
}

// Limits of the exact distribution: autoKendall is scipy's rule for Auto; above exactKendall pairs the
// probabilities underflow.
const (
	autoKendall  = 33
	exactKendall = 170
)

// Kendall returns the rank correlation with ties:
//
//	τ_b = (C-D) / sqrt((n₀-n₁)(n₀-n₂)),  τ_c = 2(C-D) / (n² (m-1)/m)
//
// with C concordant and D discordant of n₀ = n(n-1)/2 pairs, n₁ and n₂ pairs tied in x and y, and m the
// smaller number of distinct values (Kendall, Biometrika 33, 1945; Stuart, Biometrika 40, 1953). The normal
// approximation's variance is corrected for ties (Kendall & Gibbons 1990, section 4.3). Like scipy, Auto is
// exact without ties for up to 33 pairs, or with at most one pair out of order. NormalContinuity is not
// supported. Errors wrap ErrShape, ErrTooFew (under two pairs), ErrNotFinite, ErrNoVariation (x or y is
// constant), and for Exact errTies and, over 170 pairs, ErrTooMany.
func Kendall(x, y []float64, method Method) (KendallTau, error) {
	const statistic = "Kendall's tau"
	if method < Auto || method > Normal {
		return KendallTau{}, fmt.Errorf("%s: there is no %v", statistic, method)
	}
	if err := pairs(statistic, x, y, 2); err != nil {
		return KendallTau{}, err
	}
	_, gx := midranks(x)
	_, gy := midranks(y)
	if len(gx) < 2 || len(gy) < 2 {
		return KendallTau{}, fmt.Errorf("%s: one side is constant: %w", statistic, ErrNoVariation)
	}
	discordant, both := discordance(x, y)
	n := float64(len(x))
	total, tx, ty := n*(n-1)/2, tiedPairs(gx), tiedPairs(gy)
	excess := total - tx - ty + both - 2*discordant // C - D
	m := float64(min(len(gx), len(gy)))
	r := KendallTau{N: len(x), Method: method}
	r.TauB = min(1, max(-1, excess/math.Sqrt(total-tx)/math.Sqrt(total-ty)))
	r.TauC = 2 * excess / (n * n * (m - 1) / m)
	free, out := tx == 0 && ty == 0, min(discordant, total-discordant)
	switch {
	case method == Auto && free && (len(x) <= autoKendall || out <= 1 && len(x) <= exactKendall):
		r.Method = Exact
	case method == Auto:
		r.Method = Normal
	case method == Exact && !free:
		return KendallTau{}, fmt.Errorf("%s: %w", statistic, errTies)
	case method == Exact && len(x) > exactKendall:
		return KendallTau{}, fmt.Errorf("%s of %d pairs, %d at most: %w", statistic, len(x), exactKendall, ErrTooMany)
	}
	if r.Method == Exact {
		r.P = inversionP(len(x), int(out))
	} else {
		r.P = min(1, 2*upperNormal(math.Abs(excess)/math.Sqrt(kendallVariance(n, gx, gy))))
	}
	return checked(statistic, r)
}

// kendallVariance returns the variance of C-D under independence, given the ties.
func kendallVariance(n float64, gx, gy []int) float64 {
	sums := func(groups []int) (pairs, triples, weighted float64) {
		for _, g := range groups {
			t := float64(g)
			pairs += t * (t - 1) / 2
			triples += t * (t - 1) * (t - 2)
			weighted += t * (t - 1) * (2*t + 5)
		}
		return pairs, triples, weighted
	}
	px, cx, wx := sums(gx)
	py, cy, wy := sums(gy)
	m := n * (n - 1)
	v := (m*(2*n+5)-wx-wy)/18 + 2*px*py/m
	if cx*cy > 0 { // implies n ≥ 3
		v += cx * cy / (9 * m * (n - 2))
	}
	return v
}

func tiedPairs(groups []int) float64 {
	sum := 0.0
	for _, g := range groups {
		sum += float64(g) * float64(g-1) / 2
	}
	return sum
}

// discordance counts the discordant pairs and the pairs tied in both, in O(n log n) (Knight, JASA 61,
// 1966): ordered by x, then y, the discordant pairs are the inversions of y.
func discordance(x, y []float64) (discordant, both float64) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	run, values := 0.0, make([]float64, len(x))
	for i, at := range order {
		values[i] = y[at]
		if i > 0 && x[order[i-1]] == x[at] && y[order[i-1]] == y[at] {
			run++
		} else {
			run = 0
		}
		both += run
	}
	return inversions(values, make([]float64, len(values))), both
}

// inversions counts the pairs i < j with v[i] > v[j], and merge-sorts v.
func inversions(v, spare []float64) float64 {
	if len(v) < 2 {
		return 0
	}
	half := len(v) / 2
	count := inversions(v[:half], spare[:half]) + inversions(v[half:], spare[half:])
	copy(spare, v)
	for i, j, at := 0, half, 0; at < len(v); at++ {
		if i < half && (j == len(v) || spare[i] <= spare[j]) {
			v[at] = spare[i]
			i++
		} else {
			v[at] = spare[j]
			j++
			count += float64(half - i)
		}
	}
	return count
}

// inversionP returns the two-sided probability that a random permutation of n has at most out inversions, or at
// most out fewer than the maximum. The distribution is the product of (1+q+…+qʲ⁻¹)/j over j ≤ n.
func inversionP(n, out int) float64 {
	if 4*out == n*(n-1) {
		return 1
	}
	p := make([]float64, out+1)
	p[0] = 1
	next := make([]float64, out+1)
	for j := 2; j <= n; j++ {
		window := 0.0
		for k := range p {
			window += p[k]
			if k >= j {
				window -= p[k-j]
			}
			next[k] = max(window, 0) / float64(j)
		}
		p, next = next, p
	}
	return min(1, 2*Sum(p))
}
