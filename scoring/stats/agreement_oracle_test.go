package stats

import (
	"testing"

	"assay/data/fatal"
)

func TestCohenAgainstStatsmodels(t *testing.T) {
	var cases []struct {
		Inputs struct {
			A, B       []int
			Categories int
			Table      [][]int
		}
		Expected struct {
			Unweighted, Linear, Quadratic float64
			SE                            float64 `json:"linear_se"`
		}
	}
	oracle(t, "cohen_kappa", &cases)
	for _, c := range cases {
		table, err := ConfusionTable(c.Inputs.A, c.Inputs.B, c.Inputs.Categories)
		fatal.If(t, err)
		for w, want := range map[Weighting]float64{Unweighted: c.Expected.Unweighted, LinearWeights: c.Expected.Linear, QuadraticWeights: c.Expected.Quadratic} {
			got, err := CohenKappa(table, w, 0.95)
			fatal.If(t, err)
			close9(t, w.String(), got.Kappa, want)
			if w == LinearWeights {
				close9(t, "SE", got.SE, c.Expected.SE)
			}
			if given, _ := CohenKappa(c.Inputs.Table, w, 0.95); given != got || got.Weighting != w {
				t.Errorf("from the table %+v, from the ratings %+v", given, got)
			}
		}
	}
	// The study's README, section 5: scipy and R psych.
	table := [][]int{{20, 5, 1, 0, 0}, {3, 18, 6, 1, 0}, {0, 4, 25, 7, 1}, {0, 1, 6, 30, 8}, {0, 0, 1, 9, 54}}
	for w, want := range map[Weighting]float64{Unweighted: 0.658373, LinearWeights: 0.810618, QuadraticWeights: 0.910518} {
		got, err := CohenKappa(table, w, 0.95)
		fatal.If(t, err)
		near(t, w.String(), got.Kappa, want, 5e-7)
	}
}

func TestFleissAgainstStatsmodels(t *testing.T) {
	var cases []struct {
		Inputs   struct{ Table [][]int }
		Expected struct{ Fleiss, Randolph float64 }
	}
	oracle(t, "fleiss_kappa", &cases)
	for _, c := range cases {
		got, err := FleissKappa(c.Inputs.Table)
		fatal.If(t, err)
		close9(t, "Fleiss", got.Kappa, c.Expected.Fleiss)
		close9(t, "Randolph", got.Randolph, c.Expected.Randolph)
	}
	got, err := FleissKappa([][]int{{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
		{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}}) // the study's README, section 5
	fatal.If(t, err)
	near(t, "Fleiss", got.Kappa, 0.209931, 5e-7)
}

// units turns raters × units with nulls into what each unit has.
func units(raters [][]*float64) [][]float64 {
	all := make([][]float64, len(raters[0]))
	for _, row := range raters {
		for u, v := range row {
			if v != nil {
				all[u] = append(all[u], *v)
			}
		}
	}
	return all
}

func TestKrippendorffAgainstTheDefinition(t *testing.T) {
	var cases []struct {
		Inputs struct {
			Raters [][]*float64 `json:"raters_x_units"`
		}
		Expected struct{ Nominal, Ordinal, Interval, Ratio *float64 }
		Source   string
	}
	oracle(t, "krippendorff_alpha", &cases)
	for _, c := range cases {
		for level, want := range map[Level]*float64{Nominal: c.Expected.Nominal, Ordinal: c.Expected.Ordinal, IntervalLevel: c.Expected.Interval, Ratio: c.Expected.Ratio} {
			if want == nil {
				continue
			}
			got, err := KrippendorffAlpha(units(c.Inputs.Raters), level)
			fatal.If(t, err)
			close9(t, level.String(), got.Alpha, *want)
		}
	}
	// Krippendorff 2011, the published values.
	example := [][]float64{{1, 1, 1}, {2, 2, 3, 2}, {3, 3, 3, 3}, {3, 3, 3, 3}, {2, 2, 2, 2}, {1, 2, 3, 4}, {4, 4, 4, 4}, {1, 1, 2, 1}, {2, 2, 2, 2}, {5, 5, 5}, {1, 1}, {3}}
	for level, want := range map[Level]float64{Nominal: 0.7434, Ordinal: 0.8154, IntervalLevel: 0.8491, Ratio: 0.7974} {
		got, err := KrippendorffAlpha(example, level)
		fatal.If(t, err)
		near(t, level.String(), got.Alpha, want, 5e-5)
		if got.Units != 11 || got.Values != 40 {
			t.Errorf("%d values in %d units, want 40 in 11", got.Values, got.Units)
		}
	}
}

// TestICCAgainstShroutAndFleiss has the example of the paper, table 2, with the
// digits of R psych 2.2.9 (the study's README, section 5).
func TestICCAgainstShroutAndFleiss(t *testing.T) {
	got, err := ICC([][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}})
	fatal.If(t, err)
	for _, c := range []struct {
		what      string
		got, want float64
	}{{"ICC1", got.ICC1, 0.165742}, {"ICC2", got.ICC2, 0.289764}, {"ICC3", got.ICC3, 0.714841},
		{"ICC1k", got.ICC1k, 0.442797}, {"ICC2k", got.ICC2k, 0.620051}, {"ICC3k", got.ICC3k, 0.909316}} {
		near(t, c.what, c.got, c.want, 5e-7)
	}
}

