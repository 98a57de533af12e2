package scoring

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestNoSilentNaN passes unexpected values to every metric: the result is an error or a number, never a
// panic.
func TestNoSilentNaN(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 1), rapid.Float64Range(0, 100),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 0, 1, 5e-324}))
	count := rapid.IntRange(-2, 12)
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(number, 0, 6).Draw(t, "values")
		others := rapid.SliceOfN(number, 0, 6).Draw(t, "others")
		counts := rapid.SliceOfN(count, 2, 8).Draw(t, "counts")
		a, b, k := counts[0], counts[1], count.Draw(t, "k")
		rating := rapid.SampledFrom([]Rating{"A", "E", NotAnalysed, "F"}).Draw(t, "rating")
		var samples []Cases
		var made []TaskAttempts
		var tagged []FieldedValue
		var questions []ScoredQuestion
		first, second := map[string]TaskValue{}, map[string]TaskValue{}
		for i, v := range values {
			key := fmt.Sprint(i / 2)
			first[fmt.Sprint(i)] = TaskValue{Value: v}
			tagged = append(tagged, FieldedValue{TaskValue{Value: v}, map[string]string{"f": key}})
			questions = append(questions, ScoredQuestion{Bounds{v, v}, Weight{Value: number.Draw(t, "weight")}})
		}
		for i, v := range others {
			second[fmt.Sprint(i)] = TaskValue{Value: v}
		}
		for i := range counts[1:] {
			samples = append(samples, Cases{counts[i], counts[i+1]})
			made = append(made, TaskAttempts{counts[i], counts[i+1] > 3})
		}
		x, y := number.Draw(t, "x"), number.Draw(t, "y")
		facts := Facts{1, true, true, x, a, b, rating, rating, y, Unknown}
		for name, f := range map[string]func() (any, error){
			"pass@k":     func() (any, error) { return PassAtK(a, b, k) },
			"pass^k":     func() (any, error) { return PassAllK(a, b, k) },
			"ratio":      func() (any, error) { return PassRatio(samples) },
			"average":    func() (any, error) { return averagePassRate(samples) },
			"strict":     func() (any, error) { return strictAccuracy(samples) },
			"cases":      func() (any, error) { return casePassRate(samples) },
			"mean":       func() (any, error) { return MeanOf(values, 0, 1) },
			"attempts":   func() (any, error) { return AttemptK(made, k) },
			"difference": func() (any, error) { return PairedDifference(first, second, nil) },
			"groups":     func() (any, error) { return GroupBy(tagged, "f", "g") },
			"six":        func() (any, error) { return ScoreSix(facts) },
			"weight":     func() (any, error) { return QuestionWeight(Easy, &x) },
			"final":      func() (any, error) { return Final(questions) },
			"summary": func() (any, error) {
				return SummariseSix([]Answer{{facts, Cases{a, b}, WrongAnswer, NoCause, "", Weight{Value: y}}})
			},
		} {
			got, err := f()
			if text := fmt.Sprintf("%+v", got); err == nil && (strings.Contains(text, "NaN") || strings.Contains(text, "Inf")) {
				t.Fatalf("%s: %s", name, text)
			}
		}
	})
}
