package ppi

import (
	"math/rand/v2"
	"testing"

	"assay/data/fatal"
)

// As many ratings as a pilot says give the width that was wanted, on average; with a useless judge both numbers agree, and
// with a good one fewer ratings are needed.
func TestNeededRatings(t *testing.T) {
	const total, width = 1500, 0.4
	for _, quality := range []float64{0, 0.6, 0.9} {
		r := rand.New(rand.NewPCG(uint64(quality*10), 3))
		average := func(rated int) (needed Needed, got float64) {
			const times = 60
			for range times {
				p := population{rated: rated, judged: total - rated, quality: quality, cut: likert, scale: Scale{1, 5}}
				b, err := Clustered(p.draw(r), p.scale, 0.95)
				fatal.If(t, err)
				n, err := b.Needs(width, total, 0.95)
				fatal.If(t, err)
				needed.Together, needed.Alone, got = needed.Together+n.Together, needed.Alone+n.Alone, got+(b.Interval.High-b.Interval.Low)/times
			}
			return Needed{needed.Together / times, needed.Alone / times}, got
		}
		needed, _ := average(80)
		_, got := average(needed.Together)
		if got < 0.85*width || got > 1.15*width {
			t.Errorf("quality %v: %d ratings give %v, not %v", quality, needed.Together, got, width)
		}
		if share := float64(needed.Together) / float64(needed.Alone); quality == 0 && share < 0.9 || quality == 0.9 && share > 0.6 {
			t.Errorf("quality %v: %+v", quality, needed)
		}
	}
	b := Both{Rated: 10, Judged: 10, Clusters: 10, Alone: Estimate{SE: 1}, Estimate: Estimate{SE: 1}}
	for _, bad := range []struct {
		width float64
		total int
	}{{0, 10}, {-1, 10}, {1, 0}} {
		if _, err := b.Needs(bad.width, bad.total, 0.95); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
	if n, err := b.Needs(1e-9, 20, 0.95); err != nil || n.Together != 0 {
		t.Errorf("a width that nothing reaches: %+v, %v", n, err)
	}
}
