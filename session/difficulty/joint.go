package difficulty

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"assay/scoring/irt"
	"assay/scoring/stats"
)

// Joint describes the other analysis that this one was calibrated with, to share a scale.
type Joint struct {
	With        string   `json:"with"`        // the other benchmark
	Shared      []string `json:"shared"`      // respondents of both, which link the scales, without those that drift
	Respondents int      `json:"respondents"` // of both together
	Tasks       int      `json:"tasks"`       // of both together

	// Drifted are respondents of both that do not link the scales, since they are abler on one benchmark than on the
	// other, by more than chance and other than most: they have an ability on each. Differences are this benchmark's
	// less the other's.
	Drifted []irt.Drift `json:"drifted,omitempty"`
	// Torn reports that it is not known who drifts, since too many do or none surely, though they disagree by more than
	// chance: the differences have no interval.
	Torn bool `json:"torn,omitempty"`

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
	link, err := o.link(apart(first, "1 "), apart(second, "2 "), shared)
	if err != nil {
		return nil, nil, fmt.Errorf("%s and %s cannot be calibrated together: %w", a.Source.Name, b.Source.Name, err)
	}
	union, both := link.union, &Analysis{}
	drawn, bounds := both.draw(link.fit, o)
	joint := Joint{With: b.Source.Name, Shared: link.shared, Drifted: link.drifted, Torn: link.torn, Respondents: len(union.Respondents) - len(link.drifted), Tasks: len(union.Items)}
	if bounds != nil {
		if err := joint.bound(drawn, union.Second, o.Seed); err != nil {
			return nil, nil, err
		}
	}
	if x, err = a.onScale(first, first.Respondents, 0, drawn.Estimates, bounds, both, joint); err != nil {
		return nil, nil, err
	}
	joint.With, joint.Difficulty, joint.Discrimination = a.Source.Name, negated(joint.Difficulty), negated(joint.Discrimination)
	joint.Drifted = slices.Clone(joint.Drifted)
	for i := range joint.Drifted {
		joint.Drifted[i].Difference *= -1
	}
	y, err = b.onScale(second, link.second, union.Second, drawn.Estimates, bounds, both, joint)
	return x, y, err
}

// link is a joint fit of two benchmarks, and by whom they are linked.
type link struct {
	union   irt.Responses
	fit     *irt.Estimates
	second  []string // the respondents of the second benchmark as the union names them
	shared  []string // those who link
	drifted []irt.Drift
	torn    bool
}

// driftLevel is the level of the test of drift, for all shared respondents of a fit together.
const driftLevel = 0.05

// link fits two benchmarks jointly. As long as a shared respondent drifts, the one that does most surely becomes two
// respondents, and the rest is fitted again; five in six of all shared ones, and FewestLinks of them, must be left, and
// those agree but for chance.
func (o Options) link(first, second irt.Responses, shared []string) (link, error) {
	l := link{shared: slices.Clone(shared)}
	second.Respondents = slices.Clone(second.Respondents)
	for {
		l.union, l.second = irt.Union(first, second), second.Respondents
		var err error
		if l.fit, err = o.fit(l.union); err != nil {
			return l, err
		}
		drifts := l.fit.Drifts(l.union.Second)
		if len(drifts) < FewestLinks {
			return l, nil
		}
		worst := slices.MinFunc(drifts, func(a, b irt.Drift) int {
			return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(math.Abs(b.Difference)/b.SE, math.Abs(a.Difference)/a.SE))
		})
		_, chance := disagreement(drifts)
		switch left := len(l.shared) - 1; {
		case worst.P <= driftLevel && left >= FewestLinks && 6*left >= 5*len(shared):
			l.shared = slices.DeleteFunc(l.shared, func(name string) bool { return name == worst.Respondent })
			l.drifted = append(l.drifted, worst)
			second.Respondents[slices.Index(second.Respondents, worst.Respondent)] += onSecond
		case worst.P > driftLevel && chance >= driftLevel:
			return l, nil
		case len(l.drifted) == 0:
			l.torn = true
			return l, nil
		default:
			return o.linkAll(first, second, shared, l.drifted)
		}
	}
}

