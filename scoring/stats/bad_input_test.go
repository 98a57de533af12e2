package stats

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// call is one use of a statistic, its result and its error.
type call func() (any, error)

func as[T any](v T, err error) (any, error) { return v, err }

// TestBadInput: each misuse returns the error that the doc comment promises.
func TestBadInput(t *testing.T) {
	nan := math.NaN()
	one, two, equal := []float64{1}, []float64{1, 2}, []float64{3, 3, 3, 3}
	ups := []float64{1, 2, 3, 4}
	ties := []float64{1, 1, 2, 3}
	long := make([]float64, 300)
	for i := range long {
		long[i] = float64(i + 1)
	}
	for what, c := range map[string]struct {
		call call
		want error // nil: any
	}{
		"Clopper-Pearson k > n":      {func() (any, error) { return as(ClopperPearson(3, 2, 0.95)) }, nil},
		"Clopper-Pearson negative":   {func() (any, error) { return as(ClopperPearson(-1, 2, 0.95)) }, nil},
		"Clopper-Pearson confidence": {func() (any, error) { return as(ClopperPearson(1, 2, nan)) }, nil},
		"ranks NaN":                  {func() (any, error) { return as(Ranks([]float64{nan})) }, ErrNotFinite},
		"Cliff one value":            {func() (any, error) { return as(CliffDelta(one, two, 0.95)) }, ErrTooFew},
		"Cliff NaN":                  {func() (any, error) { return as(CliffDelta([]float64{1, nan}, two, 0.95)) }, ErrNotFinite},
		"Holm NaN":                   {func() (any, error) { return as(Holm([]float64{nan})) }, ErrNotFinite},
		"Holm 1.1":                   {func() (any, error) { return as(Holm([]float64{1.1})) }, nil},
		"Kendall one":                {func() (any, error) { return as(Kendall(one, one, Auto)) }, ErrTooFew},
		"Kendall lengths":            {func() (any, error) { return as(Kendall(one, two, Auto)) }, ErrShape},
		"Kendall constant":           {func() (any, error) { return as(Kendall(equal, ups, Auto)) }, ErrNoVariation},
		"Kendall exact ties":         {func() (any, error) { return as(Kendall(ties, ups, Exact)) }, errTies},
		"Kendall exact long":         {func() (any, error) { return as(Kendall(long, long, Exact)) }, ErrTooMany},
		"Kendall method":             {func() (any, error) { return as(Kendall(ups, ups, NormalContinuity)) }, nil},
		"Spearman two":               {func() (any, error) { return as(Spearman(two, two)) }, ErrTooFew},
		"Spearman constant":          {func() (any, error) { return as(Spearman(ups, equal)) }, ErrNoVariation},
		"Spearman NaN":               {func() (any, error) { return as(Spearman(ups, []float64{1, 2, 3, nan})) }, ErrNotFinite},
		"Anderson-Darling one":       {func() (any, error) { return as(AndersonDarling(true, ups)) }, ErrTooFew},
		"Anderson-Darling empty":     {func() (any, error) { return as(AndersonDarling(true, ups, nil)) }, ErrTooFew},
		"Anderson-Darling three":     {func() (any, error) { return as(AndersonDarling(false, one, two)) }, ErrTooFew},
		"Anderson-Darling equal":     {func() (any, error) { return as(AndersonDarling(true, equal, equal)) }, ErrNoVariation},
		"Kruskal-Wallis one":         {func() (any, error) { return as(KruskalWallis(ups)) }, ErrTooFew},
		"Kruskal-Wallis empty":       {func() (any, error) { return as(KruskalWallis(ups, nil)) }, ErrTooFew},
		"Kruskal-Wallis equal":       {func() (any, error) { return as(KruskalWallis(equal, equal)) }, ErrNoVariation},
		"log-rank lengths":           {func() (any, error) { return as(LogRank(two, nil, nil)) }, ErrShape},
		"log-rank one group":         {func() (any, error) { return as(LogRank(two, []bool{true, true}, []string{"a", "a"})) }, ErrTooFew},
		"log-rank negative":          {func() (any, error) { return as(LogRank([]float64{-1, 1}, []bool{true, true}, []string{"a", "b"})) }, nil},
		"log-rank NaN":               {func() (any, error) { return as(LogRank([]float64{nan, 1}, []bool{true, true}, []string{"a", "b"})) }, ErrNotFinite},
		"log-rank no event":          {func() (any, error) { return as(LogRank(two, []bool{false, false}, []string{"a", "b"})) }, ErrNoVariation},
		"kappa one category":         {func() (any, error) { return as(CohenKappa([][]int{{3}}, Unweighted, 0.95)) }, ErrTooFew},
		"kappa no ratings":           {func() (any, error) { return as(CohenKappa([][]int{{0, 0}, {0, 0}}, Unweighted, 0.95)) }, ErrTooFew},
		"kappa not square":           {func() (any, error) { return as(CohenKappa([][]int{{1, 2}, {1}}, Unweighted, 0.95)) }, ErrShape},
		"kappa negative":             {func() (any, error) { return as(CohenKappa([][]int{{1, -2}, {1, 1}}, Unweighted, 0.95)) }, nil},
		"kappa one used":             {func() (any, error) { return as(CohenKappa([][]int{{7, 0}, {0, 0}}, LinearWeights, 0.95)) }, ErrNoVariation},
		"confusion lengths":          {func() (any, error) { return as(ConfusionTable([]int{1}, nil, 2)) }, ErrShape},
		"confusion outside":          {func() (any, error) { return as(ConfusionTable([]int{1}, []int{2}, 2)) }, nil},
		"Fleiss none":                {func() (any, error) { return as(FleissKappa(nil)) }, ErrTooFew},
		"Fleiss one rater":           {func() (any, error) { return as(FleissKappa([][]int{{1, 0}})) }, ErrTooFew},
		"Fleiss uneven":              {func() (any, error) { return as(FleissKappa([][]int{{1, 1}, {2, 1}})) }, ErrShape},
		"Fleiss negative":            {func() (any, error) { return as(FleissKappa([][]int{{3, -1}})) }, nil},
		"Fleiss one used":            {func() (any, error) { return as(FleissKappa([][]int{{2, 0}, {2, 0}})) }, ErrNoVariation},
		"alpha no pair":              {func() (any, error) { return as(KrippendorffAlpha([][]float64{one, one}, Nominal)) }, ErrTooFew},
		"alpha constant":             {func() (any, error) { return as(KrippendorffAlpha([][]float64{{1, 1}, {1, 1}}, Ordinal)) }, ErrNoVariation},
		"alpha NaN":                  {func() (any, error) { return as(KrippendorffAlpha([][]float64{{1, nan}}, Ordinal)) }, ErrNotFinite},
		"alpha negative ratio":       {func() (any, error) { return as(KrippendorffAlpha([][]float64{{1, -1}}, Ratio)) }, nil},
		"ICC one rater":              {func() (any, error) { return as(ICC([][]float64{one, one})) }, ErrTooFew},
		"ICC ragged":                 {func() (any, error) { return as(ICC([][]float64{two, ups})) }, ErrShape},
		"ICC equal":                  {func() (any, error) { return as(ICC([][]float64{{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}})) }, ErrNoVariation},
		"ICC NaN":                    {func() (any, error) { return as(ICC([][]float64{two, {1, nan}})) }, ErrNotFinite},
		"Cronbach one":               {func() (any, error) { return as(CronbachAlpha([][]float64{two})) }, ErrTooFew},
		"Cronbach equal":             {func() (any, error) { return as(CronbachAlpha([][]float64{{0.1, 0.2}, {0.2, 0.1}})) }, ErrNoVariation},
	} {
		got, err := c.call()
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v; want %v", what, got, err, c.want)
		}
	}
}

