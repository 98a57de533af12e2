package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// The error of a mean over units of unequal size is CR2 with Satterthwaite's degrees of freedom as Pustejovsky & Tipton
// (2018) define them for least squares of the constant, by matrices: H = 11'/N, A the inverse root of the unit's block of
// I - H, w = (I-H)'A1.
func TestGroupedIsCR2(t *testing.T) {
	for _, c := range [][][]float64{
		{{1, 2, 3, 4}, {2}, {5, 6}},
		{{0, 1, 0, 0, 1, 1, 0, 1, 1, 1}, {1}, {0}, {1, 1}, {0}},
		{{3}, {4}, {9, 9, 1, 2, 2}},
	} {
		n, sum := 0, 0.0
		var sums, sizes []float64
		for _, g := range c {
			n += len(g)
			sums, sizes = append(sums, stats.Sum(g)), append(sizes, float64(len(g)))
			sum += stats.Sum(g)
		}
		mean, at, square := sum/float64(n), 0, 0.0
		var w [][]float64
		for _, g := range c {
			m := len(g)
			block := mat.NewSymDense(m, nil)
			for i := range m {
				for j := i; j < m; j++ {
					block.SetSym(i, j, -1/float64(n))
				}
				block.SetSym(i, i, 1-1/float64(n))
			}
			var eigen mat.EigenSym
			eigen.Factorize(block, true)
			var vectors mat.Dense
			eigen.VectorsTo(&vectors)
			adjusted := make([]float64, m) // A1
			for k, value := range eigen.Values(nil) {
				along := 0.0
				for i := range m {
					along += vectors.At(i, k)
				}
				for i := range m {
					adjusted[i] += vectors.At(i, k) * along / math.Sqrt(value)
				}
			}
			score, all := 0.0, make([]float64, n)
			for i, v := range g {
				score += adjusted[i] * (v - mean) / float64(n)
				for j := range n {
					all[j] -= adjusted[i] / float64(n)
				}
				all[at+i] += adjusted[i]
			}
			square += score * score
			w = append(w, all)
			at += m
		}
		trace, squares := 0.0, 0.0
		for i := range w {
			for j := range w {
				dot := 0.0
				for k := range n {
					dot += w[i][k] * w[j][k]
				}
				squares += dot * dot
				if i == j {
					trace += dot
				}
			}
		}
		u := stats.Grouped(sums, sizes)
		if df := trace * trace / squares; math.Abs(u.Error-math.Sqrt(square)) > 1e-12 || math.Abs(u.Count()-1-df) > 1e-9 {
			t.Errorf("%v: error %v with %v degrees of freedom, by matrices %v with %v", c, u.Error, u.Count()-1, math.Sqrt(square), df)
		}
	}
	// Equal sizes are Student's.
	if u := stats.Grouped([]float64{2, 4, 9}, []float64{2, 2, 2}); u.Number != 0 {
		t.Errorf("%+v", u)
	}
}

// Where testers did unequal numbers of tasks: half of them left after the first, or one did ten times as many as others.
// Student's t of linearised values covered 0.60 to 0.91, and withheld intervals of times for values that are not positive.
func TestCalibrateUnequal(t *testing.T) {
	for _, c := range []struct {
		name  string
		sizes func(testers int) []int
	}{
		{"half left after one task of ten", func(n int) (all []int) {
			for i := range n {
				all = append(all, 1+9*(i%2))
			}
			return all
		}},
		{"one did 40 tasks, others 3", func(n int) []int {
			all := []int{40}
			for range n - 1 {
				all = append(all, 3)
			}
			return all
		}},
	} {
		for _, testers := range []int{4, 6, 12, 24} {
			for _, kind := range []string{"satisfied", "time"} {
				rate := calibrate.Coverage("mean over testers of unequal numbers of tasks, "+kind, fmt.Sprintf("%d testers, %s", testers, c.name), 200)
				rate.Low, rate.High = 0.92, 1
				rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
					var sums, weights []float64
					for _, n := range c.sizes(testers) {
						own, sum := r.NormFloat64(), 0.0
						for range n {
							if kind == "time" {
								sum += math.Exp(0.4*own + 0.7*r.NormFloat64())
							} else if r.Float64() < 1/(1+math.Exp(-1-0.8*own)) {
								sum++
							}
						}
						sums, weights = append(sums, sum), append(weights, float64(n))
					}
					// The mean chance with logits 1 ± 0.8, by numerical integration, and that of the times.
					truth := 0.70704
					u := stats.Grouped(sums, weights)
					iv, err := stats.MeanOnScale(u, 0, 1, 0.95)
					if kind == "time" {
						truth = math.Exp((0.16 + 0.49) / 2)
						iv, _, err = stats.MeanOfSkewed(u, 0.95)
					}
					switch {
					case err != nil:
						return calibrate.Withheld
					case iv.Low <= truth && truth <= iv.High:
						return calibrate.Hit
					}
					return calibrate.Miss
				})
			}
		}
	}
}
