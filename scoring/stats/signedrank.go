package stats

import (
	"fmt"
	"math"
	"slices"
)

// ZeroMethod is what the signed-rank test does with differences of zero.
type ZeroMethod int

// The methods, named as in scipy.stats.wilcoxon.
const (
	Wilcox ZeroMethod = iota // zeros are dropped before ranking (Wilcoxon 1945)
	Pratt                    // zeros are ranked, then their ranks dropped (Pratt 1959)
	ZSplit                   // zeros are ranked, half of their ranks goes to each side
)

// String names the method for a report.
func (z ZeroMethod) String() string {
	switch z {
	case Wilcox:
		return "wilcox (zeros dropped)"
	case Pratt:
		return "pratt (zeros ranked, then dropped)"
	case ZSplit:
		return "zsplit (zeros ranked and split)"
	}
	return fmt.Sprintf("zero method %d", int(z))
}

// MarshalText names the method in JSON.
func (z ZeroMethod) MarshalText() ([]byte, error) { return []byte(z.String()), nil }

// SignedRank is the result of Wilcoxon's signed-rank test.
type SignedRank struct {
	Plus        float64     `json:"w_plus"`  // sum of the ranks of positive differences
	Minus       float64     `json:"w_minus"` // and of negative ones
	W           float64     `json:"w"`       // the smaller of them
	N           int         `json:"n"`       // pairs
	Zeros       int         `json:"zeros"`   // of them without a difference
	P           float64     `json:"p"`
	Alternative Alternative `json:"alternative"`
	ZeroMethod  ZeroMethod  `json:"zero_method"`
	Method      Method      `json:"method"` // Exact, Permutation, Normal or NormalContinuity
}

// exactSignedRank bounds the pairs for which the exact distribution is
// computed: for Auto, and at all (its cost grows with the cube). With ties or
// zeros it is that over all signs, for so many pairs that differ.
const (
	autoSignedRank        = 50
	exactSignedRank       = 200
	permutationSignedRank = 25
)

// WilcoxonSignedRank tests whether the differences x-y are symmetric about 0,
// from the ranks of their sizes:
//
//	W₊ = Σ rank|d|, d > 0;  E = n(n+1)/4;  Var = n(n+1)(2n+1)/24 - Σ(t³-t)/48
//
// where Pratt's method takes the same terms of the zeros from E and Var
// (Cureton, JASA 62, 1967). Auto is exact for at most 50 pairs without ties and
// zeros, and with them over all signs (Permutation) where at most 25 pairs differ:
// the normal approximation would call 5 equal differences significant, of which no
// exact test has a p below 1/16. Else it is that approximation, with continuity
// correction.
//
// Differences are compared as they are: 0.3-0.2 and 0.2-0.1 are not tied, so
// hand decimals over scaled to whole numbers where ties matter. Errors wrap
// ErrShape, ErrTooFew (no pair), ErrNotFinite, ErrNoVariation (every difference
// is zero), and for Exact ErrTies and, over 200 pairs, ErrTooMany.
func WilcoxonSignedRank(x, y []float64, zeros ZeroMethod, alternative Alternative, method Method) (SignedRank, error) {
	const what = "Wilcoxon signed-rank"
	if zeros < Wilcox || zeros > ZSplit {
		return SignedRank{}, fmt.Errorf("%s: there is no %v", what, zeros)
	}
	for _, err := range []error{alternative.check(), method.check(), pairs(what, x, y, 1)} {
		if err != nil {
			return SignedRank{}, err
		}
	}
	sizes, signs, none := differences(x, y, zeros)
	r := SignedRank{N: len(x), Zeros: none, Alternative: alternative, ZeroMethod: zeros, Method: method}
	if none == len(x) {
		return SignedRank{}, fmt.Errorf("%s: no pair differs: %w", what, ErrNoVariation)
	}
	if err := finite(what+": the differences", sizes); err != nil {
		return SignedRank{}, err
	}
	ranks, groups := midranks(sizes)
	for i, rank := range ranks {
		switch {
		case signs[i] > 0:
			r.Plus += rank
		case signs[i] < 0:
			r.Minus += rank
		case zeros == ZSplit:
			r.Plus += rank / 2
			r.Minus += rank / 2
		}
	}
	r.W = min(r.Plus, r.Minus)
	free := none == 0 && !tied(groups)
	switch {
	case method == Auto && free && len(x) <= autoSignedRank:
		r.Method = Exact
	case method == Auto && !free && len(x)-none <= permutationSignedRank:
		r.Method = Permutation
	case method == Auto:
		r.Method = NormalContinuity
	case method == Exact && !free:
		return SignedRank{}, fmt.Errorf("%s: %w", what, ErrTies)
	case method == Exact && len(x) > exactSignedRank:
		return SignedRank{}, fmt.Errorf("%s of %d pairs, %d at most: %w", what, len(x), exactSignedRank, ErrTooMany)
	}
	switch r.Method {
	case Exact:
		r.P = exactP(signedRankPMF(len(x)), int(r.Plus), alternative)
		return checked(what, r)
	case Permutation:
		pmf, at := signPermutation(ranks, signs)
		r.P = exactP(pmf, at, alternative)
		return checked(what, r)
	}
	mean, sd := signedRankMoments(len(sizes), none, zeros, groups)
	_, r.P = normalP(r.Plus, mean, sd, alternative, r.Method)
	return checked(what, r)
}

