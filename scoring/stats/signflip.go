package stats

import (
	"fmt"
	"math"
	"slices"
)

// SignFlip is the result of the sign-flip test of a mean difference.
type SignFlip struct {
	Mean   float64 `json:"mean"`   // of all differences
	N      int     `json:"n"`      // units that were flipped: differences or clusters
	Differ int     `json:"differ"` // units whose sum is not 0
	P      float64 `json:"p"`      // two-sided: twice the smaller tail, at most 1
	// Least is the smallest P that this number of differing units can give, 2 of 2^Differ sign patterns: if
	// it is not below the level, the test cannot reject.
	Least  float64 `json:"least_p"`
	Method Method  `json:"method"` // Permutation (exact), or Saddlepoint
	// Interval contains the mean differences that the same test does not reject; nil if it rejects none
	// because 2^N sign patterns are too few: at 95 % below 6 units.
	Interval *Interval `json:"interval"`
}

// Limits of exact distributions: the work in additions, and the number of steps that must resolve a
// difference if differences are rounded to steps.
const (
	signFlipWork  = 20_000_000
	signFlipSteps = 128
)

// SignFlipTest tests whether paired differences have mean 0 by flipping their signs (Fisher, The Design of
// Experiments, 1935, section 21; Pitman, JRSS Supplement 4, 1937): if the two conditions are exchangeable,
// each sign is as likely as its opposite, so p is the share of the 2^n sign patterns whose sum is at least
// as far from 0. Members of a cluster flip together; with nil clusters each difference flips on its own.
//
// The interval contains each δ for which the test of the differences minus δ has p > 1-c. Its ends are
// quantiles of the means of all subsets (Hartigan, JASA 64, 1969). So p ≤ 1-c and "the interval excludes 0"
// are the same statement.
//
// The distribution is computed exactly over the lattice on which the differences lie. Differences of
// quotients c/n lie on one; others are rounded to fine steps, which keeps the test exact, since rounding is
// symmetric. If even that takes too long, as for thousands of differences, tails come from the saddlepoint
// approximation (Robinson, JRSS B 44, 1982). Neither puts a floor under p, as random flips would.
//
// Under a null hypothesis without exchangeability (mean 0, but skewed) the test holds its level for large
// n, as Student's does. For small n no test can: if one unit in ten outweighs nine small ones, 35 of 100
// samples of 10 units miss it and look like a clear effect.
//
// Errors wrap ErrTooFew (no difference), ErrNotFinite, ErrNoVariation (all sums are 0) and ErrShape (the
// clusters are not a partition).
func SignFlipTest(differences []float64, clusters [][]int, confidence float64) (SignFlip, error) {
	return signFlip(differences, clusters, confidence, true)
}

// SignFlipP is [SignFlipTest] without the interval, which takes most of its time.
func SignFlipP(differences []float64) (SignFlip, error) {
	return signFlip(differences, nil, 0.95, false)
}

func signFlip(differences []float64, clusters [][]int, confidence float64, invert bool) (SignFlip, error) {
	const statistic = "sign-flip test"
	if err := checkConfidence(confidence); err != nil {
		return SignFlip{}, err
	}
	if err := samples(statistic, differences); err != nil {
		return SignFlip{}, err
	}
	units, err := flipUnits(differences, clusters)
	if err != nil {
		return SignFlip{}, err
	}
	r := SignFlip{Mean: Mean(differences), N: len(units), P: 1}
	for _, u := range units {
		if u.sum != 0 {
			r.Differ++
		}
	}
	if r.Differ == 0 {
		return SignFlip{}, fmt.Errorf("%s: no pair differs: %w", statistic, ErrNoVariation)
	}
	r.Least = math.Ldexp(1, 1-r.Differ)
	level := 1 - confidence
	f := newFlips(units)
	r.P, r.Method = f.p()
	if invert && math.Ldexp(1, -len(units)) <= level/2 {
		r.Interval = f.interval(level, r.P <= level)
	}
	return checked(statistic, r)
}

// flipUnit is a difference, or a cluster, that is flipped as a whole.
type flipUnit struct {
	sum  float64
	size int // differences in it
	step int // the sum on the lattice
}

