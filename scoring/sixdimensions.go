package scoring

import (
	"encoding/json"
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Rating is an analyser's grade, A to E.
type Rating string

// NotAnalysed is the absence of a grade: code that no analyser has seen never gets an A.
const NotAnalysed Rating = ""

// MarshalJSON writes null for NotAnalysed.
func (r Rating) MarshalJSON() ([]byte, error) {
	if r == NotAnalysed {
		return []byte("null"), nil
	}
	return json.Marshal(string(r))
}

// Rated are the ratings that one analyser gives an answer's code.
type Rated struct {
	Analyser    string `json:"analyser"` // with its version
	Findings    int    `json:"findings"`
	Reliability Rating `json:"reliability"`
	Security    Rating `json:"security"`
}

// Together returns the ratings of several analysers as those of one: all findings, and the worst ratings.
func Together(by []Rated) Rated {
	var all Rated
	for i, r := range by {
		all.Findings += r.Findings
		all.Reliability, all.Security = max(all.Reliability, r.Reliability), max(all.Security, r.Security) // "" < "A" < "E"
		if i > 0 {
			all.Analyser += ", "
		}
		all.Analyser += r.Analyser
	}
	return all
}

// Known is a yes or no that may be missing, such as a label that nobody has given yet.
type Known int

// The zero value is Unknown.
const (
	Unknown Known = iota
	No
	Yes
)

// Facts are the inputs of the six-dimension score of one answer.
type Facts struct {
	CodeLines   int     // 0: the answer has no code
	Parses      bool    // as a program of its language
	Valid       bool    // the assembled program loads in the sandbox without error
	PassRate    float64 // of the test cases, 0 to 1
	Cyclomatic  int     // of the file
	Cognitive   int     // of the file
	Reliability Rating
	Security    Rating
	CommentRate float64 // percent of code and comment lines
	Explained   Known   // a person's label: the explanation is accurate and complete
}

// Bounds are the lowest and highest score possible; they are equal if every fact is known.
type Bounds struct{ Low, High float64 }

func exactly(v float64) Bounds { return Bounds{v, v} }

// Known reports whether both bounds are equal.
func (b Bounds) Known() bool { return b.Low == b.High }

// Plus adds the bounds of two scores.
func (b Bounds) Plus(o Bounds) Bounds { return Bounds{b.Low + o.Low, b.High + o.High} }

// SixDimensions is the score of one answer by Su et al. 2023, of 100.
type SixDimensions struct {
	Validity    Bounds // of 15, equation 1
	Correctness Bounds // of 30, equation 2
	Complexity  Bounds // of 10, equation 3
	Reliability Bounds // of 10, equation 4
	Security    Bounds // of 10, equation 5
	Readability Bounds // of 25, equation 6
	Total       Bounds
	Missing     []string // names of the facts that are not known
}

// SixPart is one dimension with its maximum.
type SixPart struct {
	Name string
	Of   int
	Bounds
}

// Parts lists the dimensions in the order of the equations.
func (s SixDimensions) Parts() [6]SixPart {
	return [6]SixPart{{"validity", 15, s.Validity}, {"correctness", 30, s.Correctness}, {"complexity", 10, s.Complexity},
		{"reliability", 10, s.Reliability}, {"security", 10, s.Security}, {"readability", 25, s.Readability}}
}

// Su et al.'s limits. The prose says "below 15" and "greater than 10 %"; the equations, which are
// implemented here, say at most and at least.
const (
	complexityLimit  = 15
	commentRateLimit = 10
)

// ScoreSix scores an answer in six dimensions:
//
//	15 if valid; 30 × pass rate; 10 if cyclomatic and cognitive ≤ 15;
//	10 if reliability is A; 10 if security is A;
//	25, 10 or 0 as both, one or none of comment rate ≥ 10 % and the label hold
//
// (Su et al. 2023, equations 1 to 6.) An answer without code has no points. Code that neither parses nor loads has
// none for complexity, reliability and security, which only a program has; if it loads, the grammar is behind the
// language. A missing rating or label gives bounds and is named in Missing. It is an error if the pass rate is not
// from 0 to 1, the comment rate not from 0 to 100, a count negative, or a rating not A to E.
func ScoreSix(f Facts) (SixDimensions, error) {
	if err := f.check(); err != nil {
		return SixDimensions{}, err
	}
	if f.CodeLines == 0 {
		return SixDimensions{}, nil
	}
	s := SixDimensions{Correctness: exactly(30 * f.PassRate)}
	if f.Valid {
		s.Validity = exactly(15)
	}
	if f.Parses || f.Valid {
		if f.Cyclomatic <= complexityLimit && f.Cognitive <= complexityLimit {
			s.Complexity = exactly(10)
		}
		s.Reliability, s.Security = s.rated("reliability", f.Reliability), s.rated("security", f.Security)
	}
	s.Readability = s.readability(f)
	for _, d := range s.Parts() {
		s.Total = s.Total.Plus(d.Bounds)
	}
	return s, nil
}

func (f Facts) check() error {
	switch {
	case !(f.PassRate >= 0 && f.PassRate <= 1):
		return fmt.Errorf("six dimensions: the pass rate is %v; it must be from 0 to 1", f.PassRate)
	case !(f.CommentRate >= 0 && f.CommentRate <= 100):
		return fmt.Errorf("six dimensions: the comment rate is %v %%; it must be from 0 to 100", f.CommentRate)
	case f.CodeLines < 0 || f.Cyclomatic < 0 || f.Cognitive < 0:
		return fmt.Errorf("six dimensions: %d lines of code, complexities of %d and %d; they cannot be negative", f.CodeLines, f.Cyclomatic, f.Cognitive)
	case !f.Reliability.known():
		return fmt.Errorf("six dimensions: the reliability rating is %q; ratings are A to E", f.Reliability)
	case !f.Security.known():
		return fmt.Errorf("six dimensions: the security rating is %q; ratings are A to E", f.Security)
	}
	return nil
}

func (r Rating) known() bool { return r == NotAnalysed || len(r) == 1 && "A" <= r && r <= "E" }

// rated gives 10 points for an A.
func (s *SixDimensions) rated(name string, r Rating) Bounds {
	switch r {
	case "A":
		return exactly(10)
	case NotAnalysed:
		s.Missing = append(s.Missing, name+" rating")
		return Bounds{0, 10}
	}
	return Bounds{}
}

func (s *SixDimensions) readability(f Facts) Bounds {
	with := func(label bool) float64 {
		switch commented := f.CommentRate >= commentRateLimit; {
		case commented && label:
			return 25
		case commented || label:
			return 10
		}
		return 0
	}
	switch f.Explained {
	case Yes:
		return exactly(with(true))
	case No:
		return exactly(with(false))
	}
	s.Missing = append(s.Missing, "label that the explanation is accurate and complete")
	return Bounds{with(false), with(true)}
}

// Difficulty is the difficulty of a question in LeetCode's terms.
type Difficulty string

// The difficulties.
const (
	Easy   Difficulty = "Easy"
	Medium Difficulty = "Medium"
	Hard   Difficulty = "Hard"
)

// Weight is a question's weight in the final score.
type Weight struct {
	Value   float64
	Assumed bool // the human pass rate is unknown: the middle column was used
}

// QuestionWeight is table 1 of Su et al. 2023, by difficulty and the share of people, in percent, who solve
// the question: below 40, from 40 to 70, above 70. A nil rate uses the middle column and sets Assumed. An
// unknown difficulty and a rate outside 0 to 100 are errors.
func QuestionWeight(d Difficulty, humanPassRate *float64) (Weight, error) {
	row, known := map[Difficulty][3]float64{Easy: {1.0, 0.9, 0.8}, Medium: {1.1, 1.0, 0.9}, Hard: {1.2, 1.1, 1.0}}[d]
	if !known {
		return Weight{}, fmt.Errorf("question weight: the difficulty is %q; it must be Easy, Medium or Hard", d)
	}
	if humanPassRate == nil {
		return Weight{row[1], true}, nil
	}
	switch rate := *humanPassRate; {
	case !(rate >= 0 && rate <= 100):
		return Weight{}, fmt.Errorf("question weight: the human pass rate is %v %%; it must be from 0 to 100", rate)
	case rate < 40:
		return Weight{Value: row[0]}, nil
	case rate > 70:
		return Weight{Value: row[2]}, nil
	}
	return Weight{Value: row[1]}, nil
}

// ScoredQuestion is a question's total score with its weight.
type ScoredQuestion struct {
	Score  Bounds
	Weight Weight
}

// FinalScore is a model's score over a benchmark, of 100.
type FinalScore struct {
	Bounds
	// Interval is at 95 %, computed as in MeanOf with weights. It runs from the lower end for the lower
	// bound to the upper end for the upper bound; Method is "" if there is no interval.
	Interval stats.Interval
	Method   string
	N        int // questions
	Open     int // questions with a missing fact
	Assumed  int // questions with an assumed weight
}

// Final returns the weighted mean Σ score × weight / Σ weight (Su et al. 2023,
// equation 7). It wraps stats.ErrTooFew for no questions; a weight that is not
// positive and a score that is not from 0 to 100 are errors.
func Final(questions []ScoredQuestion) (FinalScore, error) {
	if len(questions) == 0 {
		return FinalScore{}, fmt.Errorf("final score of no questions: %w", stats.ErrTooFew)
	}
	f := FinalScore{N: len(questions)}
	weights, heaviest := make([]float64, len(questions)), 0.0
	for i, q := range questions {
		if !(q.Weight.Value > 0) || math.IsInf(q.Weight.Value, 0) {
			return FinalScore{}, fmt.Errorf("final score: question %d has the weight %v; it must be positive", i+1, q.Weight.Value)
		}
		if !(0 <= q.Score.Low && q.Score.Low <= q.Score.High && q.Score.High <= 100) {
			return FinalScore{}, fmt.Errorf("final score: question %d has a score from %v to %v; scores are from 0 to 100", i+1, q.Score.Low, q.Score.High)
		}
		heaviest = max(heaviest, q.Weight.Value)
		if !q.Score.Known() {
			f.Open++
		}
		if q.Weight.Assumed {
			f.Assumed++
		}
	}
	var ends [2]Metric
	for i, score := range []func(Bounds) float64{func(b Bounds) float64 { return b.Low }, func(b Bounds) float64 { return b.High }} {
		values := make([]float64, len(questions))
		for j, q := range questions {
			values[j], weights[j] = score(q.Score), q.Weight.Value/heaviest // so that no sum overflows
		}
		m, err := weightedMean(values, weights, 0, 100)
		if err != nil {
			return FinalScore{}, err
		}
		ends[i] = m
	}
	f.Bounds = Bounds{ends[0].Value, ends[1].Value}
	if ends[0].Method != "" && ends[1].Method != "" {
		f.Interval, f.Method = stats.Interval{Low: ends[0].Interval.Low, High: ends[1].Interval.High}, ends[0].Method
	}
	return f, nil
}
