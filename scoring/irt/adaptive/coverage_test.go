package adaptive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/irt"
	"assay/scoring/stats"
)

// tests tallies simulated tests: whether their intervals hold the ability and the score on all items.
type tests struct{ n, ability, score float64 }

// add runs a test of a respondent with these responses to all items; on is the true ability on the pool's scale.
func (c *tests) add(t *testing.T, p *Pool, all []Response, on float64, seed uint64) {
	t.Helper()
	asked, last := run(t, p, seed, func(j int) Response { return all[j] })
	var responses []Response
	score := 0.0
	for _, j := range asked {
		responses = append(responses, all[j])
	}
	for _, r := range all {
		score += float64(r.Passed) / float64(r.Trials) / float64(len(all))
	}
	total, err := p.Total(responses)
	fatal.If(t, err)
	c.n++
	if iv := last.Estimate.Interval; iv.Low <= on && on <= iv.High {
		c.ability++
	}
	if total.Interval.Low-1e-9 <= score && score <= total.Interval.High+1e-9 {
		c.score++
	}
}

// respond draws samples of every item; scatter is the standard deviation of what the logits of a respondent's
// samples of an item share beyond ability and curve.
func respond(truth []Item, ability float64, samples int, scatter float64, random *rand.Rand) []Response {
	var all []Response
	for j, item := range truth {
		r := Response{Item: j, Trials: samples}
		right := logistic(item.Intercept + item.Slope*ability + scatter*random.NormFloat64())
		for range samples {
			if random.Float64() < right {
				r.Passed++
			}
		}
		all = append(all, r)
	}
	return all
}

// check logs the rows of `make calibrate`, and fails outside of low to 0.98 (scores: scoreHigh) by more than 3.5 standard errors of
// independent groups of tests.
func (c *tests) check(t *testing.T, setting string, groups int, low, scoreHigh float64) {
	t.Helper()
	for _, v := range []struct {
		what       string
		held, high float64
	}{{"adaptive test, ability", c.ability, 0.98}, {"adaptive test, score on all items", c.score, scoreHigh}} {
		rate := v.held / c.n
		t.Logf("calibrate: %s | %s | 0.95 | %.3f | 0.0 %% | %.0f", v.what, setting, rate, c.n)
		slack := 3.5 * math.Sqrt(0.05*0.95/c.n+0.03*0.03/float64(groups))
		if rate < low-slack || rate > v.high+slack {
			t.Errorf("%s, %s: %.3f, want %.2f to %.2f", v.what, setting, rate, low, v.high)
		}
	}
}

var shortTest = Rules{Least: 5, Most: 25, SE: 0.4, Among: 3, Exposure: 1}

// The intervals of respondents from a normal population hold the ability, and the score on all items, as often as
// they say, where the error of the items' parameters is as large as they say.
func TestCalibrateSimulated(t *testing.T) {
	for _, se := range []float64{0, 0.6} {
		n := calibrate.Simulations(t, 500)
		random := rand.New(rand.NewPCG(20261124, 1))
		list := items(60, se, 12)
		p := pool(t, list, nil, shortTest)
		var c tests
		for range n {
			truth := make([]Item, len(list))
			for j, i := range list {
				truth[j] = i.drawn(random)
			}
			ability := 1.5 * random.NormFloat64()
			c.add(t, p, respond(truth, ability, 1, 0, random), ability, random.Uint64())
		}
		c.check(t, fmt.Sprintf("60 items with errors of the intercepts of %v, abilities ± 1.5, at most 25 items, standard error 0.4", se), n, 0.93, 0.97)
	}
}

// The same with items that respondents of the same population have calibrated, also with few of them, and with
// several samples of each task, whose chances scatter around the curve.
func TestCalibrateCalibrated(t *testing.T) {
	for _, v := range []struct {
		calibrators, samples int
		scatter              float64
		few                  int
	}{{32, 1, 0, 2}, {16, 1, 0, 0}, {8, 1, 0, 0}, {5, 1, 0, 1}, {16, 10, 0, 0}, {16, 10, 1, 1}, {16, 10, 2, 0}, {8, 5, 1, 0}} {
		n := calibrate.Simulations(t, v.few)
		random := rand.New(rand.NewPCG(20261124, uint64(v.calibrators*v.samples)))
		const each = 60
		var c tests
		rules := shortTest
		rules.Trials = v.samples
		for range n {
			truth := items(60, 0, random.Uint64())
			var abilities []float64
			for range v.calibrators {
				abilities = append(abilities, random.NormFloat64())
			}
			p := pool(t, calibratedBy(t, truth, abilities, v.samples, v.scatter, random), nil, rules)
			centre, unit := stats.Mean(abilities), stats.SD(abilities)
			for range each {
				ability := 1.2 * random.NormFloat64()
				c.add(t, p, respond(truth, ability, v.samples, v.scatter, random), (ability-centre)/unit, random.Uint64())
			}
		}
		if n > 0 {
			high := 0.98
			if v.samples > 1 {
				high = 1
			}
			c.check(t, fmt.Sprintf("60 items calibrated by %d respondents, %d samples each, which scatter by %g; abilities ± 1.2, at most 25 items, standard error 0.4",
				v.calibrators, v.samples, v.scatter), n, 0.92, high)
		}
	}
}

