package estimate

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Event is a line of the file after the first: exactly one of its fields is set.
type Event struct {
	Opened    *Opened    `json:"opened,omitempty"`
	Draft     *Estimate  `json:"draft,omitempty"` // what somebody has filled in so far
	Estimate  *Estimate  `json:"estimate,omitempty"`
	TakenBack *TakenBack `json:"taken_back,omitempty"`
	Submitted *Submitted `json:"submitted,omitempty"`
	Review    *Review    `json:"review,omitempty"`
}

// Opened records that somebody started or continued estimating.
type Opened struct {
	Estimator string    `json:"estimator"`
	At        time.Time `json:"at"`
}

// Form is what an estimator fills in. Nothing is preset.
type Form struct {
	Summary    string `json:"summary"`              // the task in one line
	Time       *int   `json:"time,omitempty"`       // category of the scale of times, from 0
	Difficulty int    `json:"difficulty,omitempty"` // 1 to 5; 0: not given
	Reason     string `json:"reason"`
	MS         int64  `json:"ms"` // how long the task was on the screen
}

// Equal compares everything except the time spent.
func (f Form) Equal(g Form) bool {
	same := f.Time == nil && g.Time == nil || f.Time != nil && g.Time != nil && *f.Time == *g.Time
	return same && f.Summary == g.Summary && f.Difficulty == g.Difficulty && f.Reason == g.Reason
}

// Field is a field of the form.
type Field int

// The fields of the form in order.
const (
	FieldSummary Field = iota
	FieldTime
	FieldDifficulty
	FieldReason
	Fields
)

// Missing lists the empty fields.
func (f Form) Missing() []Field {
	var list []Field
	if strings.TrimSpace(f.Summary) == "" {
		list = append(list, FieldSummary)
	}
	if f.Time == nil {
		list = append(list, FieldTime)
	}
	if f.Difficulty == 0 {
		list = append(list, FieldDifficulty)
	}
	if strings.TrimSpace(f.Reason) == "" {
		list = append(list, FieldReason)
	}
	return list
}

// Estimate is one estimator's form for one task. A later one replaces it until the estimates are submitted.
type Estimate struct {
	Estimator string `json:"estimator"`
	Task      string `json:"task"`
	Form
	At time.Time `json:"at"`
}

// TakenBack withdraws an estimator's last estimate of a task: the previous one, if any, counts again.
type TakenBack struct {
	Estimator string    `json:"estimator"`
	Task      string    `json:"task"`
	At        time.Time `json:"at"`
}

// Submitted records that an estimator submitted their estimates, which are final from then on.
type Submitted struct {
	Estimator string    `json:"estimator"`
	At        time.Time `json:"at"`
}

// Review is the owner's decision on an estimator's estimate of a task or, without a task, on all of them.
// The last decision counts.
type Review struct {
	Estimator string    `json:"estimator"`
	Task      string    `json:"task,omitempty"`
	Refused   bool      `json:"refused"`
	Reason    string    `json:"reason,omitempty"`
	At        time.Time `json:"at"`
}

// Round is a round folded from its file.
type Round struct {
	Header Header
	Name   string // of the file, for errors

	people map[string]*person
	order  []string // estimators in the order of first opening
}

// person is what one estimator has done.
type person struct {
	given     map[string][]Estimate // by task, without those withdrawn; the last one counts
	drafts    map[string]Form
	submitted bool
	reviews   map[string]Review // the last decision, by task
	events    []Event           // estimates, withdrawals and the submission
	last      string            // the task last written about
}

// NewRound returns a round without events.
func NewRound(h Header) *Round { return &Round{Header: h, people: map[string]*person{}} }

// Apply folds one event. An impossible event is an error and changes nothing.
func (r *Round) Apply(ev Event) error {
	set := 0
	for _, ok := range []bool{ev.Opened != nil, ev.Draft != nil, ev.Estimate != nil, ev.TakenBack != nil, ev.Submitted != nil, ev.Review != nil} {
		if ok {
			set++
		}
	}
	if set != 1 {
		return fmt.Errorf("it has %d of \"opened\", \"draft\", \"estimate\", \"taken_back\", \"submitted\" and \"review\", but takes exactly one", set)
	}
	switch {
	case ev.Opened != nil:
		return r.open(ev.Opened.Estimator)
	case ev.Draft != nil:
		return r.draft(*ev.Draft)
	case ev.Estimate != nil:
		return r.estimate(*ev.Estimate)
	case ev.TakenBack != nil:
		return r.takeBack(*ev.TakenBack)
	case ev.Submitted != nil:
		return r.submit(*ev.Submitted)
	}
	return r.review(*ev.Review)
}

func (r *Round) open(estimator string) error {
	if err := r.MayOpen(estimator); err != nil {
		return err
	}
	if r.people[estimator] == nil {
		r.people[estimator] = &person{given: map[string][]Estimate{}, drafts: map[string]Form{}, reviews: map[string]Review{}}
		r.order = append(r.order, estimator)
	}
	return nil
}

