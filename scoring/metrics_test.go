package scoring

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"

	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

func cases(total int, passed ...int) []Cases {
	var all []Cases
	for _, p := range passed {
		all = append(all, Cases{p, total})
	}
	return all
}

// TestYeoTable4 is table 4 of Yeo et al. 2024: three problems, five solutions
// each, in percent without decimals.
func TestYeoTable4(t *testing.T) {
	for i, problem := range []struct {
		samples   []Cases
		passAt    [5]string
		passRatio string
	}{
		{cases(72, 72, 72, 72, 72, 72), [5]string{"100", "100", "100", "100", "100"}, "100"},
		{cases(135, 128, 135, 135, 0, 135), [5]string{"60", "90", "100", "100", "100"}, "78"},
		{cases(61, 56, 48, 21, 48, 56), [5]string{"0", "0", "0", "0", "0"}, "61"},
	} {
		strict, err := strictAccuracy(problem.samples)
		fatal.If(t, err)
		for k, want := range problem.passAt {
			p, err := PassAtK(5, int(math.Round(5*strict.Value)), k+1)
			if got := stats.Round(100*p, 0); err != nil || got != want {
				t.Errorf("problem %d: pass@%d is %s %%, %v; want %s", i+1, k+1, got, err, want)
			}
		}
		ratio, err := PassRatio(problem.samples)
		if got := stats.Round(100*ratio.Value, 0); err != nil || got != problem.passRatio {
			t.Errorf("problem %d: pass-ratio@5 is %s %%, %v; want %s", i+1, got, err, problem.passRatio)
		}
	}
}

// valued is a task's metric without its variance.
func valued(metric func([]Cases) (TaskValue, error)) func([]Cases) (float64, error) {
	return func(samples []Cases) (float64, error) {
		v, err := metric(samples)
		return v.Value, err
	}
}

func TestPassRates(t *testing.T) {
	samples := []Cases{{1, 2}, {3, 3}, {0, 4}, {1, 1}}
	for what, c := range map[string]struct {
		metric func([]Cases) (float64, error)
		want   float64
	}{"average": {valued(averagePassRate), 2.5 / 4}, "strict": {valued(strictAccuracy), 0.5}, "of all cases": {casePassRate, 0.5}} {
		got, err := c.metric(samples)
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v; want %v", what, got, err, c.want)
		}
		for _, bad := range [][]Cases{nil, {{0, 0}}, {{2, 1}}, {{-1, 1}}} {
			if _, err := c.metric(bad); err == nil {
				t.Errorf("%s of %v was accepted", what, bad)
			}
		}
	}
}

// TestPassRatesAreOrdered: the square of a share is below the share, and a sample that does not pass
// completely counts 0.
func TestPassRatesAreOrdered(t *testing.T) {
	sample := rapid.Custom(func(t *rapid.T) Cases {
		total := rapid.IntRange(1, 9).Draw(t, "total")
		return Cases{rapid.IntRange(0, total).Draw(t, "passed"), total}
	})
	rapid.Check(t, func(t *rapid.T) {
		samples := rapid.SliceOfN(sample, 1, 10).Draw(t, "samples")
		strict, _ := valued(strictAccuracy)(samples)
		ratio, _ := valued(PassRatio)(samples)
		average, err := valued(averagePassRate)(samples)
		if err != nil || strict < 0 || strict > ratio+1e-12 || ratio > average+1e-12 || average > 1 {
			t.Fatalf("strict %v, ratio %v, average %v, %v", strict, ratio, average, err)
		}
		c := int(math.Round(strict * float64(len(samples))))
		last := 0.0
		for k := 1; k <= len(samples); k++ {
			p, err := PassAtK(len(samples), c, k)
			if err != nil || p < last-1e-12 || p > 1 {
				t.Fatalf("pass@%d of %d among %d is %v after %v, %v", k, c, len(samples), p, last, err)
			}
			last = p
		}
	})
}

