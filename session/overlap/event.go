package overlap

import (
	"fmt"
	"maps"
	"time"
)

// Event is one line of the file after the first: one of its fields is set.
type Event struct {
	Opened      *Opened    `json:"opened,omitempty"`
	Rated       *Rated     `json:"rated,omitempty"`
	Labelled    *Labelled  `json:"labelled,omitempty"`
	Noted       *Noted     `json:"noted,omitempty"`
	NoteDraft   *Noted     `json:"note_draft,omitempty"` // a note that is being typed; one that says what the note says is none
	TakenBack   *TakenBack `json:"taken_back,omitempty"`
	Closed      *Closed    `json:"closed,omitempty"`
	Settled     *Settled   `json:"settled,omitempty"`
	ReasonDraft *Settled   `json:"reason_draft,omitempty"` // a decision whose reason is being typed; one without a reason is none
	Unsettled   *Unsettled `json:"unsettled,omitempty"`
}

// Opened says that a rater began, or went on.
type Opened struct {
	Rater string    `json:"rater"`
	At    time.Time `json:"at"`
}

// Rated is a rater's score of one attribute of an item. A later one replaces it.
type Rated struct {
	Rater     string    `json:"rater"`
	Item      string    `json:"item"`
	Attribute string    `json:"attribute"`
	Score     int       `json:"score"`
	At        time.Time `json:"at"`
}

// Labelled is a rater's answer to a label's question.
type Labelled struct {
	Rater string    `json:"rater"`
	Item  string    `json:"item"`
	Label string    `json:"label"`
	Value string    `json:"value"`
	At    time.Time `json:"at"`
}

// Noted is what a rater wrote about an item; an empty text is none.
type Noted struct {
	Rater string    `json:"rater"`
	Item  string    `json:"item"`
	Text  string    `json:"text"`
	At    time.Time `json:"at"`
}

// TakenBack undoes a rater's last score, label or note that stands.
type TakenBack struct {
	Rater string    `json:"rater"`
	At    time.Time `json:"at"`
}

// Closed ends the rating for all. What everybody rated can be seen from then on.
type Closed struct {
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Missing int       `json:"missing"` // items of raters that are not rated whole
}

// Settled is what an adjudicator decided where raters disagree: a score of an attribute, or a
// label's value, and why. A later one replaces it.
type Settled struct {
	By        string    `json:"by"`
	Item      string    `json:"item"`
	Attribute string    `json:"attribute,omitempty"`
	Score     int       `json:"score,omitempty"`
	Label     string    `json:"label,omitempty"`
	Value     string    `json:"value,omitempty"`
	Reason    string    `json:"reason"`
	At        time.Time `json:"at"`
}

// Unsettled undoes the last decision that stands.
type Unsettled struct {
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// rater is who an event is of, "" for one of nobody's.
func (ev Event) rater() string {
	switch {
	case ev.Opened != nil:
		return ev.Opened.Rater
	case ev.Rated != nil:
		return ev.Rated.Rater
	case ev.Labelled != nil:
		return ev.Labelled.Rater
	case ev.Noted != nil:
		return ev.Noted.Rater
	case ev.NoteDraft != nil:
		return ev.NoteDraft.Rater
	case ev.TakenBack != nil:
		return ev.TakenBack.Rater
	}
	return ""
}

// at is when an event of a rater was; zero for one of nobody's.
func (ev Event) at() time.Time {
	switch {
	case ev.Opened != nil:
		return ev.Opened.At
	case ev.Rated != nil:
		return ev.Rated.At
	case ev.Labelled != nil:
		return ev.Labelled.At
	case ev.Noted != nil:
		return ev.Noted.At
	case ev.NoteDraft != nil:
		return ev.NoteDraft.At
	case ev.TakenBack != nil:
		return ev.TakenBack.At
	}
	return time.Time{}
}

// check reports whether one field is set.
func (ev Event) check() error {
	set := 0
	for _, is := range []bool{ev.Opened != nil, ev.Rated != nil, ev.Labelled != nil, ev.Noted != nil, ev.NoteDraft != nil, ev.TakenBack != nil, ev.Closed != nil, ev.Settled != nil, ev.ReasonDraft != nil, ev.Unsettled != nil} {
		if is {
			set++
		}
	}
	if set != 1 {
		return fmt.Errorf("it has %d of \"opened\", \"rated\", \"labelled\", \"noted\", \"note_draft\", \"taken_back\", \"closed\", \"settled\", \"reason_draft\" and \"unsettled\", but takes exactly one", set)
	}
	return nil
}

// Form is what a rater filled in for an item. Nothing of it is preset.
type Form struct {
	Scores map[string]int    `json:"scores"`
	Labels map[string]string `json:"labels"`
	Note   string            `json:"note,omitempty"`
}

func newForm() Form { return Form{Scores: map[string]int{}, Labels: map[string]string{}} }

func (f Form) clone() Form {
	return Form{Scores: maps.Clone(f.Scores), Labels: maps.Clone(f.Labels), Note: f.Note}
}

// Filled is how many rows of the form are filled in; a note is none.
func (f Form) Filled() int { return len(f.Scores) + len(f.Labels) }
