package scoring

import (
	"errors"
	"math"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"

	"pgregory.net/rapid"
)

func known(ok int) Known {
	if ok == 1 {
		return Yes
	}
	return No
}

func TestSixDimensionOracle(t *testing.T) {
	type sixCase struct {
		Inputs struct {
			Valid                 int
			PassRate              float64 `json:"pass_rate"`
			Cyclomatic, Cognitive int
			Reliability, Security Rating
			CommentRate           float64 `json:"comment_rate"`
			Explained             int     `json:"explanation_ok"`
		}
		Expected struct{ Score float64 }
		Source   string
	}
	for _, c := range oracle[sixCase](t, "six_dimension_score") {
		in := c.Inputs
		got, err := ScoreSix(Facts{1, true, in.Valid == 1, in.PassRate, in.Cyclomatic, in.Cognitive, in.Reliability, in.Security, in.CommentRate, known(in.Explained)})
		if err != nil || !got.Total.Known() || math.Abs(got.Total.Low-c.Expected.Score) > 1e-9 {
			t.Errorf("%+v: %+v, %v; want %v (%s)", in, got, err, c.Expected.Score, c.Source)
		}
	}
}

func TestQuestionWeightOracle(t *testing.T) {
	type weightCase struct {
		Inputs struct {
			Difficulty Difficulty
			Rate       *float64 `json:"human_pass_rate"`
		}
		Expected struct{ Weight float64 }
		Source   string
	}
	for _, c := range oracle[weightCase](t, "question_weight") {
		got, err := QuestionWeight(c.Inputs.Difficulty, c.Inputs.Rate)
		if err != nil || got.Value != c.Expected.Weight || got.Assumed != (c.Inputs.Rate == nil) {
			t.Errorf("%+v: %+v, %v; want %v (%s)", c.Inputs, got, err, c.Expected.Weight, c.Source)
		}
	}
}

// TestSuTable1 is table 1 of Su et al. 2023, with its borders.
func TestSuTable1(t *testing.T) {
	for d, row := range map[Difficulty][3]float64{Easy: {1.0, 0.9, 0.8}, Medium: {1.1, 1.0, 0.9}, Hard: {1.2, 1.1, 1.0}} {
		for column, rates := range [3][]float64{{0, 20, 39.99}, {40, 55, 70}, {70.01, 90, 100}} {
			for _, rate := range rates {
				if got, err := QuestionWeight(d, &rate); err != nil || got != (Weight{Value: row[column]}) {
					t.Errorf("%s, %v %%: %+v, %v; want %v", d, rate, got, err, row[column])
				}
			}
		}
		if got, err := QuestionWeight(d, nil); err != nil || got != (Weight{row[1], true}) {
			t.Errorf("%s without a rate: %+v, %v", d, got, err)
		}
	}
	for _, rate := range []float64{-1, 101, math.NaN()} {
		if _, err := QuestionWeight(Easy, &rate); err == nil {
			t.Errorf("a rate of %v was accepted", rate)
		}
	}
	if _, err := QuestionWeight("easy", nil); err == nil {
		t.Error("an unknown difficulty was accepted")
	}
}

// best is an answer with all 100 points.
func best() Facts {
	return Facts{CodeLines: 9, Parses: true, Valid: true, PassRate: 1, Cyclomatic: 15, Cognitive: 15, Reliability: "A", Security: "A", CommentRate: 10, Explained: Yes}
}

