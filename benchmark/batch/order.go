package batch

import (
	"cmp"
	"strings"
)

// InOrder compares ids so that numbers in them count as numbers: 2 before 10.
func InOrder(a, b string) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x, y := number(a[i:]), number(b[j:])
		if x != "" && y != "" {
			p, q := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			if c := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); c != 0 {
				return c
			}
			i, j = i+len(x), j+len(y)
			continue
		}
		if a[i] != b[j] {
			return cmp.Compare(a[i], b[j])
		}
		i, j = i+1, j+1
	}
	return cmp.Or(cmp.Compare(len(a)-i, len(b)-j), cmp.Compare(a, b))
}

// number returns the digits at the beginning of a text.
func number(text string) string { return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))] }
