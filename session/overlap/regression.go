package overlap

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"assay/benchmark"
	"assay/scoring/ppi"
	"assay/scoring/stats"
)

// explaining is a covariate of a regression of ratings.
type explaining struct {
	name string
	of   func(u *unit, arm string) float64 // NaN: not known
}

func is(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// explaining lists the covariates of answers: model or arm, difficulty, whether the tests pass, and attempts.
func (j *joiner) explaining(units []unit) (list []explaining) {
	h, verdicts := &j.set.Header, map[[2]string]float64{}
	for _, o := range h.Origins {
		if o.Verdict != "" {
			verdicts[[2]string{o.Item, o.Arm}] = is(o.Verdict == "accepted")
		}
	}
	for i, a := range j.arms {
		if i > 0 {
			list = append(list, explaining{a + ", against " + j.arms[0], func(_ *unit, arm string) float64 { return is(arm == a) }})
		}
	}
	difficulty := func(u *unit) benchmark.Difficulty { return benchmark.Difficulty(h.Item(u.id[0]).Task.Difficulty) }
	var levels []benchmark.Difficulty
	for i := range units {
		levels = append(levels, difficulty(&units[i]))
	}
	place := func(of benchmark.Difficulty) int { return (slices.Index(benchmark.Difficulties[:], of) + 99) % 99 } // none is last
	slices.SortFunc(levels, func(a, b benchmark.Difficulty) int { return place(a) - place(b) })
	levels = slices.Compact(levels)
	for i, level := range levels {
		if i > 0 {
			name := cmp.Or(string(level), "not given") + ", against " + string(levels[0])
			list = append(list, explaining{"difficulty " + name, func(u *unit, _ string) float64 { return is(difficulty(u) == level) }})
		}
	}
	return append(list, explaining{"tests passed", func(u *unit, arm string) float64 {
		if v, judged := verdicts[[2]string{u.id[0], arm}]; judged {
			return v
		}
		return math.NaN()
	}}, explaining{"attempts, each", func(u *unit, _ string) float64 { return float64(len(h.Item(u.id[0]).Attempts)) }})
}

// regressions estimates what ratings have to do with the covariates, all at once: by least squares, or of a value of a
// label by logistic regression. Each rating of a person counts.
func (j *joiner) regressions(m measure, units []unit) {
	model := ppi.OLS
	if m.share {
		model = ppi.Logistic
	}
	c := Combined{ID: m.id, Name: m.name, Kind: "coefficient", Regression: string(model)}
	var rows []ppi.Row
	var of []explained
	for i := range units {
		u := &units[i]
		for _, arm := range j.from[u.id[0]] {
			r := ppi.Row{X: []float64{1}, Rated: j.row(u)}
			for _, s := range u.people {
				r.Human, r.Rater = s.score, s.rater+1
				rows, of = append(rows, r), append(of, explained{u, arm})
			}
			if len(u.people) == 0 {
				rows, of = append(rows, r), append(of, explained{u, arm})
			}
		}
	}
	var kept []string
	base := [][]float64{j.ofRated(rows, func(int) float64 { return 1 })}
	for _, e := range j.explaining(units) {
		at := func(i int) float64 { return e.of(of[i].unit, of[i].arm) }
		left := beyond(j.ofRated(rows, at), base)
		unknown := false
		for i := range rows {
			unknown = unknown || math.IsNaN(at(i))
		}
		if c.Covariate, c.Problem = e.name, ""; unknown {
			c.Problem = "not known of all answers"
		} else if left == nil {
			c.Problem = "the same for all answers that people rated, or told by the others"
		}
		if c.Problem != "" {
			j.out.Estimates = append(j.out.Estimates, c)
			continue
		}
		base, kept = append(base, left), append(kept, e.name)
		for i := range rows {
			rows[i].X = append(slices.Clip(rows[i].X), at(i))
		}
	}
	if len(kept) > 0 {
		c.Problem = ""
		j.coefficients(model, c, kept, rows)
	}
}

// explained is what a row of a regression is about.
type explained struct {
	*unit
	arm string
}

// ofRated returns a column of the rows that people rated.
func (joiner) ofRated(rows []ppi.Row, at func(i int) float64) (column []float64) {
	for i := range rows {
		if !math.IsNaN(rows[i].Human) {
			column = append(column, at(i))
		}
	}
	return column
}

// beyond returns what orthogonal columns leave of another one; nil: nothing but rounding.
func beyond(column []float64, base [][]float64) []float64 {
	left := slices.Clone(column)
	for _, b := range base {
		floats.AddScaled(left, -floats.Dot(left, b)/floats.Dot(b, b), b)
	}
	const rounding = 1e-12
	if !(floats.Dot(left, left) > rounding*floats.Dot(column, column)) {
		return nil
	}
	return left
}

// coefficients adds the coefficients of a regression but the first, the intercept.
func (j *joiner) coefficients(model ppi.Model, c Combined, kept []string, rows []ppi.Row) {
	list, err := model.Clustered(rows, confidence)
	judge, unfit := model.Fit(rows, func(r ppi.Row) float64 { return r.Judged })
	var alone []*Corrected
	if j.weight == nil {
		alone = independent(model, rows)
	}
	for i, name := range kept {
		c, at := c, i+1
		if c.Covariate = name; unfit == nil {
			c.Judge = &judge[at]
		}
		if alone != nil {
			c.Independent = alone[at]
		}
		switch {
		case errors.Is(err, stats.ErrNoVariation):
			c.Problem = "the covariates tell some of people's ratings (separation)"
		case err == nil && list[at].Err != nil:
			c.Problem = "too few tasks or raters bear on it"
		case err == nil:
			c.P, c.PeopleP = &list[at].P, &list[at].Alone.P
			j.add(c, list[at].Both, nil)
			continue
		default:
			j.add(c, ppi.Both{}, err)
			continue
		}
		j.out.Estimates = append(j.out.Estimates, c)
	}
}

// independent returns the coefficients as the authors of PPI++ compute them, of independent ratings.
func independent(model ppi.Model, rows []ppi.Row) []*Corrected {
	all := make([]*Corrected, len(rows[0].X))
	list, err := model.Independent(rows, ppi.Tuned, 0, confidence)
	for i := range all {
		if err != nil {
			all[i] = &Corrected{Problem: err.Error()}
		} else {
			all[i] = &Corrected{Value: &list[i].Value, Range: &list[i].Interval}
		}
	}
	return all
}
