package stats

import (
	"encoding/csv"
	"math"
	"os"
	"testing"

	"assay/data/fatal"
)

// close9 compares at 1e-9 relative, as the oracles demand.
func close9(t *testing.T, what string, got, want float64) {
	t.Helper()
	near(t, what, got, want, 1e-9*math.Max(math.Abs(want), 1e-3))
}

// closeP compares p-values at 1e-6 relative.
func closeP(t *testing.T, what string, got, want float64) {
	t.Helper()
	near(t, what, got, want, 1e-6*math.Max(want, 1e-9))
}

func TestClopperPearsonAgainstStatsmodels(t *testing.T) {
	var cases []struct {
		Inputs   struct{ K, N int }
		Expected struct {
			CP []float64 `json:"clopper_pearson"`
		}
	}
	oracle(t, "binomial_ci95", &cases)
	for _, c := range cases {
		got, err := ClopperPearson(c.Inputs.K, c.Inputs.N, 0.95)
		fatal.If(t, err)
		if math.Abs(got.Low-c.Expected.CP[0]) > 1e-9*c.Expected.CP[0] {
			t.Errorf("%+v: low %.15g, want %.15g", c.Inputs, got.Low, c.Expected.CP[0])
		}
		close9(t, "high", got.High, c.Expected.CP[1])
	}
	for _, c := range []struct {
		k, n       int
		confidence float64
		want       Interval
	}{ // R 4.2.2 binom.test
		{682, 925, 0.95, Interval{0.707668264079039, 0.765406558241525}},
		{0, 10, 0.95, Interval{0, 0.308497107818761}},
		{3, 7, 0.90, Interval{0.128756392804243, 0.774678415967552}},
	} {
		got, err := ClopperPearson(c.k, c.n, c.confidence)
		fatal.If(t, err)
		close9(t, "low", got.Low, c.want.Low)
		close9(t, "high", got.High, c.want.High)
	}
}

func TestKendallAgainstSciPy(t *testing.T) {
	var cases []struct {
		Inputs   struct{ X, Y []float64 }
		Expected struct {
			TauB   *float64 `json:"tau_b"`
			TauC   *float64 `json:"tau_c"`
			Normal *float64 `json:"p_asymptotic"`
			Auto   *float64 `json:"p_auto"`
			Exact  *float64 `json:"p_exact"`
		}
	}
	oracle(t, "kendall_tau_b", &cases)
	for _, c := range cases {
		for method, p := range map[Method]*float64{Auto: c.Expected.Auto, Normal: c.Expected.Normal, Exact: c.Expected.Exact} {
			got, err := Kendall(c.Inputs.X, c.Inputs.Y, method)
			if p == nil {
				if err == nil {
					t.Errorf("%v of n = %d: %+v, scipy has none", method, len(c.Inputs.X), got)
				}
				continue
			}
			fatal.If(t, err)
			close9(t, "tau_b", got.TauB, *c.Expected.TauB)
			close9(t, "tau_c", got.TauC, *c.Expected.TauC)
			closeP(t, method.String(), got.P, *p)
		}
	}
	// R 4.2.2 example(cor.test): Hollander & Wolfe (1973), p. 187f.
	got, err := Kendall([]float64{44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1}, []float64{2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8}, Auto)
	fatal.If(t, err)
	close9(t, "tau", got.TauB, 4.0/9)
	closeP(t, "p", got.P, 0.119438932980600)
}

func TestSpearmanAgainstSciPy(t *testing.T) {
	var cases []struct {
		Inputs   struct{ X, Y []float64 }
		Expected struct{ Rho, P *float64 }
	}
	oracle(t, "spearman", &cases)
	for _, c := range cases {
		got, err := Spearman(c.Inputs.X, c.Inputs.Y)
		if c.Expected.Rho == nil {
			if err == nil {
				t.Errorf("%+v, scipy has none", got)
			}
			continue
		}
		fatal.If(t, err)
		close9(t, "rho", got.Rho, *c.Expected.Rho)
		closeP(t, "p", got.P, *c.Expected.P)
	}
}

func TestAndersonDarlingAgainstSciPy(t *testing.T) {
	var cases []struct {
		Inputs struct {
			Samples [][]float64
			Midrank bool
		}
		Expected struct {
			Statistic, P float64
			Critical     []float64 `json:"critical_values"`
		}
	}
	oracle(t, "anderson_darling_ksample", &cases)
	for _, c := range cases {
		got, err := AndersonDarling(c.Inputs.Midrank, c.Inputs.Samples...)
		fatal.If(t, err)
		close9(t, "statistic", got.Statistic, c.Expected.Statistic)
		closeP(t, "p", got.P, c.Expected.P)
		for i, want := range c.Expected.Critical {
			close9(t, "critical value", got.Critical[i], want)
		}
		capped := map[float64]Cap{0.25: AtLeast, 0.001: AtMost}[c.Expected.P]
		if got.Capped != capped {
			t.Errorf("p = %v is capped %q, want %q", got.P, got.Capped, capped)
		}
	}
}

