package ppi

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// regressed is a population of answers to tasks: two arms and a difficulty of the task. Tasks, and where there are some
// raters, have effects that are drawn, so that the rows of each are alike.
type regressed struct {
	model                 Model
	rated, judged         int
	tasks, raters         int
	quality, bias, biased float64 // the judge's correlation; what it adds; what it adds to the second arm
}

// draw returns rows with the covariates 1, second arm, difficulty. Without an effect of anything their coefficients are 0:
// of logistic regression also with effects that are drawn, since these are symmetric.
func (p regressed) draw(r *rand.Rand) []Row {
	tasks, difficulty, raters := make([]float64, p.tasks), make([]float64, p.tasks), make([]float64, max(1, p.raters))
	for i := range tasks {
		tasks[i], difficulty[i] = r.NormFloat64(), r.NormFloat64()
	}
	for i := range p.raters {
		raters[i] = r.NormFloat64()
	}
	cut := func(x float64) float64 { return x }
	if p.model == Logistic {
		cut = func(x float64) float64 {
			if x > 0 {
				return 1
			}
			return 0
		}
	}
	rows := make([]Row, p.rated+p.judged)
	for i, at := range r.Perm(len(rows)) { // people rate a random sample
		task := at % p.tasks
		arm := float64(at / p.tasks % 2)
		own := math.Sqrt(0.8)*r.NormFloat64() + math.Sqrt(0.2)*tasks[task]
		row := Row{[]float64{1, arm, difficulty[task]}, Rated{Human: math.NaN(), Cluster: task}}
		row.Judged = cut(p.quality*own + math.Sqrt(1-p.quality*p.quality)*r.NormFloat64() + p.bias + p.biased*arm)
		if i < p.rated {
			row.Rater = i % max(1, p.raters)
			row.Human = cut(own + 0.4*raters[row.Rater])
		}
		rows[i] = row
	}
	return rows
}

// Regressions of ratings on arm and difficulty, with judges from useless to perfect and biased ones, where people rate 10 to
// 200 of 600 answers: all coefficients of the population are 0.
func TestCalibrateRegression(t *testing.T) {
	for _, model := range []Model{OLS, Logistic} {
		for _, design := range []struct{ rated, tasks, raters int }{{10, 60, 0}, {20, 40, 0}, {60, 20, 0}, {100, 30, 10}, {200, 40, 20}} {
			for _, judge := range []struct{ quality, bias, biased float64 }{{0, 0, 0}, {0.6, 0.5, 0.5}, {0.9, -0.3, 0}, {1, 0, 0}} {
				if model == Logistic && design.rated < 60 {
					continue // separated too often
				}
				p := regressed{model, design.rated, 600 - design.rated, design.tasks, design.raters, judge.quality, judge.bias, judge.biased}
				setting := fmt.Sprintf("%d of 600 answers to %d tasks rated, %d raters, judge's correlation %g, bias %g, of one arm %g", p.rated, p.tasks, p.raters, p.quality, p.bias, p.biased)
				wider, n, random := 0.0, 0.0, rand.New(rand.NewPCG(uint64(len(setting)), 5))
				counts := [3]calibrate.Counts{}
				few := 30
				for range calibrate.Simulations(t, few) {
					list, err := model.Clustered(p.draw(random), 0.95)
					for c := range counts {
						switch {
						case err != nil || list[c].Err != nil:
							counts[c][calibrate.Withheld]++
						case list[c].Interval.Holds(0):
							counts[c][calibrate.Hit]++
						default:
							counts[c][calibrate.Miss]++
						}
					}
					for _, e := range list {
						if e.Err != nil {
							continue
						}
						wider, n = wider+(e.Interval.High-e.Interval.Low)/(e.Alone.Interval.High-e.Alone.Interval.Low), n+1
					}
				}
				for c, name := range []string{"intercept", "arm", "difficulty"} {
					rate := calibrate.Coverage(fmt.Sprintf("PPI++ at clusters, %s, %s", model, name), setting, few)
					if judge.quality > 0.8 && p.rated <= 100 {
						rate.High = 1 // few ratings cannot show that a judge hardly ever errs
					}
					rate.Log(t, counts[c])
				}
				if wider/n > 1.05 {
					t.Errorf("%s, %s: %.3f times as wide as without the judge", model, setting, wider/n)
				}
			}
		}
	}
}

