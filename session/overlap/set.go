package overlap

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// ErrOpen is returned for other raters' answers before the ratings are closed.
var ErrOpen = errors.New("the ratings are not closed yet")

// Set is the fold of a file.
type Set struct {
	Header Header
	Name   string // of the file, for errors
	filter string // what chose the tasks of a part; "": it is whole

	people  map[string]*person
	judges  []*judging
	picks   []SessionPick
	closed  *Closed
	settled []Settled          // in force, in order; the last one for a question counts
	drafts  map[string]Settled // with reasons being typed, by adjudicator
}

// person is what one rater has done.
type person struct {
	forms  map[string]Form // by item
	undo   []change
	last   string   // the item last changed
	shown  []string // with [Next]: the pairs changed, in order
	events []Event  // without drafts
	draft  *Noted   // the note being typed
}

// change is the form of an item before a change.
type change struct {
	item string
	form Form
}

// NewSet returns a set without events.
func NewSet(h Header) *Set {
	return &Set{Header: h, people: map[string]*person{}, drafts: map[string]Settled{}}
}

// Apply folds one event. An impossible event is an error and changes nothing.
func (s *Set) Apply(ev Event) error {
	if err := ev.check(); err != nil {
		return err
	}
	var err error
	switch {
	case ev.Closed != nil:
		err = s.close(*ev.Closed)
	case ev.Settled != nil:
		err = s.settle(*ev.Settled)
	case ev.ReasonDraft != nil:
		err = s.draftReason(*ev.ReasonDraft)
	case ev.Unsettled != nil:
		err = s.unsettle()
	case ev.Judge != nil:
		err = s.admit(*ev.Judge)
	case ev.Judged != nil:
		err = s.judge(*ev.Judged)
	case ev.Picked != nil:
		err = s.pick(*ev.Picked)
	default:
		err = s.rate(ev)
	}
	return err
}

// MayRate returns an error if somebody has nothing to rate here.
func (s *Set) MayRate(rater string) error {
	switch {
	case s.closed != nil:
		return fmt.Errorf("the ratings were closed by %s on %s: they can no longer be changed", s.closed.By, s.closed.At.Format("2006-01-02"))
	case !slices.Contains(s.Header.Raters, rater):
		return fmt.Errorf("%q is not a rater here: the raters are %s", rater, strings.Join(s.Header.Raters, ", "))
	case len(s.Header.Of(rater)) == 0:
		return fmt.Errorf("%s has nothing to rate", rater)
	}
	return nil
}

// rate folds an event of a rater.
func (s *Set) rate(ev Event) error {
	rater := ev.rater()
	if err := s.MayRate(rater); err != nil {
		return fmt.Errorf("\"rater\": %w", err)
	}
	p := s.people[rater]
	if ev.Opened != nil {
		if p == nil {
			p = &person{forms: map[string]Form{}}
			s.people[rater] = p
		}
		p.events = append(p.events, ev)
		return nil
	}
	if p == nil {
		return fmt.Errorf("\"rater\": %s has not opened the file", rater)
	}
	if ev.TakenBack != nil {
		if len(p.undo) == 0 {
			return fmt.Errorf("%s has no rating to take back", rater)
		}
		before := p.undo[len(p.undo)-1]
		p.undo = p.undo[:len(p.undo)-1]
		p.forms[before.item], p.last = before.form, before.item
		p.events = append(p.events, ev)
		return nil
	}
	if ev.NoteDraft != nil {
		return s.draftNote(p, *ev.NoteDraft)
	}
	item, alter, err := s.alteration(ev)
	if err != nil {
		return err
	}
	if !slices.Contains(s.Header.Of(rater), item) {
		return fmt.Errorf("\"item\": %s does not rate %q", rater, item)
	}
	form, ok := p.forms[item]
	if !ok {
		form = newForm()
	}
	if err := s.show(p, rater, item); err != nil {
		return err
	}
	p.undo = append(p.undo, change{item, form})
	form = form.clone()
	alter(&form)
	p.forms[item], p.last = form, item
	p.events = append(p.events, ev)
	if ev.Noted != nil {
		p.draft = nil
	}
	return nil
}

