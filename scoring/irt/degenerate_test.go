package irt

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// table makes responses from rows of respondents; trials 0 is none.
func table(rows [][]float64, trials float64) Responses {
	y := make([][]float64, len(rows[0]))
	for j := range y {
		for i := range rows {
			y[j] = append(y[j], rows[i][j])
		}
	}
	return fromItems(y, trials)
}

// Responses that cannot be fitted are rejected with the reason.
func TestRefused(t *testing.T) {
	nan := math.NaN()
	good := [][]float64{{0, 1, 0.5}, {0.5, 1, 0}}
	change := func(f func(*Responses)) Responses {
		r := table(good, 4)
		f(&r)
		return r
	}
	for what, c := range map[string]struct {
		r    Responses
		want error
		says string
	}{
		"nothing":            {Responses{}, stats.ErrTooFew, "0 respondents"},
		"one respondent":     {table([][]float64{{0, 1, 0.5}}, 4), stats.ErrTooFew, "cannot be told apart"},
		"one item":           {table([][]float64{{0}, {1}}, 4), stats.ErrTooFew, "1 items"},
		"all 0":              {table([][]float64{{0, 0}, {0, 0}}, 4), stats.ErrNoVariation, "all are 0"},
		"all 1":              {table([][]float64{{1, 1}, {1, nan}}, 4), stats.ErrNoVariation, "all are 1"},
		"silent respondent":  {table([][]float64{{1, 0}, {nan, nan}}, 4), stats.ErrTooFew, `"respondent 2" answered no item`},
		"unanswered item":    {table([][]float64{{1, nan}, {0, nan}}, 4), stats.ErrTooFew, `"item 2" has no response`},
		"a score above 1":    {table([][]float64{{1, 0}, {0, 1.5}}, 4), nil, `of "respondent 2" on "item 2" is 1.5`},
		"a negative score":   {table([][]float64{{1, -0.1}, {0, 1}}, 4), nil, `of "respondent 1" on "item 2"`},
		"an infinite score":  {table([][]float64{{1, math.Inf(1)}, {0, 1}}, 4), stats.ErrNotFinite, `"item 2"`},
		"trials below 1":     {change(func(r *Responses) { r.Trials[1][2] = 0 }), nil, `trials of "respondent 2" on "item 3" are 0`},
		"trials of no count": {change(func(r *Responses) { r.Trials[0][0] = nan }), stats.ErrNotFinite, `"respondent 1" on "item 1"`},
		"a short row":        {change(func(r *Responses) { r.Scores[1] = r.Scores[1][:2] }), stats.ErrShape, `"respondent 2" has 2 scores`},
		"rows missing":       {change(func(r *Responses) { r.Scores = r.Scores[:1] }), stats.ErrShape, "1 rows of scores"},
		"short trials":       {change(func(r *Responses) { r.Trials[0] = nil }), stats.ErrShape, "0 counts of trials"},
		"a name twice":       {change(func(r *Responses) { r.Items[2] = "item 1" }), nil, `items 1 and 3 are both called "item 1"`},
	} {
		for name, fit := range map[string]func(Responses) (*Estimates, error){"Faithful": Faithful, "1PL": OnePL, "2PL": TwoPL, "Fit": func(r Responses) (*Estimates, error) { return Fit(r, Options{}) }} {
			_, err := fit(c.r)
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%s, %s: %v", what, name, err)
			} else if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, %s: %q does not say %q", what, name, err, c.says)
			}
		}
	}
	for _, o := range []Options{{Observation: 9}, {Clip: 0.5}, {Clip: math.NaN()}, {Starts: -1}, {Observation: Beta, Clip: -1}} {
		if _, err := Fit(table(good, 4), o); err == nil {
			t.Errorf("%+v is no error", o)
		}
	}
	if _, err := Faithful(table([][]float64{{0, nan, 0}, {1, 0.5, 1}}, 0)); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("TaskEval's procedure with a missing cell: %v", err)
	}
	for _, r := range []Responses{table(good, 0), table([][]float64{{0, 1}, {1, 0}}, 4)} {
		if _, err := TwoPL(r); err == nil {
			t.Error("2PL takes responses that are not single and 0 or 1")
		}
	}
}

