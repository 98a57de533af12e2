package difficulty

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/irt"
	"assay/scoring/irt/adaptive"
	"assay/scoring/stats"
)

// Items are calibrated by 2PL for responses of 0 and 1, else by β3-IRT; both find the tasks' order, have errors, and
// stand a round trip through their file.
func TestCalibrateItems(t *testing.T) {
	for _, c := range []struct {
		trials int
		model  string
	}{{1, "2PL"}, {8, "β3-IRT"}} {
		random := rand.New(rand.NewPCG(4, uint64(c.trials)))
		r := irt.Responses{}
		var truth []float64
		for j := range 20 {
			r.Items = append(r.Items, fmt.Sprintf("t%02d", j))
			truth = append(truth, 2-0.2*float64(j))
		}
		for i := range 16 {
			ability := random.NormFloat64()
			scores, trials := make([]float64, 20), make([]float64, 20)
			for j := range scores {
				for range c.trials {
					if random.Float64() < 1/(1+math.Exp(-truth[j]-ability)) {
						scores[j] += 1 / float64(c.trials)
					}
				}
				trials[j] = float64(c.trials)
			}
			r.Respondents, r.Scores, r.Trials = append(r.Respondents, fmt.Sprint(i)), append(r.Scores, scores), append(r.Trials, trials)
		}
		f, err := CalibrateItems("made", r, 1, true)
		fatal.If(t, err)
		if f.Model != c.model || len(f.Items) != 20 || len(f.Respondents) != 16 {
			t.Fatalf("%s, %d items", f.Model, len(f.Items))
		}
		var found []float64
		for _, item := range f.Items {
			found = append(found, item.Intercept)
			if !(item.InterceptSE > 0) || !(item.SlopeSE > 0) {
				t.Errorf("%+v has no error", item)
			}
		}
		if s, err := stats.Spearman(found, truth); err != nil || s.Rho < 0.8 {
			t.Errorf("%s: the order of the tasks is found with %.2f, %v", c.model, s.Rho, err)
		}
		text, err := json.Marshal(f)
		fatal.If(t, err)
		again, err := adaptive.Parse("items.json", text)
		if err != nil || len(again.Items) != 20 || again.Items[3] != f.Items[3] {
			t.Errorf("read again: %v", err)
		}
	}
}

// A file of items that cannot be used is refused with its name and what to do.
func TestBadItemFiles(t *testing.T) {
	for text, want := range map[string]string{
		``:                                  "items.json is not a file of items",
		`[1]`:                               "is not a file of items",
		`{"items": []}`:                     "it has no assay_items",
		`{"assay_items": 2}`:                "has format 2, but this version reads format 1",
		`{"assay_items": 1}`:                "has no items",
		`{"assay_items": 1, "items": [{}]}`: "items[0]: an item has no id",
		`{"assay_items": 1, "items": [{"id": "a", "slope_se": -1}]}`:                      "slope_se is -1, not from 0",
		`{"assay_items": 1, "items": [{"id": "a", "slope": 1e9}]}`:                        "slope is 1e+09",
		`{"assay_items": 1, "items": [{"id": "a", "slope": 1}, {"id": "a", "slope": 1}]}`: "items[0] and items[1] both have the id",
	} {
		if _, err := adaptive.Parse("items.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