// TestPassKIsAllSubsets counts every choice of k samples.
func TestPassKIsAllSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "n")
		c, k := rapid.IntRange(0, n).Draw(t, "c"), rapid.IntRange(1, n).Draw(t, "k")
		hit, every, all := 0.0, 0.0, 0.0
		for set := range 1 << n {
			size, passes := 0, 0
			for i := range n {
				if set>>i&1 == 1 {
					size++
					if i < c {
						passes++
					}
				}
			}
			if size == k {
				all++
				if passes > 0 {
					hit++
				}
				if passes == k {
					every++
				}
			}
		}
		if got, err := PassAllK(n, c, k); err != nil || math.Abs(got-every/all) > 1e-12 {
			t.Fatalf("pass^%d of %d among %d is %v, %v; want %v", k, c, n, got, err, every/all)
		}
		if got, err := PassAtK(n, c, k); err != nil || math.Abs(got-hit/all) > 1e-12 {
			t.Fatalf("pass@%d of %d among %d is %v, %v; want %v", k, c, n, got, err, hit/all)
		}
	})
}

// passAtK returns one metric of tasks with the given numbers of passing samples.
func passAtK(t *testing.T, k, n int, passed ...int) []TaskValue {
	t.Helper()
	var all []TaskValue
	for _, c := range passed {
		v, err := PassAtKValue(n, c, k)
		fatal.If(t, err)
		all = append(all, v)
	}
	return all
}

func TestMeansOverTasks(t *testing.T) {
	m, err := MeanOverTasks(passAtK(t, 1, 5, 5, 0, 3))
	if err != nil || m.N != 3 || m.Method != "modified Wilson, effective n, at least 95 %, tasks like these" || m.TheseMethod != "modified Wilson, effective n, these tasks" {
		t.Fatalf("%+v, %v", m, err)
	}
	near(t, "pass@1", m.Value, 1.6/3, 1e-12)
	if !(0 <= m.Interval.Low && m.Interval.Low < m.These.Low && m.These.Low < m.Value && m.Value < m.These.High && m.These.High < m.Interval.High && m.Interval.High <= 1) {
		t.Errorf("%+v", m)
	}
	m, err = MeanOverTasks(passAtK(t, 1, 1, 1, 0, 1))
	iv, _ := stats.ClopperPearson(2, 3, 0.95)
	if err != nil || m.Method != "exact, at least 95 %, tasks like these" || m.Interval != iv || m.These != iv || m.TheseMethod != "as for tasks like these, at least 95 %, these tasks" {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := MeanOf([]float64{0.5}, 0, 1); err != nil || m.Value != 0.5 || m.Method != "" || m.TheseMethod != "" {
		t.Errorf("one value: %+v, %v", m, err)
	}
	if m, err := MeanOf([]float64{7, 7, 7}, 7, 7); err != nil || m.Value != 7 || m.Method != "" {
		t.Errorf("a scale of one value: %+v, %v", m, err)
	}
	for what, values := range map[string][]float64{"NaN": {1, math.NaN()}, "infinite": {math.Inf(1)}} {
		if _, err := MeanOf(values, 0, 1); !errors.Is(err, stats.ErrNotFinite) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := MeanOf(nil, 0, 1); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := MeanOf([]float64{2}, 0, 1); err == nil {
		t.Error("a value off the scale")
	}
}

// R: t.test(mtcars$mpg).
func TestStudentMean(t *testing.T) {
	mpg := []float64{21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4,
		14.7, 32.4, 30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4}
	m, err := StudentMean(mpg)
	if err != nil || m.N != 32 || m.Method == "" {
		t.Fatalf("%+v, %v", m, err)
	}
	near(t, "mean", m.Value, 20.09062, 1e-5)
	near(t, "low", m.Interval.Low, 17.91768, 1e-5)
	near(t, "high", m.Interval.High, 22.26357, 1e-5)
	if few, err := StudentMean(mpg[:19]); err != nil || few.Method != "" {
		t.Errorf("of too few for an interval: %+v, %v", few, err)
	}
}

// The share of samples that pass is the same number under three names, bit for bit and
// with the same intervals: pass@1, strict accuracy, and where each sample has one test
// case the average pass rate.
func TestEqualQuantitiesHaveEqualIntervals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		var one, strict, rate []TaskValue
		for range rapid.IntRange(1, 30).Draw(t, "tasks") {
			c := rapid.IntRange(0, n).Draw(t, "c")
			var samples []Cases
			for i := range n {
				passed := 0
				if i < c {
					passed = 1
				}
				samples = append(samples, Cases{passed, 1})
			}
			p, err := PassAtKValue(n, c, 1)
			s, other := strictAccuracy(samples)
			r, third := averagePassRate(samples)
			if err = errors.Join(err, other, third); err != nil {
				t.Fatal(err)
			}
			one, strict, rate = append(one, p), append(strict, s), append(rate, r)
		}
		m, err := MeanOverTasks(one)
		a, other := MeanOverTasks(strict)
		b, third := MeanOverTasks(rate)
		if err = errors.Join(err, other, third); err != nil || m != a || m != b {
			t.Fatalf("pass@1 %+v, strict accuracy %+v, average pass rate %+v, %v", m, a, b, err)
		}
	})
}