// onSecond follows the name of a respondent's second self.
const onSecond = " on the second benchmark"

// linkAll fits two benchmarks linked by all shared respondents, since it is not known which of them drift.
func (o Options) linkAll(first, second irt.Responses, shared []string, drifted []irt.Drift) (link, error) {
	for _, d := range drifted {
		second.Respondents[slices.Index(second.Respondents, d.Respondent+onSecond)] = d.Respondent
	}
	l := link{union: irt.Union(first, second), second: second.Respondents, shared: shared, torn: true}
	var err error
	l.fit, err = o.fit(l.union)
	return l, err
}

// FewestLinks is the number of shared respondents needed to bound the difference of two benchmarks. In
// simulations a single one does not show whether respondents of only one benchmark are abler; if they are
// abler by a logit, the interval covers 80 %.
const FewestLinks = 2

// bound computes the differences from draws, in which the second benchmark's tasks start at index second.
func (j *Joint) bound(drawn irt.Drawn, second int, seed uint64) (err error) {
	if len(j.Shared) < FewestLinks || j.Torn {
		return nil
	}
	if j.Difficulty, err = drawnDifference(drawn.Difficulty[:second], drawn.Difficulty[second:], seed, errorOfLink(drawn, second)); err != nil {
		return err
	}
	j.Discrimination, err = drawnDifference(drawn.Discrimination[:second], drawn.Discrimination[second:], seed, nil)
	return err
}

// linkError is how far the second benchmark may lie off the first, since its links disagree: Student's t with a standard
// error in logits.
type linkError struct {
	sd, freedom float64
	moved       func(parameter, logits float64) float64
}

// errorOfLink returns the standard error of the mean drift of the respondents who link two benchmarks, as far as they differ
// by more than their own errors; nil if they do not. So an interval holds where some respondents know tasks by heart and
// the test of drift does not find them.
func errorOfLink(drawn irt.Drawn, second int) *linkError {
	drifts := drawn.Estimates.Drifts(second)
	between, _ := disagreement(drifts)
	if between == 0 {
		return nil
	}
	n := float64(len(drifts))
	return &linkError{math.Sqrt(between / n), n - 1, drawn.Moved}
}

// disagreement returns the variance of drifts beyond their own errors, 0 or more, and the p-value of Cochran's test that
// there is none (DerSimonian & Laird, Controlled Clinical Trials 7, 1986, whose studies are respondents here).
func disagreement(drifts []irt.Drift) (between, p float64) {
	var sum, squares, weighted, q float64
	for _, d := range drifts {
		w := 1 / (d.SE * d.SE)
		sum, squares, weighted = sum+w, squares+w*w, weighted+w*d.Difference
	}
	for _, d := range drifts {
		off := d.Difference - weighted/sum
		q += off * off / (d.SE * d.SE)
	}
	freedom := float64(len(drifts) - 1)
	if freedom < 1 {
		return 0, 1
	}
	return max(0, (q-freedom)/(sum-squares/sum)), distuv.ChiSquared{K: freedom}.Survival(q)
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

// onScale returns the analysis with the parameters of a joint fit, in which its respondents have other names, and its tasks
// start at item from.
func (a *Analysis) onScale(r irt.Responses, called []string, from int, e *irt.Estimates, bounds *irt.Intervals, both *Analysis, joint Joint) (*Analysis, error) {
	var respondents, items []int
	for _, name := range called {
		respondents = append(respondents, slices.Index(e.Respondents, name))
	}
	for j := range r.Items {
		items = append(items, from+j)
	}
	part := e.Part(respondents, items, r.Items)
	part.Respondents = r.Respondents
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
		of := a.Tasks[slices.IndexFunc(a.Tasks, func(t Task) bool { return t.ID == x.ID })]
		x.Title, x.Original = of.Title, of.Original
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
	if a.Originals != nil {
		if err := out.compareOriginals(*a.Originals); err != nil {
			return nil, err
		}
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
