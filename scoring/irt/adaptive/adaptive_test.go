package adaptive

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// items draws items whose parameters are known up to an error.
func items(n int, se float64, seed uint64) []Item {
	random := rand.New(rand.NewPCG(seed, 1))
	var list []Item
	for j := range n {
		a := math.Exp(0.4 * random.NormFloat64())
		list = append(list, Item{ID: "t" + strconv.Itoa(j), Slope: a, Intercept: -a * 1.5 * random.NormFloat64(), SlopeSE: se * a / 2, InterceptSE: se, Correlation: 0.3})
	}
	return list
}

func pool(t testing.TB, list []Item, groups [][]string, rules Rules) *Pool {
	t.Helper()
	p, err := NewPool(list, groups, rules)
	fatal.If(t, err)
	return p
}

// slowChance integrates a response's chance over the logit by a fine sum.
func slowChance(i Item, ability float64, passed, trials int) float64 {
	mean, sd := i.logit(ability)
	if sd == 0 {
		p := 1 / (1 + math.Exp(-mean))
		return math.Pow(p, float64(passed)) * math.Pow(1-p, float64(trials-passed))
	}
	sum := 0.0
	const h = 0.01
	for z := -8.0; z <= 8; z += h {
		p := 1 / (1 + math.Exp(-mean-sd*z))
		sum += h * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * math.Pow(p, float64(passed)) * math.Pow(1-p, float64(trials-passed))
	}
	return sum
}

