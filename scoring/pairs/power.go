package pairs

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Plan is what a study of pairs should find.
type Plan struct {
	WinRate float64 // the better model's, with ties as one half; more than 1/2
	Ties    float64 // the share of ties
	PerTask float64 // judgements of each task, 1 or more
	Alike   float64 // intraclass correlation of the judgements of one task, from 0 to below 1
	Alpha   float64 // level of the two-sided test that the win rate is 1/2
	Power   float64
}

// Judgements returns how many judgements of two models a plan takes:
//
//	n = (z_{1-α/2} √v₀ + z_power √v₁)² / (w-1/2)² × (1 + (m-1) ρ)
//
// where v₀ = (1-t)/4 and v₁ = v₀ - (w-1/2)² are the variances of one judgement, and the last factor is the design effect of
// m judgements of one task (Donner & Klar, Design and Analysis of Cluster Randomization Trials, 2000).
func (p Plan) Judgements() (int, error) {
	switch v := (1 - p.Ties) / 4; {
	case !(p.WinRate > 0.5 && p.WinRate < 1):
		return 0, fmt.Errorf("the win rate is %v: it must be between 0.5 and 1", p.WinRate)
	case !(p.Ties >= 0 && p.Ties < 1) || p.WinRate-0.5 >= (1-p.Ties)/2:
		return 0, fmt.Errorf("a win rate of %v with a share of %v ties is impossible", p.WinRate, p.Ties)
	case !(p.PerTask >= 1) || math.IsInf(p.PerTask, 0) || !(p.Alike >= 0 && p.Alike < 1):
		return 0, fmt.Errorf("%v judgements of a task that correlate by %v: they must be 1 or more, and from 0 to below 1", p.PerTask, p.Alike)
	case !(p.Alpha > 0 && p.Alpha < 1 && p.Power > 0 && p.Power < 1):
		return 0, fmt.Errorf("level %v and power %v: both must be between 0 and 1", p.Alpha, p.Power)
	default:
		d := p.WinRate - 0.5
		root := stats.NormalQuantile(1-p.Alpha/2)*math.Sqrt(v) + stats.NormalQuantile(p.Power)*math.Sqrt(v-d*d)
		return int(math.Ceil(root * root / (d * d) * (1 + (p.PerTask-1)*p.Alike))), nil
	}
}
