package overlap

import (
	"fmt"
	"maps"
	"time"

	"assay/scoring/pairs"
)

// Event is a line of the file after the first: exactly one of its fields is set.
type Event struct {
	Opened    *Opened    `json:"opened,omitempty"`
	Rated     *Rated     `json:"rated,omitempty"`
	Labelled  *Labelled  `json:"labelled,omitempty"`
	Compared  *Compared  `json:"compared,omitempty"`
	Noted     *Noted     `json:"noted,omitempty"`
	NoteDraft *Noted     `json:"note_draft,omitempty"` // a note being typed; equal to the note: there is no draft
	TakenBack *TakenBack `json:"taken_back,omitempty"`
	Closed    *Closed    `json:"closed,omitempty"`
	Settled   *Settled   `json:"settled,omitempty"`
	// a decision whose reason is being typed; without a reason: there is no draft
	ReasonDraft *Settled   `json:"reason_draft,omitempty"`
	Unsettled   *Unsettled `json:"unsettled,omitempty"`

	Picked *SessionPick `json:"picked,omitempty"` // a judgement made in a session

	Judge  *Judge  `json:"judge,omitempty"`  // a judge begins
	Judged *Judged `json:"judged,omitempty"` // a judge's answer
}

// Opened records that a rater started or continued.
type Opened struct {
	Rater string    `json:"rater"`
	At    time.Time `json:"at"`
}

// Rated is a rater's score for an attribute of an item. A later one replaces it.
type Rated struct {
	Rater     string    `json:"rater"`
	Item      string    `json:"item"`
	Attribute string    `json:"attribute"`
	Score     int       `json:"score"`
	At        time.Time `json:"at"`
	Verbatim  bool      `json:"verbatim,omitempty"` // the answer was shown verbatim, not rendered
}

// Labelled is a rater's answer to a label's question.
type Labelled struct {
	Rater string    `json:"rater"`
	Item  string    `json:"item"`
	Label string    `json:"label"`
	Value string    `json:"value"`
	At    time.Time `json:"at"`
}

// Compared is a rater's judgement of which answer of a pair is better, with the sides as they were shown. A later one
// replaces it.
type Compared struct {
	Rater   string        `json:"rater"`
	Pair    string        `json:"pair"`
	Outcome pairs.Outcome `json:"outcome"`
	Reasons
	At   time.Time `json:"at"`
	MS   int64     `json:"ms"`             // since the pair was shown
	Both bool      `json:"both,omitempty"` // both answers stood side by side
}

// Reasons say how much better an answer is, and in what.
type Reasons struct {
	Much int                      `json:"much,omitempty"` // 1 slightly, 2 clearly, 3 far; 0: not said
	Why  map[string]pairs.Outcome `json:"why,omitempty"`  // a, b or = for an attribute
}

// Noted is a rater's note on an item; an empty text deletes it.
type Noted struct {
	Rater string    `json:"rater"`
	Item  string    `json:"item"`
	Text  string    `json:"text"`
	At    time.Time `json:"at"`
}

// TakenBack undoes a rater's last score, label or note in force.
type TakenBack struct {
	Rater string    `json:"rater"`
	At    time.Time `json:"at"`
}

// Closed ends rating for everybody. From then on all answers are visible.
type Closed struct {
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Missing int       `json:"missing"` // assigned items not completely rated
}

// Settled is an adjudicator's decision where raters disagree: a score for an attribute or a value for a
// label, with the reason. A later one replaces it.
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

// Unsettled undoes the last decision in force.
type Unsettled struct {
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// rater returns the rater of an event, "" if it has none.
func (ev Event) rater() string {
	switch {
	case ev.Opened != nil:
		return ev.Opened.Rater
	case ev.Rated != nil:
		return ev.Rated.Rater
	case ev.Labelled != nil:
		return ev.Labelled.Rater
	case ev.Compared != nil:
		return ev.Compared.Rater
	case ev.Noted != nil:
		return ev.Noted.Rater
	case ev.NoteDraft != nil:
		return ev.NoteDraft.Rater
	case ev.TakenBack != nil:
		return ev.TakenBack.Rater
	}
	return ""
}

// at returns the time of a rater's event; zero for other events.
func (ev Event) at() time.Time {
	switch {
	case ev.Opened != nil:
		return ev.Opened.At
	case ev.Rated != nil:
		return ev.Rated.At
	case ev.Labelled != nil:
		return ev.Labelled.At
	case ev.Compared != nil:
		return ev.Compared.At
	case ev.Noted != nil:
		return ev.Noted.At
	case ev.NoteDraft != nil:
		return ev.NoteDraft.At
	case ev.TakenBack != nil:
		return ev.TakenBack.At
	}
	return time.Time{}
}

// check checks that exactly one field is set.
func (ev Event) check() error {
	set := 0
	for _, ok := range []bool{ev.Opened != nil, ev.Rated != nil, ev.Labelled != nil, ev.Compared != nil, ev.Noted != nil, ev.NoteDraft != nil, ev.TakenBack != nil, ev.Closed != nil, ev.Settled != nil, ev.ReasonDraft != nil, ev.Unsettled != nil, ev.Judge != nil, ev.Judged != nil, ev.Picked != nil} {
		if ok {
			set++
		}
	}
	if set != 1 {
		return fmt.Errorf("it has %d of \"opened\", \"rated\", \"labelled\", \"compared\", \"noted\", \"note_draft\", \"taken_back\", \"closed\", \"settled\", \"reason_draft\", \"unsettled\", \"judge\", \"judged\" and \"picked\", but takes exactly one", set)
	}
	return nil
}

// Form is what a rater filled in for an item. Nothing is preset.
type Form struct {
	Scores map[string]int    `json:"scores"`
	Labels map[string]string `json:"labels"`
	Note   string            `json:"note,omitempty"`

	Outcome pairs.Outcome `json:"outcome,omitempty"` // of a pair
	Reasons
}

func newForm() Form { return Form{Scores: map[string]int{}, Labels: map[string]string{}} }

func (f Form) clone() Form {
	return Form{Scores: maps.Clone(f.Scores), Labels: maps.Clone(f.Labels), Note: f.Note, Outcome: f.Outcome, Reasons: Reasons{f.Much, maps.Clone(f.Why)}}
}

// Filled returns the number of rows filled in, without the note.
func (f Form) Filled() int {
	n := len(f.Scores) + len(f.Labels)
	if f.Outcome != "" {
		n++
	}
	return n
}
