package stats

import (
	"cmp"
	"fmt"
	"math"
)

// Weighting is how Cohen's kappa weighs a disagreement by its distance.
type Weighting int

// The weightings, for categories i and j out of k.
const (
	Unweighted Weighting = iota // every disagreement alike
	LinearWeights
	QuadraticWeights
)

// String names the scheme, which has to be reported with a kappa.
func (w Weighting) String() string {
	return cmp.Or(map[Weighting]string{
		Unweighted:       "unweighted",
		LinearWeights:    "linear weights",
		QuadraticWeights: "quadratic weights",
	}[w], fmt.Sprintf("weighting %d", int(w)))
}

// MarshalText names the scheme in JSON.
func (w Weighting) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the name that MarshalText writes.
func (w *Weighting) UnmarshalText(text []byte) error {
	for _, weighting := range []Weighting{Unweighted, LinearWeights, QuadraticWeights} {
		if weighting.String() == string(text) {
			*w = weighting
			return nil
		}
	}
	return fmt.Errorf("there is no weighting %q", text)
}

// agreement returns the weight of a cell, 1 on the diagonal.
func (w Weighting) agreement(i, j, k int) float64 {
	d := math.Abs(float64(i-j)) / float64(k-1)
	switch {
	case w == LinearWeights:
		return 1 - d
	case w == QuadraticWeights:
		return 1 - d*d
	case i == j:
		return 1
	}
	return 0
}

// Kappa is Cohen's kappa with its weighting scheme.
type Kappa struct {
	Kappa     float64   `json:"kappa"`
	SE        float64   `json:"se"` // for large samples, not assuming independence
	Interval  Interval  `json:"interval"`
	Observed  float64   `json:"observed_agreement"` // weighted
	Expected  float64   `json:"expected_agreement"` // by chance, weighted
	N         int       `json:"n"`
	Weighting Weighting `json:"weighting"`
}

// CohenKappa returns the agreement of two raters beyond chance, from a square table of counts, the first rater's
// categories down, the second's across:
//
//	κ = (p_o - p_e)/(1 - p_e),  p_o = Σ wᵢⱼpᵢⱼ,  p_e = Σ wᵢⱼpᵢ.p.ⱼ
//	w = 1 on the diagonal else 0; 1-|i-j|/(k-1); 1-(i-j)²/(k-1)²
//	SE² = (Σ pᵢⱼ(wᵢⱼ - (w̄ᵢ.+w̄.ⱼ)(1-κ))² - (κ-p_e(1-κ))²) / (n(1-p_e)²)
//
// (Cohen 1960 and 1968; Fleiss, Cohen & Everitt, Psychological Bulletin 72, 1969; the values of
// statsmodels' cohens_kappa.) The interval is κ ± z SE, cut off at -1 and 1. R's psych uses quadratic
// weights by default. Errors wrap ErrShape (not square), ErrTooFew (fewer than two categories, no ratings)
// and ErrNoVariation (both raters used only one category, the same one); a negative count is an error.
func CohenKappa(table [][]int, weighting Weighting, confidence float64) (Kappa, error) {
	const statistic = "Cohen's kappa"
	if err := checkConfidence(confidence); err != nil {
		return Kappa{}, err
	}
	if weighting < Unweighted || weighting > QuadraticWeights {
		return Kappa{}, fmt.Errorf("%s: there is no %v", statistic, weighting)
	}
	n, rows, columns, err := squareShares(statistic, table)
	if err != nil {
		return Kappa{}, err
	}
	k := len(table)
	r := Kappa{N: n, Weighting: weighting}
	meanRow, meanColumn := make([]float64, k), make([]float64, k)
	for i, row := range table {
		for j, count := range row {
			w := weighting.agreement(i, j, k)
			r.Observed += w * float64(count) / float64(n)
			r.Expected += w * rows[i] * columns[j]
			meanRow[i] += w * columns[j]
			meanColumn[j] += w * rows[i]
		}
	}
	chance := 1 - r.Expected
	if chance < 1e-14 {
		return Kappa{}, fmt.Errorf("%s: both raters used one category only: %w", statistic, ErrNoVariation)
	}
	r.Kappa = (r.Observed - r.Expected) / chance
	// SE² is a variance; written around the mean it cannot become negative.
	mean, sum := r.Kappa-r.Expected*(1-r.Kappa), 0.0
	for i, row := range table {
		for j, count := range row {
			d := weighting.agreement(i, j, k) - (meanRow[i]+meanColumn[j])*(1-r.Kappa) - mean
			sum += float64(count) / float64(n) * d * d
		}
	}
	r.SE = math.Sqrt(sum/float64(n)) / chance
	z := NormalQuantile((1 + confidence) / 2)
	r.Interval = Interval{max(-1, r.Kappa-z*r.SE), min(1, r.Kappa+z*r.SE)}
	return checked(statistic, r)
}

// squareShares checks a table of two raters' counts and returns their sum and the shares of each rater's
// categories.
func squareShares(statistic string, table [][]int) (n int, rows, columns []float64, err error) {
	k := len(table)
	if k < 2 {
		return 0, nil, nil, fmt.Errorf("%s of %d categories: at least two are needed: %w", statistic, k, ErrTooFew)
	}
	rows, columns = make([]float64, k), make([]float64, k)
	for i, row := range table {
		if len(row) != k {
			return 0, nil, nil, fmt.Errorf("%s: row %d has %d of %d categories: %w", statistic, i, len(row), k, ErrShape)
		}
		for j, count := range row {
			if count < 0 {
				return 0, nil, nil, fmt.Errorf("%s: the count in row %d, column %d is %d", statistic, i, j, count)
			}
			n += count
			rows[i] += float64(count)
			columns[j] += float64(count)
		}
	}
	if n == 0 {
		return 0, nil, nil, fmt.Errorf("%s: there are no ratings: %w", statistic, ErrTooFew)
	}
	for i := range rows {
		rows[i] /= float64(n)
		columns[i] /= float64(n)
	}
	return n, rows, columns, nil
}

// ConfusionTable counts how often the raters of a and b chose the categories 0
// to k-1: the table of CohenKappa. Errors wrap ErrShape; a rating outside of
// the categories is an error.
func ConfusionTable(a, b []int, k int) ([][]int, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("%d ratings beside %d: %w", len(a), len(b), ErrShape)
	}
	if k < 1 {
		return nil, fmt.Errorf("a table of %d categories: %w", k, ErrTooFew)
	}
	table := make([][]int, k)
	for i := range table {
		table[i] = make([]int, k)
	}
	for i := range a {
		if a[i] < 0 || a[i] >= k || b[i] < 0 || b[i] >= k {
			return nil, fmt.Errorf("item %d is rated %d and %d, outside of the %d categories from 0", i, a[i], b[i], k)
		}
		table[a[i]][b[i]]++
	}
	return table, nil
}
