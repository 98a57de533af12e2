package overlap

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"assay/scoring/pairs"
	"assay/session"
)

// Judge is a model that rates the same items as people. It is never counted as a rater.
type Judge struct {
	ID       string        `json:"judge"` // a hash of the model with its settings, and of the template
	Kind     JudgeKind     `json:"kind"`
	Model    session.Model `json:"model"`    // with the hash of its settings
	Template string        `json:"template"` // hash of the request's template
	Text     string        `json:"text"`     // of the first request
	At       time.Time     `json:"at"`
}

// JudgeKind is what a judge is.
type JudgeKind string

// Model is the only kind of judge.
const Model JudgeKind = "model"

// NewJudge returns a judge with its id.
func NewJudge(m session.Model, template, text string, at time.Time) Judge {
	return Judge{ID: short([]string{string(Model), m.Name, m.Provider, m.Model, m.Definition, template}), Kind: Model, Model: m, Template: template, Text: text, At: at}
}

// Question is what a judge is asked: an item, or a pair with the sides as shown, and which repeat it is.
type Question struct {
	Judge  string `json:"judge"`
	Item   string `json:"item,omitempty"`
	A      string `json:"a,omitempty"` // the item shown first
	B      string `json:"b,omitempty"`
	Repeat int    `json:"repeat,omitempty"` // from 0
}

// Unit returns the id of what is judged: of the item, or of the pair as shown.
func (q Question) Unit() string {
	if q.Item != "" {
		return q.Item
	}
	return newPair(q.A, q.B).ID
}

// Judged is a judge's answer to a question: scores and labels of an item, or the outcome of a pair. With a problem there
// is none of these.
type Judged struct {
	Question
	Scores  map[string]int    `json:"scores,omitempty"`
	Labels  map[string]string `json:"labels,omitempty"`
	Outcome pairs.Outcome     `json:"outcome,omitempty"`
	Reason  string            `json:"reason,omitempty"` // as the judge gave it
	Problem Problem           `json:"problem,omitempty"`
	Why     string            `json:"why,omitempty"` // of the problem
	Answer  string            `json:"answer"`        // the whole answer
	In      int               `json:"tokens_in,omitempty"`
	Out     int               `json:"tokens_out,omitempty"`
	Cost    float64           `json:"cost,omitempty"` // in the currency of the model's prices
	At      time.Time         `json:"at"`
}

// Problem is why an answer says nothing.
type Problem string

// The problems: the model refused, answered something else than it was asked for, or could not take so long a request.
const (
	Refused  Problem = "refused"
	Nonsense Problem = "nonsense"
	TooLong  Problem = "too long"
)

// judging is what one judge has said.
type judging struct {
	judge Judge
	list  []Judged
	known map[Question]bool
}

// judging returns what the judge with an id has said; nil if there is none.
func (s *Set) judging(id string) *judging {
	for _, j := range s.judges {
		if j.judge.ID == id {
			return j
		}
	}
	return nil
}

// Judges lists the judges in the order in which they began.
func (s *Set) Judges() []Judge {
	var list []Judge
	for _, j := range s.judges {
		list = append(list, j.judge)
	}
	return list
}

// HasJudged reports whether a question is answered, or has a problem.
func (s *Set) HasJudged(q Question) bool {
	j := s.judging(q.Judge)
	return j != nil && j.known[q]
}

// Questions lists what a judge is asked: every item, or every pair in both orders, so many times. Attention checks are for
// people.
func (h *Header) Questions(judge string, repeats int) []Question {
	var list []Question
	for repeat := range repeats {
		for _, unit := range h.units(false) {
			if len(h.Pairs) == 0 {
				list = append(list, Question{Judge: judge, Item: unit[0], Repeat: repeat})
				continue
			}
			list = append(list, Question{Judge: judge, A: unit[0], B: unit[1], Repeat: repeat}, Question{Judge: judge, A: unit[1], B: unit[0], Repeat: repeat})
		}
	}
	return list
}

// admit folds a judge.
func (s *Set) admit(j Judge) error {
	switch {
	case s.Header.Rater != "":
		return fmt.Errorf("\"judge\": one rater's file has no judges")
	case j.Kind != Model:
		return fmt.Errorf("\"kind\" is %q, not %q", j.Kind, Model)
	case strings.TrimSpace(j.Model.Name) == "" || j.ID != NewJudge(j.Model, j.Template, "", time.Time{}).ID:
		return fmt.Errorf("\"judge\" is %q, which is not the hash of the model and the template", j.ID)
	case s.judging(j.ID) != nil:
		return fmt.Errorf("\"judge\": %q is duplicated", j.ID)
	}
	s.judges = append(s.judges, &judging{judge: j, known: map[Question]bool{}})
	return nil
}