// TestAttemptKOfMiahAndZhu has the one distribution that the paper's numbers
// leave (section V.A): 100 tasks, mean 1.61, one given up after ten.
func TestAttemptKOfMiahAndZhu(t *testing.T) {
	var tasks []TaskAttempts
	for made, count := range map[int]int{1: 72, 2: 14, 3: 6, 4: 4, 5: 2, 7: 1, 10: 1} {
		for range count {
			tasks = append(tasks, TaskAttempts{made, made < 10})
		}
	}
	s, err := AttemptK(tasks, 10)
	if err != nil || s.Mean.N != 100 {
		t.Fatalf("%+v, %v", s, err)
	}
	near(t, "#attempt_10", s.Mean.Value, 1.61, 1e-12)
	if iv := s.Mean.Interval; !(1.35 < iv.Low && iv.Low < 1.61 && 1.61 < iv.High && iv.High < 2.1) { // by scipy's BCa 1.40 to 1.96
		t.Errorf("the interval is %v", iv)
	}
	near(t, "satisfied", s.Satisfied.Value, 0.99, 1e-12)
	near(t, "Clopper-Pearson low (statsmodels)", s.Satisfied.Interval.Low, 0.945541, 5e-7)
	near(t, "censored", s.Censored.Value, 1.61, 1e-12)
	// A task given up early counts as k, and stands at its last attempt in the
	// censored variant: 1, 2+, k = 3: S is 1/2 from 1 on, area 1 + 2/2.
	s, err = AttemptK([]TaskAttempts{{1, true}, {2, false}}, 3)
	if err != nil || s.Mean.Value != 2 || s.Censored.Value != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	// Satisfied after k is not satisfied within k.
	s, err = AttemptK([]TaskAttempts{{1, true}, {5, true}}, 3)
	if err != nil || s.Mean.Value != 2 || s.Satisfied.Value != 0.5 {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := AttemptK([]TaskAttempts{{1, true}, {1, true}}, 3); err != nil || s.Mean.Value != 1 || s.Mean.Interval.Low != 1 {
		t.Errorf("all at once: %+v, %v", s, err)
	}
	for _, bad := range []struct {
		tasks []TaskAttempts
		k     int
	}{{nil, 3}, {[]TaskAttempts{{0, true}}, 3}, {[]TaskAttempts{{1, true}}, 0}} {
		if _, err := AttemptK(bad.tasks, bad.k); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}

// only returns values without samples.
func only(values map[string]float64) map[string]TaskValue {
	all := map[string]TaskValue{}
	for id, v := range values {
		all[id] = TaskValue{Value: v}
	}
	return all
}

func TestPairedDifference(t *testing.T) {
	first, second := map[string]float64{"only": 1}, map[string]float64{"other": 1}
	random := rand.New(rand.NewPCG(2, 2))
	for i := range 50 { // second is worse by 0.1, on tasks that differ much more
		v := 0.1 + 0.9*random.Float64()
		first[strconv.Itoa(i)], second[strconv.Itoa(i)] = v, v-0.1+0.02*random.Float64()
	}
	d, err := PairedDifference(only(first), only(second), nil)
	if err != nil || d.N != 50 || d.Better != 50 || len(d.OnlyFirst) != 1 || d.OnlySecond[0] != "other" || d.P > 1e-6 || !d.Significant() || !d.Exact || d.TheseMethod != "" {
		t.Fatalf("%+v, %v", d, err)
	}
	near(t, "difference", d.Value, 0.09, 0.005)
	if d.Interval.Low < 0.08 || d.Interval.High > 0.1 {
		t.Errorf("the pairs are not used: %+v", d.Metric)
	}
	back, err := PairedDifference(only(second), only(first), nil)
	if err != nil || math.Abs(back.Value+d.Value) > 1e-12 || back.Worse != 50 || back.P != d.P {
		t.Errorf("%+v, %v", back, err)
	}
	self, err := PairedDifference(only(first), only(first), nil)
	if err != nil || self.Value != 0 || self.P != 1 || self.Tie != 51 || !(self.Interval.Low < 0 && self.Interval.High > 0) {
		t.Errorf("%+v, %v", self, err)
	}
	if _, err := PairedDifference(only(first), only(map[string]float64{"z": 1}), nil); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("nothing in common: %v", err)
	}
	for _, bad := range []float64{math.NaN(), 1e200, -0.1} {
		if _, err := PairedDifference(only(map[string]float64{"a": bad}), only(map[string]float64{"a": 1}), nil); !errors.Is(err, stats.ErrNotFinite) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// The reproduction of a disagreement: A solves 6 of 10 against 5 on 117 tasks, and 2
// against 8 on 33. The mean favours B, and the ranks of the differences A: a test of ranks
// has p = 0.013, which says nothing of the mean.
func TestTheTestIsOfTheMeanDifference(t *testing.T) {
	a, b := map[string]TaskValue{}, map[string]TaskValue{}
	for i := range 150 {
		x, y := 6, 5
		if i >= 117 {
			x, y = 2, 8
		}
		a[strconv.Itoa(i)], b[strconv.Itoa(i)] = ShareValue(x, 10), ShareValue(y, 10)
	}
	d, err := PairedDifference(a, b, nil)
	fatal.If(t, err)
	near(t, "difference", d.Value, -0.054, 1e-12)
	if !(d.P > 0.01 && d.P < 0.05 && d.Significant() && d.Interval.High < 0) {
		t.Errorf("p %v, %v", d.P, d.Interval)
	}
	// With 27 of the second kind of tasks the means are nearly equal, and the ranks favour A more.
	for i := 144; i < 150; i++ {
		delete(a, strconv.Itoa(i))
	}
	for i := 138; i < 144; i++ {
		delete(b, strconv.Itoa(i))
	}
	if d, err = PairedDifference(a, b, nil); err != nil || d.Significant() || d.Interval.Low > 0 || d.Interval.High < 0 {
		t.Errorf("p %v, %v, %v", d.P, d.Interval, err)
	}
}

// Test and interval agree for any rates.
func TestTestAndIntervalAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, samples := rapid.IntRange(1, 40).Draw(t, "tasks"), rapid.IntRange(1, 6).Draw(t, "samples")
		a, b := map[string]TaskValue{}, map[string]TaskValue{}
		towards := rapid.IntRange(0, samples).Draw(t, "towards")
		for i := range n {
			x, y := rapid.IntRange(0, samples).Draw(t, "x"), rapid.IntRange(0, towards).Draw(t, "y")
			a[strconv.Itoa(i)], b[strconv.Itoa(i)] = ShareValue(x, samples), ShareValue(y, samples)
		}
		var cluster func(string) string
		if rapid.Bool().Draw(t, "clustered") {
			cluster = func(id string) string { return id[:1] }
		}
		d, err := PairedDifference(a, b, cluster)
		fatal.If(t, err)
		if d.Method == "" {
			if d.Significant() {
				t.Fatalf("p %v without an interval: %+v", d.P, d)
			}
			return
		}
		if outside := d.Interval.Low > 0 || d.Interval.High < 0; outside != d.Significant() {
			t.Fatalf("p %v and %v disagree", d.P, d.Interval)
		}
		if d.Least > Level && d.Significant() {
			t.Fatalf("p %v is below the least %v", d.P, d.Least)
		}
	})
}

