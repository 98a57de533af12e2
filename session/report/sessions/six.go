package sessions

import (
	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
)

// Six is the six-dimension evaluation of the final answers that were run and measured (Su et al. 2023). If the
// tester has not labelled everything, readability, and so the score, is a range.
type Six struct {
	N       int `json:"n"`        // answers that were run and measured
	LeftOut int `json:"left_out"` // analysed tasks without a verdict, tests, or measures

	Final      SixScore      `json:"final"`          // the sum of the dimensions, out of 100
	Dimensions []SixPart     `json:"dimensions"`     // means over the answers
	Outcomes   []SixShare    `json:"outcomes"`       // what running the answers gave
	CaseRate   report.Number `json:"case_pass_rate"` // of all test cases together
	Categories []SixCategory `json:"categories"`     // answers that are not correct, of each category of tasks

	Cyclomatic  int           `json:"cyclomatic"`   // cyclomatic complexity, summed over the answers
	Cognitive   int           `json:"cognitive"`    // cognitive complexity, summed over the answers
	CommentRate report.Number `json:"comment_rate"` // mean, in percent

	Unlabelled    int `json:"unlabelled"`              // answers that the tester has not labelled
	Inaccurate    int `json:"inaccurate_explanations"` // answers whose explanation was labelled inaccurate
	CodeProblems  int `json:"code_problems"`           // answers labelled with a problem of the code
	Misunderstood int `json:"understanding_problems"`  // answers labelled with a problem of understanding the task
	Assumed       int `json:"assumed_weights"`         // tasks whose weight is not known for sure

	from series // the testers and tasks of the answers
}

// SixScore is a score that may be known only as a range.
type SixScore struct {
	Low      report.Number   `json:"low"`                // if every missing label were the worse one
	High     report.Number   `json:"high"`               // if every missing label were the better one
	Interval *stats.Interval `json:"interval,omitempty"` // absent where there is none
	Method   string          `json:"method"`             // of the interval, or why there is none
}

// SixPart is one dimension; its score is the mean over the answers.
type SixPart struct {
	Name string `json:"name"` // of the dimension
	Of   int    `json:"of"`   // points that the dimension has
	SixScore
}

// SixShare counts the answers with one outcome.
type SixShare struct {
	Name string `json:"name"` // the outcome or the category
	report.Share
}

// SixCategory is the share of a category's answers that are not correct.
type SixCategory struct {
	Tasks int `json:"tasks"` // different tasks that these answers are of
	SixShare
}

// sixOf returns nil if no answer was run and measured.
func sixOf(est *estimator, analysed []result) *Six {
	six := &Six{}
	var answers []scoring.Answer
	var points []scoring.SixDimensions // of each answer
	for _, r := range analysed {
		a, ok := r.sixAnswer()
		if !ok {
			six.LeftOut++
			continue
		}
		parts, err := scoring.ScoreSix(a.Facts)
		if err != nil { // a log that somebody wrote by hand
			return nil
		}
		answers, points = append(answers, a), append(points, parts)
		six.from.add(r, 0)
	}
	s, err := scoring.SummariseSix(answers)
	if err != nil {
		return nil
	}
	six.N = len(answers)
	for d, part := range (scoring.SixDimensions{}).Parts() {
		bounds := func(i int) scoring.Bounds { p := points[i].Parts()[d]; return scoring.Bounds{Low: p.Low, High: p.High} }
		six.Dimensions = append(six.Dimensions, SixPart{part.Name, part.Of, six.score(est, float64(part.Of), bounds, func(int) float64 { return 1 })})
	}
	six.Final = six.score(est, 100, func(i int) scoring.Bounds { return points[i].Total }, func(i int) float64 { return answers[i].Weight.Value })
	six.Final.Low, six.Final.High = report.Number(s.Final.Low), report.Number(s.Final.High)
	for _, o := range []scoring.Outcome{scoring.Correct, scoring.WrongAnswer, scoring.RuntimeError} {
		six.Outcomes = append(six.Outcomes, SixShare{string(o), est.rate(six.where(answers, func(a scoring.Answer) (bool, bool) { return a.Outcome == o, true }))})
	}
	for _, c := range s.Categories {
		of := six.where(answers, func(a scoring.Answer) (bool, bool) {
			return a.Outcome != scoring.Correct, a.Category == c.Category
		})
		six.Categories = append(six.Categories, SixCategory{len(stats.Clusters(of.of)), SixShare{c.Category, est.rate(of)}})
	}
	six.CaseRate, six.CommentRate = report.Number(s.CaseRate), report.Number(s.CommentRate)
	six.Cyclomatic, six.Cognitive = s.Cyclomatic, s.Cognitive
	six.Unlabelled, six.Inaccurate, six.CodeProblems, six.Misunderstood = s.Unlabelled, s.Inaccurate, s.CodeProblems, s.Misunderstood
	six.Assumed = s.Final.Assumed
	return six
}

// score returns a weighted mean of points that may be known only as ranges, with the interval
// from the lower end for what is known for sure to the upper end for what is possible.
func (six *Six) score(est *estimator, of float64, bounds func(i int) scoring.Bounds, weight func(i int) float64) SixScore {
	end := func(value func(scoring.Bounds) float64) report.Estimate {
		s, sum, weights := six.from.within(0, of), 0.0, 0.0
		s.x = make([]float64, six.N)
		for i := range s.x {
			s.x[i] = value(bounds(i))
			sum, weights = sum+s.x[i]*weight(i), weights+weight(i)
		}
		return est.weighted(report.Estimate{N: six.N, Value: report.Number(sum / weights)}, s, weight)
	}
	low, high := end(func(b scoring.Bounds) float64 { return b.Low }), end(func(b scoring.Bounds) float64 { return b.High })
	x := SixScore{Low: low.Value, High: high.Value, Method: low.Method}
	if low.Interval != nil && high.Interval != nil {
		x.Interval = &stats.Interval{Low: low.Interval.Low, High: high.Interval.High}
	}
	return x
}

// where returns the series of a property over the answers that it applies to.
func (six *Six) where(answers []scoring.Answer, property func(scoring.Answer) (is, applies bool)) series {
	var s series
	for i, a := range answers {
		if is, applies := property(a); applies {
			s.x, s.by, s.of = append(s.x, one(is)), append(s.by, six.from.by[i]), append(s.of, six.from.of[i])
		}
	}
	return s
}

// sixAnswer returns the final answer in six dimensions; false where it cannot be told.
func (r result) sixAnswer() (scoring.Answer, bool) {
	v, counts := r.verdict()
	last := r.final()
	if !counts || last.Measured == nil || last.Measured.Problem != "" || v.Total == 0 && last.Measured.CodeLines > 0 {
		return scoring.Answer{}, false
	}
	row, label := rowOf(last), r.label()
	cases := scoring.Cases{Passed: v.Passed, Total: max(v.Total, 1)} // an answer without code may not have been run
	a := scoring.Answer{
		Facts: row.Measures.Facts(), Cases: cases, Outcome: scoring.RuntimeError, Cause: label.Cause,
		Category: clean(r.Category), Weight: benchmark.Weight(r.Difficulty, r.humanPassRate()),
	}
	a.Facts.Valid, a.Facts.PassRate, a.Facts.Explained = row.Loads, float64(cases.Passed)/float64(cases.Total), label.Explanation
	switch verdicts.Verdict(v.Verdict) {
	case verdicts.Accepted:
		a.Outcome = scoring.Correct
	case verdicts.WrongAnswer:
		a.Outcome = scoring.WrongAnswer
	}
	return a, true
}
