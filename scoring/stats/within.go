package stats

import (
	"fmt"
	"math"
	"slices"
)

// Shares are the samples of a task under two conditions: how many there are, and how many of them pass.
type Shares struct{ Passed, N, OtherPassed, OtherN int }

// Within is the result of [WithinTest].
type Within struct {
	Mean     float64  `json:"mean"`     // of the tasks' differences of shares
	P        float64  `json:"p"`        // two-sided: twice the smaller tail, at most 1
	Method   Method   `json:"method"`   // Permutation (exact), or Normal
	Interval Interval `json:"interval"` // the mean, less the quantiles of its distribution: it excludes 0 if p ≤ 1-c
}

// Limits of the exact distribution: the work in additions, and the least step of the lattice.
const (
	withinWork = 50_000_000
	withinStep = 1.0 / 5040
)

// WithinTest tests whether samples of tasks pass as often under one condition as under the other, by permuting the
// samples within each task (Pitman, JRSS Supplement 4, 1937): given how many samples of a task pass, those under the
// first condition are as likely any of them, so their number is hypergeometric. It holds its level whatever the
// numbers of samples are, which [SignFlipTest] does not: with ten samples against one the difference of a task is
// skewed even if both conditions pass as often. It takes the differences of these tasks alone as given, so it says
// nothing of other tasks.
//
// Errors wrap ErrTooFew (no task, or one without samples) and ErrShape (more pass than there are).
func WithinTest(tasks []Shares, confidence float64) (Within, error) {
	const statistic = "permutation within tasks"
	if err := checkConfidence(confidence); err != nil {
		return Within{}, err
	}
	if len(tasks) == 0 {
		return Within{}, fmt.Errorf("%s: no task: %w", statistic, ErrTooFew)
	}
	r := Within{P: 1, Method: Permutation}
	var varying []Shares
	lattice, variance := 1, 0.0
	for _, t := range tasks {
		switch {
		case t.N < 1 || t.OtherN < 1:
			return Within{}, fmt.Errorf("%s: a task has no sample: %w", statistic, ErrTooFew)
		case t.Passed < 0 || t.Passed > t.N || t.OtherPassed < 0 || t.OtherPassed > t.OtherN:
			return Within{}, fmt.Errorf("%s: %d of %d samples pass, and %d of %d: %w", statistic, t.Passed, t.N, t.OtherPassed, t.OtherN, ErrShape)
		}
		if passed := t.Passed + t.OtherPassed; passed == 0 || passed == t.N+t.OtherN {
			continue // no permutation differs
		}
		varying = append(varying, t)
		lattice = lcm(lattice, lcm(t.N, t.OtherN))
		variance += t.variance()
	}
	if len(varying) == 0 {
		return r, nil
	}
	n := float64(len(tasks))
	for _, t := range varying {
		r.Mean += t.difference(t.Passed) / n
	}
	sums := permutedSums(varying, max(1/float64(lattice), withinStep))
	if sums == nil {
		r.Method = Normal
		sd := math.Sqrt(variance) / n
		half := NormalQuantile(0.5+confidence/2) * sd
		r.P, r.Interval = math.Erfc(math.Abs(r.Mean)/sd/math.Sqrt2), Interval{r.Mean - half, r.Mean + half}
		return r, nil
	}
	at := 0
	for _, t := range varying {
		at += sums.steps(t.difference(t.Passed))
	}
	r.P = min(1, 2*min(Sum(sums.p[:at-sums.from+1]), Sum(sums.p[at-sums.from:])))
	low, high := sums.middle((1 - confidence) / 2)
	r.Interval = Interval{float64(at-high) * sums.step / n, float64(at-low) * sums.step / n}
	return r, nil
}

// difference returns the difference of shares if so many of the first condition's samples pass, of as many as do now.
func (t Shares) difference(passed int) float64 {
	return float64(passed)/float64(t.N) - float64(t.Passed+t.OtherPassed-passed)/float64(t.OtherN)
}

// variance returns that of the difference over all permutations.
func (t Shares) variance() float64 {
	n, m, passed := float64(t.N), float64(t.OtherN), float64(t.Passed+t.OtherPassed)
	all := n + m
	return (1/n + 1/m) * (1/n + 1/m) * n * m * passed * (all - passed) / (all * all * (all - 1))
}

// permuted is the distribution of the sum of differences, on a lattice.
type permuted struct {
	step float64
	from int       // steps of the first sum
	p    []float64 // of the sums from there on
}

func (d *permuted) steps(difference float64) int { return int(math.Round(difference / d.step)) }

// permutedSums returns the distribution over all permutations, nil if it takes too long.
func permutedSums(tasks []Shares, step float64) *permuted {
	d, work := &permuted{step: step, p: []float64{1}}, 0
	for _, t := range tasks {
		passed := t.Passed + t.OtherPassed
		least, most := max(0, passed-t.OtherN), min(t.N, passed)
		from, to := d.steps(t.difference(least)), d.steps(t.difference(most))
		if work += (most - least + 1) * len(d.p); work > withinWork {
			return nil
		}
		next := make([]float64, len(d.p)+to-from)
		for x := least; x <= most; x++ {
			shift := d.steps(t.difference(x)) - from
			weight := math.Exp(logChoose(t.N, x) + logChoose(t.OtherN, passed-x) - logChoose(t.N+t.OtherN, passed))
			for i, p := range d.p {
				next[i+shift] += p * weight
			}
		}
		d.p, d.from = next, d.from+from
	}
	return d
}

// middle returns the least and the largest sum beyond which, that sum included, there is more than the tail.
func (d *permuted) middle(tail float64) (low, high int) {
	below := 0.0
	for i, p := range d.p {
		if below += p; below > tail+1e-12 {
			low = d.from + i
			break
		}
	}
	above := 0.0
	for i, p := range slices.Backward(d.p) {
		if above += p; above > tail+1e-12 {
			high = d.from + i
			break
		}
	}
	return low, high
}

func logChoose(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	in, _ := math.Lgamma(float64(k + 1))
	out, _ := math.Lgamma(float64(n - k + 1))
	return all - in - out
}

// lcm returns the least common multiple, or a large number that is none.
func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	if product := a / x * b; product < 1<<40 {
		return product
	}
	return 1 << 40
}