// A judge's bias that is linear in the covariates, the order of rows, and the covariates' units change no estimate; where
// everything is rated alike, nothing is uncertain.
func TestRegressionProperties(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 9))
		p := regressed{[]Model{OLS, Logistic}[seed%2], 60 + r.IntN(60), 200, 12, r.IntN(2) * 6, r.Float64(), 0, 0}
		rows := p.draw(r)
		if p.model == Logistic {
			for i := range rows {
				rows[i].Judged /= 2 // leaves room
			}
		}
		list, err := p.model.Clustered(rows, 0.95)
		fatal.If(t, err)
		other := slices.Clone(rows)
		for i, row := range other {
			if p.model == OLS {
				other[i].Judged += 3 - 2*row.X[1] + row.X[2]
			} else {
				other[i].Judged += 0.1 + 0.2*row.X[1]
			}
			other[i].X = []float64{1, row.X[1], 10 * row.X[2]}
		}
		r.Shuffle(len(other), func(a, b int) { other[a], other[b] = other[b], other[a] })
		changed, err := p.model.Clustered(other, 0.95)
		fatal.If(t, err)
		for c, unit := range []float64{1, 1, 10} {
			name := fmt.Sprintf("seed %d, coefficient %d", seed, c)
			near(t, name+": estimate", changed[c].Value*unit, list[c].Value, 1e-9)
			near(t, name+": error", changed[c].SE*unit, list[c].SE, 1e-9)
			near(t, name+": people's error", changed[c].Alone.SE*unit, list[c].Alone.SE, 1e-9)
			near(t, name+": p", changed[c].P, list[c].P, 1e-9)
			if e := list[c]; e.Err != nil || (e.P < 0.05) == e.Interval.Holds(0) || e.Lambda < 0 || e.Lambda > 1+1e-12 {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
}

// Without covariates a regression is the mean, and with each row its own cluster its errors are those of the mean. Where
// judgements would widen the interval, it is people's alone.
func TestRegressionIsMean(t *testing.T) {
	used := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := population{rated: 20 + r.IntN(40), judged: 100, clusters: r.IntN(2) * 12, quality: r.Float64(), cut: likert}
		items := p.draw(r)
		rows := make([]Row, len(items))
		for i := range items {
			rows[i] = Row{[]float64{1}, items[i]}
		}
		list, err := OLS.Clustered(rows, 0.95)
		fatal.If(t, err)
		got := list[0]
		want, err := Clustered(items, Scale{1, 5}, 0.95)
		fatal.If(t, err)
		name := fmt.Sprintf("seed %d", seed)
		near(t, name+": people's mean", got.Alone.Value, want.Alone.Value, 1e-12)
		if got.Lambda == 0 {
			if got.Estimate != got.Alone || p.clusters == 0 && want.SE < want.Alone.SE {
				t.Errorf("%s: %+v, the mean is %+v", name, got, want)
			}
			continue
		}
		used++
		near(t, name+": λ", got.Lambda, want.Lambda, 1e-9)
		near(t, name+": mean", got.Value, want.Value, 1e-9)
		if p.clusters == 0 {
			near(t, name+": people's error", got.Alone.SE, want.Alone.SE, 1e-9)
			near(t, name+": error", got.SE, want.SE, 1e-9)
		}
	}
	if used < 10 {
		t.Errorf("%d data sets use the judge", used)
	}
}

