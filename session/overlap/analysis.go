package overlap

import (
	"time"

	"assay/scoring/stats"
)

// Analysis is what closed ratings come to. Raters go by letters.
type Analysis struct {
	Name       string           `json:"name"`       // of the study, or of the benchmark
	Plan       string           `json:"plan"`       // the hash of the plan
	Seed       uint64           `json:"seed"`       // by which items were drawn and dealt
	Stratify   []string         `json:"stratify"`   // the fields by which they were stratified
	Tests      string           `json:"tests_seen"` // what raters saw of the tests: "all", "verdict" or "none"
	ClosedBy   string           `json:"closed_by"`  // who closed the ratings
	ClosedAt   time.Time        `json:"closed_at"`  // when that was
	Items      int              `json:"items"`      // different outputs that were to be rated
	Raters     []string         `json:"raters"`     // their letters
	Overlap    int              `json:"overlap"`    // people who were to rate each item
	Missing    int              `json:"missing"`    // items of raters that were not rated whole
	Sessions   []string         `json:"sessions"`   // those that the items are from
	Confidence float64          `json:"confidence"` // of the intervals
	Resamples  int              `json:"resamples"`  // of the items, for the intervals of alpha, ICC and Fleiss' kappa
	Attributes []Agreement      `json:"attributes"` // each attribute
	Total      Agreement        `json:"total"`      // the sums over all attributes
	Labels     []LabelAgreement `json:"labels"`     // each label
	Apart      int              `json:"apart"`      // so many points apart raters disagree
	Disputes   int              `json:"disputes"`   // questions on which raters disagree
	Settled    []Settlement     `json:"settled"`    // what an adjudicator decided
	Notes      []Note           `json:"notes"`      // what raters wrote
}

// Agreement is how far raters agree on one attribute, or on the total.
type Agreement struct {
	ID       string      `json:"id"`       // of the attribute; "total"
	Name     string      `json:"name"`     // as raters read it
	Max      int         `json:"max"`      // the highest score
	Items    int         `json:"items"`    // that two raters or more rated
	Ratings  int         `json:"ratings"`  // of those items
	Mean     *float64    `json:"mean"`     // over items of the raters' mean; null: nothing was rated
	Settled  *float64    `json:"settled"`  // the same with the settled score in place of the mean, where there is one
	Ordinal  Alpha       `json:"ordinal"`  // for which only the order of the scores counts
	Interval Alpha       `json:"interval"` // for which their distances count
	Kappas   []PairKappa `json:"kappas"`   // of each two raters who have items in common; none of the total
	ICC      ICC         `json:"icc"`
	First    First       `json:"first"`
}

// Alpha is Krippendorff's alpha.
type Alpha struct {
	Value    *float64        `json:"value"`                 // null: see the problem
	Range    *stats.Interval `json:"interval,omitempty"`    // percentiles over resamples of the items
	Problem  string          `json:"problem,omitempty"`     // why there is no value
	NoneSaid string          `json:"no_interval,omitempty"` // why there is a value without an interval
}

// PairKappa is Cohen's kappa of two raters, with linear weights.
type PairKappa struct {
	A        string          `json:"a"`                     // one rater
	B        string          `json:"b"`                     // the other
	N        int             `json:"n"`                     // items that both rated
	Kappa    *float64        `json:"kappa"`                 // null: see the problem
	Range    *stats.Interval `json:"interval,omitempty"`    // for large samples
	Problem  string          `json:"problem,omitempty"`     // why there is no kappa
	NoneSaid string          `json:"no_interval,omitempty"` // why there is a kappa without an interval
}

// ICC are intraclass correlations of Shrout and Fleiss, over the items that all raters rated:
// raters drawn from many, absolute agreement.
type ICC struct {
	Items       int             `json:"items"`                      // that all raters rated
	Raters      int             `json:"raters"`                     // who did
	Single      *float64        `json:"icc_2_1"`                    // of one rating; null: see the problem
	Mean        *float64        `json:"icc_2_k"`                    // of the mean of all raters; null: see the problem
	SingleRange *stats.Interval `json:"icc_2_1_interval,omitempty"` // percentiles over resamples of the items
	MeanRange   *stats.Interval `json:"icc_2_k_interval,omitempty"` // percentiles over resamples of the items
	Problem     string          `json:"problem,omitempty"`          // why there is none
	NoneSaid    string          `json:"no_interval,omitempty"`      // why there are values without intervals
}

// First compares the raters with who wrote the prompts and rated what came of them. These
// ratings are part of no other number.
type First struct {
	Items      int      `json:"items"`             // that the first tester and a rater rated
	Difference *float64 `json:"difference"`        // mean of the first tester's score less the raters' mean
	Alpha      *float64 `json:"ordinal_alpha"`     // with the first tester as one more rater; null: see the problem
	Problem    string   `json:"problem,omitempty"` // why there is none
}

// LabelAgreement is how far raters agree on a label.
type LabelAgreement struct {
	ID       string          `json:"id"`                    // of the label
	Name     string          `json:"name"`                  // as raters read it
	Items    int             `json:"items"`                 // that all of their raters labelled
	Raters   int             `json:"raters"`                // of each of these
	Kappa    *float64        `json:"fleiss_kappa"`          // null: see the problem
	Range    *stats.Interval `json:"interval,omitempty"`    // percentiles over resamples of the items
	Observed *float64        `json:"observed_agreement"`    // the share of pairs of raters who agree
	Problem  string          `json:"problem,omitempty"`     // why there is no kappa
	NoneSaid string          `json:"no_interval,omitempty"` // why there is a kappa without an interval
}

// Settlement is a decision of an adjudicator, beside what raters said.
type Settlement struct {
	Item    string    `json:"item"`    // its hash
	Task    string    `json:"task"`    // the id of its task
	Name    string    `json:"name"`    // of the attribute or the label
	Answers []string  `json:"answers"` // of the raters, as "A 2"
	Mean    *float64  `json:"mean"`    // of the raters' scores; null for a label
	Score   int       `json:"score"`   // that was settled; 0 for a label
	Value   string    `json:"value"`   // that was settled, of a label
	Reason  string    `json:"reason"`  // why
	By      string    `json:"by"`      // who settled it
	At      time.Time `json:"at"`      // when
}

// Note is what a rater wrote about an item.
type Note struct {
	Item  string `json:"item"`  // its hash
	Task  string `json:"task"`  // the id of its task
	Rater string `json:"rater"` // the letter
	Text  string `json:"text"`  // as it was written
}
