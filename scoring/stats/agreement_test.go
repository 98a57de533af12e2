package stats

import (
	"errors"
	"math"
	"slices"
	"testing"

	"assay/data/fatal"
)

// The table of four raters with missing ratings of Krippendorff (2011), for which R's irrCAC gives AC1 = 0.77544.
func TestGwet(t *testing.T) {
	units := [][]float64{{1, 1, 1}, {2, 2, 3, 2}, {3, 3, 3, 3}, {3, 3, 3, 3}, {2, 2, 2, 2}, {1, 2, 3, 4}, {4, 4, 4, 4}, {1, 1, 2, 1}, {2, 2, 2, 2}, {5, 5, 5}, {1, 1}, {3}}
	ac, err := GwetAC(units, 5, Unweighted)
	fatal.If(t, err)
	if math.Abs(ac-0.77544) > 5e-6 {
		t.Errorf("AC1 is %v", ac)
	}
	if one, err := GwetAC([][]float64{{5, 5}, {5, 5}}, 5, LinearWeights); err != nil || one != 1 {
		t.Errorf("where all agree it is %v, %v", one, err)
	}
	for _, bad := range [][][]float64{{{1}, {2}}, {{0, 1}}, {{1.5, 1}}, {{6, 1}}} {
		if _, err := GwetAC(bad, 5, Unweighted); err == nil {
			t.Errorf("%v has a coefficient", bad)
		}
	}
}

// Intervals of 24 units by three raters, as computed in R from the definitions.
func TestAgreementInterval(t *testing.T) {
	units := make([][]float64, 24)
	for i := range units {
		for j := range 3 {
			base := []float64{5, 5, 4, 5, 3, 5, 4, 2}[i%8]
			units[i] = append(units[i], max(1, min(5, base+[]float64{0, 0, -1, 0, 1, 0, 0}[(i*3+j*5)%7])))
		}
	}
	of := func(coefficient func([][]float64) (float64, error)) func(int) (float64, error) {
		return func(without int) (float64, error) {
			if without < 0 {
				return coefficient(units)
			}
			return coefficient(slices.Concat(units[:without], units[without+1:]))
		}
	}
	for name, row := range map[string]struct {
		coefficient      func([][]float64) (float64, error)
		value, low, high float64
	}{
		"alpha": {func(u [][]float64) (float64, error) { a, err := KrippendorffAlpha(u, Ordinal); return a.Alpha, err }, 0.740318478656571, 0.435624135255809, 0.880514924999844},
		"AC2":   {func(u [][]float64) (float64, error) { return GwetAC(u, 5, LinearWeights) }, 0.787108219988173, 0.611821372049779, 0.883242129439397},
		"AC1":   {func(u [][]float64) (float64, error) { return GwetAC(u, 5, Unweighted) }, 0.564802975706149, 0.282337625898674, 0.736092546036861},
	} {
		value, err := row.coefficient(units)
		fatal.If(t, err)
		iv, err := AgreementInterval(len(units), of(row.coefficient), 0.95)
		fatal.If(t, err)
		if math.Abs(value-row.value) > 1e-12 || math.Abs(iv.Low-row.low) > 1e-12 || math.Abs(iv.High-row.high) > 1e-12 {
			t.Errorf("%s: %v %v, R says %v", name, value, iv, row)
		}
	}
	constant := func(a float64) func(int) (float64, error) { return func(int) (float64, error) { return a, nil } }
	if _, err := AgreementInterval(9, constant(0.5), 0.95); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	for _, a := range []float64{1, 0.5} {
		if _, err := AgreementInterval(20, constant(a), 0.95); !errors.Is(err, ErrNoVariation) {
			t.Errorf("%v: %v", a, err)
		}
	}
}
