package sessions

import "testing"

// TestByNumbers: testers are listed as people count.
func TestByNumbers(t *testing.T) {
	for _, c := range [][2]string{{"t2", "t10"}, {"anna", "bo"}, {"t10b2", "t10b11"}, {"anna 2", "anna 10"}, {"", "anna"}, {"t01", "t2"}} {
		if byNumbers(c[0], c[1]) >= 0 || byNumbers(c[1], c[0]) <= 0 || byNumbers(c[0], c[0]) != 0 {
			t.Errorf("%q is not before %q", c[0], c[1])
		}
	}
}
