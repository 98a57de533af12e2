package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
)

// The spending functions of Lan & DeMets (Biometrika 70, 1983), by the names that study files use: how much of a two-sided
// level α may be spent up to a fraction t of the information.
const (
	OBrienFleming = "obrien-fleming" // 4 - 4Φ(z(α/4)/√t), twice the one-sided function at α/2: little is spent early
	Pocock        = "pocock"         // α ln(1 + (e-1) t): nearly as much is spent at each look
)

// MostLooks bounds the looks of a plan, and LeastStep the information between two of them.
const (
	MostLooks = 20
	LeastStep = 0.01
)

// Look is an analysis of a group-sequential plan, with the two-sided boundary that it has.
type Look struct {
	Fraction float64 // of the information, above 0, at most 1
	Spent    float64 // of the level up to this look
	Bound    float64 // of the standard normal statistic
	Level    float64 // 2 - 2Φ(Bound): the largest p that is significant at this look
}

// Looks returns the looks of a plan at increasing fractions of the information, each with a symmetric boundary at which the
// whole plan has the level alpha. Boundaries follow one from the other: the density of the statistic that has crossed
// none is integrated from look to look (Armitage, McPherson & Rowe, JRSS A 132, 1969), on B(t) = Z√t, whose increments
// are independent. Errors wrap ErrShape.
func Looks(fractions []float64, alpha float64, spending string) ([]Look, error) {
	const statistic = "group-sequential boundaries"
	switch {
	case len(fractions) == 0 || len(fractions) > MostLooks:
		return nil, fmt.Errorf("%s: %d looks are not from 1 to %d: %w", statistic, len(fractions), MostLooks, ErrShape)
	case !(alpha > 0 && alpha < 1):
		return nil, fmt.Errorf("%s: a level of %v is not between 0 and 1: %w", statistic, alpha, ErrShape)
	case spending != OBrienFleming && spending != Pocock:
		return nil, fmt.Errorf("%s: %q is neither %q nor %q: %w", statistic, spending, OBrienFleming, Pocock, ErrShape)
	}
	looks := make([]Look, len(fractions))
	before, surviving := 0.0, walk{at: []float64{0}, mass: []float64{1}} // B(0) = 0
	spent := 0.0
	for i, t := range fractions {
		if !(t-before >= LeastStep-1e-12 && t <= 1) {
			return nil, fmt.Errorf("%s: the fraction %v is not %v or more above the one before, and at most 1: %w", statistic, t, LeastStep, ErrShape)
		}
		look := Look{Fraction: t, Spent: max(spent, spentAt(t, alpha, spending))}
		step := math.Sqrt(t - before)
		low, high := 0.0, farthest
		for range 60 { // the probability of crossing decreases in the bound
			if look.Bound = (low + high) / 2; surviving.beyond(look.Bound*math.Sqrt(t), step) > look.Spent-spent {
				low = look.Bound
			} else {
				high = look.Bound
			}
		}
		look.Level = 2 * upperNormal(look.Bound)
		surviving = surviving.next(look.Bound*math.Sqrt(t), step)
		before, spent, looks[i] = t, look.Spent, look
	}
	return looks, nil
}

// farthest is the largest bound: beyond it is less than 1e-22 of a normal distribution.
const farthest = 10.0

func spentAt(t, alpha float64, spending string) float64 {
	if spending == Pocock {
		return alpha * math.Log1p((math.E-1)*t)
	}
	return 4 * upperNormal(NormalQuantile(1-alpha/4)/math.Sqrt(t))
}

// walk is the distribution of a random walk that has crossed no boundary: points with the probability that each stands for.
type walk struct{ at, mass []float64 }

// beyond returns the probability that the next step, of this standard deviation, ends beyond ± the limit.
func (w walk) beyond(limit, step float64) float64 {
	sum := 0.0
	for i, u := range w.at {
		sum += w.mass[i] * (upperNormal((limit-u)/step) + upperNormal((limit+u)/step))
	}
	return sum
}

// next returns the walk after a step that ends within ± the limit, by Gauss and Legendre's rule on pieces of at most one
// standard deviation.
func (w walk) next(limit, step float64) walk {
	const order = 12
	pieces := min(int(math.Ceil(2*limit/step)), 400)
	var n walk
	width := 2 * limit / float64(pieces)
	x, weight := make([]float64, order), make([]float64, order)
	for p := range pieces {
		from := -limit + float64(p)*width
		quad.Legendre{}.FixedLocations(x, weight, from, from+width)
		n.at, n.mass = append(n.at, x...), append(n.mass, weight...)
	}
	scale := 1 / (step * math.Sqrt(2*math.Pi))
	for i, s := range n.at {
		density := 0.0
		for j, u := range w.at {
			if z := (s - u) / step; math.Abs(z) < farthest {
				density += w.mass[j] * math.Exp(-z*z/2)
			}
		}
		n.mass[i] *= density * scale
	}
	return n
}

// LookAt returns the looks of a plan as they are when the information is a fraction: those before it at their planned
// fractions, and the last one that is due at this fraction, which is 1 at the end. None is due below the first one.
func LookAt(fractions []float64, information, alpha float64, spending string) ([]Look, error) {
	due := 0
	for due < len(fractions) && information >= fractions[due]-1e-9 {
		due++
	}
	if due == 0 {
		return nil, nil
	}
	at := append(slices.Clone(fractions[:due-1]), max(fractions[due-1], min(information, 1)))
	return Looks(at, alpha, spending)
}