// The estimate is that of a slow integration over abilities and logits.
func TestEstimateAgainstIntegration(t *testing.T) {
	for _, c := range []struct {
		name      string
		se        float64
		responses []Response
	}{
		{"no response", 0.3, nil},
		{"all right", 0.3, []Response{{0, 1, 1}, {1, 1, 1}, {2, 1, 1}}},
		{"all wrong", 0, []Response{{0, 0, 1}, {1, 0, 1}, {2, 0, 1}}},
		{"mixed", 0.5, []Response{{3, 1, 1}, {1, 0, 1}, {7, 1, 1}, {9, 0, 1}, {8, 1, 1}}},
		{"several trials", 0.4, []Response{{3, 4, 10}, {1, 0, 5}, {7, 2, 2}, {9, 0, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := items(10, c.se, 3)
			got, err := pool(t, list, nil, DefaultRules()).Estimate(c.responses)
			fatal.If(t, err)
			const h = 0.01
			density := func(x float64) float64 {
				d := math.Exp(-x * x / (2 * priorSD * priorSD))
				for _, r := range c.responses {
					d *= slowChance(list[r.Item], x, r.Passed, r.Trials)
				}
				return d
			}
			var grid, d []float64
			sum, mean := 0.0, 0.0
			for x := -reach; x <= reach; x += h {
				v := density(x)
				grid, d = append(grid, x), append(d, v)
				sum, mean = sum+v, mean+v*x
			}
			mean /= sum
			variance, below := 0.0, 0.0
			low, high := math.NaN(), math.NaN()
			for k, x := range grid {
				variance += d[k] / sum * (x - mean) * (x - mean)
				below += d[k] / sum
				if math.IsNaN(low) && below >= 0.025 {
					low = x
				}
				if math.IsNaN(high) && below >= 0.975 {
					high = x
				}
			}
			for _, v := range []struct {
				what      string
				got, want float64
				within    float64
			}{{"ability", got.Ability, mean, 1e-3}, {"standard error", got.SE, math.Sqrt(variance), 1e-3}, {"low", got.Interval.Low, low, 0.02}, {"high", got.Interval.High, high, 0.02}} {
				if math.Abs(v.got-v.want) > v.within {
					t.Errorf("%s %v, by integration %v", v.what, v.got, v.want)
				}
			}
		})
	}
}

// Information is the expected square of the score function, by numerical derivatives of the chances; for samples that
// share something, that of the share of right responses: the square of the derivative of its mean over its variance.
// With known parameters it is the textbook's n a² p(1-p), over the design effect.
func TestInformation(t *testing.T) {
	for _, c := range []struct {
		se, shared float64
		trials     int
	}{{0, 0, 1}, {0.5, 0, 1}, {0, 0, 7}, {0.5, 0, 7}, {0.5, 0.2, 7}, {0, 1, 7}} {
		rules := DefaultRules()
		rules.Trials = c.trials
		list := items(4, c.se, 5)
		for j := range list {
			list[j].Shared = c.shared
		}
		p := pool(t, list, nil, rules)
		for j, item := range list {
			for _, x := range []float64{-3, -0.5, 0, 1, 2.5} {
				got := p.gauss.information(item, x, rules.Trials)
				want, ways, n := 0.0, 1.0, float64(c.trials)
				const h = 1e-4
				derivative := func(passed, trials int) float64 {
					return (slowChance(item, x+h, passed, trials) - slowChance(item, x-h, passed, trials)) / (2 * h)
				}
				for r := range c.trials + 1 {
					if r > 0 {
						ways *= float64(c.trials-r+1) / float64(r)
					}
					slope := ways * derivative(r, c.trials)
					want += slope * slope / (ways * slowChance(item, x, r, c.trials))
				}
				if c.shared > 0 {
					mean, slope := slowChance(item, x, 1, 1), derivative(1, 1)
					scatter := slowChance(item, x, 1, 2) * (1 + (n-1)*c.shared) / n
					want = slope * slope / (scatter + slowChance(item, x, 2, 2) - mean*mean)
				}
				if math.Abs(got-want) > 1e-4*(1+want) {
					t.Errorf("item %d at %v, %+v: %v, by derivatives %v", j, x, c, got, want)
				}
				design := 1 + (n-1)*c.shared
				if q := 1 / (1 + math.Exp(-item.Intercept-item.Slope*x)); c.se == 0 && math.Abs(got-n/design*item.Slope*item.Slope*q*(1-q)) > 1e-9 {
					t.Errorf("item %d at %v: %v is not n a² p(1-p)", j, x, got)
				}
			}
		}
	}
}

// run asks a simulated respondent until the test ends.
func run(t testing.TB, p *Pool, seed uint64, respond func(item int) Response) (asked []int, last Choice) {
	t.Helper()
	var responses []Response
	for {
		c, err := p.Next(seed, asked, responses)
		fatal.If(t, err)
		if c.Item < 0 {
			return asked, c
		}
		if slices.Contains(asked, c.Item) {
			t.Fatalf("item %d was asked twice", c.Item)
		}
		asked, responses = append(asked, c.Item), append(responses, respond(c.Item))
		if len(asked) > len(p.items) {
			t.Fatal("the test has no end")
		}
	}
}

func drawn(random *rand.Rand, p *Pool, ability float64) func(int) Response {
	return func(j int) Response {
		mean, _ := p.items[j].logit(ability)
		r := Response{Item: j, Trials: 1}
		if random.Float64() < logistic(mean) {
			r.Passed = 1
		}
		return r
	}
}

// Samples that share all they have in common beyond the curve tell as much as one; the posterior of few calibrators is
// as much wider as Student's t; an item without either, as in files of version 1.0, counts every sample.
func TestSamplesAndCalibrators(t *testing.T) {
	estimate := func(shared float64, calibrators int, r Response) Estimate {
		list := items(1, 0.3, 3)
		list[0].Shared, list[0].Calibrators = shared, calibrators
		e, err := pool(t, list, nil, DefaultRules()).Estimate([]Response{r})
		fatal.If(t, err)
		return e
	}
	one, ten := Response{Passed: 1, Trials: 1}, Response{Passed: 10, Trials: 10}
	if got, want := estimate(1, 0, ten), estimate(0, 0, one); math.Abs(got.SE-want.SE) > 1e-12 {
		t.Errorf("ten samples that are one response: %+v, one %+v", got, want)
	}
	half, all := estimate(0.5, 0, Response{Passed: 6, Trials: 10}), estimate(0, 0, Response{Passed: 6, Trials: 10})
	if !(half.SE > 1.2*all.SE) {
		t.Errorf("a standard error of %v with a correlation of 0.5, %v without", half.SE, all.SE)
	}
	// t of 4 degrees of freedom at 97.5 % is 2.776445, the normal quantile 1.959964. The likelihood of one response
	// is nearly flat, so the posterior is nearly the prior.
	few, many := estimate(0, 5, one), estimate(0, 0, one)
	if ratio := few.SE / many.SE; math.Abs(ratio-2.776445/1.959964) > 0.05 {
		t.Errorf("with 5 calibrators the standard error is %.3f times as large", ratio)
	}
}

// Tests end where their rules say, for the reason they give, ask no item twice, and are the same for the same
// seed and responses.
func TestRules(t *testing.T) {
	list := items(60, 0.1, 9)
	list[0].Slope = -2 // most informative, but it falls
	for _, c := range []struct {
		name        string
		rules       Rules
		least, most int
		end         End
	}{
		{"precise", Rules{Least: 3, Most: 60, SE: 0.6, Among: 1, Exposure: 1}, 3, 30, Precise},
		{"at least", Rules{Least: 25, Most: 60, SE: 1.5, Among: 2, Exposure: 1}, 25, 25, Precise},
		{"longest", Rules{Least: 1, Most: 7, SE: 0.01, Among: 5, Exposure: 1}, 7, 7, Longest},
		{"no limit", Rules{Among: 5, Exposure: 1}, 59, 59, NoneLeft},
		{"exposure", Rules{Among: 1, Exposure: 0.2}, 4, 25, NoneLeft},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pool(t, list, nil, c.rules)
			for seed := range uint64(20) {
				respond := func() func(int) Response { return drawn(rand.New(rand.NewPCG(seed, 4)), p, 0.5) }
				asked, last := run(t, p, seed, respond())
				if last.End != c.end || len(asked) < c.least || len(asked) > c.most {
					t.Errorf("seed %d: %d items, %s", seed, len(asked), last.End)
				}
				if slices.Contains(asked, 0) {
					t.Error("an item with a falling curve was asked")
				}
				if again, _ := run(t, p, seed, respond()); !slices.Equal(asked, again) {
					t.Errorf("seed %d: %v, then %v", seed, asked, again)
				}
			}
		})
	}
}

