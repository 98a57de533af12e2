package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// rated are eight ratings from 1 to 5 of one answer, which share a part.
func rated(r *rand.Rand, shared, centre float64) []float64 {
	common, row := shared*r.NormFloat64(), make([]float64, 8)
	for j := range row {
		row[j] = min(max(math.Round(centre+common+0.7*r.NormFloat64()), 1), 5)
	}
	return row
}

func each(n int) [][]int {
	units := make([][]int, n)
	for i := range units {
		units[i] = []int{i}
	}
	return units
}

func TestCalibrateCronbach(t *testing.T) {
	for _, c := range []struct{ shared, centre float64 }{{0.5, 3}, {0.5, 4.6}, {0.2, 4}} {
		random := rand.New(rand.NewPCG(5, 5))
		var many [][]float64
		for range 100_000 {
			many = append(many, rated(random, c.shared, c.centre))
		}
		truth, err := stats.CronbachAlpha(many)
		fatal.If(t, err)
		for _, n := range []int{10, 20, 45} {
			rate := calibrate.Coverage("Cronbach's alpha, jackknife", fmt.Sprintf("%d answers, alpha %.2f, ratings around %.1f", n, truth.Alpha, c.centre), 300)
			rate.Low = 0.91
			rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
				var rows [][]float64
				for range n {
					rows = append(rows, rated(r, c.shared, c.centre))
				}
				iv, err := stats.CronbachInterval(rows, each(n), 0.95)
				switch {
				case err != nil:
					return calibrate.Withheld
				case iv.Low <= truth.Alpha && truth.Alpha <= iv.High:
					return calibrate.Hit
				}
				return calibrate.Miss
			})
		}
	}
}

func TestCronbachIntervalErrors(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var rows [][]float64
	for range 12 {
		rows = append(rows, rated(random, 0.5, 3))
	}
	if _, err := stats.CronbachInterval(rows, each(12)[:9], 0.95); err == nil {
		t.Error("units that leave answers out: no error")
	}
	if _, err := stats.CronbachInterval(rows[:9], each(9), 0.95); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("nine: %v", err)
	}
}