// draftNote folds a note being typed.
func (s *Set) draftNote(p *person, e Noted) error {
	if !slices.Contains(s.Header.Of(e.Rater), e.Item) {
		return fmt.Errorf("\"item\": %s does not rate %q", e.Rater, e.Item)
	}
	if err := s.show(p, e.Rater, e.Item); err != nil {
		return err
	}
	p.draft = &e
	if e.Text == p.forms[e.Item].Note {
		p.draft = nil
	}
	return nil
}

// alteration returns the change that an event makes to the form of an item.
func (s *Set) alteration(ev Event) (item string, alter func(*Form), err error) {
	switch {
	case ev.Rated != nil:
		e := *ev.Rated
		a := s.Header.Attribute(e.Attribute)
		if a == nil {
			return "", nil, fmt.Errorf("\"attribute\": there is no %q", e.Attribute)
		}
		if e.Score < 1 || e.Score > a.Max() {
			return "", nil, fmt.Errorf("\"score\" is %d, but the scale of %s has points 1 to %d", e.Score, a.ID, a.Max())
		}
		return e.Item, func(f *Form) { f.Scores[e.Attribute] = e.Score }, nil
	case ev.Labelled != nil:
		e := *ev.Labelled
		l := s.Header.Label(e.Label)
		if l == nil {
			return "", nil, fmt.Errorf("\"label\": there is no %q", e.Label)
		}
		if !slices.Contains(l.Values, e.Value) {
			return "", nil, fmt.Errorf("\"value\" of %s is %q, not one of %s", l.ID, e.Value, strings.Join(l.Values, ", "))
		}
		return e.Item, func(f *Form) { f.Labels[e.Label] = e.Value }, nil
	case ev.Compared != nil:
		e := *ev.Compared
		switch {
		case s.Header.Pair(e.Pair) == nil:
			return "", nil, fmt.Errorf("\"pair\": there is no %q", e.Pair)
		case !e.Outcome.Valid():
			return "", nil, fmt.Errorf("\"outcome\" of %s is %q, not one of a, b, = and 0", e.Pair, e.Outcome)
		case e.MS < 0:
			return "", nil, fmt.Errorf("\"ms\" of %s is %d: it must be 0 or more", e.Pair, e.MS)
		}
		if err := s.Header.checkReasons(e); err != nil {
			return "", nil, err
		}
		return e.Pair, func(f *Form) { f.Outcome, f.Much, f.Why = e.Outcome, e.Much, maps.Clone(e.Why) }, nil
	}
	e := *ev.Noted
	return e.Item, func(f *Form) { f.Note = e.Text }, nil
}

func (s *Set) close(c Closed) error {
	switch {
	case s.Header.Rater != "":
		return errors.New("this is one rater's file: close the file of all raters")
	case s.closed != nil:
		return errors.New("the ratings are already closed")
	case strings.TrimSpace(c.By) == "":
		return errors.New("\"by\" is empty: name who closes the ratings")
	}
	s.closed = &c
	return nil
}

func (s *Set) settle(e Settled) error {
	if err := s.maySettle(e); err != nil {
		return err
	}
	if strings.TrimSpace(e.Reason) == "" {
		return errors.New("\"reason\" is empty: give the reason for settling it so")
	}
	s.settled = append(s.settled, e)
	delete(s.drafts, e.By)
	return nil
}

// draftReason folds a reason being typed.
func (s *Set) draftReason(e Settled) error {
	if err := s.maySettle(e); err != nil {
		return err
	}
	s.drafts[e.By] = e
	if strings.TrimSpace(e.Reason) == "" {
		delete(s.drafts, e.By)
	}
	return nil
}

