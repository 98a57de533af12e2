package stats

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
)

// shared finds the folder with the oracles; without it the test is skipped.
func shared(t *testing.T, path ...string) string {
	t.Helper()
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		root, err := os.Getwd()
		fatal.If(t, err)
		for {
			if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
				break
			}
			if filepath.Dir(root) == root {
				t.Fatal("no go.mod above the test")
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "..", "shared")
	}
	name := filepath.Join(append([]string{dir}, path...)...)
	if _, err := os.Stat(name); err != nil {
		t.Skipf("the shared oracles are absent (%v): set ASSAY_SHARED", err)
	}
	return name
}

// oracle reads one family of stats_cases.json into cases.
func oracle(t *testing.T, family string, cases any) {
	t.Helper()
	text := fatal.Read(t, shared(t, "oracles", "stats_cases.json"))
	var all struct{ Cases map[string]json.RawMessage }
	fatal.If(t, json.Unmarshal(text, &all))
	fatal.If(t, json.Unmarshal(all.Cases[family], cases))
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

func TestWilsonAgainstStatsmodels(t *testing.T) {
	var cases []struct {
		Inputs   struct{ K, N int }
		Expected struct{ Wilson []float64 }
	}
	oracle(t, "binomial_ci95", &cases)
	for _, c := range cases {
		got := scoreInterval(float64(c.Inputs.K)/float64(c.Inputs.N), float64(c.Inputs.N), 0.95)
		near(t, "low", got.Low, c.Expected.Wilson[0], 1e-12)
		near(t, "high", got.High, c.Expected.Wilson[1], 1e-12)
	}
	if len(cases) == 0 {
		t.Error("no cases")
	}
}

func TestKaplanMeierAgainstR(t *testing.T) {
	var cases []struct {
		Inputs struct {
			Time  []float64
			Event []int
		}
		Expected struct {
			Times, Surv []float64
			SE          []*float64 `json:"std_err"`
			Lower       []*float64 `json:"lower95_loglog"`
			Upper       []*float64 `json:"upper95_loglog"`
			Median      float64
		}
	}
	oracle(t, "kaplan_meier", &cases)
	for _, c := range cases {
		events := make([]bool, len(c.Inputs.Event))
		for i, e := range c.Inputs.Event {
			events[i] = e == 1
		}
		got, err := KaplanMeier(c.Inputs.Time, events, 0.95)
		if err != nil || len(got.Steps) != len(c.Expected.Times) {
			t.Fatalf("%d steps, want %d, %v", len(got.Steps), len(c.Expected.Times), err)
		}
		for i, step := range got.Steps {
			near(t, "time", step.Time, c.Expected.Times[i], 0)
			near(t, "survival", step.Survival, c.Expected.Surv[i], 1e-12)
			for what, pair := range map[string][2]any{"SE": {step.SE, c.Expected.SE[i]}, "low": {step.LogLog.Low, c.Expected.Lower[i]}, "high": {step.LogLog.High, c.Expected.Upper[i]}} {
				got, want := pair[0].(float64), pair[1].(*float64)
				if want == nil {
					if !math.IsNaN(got) {
						t.Errorf("%s = %v, R has none", what, got)
					}
					continue
				}
				near(t, what, got, *want, 1e-12)
			}
		}
	}
}

// column reads one numeric column of the synthetic study.
func column(t *testing.T, index int) []float64 {
	t.Helper()
	f, err := os.Open(shared(t, "oracles", "miah_zhu", "miah_zhu_attempts.csv"))
	fatal.If(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	fatal.If(t, err)
	var x []float64
	for _, row := range rows[1:] {
		v, err := strconv.ParseFloat(row[index], 64)
		fatal.If(t, err)
		x = append(x, v)
	}
	return x
}

// TestSyntheticStudy checks the values of the study's README, section 4 (R
// survival 3.5-3, numpy, statsmodels).
func TestSyntheticStudy(t *testing.T) {
	attempts, times := column(t, 5), column(t, 8)
	near(t, "mean attempts", Mean(attempts), 1.61, 1e-12)
	near(t, "SD attempts", SD(attempts), 1.369915, 5e-7)
	near(t, "mean time", Mean(times), 47.02, 1e-12)
	near(t, "median time", Median(times), 31.50, 0)
	near(t, "SD time", SD(times), 54.590853, 5e-7)
	for _, q := range []struct {
		p    float64
		t    QuantileType
		want float64
	}{
		{0.90, InverseECDF, 98}, {0.98, InverseECDF, 148}, {0.90, Linear, 98.60}, {0.98, Linear, 148.78}, {0.90, Weibull, 103.40}, {0.98, Weibull, 186.22},
	} {
		got, err := Quantile(times, q.p, q.t)
		fatal.If(t, err)
		near(t, q.t.String(), got, q.want, 1e-9)
	}

	event := make([]bool, len(attempts))
	for i, a := range attempts {
		event[i] = a < 10
	}
	km, err := KaplanMeier(attempts, event, 0.95)
	fatal.If(t, err)
	want := []KMStep{
		{Time: 1, AtRisk: 100, Events: 72, Survival: 0.28, SE: 0.044900, LogLog: Interval{0.196036, 0.3699}},
		{Time: 2, AtRisk: 28, Events: 14, Survival: 0.14, SE: 0.034699, LogLog: Interval{0.080688, 0.2153}},
		{Time: 3, AtRisk: 14, Events: 6, Survival: 0.08, SE: 0.027129, LogLog: Interval{0.037402, 0.1435}},
		{Time: 4, AtRisk: 8, Events: 4, Survival: 0.04, SE: 0.019596, LogLog: Interval{0.013067, 0.0918}},
		{Time: 5, AtRisk: 4, Events: 2, Survival: 0.02, SE: 0.014000, LogLog: Interval{0.003867, 0.0636}},
		{Time: 7, AtRisk: 2, Events: 1, Survival: 0.01, SE: 0.009950, LogLog: Interval{0.000882, 0.0490}},
	}
	for i, w := range want {
		got := km.Steps[i]
		if got.Time != w.Time || got.AtRisk != w.AtRisk || got.Events != w.Events {
			t.Errorf("step %d: %+v, want %+v", i, got, w)
		}
		near(t, "S", got.Survival, w.Survival, 1e-12)
		near(t, "SE", got.SE, w.SE, 5e-7)
		near(t, "low", got.LogLog.Low, w.LogLog.Low, 5e-7)
		near(t, "high", got.LogLog.High, w.LogLog.High, 5e-5)
	}
	mean, se, err := km.RestrictedMean(10)
	near(t, "RMST", mean, 1.61, 1e-12)
	near(t, "its SE", se, 0.136, 5e-4)
	if err != nil || len(km.Steps) != len(want) {
		t.Errorf("%d steps, %v", len(km.Steps), err)
	}
}

func TestRound(t *testing.T) {
	for _, c := range []struct {
		x        float64
		decimals int
		want     string
	}{
		{36.625, 2, "36.63"}, {-36.625, 2, "-36.63"}, {2.675, 2, "2.68"}, {1.005, 2, "1.01"}, {0.5, 0, "1"}, {1.5, 0, "2"}, {2.5, 0, "3"},
		{9.995, 2, "10.00"}, {99.99, 1, "100.0"}, {-0.001, 2, "0.00"}, {0, 2, "0.00"}, {3, 2, "3.00"}, {1e21, 1, "1000000000000000000000.0"},
		{1e-7, 3, "0.000"}, {0.0005, 3, "0.001"}, {47.02, 2, "47.02"}, {36.43 / 40 * 100, 1, "91.1"}, {0.29, -3, "0"},
		{math.NaN(), 2, "NaN"}, {math.Inf(1), 2, "+Inf"}, {math.Inf(-1), 2, "-Inf"},
	} {
		if got := Round(c.x, c.decimals); got != c.want {
			t.Errorf("Round(%v, %d) = %s, want %s", c.x, c.decimals, got, c.want)
		}
	}
}

func TestRoundPercent(t *testing.T) {
	for _, c := range []struct {
		x        float64
		decimals int
		want     string
	}{
		{0.2875, 1, "28.8"}, {-0.2875, 1, "-28.8"}, {0.575, 0, "58"}, {1, 1, "100.0"}, {0, 1, "0.0"}, {0.5, 0, "50"}, {12.3456, 2, "1234.56"},
		{0.004, 0, "0"}, {0.005, 0, "1"}, {1e-9, 2, "0.00"}, {0.07, 1, "7.0"}, {0.29, 0, "29"}, {math.NaN(), 1, "NaN"},
	} {
		if got := RoundPercent(c.x, c.decimals); got != c.want {
			t.Errorf("RoundPercent(%v, %d) = %s, want %s", c.x, c.decimals, got, c.want)
		}
	}
}

func TestRoundStaysWithinHalfAUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-1e6, 1e6).Draw(t, "x")
		got, err := strconv.ParseFloat(Round(x, 3), 64)
		if err != nil || math.Abs(got-x) > 0.0005+1e-12*math.Abs(x) {
			t.Fatalf("%v rounds to %v, %v", x, got, err)
		}
	})
}

