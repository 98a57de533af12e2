package scoring

import (
	"errors"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// synthetic is a benchmark of four questions, worked out by hand:
//
//	question  validity correct complex reliable secure readable  total weight
//	1 Easy         15      30      10       10     10       25    100    0.8
//	2 Medium       15      15      10       10      0       10     60    1.0
//	3 Hard          0       0       0        0     10        0     10    1.2
//	4 Medium       15      30      10       10     10  10 or 25  85-100  1.0
//
// Σ score × weight = 80 + 60 + 12 + 85 (100) = 237 (252), Σ weight = 4.
func synthetic() []Answer {
	return []Answer{
		{Facts{5, true, true, 0, 3, 4, "A", "A", 20, Yes}, Cases{10, 10}, Correct, NoCause, "Files", Weight{Value: 0.8}},
		{Facts{5, true, true, 0, 9, 15, "A", "C", 10, No}, Cases{10, 20}, WrongAnswer, UnderstandingProblem, "Files", Weight{Value: 1}},
		{Facts{5, true, false, 0, 16, 2, "E", "A", 0, No}, Cases{0, 10}, RuntimeError, CodeProblem, "Classes", Weight{Value: 1.2}},
		{Facts{5, true, true, 0, 1, 0, "A", "A", 30, Unknown}, Cases{60, 60}, Correct, NoCause, "Classes", Weight{1, true}},
	}
}

func TestSyntheticBenchmarkByHand(t *testing.T) {
	s, err := SummariseSix(synthetic())
	fatal.If(t, err)
	near(t, "final score, at least", s.Final.Low, 59.25, 1e-9)
	near(t, "final score, at most", s.Final.High, 63, 1e-9)
	near(t, "mean rate", s.MeanRate.Value, 0.625, 1e-12)
	near(t, "case rate", s.CaseRate, 0.8, 1e-12)
	near(t, "comment rate", s.CommentRate, 15, 1e-12)
	if s.Cyclomatic != 29 || s.Cognitive != 21 || s.Inaccurate != 2 || s.Unlabelled != 1 || s.CodeProblems != 1 || s.Misunderstood != 1 || s.Final.Open != 1 || s.Final.Assumed != 1 {
		t.Errorf("%+v", s)
	}
	for o, want := range map[Outcome]int{Correct: 2, WrongAnswer: 1, RuntimeError: 1} {
		iv, _ := stats.ClopperPearson(want, 4, 0.95)
		if s.Outcomes[o] != (Share{want, 4, iv}) {
			t.Errorf("%s: %+v", o, s.Outcomes[o])
		}
	}
	if len(s.Categories) != 2 || s.Categories[0].Category != "Classes" || s.Categories[1].Incorrect.Count != 1 || s.Categories[1].Incorrect.N != 2 || !s.Categories[0].Few {
		t.Errorf("%+v", s.Categories)
	}
}

func TestSixSummaryRefuses(t *testing.T) {
	if _, err := SummariseSix(nil); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("no answers: %v", err)
	}
	for what, change := range map[string]func(*Answer){
		"outcome": func(a *Answer) { a.Outcome = "" }, "cause": func(a *Answer) { a.Cause = "bad luck" }, "a correct answer's cause": func(a *Answer) { a.Cause = CodeProblem },
		"cases": func(a *Answer) { a.Cases = Cases{2, 1} }, "weight": func(a *Answer) { a.Weight = Weight{} }, "rating": func(a *Answer) { a.Facts.Security = "Z" },
	} {
		all := synthetic()
		change(&all[0])
		if _, err := SummariseSix(all); err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}
