package figure

import (
	"math"
	"strconv"
	"strings"
)

// scale maps values from lo to hi to positions from a to b.
type scale struct {
	lo, hi, a, b float64
	log          bool
	ticks        []float64
}

func (s scale) at(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		lo, hi, v = math.Log10(lo), math.Log10(hi), math.Log10(v)
	}
	return s.a + (min(max(v, lo), hi)-lo)/(hi-lo)*(s.b-s.a)
}

// to returns the scale onto other positions.
func (s scale) to(a, b float64) scale {
	s.a, s.b = a, b
	return s
}

// extent is the least and the greatest of some values.
type extent struct{ lo, hi float64 }

func nothing() extent { return extent{math.Inf(1), math.Inf(-1)} }

func (e *extent) add(values ...float64) {
	for _, v := range values {
		if finite(v) {
			e.lo, e.hi = min(e.lo, v), max(e.hi, v)
		}
	}
}

// scaleOf returns a scale for the extent with some n ticks, from tick to tick.
func scaleOf(a Axis, e extent, n int) scale {
	if a.From < a.To && finite(a.From) && finite(a.To) {
		if within := e.lo >= a.From && e.hi <= a.To; within && !a.Log && !(a.Zero && a.From > 0) {
			if ticks := exactTicks(a.From, a.To, n); ticks != nil {
				return scale{lo: a.From, hi: a.To, ticks: ticks}
			}
		}
		e.add(a.From, a.To)
	}
	if a.Log {
		return logScale(e, n)
	}
	if a.Zero || e.lo > e.hi {
		e.add(0)
	}
	// What differs less than the numbers of a chart can tell is one value.
	if size := max(math.Abs(e.lo), math.Abs(e.hi)); e.hi-e.lo <= 1e-9*size || e.hi == e.lo {
		switch pad := max(size*0.1, 1e-9); {
		case size == 0:
			e.hi = 1
		case a.Zero && e.lo >= 0:
			e.hi = e.lo + pad
		default:
			e.lo, e.hi = e.lo-pad, e.hi+pad
		}
	}
	if span := math.Ceil(e.hi) - math.Floor(e.lo); a.Whole && span < float64(n) {
		n = int(span) + 1 // a step of 1
		e.lo, e.hi = math.Floor(e.lo), math.Ceil(e.hi)
	}
	ticks := niceTicks(e.lo, e.hi, n)
	return scale{lo: ticks[0], hi: ticks[len(ticks)-1], ticks: ticks}
}

// niceTicks returns the loose labels of Heckbert, "Nice numbers for graph labels"
// (Graphics Gems, 1990): multiples of 1, 2 or 5 times a power of ten that hold
// the values from lo to hi between them, n of them or so. The range is not rounded
// up before it is divided, as it is there: that leaves too few ticks.
func niceTicks(lo, hi float64, n int) []float64 {
	step := nice((hi - lo) / float64(max(n, 2)-1))
	first, last := math.Floor(lo/step+1e-9), math.Ceil(hi/step-1e-9)
	if last <= first {
		last = first + 1
	}
	var ticks []float64
	for i := first; i <= last; i++ {
		ticks = append(ticks, i*step+0) // -0 becomes 0
	}
	return ticks
}

// exactTicks are multiples of 1, 2 or 5 times a power of ten of which the first is lo
// and the last is hi, so that a scale of ratings ends at the best one. They are as near
// to n as can be, rather more than fewer; nil where no such step fits.
func exactTicks(lo, hi float64, n int) []float64 {
	var ticks []float64
	whole := func(v float64) bool { return math.Abs(v-math.Round(v)) < 1e-9 }
	off := n + 1
	for power := math.Pow(10, math.Floor(math.Log10(hi-lo))-1); power <= hi-lo; power *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			step := digit * power
			first, count := lo/step, (hi-lo)/step
			more := int(math.Round(count)) + 1 - n
			if !whole(first) || !whole(count) || max(more, -more) >= off {
				continue
			}
			off, ticks = max(more, -more), nil
			for i := range int(math.Round(count)) + 1 {
				ticks = append(ticks, (math.Round(first)+float64(i))*step+0) // -0 becomes 0
			}
		}
	}
	return ticks
}

// nice returns a number near x of 1, 2, 5 or 10 times a power of ten.
func nice(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	f := x / power
	bounds := [3]float64{1.5, 3, 7}
	for i, v := range [3]float64{1, 2, 5} {
		if f <= bounds[i]*(1+1e-12) {
			return v * power
		}
	}
	return 10 * power
}

// logScale has ticks at 1, 2 and 5 times the powers of ten, or at powers alone.
func logScale(e extent, n int) scale {
	if !(e.lo > 0) || e.lo > e.hi {
		e = extent{1, 10}
	}
	e.lo = max(e.lo, 1e-15)
	e.hi = max(e.hi, e.lo)
	var ticks []float64
	digits := []float64{1, 2, 5}
	from, to := int(math.Floor(math.Log10(e.lo)+1e-9)), int(math.Ceil(math.Log10(e.hi)-1e-9))
	step := 1
	if to-from > 3 {
		digits = digits[:1]
		step = max(1, (to-from)/max(n, 2))
	}
	for p := from; p <= to+step-1; p += step {
		for _, d := range digits {
			ticks = append(ticks, d*math.Pow(10, float64(p)))
		}
	}
	for len(ticks) > 2 && ticks[1] <= e.lo*(1+1e-9) {
		ticks = ticks[1:]
	}
	for len(ticks) > 2 && ticks[len(ticks)-2] >= e.hi*(1-1e-9) {
		ticks = ticks[:len(ticks)-1]
	}
	if len(ticks) < 2 {
		ticks = append(ticks, 2*ticks[0])
	}
	return scale{lo: ticks[0], hi: ticks[len(ticks)-1], log: true, ticks: ticks}
}

// tickNames returns the ticks for reading, all with the decimals that tell them apart.
func tickNames(s scale) []string {
	names := make([]string, len(s.ticks))
	if s.log {
		for i, v := range s.ticks {
			names[i] = tickName(v, v, s.hi)
		}
		return names
	}
	step := s.ticks[1] - s.ticks[0]
	size := max(math.Abs(s.lo), math.Abs(s.hi))
	for i, v := range s.ticks {
		switch {
		case math.Abs(v) < step/2:
			names[i] = "0"
			if step < 1 {
				names[i] = tickName(0, step, 0)
			}
		case size >= 1e12:
			names[i] = tickName(v/1e12, step/1e12, 0) + "T"
		case size >= 1e9:
			names[i] = tickName(v/1e9, step/1e9, 0) + "G"
		case size >= 1e6:
			names[i] = tickName(v/1e6, step/1e6, 0) + "M"
		default:
			names[i] = tickName(v, step, size)
		}
	}
	return names
}

// thousands sets the thousands of an unsigned decimal apart.
func thousands(text string) string {
	whole, _, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// tickName is one tick; thousands are set apart where the axis reaches 10,000.
func tickName(v, step, size float64) string {
	decimals := 0
	if step > 0 && step < 1 {
		decimals = int(math.Ceil(-math.Log10(step) - 1e-9))
	}
	if decimals > 9 || math.Abs(v) >= 1e7 {
		return minus(strconv.FormatFloat(v, 'g', 4, 64))
	}
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	if size >= 10_000 {
		text = thousands(text)
	}
	if v < 0 && math.Abs(v) > step/2 {
		return "−" + text
	}
	return text
}
