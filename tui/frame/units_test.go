package frame_test

import (
	"math"
	"testing"

	"assay/tui/frame"
)

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "0.0 s", 4.25: "4.3 s", 9.94: "9.9 s", 9.96: "10 s", 99.4: "99 s", 99.6: "1 min 40 s", 180: "3 min", 192: "3 min 12 s",
		3599: "59 min 59 s", 3599.6: "1 h 0 min", 3900: "1 h 5 min", math.NaN(): "–", math.Inf(1): "–",
	} {
		if got := frame.Duration(seconds); got != want {
			t.Errorf("%v s is %q, want %q", seconds, got, want)
		}
	}
}

func TestExtent(t *testing.T) {
	for text, want := range map[string]string{"": "0 characters", "é": "1 character", "ab\n": "3 characters", "a\nb": "2 lines", "a\nb\n\n": "2 lines"} {
		if got := frame.Extent(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{36.625: "36.63", 2: "2.00", math.NaN(): "–"} {
		if got := frame.Number(v, 2); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}