// drawn returns the item with parameters drawn from their uncertainty.
func (i Item) drawn(random *rand.Rand) Item {
	u, v := random.NormFloat64(), random.NormFloat64()
	w := i.Correlation*u + math.Sqrt(1-i.Correlation*i.Correlation)*v
	return Item{ID: i.ID, Slope: i.Slope + i.SlopeSE*u, Intercept: i.Intercept + i.InterceptSE*w}
}

// calibratedBy returns the items as respondents of these abilities calibrate them.
func calibratedBy(t *testing.T, truth []Item, abilities []float64, samples int, scatter float64, random *rand.Rand) []Item {
	t.Helper()
	r := irt.Responses{}
	for i, ability := range abilities {
		row, trials := make([]float64, len(truth)), make([]float64, len(truth))
		for j, v := range respond(truth, ability, samples, scatter, random) {
			row[j], trials[j] = float64(v.Passed)/float64(samples), float64(samples)
		}
		r.Respondents, r.Scores, r.Trials = append(r.Respondents, strconv.Itoa(i)), append(r.Scores, row), append(r.Trials, trials)
	}
	for _, item := range truth {
		r.Items = append(r.Items, item.ID)
	}
	_, list, err := Calibrate(r, 1, irt.Short())
	fatal.If(t, err)
	return list
}

// Adaptive tests need fewer items than random ones and rank as well as fixed ones, and the tests of recorded and
// of simulated respondents agree on it.
func TestComparisons(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	truth := items(50, 0, 21)
	file := &File{Respondents: strings.Split(strings.Repeat("r", 24), ""), Items: truth}
	for i := range file.Respondents {
		file.Respondents[i] += strconv.Itoa(i)
	}
	simulated, err := Simulated(file, shortTest, 20, 0, 1, []int{10, 60, 10}, 2, 7)
	fatal.If(t, err)
	var r irt.Responses
	for _, item := range truth {
		r.Items = append(r.Items, item.ID)
	}
	for i := range 24 {
		var row []float64
		ability := random.NormFloat64()
		for _, item := range truth {
			row = append(row, 0)
			if random.Float64() < logistic(item.Intercept+item.Slope*ability) {
				row[len(row)-1] = 1
			}
		}
		r.Respondents, r.Scores = append(r.Respondents, strconv.Itoa(i)), append(r.Scores, row)
	}
	recorded, err := Recorded(r, shortTest, []int{10}, 2, 7)
	fatal.If(t, err)
	for name, c := range map[string]Comparison{"simulated": simulated, "recorded": recorded} {
		if len(c.Curves) != 3 || len(c.Curves[0].Points) != 1 {
			t.Fatalf("%s: %+v", name, c)
		}
		adaptive, other := c.Curves[0].Points[0], c.Curves[1].Points[0]
		if !(adaptive.SE < 0.9*other.SE) || !(c.All.SE < adaptive.SE) {
			t.Errorf("%s: standard errors %.3f adaptive, %.3f random, %.3f all", name, adaptive.SE, other.SE, c.All.SE)
		}
		if c.All.Tau < adaptive.Tau || adaptive.Tau < 0.5 {
			t.Errorf("%s: tau-b %.3f, all items %.3f", name, adaptive.Tau, c.All.Tau)
		}
		if c.Length < 5 || c.Length > 25 {
			t.Errorf("%s: %.1f items", name, c.Length)
		}
	}
	if recorded.Calibrated != 12 || recorded.Respondents != 12 || simulated.Calibrated != 24 {
		t.Errorf("calibrated by %d, tested %d", recorded.Calibrated, recorded.Respondents)
	}
	if _, err := Recorded(irt.Responses{Respondents: r.Respondents[:6], Items: r.Items, Scores: r.Scores[:6]}, shortTest, []int{10}, 2, 7); err == nil {
		t.Error("6 respondents were split")
	}
	if _, err := Simulated(file, shortTest, 20, 0, 1, []int{60}, 2, 7); err == nil {
		t.Error("60 of 50 items were asked")
	}
}
