package scoring

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

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
		strict, err := StrictAccuracy(problem.samples)
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range problem.passAt {
			p, err := PassAtK(5, int(math.Round(5*strict)), k+1)
			if got := stats.Round(100*p, 0); err != nil || got != want {
				t.Errorf("problem %d: pass@%d is %s %%, %v; want %s", i+1, k+1, got, err, want)
			}
		}
		ratio, err := PassRatio(problem.samples)
		if got := stats.Round(100*ratio, 0); err != nil || got != problem.passRatio {
			t.Errorf("problem %d: pass-ratio@5 is %s %%, %v; want %s", i+1, got, err, problem.passRatio)
		}
	}
}

func TestPassRates(t *testing.T) {
	samples := []Cases{{1, 2}, {3, 3}, {0, 4}, {1, 1}}
	for what, c := range map[string]struct {
		metric func([]Cases) (float64, error)
		want   float64
	}{"average": {AveragePassRate, 2.5 / 4}, "strict": {StrictAccuracy, 0.5}, "of all cases": {CasePassRate, 0.5}} {
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

// TestPassRatesAreOrdered: a square of a share is below it, and what is not
// wholly passed counts nothing.
func TestPassRatesAreOrdered(t *testing.T) {
	sample := rapid.Custom(func(t *rapid.T) Cases {
		total := rapid.IntRange(1, 9).Draw(t, "total")
		return Cases{rapid.IntRange(0, total).Draw(t, "passed"), total}
	})
	rapid.Check(t, func(t *rapid.T) {
		samples := rapid.SliceOfN(sample, 1, 10).Draw(t, "samples")
		strict, _ := StrictAccuracy(samples)
		ratio, _ := PassRatio(samples)
		average, err := AveragePassRate(samples)
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

// TestPassAtKIsAllSubsets counts every choice of k samples.
func TestPassAtKIsAllSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "n")
		c, k := rapid.IntRange(0, n).Draw(t, "c"), rapid.IntRange(1, n).Draw(t, "k")
		hit, all := 0.0, 0.0
		for set := range 1 << n {
			size, passes := 0, false
			for i := range n {
				if set>>i&1 == 1 {
					size++
					passes = passes || i < c
				}
			}
			if size == k {
				all++
				if passes {
					hit++
				}
			}
		}
		if got, err := PassAtK(n, c, k); err != nil || math.Abs(got-hit/all) > 1e-12 {
			t.Fatalf("pass@%d of %d among %d is %v, %v; want %v", k, c, n, got, err, hit/all)
		}
	})
}

func TestMeansOverTasks(t *testing.T) {
	m, err := PassAtKOver([]Counts{{5, 5}, {5, 0}, {5, 3}}, 1)
	if err != nil || m.N != 3 || m.Method != "BCa" {
		t.Fatalf("%+v, %v", m, err)
	}
	near(t, "pass@1", m.Value, 1.6/3, 1e-12)
	if !(0 <= m.Interval.Low && m.Interval.Low < m.Value && m.Value < m.Interval.High && m.Interval.High <= 1) {
		t.Errorf("%+v", m)
	}
	m, err = PassAtKOver([]Counts{{1, 1}, {1, 0}, {1, 1}}, 1)
	iv, _ := stats.Wilson(2, 3, 0.95)
	if err != nil || m.Method != "Wilson" || m.Interval != iv {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := PassAtKOver([]Counts{{5, 1}, {2, 1}}, 3); !errors.Is(err, ErrTooFewSamples) {
		t.Errorf("k > n of one task: %v", err)
	}
	for what, over := range map[string]func([][]Cases) (Metric, error){"ratio": PassRatioOver, "average": AveragePassRateOver, "strict": StrictAccuracyOver} {
		m, err := over([][]Cases{cases(4, 4, 4), cases(4, 2, 4), cases(4, 0)})
		if err != nil || m.N != 3 || m.Method == "" {
			t.Errorf("%s: %+v, %v", what, m, err)
		}
		if _, err := over([][]Cases{cases(4, 4), nil}); err == nil {
			t.Errorf("%s: a task without samples was accepted", what)
		}
		if _, err := over(nil); !errors.Is(err, stats.ErrTooFew) {
			t.Errorf("%s of no tasks: %v", what, err)
		}
	}
	if m, err := MeanOverTasks([]float64{0.5, 0.5, 0.5}); err != nil || m.Value != 0.5 || m.Method != "" {
		t.Errorf("equal values: %+v, %v", m, err)
	}
	if _, err := MeanOverTasks([]float64{1, math.NaN()}); !errors.Is(err, stats.ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}

func TestClusteredMeanKnowsTheTasks(t *testing.T) {
	var values []float64
	var tasks, alone []string
	random := rand.New(rand.NewPCG(5, 5))
	for task := range 30 {
		v := float64(random.IntN(2))
		for sample := range 10 {
			values = append(values, v)
			tasks, alone = append(tasks, strconv.Itoa(task)), append(alone, strconv.Itoa(10*task+sample))
		}
	}
	clustered, err := ClusteredMean(values, tasks)
	if err != nil || clustered.N != 300 || clustered.Method != "BCa, clustered" {
		t.Fatalf("%+v, %v", clustered, err)
	}
	naive, err := ClusteredMean(values, alone)
	if err != nil || clustered.Interval.High-clustered.Interval.Low < 2*(naive.Interval.High-naive.Interval.Low) {
		t.Errorf("clustered %+v, not clustered %+v, %v", clustered, naive, err)
	}
	if m, err := ClusteredMean([]float64{0, 1}, []string{"a", "a"}); err != nil || m.Method != "" {
		t.Errorf("one cluster: %+v, %v", m, err)
	}
	if _, err := ClusteredMean([]float64{1}, nil); !errors.Is(err, stats.ErrShape) {
		t.Errorf("keys: %v", err)
	}
	if _, err := ClusteredMean(nil, nil); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("nothing: %v", err)
	}
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
	near(t, "BCa low (scipy, 20,000 resamples)", s.Mean.Interval.Low, 1.40, 0.06)
	near(t, "BCa high", s.Mean.Interval.High, 1.96, 0.1)
	near(t, "satisfied", s.Satisfied.Value, 0.99, 1e-12)
	near(t, "Wilson low (statsmodels)", s.Satisfied.Interval.Low, 0.945514, 5e-7)
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
	if s, err := AttemptK([]TaskAttempts{{1, true}, {1, true}}, 3); err != nil || s.Mean.Value != 1 || s.Mean.Method != "" {
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

func TestPairedDifference(t *testing.T) {
	first, second := map[string]float64{"only": 1}, map[string]float64{"other": 1}
	random := rand.New(rand.NewPCG(2, 2))
	for i := range 50 { // second is worse by 0.1, on tasks that differ much more
		v := random.Float64()
		first[strconv.Itoa(i)], second[strconv.Itoa(i)] = v, v-0.1+0.02*random.Float64()
	}
	d, err := PairedDifference(first, second)
	if err != nil || d.N != 50 || d.Better != 50 || len(d.OnlyFirst) != 1 || d.OnlySecond[0] != "other" || d.Test == nil || d.Test.P > 1e-6 {
		t.Fatalf("%+v, %v", d, err)
	}
	near(t, "difference", d.Value, 0.09, 0.005)
	if d.Interval.Low < 0.08 || d.Interval.High > 0.1 {
		t.Errorf("the pairs are not used: %+v", d.Metric)
	}
	back, err := PairedDifference(second, first)
	if err != nil || math.Abs(back.Value+d.Value) > 1e-12 || back.Worse != 50 {
		t.Errorf("%+v, %v", back, err)
	}
	self, err := PairedDifference(first, first)
	if err != nil || self.Value != 0 || self.Method != "" || self.Test != nil || self.Tie != 51 {
		t.Errorf("%+v, %v", self, err)
	}
	if _, err := PairedDifference(first, map[string]float64{"z": 1}); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("nothing in common: %v", err)
	}
	if _, err := PairedDifference(map[string]float64{"a": math.NaN()}, map[string]float64{"a": 1}); !errors.Is(err, stats.ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}

func TestGroupBy(t *testing.T) {
	var tasks []TaskValue
	for i := range 12 {
		fields := map[string]string{"difficulty": []string{"Easy", "Hard"}[i%2], "year": "2022"}
		if i < 3 {
			fields["year"] = "2021"
		}
		tasks = append(tasks, TaskValue{float64(i), fields})
	}
	tasks = append(tasks, TaskValue{Value: 7})
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
		if [2]string(c.Keys) != want.keys || c.N != want.n || c.Value != want.mean || c.Few != want.few {
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

func BenchmarkClusteredMean164(b *testing.B) {
	var values []float64
	var keys []string
	for i := range 1640 {
		values, keys = append(values, float64(i%3)/2), append(keys, strconv.Itoa(i/10))
	}
	for b.Loop() {
		if _, err := ClusteredMean(values, keys); err != nil {
			b.Fatal(err)
		}
	}
}

// Differences that add up to nothing have a mean of 0, and so have ends of the interval.
func TestPairedDifferenceOfNothing(t *testing.T) {
	for _, c := range [][2]map[string]float64{
		{{"a": 0.3, "b": 0, "c": 0}, {"a": 0, "b": 0.1, "c": 0.2}},
		{{"a": 0, "b": 0.1, "c": 0.2}, {"a": 0.3, "b": 0, "c": 0}},
	} {
		d, err := PairedDifference(c[0], c[1])
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

// A spread that no number holds is an error, as a sum is.
func TestPairedDifferenceTooLarge(t *testing.T) {
	huge := map[string]float64{"a": 1e200, "b": -3e200, "c": 2}
	if d, err := PairedDifference(huge, map[string]float64{"a": 0, "b": 0, "c": 0}); !errors.Is(err, stats.ErrNotFinite) {
		t.Errorf("%+v, %v", d, err)
	}
}

// Differences of quotients are equal although binary sets their last bits apart.
func TestPairedDifferenceTies(t *testing.T) {
	d, err := PairedDifference(map[string]float64{"a": 0.6, "b": 0.4, "c": 0.2, "d": 1.0 / 3 * 3}, map[string]float64{"a": 0.4, "b": 0.2, "c": 0, "d": 0.8})
	if err != nil || d.Method != "" || d.Better != 4 {
		t.Errorf("differences of 0.2 each: %+v, %v", d, err)
	}
	if d, err = PairedDifference(map[string]float64{"a": 0.1 + 0.2}, map[string]float64{"a": 0.3}); err != nil || d.Tie != 1 || d.Test != nil {
		t.Errorf("0.1+0.2 and 0.3: %+v, %v", d, err)
	}
}
