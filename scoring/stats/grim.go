package stats

import (
	"fmt"
	"math/big"
	"strings"
)

// Rounding is the rule by which a printed mean was rounded if it lay exactly between two numbers.
type Rounding int

// The rules. Either accepts a mean that any of them explains.
const (
	Either     Rounding = iota
	HalfAway            // away from zero, as Round does
	HalfToEven          // as fmt's %.2f does with numbers that are exact in binary
)

// GRIM reports whether a printed mean, such as "3.80", can be the mean of n whole numbers, or of n totals
// or means of the given number of items: whether there is a whole number S so that S/(n items) rounds to it
// (Brown & Heathers, Social Psychological and Personality Science 8, 2017). For a scale whose items are
// summed, items is 1: a total is a whole number itself.
//
// Trailing zeros count. It is an error if the text is not a plain decimal number, or n or items are less
// than 1.
func GRIM(printed string, n, items int, rule Rounding) (bool, error) {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(printed, "-"), ".")
	if whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" || len(printed) > 40 {
		return false, fmt.Errorf("GRIM: %q is not a mean in decimal digits, such as 3.80", printed)
	}
	if n < 1 || items < 1 {
		return false, fmt.Errorf("GRIM: the mean of %d values of %d items: %w", n, items, ErrTooFew)
	}
	if rule < Either || rule > HalfToEven {
		return false, fmt.Errorf("GRIM: there is no rounding rule %d", int(rule))
	}
	// Means of the numbers mirrored at zero are mirrored, so the sign is left
	// out. In units of 1/(2·10^d), with N = n·items: S/N rounds to m when
	// |2S·10^d - 2mN| ≤ N, with equality only as the rule says.
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(fraction))), nil)
	m, _ := new(big.Int).SetString(whole+fraction, 10)
	size := new(big.Int).Mul(big.NewInt(int64(n)), big.NewInt(int64(items)))
	target := new(big.Int).Mul(m, size)
	sum := new(big.Int).Div(target, scale)
	for range 2 { // the sums on either side of m
		gap := new(big.Int).Mul(sum, scale)
		gap.Sub(gap, target).Lsh(gap, 1)
		switch gap.CmpAbs(size) {
		case -1:
			return true, nil
		case 0:
			above := gap.Sign() > 0 // S/N lies above the printed mean: it was rounded towards zero
			even := m.Bit(0) == 0
			if rule == Either || rule == HalfAway && !above || rule == HalfToEven && even {
				return true, nil
			}
		}
		sum.Add(sum, big.NewInt(1))
	}
	return false, nil
}
