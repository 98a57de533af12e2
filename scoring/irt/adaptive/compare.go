package adaptive

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"assay/scoring/irt"
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

	// Covered is the share of 95 % intervals of adaptive tests under the rules that hold the true ability, of
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
	p := Point{Items: items, SE: s.se / s.n, Error: math.Sqrt(s.square / s.n), ScoreError: math.Sqrt(s.scoreSquare / s.n), Covered: s.covered / s.n}
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
	out := Comparison{Items: items, Splits: c.splits, All: c.all.point(items), Length: c.length / c.tests, Covered: c.held / c.tests}
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

// Recorded compares ways with recorded responses of 0 and 1: in each split half of the respondents calibrate the
// items, and the others are tested.
func Recorded(r irt.Responses, rules Rules, sizes []int, splits int, seed uint64) (Comparison, error) {
	if err := r.Check(); err != nil {
		return Comparison{}, err
	}
	if len(r.Respondents) < 8 {
		return Comparison{}, fmt.Errorf("%d respondents: at least 8 are needed, half of them to calibrate: %w", len(r.Respondents), stats.ErrTooFew)
	}
	if rules.Shares != nil {
		return Comparison{}, errors.New("recorded responses have no groups of items: leave shares out")
	}
	for i, row := range r.Scores {
		for j, y := range row {
			if y != 0 && y != 1 {
				return Comparison{}, fmt.Errorf("the score of %q on %q is %v: recorded tests take responses of 0 and 1, without gaps", r.Respondents[i], r.Items[j], y)
			}
		}
	}
	c, err := newComparing(sizes, len(r.Items))
	if err != nil {
		return Comparison{}, err
	}
	random := rand.New(rand.NewPCG(seed, 0x73706c6974))
	for range splits {
		order := random.Perm(len(r.Respondents))
		p, fixed, err := calibrated(r, order[:len(order)/2], rules, c.sizes[len(c.sizes)-1], random.Uint64())
		if err != nil {
			return Comparison{}, err
		}
		var respondents []tested
		for _, i := range order[len(order)/2:] {
			t := tested{truth: math.NaN()}
			for _, y := range r.Scores[i] {
				t.right = append(t.right, y == 1)
			}
			respondents = append(respondents, t)
		}
		if err := c.split(p, fixed, respondents, random); err != nil {
			return Comparison{}, err
		}
	}
	out := c.comparison(len(r.Items))
	out.Calibrated, out.Covered = len(r.Respondents)/2, 0
	return out, nil
}

// calibrated fits 2PL to some respondents.
func calibrated(r irt.Responses, which []int, rules Rules, longest int, seed uint64) (p *Pool, fixed []int, err error) {
	half := irt.Responses{Items: r.Items}
	for _, i := range which {
		half.Respondents, half.Scores = append(half.Respondents, r.Respondents[i]), append(half.Scores, r.Scores[i])
	}
	e, err := irt.TwoPL(half)
	if err != nil {
		return nil, nil, err
	}
	drawn, err := e.Draw(seed, irt.Short(), 0.95)
	if err != nil {
		return nil, nil, err
	}
	items, err := Items(drawn)
	if err != nil {
		return nil, nil, err
	}
	if p, err = NewPool(items, nil, rules); err != nil {
		return nil, nil, err
	}
	subset, err := irt.Subset(e, longest)
	return p, subset.Chosen, err
}

// Simulated compares ways with respondents drawn from the scale of the items: abilities from a normal
// distribution, true curves from the uncertainty of the items, anew in each split, and responses from these.
func Simulated(p *Pool, respondents int, mean, sd float64, sizes []int, splits int, seed uint64) (Comparison, error) {
	if respondents < 2 || splits < 1 || !(sd > 0) {
		return Comparison{}, fmt.Errorf("%d respondents, %d splits, a spread of %v: at least 2, 1 and a positive one", respondents, splits, sd)
	}
	c, err := newComparing(sizes, len(p.items))
	if err != nil {
		return Comparison{}, err
	}
	random := rand.New(rand.NewPCG(seed, 0x73696d))
	fixed := p.separating(mean, sd)
	for range splits {
		truth := make([]Item, len(p.items))
		for j, i := range p.items {
			truth[j] = i.drawn(random)
		}
		var all []tested
		for range respondents {
			t := tested{truth: mean + sd*random.NormFloat64(), right: make([]bool, len(p.items))}
			for j := range t.right {
				t.right[j] = random.Float64() < logistic(truth[j].Intercept+truth[j].Slope*t.truth)
			}
			all = append(all, t)
		}
		if err := c.split(p, fixed, all, random); err != nil {
			return Comparison{}, err
		}
	}
	return c.comparison(len(p.items)), nil
}

// separating orders the items by their information about respondents of a normal population.
func (p *Pool) separating(mean, sd float64) []int {
	expected := make([]float64, len(p.items))
	for j := range p.items {
		for g := range gridSize {
			z := (gridAt(g) - mean) / sd
			expected[j] += math.Exp(-z*z/2) * p.rows[j].information[g]
		}
	}
	order := make([]int, len(p.items))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case expected[a] > expected[b]:
			return -1
		case expected[a] < expected[b]:
			return 1
		}
		return 0
	})
	return order
}
