package evaluations_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/scoring/calibrate"
	"assay/session/report"
	"assay/session/report/evaluations"
)

// equals are runs of one model: 5 samples of each task, with 4 test cases that pass one by
// one.
func equals(random *rand.Rand, runs, tasks int) []evaluations.Results {
	const samples = 5
	hard := make([]float64, tasks)
	for i := range hard {
		hard[i] = random.Float64()
	}
	var all []evaluations.Results
	for n := range runs {
		r := evaluations.Results{Name: fmt.Sprint("run ", n)}
		for i, p := range hard {
			for s := range samples {
				passed := 0
				for range 4 {
					if random.Float64() < p {
						passed++
					}
				}
				r.Rows = append(r.Rows, sample(fmt.Sprint("t", i), s, passed, 4))
			}
		}
		all = append(all, r)
	}
	return all
}

// Of reports on six equal runs at most one in twenty claims any difference, wherever in
// the report. When each pair of runs had its own correction it was one in four.
func TestCalibrateFamilies(t *testing.T) {
	rate := calibrate.Rate{What: "batch report, any corrected p <= 0.05", Setting: "six equal runs, 30 tasks with 5 samples", Nominal: 0.05, High: 0.06, Few: 6}
	claims := func(random *rand.Rand, claimed func(*evaluations.Report) bool) calibrate.Outcome {
		r, err := evaluations.Build(equals(random, 6, 30), evaluations.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if claimed(r) {
			return calibrate.Hit
		}
		return calibrate.Miss
	}
	rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
		return claims(random, func(r *evaluations.Report) bool {
			for _, p := range r.Pairs {
				for _, m := range p.Measures {
					if m.Holm <= 0.05 {
						return true
					}
				}
			}
			return false
		})
	})
	rate.What, rate.High = "batch report, any p <= 0.05 corrected by pair (before)", 1
	rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
		return claims(random, func(r *evaluations.Report) bool {
			for _, p := range r.Pairs {
				smallest, tests := report.Number(1), map[report.Number]bool{}
				for _, m := range p.Measures {
					smallest = min(smallest, m.P)
					tests[m.P] = true
				}
				if smallest*report.Number(len(tests)) <= 0.05 {
					return true
				}
			}
			return false
		})
	})
}

// One difference has one corrected p, wherever it stands: in the table of a pair, on the
// leaderboard, and among the effects of prompts.
func TestOneContrastHasOneCorrectedP(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	runs := equals(random, 4, 30)
	for i := range runs {
		runs[i].Name, runs[i].Model, runs[i].Prompt = "", fmt.Sprint("model ", i%2), fmt.Sprint("level-", 1+i/2)
	}
	ranked := build(t, equals(random, 4, 30), evaluations.Options{})
	pairs := map[string]evaluations.Compared{}
	for _, p := range ranked.Pairs {
		pairs[p.First+"|"+p.Second], pairs[p.Second+"|"+p.First] = p.Measures[0], p.Measures[0]
		if strict := p.Measures[len(p.Measures)-1]; strict.Name != "strict accuracy" || strict.Holm != p.Measures[0].Holm || *strict.Difference.Interval != *p.Measures[0].Difference.Interval {
			t.Errorf("pass@1 %+v, strict accuracy %+v", p.Measures[0], strict)
		}
	}
	found := 0
	for _, row := range ranked.Leaderboards[0].Rows {
		for _, g := range []evaluations.Gap{row.Above, row.Best} {
			if g.Run == "" {
				continue
			}
			found++
			if m := pairs[row.Run+"|"+g.Run]; g.P != m.P || g.Holm != m.Holm || g.BH != m.BH {
				t.Errorf("%s to %s: %v on the leaderboard, %v in the table of the pair", row.Run, g.Run, g.Holm, m.Holm)
			}
		}
	}
	prompted := build(t, runs, evaluations.Options{})
	for _, p := range prompted.Pairs {
		for _, e := range prompted.Prompts.Effects {
			if e.Models == 1 && strings.HasPrefix(p.First, e.Model+",") && strings.HasPrefix(p.Second, e.Model+",") {
				found++
				if p.Measures[0].Holm != e.Measures[0].Holm || p.Measures[0].P != e.Measures[0].P {
					t.Errorf("%s: %v as an effect, %v in the table of the pair", e.Model, e.Measures[0].Holm, p.Measures[0].Holm)
				}
			}
		}
	}
	if found != 8 {
		t.Errorf("%d were compared", found)
	}
	if n := len(ranked.Families); n != 1 || ranked.Families[0].Tests != 6*5 {
		t.Errorf("%+v", ranked.Families)
	}
}