// Odd responses that can be fitted lead to a warning.
func TestWarnings(t *testing.T) {
	nan := math.NaN()
	for what, c := range map[string]struct {
		rows   [][]float64
		trials float64
		kind   WarningKind
		says   string
	}{
		"few":                 {[][]float64{{0, 1}, {0.5, 0.25}}, 8, TooFewRespondents, "2 respondents"},
		"duplicates":          {[][]float64{{0, 1}, {0.5, 0.25}, {0, 1}}, 8, SameRespondents, "respondent 1, respondent 3"},
		"duplicates are few":  {[][]float64{{0, 1}, {0.5, 0.25}, {0, 1}}, 8, TooFewRespondents, "2 different respondents"},
		"constant item":       {[][]float64{{0, 1, 0.5}, {0.5, 1, 0.25}}, 8, ConstantItems, "item 2"},
		"no bound":            {[][]float64{{0, 0, 0}, {0.5, 1, 0.25}}, 8, ExtremeRespondent, "respondent 1"},
		"nothing in common":   {[][]float64{{0, 1, nan, nan}, {1, 0.5, nan, nan}, {nan, nan, 1, 0.5}, {nan, nan, 0, 1}}, 8, Apart, "2 groups"},
		"an item hardly seen": {[][]float64{{0, 1, 0.5}, {0.5, nan, 0.25}}, 8, FewResponses, "item 2"},
		"0 and 1 under Beta":  {[][]float64{{0, 1, 0.5}, {0.5, 0.1, 0.25}}, 0, Clipped, "2 of 6"},
	} {
		options := Options{}
		if c.kind == Clipped {
			options.Observation = Beta
		}
		e, err := Fit(table(c.rows, c.trials), options)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		found := false
		for _, w := range e.Warnings {
			found = found || w.Kind == c.kind && strings.Contains(w.Text, c.says)
		}
		if !found {
			t.Errorf("%s: no warning of %q in %q", what, c.says, e.Warnings)
		}
	}
	// Similar samples within a respondent are overdispersed.
	random := rand.New(rand.NewPCG(1, 1))
	r, _ := simulated(random, 20, 60, 4)
	for _, row := range r.Trials {
		for j := range row {
			row[j] = 40
		}
	}
	e, err := Fit(r, Options{})
	fatal.If(t, err)
	if !warned(e, Scattered) || e.Dispersion.Ratio < 6 || e.Dispersion.Ratio > 14 {
		t.Errorf("ten times the variance: dispersion %+v, %q", e.Dispersion, e.Warnings)
	}
	if warned(e, TooFewRespondents) {
		t.Error("twenty respondents are too few")
	}
}

// A constant item stays at its prior's discrimination, and its interval says
// that nothing is known.
func TestConstantItem(t *testing.T) {
	r, _ := simulated(rand.New(rand.NewPCG(8, 8)), 15, 30, 20)
	for i := range r.Scores {
		r.Scores[i][0], r.Scores[i][1] = 0, 1
	}
	e, err := Fit(r, Options{})
	fatal.If(t, err)
	drawn, err := e.Draw(1, Long(), 0.95)
	fatal.If(t, err)
	e, iv := drawn.Estimates, drawn.Intervals
	if e.Difficulty[0] < 0.9 || e.Difficulty[1] > 0.1 {
		t.Errorf("difficulties %v", e.Difficulty[:2])
	}
	for j, d := range iv.Discrimination[:2] {
		if d.High-d.Low < 1.5 || math.Abs(e.Discrimination[j]-1) > 1 {
			t.Errorf("discrimination %v in %v", e.Discrimination[j], d)
		}
	}
}

