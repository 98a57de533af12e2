package overlap

import (
	"time"

	"assay/scoring/stats"
)

// Analysis is the analysis of closed ratings. Raters appear as letters.
type Analysis struct {
	Name       string           `json:"name"`             // of the study, or of the benchmark
	Plan       string           `json:"plan"`             // the hash of the plan
	Filter     string           `json:"filter,omitempty"` // the filter that chose the tasks of this analysis; absent: all
	Seed       uint64           `json:"seed"`             // for drawing and assigning items
	Stratify   []string         `json:"stratify"`         // fields used for stratification
	Tests      string           `json:"tests_seen"`       // what raters saw of the tests: "all", "verdict" or "none"
	ClosedBy   string           `json:"closed_by"`        // who closed the ratings
	ClosedAt   time.Time        `json:"closed_at"`        // when the ratings were closed
	Items      int              `json:"items"`            // distinct outputs that people were asked to rate
	Raters     []string         `json:"raters"`           // their letters
	Overlap    int              `json:"overlap"`          // raters for each item
	Missing    int              `json:"missing"`          // assigned items that were not completely rated
	Sessions   []string         `json:"sessions"`         // that the items come from
	Confidence float64          `json:"confidence"`       // of the intervals
	Resamples  int              `json:"resamples"`        // 0: intervals are jackknifes; earlier versions resampled items so often
	Attributes []Agreement      `json:"attributes"`       // each attribute
	Total      Agreement        `json:"total"`            // the sums over all attributes
	Labels     []LabelAgreement `json:"labels"`           // each label
	Apart      int              `json:"apart"`            // points by which raters must differ to disagree
	Disputes   int              `json:"disputes"`         // questions on which raters disagree
	Settled    []Settlement     `json:"settled"`          // what an adjudicator decided
	Notes      []Note           `json:"notes"`            // what raters wrote
	ToReview   []Review         `json:"to_review"`        // why a resolved answer to a repository task has to be looked at
	Given      []RaterScore     `json:"ratings"`          // every rating and label

	Judges []JudgeAnalysis `json:"judges,omitempty"` // models that judged the same; nothing of theirs is in another number

	stratified bool // what people rate was drawn with different probabilities

	Pairs *PairAnalysis `json:"pairs,omitempty"` // of which answer is better; then there are no attributes and labels
}

// RaterScore is a score or a label that a rater gave.
type RaterScore struct {
	Item     string   `json:"item"`            // its hash
	Sessions []string `json:"sessions"`        // that the item comes from
	Task     string   `json:"task"`            // the id of its task
	Rater    string   `json:"rater"`           // the letter
	Name     string   `json:"name"`            // the id of the attribute or the label
	Score    int      `json:"score,omitempty"` // of an attribute
	Value    string   `json:"value,omitempty"` // of a label
}

// Agreement is the raters' agreement on one attribute or on the total.
type Agreement struct {
	ID       string      `json:"id"`       // of the attribute; "total"
	Name     string      `json:"name"`     // as raters read it
	Max      int         `json:"max"`      // the highest score
	Items    int         `json:"items"`    // rated by at least two raters
	Ratings  int         `json:"ratings"`  // of those items
	Mean     *float64    `json:"mean"`     // over items of the raters' mean; null: nothing was rated
	Settled  *float64    `json:"settled"`  // the same with settled scores in place of means
	Ordinal  Alpha       `json:"ordinal"`  // only the order of scores counts
	Interval Alpha       `json:"interval"` // distances between scores count
	Gwet     Gwet        `json:"gwet"`     // of scores that are nearly all the same it stays near the agreement that was observed
	Kappas   []PairKappa `json:"kappas"`   // of each pair of raters with common items; none for the total
	ICC      ICC         `json:"icc"`
	First    First       `json:"first"`
}

// Alpha is Krippendorff's alpha.
type Alpha struct {
	Value    *float64        `json:"value"`                 // null: see the problem
	Range    *stats.Interval `json:"interval,omitempty"`    // jackknife over items
	Problem  string          `json:"problem,omitempty"`     // why there is no value
	NoneSaid string          `json:"no_interval,omitempty"` // why a value has no interval
}

