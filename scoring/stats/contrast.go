package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// Contrast is an estimated difference with its standard error. Test and interval both use Student's t, so
// the interval at 1-α contains 0 exactly if p > α.
type Contrast struct {
	Value float64
	SE    float64 // 0 if it cannot be estimated
	DF    float64 // of the standard error
}

// P returns the two-sided p-value of no difference. Without a standard error or degrees of freedom the error
// wraps ErrNoVariation or ErrTooFew.
func (c Contrast) P() (float64, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	t := c.Value / c.SE
	return twoSidedT(c.DF/(c.DF+t*t), c.DF), nil
}

// Interval returns the confidence interval of the difference. Errors are those of P.
func (c Contrast) Interval(confidence float64) (Interval, error) {
	if err := checkConfidence(confidence); err != nil {
		return Interval{}, err
	}
	if err := c.check(); err != nil {
		return Interval{}, err
	}
	half := TQuantile(0.5+confidence/2, c.DF) * c.SE
	return checked("Student's interval", Interval{Low: c.Value - half, High: c.Value + half})
}

func (c Contrast) check() error {
	switch {
	case !(c.DF > 0):
		return fmt.Errorf("no degrees of freedom are left for the error of Student's t: %w", ErrTooFew)
	case !(c.SE > 0):
		return fmt.Errorf("the standard error of Student's t is 0: %w", ErrNoVariation)
	}
	return nil
}

// FewestDF returns the smallest number of degrees of freedom with which Student's t of subjects' means holds its
// level in simulations (TestCalibrateCrossover). Shares of a few tasks take so few values that a test with
// 2 degrees hardly ever rejects. Degrees that were computed may be below a whole number by rounding.
func FewestDF(share bool) float64 {
	const rounding = 1e-9
	if share {
		return 3 - rounding
	}
	return 2 - rounding
}

// Welch returns the difference of the means of two independent samples with unequal variances (Welch, Biometrika
// 34, 1947), with Satterthwaite's degrees of freedom. Each sample needs two values.
func Welch(x, y []float64) (Contrast, error) {
	if err := samples("Welch's t", x, y); err != nil {
		return Contrast{}, err
	}
	if n := min(len(x), len(y)); n < 2 {
		return Contrast{}, tooFew("Welch's t", n, 2)
	}
	n, m := float64(len(x)), float64(len(y))
	vx, vy := SD(x)*SD(x)/n, SD(y)*SD(y)/m
	c := Contrast{Value: Mean(x) - Mean(y), SE: math.Sqrt(vx + vy)}
	if c.DF = (vx + vy) * (vx + vy) / (vx*vx/(n-1) + vy*vy/(m-1)); math.IsNaN(c.DF) {
		c.DF = n + m - 2 // neither sample varies
	}
	return c, nil
}

// OneSample returns the mean of differences, which Student's t tests against 0. It needs two
// values.
func OneSample(d []float64) (Contrast, error) {
	if err := samples("Student's t", d); err != nil {
		return Contrast{}, err
	}
	if len(d) < 2 {
		return Contrast{}, tooFew("Student's t", len(d), 2)
	}
	return Contrast{Value: Mean(d), SE: SD(d) / math.Sqrt(float64(len(d))), DF: float64(len(d) - 1)}, nil
}

// Standardised is a difference in units of the standard deviation of single values: Hedges' g.
type Standardised struct {
	Value    float64  `json:"value"`
	Interval Interval `json:"interval"`
}

// Standardise divides a difference by a standard deviation that is estimated with df degrees of freedom,
// corrects it for small samples by the factor 1 - 3/(4 df - 1) (Hedges, Journal of Educational Statistics
// 6, 1981), and takes the interval from the noncentral t distribution (Steiger & Fouladi 1997), which
// contains 0 exactly if the interval of the difference does.
func (c Contrast) Standardise(sd, df, confidence float64) (Standardised, error) {
	if err := c.check(); err != nil {
		return Standardised{}, err
	}
	if !(sd > 0) || !(df > 1) {
		return Standardised{}, fmt.Errorf("standardised difference: the standard deviation is not estimated: %w", ErrTooFew)
	}
	t, unit := c.Value/c.SE, c.SE/sd
	tail := (1 - confidence) / 2
	correct := 1 - 3/(4*df-1)
	return checked("standardised difference", Standardised{
		Value: correct * c.Value / sd,
		Interval: Interval{
			Low:  correct * unit * noncentrality(t, c.DF, 1-tail),
			High: correct * unit * noncentrality(t, c.DF, tail),
		},
	})
}

// noncentrality returns the noncentrality parameter with which a noncentral t is at most t with
// probability p.
func noncentrality(t, df, p float64) float64 {
	low, high := t-40-math.Abs(t), t+40+math.Abs(t)
	for range 45 { // the probability decreases in the parameter
		mid := (low + high) / 2
		if noncentralT(t, df, mid) > p {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// noncentralT returns the probability that (Z + δ)/√(χ²/df) is at most t: the integral over the chi distribution
// of Φ(t s - δ), by Gauss and Legendre's rule over nine standard deviations of s.
func noncentralT(t, df, delta float64) float64 {
	// s = √(χ²/df) has mean about 1 and standard deviation about 1/√(2 df).
	low, high := max(0, 1-9/math.Sqrt(2*df)), 1+9/math.Sqrt(2*df)
	lg, _ := math.Lgamma(df / 2)
	norm := math.Log(2) + df/2*math.Log(df/2) - lg
	return quad.Fixed(func(s float64) float64 {
		return math.Exp(norm+(df-1)*math.Log(s)-df*s*s/2) * upperNormal(delta-t*s)
	}, low, high, 120, quad.Legendre{}, 0)
}