// TestRestrictedMeanIsTheMeanOfTheMinimum is the identity behind #attempt_k.
func TestRestrictedMeanIsTheMeanOfTheMinimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 12).Draw(t, "k")
		n := rapid.IntRange(1, 40).Draw(t, "n")
		times, events := make([]float64, n), make([]bool, n)
		for i := range times {
			a := rapid.IntRange(1, 15).Draw(t, "attempts")
			times[i], events[i] = float64(min(a, k)), a <= k
		}
		km, err := KaplanMeier(times, events, 0.95)
		fatal.If(t, err)
		mean, _, err := km.RestrictedMean(float64(k))
		if err != nil || math.Abs(mean-Mean(times)) > 1e-9 {
			t.Fatalf("restricted mean %v, mean of the minimum %v, %v", mean, Mean(times), err)
		}
	})
}

func TestUndefinedAndMisused(t *testing.T) {
	for what, got := range map[string]float64{"mean of none": Mean(nil), "SD of one": SD([]float64{1}), "median of none": Median(nil)} {
		if !math.IsNaN(got) {
			t.Errorf("%s is %v", what, got)
		}
	}
	_, quantileP := Quantile([]float64{1}, 1.1, Linear)
	_, quantileT := Quantile([]float64{1}, 0.5, 5)
	_, exact := ClopperPearson(3, 2, 0.95)
	_, exactC := ClopperPearson(1, 2, 95)
	_, kmLength := KaplanMeier([]float64{1}, nil, 0.95)
	_, kmTime := KaplanMeier([]float64{-1}, []bool{true}, 0.95)
	for what, err := range map[string]error{"p": quantileP, "type": quantileT, "k > n": exact, "confidence": exactC, "length": kmLength, "time": kmTime} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if got, err := ClopperPearson(0, 0, 0.95); err != nil || got != (Interval{0, 1}) {
		t.Errorf("no trials: %+v, %v", got, err)
	}
}

