package ppi

import (
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"assay/scoring/stats"
)

// Fitted is a coefficient of a regression.
type Fitted struct {
	Both
	Err error // why there is no estimate: it wraps stats.ErrTooFew if too few clusters bear on it
}

// Fit returns the coefficients of a regression of an outcome on all rows, by their weights.
func (m Model) Fit(rows []Row, outcome func(Row) float64) ([]float64, error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("a regression of no rows: %w", stats.ErrTooFew)
	}
	parts, all := summands(rows, 1, outcome), total(rated(rows))
	for i := range parts {
		w := rows[i].weight() / all
		parts[i].weight, parts[i].target = w, w*parts[i].target
	}
	return m.minimise(parts)
}

// Clustered estimates the coefficients of a regression from ratings and judgements, beside those from the ratings alone, by
// [Coefficient]: λ is tuned for each. The loss of rated rows is minimised by θ; a row's influence on it is A⁻¹x(Y − mean),
// A being the mean of the rated rows' second derivatives. Of a judgement f counts what least squares on all rows leave of
// it, A⁻¹x(f − fit), since PPI++ holds for any function of covariates and judgement: a bias of the judge that is
// linear in the covariates does not matter.
//
// Errors are at the clusters, and with 5 raters or more also at the raters. Variances are multiplied, and degrees of freedom
// are taken, as Bell & McCaffrey (Survey Methodology 28, 2002) derive them for few clusters, for errors that are
// independent with the model's variance: a coefficient on which few clusters bear has few, however many there are.
// Judgements that would make an interval wider are left out. The error wraps stats.ErrNoVariation if covariates of rated
// rows determine each other or tell the outcome.
func (m Model) Clustered(rows []Row, confidence float64) ([]Fitted, error) {
	r, err := newRegression(m, rows)
	if err != nil {
		return nil, err
	}
	theta, err := m.Fit(r.human, rowHuman)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(r.human, r.others)
	own, err := OLS.Fit(all, rowJudged)
	if err != nil {
		return nil, err
	}
	inverse, err := inverted(m.hessian(r.human, theta))
	if err != nil {
		return nil, err
	}
	human, judged := m.scores(r.human, theta, rowHuman), OLS.scores(all, own, rowJudged)
	ways := []func(Row) int{func(row Row) int { return row.Cluster }}
	if byRater(rated(r.human)) {
		ways = append(ways, func(row Row) int { return row.Rater })
	}
	list := make([]Fitted, r.d)
	for c := range list {
		items := rated(all)
		for i := range items {
			if items[i].Judged = -floats.Dot(inverse.RawRowView(c), judged[i]); i < len(human) {
				items[i].Human = theta[c] - floats.Dot(inverse.RawRowView(c), human[i])
			}
		}
		d, err := newDesign(items)
		if err != nil {
			return nil, err
		}
		for i := 0; i < len(ways) && list[c].Err == nil; i++ {
			d.few[i], list[c].Err = r.few(theta, c, inverse, ways[i])
		}
		if list[c].Err != nil {
			continue
		}
		if list[c].Both, err = d.coefficient(confidence); err != nil {
			return nil, err
		}
		list[c].alone()
	}
	return list, nil
}

// alone leaves judgements out that would make the interval wider.
func (b *Both) alone() {
	if b.SE >= b.Alone.SE {
		b.Estimate, b.Effective = b.Alone, float64(b.Rated)
	}
}

func rated(rows []Row) []Rated {
	list := make([]Rated, len(rows))
	for i, row := range rows {
		list[i] = row.Rated
	}
	return list
}

// fewClusters corrects a variance that is computed from residuals at few clusters; the zero value corrects nothing.
type fewClusters struct {
	scale float64 // the variance by G/(G-1) Σ part², on average
	df    float64 // degrees of freedom by G-1
}

func (f fewClusters) of(s spread) spread {
	if f.scale > 0 {
		s.variance, s.df = s.variance*f.scale, s.df*f.df
	}
	return s
}

// few returns the correction for a coefficient. With errors that are independent, of variance A, the parts z of clusters,
// c'A⁻¹ Σ wx(Y − mean), have the covariances S = c'A⁻¹(B_g [g=h] − A_g A⁻¹ B_h − B_g A⁻¹ A_h + A_g A⁻¹ B A⁻¹ A_h)A⁻¹c, A being the
// sum of w times the second derivatives, and B that of w²: Σz² is on average tr S instead of c'A⁻¹BA⁻¹c, and has tr²S / ΣS²
// degrees of freedom, of which 2 are needed. So is an effective number of 2 clusters, from their shares of that variance
// (Carter, Schnepel & Steigerwald, Review of Economics and Statistics 99, 2017): the residuals of a cluster that alone has a
// covariate say nothing of its effect.
func (r *regression) few(theta []float64, c int, inverse *mat.Dense, cluster func(Row) int) (fewClusters, error) {
	all, row := total(rated(r.human)), inverse.RawRowView(c)
	type sums struct{ a, b *mat.Dense }
	by, whole := map[int]sums{}, mat.NewDense(r.d, r.d, nil)
	for _, of := range r.human {
		key := cluster(of)
		if by[key].a == nil {
			by[key] = sums{mat.NewDense(r.d, r.d, nil), mat.NewDense(r.d, r.d, nil)}
		}
		_, slope := r.model.outcome(of.eta(theta))
		w := of.weight() / all
		addOuter(by[key].a, of.X, w*slope)
		addOuter(by[key].b, of.X, w*w*slope)
		addOuter(whole, of.X, w*w*slope)
	}
	var a, b, aInverse [][]float64 // A_g A⁻¹c, B_g A⁻¹c and A⁻¹A_g A⁻¹c
	for _, key := range slices.Sorted(maps.Keys(by)) {
		a, b = append(a, times(by[key].a, row)), append(b, times(by[key].b, row))
		aInverse = append(aInverse, times(inverse, a[len(a)-1]))
	}
	trace, squares, shares, variance := 0.0, 0.0, 0.0, floats.Dot(row, times(whole, row))
	for g := range a {
		bInverse, both := times(inverse, b[g]), times(whole, aInverse[g])
		share := floats.Dot(row, b[g]) / variance
		shares += share * share
		for h := range a {
			s := floats.Dot(both, aInverse[h]) - floats.Dot(aInverse[g], b[h]) - floats.Dot(bInverse, a[h])
			if g == h {
				s += floats.Dot(row, b[g])
				trace += s
			}
			squares += s * s
		}
	}
	df, clusters := trace*trace/squares, float64(len(a))
	const leastEffective = 2
	if !(df >= stats.FewestDF(false) && 1/shares >= leastEffective) {
		return fewClusters{}, fmt.Errorf("it rests on too few clusters: %w", stats.ErrTooFew)
	}
	return fewClusters{variance / trace * (clusters - 1) / clusters, df / (clusters - 1)}, nil
}