// If all tasks differ by the same amount, p is the chance of equal signs.
func TestEqualDifferences(t *testing.T) {
	of := func(n, x, y int) Difference {
		a, b := map[string]TaskValue{}, map[string]TaskValue{}
		for i := range n {
			a[strconv.Itoa(i)], b[strconv.Itoa(i)] = ShareValue(x, 10), ShareValue(y, 10)
		}
		d, err := PairedDifference(a, b, nil)
		fatal.If(t, err)
		return d
	}
	// By hand: 2/2^6; (1+1) 0.025^(1/6) - 1.
	if d := of(6, 10, 0); math.Abs(d.P-2./64) > 1e-15 || math.Abs(d.Interval.Low-(2*math.Pow(0.025, 1./6)-1)) > 1e-12 || d.Interval.High != 1 {
		t.Errorf("%+v", d)
	}
	// Ten tasks that all differ by 0.1 do not exclude one in seven that differs by -0.6.
	if d := of(10, 6, 5); d.Significant() || d.Interval.Low > 0 || d.Interval.High < 0.1 {
		t.Errorf("%+v", d)
	}
	if d := of(100, 6, 5); !d.Significant() {
		t.Errorf("%+v", d)
	}
}

func TestGroupBy(t *testing.T) {
	var tasks []FieldedValue
	for i := range 12 {
		fields := map[string]string{"difficulty": []string{"Easy", "Hard"}[i%2], "year": "2022"}
		if i < 3 {
			fields["year"] = "2021"
		}
		tasks = append(tasks, FieldedValue{TaskValue{Value: float64(i) / 20}, fields})
	}
	tasks = append(tasks, FieldedValue{TaskValue: TaskValue{Value: 0.35}})
	cells, err := GroupBy(tasks, "difficulty", "year")
	if err != nil || len(cells) != 5 {
		t.Fatalf("%+v, %v", cells, err)
	}
	for i, want := range []struct {
		keys [2]string
		n    int
		mean float64
		few  bool
	}{
		{[2]string{"", ""}, 1, 7, true}, {[2]string{"Easy", "2021"}, 2, 1, true}, {[2]string{"Easy", "2022"}, 4, 7, true},
		{[2]string{"Hard", "2021"}, 1, 1, true}, {[2]string{"Hard", "2022"}, 5, 7, false},
	} {
		c := cells[i]
		if [2]string(c.Keys) != want.keys || c.N != want.n || math.Abs(20*c.Value-want.mean) > 1e-9 || c.Few != want.few {
			t.Errorf("cell %d is %+v, want %+v", i, c, want)
		}
	}
	if cells, err := GroupBy(tasks, "difficulty"); err != nil || len(cells) != 3 || cells[1].N != 6 || cells[1].Few {
		t.Errorf("%+v, %v", cells, err)
	}
	if _, err := GroupBy(tasks); err == nil {
		t.Error("no fields")
	}
	if cells, err := GroupBy(nil, "year"); err != nil || len(cells) != 0 {
		t.Errorf("no tasks: %+v, %v", cells, err)
	}
}

