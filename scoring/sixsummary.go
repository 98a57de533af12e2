package scoring

import (
	"cmp"
	"fmt"
	"slices"

	"assay/scoring/stats"
)

// Outcome classifies how an answer did on its test cases.
type Outcome string

// The outcomes that Su et al. 2023 distinguish (table 5).
const (
	Correct      Outcome = "correct"
	WrongAnswer  Outcome = "wrong answer"
	RuntimeError Outcome = "runtime error"
)

// Cause is a person's explanation of why an answer is not correct (their figure 4).
type Cause string

// The causes; NoCause if nobody has given one.
const (
	NoCause              Cause = ""
	CodeProblem          Cause = "code problem"
	UnderstandingProblem Cause = "understanding problem"
)

// Answer is one answer with the inputs of its six-dimension score.
type Answer struct {
	Facts    Facts // Facts.PassRate is taken from Cases
	Cases    Cases
	Outcome  Outcome
	Cause    Cause
	Category string
	Weight   Weight
}

// SixSummary is the six-dimension result of a model over a benchmark.
type SixSummary struct {
	Final      FinalScore
	Outcomes   map[Outcome]Share
	MeanRate   Metric  // the mean over questions of the pass rate, which Su et al. print
	CaseRate   float64 // the share of all test cases that passed
	Categories []CategoryResult

	Cyclomatic, Cognitive int     // sums
	CommentRate           float64 // mean, in percent
	Inaccurate            int     // labelled: explanation inaccurate or incomplete
	Unlabelled            int
	CodeProblems          int
	Misunderstood         int
}

// Share is a count out of N with its exact interval at 95 %.
type Share struct {
	Count, N int
	Interval stats.Interval
}

// CategoryResult is how often a category's answers were incorrect (their table 6).
type CategoryResult struct {
	Category  string
	Incorrect Share
	Few       bool // fewer than FewTasks questions
}

// SummariseSix evaluates one answer for each question as Su et al. 2023, section 4, do, with categories in
// alphabetical order. It wraps stats.ErrTooFew for no answers; impossible facts, counts, weights, outcomes
// and causes are errors that name the answer.
func SummariseSix(answers []Answer) (SixSummary, error) {
	s := SixSummary{Outcomes: map[Outcome]Share{}}
	counts := map[Outcome]int{}
	categories := map[string]*CategoryResult{}
	var scored []ScoredQuestion
	var cases []Cases
	var rates []float64
	for i, a := range answers {
		rate, err := casePassRate([]Cases{a.Cases})
		if err == nil {
			a.Facts.PassRate = rate
			err = s.add(a)
		}
		var six SixDimensions
		if err == nil {
			six, err = ScoreSix(a.Facts)
		}
		if err != nil {
			return SixSummary{}, fmt.Errorf("answer %d: %w", i+1, err)
		}
		scored, cases, rates = append(scored, ScoredQuestion{six.Total, a.Weight}), append(cases, a.Cases), append(rates, rate)
		counts[a.Outcome]++
		c := categories[a.Category]
		if c == nil {
			c = &CategoryResult{Category: a.Category}
			categories[a.Category] = c
		}
		c.Incorrect.N++
		if a.Outcome != Correct {
			c.Incorrect.Count++
		}
	}
	var err error
	if s.Final, err = Final(scored); err != nil {
		return SixSummary{}, err
	}
	if s.MeanRate, err = MeanOf(rates, 0, 1); err != nil {
		return SixSummary{}, err
	}
	if s.CaseRate, err = casePassRate(cases); err != nil {
		return SixSummary{}, err
	}
	s.CommentRate /= float64(len(answers))
	for _, o := range []Outcome{Correct, WrongAnswer, RuntimeError} {
		if s.Outcomes[o], err = share(counts[o], len(answers)); err != nil {
			return SixSummary{}, err
		}
	}
	for _, c := range categories {
		if c.Incorrect, err = share(c.Incorrect.Count, c.Incorrect.N); err != nil {
			return SixSummary{}, err
		}
		c.Few = c.Incorrect.N < FewTasks
		s.Categories = append(s.Categories, *c)
	}
	slices.SortFunc(s.Categories, func(a, b CategoryResult) int { return cmp.Compare(a.Category, b.Category) })
	return s, nil
}

// add adds an answer's counts and sums.
func (s *SixSummary) add(a Answer) error {
	switch a.Outcome {
	case Correct, WrongAnswer, RuntimeError:
	default:
		return fmt.Errorf("there is no outcome %q", a.Outcome)
	}
	switch a.Cause {
	case NoCause:
	case CodeProblem:
		s.CodeProblems++
	case UnderstandingProblem:
		s.Misunderstood++
	default:
		return fmt.Errorf("there is no cause %q", a.Cause)
	}
	if a.Outcome == Correct && a.Cause != NoCause {
		return fmt.Errorf("it is correct, and yet has a %s", a.Cause)
	}
	switch a.Facts.Explained {
	case Unknown:
		s.Unlabelled++
	case No:
		s.Inaccurate++
	}
	s.Cyclomatic += a.Facts.Cyclomatic
	s.Cognitive += a.Facts.Cognitive
	s.CommentRate += a.Facts.CommentRate
	return nil
}

func share(count, n int) (Share, error) {
	iv, err := stats.ClopperPearson(count, n, confidence)
	return Share{count, n, iv}, err
}
