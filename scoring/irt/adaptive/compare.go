package adaptive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"assay/scoring/stats"
)

// Way is a way of choosing the items of a test.
type Way string

// The ways: the next item by the responses so far; items drawn at random; and the same items for everyone,
// those that separate the respondents of the calibration best (irt.Subset).
const (
	ByAbility Way = "adaptive"
	AtRandom  Way = "random"
	TheSame   Way = "fixed"
)

// Point is how well tests of a number of items do, over all respondents of all splits.
type Point struct {
	Items int     `json:"items"`
	SE    float64 `json:"se"` // mean standard error of the ability

	// Error is the root mean square difference of the estimated ability from the true one of a simulated
	// respondent, or from the estimate by all items of a recorded one.
	Error float64 `json:"error"`
	// Tau and Rho are the means over splits of Kendall's tau-b and Spearman's rank correlation between the
	// estimated abilities and the scores on all items.
	Tau float64 `json:"tau_b"`
	Rho float64 `json:"rho"`
	// ScoreError is the root mean square error of the score on all items that the test estimates, and Covered the
	// share of its 95 % intervals that hold the score.
	ScoreError float64 `json:"score_error"`
	Covered    float64 `json:"covered"`
}

// Curve is a way with its points, in ascending order of items.
type Curve struct {
	Way    Way     `json:"way"`
	Points []Point `json:"points"`
}

// Comparison compares ways of choosing items.
type Comparison struct {
	Items       int     `json:"items"`       // of the pool
	Respondents int     `json:"respondents"` // that were tested in each split
	Calibrated  int     `json:"calibrated"`  // respondents that the items were calibrated with in each split; 0: none
	Splits      int     `json:"splits"`
	All         Point   `json:"all"` // the test of all items
	Curves      []Curve `json:"curves"`

	// Covered is the share of 95 % intervals of adaptive tests under the rules that hold the true ability of
	// simulated respondents.
	Covered float64 `json:"covered,omitempty"`
	// Length is the mean number of items of adaptive tests under the rules, which stop by themselves.
	Length float64 `json:"length"`
}

// tested is a respondent with a response to every item.
type tested struct {
	right []bool
	truth float64 // NaN: not known
}

func (t tested) score() float64 {
	n := 0
	for _, r := range t.right {
		if r {
			n++
		}
	}
	return float64(n) / float64(len(t.right))
}

// comparing accumulates a comparison.
type comparing struct {
	sizes  []int
	sums   map[Way][]sums
	all    sums
	length float64
	tests  float64
	held   float64
	splits int
}

// sums are sums over tests; those of ranks are over splits.
type sums struct{ se, square, scoreSquare, covered, n, tau, rho, ranked float64 }

func (s *sums) add(e Estimate, target float64, total Total, score float64) {
	s.se += e.SE
	s.square += (e.Ability - target) * (e.Ability - target)
	s.scoreSquare += (total.Score - score) * (total.Score - score)
	if total.Interval.Low-1e-9 <= score && score <= total.Interval.High+1e-9 {
		s.covered++
	}
	s.n++
}

func (s *sums) rank(abilities, scores []float64) {
	tau, err := stats.Kendall(abilities, scores, stats.Normal)
	if err != nil {
		return // all are equal, which says nothing of the way
	}
	rho, err := stats.Spearman(abilities, scores)
	if err != nil {
		return
	}
	s.tau, s.rho, s.ranked = s.tau+tau.TauB, s.rho+rho.Rho, s.ranked+1
}

func (s *sums) point(items int) Point {
	p := Point{
		Items: items, SE: s.se / s.n, Error: math.Sqrt(s.square / s.n),
		ScoreError: math.Sqrt(s.scoreSquare / s.n), Covered: s.covered / s.n,
	}
	if s.ranked > 0 {
		p.Tau, p.Rho = s.tau/s.ranked, s.rho/s.ranked
	}
	return p
}

