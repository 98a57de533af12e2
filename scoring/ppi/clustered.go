package ppi

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"assay/scoring/stats"
)

// Rated is an item with what people and the judge said of it. Items of one cluster, such as a task or a rater, are not
// independent.
type Rated struct {
	Human   float64 // NaN: nobody rated it
	Judged  float64
	Cluster int
	Rater   int     // who rated it, as a second cluster; with the same one for all there is none
	Weight  float64 // what it counts, such as 1 by the probability that it was drawn to be rated, or not to be; 0 counts as 1
	Stratum int     // from 0; only [Both.Allocate] looks at it
}

// Scale bounds the ratings.
type Scale struct{ Low, High float64 }

// Both is an estimate from ratings and judgements together beside that from the ratings alone, both at clusters.
type Both struct {
	Estimate
	Alone     Estimate // λ 0: the rated items only, without their judgements
	Rated     int      // items rated by people
	Judged    int      // items that only the judge rated
	Clusters  int      // with rated items
	ByRater   bool     // errors are clustered by rater as well
	Effective float64  // the number of ratings that alone would be as sure: Rated times the quotient of the variances
}

const (
	// leastClusters is the number of clusters with ratings from which intervals cover what they should, by simulation
	// (TestCalibrateMeans).
	leastClusters = 5
	folds         = 10
)

// Clustered estimates the mean of all ratings that people would give, with a standard error at clusters, Satterthwaite's
// degrees of freedom for the clusters with and without ratings, and the interval of [stats.MeanOnScale].
//
// λ minimises the variance at clusters; it is tuned for each of ten folds of clusters without that fold, and clipped to
// [0, 1] (cross-fitting; PPI++, section 6). With λ tuned on the same ratings, the variance of few ratings is
// underestimated. A judge that agrees with ten ratings may disagree with the eleventh: the variance of the clusters with
// ratings is averaged with that of the ratings alone, which counts as two clusters. Lambda is the mean over the rated items.
// Means are weighted: items that were not drawn with equal probabilities count by the inverse of these (Hájek). The error
// wraps stats.ErrTooFew for fewer than 5 clusters with ratings, or fewer than 2 items that only the judge rated.
func Clustered(items []Rated, scale Scale, confidence float64) (Both, error) {
	d, err := newDesign(items)
	if err != nil {
		return Both{}, err
	}
	return d.both(func(e *Estimate, s spread) error {
		per := max(1, float64(len(d.human))/float64(len(d.rated())))
		units := stats.Units{Mean: min(max(e.Value, scale.Low), scale.High), Per: per, Error: e.SE, Number: s.df + 1}
		e.Interval, err = stats.MeanOnScale(units, scale.Low, scale.High, confidence)
		return err
	})
}

// Coefficient is [Clustered] for a mean without a scale, with Student's interval. A coefficient of a regression is such a
// mean: of its estimate from people's ratings plus each row's influence on it, with the influence that the row would have
// by its judgement as Judged. The result is one Newton step from people's estimate to the solution of PPI++, which has the
// same distribution for many ratings (van der Vaart, Asymptotic Statistics, 1998, theorem 5.45).
func Coefficient(items []Rated, confidence float64) (Both, error) {
	d, err := newDesign(items)
	if err != nil {
		return Both{}, err
	}
	return d.coefficient(confidence)
}

func (d *design) coefficient(confidence float64) (Both, error) {
	if err := checkConfidence(confidence); err != nil {
		return Both{}, err
	}
	return d.both(func(e *Estimate, s spread) error { return e.student(s, confidence) })
}

// student sets Student's interval and p; without a standard error the interval is the value, and p is 0 or 1.
func (e *Estimate) student(s spread, confidence float64) (err error) {
	c := stats.Contrast{Value: e.Value, SE: e.SE, DF: s.df}
	if e.SE == 0 {
		e.Interval, e.P = stats.Interval{Low: e.Value, High: e.Value}, map[bool]float64{true: 1}[e.Value == 0]
		return nil
	}
	if e.Interval, err = c.Interval(confidence); err == nil {
		e.P, err = c.P()
	}
	return err
}

// Difference estimates the difference of two means, such as those of two models, at clusters that items of both sides
// share. Its interval is Student's.
func Difference(a, b []Rated, confidence float64) (Both, error) {
	var designs [2]*design
	for i, items := range [][]Rated{a, b} {
		var err error
		if designs[i], err = newDesign(items); err != nil {
			return Both{}, err
		}
	}
	if err := checkConfidence(confidence); err != nil {
		return Both{}, err
	}
	rated := slices.Concat(designs[0].rated(), designs[1].rated())
	slices.Sort(rated)
	rated = slices.Compact(rated)
	out := Both{Clusters: len(rated), ByRater: byRater(slices.Concat(designs[0].human, designs[1].human))}
	var alone spread
	for _, e := range []*Estimate{&out.Alone, &out.Estimate} {
		var all [2][]part
		for i, sign := range []float64{1, -1} {
			value, lambda, parts := designs[i].estimate(e == &out.Alone)
			e.Value += sign * value
			e.Lambda += lambda / 2
			for _, p := range parts {
				p.value *= sign
				all[i] = append(all[i], p)
			}
		}
		s := spreadAt(out.ByRater, [2]fewClusters{}, all[:]...)
		if e == &out.Alone {
			alone = s
		} else {
			s = s.beside(alone, len(rated))
		}
		e.SE = math.Sqrt(s.variance)
		if err := e.student(s, confidence); err != nil {
			return Both{}, err
		}
	}
	for _, d := range designs {
		out.Rated, out.Judged = out.Rated+len(d.human), out.Judged+len(d.others)
	}
	out.Effective = effective(out.Rated, out.Alone.SE, out.SE)
	return checked(out, out.Value, out.SE, out.Alone.SE)
}

