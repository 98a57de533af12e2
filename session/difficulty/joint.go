package difficulty

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/scoring/irt"
	"assay/scoring/stats"
)

// Joint describes the other analysis that this one was calibrated with, to share a scale.
type Joint struct {
	With        string   `json:"with"`        // the other benchmark
	Shared      []string `json:"shared"`      // respondents of both, which link the scales
	Respondents int      `json:"respondents"` // of both together
	Tasks       int      `json:"tasks"`       // of both together

	// The other benchmark's mean minus this one's, over tasks like these, by drawnDifference; nil without
	// draws, with too few tasks, or with a single link.
	Difficulty     *stats.Interval `json:"difficulty_difference,omitempty"`
	Discrimination *stats.Interval `json:"discrimination_difference,omitempty"`
}

// ErrNotShared is returned if no respondent answered both benchmarks.
var ErrNotShared = errors.New("no respondent answered both benchmarks, so nothing links their scales")

// Shared lists the respondents of both analyses, in the order of the first.
func Shared(a, b *Analysis) (names []string) {
	for _, r := range a.Respondents {
		if slices.ContainsFunc(b.Respondents, func(other Respondent) bool { return other.Name == r.Name }) {
			names = append(names, r.Name)
		}
	}
	return names
}

// Calibrate fits the responses of two analyses as one set, so that each respondent has one ability and the
// tasks of both stand on one scale (concurrent calibration: Kolen & Brennan, Test Equating, Scaling, and
// Linking, 3rd ed. 2014, section 6.3). Respondents with equal names are the same; respondents of only one
// analysis have no responses to the other's tasks. Difficulties and abilities of two separately fitted
// analyses cannot be compared, since each has its own scale.
//
// It returns two analyses with the new parameters. Results that use the old parameters do not change:
// constructs and people's estimates are compared with the difficulties of each analysis by itself, and a
// subset was chosen by them. The error is ErrNotShared if no respondent is shared, or explains why the
// union cannot be fitted.
func Calibrate(a, b *Analysis, quick bool) (x, y *Analysis, err error) {
	if err := Comparable(a, b); err != nil {
		return nil, nil, err
	}
	shared := Shared(a, b)
	if len(shared) == 0 {
		return nil, nil, ErrNotShared
	}
	first, second := a.Answers().Sorted(), b.Answers().Sorted()
	apart := func(r irt.Responses, side string) irt.Responses { // both may have tasks with the same id
		r.Items = slices.Clone(r.Items)
		for j := range r.Items {
			r.Items[j] = side + r.Items[j]
		}
		return r
	}
	o := Options{Method: a.fittedBy(), Seed: a.Source.Seed, Quick: quick}
	union := irt.Union(apart(first, "1 "), apart(second, "2 "))
	e, err := o.fit(union)
	if err != nil {
		return nil, nil, fmt.Errorf("%s and %s cannot be calibrated together: %w", a.Source.Name, b.Source.Name, err)
	}
	both := &Analysis{}
	drawn, bounds := both.draw(e, o)
	joint := Joint{With: b.Source.Name, Shared: shared, Respondents: len(union.Respondents), Tasks: len(union.Items)}
	if bounds != nil {
		if err := joint.bound(drawn, union.Second, o.Seed); err != nil {
			return nil, nil, err
		}
	}
	if x, err = a.onScale(first, 0, drawn.Estimates, bounds, both, joint); err != nil {
		return nil, nil, err
	}
	joint.With, joint.Difficulty, joint.Discrimination = a.Source.Name, negated(joint.Difficulty), negated(joint.Discrimination)
	y, err = b.onScale(second, union.Second, drawn.Estimates, bounds, both, joint)
	return x, y, err
}

// FewestLinks is the number of shared respondents needed to bound the difference of two benchmarks. In
// simulations a single one does not show whether respondents of only one benchmark are abler; if they are
// abler by a logit, the interval covers 80 %.
const FewestLinks = 2

// bound computes the differences from draws, in which the second benchmark's tasks start at index second.
func (j *Joint) bound(drawn irt.Drawn, second int, seed uint64) (err error) {
	if len(j.Shared) < FewestLinks {
		return nil
	}
	if j.Difficulty, err = drawnDifference(drawn.Difficulty[:second], drawn.Difficulty[second:], seed); err != nil {
		return err
	}
	j.Discrimination, err = drawnDifference(drawn.Discrimination[:second], drawn.Discrimination[second:], seed)
	return err
}

