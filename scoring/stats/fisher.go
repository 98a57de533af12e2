package stats

import "math"

// FisherExact returns the two-sided p-value of Fisher's exact test of two shares, a of n and b of m (Fisher,
// Statistical Methods for Research Workers, 1934, section 21.02): the chance, with the sums of the table as they are,
// of a table that is as likely as this one or less.
func FisherExact(a, n, b, m int) float64 {
	ways := func(n, k int) float64 { // logarithm of the binomial coefficient
		x, _ := math.Lgamma(float64(n + 1))
		y, _ := math.Lgamma(float64(k + 1))
		z, _ := math.Lgamma(float64(n - k + 1))
		return x - y - z
	}
	of := func(k int) float64 { return math.Exp(ways(n, k) + ways(m, a+b-k) - ways(n+m, a+b)) }
	p, observed := 0.0, of(a)
	for k := max(0, a+b-m); k <= min(n, a+b); k++ {
		if v := of(k); v <= observed*(1+1e-7) {
			p += v
		}
	}
	return min(1, p)
}