// Without randomesque choice and content the item is the best by its definition.
func TestNextIsBest(t *testing.T) {
	rules := DefaultRules()
	rules.Among = 1
	list := items(40, 0.3, 6)
	p := pool(t, list, nil, rules)
	responses := []Response{{3, 1, 1}, {4, 0, 1}, {5, 1, 1}}
	c, err := p.Next(1, []int{3, 4, 5}, responses)
	fatal.If(t, err)
	w, err := p.posterior(responses)
	fatal.If(t, err)
	for j := range list {
		if j == 3 || j == 4 || j == 5 {
			continue
		}
		sum := 0.0
		for g, v := range w {
			sum += v * p.gauss.information(p.items[j], gridAt(g), p.rules.Trials)
		}
		if sum > c.Information+1e-12 {
			t.Errorf("item %d tells %v, the chosen %d %v", j, sum, c.Item, c.Information)
		}
	}
	if c.Rank != 1 || c.Candidates != 37 || c.End != "" {
		t.Errorf("%+v", c)
	}
}

// The usual exposure is that of the pool's size, and shares are those of the groups.
func TestUsualExposure(t *testing.T) {
	for items, want := range map[int]float64{10: 1, 60: 1, 80: 0.75, 120: 0.5, 1000: 0.5} {
		if got := DefaultRules().Bounded(items).Exposure; got != want {
			t.Errorf("%d items: %v, want %v", items, got, want)
		}
	}
	if got := (Rules{Exposure: 0.9, Most: 1}).Bounded(1000).Exposure; got != 0.9 {
		t.Errorf("an exposure that was given became %v", got)
	}
	if got := (Rules{}).Bounded(1000).Exposure; got != 1 {
		t.Errorf("a test of all items is open to %v of them", got)
	}
	if got := Proportional([]string{"a", "b", "a", "c"}); !slices.Equal(got, []Share{{"a", 0.5}, {"b", 0.25}, {"c", 0.25}}) || Proportional([]string{"a", "a"}) != nil {
		t.Errorf("shares %v", got)
	}
}

// No item is asked in a larger share of tests than allowed, up to what chance does to 400 tests.
func TestExposure(t *testing.T) {
	const tests, most = 400, 0.4
	p := pool(t, items(60, 0.2, 2), nil, Rules{Least: 5, Most: 10, Among: 3, Exposure: most})
	count := make([]int, len(p.items))
	for seed := range uint64(tests) {
		asked, _ := run(t, p, seed, drawn(rand.New(rand.NewPCG(seed, 3)), p, 0))
		for _, j := range asked {
			count[j]++
		}
	}
	highest := float64(slices.Max(count)) / tests
	if slack := 3.5 * math.Sqrt(most*(1-most)/tests); highest > most+slack {
		t.Errorf("an item was asked in %.3f of the tests", highest)
	}
	if highest < 0.3 {
		t.Errorf("the best item was asked in only %.3f of the tests: the bound binds nothing", highest)
	}
}