// TestSuEquations changes one thing at a time: equations 1 to 6 of Su et al.
func TestSuEquations(t *testing.T) {
	for what, c := range map[string]struct {
		change    func(*Facts)
		low, high float64
		missing   int
	}{
		"all":                       {func(*Facts) {}, 100, 100, 0},
		"(1) invalid":               {func(f *Facts) { f.Valid = false }, 85, 85, 0},
		"(2) half the tests":        {func(f *Facts) { f.PassRate = 0.5 }, 85, 85, 0},
		"(3) cyclomatic 16":         {func(f *Facts) { f.Cyclomatic = 16 }, 90, 90, 0},
		"(3) cognitive 16":          {func(f *Facts) { f.Cognitive = 16 }, 90, 90, 0},
		"(4) reliability B":         {func(f *Facts) { f.Reliability = "B" }, 90, 90, 0},
		"(5) security E":            {func(f *Facts) { f.Security = "E" }, 90, 90, 0},
		"(6) few comments":          {func(f *Facts) { f.CommentRate = 9.99 }, 85, 85, 0},
		"(6) badly explained":       {func(f *Facts) { f.Explained = No }, 85, 85, 0},
		"(6) neither":               {func(f *Facts) { f.Explained, f.CommentRate = No, 0 }, 75, 75, 0},
		"no label":                  {func(f *Facts) { f.Explained = Unknown }, 85, 100, 1},
		"no label, few comments":    {func(f *Facts) { f.Explained, f.CommentRate = Unknown, 0 }, 75, 85, 1},
		"not analysed is not an A":  {func(f *Facts) { f.Reliability, f.Security = NotAnalysed, NotAnalysed }, 80, 100, 2},
		"(3, 4, 5) does not parse":  {func(f *Facts) { f.Parses, f.Valid = false, false }, 55, 55, 0},
		"does not parse, no rating": {func(f *Facts) { f.Parses, f.Valid, f.Security = false, false, NotAnalysed }, 55, 55, 0},
		"loads, unlike its parse":   {func(f *Facts) { f.Parses = false }, 100, 100, 0},
		"no code":                   {func(f *Facts) { f.CodeLines = 0 }, 0, 0, 0},
		"no code, no label":         {func(f *Facts) { *f = Facts{} }, 0, 0, 0},
	} {
		f := best()
		c.change(&f)
		got, err := ScoreSix(f)
		if err != nil || math.Abs(got.Total.Low-c.low) > 1e-12 || math.Abs(got.Total.High-c.high) > 1e-12 || len(got.Missing) != c.missing {
			t.Errorf("%s: %+v, %v; want %v to %v", what, got, err, c.low, c.high)
		}
	}
	for what, change := range map[string]func(*Facts){
		"pass rate in percent": func(f *Facts) { f.PassRate = 67 }, "pass rate NaN": func(f *Facts) { f.PassRate = math.NaN() },
		"comment rate": func(f *Facts) { f.CommentRate = -1 }, "complexity": func(f *Facts) { f.Cognitive = -1 }, "lines": func(f *Facts) { f.CodeLines = -1 },
		"rating": func(f *Facts) { f.Security = "F" }, "other rating": func(f *Facts) { f.Reliability = "a" },
	} {
		f := best()
		change(&f)
		if _, err := ScoreSix(f); err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}

// TestSixDimensionBounds: for each value of the missing label, the score is one of the bounds.
func TestSixDimensionBounds(t *testing.T) {
	rating := rapid.SampledFrom([]Rating{"A", "B", "C", "D", "E"})
	rapid.Check(t, func(t *rapid.T) {
		f := Facts{rapid.IntRange(0, 2).Draw(t, "lines"), rapid.Bool().Draw(t, "parses"), rapid.Bool().Draw(t, "valid"), rapid.Float64Range(0, 1).Draw(t, "pass rate"), rapid.IntRange(0, 30).Draw(t, "cyclomatic"),
			rapid.IntRange(0, 30).Draw(t, "cognitive"), rating.Draw(t, "reliability"), rating.Draw(t, "security"), rapid.Float64Range(0, 100).Draw(t, "comments"), Unknown}
		open, err := ScoreSix(f)
		fatal.If(t, err)
		f.Explained = No
		low, _ := ScoreSix(f)
		f.Explained = Yes
		high, _ := ScoreSix(f)
		if open.Total != (Bounds{low.Total.Low, high.Total.Low}) || low.Total.Low < 0 || high.Total.High > 100 {
			t.Fatalf("%+v; no %+v, yes %+v", open.Total, low.Total, high.Total)
		}
	})
}

// TestFinalScoreByHand is a benchmark of three questions, equation 7:
//
//	100 × 0.8 + 75.1 × 1.0 + 30 × 1.2 = 191.1;  191.1 / 3.0 = 63.7
//
// With the second label open its score is 75.1 to 90.1: up to 206.1 / 3 = 68.7.
func TestFinalScoreByHand(t *testing.T) {
	questions := []ScoredQuestion{{exactly(100), Weight{Value: 0.8}}, {exactly(75.1), Weight{1.0, true}}, {exactly(30), Weight{Value: 1.2}}}
	f, err := Final(questions)
	if err != nil || f.N != 3 || f.Open != 0 || f.Assumed != 1 || !strings.HasPrefix(f.Method, "modified Wilson, effective n") || !f.Known() {
		t.Fatalf("%+v, %v", f, err)
	}
	near(t, "final score", f.Low, 63.7, 1e-9)
	if !(0 < f.Interval.Low && f.Interval.Low < 63.7 && 63.7 < f.Interval.High && f.Interval.High <= 100) {
		t.Errorf("%+v", f.Interval)
	}
	questions[1].Score.High = 90.1
	f, err = Final(questions)
	if err != nil || f.Open != 1 {
		t.Fatalf("%+v, %v", f, err)
	}
	near(t, "lower bound", f.Low, 63.7, 1e-9)
	near(t, "upper bound", f.High, 68.7, 1e-9)
	if one, err := Final(questions[:1]); err != nil || one.Low != 100 || one.Method != "modified Wilson, tasks like these" {
		t.Errorf("one question: %+v, %v", one, err)
	}
	// Of equal weights it is the mean of the scores, with its interval.
	alike := []ScoredQuestion{{exactly(85), Weight{Value: 1.1}}, {exactly(40), Weight{Value: 1.1}}, {exactly(60), Weight{Value: 1.1}}}
	mean, err := MeanOf([]float64{85, 40, 60}, 0, 100)
	if f, other := Final(alike); errors.Join(err, other) != nil || math.Abs(f.Interval.Low-mean.Interval.Low) > 1e-9 || math.Abs(f.Interval.High-mean.Interval.High) > 1e-9 {
		t.Errorf("%+v, and of the mean %+v, %v, %v", f, mean, other, err)
	}
	if _, err := Final(nil); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("no questions: %v", err)
	}
	for _, bad := range []ScoredQuestion{{exactly(50), Weight{}}, {exactly(101), Weight{Value: 1}}, {exactly(math.NaN()), Weight{Value: 1}}, {Bounds{2, 1}, Weight{Value: 1}}} {
		if _, err := Final([]ScoredQuestion{bad}); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