// split tests the respondents in every way.
func (c *comparing) split(p *Pool, fixed []int, respondents []tested, random *rand.Rand) error {
	c.splits++
	abilities := map[Way][][]float64{}
	var scores, complete []float64
	for _, t := range respondents {
		responses := make([]Response, len(t.right))
		for j := range t.right {
			responses[j] = t.response(j)
		}
		e, err := p.Estimate(responses)
		if err != nil {
			return err
		}
		target := t.truth
		if math.IsNaN(target) {
			target = e.Ability
		}
		total, err := p.Total(responses)
		if err != nil {
			return err
		}
		c.all.add(e, target, total, t.score())
		scores, complete = append(scores, t.score()), append(complete, e.Ability)
		seed := random.Uint64()
		for _, way := range []Way{ByAbility, AtRandom, TheSame} {
			order := fixed
			if way == AtRandom {
				order = random.Perm(len(t.right))
			}
			at, err := c.test(p, way, seed, order, t, target)
			if err != nil {
				return err
			}
			abilities[way] = append(abilities[way], at)
		}
		if err := c.stop(p, seed, t); err != nil {
			return err
		}
	}
	c.all.rank(complete, scores)
	for way, rows := range abilities {
		for k := range c.sizes {
			column := make([]float64, len(rows))
			for i := range rows {
				column[i] = rows[i][k]
			}
			c.sums[way][k].rank(column, scores)
		}
	}
	return nil
}

func (t tested) response(item int) Response {
	r := Response{Item: item, Trials: 1}
	if t.right[item] {
		r.Passed = 1
	}
	return r
}

// test asks as many items as the largest size, and returns the ability at each size.
func (c *comparing) test(p *Pool, way Way, seed uint64, order []int, t tested, target float64) ([]float64, error) {
	free := *p
	free.rules.Least, free.rules.Most, free.rules.SE = 0, 0, 0
	var asked []int
	var responses []Response
	var abilities []float64
	for k, size := range c.sizes {
		for len(asked) < size {
			next := 0
			if way == ByAbility {
				choice, err := free.Next(seed, asked, responses)
				if err != nil {
					return nil, err
				}
				if next = choice.Item; next < 0 {
					break // exposure, or falling curves: none is left
				}
			} else {
				next = order[len(asked)]
			}
			asked, responses = append(asked, next), append(responses, t.response(next))
		}
		e, err := p.Estimate(responses)
		if err != nil {
			return nil, err
		}
		total, err := p.Total(responses)
		if err != nil {
			return nil, err
		}
		c.sums[way][k].add(e, target, total, t.score())
		abilities = append(abilities, e.Ability)
	}
	return abilities, nil
}

// stop runs an adaptive test to the end that its rules set.
func (c *comparing) stop(p *Pool, seed uint64, t tested) error {
	var asked []int
	var responses []Response
	for {
		choice, err := p.Next(seed, asked, responses)
		if err != nil {
			return err
		}
		if choice.Item < 0 {
			c.tests++
			c.length += float64(len(asked))
			if iv := choice.Estimate.Interval; iv.Low <= t.truth && t.truth <= iv.High {
				c.held++
			}
			return nil
		}
		asked, responses = append(asked, choice.Item), append(responses, t.response(choice.Item))
	}
}

func newComparing(sizes []int, items int) (*comparing, error) {
	c := &comparing{sums: map[Way][]sums{}}
	for _, n := range sizes {
		if n < 1 {
			return nil, fmt.Errorf("a test of %d items is not possible", n)
		}
		if n <= items && !slices.Contains(c.sizes, n) {
			c.sizes = append(c.sizes, n)
		}
	}
	slices.Sort(c.sizes)
	if len(c.sizes) == 0 {
		return nil, fmt.Errorf("every size is larger than the pool of %d items", items)
	}
	for _, way := range []Way{ByAbility, AtRandom, TheSame} {
		c.sums[way] = make([]sums, len(c.sizes))
	}
	return c, nil
}

func (c *comparing) comparison(items int) Comparison {
	out := Comparison{
		Items: items, Splits: c.splits, All: c.all.point(items), Length: c.length / c.tests, Covered: c.held / c.tests,
	}
	out.Respondents = int(c.tests) / c.splits
	for _, way := range []Way{ByAbility, AtRandom, TheSame} {
		curve := Curve{Way: way}
		for k, n := range c.sizes {
			curve.Points = append(curve.Points, c.sums[way][k].point(n))
		}
		out.Curves = append(out.Curves, curve)
	}
	return out
}
