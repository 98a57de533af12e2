package stats

import "math"

// saddlepointTail returns the probability that the sum of a = sum - δ size with random signs is at least Σa (at
// most, unless upper), by Lugannani and Rice's formula with the cumulant generating function Σ ln cosh(t
// a).
func saddlepointTail(units []flipUnit, delta float64, upper bool) float64 {
	a := make([]float64, len(units))
	x, squares, largest := 0.0, 0.0, 0.0
	for i, u := range units {
		a[i] = u.sum - delta*float64(u.size)
		if !upper {
			a[i] = -a[i]
		}
		x, squares, largest = x+a[i], squares+a[i]*a[i], largest+math.Abs(a[i])
	}
	if x >= largest*(1-1e-12) {
		return math.Ldexp(1, -len(units))
	}
	if x <= -largest*(1-1e-12) {
		return 1
	}
	if z := x / math.Sqrt(squares); math.Abs(z) < 1e-3 {
		return upperNormal(z)
	}
	slope := func(t float64) (first, second float64) {
		for _, v := range a {
			th := math.Tanh(t * v)
			first, second = first+v*th, second+v*v*(1-th*th)
		}
		return first, second
	}
	size := math.Abs(x) // the other tail follows by symmetry
	low, high := 0.0, 1/math.Sqrt(squares)
	for first, _ := slope(high); first < size && high < 1e300; first, _ = slope(high) {
		low, high = high, 2*high
	}
	for range 100 {
		mid := (low + high) / 2
		if first, _ := slope(mid); first < size {
			low = mid
		} else {
			high = mid
		}
		if high-low < 1e-13*high {
			break
		}
	}
	t := (low + high) / 2
	cumulant := 0.0
	for _, v := range a {
		v = math.Abs(t * v)
		cumulant += v + math.Log1p(math.Exp(-2*v)) - math.Ln2
	}
	_, second := slope(t)
	w, v := math.Sqrt(max(0, 2*(t*size-cumulant))), t*math.Sqrt(second)
	p := upperNormal(w) + math.Exp(-w*w/2)/math.Sqrt(2*math.Pi)*(1/v-1/w)
	p = min(max(p, 0), 0.5)
	if x < 0 {
		return 1 - p
	}
	return p
}
