package stats

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// ADResult is the result of the k-sample Anderson-Darling test.
type ADResult struct {
	Statistic float64    `json:"statistic"` // standardised: (A² - (k-1)) / σ
	Critical  [7]float64 `json:"critical"`  // at 25, 10, 5, 2.5, 1, 0.5 and 0.1 %
	P         float64    `json:"p"`
	Capped    Cap        `json:"capped,omitempty"`
	Midrank   bool       `json:"midrank"`
	N         int        `json:"n"`
	K         int        `json:"k"`
}

// Cap marks a p-value beyond the end of the table it was interpolated in, so that only a bound is known.
type Cap string

// AtLeast: the true p is the given one or larger. AtMost: the given one or smaller.
const (
	AtLeast Cap = "at least"
	AtMost  Cap = "at most"
)

// adLevels and the coefficients of the critical values b0 + b1/√m + b2/m, for
// m = k-1: Scholz & Stephens 1987, table 2.
var (
	adLevels = [7]float64{0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.001}
	adB0     = [7]float64{0.675, 1.281, 1.645, 1.96, 2.326, 2.573, 3.085}
	adB1     = [7]float64{-0.245, 0.25, 0.678, 1.149, 1.822, 2.364, 3.615}
	adB2     = [7]float64{-0.105, -0.305, -0.362, -0.391, -0.396, -0.345, -0.154}
)

// AndersonDarling tests whether k samples come from one distribution (Scholz & Stephens, JASA 82, 1987):
// equation 7 with midranks, which is better for tied data, equation 6 without (the right-continuous ECDF).
// The p-value is that of scipy's anderson_ksamp: the logarithm of the level as a quadratic of the
// statistic, fitted to the table; outside the table it is 0.25 or 0.001 and marked in Capped. Errors wrap
// ErrTooFew (fewer than two samples, an empty one, or under four values in all, where the variance is not
// defined), ErrNotFinite and ErrNoVariation.
func AndersonDarling(midrank bool, groups ...[]float64) (ADResult, error) {
	const statistic = "Anderson-Darling"
	if len(groups) < 2 {
		return ADResult{}, fmt.Errorf("%s of %d samples: at least two are needed: %w", statistic, len(groups), ErrTooFew)
	}
	if err := samples(statistic, groups...); err != nil {
		return ADResult{}, err
	}
	var all []float64
	for _, g := range groups {
		all = append(all, g...)
	}
	slices.Sort(all)
	if len(all) < 4 {
		return ADResult{}, tooFew(statistic, len(all), 4)
	}
	if all[0] == all[len(all)-1] {
		return ADResult{}, fmt.Errorf("%s: %w", statistic, ErrNoVariation)
	}
	r := ADResult{Midrank: midrank, N: len(all), K: len(groups)}
	m := float64(r.K - 1)
	r.Statistic = (adSquare(all, groups, midrank) - m) / math.Sqrt(adVariance(r.N, groups))
	for i := range r.Critical {
		r.Critical[i] = adB0[i] + adB1[i]/math.Sqrt(m) + adB2[i]/m
	}
	switch {
	case r.Statistic < r.Critical[0]:
		r.P, r.Capped = adLevels[0], AtLeast
	case r.Statistic > r.Critical[6]:
		r.P, r.Capped = adLevels[6], AtMost
	default:
		r.P = adInterpolate(r.Critical, r.Statistic)
	}
	return checked(statistic, r)
}

// adSquare is A², a sum over the distinct values of the pooled, sorted sample: l values equal the distinct
// one, and b are below or equal to it (with only half of l counted for midranks).
func adSquare(all []float64, groups [][]float64, midrank bool) float64 {
	total := float64(len(all))
	var sum []float64
	for _, g := range groups {
		g = slices.Sorted(slices.Values(g))
		n, inner := float64(len(g)), 0.0
		for i, in := 0, 0; i < len(all); {
			end, inEnd := upTo(all, i), in
			if inEnd < len(g) && g[inEnd] == all[i] {
				inEnd = upTo(g, in)
			}
			if !midrank && end == len(all) {
				break
			}
			l := float64(end - i)
			b, m, rest := float64(end), float64(inEnd), 0.0
			if midrank {
				b, m, rest = b-l/2, m-float64(inEnd-in)/2, total*l/4
			}
			d := total*m - b*n
			inner += l / total * d * d / (b*(total-b) - rest)
			i, in = end, inEnd
		}
		sum = append(sum, inner/n)
	}
	if midrank {
		return Sum(sum) * (total - 1) / total
	}
	return Sum(sum)
}

// upTo returns the index after the last value of sorted x that equals x[i].
func upTo(x []float64, i int) int {
	return i + sort.Search(len(x)-i, func(j int) bool { return x[i+j] > x[i] })
}

// adVariance returns the variance of A² under the null hypothesis without ties,
// Scholz & Stephens 1987, equation 4.
func adVariance(total int, groups [][]float64) float64 {
	n, k, inverse := float64(total), float64(len(groups)), 0.0
	for _, g := range groups {
		inverse += 1 / float64(len(g))
	}
	// h = Σ 1/i for i < N;  g = ΣΣ 1/((N-i)j) for i < N-1, i < j < N.
	h, g, run := 0.0, 0.0, 0.0
	for i := 1; i < total; i++ {
		h += 1 / float64(i)
	}
	for i := 2; i < total; i++ {
		run += 1 / float64(total+1-i)
		g += run / float64(i)
	}
	a := (4*g-6)*(k-1) + (10-6*g)*inverse
	b := (2*g-4)*k*k + 8*h*k + (2*g-14*h-4)*inverse - 8*h + 4*g - 6
	c := (6*h+2*g-2)*k*k + (4*h-4*g+6)*k + (2*h-6)*inverse + 4*h
	d := (2*h+6)*k*k - 4*h*k
	return (((a*n+b)*n+c)*n + d) / ((n - 1) * (n - 2) * (n - 3))
}

// adInterpolate returns the level at a statistic: exp of the least-squares quadratic of the levels'
// logarithms over the critical values, fitted with orthogonal polynomials (Forsythe 1957), which lose fewer
// digits than powers.
func adInterpolate(critical [7]float64, at float64) float64 {
	n := float64(len(critical))
	mean := Sum(critical[:]) / n
	squares, cubes := 0.0, 0.0
	for _, c := range critical {
		squares += (c - mean) * (c - mean)
		cubes += (c - mean) * (c - mean) * (c - mean)
	}
	second := func(x float64) float64 { return (x-mean)*(x-mean-cubes/squares) - squares/n }
	y0, y1, y2, norm := 0.0, 0.0, 0.0, 0.0
	for i, c := range critical {
		y, q := math.Log(adLevels[i]), second(c)
		y0 += y
		y1 += y * (c - mean)
		y2 += y * q
		norm += q * q
	}
	return math.Exp(y0/n + y1/squares*(at-mean) + y2/norm*second(at))
}