// drawnResponses are small tables with many zeros, ones, gaps and repetitions.
func drawnResponses(t *rapid.T) Responses {
	respondents, items := rapid.IntRange(1, 5).Draw(t, "respondents"), rapid.IntRange(1, 6).Draw(t, "items")
	kind := rapid.SampledFrom([]float64{0, 1, 2, 10, 1000}).Draw(t, "trials")
	cell := rapid.SampledFrom([]float64{0, 0, 1, 1, 0.5, 0.1, math.NaN()})
	if kind == 1 {
		cell = rapid.SampledFrom([]float64{0, 1, 1, math.NaN()})
	}
	rows := make([][]float64, respondents)
	for i := range rows {
		if i > 0 && rapid.IntRange(0, 3).Draw(t, "again") == 0 {
			rows[i] = rows[0]
			continue
		}
		rows[i] = rapid.SliceOfN(cell, items, items).Draw(t, fmt.Sprint("row ", i))
	}
	return table(rows, kind)
}

// For any responses, the result is an error or finite numbers, and intervals contain their estimates.
func TestNeverNaN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawnResponses(t)
		observation := rapid.SampledFrom([]Observation{Auto, Binomial, Beta}).Draw(t, "observation")
		fits := map[string]func() (*Estimates, error){
			"Fit": func() (*Estimates, error) { return Fit(r, Options{Observation: observation}) },
			"1PL": func() (*Estimates, error) { return OnePL(r) },
			"2PL": func() (*Estimates, error) { return TwoPL(r) },
		}
		if rapid.IntRange(0, 9).Draw(t, "slow") == 0 {
			fits["Faithful"] = func() (*Estimates, error) { return Faithful(r) }
		}
		for name, fit := range fits {
			e, err := fit()
			if err != nil {
				continue
			}
			everything(t, name, e, r)
		}
	})
}

// everything computes all results of a fit; JSON rejects NaN.
func everything(t *rapid.T, name string, e *Estimates, r Responses) {
	check := func(what string, v any) {
		if _, err := json.Marshal(v); err != nil {
			t.Fatalf("%s of %s: %v", what, name, err)
		}
	}
	check("estimates", e)
	check("fits", e.Fits())
	for _, ability := range []float64{0, 0.3, 1} {
		c, err := e.Curve(0, ability)
		fatal.If(t, err)
		info, err := e.TestInformation(ability)
		fatal.If(t, err)
		check("curve", []float64{c, info})
	}
	choice, err := Subset(e, 1+len(e.Items)/2)
	if err != nil {
		t.Fatalf("subset of %s: %v", name, err)
	}
	check("subset", choice)
	if tau, err := r.concordance(choice.Chosen); err == nil {
		check("concordance", tau)
	}
	drawn, err := e.Draw(1, Length{100, leastDraws, 1}, 0.9)
	if err != nil {
		if !errors.Is(err, errNoIntervals) {
			t.Fatalf("draws of %s: %v", name, err)
		}
		return
	}
	check("drawn", drawn)
	iv := drawn.Intervals
	for _, all := range [][]stats.Interval{iv.Ability, iv.Difficulty, iv.Discrimination} {
		for _, one := range all {
			if one.Low > one.High {
				t.Fatalf("interval %v", one)
			}
		}
	}
}

// Draws with invalid parameters are rejected.
func TestDrawRefused(t *testing.T) {
	r, _ := simulated(rand.New(rand.NewPCG(6, 6)), 4, 5, 10)
	e, err := Fit(r, Options{})
	fatal.If(t, err)
	if _, err := e.Draw(1, Length{10, 10, 1}, 0.95); err == nil {
		t.Error("ten draws are no error")
	}
	for _, confidence := range []float64{0, 1, math.NaN()} {
		if _, err := e.Draw(1, Short(), confidence); err == nil {
			t.Errorf("confidence %v is no error", confidence)
		}
	}
	f, err := Faithful(r)
	fatal.If(t, err)
	if _, err := f.Draw(1, Short(), 0.95); !errors.Is(err, errNoIntervals) {
		t.Errorf("intervals of TaskEval's procedure: %v", err)
	}
}
