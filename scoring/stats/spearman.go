package stats

import (
	"fmt"
	"math"
)

// SpearmanRho is the result of Spearman's rank correlation.
type SpearmanRho struct {
	Rho    float64 `json:"rho"`
	N      int     `json:"n"`
	P      float64 `json:"p"`      // two-sided, of no association
	Method string  `json:"method"` // how P was computed
}

// Spearman returns the correlation of the midranks of x and y (Spearman, American Journal of Psychology 15,
// 1904), with the p-value of
//
//	t = ρ sqrt((n-2)/(1-ρ²)),  n-2 degrees of freedom
//
// an approximation that is poor under ten pairs and 0 at ρ = ±1, as in scipy. Errors wrap ErrShape,
// ErrTooFew (under three pairs), ErrNotFinite and ErrNoVariation (x or y is constant).
func Spearman(x, y []float64) (SpearmanRho, error) {
	const statistic = "Spearman's rho"
	if err := pairs(statistic, x, y, 3); err != nil {
		return SpearmanRho{}, err
	}
	rx, gx := midranks(x)
	ry, gy := midranks(y)
	if len(gx) < 2 || len(gy) < 2 {
		return SpearmanRho{}, fmt.Errorf("%s: one side is constant: %w", statistic, ErrNoVariation)
	}
	n := float64(len(x))
	xy, xx, yy := 0.0, 0.0, 0.0 // exact: ranks are multiples of 1/2
	for i := range rx {
		a, b := rx[i]-(n+1)/2, ry[i]-(n+1)/2
		xy += a * b
		xx += a * a
		yy += b * b
	}
	r := SpearmanRho{N: len(x), Method: "t approximation"}
	r.Rho = min(1, max(-1, xy/math.Sqrt(xx)/math.Sqrt(yy)))
	if xx == yy && math.Abs(xy) == xx {
		r.Rho = math.Copysign(1, xy)
	}
	r.P = twoSidedT((1-r.Rho)*(1+r.Rho), n-2)
	return checked(statistic, r)
}