func flipUnits(differences []float64, clusters [][]int) ([]flipUnit, error) {
	if clusters == nil {
		units := make([]flipUnit, len(differences))
		for i, d := range differences {
			units[i] = flipUnit{sum: d, size: 1}
		}
		return units, nil
	}
	if err := partition(len(differences), clusters); err != nil {
		return nil, err
	}
	units := make([]flipUnit, len(clusters))
	for c, members := range clusters {
		units[c] = flipUnit{sum: Sum(gather(nil, differences, members)), size: len(members)}
		if math.Abs(units[c].sum) < 1e-12 {
			units[c].sum = 0 // rounding residue of differences that cancel
		}
	}
	return units, nil
}

// flips are the units of a test, on a lattice.
type flips struct {
	units []flipUnit
	unit  float64 // one step of the lattice
	exact bool    // the distribution at 0 is exact
	joint bool    // the distribution at other differences is exact, too
}

func newFlips(units []flipUnit) *flips {
	f := &flips{units: units}
	largest, all, sizes, moving := 0.0, 0.0, 0, 0
	for _, u := range units {
		largest, all = max(largest, math.Abs(u.sum)), all+math.Abs(u.sum)
		if u.sum != 0 || u.size > 1 {
			sizes, moving = sizes+u.size, moving+1
		}
	}
	// The additions that one more step of the lattice costs, for tails at 0 and at other differences.
	tail, joint := float64(moving)*all/2, float64(moving)*float64(sizes+1)*all
	natural := f.lattice()
	switch {
	case natural > 0 && joint/natural <= signFlipWork:
		f.unit, f.joint = natural, true
	case largest/(joint/signFlipWork) >= signFlipSteps:
		f.unit, f.joint = max(joint/signFlipWork, largest/(1<<20)), true
	case natural > 0 && tail/natural <= signFlipWork:
		f.unit = natural
	default:
		f.unit = max(tail/signFlipWork, largest/(1<<20))
	}
	f.exact = largest/f.unit >= signFlipSteps || f.unit == natural
	for i := range units {
		units[i].step = int(math.Round(units[i].sum / f.unit))
	}
	return f
}

// lattice returns the largest step 1/q that divides all sums; 0 if there is none with q up to 10,000.
func (f *flips) lattice() float64 {
	const most, near = 10_000, 1e-9
	for q := 1; q <= most; q++ {
		if !slices.ContainsFunc(f.units, func(u flipUnit) bool {
			x := u.sum * float64(q)
			return math.Abs(x-math.Round(x)) > near*max(1, math.Abs(x))
		}) {
			return 1 / float64(q)
		}
	}
	return 0
}

// p returns the two-sided p.
func (f *flips) p() (float64, Method) {
	if !f.exact {
		return min(1, 2*saddlepointTail(f.units, 0, true), 2*saddlepointTail(f.units, 0, false)), Saddlepoint
	}
	above, below := 0, 0
	for _, u := range f.units {
		above, below = above+max(u.step, 0), below+max(-u.step, 0)
	}
	return min(1, 2*f.tail(min(above, below))), Permutation
}

// tail returns the probability that a random subset of the units' steps sums to at most most: the share of sign
// patterns with a sum as extreme as the observed one.
func (f *flips) tail(most int) float64 {
	const often, scale = 400, 400 // sums of 400 doublings cannot overflow
	ways, exponent, doubled := make([]float64, most+1), 0, 0
	ways[0] = 1
	for _, u := range f.units {
		step := max(u.step, -u.step)
		if step == 0 {
			continue
		}
		exponent--
		for s := most; s >= step; s-- {
			ways[s] += ways[s-step]
		}
		if doubled++; doubled%often == 0 {
			for s := range ways {
				ways[s] = math.Ldexp(ways[s], -scale)
			}
			exponent += scale
		}
	}
	return math.Ldexp(Sum(ways), exponent)
}

// interval inverts the test. The caller passes whether the test rejects 0, so that p and the interval agree
// even if they are computed in different ways.
func (f *flips) interval(level float64, rejected bool) *Interval {
	total := 0.0
	for _, u := range f.units {
		total += u.sum
	}
	low := f.lowest(level, rejected && total > 0)
	mirrored := &flips{units: slices.Clone(f.units), unit: f.unit, exact: f.exact, joint: f.joint}
	for i := range mirrored.units {
		mirrored.units[i].sum, mirrored.units[i].step = -f.units[i].sum, -f.units[i].step
	}
	return &Interval{low, 0 - mirrored.lowest(level, rejected && total < 0)}
}

