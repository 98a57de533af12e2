package figure

import (
	"math"
	"slices"
)

// What a mark draws, as numbers: for those who draw it another way, such as in a
// terminal, so that both show the same.

// Title returns the axis's name with its unit.
func (a Axis) Title() string { return a.title() }

// Ticks returns some n round marks that hold the values from lo to hi between them, each
// with its name.
func (a Axis) Ticks(lo, hi float64, n int) (ticks []float64, names []string) {
	e := nothing()
	e.add(lo, hi)
	s := scaleOf(a, e, n)
	return s.ticks, tickNames(s)
}

// Write writes the values of the bars with the same decimals.
func (b Bar) Write() func(float64) string { return b.write() }

// Counted returns the edges of the bins and the counts between them; both are nil where
// there is nothing to count.
func (h Histogram) Counted() (edges []float64, counts []int) { return h.bins() }

// Favourable returns the percentage of an item's answers above the neutral level, and how
// many answers there are. Without any the percentage is NaN.
func (l Likert) Favourable(r Rated) (percent float64, n int) {
	if n = r.n(); n == 0 || len(l.Levels) == 0 {
		return math.NaN(), n
	}
	_, _, percent = l.halves(r)
	return percent, n
}

// Stairs are a step function of a percentage, 0 or 100 % before the first step.
type Stairs struct {
	Name  string
	Start float64 // the percentage before the first step
	End   float64 // where they end
	Steps []Step
	Loose []float64 // where something was censored, in order

	times []float64 // in order
}

// Step is a step of stairs: from At on it has the value Share, which is from Low to
// High with 95 % confidence, pointwise, where they are not NaN.
type Step struct{ At, Share, Low, High float64 }

// At returns the percentage at x, with its bounds.
func (c Stairs) At(x float64) Step {
	at := Step{x, c.Start, math.NaN(), math.NaN()}
	for _, s := range c.Steps {
		if s.At > x {
			break
		}
		at = s
	}
	return at
}

// AtRisk counts the things that were followed until just before x.
func (c Stairs) AtRisk(x float64) int {
	i, _ := slices.BinarySearch(c.times, x)
	return len(c.times) - i
}

// Stairs returns the Kaplan-Meier curves that are drawn.
func (s Survival) Stairs() []Stairs {
	var all []Stairs
	for _, g := range s.Groups {
		times, event, _ := g.followed()
		curve, err := s.curveOf(times, event)
		if err != nil || len(times) == 0 {
			continue
		}
		c := Stairs{Name: clean(g.Name), Start: s.share(1), End: slices.Max(times), times: slices.Sorted(slices.Values(times))}
		for _, step := range curve.Steps {
			low, high := s.share(step.LogLog.Low), s.share(step.LogLog.High)
			if s.Rising {
				low, high = high, low
			}
			c.Steps = append(c.Steps, Step{step.Time, s.share(step.Survival), low, high})
		}
		for i, t := range times {
			if !event[i] {
				c.Loose = append(c.Loose, t)
			}
		}
		slices.Sort(c.Loose)
		c.Loose = slices.Compact(c.Loose)
		all = append(all, c)
	}
	return all
}

// Marked returns the ticks that were asked for, as far as they can be drawn; nil for round
// times.
func (s Survival) Marked() []float64 { return s.ticks() }

// Stairs returns the distribution functions that are drawn.
func (e ECDF) Stairs() []Stairs {
	var all []Stairs
	for _, s := range e.Samples {
		x, _ := sorted(s.Values, e.X)
		if len(x) == 0 {
			continue
		}
		c := Stairs{Name: clean(s.Name), End: x[len(x)-1], times: x}
		for i, v := range x {
			if i+1 == len(x) || x[i+1] != v {
				c.Steps = append(c.Steps, Step{v, 100 * float64(i+1) / float64(len(x)), math.NaN(), math.NaN()})
			}
		}
		all = append(all, c)
	}
	return all
}

// Plain returns a number for reading: at most so many decimals, no zeros at the end, "–"
// where there is none.
func Plain(v float64, decimals int) string { return plain(v, decimals) }