// maySettle checks a decision except for its reason.
func (s *Set) maySettle(e Settled) error {
	a, l := s.Header.Attribute(e.Attribute), s.Header.Label(e.Label)
	switch {
	case s.closed == nil:
		return fmt.Errorf("%w: nothing can be settled before", ErrOpen)
	case strings.TrimSpace(e.By) == "":
		return errors.New("\"by\" is empty: name who settles it")
	case s.Header.Item(e.Item) == nil:
		return fmt.Errorf("\"item\": there is no %q", e.Item)
	case (a == nil) == (l == nil):
		return fmt.Errorf("\"attribute\" %q or \"label\" %q: one of them is settled, and one that there is", e.Attribute, e.Label)
	case a != nil && (e.Score < 1 || e.Score > a.Max() || e.Value != ""):
		return fmt.Errorf("\"score\" is %d, but the scale of %s has points 1 to %d", e.Score, a.ID, a.Max())
	case l != nil && (!slices.Contains(l.Values, e.Value) || e.Score != 0):
		return fmt.Errorf("\"value\" of %s is %q, not one of %s", l.ID, e.Value, strings.Join(l.Values, ", "))
	}
	return nil
}

func (s *Set) unsettle() error {
	if len(s.settled) == 0 {
		return errors.New("there is no settlement to take back")
	}
	s.settled = s.settled[:len(s.settled)-1]
	return nil
}

// Entry is an item as its rater sees it.
type Entry struct {
	Item
	Form Form

	// Of a pair: Item is the side A, Other the side B.
	Other *Item
	Pair  string
}

// Unit returns the id of what is rated: the item, or the pair.
func (e *Entry) Unit() string { return cmp.Or(e.Pair, e.ID) }

// For lists a rater's items with what they have filled in, and nothing from others.
func (s *Set) For(rater string) []Entry {
	var list []Entry
	for _, id := range s.shown(rater) {
		if p := s.Header.Pair(id); p != nil {
			list = append(list, Entry{Item: *s.Header.Item(p.A), Other: s.Header.Item(p.B), Pair: p.ID, Form: s.form(rater, id)})
			continue
		}
		list = append(list, Entry{Item: *s.Header.Item(id), Form: s.form(rater, id)})
	}
	return list
}

// form returns a copy of what somebody filled in.
func (s *Set) form(rater, item string) Form {
	if p := s.people[rater]; p != nil {
		if f, ok := p.forms[item]; ok {
			return f.clone()
		}
	}
	return newForm()
}

// Last returns the item that somebody last changed, "" if there is none.
func (s *Set) Last(rater string) string {
	if p := s.people[rater]; p != nil {
		return p.last
	}
	return ""
}

// NoteDraft returns the note that somebody was typing and has neither saved nor discarded; nil if there is none.
func (s *Set) NoteDraft(rater string) *Noted {
	if p := s.people[rater]; p != nil && p.draft != nil {
		e := *p.draft
		return &e
	}
	return nil
}

// ReasonDraft returns the decision whose reason somebody was typing; nil if there is none.
func (s *Set) ReasonDraft(by string) *Settled {
	if e, ok := s.drafts[by]; ok {
		return &e
	}
	return nil
}

// Steps returns the number of steps that somebody can undo.
func (s *Set) Steps(rater string) int {
	if p := s.people[rater]; p != nil {
		return len(p.undo)
	}
	return 0
}

// Progress is a rater's progress, without ratings.
type Progress struct {
	Rater   string `json:"rater"`
	Items   int    `json:"items"`
	Whole   int    `json:"whole"`    // with every row filled in
	Begun   int    `json:"begun"`    // with some rows filled in
	HasFile bool   `json:"has_file"` // opened here, or in a file merged into this one

	Last time.Time `json:"last,omitzero"` // when the rater was last active
}