// lowest returns the least δ whose upper tail exceeds level/2: the tail of the test against a mean above δ.
func (f *flips) lowest(level float64, positive bool) float64 {
	low, high, sizes := math.Inf(1), 0.0, 0
	for _, u := range f.units {
		low = min(low, u.sum/float64(u.size))
		high, sizes = high+u.sum, sizes+u.size
	}
	high /= float64(sizes)
	low, high = low-f.unit, high+f.unit
	if positive {
		low = 0
	} else {
		high = min(high, 0)
	}
	accepted := func(delta float64) bool { return saddlepointTail(f.units, delta, true) > level/2 }
	if f.joint {
		j := f.jointly()
		accepted = func(delta float64) bool { return j.atMost(delta/f.unit) > level/2 }
	}
	if !positive && !accepted(high) {
		// The interval always contains the mean, so high is 0 here. The exact p does not reject 0; only the
		// approximation does, by a small error.
		return high
	}
	for range 200 {
		mid := low + (high-low)/2
		if mid <= low || mid >= high || high-low < 1e-10*f.unit {
			break
		}
		if accepted(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// jointly is the joint distribution of steps and size of a random subset, over the units that have a sum or
// several members, and of the number of other units in it.
type jointly struct {
	cells []jointCell
	rest  []float64 // the probability that at least this many of the other units are in the subset
}

type jointCell struct{ sum, size, p float64 }

func (f *flips) jointly() *jointly {
	above, below, sizes, others := 0, 0, 0, 0
	for _, u := range f.units {
		if u.step == 0 && u.size == 1 {
			others++
			continue
		}
		above, below, sizes = above+max(u.step, 0), below+max(-u.step, 0), sizes+u.size
	}
	width := above + below + 1
	rows := make([][]float64, sizes+1)
	for k := range rows {
		rows[k] = make([]float64, width)
	}
	rows[0][below] = 1
	reached, low, high := 0, below, below // sizes and sums so far
	for _, u := range f.units {
		if u.step == 0 && u.size == 1 {
			continue
		}
		reached, low, high = reached+u.size, low-max(-u.step, 0), high+max(u.step, 0)
		for k := reached; k >= 0; k-- {
			for s := low; s <= high; s++ {
				rows[k][s] /= 2
			}
			if k < u.size {
				continue
			}
			from := rows[k-u.size]
			for s := max(low, low+u.step); s <= min(high, high+u.step); s++ {
				rows[k][s] += from[s-u.step] / 2
			}
		}
	}
	j := &jointly{}
	for k, row := range rows {
		for s, p := range row {
			if p > 1e-15 {
				j.cells = append(j.cells, jointCell{float64(s - below), float64(k), p})
			}
		}
	}
	j.rest = make([]float64, others+1)
	for i := range j.rest {
		a, _ := math.Lgamma(float64(others + 1))
		b, _ := math.Lgamma(float64(i + 1))
		c, _ := math.Lgamma(float64(others - i + 1))
		j.rest[i] = math.Exp(a - b - c - float64(others)*math.Ln2)
	}
	for i := others - 1; i >= 0; i-- {
		j.rest[i] += j.rest[i+1]
	}
	return j
}

// atMost returns the probability that a subset's sum is at most its size times delta, in steps; that is, that
// its mean is at most delta or that it is empty.
func (j *jointly) atMost(delta float64) float64 {
	const near = 1e-9 // tolerance for rounding
	total := 0.0
	for _, c := range j.cells {
		switch {
		case delta > 0:
			least := max(0, math.Ceil(c.sum/delta-c.size-near))
			if least < float64(len(j.rest)) {
				total += c.p * j.rest[int(least)]
			}
		case delta < 0:
			most := math.Floor(c.sum/delta - c.size + near) // both negative where it can be
			switch {
			case most >= float64(len(j.rest)-1):
				total += c.p
			case most >= 0:
				total += c.p * (1 - j.rest[int(most)+1])
			}
		case c.sum <= 0:
			total += c.p
		}
	}
	return total
}
