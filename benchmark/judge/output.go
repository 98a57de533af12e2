package judge

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
)

// sameOutput reports whether a program's output is the expected one.
func sameOutput(run benchmark.Run, got string) bool {
	switch run.Compare {
	case benchmark.Tokens:
		return sameWords(got, run.Output, func(a, b string) bool { return sameToken(a, b, run.Tolerance) })
	case benchmark.Decimals:
		return slices.EqualFunc(strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(run.Output), "\n"), sameDecimals)
	}
	return trimmedLines(got) == trimmedLines(run.Output)
}

func sameWords(got, expected string, same func(a, b string) bool) bool {
	return slices.EqualFunc(strings.Fields(got), strings.Fields(expected), same)
}

// sameDecimals compares two lines by the rule of [benchmark.Decimals].
func sameDecimals(got, expected string) bool {
	return strings.TrimSpace(got) == strings.TrimSpace(expected) || sameWords(got, expected, func(a, b string) bool {
		x, okX := readDecimal(a)
		y, okY := readDecimal(b)
		return okX && okY && x == y
	})
}

// readDecimal reads a number as Python's Decimal does, except for NaN, which equals nothing.
func readDecimal(text string) (number, bool) {
	text = strings.ToLower(strings.ReplaceAll(text, "_", ""))
	switch strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-") {
	case "inf", "infinity":
		return number{negative: text[0] == '-', digits: "infinity"}, true
	}
	n, ok := readNumber(text)
	return n.value(), ok
}

// sameToken implements the rule of [benchmark.Tokens]. It avoids floating point, which cannot
// tell 10^18 from 10^18 + 1.
func sameToken(got, expected string, tolerance float64) bool {
	if got == expected {
		return true
	}
	x, okX := readNumber(got)
	y, okY := readNumber(expected)
	if !okX || !okY {
		return false
	}
	if x.value() == y.value() {
		return true
	}
	return tolerance > 0 && !(x.integer && y.integer) && withinTolerance(x, y, tolerance)
}

// number is a decimal number: digits times a power of ten, without zeros at either end. Zero has
// no digits and no sign.
type number struct {
	negative bool
	digits   string
	exponent int
	integer  bool // written without a decimal point or an exponent
}

// value returns the number without how it was written.
func (n number) value() number {
	n.integer = false
	return n
}

// maxExponent bounds the exponents that are read, far beyond those that programs calculate with,
// so that their sums cannot overflow.
const maxExponent = 1 << 30

// readNumber reads a decimal number. Hexadecimal numbers, infinities and NaN count as words.
func readNumber(text string) (number, bool) {
	n := number{integer: true}
	if text != "" && (text[0] == '+' || text[0] == '-') {
		n.negative = text[0] == '-'
		text = text[1:]
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, err := strconv.Atoi(text[i+1:])
		if err != nil || e > maxExponent || e < -maxExponent {
			return number{}, false
		}
		n.exponent, n.integer, text = e, false, text[:i]
	}
	whole, fraction, point := strings.Cut(text, ".")
	if point {
		n.integer = false
	}
	digits := whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return number{}, false
	}
	n.exponent -= len(fraction)
	n.digits = strings.TrimRight(digits, "0")
	n.exponent += len(digits) - len(n.digits)
	if n.digits = strings.TrimLeft(n.digits, "0"); n.digits == "" {
		n.negative, n.exponent = false, 0
	}
	return n, true
}

// Bounds of precision and range for comparing within a tolerance. They limit the work that a
// program's output can cause; a double has 17 digits and exponents up to 308.
const (
	maxDigits    = 1000
	maxMagnitude = 2000
)

// withinTolerance reports whether |x - y| <= tolerance * max(1, |y|).
func withinTolerance(x, y number, tolerance float64) bool {
	a, okA := x.rat()
	b, okB := y.rat()
	t, okT := new(big.Rat).SetString(strconv.FormatFloat(tolerance, 'g', -1, 64))
	if !okA || !okB || !okT {
		return false
	}
	scale := new(big.Rat).Abs(b)
	if one := big.NewRat(1, 1); scale.Cmp(one) < 0 {
		scale = one
	}
	a.Sub(a, b)
	return a.Abs(a).Cmp(t.Mul(t, scale)) <= 0
}

// rat returns the number as a fraction, or false if it is too large. One that is too small
// becomes 0.
func (n number) rat() (*big.Rat, bool) {
	if cut := len(n.digits) - maxDigits; cut > 0 {
		n.digits, n.exponent = n.digits[:maxDigits], n.exponent+cut
	}
	switch magnitude := n.exponent + len(n.digits); {
	case magnitude > maxMagnitude:
		return nil, false
	case n.digits == "" || magnitude < -maxMagnitude:
		return new(big.Rat), true
	}
	r, ok := new(big.Rat).SetString(n.digits + "e" + strconv.Itoa(n.exponent))
	if ok && n.negative {
		r.Neg(r)
	}
	return r, ok
}

// trimmedLines removes the white space at the ends of lines and empty lines at
// the end.
func trimmedLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r\f\v")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
