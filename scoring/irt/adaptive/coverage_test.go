package adaptive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/irt"
	"assay/scoring/stats"
)

// tests tallies simulated tests: whether their intervals hold the ability and the score on all items.
type tests struct{ n, ability, score float64 }

// add runs a test of a respondent whose responses come from the true items; on is the true ability on the
// pool's scale.
func (c *tests) add(t *testing.T, p *Pool, truth []Item, ability, on float64, random *rand.Rand) {
	t.Helper()
	all := tested{}
	for _, item := range truth {
		all.right = append(all.right, random.Float64() < logistic(item.Intercept+item.Slope*ability))
	}
	asked, last := run(t, p, random.Uint64(), func(j int) bool { return all.right[j] })
	var responses []Response
	for _, j := range asked {
		responses = append(responses, all.response(j))
	}
	total, err := p.Total(responses)
	fatal.If(t, err)
	c.n++
	if iv := last.Estimate.Interval; iv.Low <= on && on <= iv.High {
		c.ability++
	}
	if score := all.score(); total.Interval.Low-1e-9 <= score && score <= total.Interval.High+1e-9 {
		c.score++
	}
}

// check logs the rows of `make calibrate`, and fails outside of low to high by more than 3.5 standard errors of
// independent groups of tests.
func (c *tests) check(t *testing.T, setting string, groups int, low, high float64) {
	t.Helper()
	for _, v := range []struct {
		what string
		held float64
	}{{"adaptive test, ability", c.ability}, {"adaptive test, score on all items", c.score}} {
		rate := v.held / c.n
		t.Logf("calibrate: %s | %s | 0.95 | %.3f | 0.0 %% | %.0f", v.what, setting, rate, c.n)
		slack := 3.5 * math.Sqrt(0.05*0.95/c.n+0.03*0.03/float64(groups))
		if rate < low-slack || rate > high+slack {
			t.Errorf("%s, %s: %.3f, want %.2f to %.2f", v.what, setting, rate, low, high)
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
			c.add(t, p, truth, ability, ability, random)
		}
		c.check(t, fmt.Sprintf("60 items with errors of the intercepts of %v, abilities ± 1.5, at most 25 items, standard error 0.4", se), n, 0.93, 0.97)
	}
}

// The same with items that respondents of the same population have calibrated. With 16 of them the intervals are
// too short, since the items then share errors that single curves do not show.
func TestCalibrateCalibrated(t *testing.T) {
	for _, v := range []struct {
		calibrators, few int
		low              float64
	}{{32, 2, 0.93}, {16, 0, 0.90}} {
		n := calibrate.Simulations(t, v.few)
		random := rand.New(rand.NewPCG(20261124, uint64(v.calibrators)))
		const each = 60
		var c tests
		for range n {
			truth := items(60, 0, random.Uint64())
			var abilities []float64
			for range v.calibrators {
				abilities = append(abilities, random.NormFloat64())
			}
			p := pool(t, calibratedBy(t, truth, abilities, random), nil, shortTest)
			centre, unit := stats.Mean(abilities), stats.SD(abilities)
			for range each {
				ability := 1.2 * random.NormFloat64()
				c.add(t, p, truth, ability, (ability-centre)/unit, random)
			}
		}
		if n > 0 {
			c.check(t, fmt.Sprintf("60 items calibrated by %d respondents, abilities ± 1.2, at most 25 items, standard error 0.4", v.calibrators), n, v.low, 0.97)
		}
	}
}

// calibratedBy returns the items as respondents of these abilities calibrate them.
func calibratedBy(t *testing.T, truth []Item, abilities []float64, random *rand.Rand) []Item {
	t.Helper()
	r := irt.Responses{}
	for i, ability := range abilities {
		row := make([]float64, len(truth))
		for j, item := range truth {
			if random.Float64() < logistic(item.Intercept+item.Slope*ability) {
				row[j] = 1
			}
		}
		r.Respondents, r.Scores = append(r.Respondents, strconv.Itoa(i)), append(r.Scores, row)
	}
	for _, item := range truth {
		r.Items = append(r.Items, item.ID)
	}
	e, err := irt.TwoPL(r)
	fatal.If(t, err)
	drawn, err := e.Draw(1, irt.Short(), 0.95)
	fatal.If(t, err)
	list, err := Items(drawn)
	fatal.If(t, err)
	return list
}

// Adaptive tests need fewer items than random ones and rank as well as fixed ones, and the tests of recorded and
// of simulated respondents agree on it.
func TestComparisons(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	truth := items(50, 0, 21)
	p := pool(t, truth, nil, shortTest)
	simulated, err := Simulated(p, 20, 0, 1, []int{10, 60, 10}, 2, 7)
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
	if recorded.Calibrated != 12 || recorded.Respondents != 12 || simulated.Calibrated != 0 {
		t.Errorf("calibrated by %d, tested %d", recorded.Calibrated, recorded.Respondents)
	}
	if _, err := Recorded(irt.Responses{Respondents: r.Respondents[:6], Items: r.Items, Scores: r.Scores[:6]}, shortTest, []int{10}, 2, 7); err == nil {
		t.Error("6 respondents were split")
	}
	if _, err := Simulated(p, 20, 0, 1, []int{60}, 2, 7); err == nil {
		t.Error("60 of 50 items were asked")
	}
}
