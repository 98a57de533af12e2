package irt

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// Respondents who answer alike, whatever the answers, are refused.
func TestAlikeIsRefused(t *testing.T) {
	for right := range 20 {
		row := make([]float64, 20)
		for j := range right + 1 {
			row[j] = 1
		}
		for _, rows := range [][][]float64{{row, row}, {row, row, row, row, row}} {
			for name, fit := range map[string]func(Responses) (*Estimates, error){"1PL": OnePL, "2PL": TwoPL, "β3-IRT": func(r Responses) (*Estimates, error) { return Fit(r, Options{}) }} {
				if _, err := fit(table(rows, 0)); !errors.Is(err, stats.ErrNoVariation) {
					t.Fatalf("%s of %v: %v", name, rows, err)
				}
			}
		}
	}
}

// Shares without numbers of trials that are multiples of one have it found; others count as many trials as scatter like
// them. Both find who is abler and which items are hard, like shares with the numbers.
func TestSharesWithoutTrials(t *testing.T) {
	for _, trials := range []float64{5, 10, 16, 0} {
		random := rand.New(rand.NewPCG(7, uint64(trials)))
		r := Responses{}
		var abilities, difficulties []float64
		for range 40 {
			difficulties = append(difficulties, 2*random.NormFloat64())
			r.Items = append(r.Items, "item "+strings.Repeat("x", len(r.Items)))
		}
		for i := range 15 {
			abilities = append(abilities, random.NormFloat64())
			r.Respondents = append(r.Respondents, "respondent "+strings.Repeat("x", i))
			var row []float64
			for _, d := range difficulties {
				p := logistic(abilities[i] - d)
				y := min(1, max(0, p+0.05*random.NormFloat64())) // many at the ends
				if trials > 0 {
					right := 0.0
					for range int(trials) {
						if random.Float64() < p {
							right++
						}
					}
					y = math.Round(1000*right/trials) / 1000
				}
				row = append(row, y)
			}
			r.Scores = append(r.Scores, row)
		}
		e, err := Fit(r, Options{})
		fatal.If(t, err)
		if trials > 0 && e.p.n[0] != trials || trials == 0 && !(e.p.n[0] > 3 && e.p.n[0] < 100) {
			t.Errorf("%v trials: each share counts as %v", trials, e.p.n[0])
		}
		if e.Warnings[0].Kind != UnknownTrials {
			t.Errorf("%v trials: %+v", trials, e.Warnings)
		}
		for name, v := range map[string][2][]float64{"ability": {e.Ability, abilities}, "difficulty": {e.Difficulty, difficulties}} {
			if s, err := stats.Spearman(v[0], v[1]); err != nil || s.Rho < 0.9 {
				t.Errorf("%v trials: the order of %s is found with %.3f", trials, name, s.Rho)
			}
		}
		drawn, err := e.Draw(1, Short(), 0.95)
		fatal.If(t, err)
		for j := range r.Items {
			if iv := drawn.Intervals; !iv.Difficulty[j].Holds(drawn.Estimates.Difficulty[j]) || !iv.Discrimination[j].Holds(drawn.Estimates.Discrimination[j]) {
				t.Errorf("%v trials: the estimates of item %d, %v and %v, are not in %v and %v", trials, j, drawn.Estimates.Difficulty[j], drawn.Estimates.Discrimination[j], iv.Difficulty[j], iv.Discrimination[j])
			}
		}
	}
}