// negated returns the interval of the opposite difference.
func negated(iv *stats.Interval) *stats.Interval {
	if iv == nil {
		return nil
	}
	return &stats.Interval{Low: -iv.High, High: -iv.Low}
}

// Comparable returns an error if two analyses were fitted or scored in different ways and cannot share a
// scale.
func Comparable(a, b *Analysis) error {
	for _, x := range []struct{ what, first, second string }{
		{"fitted by", a.Model + ", " + string(a.fittedBy()), b.Model + ", " + string(b.fittedBy())},
		{"scored by", string(a.Source.Score), string(b.Source.Score)}, {"of respondents by", string(a.Source.By), string(b.Source.By)},
	} {
		if x.first != x.second && x.first != "" && x.second != "" {
			return fmt.Errorf("%s is %s %s, and %s %s: they are on different scales; analyse both the same way", a.Source.Name, x.what, x.first, b.Source.Name, x.second)
		}
	}
	return nil
}

// fittedBy returns the method; for analyses that do not record it, it follows from the model.
func (a *Analysis) fittedBy() Method {
	switch {
	case a.Fit.By != "":
		return a.Fit.By
	case a.Model == irt.Logistic1.String():
		return OnePL
	case a.Model == irt.Logistic2.String():
		return TwoPL
	case a.Fit.Intervals == "":
		return TaskEval
	}
	return MAP
}

// Answers returns the analysed responses, even if the analysis was read from a file.
func (a *Analysis) Answers() irt.Responses {
	r := irt.Responses{}
	for _, t := range a.Tasks {
		r.Items = append(r.Items, t.ID)
	}
	row := func(values []*float64) []float64 {
		out := make([]float64, len(values))
		for j, v := range values {
			if out[j] = math.NaN(); v != nil {
				out[j] = *v
			}
		}
		return out
	}
	for _, x := range a.Respondents {
		r.Respondents, r.Scores = append(r.Respondents, x.Name), append(r.Scores, row(x.Scores))
		if len(x.Trials) > 0 {
			r.Trials = append(r.Trials, row(x.Trials))
		}
	}
	return r
}

// onScale returns the analysis with the parameters of a joint fit, in which its tasks start at item from.
func (a *Analysis) onScale(r irt.Responses, from int, e *irt.Estimates, bounds *irt.Intervals, both *Analysis, joint Joint) (*Analysis, error) {
	var respondents, items []int
	for _, name := range r.Respondents {
		respondents = append(respondents, slices.Index(e.Respondents, name))
	}
	for j := range r.Items {
		items = append(items, from+j)
	}
	part := e.Part(respondents, items, r.Items)
	var ownBounds *irt.Intervals
	if bounds != nil {
		iv := bounds.Part(respondents, items)
		ownBounds = &iv
	}
	notes := slices.DeleteFunc(slices.Clone(a.Notes), func(n string) bool { return strings.Contains(n, outsideNote) })
	out := &Analysis{Source: a.Source, Notes: notes, Subset: a.Subset, Constructs: a.Constructs, People: a.People, Fit: both.Fit, Joint: &joint}
	out.parameters(r, part, ownBounds)
	for i := range out.Respondents {
		x := &out.Respondents[i]
		x.Who = a.Respondents[slices.Index(r.Respondents, x.Name)].Who
	}
	for j := range out.Tasks {
		x := &out.Tasks[j]
		x.Title = a.Tasks[slices.IndexFunc(a.Tasks, func(t Task) bool { return t.ID == x.ID })].Title
	}
	if len(a.Topics) > 0 {
		g := &Grouping{Made: a.TopicsBy}
		for _, t := range a.Topics {
			g.Topics = append(g.Topics, Group{t.Name, t.Words, t.Tasks})
		}
		out.Regroup(g)
	}
	if err := out.keep(); err != nil {
		return nil, err
	}
	for _, l := range a.Looks {
		at := slices.IndexFunc(out.Tasks, func(t Task) bool { return t.ID == l.Task })
		if l.Kind = out.Tasks[at].Kind; l.Kind == Suspect || l.Kind == Chance {
			out.Looks = append(out.Looks, l)
		}
	}
	var links []string
	for _, c := range a.Curves {
		if c.Why == "" {
			links = append(links, c.Task)
		}
	}
	if len(a.Curves) == 0 {
		return out, nil
	}
	return out, out.Draw(links)
}