// design is a checked sample.
type design struct {
	human, others []Rated
	few           [2]fewClusters // at the clusters and at the raters
}

func newDesign(items []Rated) (*design, error) {
	d := &design{}
	for i, item := range items {
		if math.IsNaN(item.Judged) || math.IsInf(item.Judged, 0) || math.IsInf(item.Human, 0) || !(item.Weight >= 0) || math.IsInf(item.Weight, 0) {
			return nil, fmt.Errorf("prediction-powered mean: item %d is rated %v and judged %v, with the weight %v: %w", i, item.Human, item.Judged, item.Weight, stats.ErrNotFinite)
		}
		if math.IsNaN(item.Human) {
			d.others = append(d.others, item)
		} else {
			d.human = append(d.human, item)
		}
	}
	if n := len(d.rated()); n < leastClusters || len(d.others) < leastRated {
		return nil, fmt.Errorf("prediction-powered mean: ratings in %d clusters and %d items without: at least %d and %d are needed: %w",
			n, len(d.others), leastClusters, leastRated, stats.ErrTooFew)
	}
	return d, nil
}

// rated lists the clusters that have ratings, in ascending order.
func (d *design) rated() []int {
	var list []int
	for _, item := range d.human {
		list = append(list, item.Cluster)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// weight returns what an item counts.
func (r Rated) weight() float64 {
	if r.Weight == 0 {
		return 1
	}
	return r.Weight
}

// total returns the sum of weights.
func total(items []Rated) (sum float64) {
	for _, item := range items {
		sum += item.weight()
	}
	return sum
}

func mean(items []Rated, of func(Rated) float64) float64 {
	sum := 0.0
	for _, item := range items {
		sum += item.weight() * of(item)
	}
	return sum / total(items)
}

func human(r Rated) float64  { return r.Human }
func judged(r Rated) float64 { return r.Judged }

// tune returns the λ in [0, 1] that minimises the variance at clusters, Σ(a - λb)², where a and b are the
// clusters' shares of the mean rating and of the difference of the judge's means. Items of the clusters left out
// do not count.
func (d *design) tune(out map[int]bool) float64 {
	keep := func(items []Rated) []Rated {
		return slices.DeleteFunc(slices.Clone(items), func(r Rated) bool { return out[r.Cluster] })
	}
	rated, others := keep(d.human), keep(d.others)
	if len(others) == 0 { // every item that only the judge rated is left out
		others = d.others
	}
	a, b := map[int]float64{}, map[int]float64{}
	y, f, g := mean(rated, human), mean(rated, judged), mean(others, judged)
	n, m := total(rated), total(others)
	for _, r := range rated {
		a[r.Cluster] += (r.Human - y) * r.weight() / n
		b[r.Cluster] += (r.Judged - f) * r.weight() / n
	}
	for _, r := range others {
		b[r.Cluster] -= (r.Judged - g) * r.weight() / m
	}
	product, square := 0.0, 0.0
	for _, c := range slices.Sorted(maps.Keys(b)) {
		product, square = product+a[c]*b[c], square+b[c]*b[c]
	}
	if square == 0 {
		return 0
	}
	return min(max(product/square, 0), 1)
}

// part is a row's part of an estimate's error.
type part struct {
	cluster, rater int
	rated          bool
	value          float64
}

// lambdas returns the tuned λ of each cluster with ratings.
func (d *design) lambdas() map[int]float64 {
	list, rated := map[int]float64{}, d.rated()
	for fold := range min(folds, len(rated)) {
		out := map[int]bool{}
		for i := fold; i < len(rated); i += folds {
			out[rated[i]] = true
		}
		l := d.tune(out)
		for c := range out {
			list[c] = l
		}
	}
	return list
}

// influence returns the estimate, given λ by cluster, the mean λ, and each row's part of the estimate's error.
func (d *design) influence(lambdas map[int]float64) (value, lambda float64, parts []part) {
	n, others := total(d.human), total(d.others)
	g := mean(d.others, judged)
	for _, r := range d.human {
		lambda += lambdas[r.Cluster] * r.weight() / n
		value += (r.Human - lambdas[r.Cluster]*(r.Judged-g)) * r.weight() / n
	}
	for _, r := range d.human {
		parts = append(parts, part{r.Cluster, r.Rater, true, (r.Human - lambdas[r.Cluster]*(r.Judged-g) - value) * r.weight() / n})
	}
	for _, r := range d.others {
		if lambda > 0 {
			parts = append(parts, part{r.Cluster, 0, false, lambda * (r.Judged - g) * r.weight() / others})
		}
	}
	return value, lambda, parts
}

// estimate is influence with tuned λ, or with 0 for ratings alone.
func (d *design) estimate(alone bool) (value, lambda float64, parts []part) {
	if alone {
		return d.influence(nil)
	}
	return d.influence(d.lambdas())
}

// leastRaters is the number of raters from which they are a sample of raters.
const leastRaters = 5

// byRater reports whether rows are rated by enough raters to cluster errors by them.
func byRater(rows []Rated) bool {
	raters := map[int]bool{}
	for _, r := range rows {
		raters[r.Rater] = true
	}
	return len(raters) >= leastRaters
}

// spreadAt returns the variance at clusters and, with raters, also at these: V = V_cluster + V_rater - V_both, but no less
// than each of the first two, with the fewer degrees of freedom (Cameron, Gelbach & Miller, Journal of Business & Economic
// Statistics 29, 2011). The judge's part has no rater: it stays at its clusters.
func spreadAt(raters bool, few [2]fewClusters, designs ...[]part) spread {
	at := func(key func(part) int) spread {
		sums, rated := map[int]float64{}, []int(nil)
		for _, parts := range designs { // each is summed apart, so that equal ones cancel out
			own := map[int]float64{}
			for _, p := range parts {
				k := key(p)
				own[k] += p.value
				if p.rated {
					rated = append(rated, k)
				}
			}
			for k, v := range own {
				sums[k] += v
			}
		}
		slices.Sort(rated)
		return spreadOf(sums, slices.Compact(rated))
	}
	s := few[0].of(at(func(p part) int { return p.cluster }))
	if !raters {
		return s
	}
	cells, known := map[[2]int]int{}, 0
	cell := func(a, b int) int {
		if _, is := cells[[2]int{a, b}]; !is {
			cells[[2]int{a, b}] = known
			known++
		}
		return cells[[2]int{a, b}]
	}
	const judge = -1
	rater := few[1].of(at(func(p part) int {
		if p.rated {
			return cell(judge-1, p.rater)
		}
		return cell(judge, p.cluster)
	}))
	both := at(func(p part) int {
		if p.rated {
			return cell(p.cluster, p.rater)
		}
		return cell(judge, p.cluster)
	})
	return spread{max(s.variance, rater.variance, s.variance+rater.variance-both.variance), min(s.df, rater.df)}
}

// spread is the variance of an estimate at clusters, with its degrees of freedom.
type spread struct{ variance, df float64 }

// spreadOf returns the variance from the clusters' parts, G/(G-1) Σ part², where clusters with ratings and others are
// different strata (Satterthwaite, Biometrics Bulletin 2, 1946).
func spreadOf(parts map[int]float64, rated []int) spread {
	var sum, n [2]float64
	for _, c := range slices.Sorted(maps.Keys(parts)) {
		stratum := 0
		if _, found := slices.BinarySearch(rated, c); !found {
			stratum = 1
		}
		sum[stratum] += parts[c] * parts[c]
		n[stratum]++
	}
	s, below := spread{df: n[0] - 1}, 0.0
	for i, v := range sum {
		if n[i] > 1 {
			v *= n[i] / (n[i] - 1)
			below += v * v / (n[i] - 1)
		}
		s.variance += v
	}
	if below > 0 {
		s.df = s.variance * s.variance / below
	}
	return s
}

// beside averages the variance of n clusters with that of the ratings alone, which counts as two.
func (s spread) beside(alone spread, n int) spread {
	const doubt = 2
	if more := (float64(n)*s.variance + doubt*alone.variance) / float64(n+doubt); more > s.variance {
		s.variance = more
	}
	return s
}

// both estimates the mean, with intervals by a function.
func (d *design) both(interval func(*Estimate, spread) error) (Both, error) {
	rated := d.rated()
	out := Both{Rated: len(d.human), Judged: len(d.others), Clusters: len(rated), ByRater: byRater(d.human)}
	var alone spread
	for _, e := range []*Estimate{&out.Alone, &out.Estimate} {
		value, lambda, parts := d.estimate(e == &out.Alone)
		s := spreadAt(out.ByRater, d.few, parts)
		if e == &out.Alone {
			alone = s
		} else {
			s = s.beside(alone, len(rated))
		}
		*e = Estimate{Value: value, SE: math.Sqrt(s.variance), Lambda: lambda}
		if err := interval(e, s); err != nil {
			return Both{}, err
		}
	}
	out.Effective = effective(out.Rated, out.Alone.SE, out.SE)
	return checked(out, out.Value, out.SE, out.Alone.SE)
}

// effective returns the number of ratings that alone would have the standard error of both.
func effective(rated int, alone, both float64) float64 {
	if both == 0 || alone == 0 {
		return float64(rated)
	}
	return float64(rated) * (alone / both) * (alone / both)
}