// Gwet is Gwet's AC2 with linear weights over the items rated by at least two raters.
type Gwet struct {
	Value    *float64        `json:"value"`                 // null for the total, and where alpha's problem is
	Range    *stats.Interval `json:"interval,omitempty"`    // jackknife over items
	NoneSaid string          `json:"no_interval,omitempty"` // why a value has no interval
}

// PairKappa is Cohen's kappa of two raters, with linear weights.
type PairKappa struct {
	A        string          `json:"a"`                     // one rater
	B        string          `json:"b"`                     // the other
	N        int             `json:"n"`                     // items that both rated
	Kappa    *float64        `json:"kappa"`                 // null: see the problem
	Range    *stats.Interval `json:"interval,omitempty"`    // jackknife over items
	Problem  string          `json:"problem,omitempty"`     // why there is no kappa
	NoneSaid string          `json:"no_interval,omitempty"` // why a kappa has no interval
}

// ICC holds intraclass correlations of Shrout and Fleiss over the items that all raters rated: two-way
// random, absolute agreement.
type ICC struct {
	Items       int             `json:"items"`                      // rated by all raters
	Raters      int             `json:"raters"`                     // number of raters
	Single      *float64        `json:"icc_2_1"`                    // of one rating; null: see the problem
	Mean        *float64        `json:"icc_2_k"`                    // of the mean of all raters; null: see the problem
	SingleRange *stats.Interval `json:"icc_2_1_interval,omitempty"` // jackknife over items
	MeanRange   *stats.Interval `json:"icc_2_k_interval,omitempty"` // jackknife over items
	Problem     string          `json:"problem,omitempty"`          // why there is none
	NoneSaid    string          `json:"no_interval,omitempty"`      // why values have no intervals
}

// First compares the raters with the first testers, who wrote the prompts and rated the results. Their
// ratings enter no other number.
type First struct {
	Items      int      `json:"items"`      // rated by the first tester and a rater
	Difference *float64 `json:"difference"` // mean of the first tester's score minus the raters' mean
	// with the first tester as an additional rater; null: see the problem
	Alpha   *float64 `json:"ordinal_alpha"`
	Problem string   `json:"problem,omitempty"` // why there is none
}

// LabelAgreement is the raters' agreement on a label.
type LabelAgreement struct {
	ID       string          `json:"id"`                    // of the label
	Name     string          `json:"name"`                  // as raters read it
	Items    int             `json:"items"`                 // labelled by all of their raters
	Raters   int             `json:"raters"`                // for each of these
	Kappa    *float64        `json:"fleiss_kappa"`          // null: see the problem
	Range    *stats.Interval `json:"interval,omitempty"`    // jackknife over items
	Observed *float64        `json:"observed_agreement"`    // the share of pairs of raters who agree
	Problem  string          `json:"problem,omitempty"`     // why there is no kappa
	NoneSaid string          `json:"no_interval,omitempty"` // why a kappa has no interval
}

// Settlement is an adjudicator's decision with the raters' answers.
type Settlement struct {
	Item    string    `json:"item"`    // its hash
	Task    string    `json:"task"`    // the id of its task
	Name    string    `json:"name"`    // of the attribute or the label
	Answers []string  `json:"answers"` // of the raters, such as "A 2"
	Mean    *float64  `json:"mean"`    // of the raters' scores; null for a label
	Score   int       `json:"score"`   // the decision; 0 for a label
	Value   string    `json:"value"`   // the decision for a label
	Reason  string    `json:"reason"`  // why
	By      string    `json:"by"`      // who settled it
	At      time.Time `json:"at"`      // when
}

// Review is a reason to look at an answer to a repository task that is resolved: what it names could influence tests
// or their report.
type Review struct {
	Item   string `json:"item"`   // its hash
	Task   string `json:"task"`   // the id of its task
	Reason string `json:"reason"` // in words, with file and line
}

// Note is a rater's note on an item.
type Note struct {
	Item  string `json:"item"`  // its hash
	Task  string `json:"task"`  // the id of its task
	Rater string `json:"rater"` // the letter
	Text  string `json:"text"`  // as it was written
}