// judge folds an answer of a judge.
func (s *Set) judge(e Judged) error {
	j, h := s.judging(e.Judge), &s.Header
	switch {
	case j == nil:
		return fmt.Errorf("\"judge\": there is no %q", e.Judge)
	case e.Repeat < 0:
		return fmt.Errorf("\"repeat\" is %d: it must be 0 or more", e.Repeat)
	case len(h.Pairs) == 0 && (h.Item(e.Item) == nil || e.A != "" || e.B != ""):
		return fmt.Errorf("\"item\": there is no %q", e.Item)
	case len(h.Pairs) > 0 && (e.Item != "" || h.Pair(e.Unit()) == nil && h.Pair(newPair(e.B, e.A).ID) == nil):
		return fmt.Errorf("\"a\" and \"b\": there is no pair of %q and %q", e.A, e.B)
	case j.known[e.Question]:
		return fmt.Errorf("%s was judged already, repeat %d", e.Unit(), e.Repeat)
	case e.Cost < 0:
		return fmt.Errorf("\"cost\" is %v: it must be 0 or more", e.Cost)
	}
	switch e.Problem {
	case "":
		if err := h.CheckJudged(e); err != nil {
			return err
		}
	case Refused, Nonsense, TooLong:
		if len(e.Scores)+len(e.Labels) > 0 || e.Outcome != "" {
			return fmt.Errorf("\"problem\" is %q, but there is a judgement", e.Problem)
		}
	default:
		return fmt.Errorf("\"problem\" is %q, not refused, nonsense or too long", e.Problem)
	}
	j.list, j.known[e.Question] = append(j.list, e), true
	return nil
}

// CheckJudged returns why a judgement does not fill in the whole form: each attribute on its scale and each label, or the
// outcome of a pair, and nothing else.
func (h *Header) CheckJudged(e Judged) error {
	if len(h.Pairs) > 0 {
		if !e.Outcome.Valid() || len(e.Scores)+len(e.Labels) > 0 {
			return fmt.Errorf("\"outcome\" is %q, not one of a, b, = and 0", e.Outcome)
		}
		return nil
	}
	for i := range h.Attributes {
		a := &h.Attributes[i]
		score, ok := e.Scores[a.ID]
		if !ok {
			return fmt.Errorf("\"scores\": %s has none", a.ID)
		}
		if score < 1 || score > a.Max() {
			return fmt.Errorf("\"scores\": %s is %d, but its scale has points 1 to %d", a.ID, score, a.Max())
		}
	}
	for i := range h.Labels {
		if l := &h.Labels[i]; !slices.Contains(l.Values, e.Labels[l.ID]) {
			return fmt.Errorf("\"labels\": %s is %q, not one of %s", l.ID, e.Labels[l.ID], strings.Join(l.Values, ", "))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(e.Scores)) {
		if h.Attribute(id) == nil {
			return fmt.Errorf("\"scores\": there is no attribute %q", id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(e.Labels)) {
		if h.Label(id) == nil {
			return fmt.Errorf("\"labels\": there is no label %q", id)
		}
	}
	if e.Outcome != "" {
		return fmt.Errorf("\"outcome\" is of pairs, and there are none")
	}
	return nil
}

// takeJudged returns the events of judges that this set lacks from another one.
func (s *Set) takeJudged(o *Set) []Event {
	var fresh []Event
	for _, j := range o.judges {
		if s.judging(j.judge.ID) == nil {
			fresh = append(fresh, Event{Judge: &j.judge})
		}
		for _, e := range j.list {
			if !s.HasJudged(e.Question) {
				fresh = append(fresh, Event{Judged: &e})
			}
		}
	}
	return fresh
}

// JudgeProgress is how far a judge is, without what it said.
type JudgeProgress struct {
	Judge    string  `json:"judge"`    // its id
	Model    string  `json:"model"`    // the name in the models file
	Kind     string  `json:"kind"`     // "model"
	Judged   int     `json:"judged"`   // answers that say something
	Missing  int     `json:"missing"`  // questions of the repeats begun that have no answer
	Refused  int     `json:"refused"`  // refusals
	Nonsense int     `json:"nonsense"` // answers in another form
	TooLong  int     `json:"too_long"` // requests that the model cannot take
	Cost     float64 `json:"cost"`     // in the currency of the model's prices
	Warning  string  `json:"warning"`  // why its judgements say nothing of the answers; empty: nothing of the kind was found
}

// JudgeProgress lists how far the judges are.
func (s *Set) JudgeProgress() []JudgeProgress {
	list := []JudgeProgress{}
	for _, j := range s.judges {
		p := JudgeProgress{Judge: j.judge.ID, Model: j.judge.Model.Name, Kind: string(j.judge.Kind)}
		repeats := 1
		for _, e := range j.list {
			repeats, p.Cost = max(repeats, e.Repeat+1), p.Cost+e.Cost
			switch e.Problem {
			case Refused:
				p.Refused++
			case Nonsense:
				p.Nonsense++
			case TooLong:
				p.TooLong++
			default:
				p.Judged++
			}
		}
		p.Missing, p.Warning = len(s.Header.Questions(j.judge.ID, repeats))-len(j.list), j.empty()
		list = append(list, p)
	}
	return list
}

// leastSame is the number of judgements that are all the same from which a judge is said to look at nothing.
const leastSame = 10

// empty returns why a judge's judgements say nothing of the answers.
func (j *judging) empty() string {
	seen, n, one := map[string]bool{}, 0, Judged{}
	for _, e := range j.list {
		if e.Problem == "" {
			seen[short([]any{e.Scores, e.Labels, e.Outcome})] = true
			one = e
			n++
		}
	}
	switch {
	case n < leastSame || len(seen) > 1:
		return ""
	case one.Outcome == pairs.A || one.Outcome == pairs.B:
		return fmt.Sprintf("it chose side %s in all of %d judgements, whichever answer was there", strings.ToUpper(string(one.Outcome)), n)
	}
	return fmt.Sprintf("all of its %d judgements are the same", n)
}

// JudgedOf lists the answers of a judge in the order in which they came.
func (s *Set) JudgedOf(id string) []Judged {
	if j := s.judging(id); j != nil {
		return slices.Clone(j.list)
	}
	return nil
}
