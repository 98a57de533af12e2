package pairs_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"assay/scoring/pairs"
)

// Before any judgement all pairs tell the same: strengths of variance 4 each, and chances of one half.
func TestInformationBefore(t *testing.T) {
	gain := pairs.Information(3, nil)
	for a := range gain {
		for b, got := range gain[a] {
			want := 2.0 // 1/4 of 4 + 4
			if a == b {
				want = 0
			}
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("%d and %d: %v, want %v", a, b, got, want)
			}
		}
	}
}

// Two answers of one model tell nothing.
func TestInformationOfOneModel(t *testing.T) {
	for _, row := range pairs.Information(2, []pairs.Judgement{{A: 1, B: 1, Outcome: pairs.A}}) {
		for _, got := range row {
			if got != 0 && math.Abs(got-2) > 1e-12 {
				t.Errorf("%v, want 2", got)
			}
		}
	}
}

// Two models, one judgement: the strengths are ±x, with x/4 = 1 - 1/(1+exp(-2x)), and the curvature follows.
func TestInformationAfterOne(t *testing.T) {
	gain := pairs.Information(2, []pairs.Judgement{{A: 0, B: 1, Outcome: pairs.A}})
	low, high := 0.0, 4.0
	for range 200 {
		if x := (low + high) / 2; x/4 < 1-1/(1+math.Exp(-2*x)) {
			low = x
		} else {
			high = x
		}
	}
	p := 1 / (1 + math.Exp(-2*low))
	want := p * (1 - p) * 2 / (0.25 + 2*p*(1-p)) // along the difference
	if got := gain[0][1]; math.Abs(got-want) > 1e-9 || math.Abs(gain[1][0]-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
}

// Pairs chosen by it order six models with fewer errors than pairs at random do.
func TestInformationOrders(t *testing.T) {
	wrong := map[bool]int{}
	for run := range 60 {
		for _, chosen := range []bool{true, false} {
			random := rand.New(rand.NewPCG(uint64(run), 5))
			var list []pairs.Judgement
			for range 100 {
				a, b := random.IntN(6), random.IntN(5)
				if b >= a {
					b++
				}
				if chosen {
					gain, best := pairs.Information(6, list), 0.0
					for x := range 6 {
						for y := x + 1; y < 6; y++ {
							if gain[x][y] > best {
								a, b, best = x, y, gain[x][y]
							}
						}
					}
				}
				j := pairs.Judgement{A: a, B: b, Outcome: pairs.B, Task: len(list)}
				if random.Float64() < 1/(1+math.Exp(0.7*float64(b-a))) {
					j.Outcome = pairs.A
				}
				list = append(list, j)
			}
			wins := make([]float64, 6)
			s, err := pairs.Fit(6, list, 0.95)
			for m := range wins {
				if err == nil {
					wins[m] = s.Strength[m].Value
				}
			}
			for x := range 6 {
				for y := x + 1; y < 6; y++ {
					if wins[x] >= wins[y] { // higher numbers are better
						wrong[chosen]++
					}
				}
			}
		}
	}
	t.Logf("pairs in wrong order: %d chosen, %d at random", wrong[true], wrong[false])
	if wrong[true] >= wrong[false] {
		t.Errorf("%d pairs are in wrong order with chosen comparisons, %d with random ones", wrong[true], wrong[false])
	}
}