// MayOpen returns an error if somebody has nothing to estimate here.
func (r *Round) MayOpen(estimator string) error {
	if err := CheckName(estimator); err != nil {
		return err
	}
	if p := r.people[estimator]; p != nil && p.submitted {
		return fmt.Errorf("%s has already handed in: nothing can be changed", estimator)
	}
	for _, known := range r.order {
		if known != estimator && r.Header.mark(known) == r.Header.mark(estimator) {
			return fmt.Errorf("%q is spelled %q here: continue under that name", estimator, known)
		}
	}
	for _, item := range r.Header.Items {
		if !slices.Contains(item.Not, r.Header.mark(estimator)) {
			return nil
		}
	}
	return fmt.Errorf("%s estimated all of these tasks in an earlier round: each round takes new estimators", estimator)
}

// Place returns an error if somebody has no place in the round: they may not open it, or every task that they could
// estimate has as many estimators as it wants. Who opened the round has a place until all their estimates are refused.
func (r *Round) Place(estimator string) error {
	if err := r.MayOpen(estimator); err != nil || r.people[estimator] != nil {
		return err
	}
	for _, item := range r.Header.Items {
		if slices.Contains(item.Not, r.Header.mark(estimator)) {
			continue
		}
		taken := 0
		for name, p := range r.people {
			if !slices.Contains(item.Not, r.Header.mark(name)) && !p.reviews[item.Task].Refused {
				taken++
			}
		}
		if taken < r.Header.Estimators {
			return nil
		}
	}
	return fmt.Errorf("all %d places of this round are taken", r.Header.Estimators)
}

// writer returns the estimator who wants to change something about a task.
func (r *Round) writer(estimator, task string) (*person, error) {
	p := r.people[estimator]
	item := r.Header.Item(task)
	switch {
	case p == nil:
		return nil, fmt.Errorf("\"estimator\": %q has not opened the round", estimator)
	case p.submitted:
		return nil, fmt.Errorf("%s has already handed in: nothing can be changed", estimator)
	case item == nil:
		return nil, fmt.Errorf("\"task\": the round has no task %q", task)
	case slices.Contains(item.Not, r.Header.mark(estimator)):
		return nil, fmt.Errorf("%s estimated %s in an earlier round: each round takes new estimators", estimator, task)
	}
	return p, nil
}

// checkForm returns an error if a field is off its scale.
func (r *Round) checkForm(f Form) error {
	switch {
	case f.Time != nil && (*f.Time < 0 || *f.Time >= r.Header.Categories()):
		return fmt.Errorf("\"time\" is %d, but the scale has categories 0 to %d", *f.Time, r.Header.Categories()-1)
	case f.Difficulty < 0 || f.Difficulty > Points:
		return fmt.Errorf("\"difficulty\" is %d, but the scale has points 1 to %d", f.Difficulty, Points)
	case f.MS < 0:
		return fmt.Errorf("\"ms\" is %d: time cannot be negative", f.MS)
	}
	return nil
}

func (r *Round) draft(d Estimate) error {
	p, err := r.writer(d.Estimator, d.Task)
	if err != nil {
		return err
	}
	if err := r.checkForm(d.Form); err != nil {
		return err
	}
	p.drafts[d.Task], p.last = d.Form, d.Task
	return nil
}

func (r *Round) estimate(e Estimate) error {
	p, err := r.writer(e.Estimator, e.Task)
	if err != nil {
		return err
	}
	if err := r.checkForm(e.Form); err != nil {
		return err
	}
	if missing := e.Missing(); len(missing) > 0 {
		return fmt.Errorf("%q is missing from the estimate", [...]string{"summary", "time", "difficulty", "reason"}[missing[0]])
	}
	p.given[e.Task] = append(p.given[e.Task], e)
	p.events = append(p.events, Event{Estimate: &e})
	delete(p.drafts, e.Task)
	p.last = e.Task
	return nil
}

func (r *Round) takeBack(t TakenBack) error {
	p, err := r.writer(t.Estimator, t.Task)
	if err != nil {
		return err
	}
	list := p.given[t.Task]
	if len(list) == 0 {
		return fmt.Errorf("%s has no estimate of %s to take back", t.Estimator, t.Task)
	}
	p.given[t.Task] = list[:len(list)-1]
	p.drafts[t.Task], p.last = list[len(list)-1].Form, t.Task
	p.events = append(p.events, Event{TakenBack: &t})
	return nil
}

func (r *Round) submit(s Submitted) error {
	p := r.people[s.Estimator]
	switch {
	case p == nil:
		return fmt.Errorf("\"estimator\": %q has not opened the round", s.Estimator)
	case p.submitted:
		return fmt.Errorf("%s has already handed in", s.Estimator)
	case p.count() == 0:
		return fmt.Errorf("%s has no estimates to hand in", s.Estimator)
	}
	p.submitted = true
	p.events = append(p.events, Event{Submitted: &s})
	return nil
}

// count returns the number of tasks that somebody has estimated.
func (p *person) count() int {
	n := 0
	for _, list := range p.given {
		if len(list) > 0 {
			n++
		}
	}
	return n
}

