package adaptive

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

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

// calibrated calibrates items with some respondents.
func calibrated(r irt.Responses, which []int, rules Rules, longest int, seed uint64) (p *Pool, fixed []int, err error) {
	half := irt.Responses{Items: r.Items}
	for _, i := range which {
		half.Respondents, half.Scores = append(half.Respondents, r.Respondents[i]), append(half.Scores, r.Scores[i])
		if r.Trials != nil {
			half.Trials = append(half.Trials, r.Trials[i])
		}
	}
	e, items, err := Calibrate(half, seed, irt.Short())
	if err != nil {
		return nil, nil, err
	}
	if p, err = NewPool(items, nil, rules); err != nil {
		return nil, nil, err
	}
	subset, err := irt.Subset(e, longest)
	return p, subset.Chosen, err
}

// Calibrate fits responses, by 2PL where all are single ones of 0 or 1, else by β3-IRT, whose curves have the
// same form, and returns the items with the uncertainty that draws of the posterior have.
func Calibrate(r irt.Responses, seed uint64, length irt.Length) (*irt.Estimates, []Item, error) {
	e, err := irt.TwoPL(binary(r))
	if err != nil {
		if e, err = irt.Fit(r, irt.Options{Seed: seed}); err != nil {
			return nil, nil, fmt.Errorf("the responses cannot be analysed: %w", err)
		}
	}
	drawn, err := e.Draw(seed, length, 0.95)
	if err != nil {
		return nil, nil, fmt.Errorf("the uncertainty of the items is not known: %w", err)
	}
	items, err := Items(drawn)
	return e, items, err
}

// binary drops the counts of single trials, with which scores of 0 and 1 are single responses.
func binary(r irt.Responses) irt.Responses {
	for i, row := range r.Trials {
		for j, n := range row {
			if n > 1 && !math.IsNaN(r.Scores[i][j]) {
				return r
			}
		}
	}
	r.Trials = nil
	return r
}

// Simulated compares ways with respondents drawn around the curves of a file. In each split as many respondents as
// calibrated the file, of mean ability 0 and standard deviation 1, calibrate its curves again, with as many samples
// each, and others, of the given mean and standard deviation, are tested with these items. So the errors are those
// that such a calibration makes, not those that the file states.
func Simulated(f *File, rules Rules, respondents int, mean, sd float64, sizes []int, splits int, seed uint64) (Comparison, error) {
	if respondents < 2 || splits < 1 || !(sd > 0) {
		return Comparison{}, fmt.Errorf("%d respondents, %d splits, a spread of %v: at least 2, 1 and a positive one",
			respondents, splits, sd)
	}
	calibrators := len(f.Respondents)
	if calibrators < 2 {
		return Comparison{}, fmt.Errorf("the file names %d respondents that calibrated its items: at least 2 are needed: %w",
			calibrators, stats.ErrTooFew)
	}
	c, err := newComparing(sizes, len(f.Items))
	if err != nil {
		return Comparison{}, err
	}
	random := rand.New(rand.NewPCG(seed, 0x73696d))
	for range splits {
		p, fixed, err := f.recalibrated(rules, c.sizes[len(c.sizes)-1], random)
		if err != nil {
			return Comparison{}, err
		}
		var all []tested
		for range respondents {
			t := tested{truth: mean + sd*random.NormFloat64(), right: make([]bool, len(f.Items))}
			for j, i := range f.Items {
				t.right[j] = random.Float64() < logistic(i.Intercept+i.Slope*t.truth)
			}
			all = append(all, t)
		}
		if err := c.split(p, fixed, all, random); err != nil {
			return Comparison{}, err
		}
	}
	out := c.comparison(len(f.Items))
	out.Calibrated = calibrators
	return out, nil
}

// recalibrated calibrates the file's curves with drawn respondents. Responses that cannot be analysed, since all
// are alike, are drawn again.
func (f *File) recalibrated(rules Rules, longest int, random *rand.Rand) (p *Pool, fixed []int, err error) {
	n := len(f.Respondents)
	abilities, everyone := make([]float64, n), make([]int, n)
	for range 20 {
		for i := range abilities {
			abilities[i], everyone[i] = random.NormFloat64(), i
		}
		r := irt.Responses{Respondents: f.Respondents}
		mean, sd := stats.Mean(abilities), stats.SD(abilities)
		for i, ability := range abilities {
			r.Scores, r.Trials = append(r.Scores, nil), append(r.Trials, nil)
			for _, item := range f.Items {
				if i == 0 {
					r.Items = append(r.Items, item.ID)
				}
				p := logistic(item.Intercept + item.Slope*(ability-mean)/sd)
				r.Scores[i] = append(r.Scores[i], f.sampled(item, p, random))
				r.Trials[i] = append(r.Trials[i], float64(max(1, f.Samples)))
			}
		}
		if p, fixed, err = calibrated(r, everyone, rules, longest, random.Uint64()); err == nil {
			break
		}
	}
	return p, fixed, err
}

// sampled draws the share of right responses among a calibrator's samples, which share a chance from a beta
// distribution around p with the item's correlation.
func (f *File) sampled(i Item, p float64, random *rand.Rand) float64 {
	n := max(1, f.Samples)
	if n > 1 && i.Shared > 0 && i.Shared < 1 {
		scale := 1/i.Shared - 1
		p = distuv.Beta{Alpha: p * scale, Beta: (1 - p) * scale, Src: random}.Rand()
	}
	right := 0.0
	for range n {
		if random.Float64() < p {
			right++
		}
	}
	return right / float64(n)
}