func TestCronbachAgainstNumPy(t *testing.T) {
	var cases []struct {
		Inputs struct {
			Answers [][]float64 `json:"respondents_x_items"`
		}
		Expected struct{ Alpha float64 }
	}
	oracle(t, "cronbach_alpha", &cases)
	for _, c := range cases {
		got, err := CronbachAlpha(c.Inputs.Answers)
		fatal.If(t, err)
		close9(t, "alpha", got.Alpha, c.Expected.Alpha)
	}
}

// TestGRIM has the sizes that the study's README derives in section 3.
func TestGRIM(t *testing.T) {
	consistent := func(rule Rounding, most int, means ...string) (sizes []int) {
		for n := 1; n <= most; n++ {
			all := true
			for _, m := range means {
				ok, err := GRIM(m, n, 1, rule)
				fatal.If(t, err)
				all = all && ok
			}
			if all {
				sizes = append(sizes, n)
			}
		}
		return sizes
	}
	for _, c := range []struct {
		rule  Rounding
		most  int
		means []string
		want  []int
	}{
		{Either, 40, []string{"36.43", "3.43"}, []int{7, 14, 21, 23, 28, 30, 35, 37, 40}},
		{Either, 36, []string{"38.08"}, []int{12, 13, 24, 25, 26, 36}},
		{Either, 30, []string{"36.63"}, []int{8, 16, 19, 24, 27, 30}},
		{HalfToEven, 30, []string{"36.63"}, []int{19, 27, 30}},
		{HalfAway, 30, []string{"36.63"}, []int{8, 16, 19, 24, 27, 30}},
	} {
		got := consistent(c.rule, c.most, c.means...)
		if len(got) != len(c.want) {
			t.Errorf("%v: %v, want %v", c.means, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%v: %v, want %v", c.means, got, c.want)
			}
		}
	}
	for _, c := range []struct {
		printed  string
		n, items int
		want     bool
	}{{"5.19", 28, 1, false}, {"5.18", 28, 1, true}, {"-5.18", 28, 1, true}, {"0.50", 2, 1, true}, {"3.4", 5, 1, true}, {"3.25", 2, 2, true}, {"3.25", 2, 1, false}} {
		if got, err := GRIM(c.printed, c.n, c.items, Either); err != nil || got != c.want {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
	for _, bad := range []string{"", "-", "NaN", "1e3", "3,80", "--1", "1.2.3"} {
		if _, err := GRIM(bad, 5, 1, Either); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
	if _, err := GRIM("1.0", 0, 1, Either); err == nil {
		t.Error("n = 0")
	}
}