// The shares of two properties are kept within one item, at every length.
func TestShares(t *testing.T) {
	list := items(120, 0.2, 8)
	var groups [][]string
	for j := range list {
		groups = append(groups, []string{"type:" + []string{"array", "string", "graph"}[j%3], "difficulty:" + []string{"easy", "hard"}[j%2]})
	}
	shares := []Share{{"type:array", 0.5}, {"type:string", 0.5}, {"difficulty:easy", 0.25}, {"difficulty:hard", 0.75}}
	p := pool(t, list, groups, Rules{Most: 24, Among: 3, Exposure: 1, Shares: shares})
	for seed := range uint64(20) {
		asked, _ := run(t, p, seed, drawn(rand.New(rand.NewPCG(seed, 3)), p, 1))
		count := map[string]int{}
		for n, j := range asked {
			for _, g := range groups[j] {
				count[g]++
			}
			for _, s := range shares {
				if off := math.Abs(float64(count[s.Group]) - s.Share*float64(n+1)); off > 1.5 {
					t.Errorf("seed %d, %d items: %d of %s", seed, n+1, count[s.Group], s.Group)
				}
			}
		}
		if count["type:graph"] > 0 {
			t.Errorf("%d items of a type without a share", count["type:graph"])
		}
	}
}

// A pool that cannot be used is refused with the reason.
func TestRefused(t *testing.T) {
	good := DefaultRules()
	with := func(change func(*Rules)) Rules { r := good; change(&r); return r }
	for _, c := range []struct {
		name  string
		items []Item
		rules Rules
		want  string
	}{
		{"no items", nil, good, "needs items"},
		{"twice", []Item{{ID: "a", Slope: 1}, {ID: "a", Slope: 1}}, good, "twice"},
		{"not a number", []Item{{ID: "a", Slope: math.NaN()}}, good, "slope is NaN"},
		{"infinite", []Item{{ID: "a", Slope: 1, InterceptSE: math.Inf(1)}}, good, "intercept_se"},
		{"no id", []Item{{Slope: 1}}, good, "no id"},
		{"lengths", items(3, 0, 1), with(func(r *Rules) { r.Least, r.Most = 9, 8 }), "at least 9"},
		{"precision", items(3, 0, 1), with(func(r *Rules) { r.SE = math.NaN() }), "standard error"},
		{"among", items(3, 0, 1), with(func(r *Rules) { r.Among = 0 }), "among"},
		{"exposure", items(3, 0, 1), with(func(r *Rules) { r.Exposure = -0.1 }), "exposure"},
		{"share", items(3, 0, 1), with(func(r *Rules) { r.Shares = []Share{{"x", 1.5}} }), "share of"},
		{"empty group", items(3, 0, 1), with(func(r *Rules) { r.Shares = []Share{{"x", 0.5}} }), "no item is of it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := NewPool(c.items, nil, c.rules); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	p := pool(t, items(3, 0, 1), nil, good)
	for _, bad := range [][]Response{{{3, 1, 1}}, {{-1, 1, 1}}, {{0, 2, 1}}, {{0, 0, 0}}, {{0, 1, 1}, {0, 1, 1}}} {
		if _, err := p.Estimate(bad); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}

// A fixed test of as many items as Needed says has the precision that was asked for, within what chance does.
func TestNeeded(t *testing.T) {
	p := pool(t, items(200, 0.2, 4), nil, DefaultRules())
	n, ok := p.Needed(Estimate{Ability: 0, SE: 0.4})
	if !ok {
		t.Fatal("200 items are not enough")
	}
	random := rand.New(rand.NewPCG(5, 5))
	var ses []float64
	for range 40 {
		var responses []Response
		right := drawn(random, p, 0)
		for _, j := range random.Perm(200)[:n] {
			responses = append(responses, right(j))
		}
		e, err := p.Estimate(responses)
		fatal.If(t, err)
		ses = append(ses, e.SE)
	}
	if mean := stats.Mean(ses); math.Abs(mean-0.4) > 0.02 {
		t.Errorf("%d items at random have a standard error of %.3f, not 0.4", n, mean)
	}
	if _, ok := p.Needed(Estimate{Ability: 0, SE: 0.01}); ok {
		t.Error("200 items are said to be enough for any precision")
	}
}