func TestCliffAgainstAllPairs(t *testing.T) {
	var cases []struct {
		Inputs   struct{ X, Y []float64 }
		Expected struct{ Delta, A12 float64 }
	}
	oracle(t, "cliffs_delta", &cases)
	for _, c := range cases {
		got, err := CliffDelta(c.Inputs.X, c.Inputs.Y, 0.95)
		fatal.If(t, err)
		close9(t, "delta", got.Delta, c.Expected.Delta)
		close9(t, "A12", got.A12, c.Expected.A12)
		if !(got.Interval.Low < got.Delta && got.Delta < got.Interval.High) {
			t.Errorf("%+v", got)
		}
	}
}

func TestHolmAgainstR(t *testing.T) {
	got, err := Holm([]float64{0.01, 0.02, 0.03, 0.04, 0.005})
	fatal.If(t, err)
	for i, want := range []float64{0.040, 0.060, 0.060, 0.060, 0.025} { // R 4.2.2 p.adjust
		close9(t, "adjusted", got[i], want)
	}
}

// Benjamini & Hochberg 1995, section 3.2: of 15 p-values four are rejected at 5 %, where
// Bonferroni's method rejects three. By hand the fourth is 15/4 of 0.0095.
func TestBenjaminiHochberg(t *testing.T) {
	p := []float64{0.3240, 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000}
	got, err := BenjaminiHochberg(p)
	fatal.If(t, err)
	rejected := 0
	for _, v := range got {
		if v <= 0.05 {
			rejected++
		}
	}
	if rejected != 4 {
		t.Errorf("%d are rejected: %v", rejected, got)
	}
	close9(t, "the fourth", got[4], 0.0095*15/4)
	close9(t, "the last", got[14], 1)
	// R 4.2.2 p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.005), "BH")
	got, err = BenjaminiHochberg([]float64{0.01, 0.02, 0.03, 0.04, 0.005})
	fatal.If(t, err)
	for i, want := range []float64{0.025, 1. / 30, 0.0375, 0.04, 0.025} {
		close9(t, "adjusted", got[i], want)
	}
	if _, err := BenjaminiHochberg([]float64{1.1}); err == nil {
		t.Error("1.1 is a p-value")
	}
}

func TestKruskalWallisAgainstR(t *testing.T) {
	// R 4.2.2 example(kruskal.test): Hollander & Wolfe (1973), 116.
	got, err := KruskalWallis([]float64{2.9, 3.0, 2.5, 2.6, 3.2}, []float64{3.8, 2.7, 4.0, 2.4}, []float64{2.8, 3.4, 3.7, 2.2, 2.0})
	fatal.If(t, err)
	close9(t, "H", got.H, 0.771428571428572)
	closeP(t, "p", got.P, 0.679964773578894)
	_, byDifficulty := attemptsBy(t, 4)
	got, err = KruskalWallis(byDifficulty["Easy"], byDifficulty["Medium"], byDifficulty["Hard"])
	fatal.If(t, err)
	close9(t, "H", got.H, 4.430521355675040)
	closeP(t, "p", got.P, 0.109125064054741)
	delta, err := CliffDelta(byDifficulty["Hard"], byDifficulty["Easy"], 0.95)
	fatal.If(t, err)
	near(t, "Cliff's delta", delta.Delta, 0.160160, 5e-7) // the study's README, section 4
}

// attemptsBy groups the synthetic study's attempts by the column.
func attemptsBy(t *testing.T, index int) (labels []string, groups map[string][]float64) {
	t.Helper()
	f, err := os.Open(shared(t, "oracles", "miah_zhu", "miah_zhu_attempts.csv"))
	fatal.If(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	fatal.If(t, err)
	groups = map[string][]float64{}
	for i, a := range column(t, 5) {
		label := rows[i+1][index]
		labels = append(labels, label)
		groups[label] = append(groups[label], a)
	}
	return labels, groups
}

// TestLogRankAgainstR has the values of the definition computed in R 4.2.2; the
// study's README gives 5.5 and 0.06 (survival 3.5-3) for the first.
func TestLogRankAgainstR(t *testing.T) {
	times := column(t, 5)
	event := make([]bool, len(times))
	for i, a := range times {
		event[i] = a < 10
	}
	for _, c := range []struct {
		column   int
		chi, p   float64
		df       int
		expected []float64
	}{
		{4, 5.4861303097478382, 0.0643727317948382, 2, []float64{31.4971428571429, 30.94, 36.5628571428571}},
		{3, 5.550889352608391, 0.352397941971449, 5, []float64{7.61714285714286, 14.87714285714286, 21.20857142857143, 13.65714285714286, 15.87714285714286, 25.76285714285714}},
	} {
		labels, _ := attemptsBy(t, c.column)
		got, err := LogRank(times, event, labels)
		fatal.If(t, err)
		close9(t, "chi square", got.ChiSquare, c.chi)
		closeP(t, "p", got.P, c.p)
		if got.DF != c.df || len(got.Groups) != len(c.expected) {
			t.Fatalf("%+v", got)
		}
		for i, want := range c.expected {
			close9(t, "expected", got.Groups[i].Expected, want)
		}
	}
}
