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

// Recorded compares ways with recorded responses of 0 and 1: in each split half of the respondents calibrate the
// items, and the others are tested.
func Recorded(r irt.Responses, rules Rules, sizes []int, splits int, seed uint64) (Comparison, error) {
	if err := r.Check(); err != nil {
		return Comparison{}, err
	}
	if len(r.Respondents) < 8 {
		return Comparison{}, fmt.Errorf("%d respondents: at least 8 are needed, half of them to calibrate: %w",
			len(r.Respondents), stats.ErrTooFew)
	}
	if rules.Shares != nil {
		return Comparison{}, errors.New("recorded responses have no groups of items: leave shares out")
	}
	for i, row := range r.Scores {
		for j, y := range row {
			if y != 0 && y != 1 {
				return Comparison{}, fmt.Errorf("the score of %q on %q is %v: recorded tests take responses of 0 and 1, without gaps",
					r.Respondents[i], r.Items[j], y)
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
		return Comparison{}, fmt.Errorf("%d respondents, %d splits, a spread of %v: at least 2, 1 and a positive one",
			respondents, splits, sd)
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