// Progress lists the raters' progress.
func (s *Set) Progress() []Progress {
	var list []Progress
	for _, w := range s.Header.Work {
		p := Progress{Rater: w.Rater, Items: s.Header.Share(w.Rater), HasFile: s.people[w.Rater] != nil}
		if p.HasFile {
			events := s.people[w.Rater].events
			p.Last = events[len(events)-1].at()
		}
		for _, id := range w.Items {
			switch f := s.form(w.Rater, id); {
			case s.Header.Whole(f):
				p.Whole++
			case f.Filled() > 0:
				p.Begun++
			}
		}
		list = append(list, p)
	}
	return list
}

// Missing returns the number of assigned items not completely rated.
func (s *Set) Missing() int {
	n := 0
	for _, p := range s.Progress() {
		n += p.Items - p.Whole
	}
	return n
}

// Closed returns by whom and when the ratings were closed; nil while they are open.
func (s *Set) Closed() *Closed { return s.closed }

// Given is what one of an item's raters filled in.
type Given struct {
	Rater string
	Form  Form
}

// Given lists what the raters of an item filled in. Before the ratings are closed it returns [ErrOpen].
func (s *Set) Given(item string) ([]Given, error) {
	if s.closed == nil {
		return nil, ErrOpen
	}
	var list []Given
	for _, rater := range s.Header.ratersOf(item) {
		list = append(list, Given{rater, s.form(rater, item)})
	}
	return list, nil
}

// Settlements lists the decisions in force: the last one for each question.
func (s *Set) Settlements() []Settled {
	last := map[question]int{}
	for i, e := range s.settled {
		last[e.question()] = i
	}
	var list []Settled
	for i, e := range s.settled {
		if last[e.question()] == i {
			list = append(list, e)
		}
	}
	return list
}

// LastSettled returns the decision that would be undone; nil if there is none.
func (s *Set) LastSettled() *Settled {
	if len(s.settled) == 0 {
		return nil
	}
	last := s.settled[len(s.settled)-1]
	return &last
}

// question identifies a question that can be settled.
type question struct{ item, attribute, label string }

func (e Settled) question() question { return question{e.Item, e.Attribute, e.Label} }

// Take returns the events that this set lacks from another file of the plan: the file of one rater, or a
// copy of the common file. What a rater filled in in one of them must start with what they filled in in the
// other; when they opened either does not matter, and drafts of notes are not taken over.
func (s *Set) Take(o *Set) ([]Event, error) {
	want := s.Header
	if o.Header.Rater != "" {
		want = s.Header.For(o.Header.Rater)
	}
	switch {
	case o.Header.Plan != s.Header.Plan:
		return nil, fmt.Errorf("%s has a different plan from %s", o.Name, s.Name)
	case !want.same(&o.Header):
		return nil, fmt.Errorf("the first line of %s was changed after planning", o.Name)
	case s.Header.Rater != "":
		return nil, fmt.Errorf("%s is one rater's file: name the file of all raters first", s.Name)
	}
	var fresh []Event
	for _, rater := range s.Header.Raters {
		theirs := o.people[rater]
		if theirs == nil {
			continue
		}
		if s.people[rater] == nil {
			fresh = append(fresh, theirs.events...)
			continue
		}
		ours, more := s.people[rater].filledIn(), theirs.filledIn()
		for i := range min(len(ours), len(more)) {
			if !equal(ours[i], more[i]) {
				return nil, fmt.Errorf("%s rated differently in %s and in %s: keep only the right file", rater, s.Name, o.Name)
			}
		}
		if len(more) > len(ours) {
			fresh = append(fresh, more[len(ours):]...)
		}
	}
	return append(fresh, s.takeJudged(o)...), nil
}

// filledIn returns somebody's events except Opened.
func (p *person) filledIn() []Event {
	return slices.DeleteFunc(slices.Clone(p.events), func(ev Event) bool { return ev.Opened != nil })
}

func equal(a, b Event) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