func (r *Round) review(v Review) error {
	p := r.people[v.Estimator]
	switch {
	case p == nil:
		return fmt.Errorf("\"estimator\": there is no estimator %q here: the estimators are %s", v.Estimator, nameList(r.order))
	case v.Task != "" && len(p.given[v.Task]) == 0:
		return fmt.Errorf("\"task\": %s has no estimate of %q", v.Estimator, v.Task)
	case v.Refused && strings.TrimSpace(v.Reason) == "":
		return fmt.Errorf("\"reason\" is missing: give the reason for refusing it")
	}
	for _, item := range r.Header.Items {
		if v.Task == "" || v.Task == item.Task {
			p.reviews[item.Task] = v
		}
	}
	return nil
}

func nameList(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(slices.Sorted(slices.Values(list)), ", ")
}

// Entry is a task as an estimator sees it.
type Entry struct {
	Item
	Form  Form  // current: the draft, else the estimate
	Given *Form // the stored estimate; nil if there is none
}

// Changed reports whether the form differs from the stored estimate.
func (e Entry) Changed() bool { return e.Given != nil && !e.Given.Equal(e.Form) }

// For lists the tasks that somebody may estimate, with what they have filled in.
func (r *Round) For(estimator string) []Entry {
	var list []Entry
	p := r.people[estimator]
	for _, item := range r.Header.Items {
		if slices.Contains(item.Not, r.Header.mark(estimator)) {
			continue
		}
		e := Entry{Item: item}
		if p != nil {
			if given := p.given[item.Task]; len(given) > 0 {
				e.Form = given[len(given)-1].Form
				form := e.Form
				e.Given = &form
			}
			if d, ok := p.drafts[item.Task]; ok {
				e.Form = d
			}
		}
		list = append(list, e)
	}
	return list
}

// Last returns the task that somebody last wrote about, "" if there is none.
func (r *Round) Last(estimator string) string {
	if p := r.people[estimator]; p != nil {
		return p.last
	}
	return ""
}

// Estimators lists those who opened the round, in the order of first opening.
func (r *Round) Estimators() []string { return slices.Clone(r.order) }

// Submitted reports whether somebody has submitted.
func (r *Round) Submitted(estimator string) bool {
	p := r.people[estimator]
	return p != nil && p.submitted
}

// Given lists somebody's stored estimates, in task order.
func (r *Round) Given(estimator string) []Estimate {
	var list []Estimate
	if p := r.people[estimator]; p != nil {
		for _, item := range r.Header.Items {
			if given := p.given[item.Task]; len(given) > 0 {
				list = append(list, given[len(given)-1])
			}
		}
	}
	return list
}

// Refused returns why an estimate is refused, "" if it is not.
func (r *Round) Refused(estimator, task string) string {
	if p := r.people[estimator]; p != nil {
		if v := p.reviews[task]; v.Refused {
			return v.Reason
		}
	}
	return ""
}

// Counted lists the estimates of a task that count: submitted and not refused.
func (r *Round) Counted(task string) []Estimate {
	var list []Estimate
	for _, who := range r.order {
		p := r.people[who]
		given := p.given[task]
		if p.submitted && !p.reviews[task].Refused && len(given) > 0 {
			list = append(list, given[len(given)-1])
		}
	}
	return list
}

// merge adds the contents of another file of the same round. An estimator may be in both files if the
// estimates in one start with those in the other: then the longer list counts. Of the reviews the latest
// counts.
func (r *Round) merge(o *Round) error {
	for _, who := range o.order {
		theirs, ours := o.people[who], r.people[who]
		if ours == nil {
			for _, known := range r.order {
				if r.Header.mark(known) == r.Header.mark(who) {
					return fmt.Errorf("%q of %s is %q in %s: an estimator must use one name", who, o.Name, known, r.Name)
				}
			}
			r.people[who] = theirs
			r.order = append(r.order, who)
			continue
		}
		for i := range min(len(ours.events), len(theirs.events)) {
			if !ours.events[i].same(theirs.events[i]) {
				return fmt.Errorf("%s has different estimates in %s and in %s: keep only the right file", who, r.Name, o.Name)
			}
		}
		longer, shorter := ours, theirs
		if len(theirs.events) > len(ours.events) {
			longer, shorter = theirs, ours
		}
		for task, v := range shorter.reviews {
			if known, ok := longer.reviews[task]; !ok || v.At.After(known.At) {
				longer.reviews[task] = v
			}
		}
		r.people[who] = longer
	}
	return nil
}

// same reports whether two events of an estimator are equal except for their times.
func (ev Event) same(o Event) bool {
	switch {
	case ev.Estimate != nil && o.Estimate != nil:
		return ev.Estimate.Task == o.Estimate.Task && ev.Estimate.Equal(o.Estimate.Form)
	case ev.TakenBack != nil && o.TakenBack != nil:
		return ev.TakenBack.Task == o.TakenBack.Task
	}
	return ev.Submitted != nil && o.Submitted != nil
}
