package report

import (
	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session"
)

// Six is the six-dimension evaluation of the final answers (Su et al. 2023): of
// those that were run and measured. What the tester has not labelled makes
// readability, and so the score, a range.
type Six struct {
	N       int `json:"n"`        // answers that were run and measured
	LeftOut int `json:"left_out"` // analysed tasks without a verdict, tests, or measures

	Final      SixScore   `json:"final"`          // the sum of the dimensions, out of 100
	Dimensions []SixPart  `json:"dimensions"`     // means over the answers
	Outcomes   []SixShare `json:"outcomes"`       // what running the answers gave
	CaseRate   Number     `json:"case_pass_rate"` // of all test cases together
	Categories []SixShare `json:"categories"`     // answers that are not correct, of each category of tasks

	Cyclomatic  int    `json:"cyclomatic"`   // cyclomatic complexity, summed over the answers
	Cognitive   int    `json:"cognitive"`    // cognitive complexity, summed over the answers
	CommentRate Number `json:"comment_rate"` // mean, in percent

	Unlabelled    int `json:"unlabelled"`              // answers that the tester has not labelled
	Inaccurate    int `json:"inaccurate_explanations"` // answers whose explanation was labelled inaccurate
	CodeProblems  int `json:"code_problems"`           // answers labelled with a problem of the code
	Misunderstood int `json:"understanding_problems"`  // answers labelled with a problem of understanding the task
	Assumed       int `json:"assumed_weights"`         // tasks whose weight is not known for sure

	testers []int // of the answers
}

// SixScore is a score that may be known only as a range.
type SixScore struct {
	Low      Number          `json:"low"`                // if every missing label were the worse one
	High     Number          `json:"high"`               // if every missing label were the better one
	Interval *stats.Interval `json:"interval,omitempty"` // absent where there is none
	Method   string          `json:"method"`             // of the interval, or why there is none
}

// SixPart is one dimension.
type SixPart struct {
	Name string `json:"name"` // of the dimension
	Of   int    `json:"of"`   // points that the dimension has
	Low  Number `json:"low"`  // mean, if every missing label were the worse one
	High Number `json:"high"` // mean, if every missing label were the better one
}

// SixShare is how many answers fared so.
type SixShare struct {
	Name string `json:"name"` // the outcome or the category
	Share
}

// sixOf is nil where no answer was run and measured.
func sixOf(est *estimator, analysed []result) *Six {
	six := &Six{}
	for _, part := range (scoring.SixDimensions{}).Parts() {
		six.Dimensions = append(six.Dimensions, SixPart{Name: part.Name, Of: part.Of})
	}
	var answers []scoring.Answer
	for _, r := range analysed {
		a, ok := r.sixAnswer()
		if !ok {
			six.LeftOut++
			continue
		}
		answers = append(answers, a)
		six.testers = append(six.testers, r.in.tester)
		parts, err := scoring.ScoreSix(a.Facts)
		if err != nil { // a log that somebody wrote by hand
			return nil
		}
		for i, d := range parts.Parts() {
			six.Dimensions[i].Low += Number(d.Low)
			six.Dimensions[i].High += Number(d.High)
		}
	}
	s, err := scoring.SummariseSix(answers)
	if err != nil {
		return nil
	}
	six.N = len(answers)
	for i := range six.Dimensions {
		six.Dimensions[i].Low /= Number(six.N)
		six.Dimensions[i].High /= Number(six.N)
	}
	six.Final = SixScore{Low: Number(s.Final.Low), High: Number(s.Final.High), Method: "no interval"}
	if groups := stats.Clusters(six.testers); len(groups) > 1 {
		six.Final.clustered(est, groups, answers)
	} else if s.Final.Method != "" {
		six.Final.Interval, six.Final.Method = &s.Final.Interval, s.Final.Method
	}
	for _, o := range []scoring.Outcome{scoring.Correct, scoring.WrongAnswer, scoring.RuntimeError} {
		six.Outcomes = append(six.Outcomes, SixShare{string(o), est.rate(six.where(answers, func(a scoring.Answer) (bool, bool) { return a.Outcome == o, true }))})
	}
	for _, c := range s.Categories {
		six.Categories = append(six.Categories, SixShare{c.Category, est.rate(six.where(answers, func(a scoring.Answer) (bool, bool) {
			return a.Outcome != scoring.Correct, a.Category == c.Category
		}))})
	}
	six.CaseRate, six.CommentRate = Number(s.CaseRate), Number(s.CommentRate)
	six.Cyclomatic, six.Cognitive = s.Cyclomatic, s.Cognitive
	six.Unlabelled, six.Inaccurate, six.CodeProblems, six.Misunderstood = s.Unlabelled, s.Inaccurate, s.CodeProblems, s.Misunderstood
	six.Assumed = s.Final.Assumed
	return six
}

// clustered gives the score the interval from the lower end over testers of what is
// known for sure to the upper end of what is possible.
func (x *SixScore) clustered(est *estimator, groups [][]int, answers []scoring.Answer) {
	end := func(bound func(scoring.Bounds) float64) (stats.Interval, string, error) {
		return est.clusteredMean(groups, func(i int) (float64, float64) {
			parts, _ := scoring.ScoreSix(answers[i].Facts) // it was scored before
			return bound(parts.Total), answers[i].Weight.Value
		})
	}
	low, method, err := end(func(b scoring.Bounds) float64 { return b.Low })
	high, _, other := end(func(b scoring.Bounds) float64 { return b.High })
	if err == nil && other == nil && low.Low < high.High {
		x.Interval, x.Method = &stats.Interval{Low: max(low.Low, 0), High: min(high.High, 100)}, method
	}
}

// where is the series of a property over the answers that it applies to.
func (six *Six) where(answers []scoring.Answer, property func(scoring.Answer) (is, applies bool)) series {
	var s series
	for i, a := range answers {
		if is, applies := property(a); applies {
			v := 0.0
			if is {
				v = 1
			}
			s.x, s.by = append(s.x, v), append(s.by, six.testers[i])
		}
	}
	return s
}

// sixAnswer is the final answer in six dimensions; false where it cannot be told.
func (r result) sixAnswer() (scoring.Answer, bool) {
	v, counts := r.verdict()
	last := r.final()
	if !counts || v.Total == 0 || last.Measured == nil || last.Measured.Problem != "" {
		return scoring.Answer{}, false
	}
	m := last.Measured
	a := scoring.Answer{
		Facts: scoring.Facts{
			Valid:    v.Loads || v.Passed > 0, // older logs do not say whether it loads
			PassRate: float64(v.Passed) / float64(v.Total), Cyclomatic: m.Cyclomatic, Cognitive: m.Cognitive,
			Reliability: scoring.Rating(m.Reliability), Security: scoring.Rating(m.Security), CommentRate: m.CommentRate,
			Explained: map[string]scoring.Known{"yes": scoring.Yes, "no": scoring.No}[r.Labels[session.LabelExplanation]],
		},
		Cases: scoring.Cases{Passed: v.Passed, Total: v.Total}, Outcome: scoring.RuntimeError,
		Category: clean(r.Category), Weight: benchmark.Weight(r.Difficulty, nil),
	}
	switch judge.Verdict(v.Verdict) {
	case judge.Accepted:
		a.Outcome = scoring.Correct
	case judge.WrongAnswer:
		a.Outcome = scoring.WrongAnswer
	}
	if a.Outcome != scoring.Correct {
		a.Cause = map[string]scoring.Cause{"code": scoring.CodeProblem, "understanding": scoring.UnderstandingProblem}[r.Labels[session.LabelErrorCause]]
	}
	return a, true
}