// What cannot be estimated is refused with the reason.
func TestRegressionEdges(t *testing.T) {
	p := regressed{model: Logistic, rated: 60, judged: 200, tasks: 20}
	change := func(f func(i int, row *Row)) []Row {
		rows := p.draw(rand.New(rand.NewPCG(1, 1)))
		for i := range rows {
			f(i, &rows[i])
		}
		return rows
	}
	for name, c := range map[string]struct {
		rows []Row
		want error
	}{
		"constant covariate": {change(func(_ int, row *Row) { row.X[1] = 1 }), stats.ErrNoVariation},
		"separation": {change(func(_ int, row *Row) {
			if !math.IsNaN(row.Human) {
				row.Human = row.X[1]
			}
		}), stats.ErrNoVariation},
		"one task has the arm": {change(func(_ int, row *Row) {
			row.X[1] = 0
			if row.Cluster == 3 {
				row.X[1] = 1
			}
		}), stats.ErrTooFew},
		"lengths":     {change(func(i int, row *Row) { row.X = row.X[:2+i%2] }), stats.ErrShape},
		"infinite":    {change(func(_ int, row *Row) { row.X[2] = math.Inf(1) }), stats.ErrNotFinite},
		"nobody":      {change(func(_ int, row *Row) { row.Human = math.NaN() }), stats.ErrTooFew},
		"all rated":   {change(func(_ int, row *Row) { row.Human = float64(int(row.Judged)) }), stats.ErrTooFew},
		"none at all": {nil, stats.ErrTooFew},
	} {
		model := Logistic
		if name == "one task has the arm" {
			model = OLS // since the outcomes of one task may be all the same
		}
		list, err := model.Clustered(c.rows, 0.95)
		if err == nil {
			err = list[1].Err
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	rows := change(func(_ int, row *Row) { row.Judged = 1 })
	list, err := Logistic.Clustered(rows, 0.95)
	fatal.If(t, err)
	if list[1].Lambda != 0 || list[1].Value != list[1].Alone.Value {
		t.Errorf("a judge that says the same of all: %+v", list[1])
	}
	if _, err := Logistic.Clustered(change(func(_ int, row *Row) { row.Judged = 2 }), 0.95); err == nil {
		t.Error("an outcome of 2 was accepted")
	}
	for _, lambda := range []float64{-0.1, 1.1, math.Inf(1)} {
		if _, err := OLS.Independent(rows, lambda, 0, 0.95); err == nil {
			t.Errorf("λ %v was accepted", lambda)
		}
	}
}

// Weights: a factor for all changes nothing, and means and coefficients are those of rows repeated as often as weights say;
// where the weights are inverse probabilities of a draw that depends on the rating, intervals cover as without.
func TestCalibrateWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 4))
	p := regressed{OLS, 40, 160, 15, 0, 0.6, 0, 0}
	rows := p.draw(r)
	var repeated []Row
	for i := range rows {
		rows[i].Weight = float64(1 + r.IntN(3))
		for range int(rows[i].Weight) {
			row := rows[i]
			row.Weight = 1
			repeated = append(repeated, row)
		}
	}
	scaled := slices.Clone(rows)
	for i := range scaled {
		scaled[i].Weight *= 7
	}
	list, err := OLS.Clustered(rows, 0.95)
	fatal.If(t, err)
	same, err := OLS.Clustered(scaled, 0.95)
	fatal.If(t, err)
	more, err := OLS.Clustered(repeated, 0.95)
	fatal.If(t, err)
	for c := range list {
		near(t, "people's coefficient", more[c].Alone.Value, list[c].Alone.Value, 1e-9)
		near(t, "scaled", same[c].SE, list[c].SE, 1e-9)
		near(t, "scaled p", same[c].P, list[c].P, 1e-9)
	}
	for _, quality := range []float64{0, 0.8} {
		setting := fmt.Sprintf("80 of 600 rated, better ones with thrice the probability, judge's correlation %g", quality)
		calibrate.Coverage("PPI++ at clusters, weights", setting, 60).Check(t, func(r *rand.Rand) calibrate.Outcome {
			var items []Rated
			for i := range 600 {
				x := r.NormFloat64()
				item := Rated{Human: math.NaN(), Judged: quality*x + math.Sqrt(1-quality*quality)*r.NormFloat64(), Cluster: i}
				chance := 80.0 / 1200
				if x > 0 {
					chance *= 3
				}
				if item.Weight = 1 / (1 - chance); r.Float64() < chance {
					item.Human, item.Weight = x, 1/chance
				}
				items = append(items, item)
			}
			e, err := Clustered(items, Scale{-10, 10}, 0.95)
			switch {
			case err != nil:
				return calibrate.Withheld
			case e.Interval.Holds(0):
				return calibrate.Hit
			}
			return calibrate.Miss
		})
	}
}