func BenchmarkPassAtKMillion(b *testing.B) {
	for b.Loop() {
		if _, err := PassAtK(1_000_000, 500_000, 400_000); err != nil {
			b.Fatal(err)
		}
	}
}

// Differences with the sum 0 have a mean of exactly 0, and so have the ends of the interval.
func TestPairedDifferenceOfNothing(t *testing.T) {
	for _, c := range [][2]map[string]float64{
		{{"a": 0.3, "b": 0, "c": 0}, {"a": 0, "b": 0.1, "c": 0.2}},
		{{"a": 0, "b": 0.1, "c": 0.2}, {"a": 0.3, "b": 0, "c": 0}},
	} {
		d, err := PairedDifference(only(c[0]), only(c[1]), nil)
		if err != nil || d.Value != 0 || math.Signbit(d.Value) {
			t.Errorf("%v and %v: %+v, %v", c[0], c[1], d, err)
		}
		for _, v := range []float64{d.Interval.Low, d.Interval.High} {
			if v != 0 && math.Abs(v) < 1e-12 {
				t.Errorf("%v and %v: an end of the interval is %v", c[0], c[1], v)
			}
		}
	}
}

// Differences of quotients are equal although their last bits differ.
func TestPairedDifferenceTies(t *testing.T) {
	d, err := PairedDifference(only(map[string]float64{"a": 0.6, "b": 0.4, "c": 0.2, "d": 1.0 / 3 * 3}), only(map[string]float64{"a": 0.4, "b": 0.2, "c": 0, "d": 0.8}), nil)
	if err != nil || !strings.HasPrefix(d.Method, "bound for equal differences") || d.Better != 4 {
		t.Errorf("differences of 0.2 each: %+v, %v", d, err)
	}
	if d, err = PairedDifference(only(map[string]float64{"a": 0.1 + 0.2}), only(map[string]float64{"a": 0.3}), nil); err != nil || d.Tie != 1 || d.P != 1 {
		t.Errorf("0.1+0.2 and 0.3: %+v, %v", d, err)
	}
}