// Brown, Cai & DasGupta 2001, section 4.1.1: λ is -ln 0.95 for 1 of n, and solves
// e^-λ(1+λ) = 0.95 for 2.
func TestModifiedWilson(t *testing.T) {
	one, err := ModifiedWilson(1./40, 40, 0.95)
	if err != nil || math.Abs(one.Low-(-math.Log(0.95)/40)) > 1e-10 {
		t.Errorf("1 of 40: %v, %v", one, err)
	}
	two, err := ModifiedWilson(38./40, 40, 0.95)
	if l := 40 * (1 - two.High); err != nil || math.Abs(math.Exp(-l)*(1+l)-0.95) > 1e-9 {
		t.Errorf("38 of 40: %v, %v", two, err)
	}
	for _, c := range [][2]int{{0, 7}, {7, 7}, {20, 40}} {
		plain := scoreInterval(float64(c[0])/float64(c[1]), float64(c[1]), 0.95)
		if iv, err := ModifiedWilson(float64(c[0])/float64(c[1]), float64(c[1]), 0.95); err != nil || iv != plain {
			t.Errorf("%v: %v, Wilson's %v, %v", c, iv, plain, err)
		}
	}
	for _, bad := range [][2]float64{{-0.1, 5}, {0.5, 0}, {math.NaN(), 5}, {0.5, math.Inf(1)}} {
		if _, err := ModifiedWilson(bad[0], bad[1], 0.95); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}

// 58 %, and not 58.33 %, of 12; a p is never 0.
func TestDigits(t *testing.T) {
	for _, c := range []struct {
		width float64
		n     int
		want  int
	}{{0.5, 12, 0}, {0.11, 164, 1}, {0.01, 9000, 2}, {0, 12, 0}, {0, 300, 1}, {0, 5000, 2}} {
		if got := PercentDecimals(c.width, c.n); got != c.want {
			t.Errorf("%v of %d: %d decimals, want %d", c.width, c.n, got, c.want)
		}
	}
	for p, want := range map[float64]string{0: "< 0.001", 0.0009: "< 0.001", 0.001: "= 0.0010", 0.5: "= 0.5000", 1: "= 1.0000"} {
		if got := RoundP(p); got != want {
			t.Errorf("p %v is written %q", p, got)
		}
	}
}
