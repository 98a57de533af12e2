package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
)

// ratings are of items by the same raters, on 1 to 5: items differ, raters are severer or milder, and each rating errs. A
// middle near 5 is the ceiling at which most answers of models are rated.
type ratings struct {
	items    int
	severity []float64 // of each rater
	middle   float64
	missing  float64 // share of ratings that are not there
}

func (s ratings) draw(r *rand.Rand) [][]float64 {
	table := make([][]float64, s.items)
	for i := range table {
		item := s.middle + 0.8*r.NormFloat64()
		for _, severity := range s.severity {
			if r.Float64() >= s.missing {
				table[i] = append(table[i], min(5, max(1, math.Round(item+severity+0.6*r.NormFloat64()))))
			}
		}
	}
	return table
}

// Coefficients of agreement from the numbers of items on from which they are printed with intervals, up to the ceiling.
func TestCalibrateAgreement(t *testing.T) {
	alpha := func(u [][]float64) (float64, error) { a, err := KrippendorffAlpha(u, Ordinal); return a.Alpha, err }
	gwet := func(u [][]float64) (float64, error) { return GwetAC(u, 5, LinearWeights) }
	icc := func(u [][]float64) (float64, error) { a, err := ICC(u); return a.ICC2, err }
	kappa := func(u [][]float64) (float64, error) {
		var a, b []int
		for _, x := range u {
			a, b = append(a, int(x[0])-1), append(b, int(x[1])-1)
		}
		table, err := ConfusionTable(a, b, 5)
		if err != nil {
			return 0, err
		}
		k, err := CohenKappa(table, LinearWeights, 0.95)
		return k.Kappa, err
	}
	fleiss := func(u [][]float64) (float64, error) {
		var table [][]int
		for _, x := range u {
			counts := make([]int, 5)
			for _, v := range x {
				counts[int(v)-1]++
			}
			table = append(table, counts)
		}
		k, err := FleissKappa(table)
		return k.Kappa, err
	}
	for _, row := range []struct {
		name        string
		coefficient func([][]float64) (float64, error)
		least       int
		missing     float64
	}{{"Krippendorff's alpha", alpha, 20, 0}, {"Krippendorff's alpha", alpha, 20, 0.3}, {"Gwet's AC2", gwet, 20, 0}, {"Gwet's AC2", gwet, 20, 0.3},
		{"ICC(2,1)", icc, 30, 0}, {"Cohen's kappa", kappa, 20, 0}, {"Fleiss' kappa", fleiss, 20, 0}} {
		for _, severity := range [][]float64{{0, 0}, {0.4, -0.4}, {0, 0, 0}} {
			for _, middle := range []float64{3, 4.3, 4.8} {
				many := ratings{items: 100_000, severity: severity, middle: middle, missing: row.missing}
				truth, err := row.coefficient(many.draw(rand.New(rand.NewPCG(1, 1))))
				fatal.If(t, err)
				for _, items := range []int{row.least, 45} {
					if row.missing > 0 { // about half of the units have two ratings
						items *= 2
					}
					s := many
					s.items = items
					setting := fmt.Sprintf("%d items, raters %v, around %g, %g %% missing", items, severity, middle, 100*row.missing)
					rate := calibrate.Coverage(row.name+", jackknife", setting, 60)
					rate.Low, rate.High = 0.92, 0.98
					rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
						u := slices.DeleteFunc(s.draw(r), func(unit []float64) bool { return len(unit) < 2 })
						if len(u) < row.least {
							return calibrate.Withheld
						}
						iv, err := AgreementInterval(len(u), func(i int) (float64, error) {
							if i < 0 {
								return row.coefficient(u)
							}
							return row.coefficient(append(append([][]float64{}, u[:i]...), u[i+1:]...))
						}, 0.95)
						if err != nil {
							return calibrate.Withheld
						}
						return covered(iv, truth)
					})
				}
			}
		}
	}
}