// anyFloat draws values that a caller may pass by mistake.
func anyFloat() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) }),
		rapid.Float64(),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e-200, 0.1, math.Copysign(0, -1)}),
	)
}

// TestNoSilentNaN passes unexpected values to every statistic: the result is an error or a number, never a
// panic.
func TestNoSilentNaN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		floats := func(name string) []float64 {
			kind := rapid.SampledFrom([]*rapid.Generator[float64]{anyFloat(), rapid.Float64(), rapid.Float64Range(-2, 2), rapid.Map(rapid.IntRange(0, 2), func(i int) float64 { return float64(i) })}).Draw(t, "kind")
			return rapid.SliceOfN(kind, 0, 8).Draw(t, name)
		}
		x, y, z := floats("x"), floats("y"), floats("z")
		if rapid.Bool().Draw(t, "paired") {
			y, z = append(y, x...)[:len(x)], append(z, x...)[:len(x)]
		}
		count := rapid.IntRange(-1, 4)
		table := rapid.SliceOfN(rapid.SliceOfN(count, 2, 2), 0, 3).Draw(t, "table")
		events := rapid.SliceOfN(rapid.Bool(), len(x), len(x)).Draw(t, "events")
		labels := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), len(x), len(x)).Draw(t, "labels")
		k, n := rapid.IntRange(-1, 20).Draw(t, "k"), rapid.IntRange(-1, 20).Draw(t, "n")
		c := rapid.SampledFrom([]float64{0.95, 0.5, 0.9999, 0, 1, math.NaN()}).Draw(t, "confidence")
		m := Method(rapid.IntRange(0, 4).Draw(t, "method"))
		choice := rapid.IntRange(0, 4).Draw(t, "choice")
		rows := [][]float64{x, y, z}
		for name, f := range map[string]call{
			"Clopper-Pearson": func() (any, error) { return as(ClopperPearson(k, n, c)) },
			"ranks":           func() (any, error) { return as(Ranks(x)) },
			"Cliff":           func() (any, error) { return as(CliffDelta(x, y, c)) },
			"Holm":            func() (any, error) { return as(Holm(x)) },
			"Kendall":         func() (any, error) { return as(Kendall(x, y, m)) },
			"Spearman":        func() (any, error) { return as(Spearman(x, y)) },
			"Anderson":        func() (any, error) { return as(AndersonDarling(choice > 1, rows...)) },
			"Kruskal":         func() (any, error) { return as(KruskalWallis(rows...)) },
			"log-rank":        func() (any, error) { return as(LogRank(x, events, labels)) },
			"kappa":           func() (any, error) { return as(CohenKappa(table, Weighting(choice), c)) },
			"Fleiss":          func() (any, error) { return as(FleissKappa(table)) },
			"alpha":           func() (any, error) { return as(KrippendorffAlpha(rows, Level(choice))) },
			"ICC":             func() (any, error) { return as(ICC(rows)) },
			"Cronbach":        func() (any, error) { return as(CronbachAlpha(rows)) },
		} {
			if got, err := f(); err == nil && !allFinite(reflect.ValueOf(got)) {
				t.Fatalf("%s: %+v", name, got)
			}
		}
	})
}