// differences are the sizes of x-y with their signs, without the zeros if they
// are to be dropped, and how many zeros there were.
func differences(x, y []float64, zeros ZeroMethod) (sizes, signs []float64, none int) {
	for i := range x {
		d := x[i] - y[i]
		if d == 0 {
			none++
			if zeros == Wilcox {
				continue
			}
			signs = append(signs, 0)
		} else {
			signs = append(signs, math.Copysign(1, d))
		}
		sizes = append(sizes, math.Abs(d))
	}
	return sizes, signs, none
}

// signedRankMoments are the mean and the standard deviation of W₊ for count
// ranked differences. Groups are the ties; that of the zeros comes first.
func signedRankMoments(count, none int, zeros ZeroMethod, groups []int) (mean, sd float64) {
	n := float64(count)
	mean, variance := n*(n+1)/4, n*(n+1)*(2*n+1)
	if zeros == Pratt && none > 0 {
		z := float64(none)
		mean -= z * (z + 1) / 4
		variance -= z * (z + 1) * (2*z + 1)
		groups = groups[1:]
	}
	return mean, math.Sqrt((variance - tieSum(groups)/2) / 24)
}

// signedRankPMF is the distribution of W₊ for n untied differences: each rank
// counts with probability one half.
func signedRankPMF(n int) []float64 {
	pmf := make([]float64, n*(n+1)/2+1)
	pmf[0] = 1
	for rank, top := 1, 0; rank <= n; rank++ {
		top += rank
		for s := top; s >= 0; s-- {
			pmf[s] /= 2
			if s >= rank {
				pmf[s] += pmf[s-rank] / 2
			}
		}
	}
	return pmf
}

// signPermutation is the distribution of the sum of the positive differences' ranks,
// each of which is positive with probability one half, over the sums that there are, in
// their order; and which of them the signs make. The zeros count for nothing. Midranks
// are multiples of one half, so that equal sums are equal; of tied ranks there are few
// sums, and of m ranks never more than m+1 times as many as without zeros.
func signPermutation(ranks, signs []float64) (pmf []float64, at int) {
	sums, observed := []float64{0}, 0.0
	pmf = []float64{1}
	for i, rank := range ranks {
		if signs[i] == 0 {
			continue
		}
		if signs[i] > 0 {
			observed += rank
		}
		sums, pmf = withRank(sums, pmf, rank)
	}
	at, _ = slices.BinarySearch(sums, observed)
	return pmf, at
}

// withRank is a distribution after one more rank: each sum stays or grows by it.
func withRank(sums, pmf []float64, rank float64) (more, probabilities []float64) {
	for i, j := 0, 0; j < len(sums); {
		next := sums[j] + rank
		p := 0.0
		if i < len(sums) && sums[i] <= next {
			if sums[i] == next {
				p = pmf[j] / 2
				j++
			}
			next = sums[i]
			p += pmf[i] / 2
			i++
		} else {
			p = pmf[j] / 2
			j++
		}
		more, probabilities = append(more, next), append(probabilities, p)
	}
	return more, probabilities
}
