package stats

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// Round writes x with the given number of decimals, rounded half away from zero in decimal: 36.625 with two
// is "36.63"; fmt's %.2f rounds the binary value half to even and gives 36.62. It rounds the shortest
// decimal that parses back to x, so 2.675 gives "2.68". Zero is "0.00", never "-0.00"; NaN is "NaN",
// infinities "+Inf" and "-Inf". Negative decimals count as 0.
func Round(x float64, decimals int) string { return round(x, 0, decimals) }

// RoundPercent is Round of 100x, with the decimal point shifted exactly: 0.2875 with one decimal is "28.8",
// though 100*0.2875 is a little less than 28.75 in binary.
func RoundPercent(x float64, decimals int) string { return round(x, 2, decimals) }

// round writes x times 10^shift.
func round(x float64, shift, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	decimals = max(decimals, 0)
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), 'f', -1, 64), ".")
	if shift > 0 {
		fraction += strings.Repeat("0", max(0, shift-len(fraction)))
		whole = strings.TrimLeft(whole+fraction[:shift], "0")
		fraction = fraction[shift:]
		whole = cmp.Or(whole, "0")
	}
	up := len(fraction) > decimals && fraction[decimals] >= '5'
	if len(fraction) < decimals {
		fraction += strings.Repeat("0", decimals-len(fraction))
	}
	digits := []byte(whole + fraction[:decimals])
	for i := len(digits) - 1; up && i >= 0; i-- {
		if digits[i]++; digits[i] <= '9' {
			up = false
		} else {
			digits[i] = '0'
		}
	}
	text := string(digits)
	if up {
		text = "1" + text
	}
	if decimals > 0 {
		text = text[:len(text)-decimals] + "." + text[len(text)-decimals:]
	}
	if x < 0 && strings.Trim(text, "0.") != "" {
		text = "-" + text
	}
	return text
}
