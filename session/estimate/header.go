package estimate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"assay/data/disk"
)

// Version is the format version of files of estimates, in their first line.
const Version = 1

// Header is the first line of a file of estimates and defines a round.
type Header struct {
	Version    int       `json:"assay_estimates"`
	Benchmark  string    `json:"benchmark"`
	TasksHash  string    `json:"tasks_hash"` // of all statements of the benchmark's tasks
	Round      int       `json:"round"`      // from 1
	Rounds     int       `json:"rounds"`     // the most rounds
	Estimators int       `json:"estimators"` // wanted for each task
	Threshold  float64   `json:"threshold"`  // the agreement at which a task is settled
	Minutes    []int     `json:"minutes"`    // of the scale of times; one more category is beyond the last
	Sample     *Sample   `json:"sample,omitempty"`
	Previous   []string  `json:"previous,omitempty"` // hashes of the headers of earlier rounds
	Examples   []Example `json:"examples,omitempty"` // shown before
	Items      []Item    `json:"tasks"`
}

// Item is a task to be estimated.
type Item struct {
	Task      string     `json:"task"`
	Title     string     `json:"title,omitempty"`
	Hash      string     `json:"hash"`            // of the task's statement
	Group     int        `json:"group,omitempty"` // for sampling; 0: not measured, or all tasks were taken
	Phrasings []Phrasing `json:"phrasings"`
	Before    []Earlier  `json:"before,omitempty"` // earlier rounds, the first one first
	Not       []string   `json:"not,omitempty"`    // marks of those who estimated it before
}

// Phrasing is one wording of a task.
type Phrasing struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Earlier is the result of an earlier round for a task, without names.
type Earlier struct {
	Round      int      `json:"round"`
	N          int      `json:"n"`
	Agreement  float64  `json:"agreement"`
	Time       Spread   `json:"time"`
	Difficulty Spread   `json:"difficulty"`
	Comments   []string `json:"comments"`
}

// Points is the number of points of the difficulty scale, from 1.
const Points = 5

// DifficultyLabels names the points of that scale.
func DifficultyLabels() []string {
	return []string{"very easy", "easy", "medium", "difficult", "very difficult"}
}

// DefaultMinutes is TaskEval's scale: its categories 0 to 5.
func DefaultMinutes() []int { return []int{1, 5, 10, 20, 40} }

// Labels names the categories of the scale of times.
func (h *Header) Labels() []string {
	var list []string
	for _, m := range h.Minutes {
		list = append(list, fmt.Sprintf("%d min", m))
	}
	return append(list, fmt.Sprintf("more than %d min", h.Minutes[len(h.Minutes)-1]))
}

// Categories returns the number of categories of the scale of times.
func (h *Header) Categories() int { return len(h.Minutes) + 1 }

// hash identifies a round: files with the same hash belong to the same round.
func (h *Header) hash() string {
	text, err := json.Marshal(h)
	if err != nil {
		panic("estimate: a header does not marshal: " + err.Error())
	}
	return short(text)
}

func short(text []byte) string { return disk.Sum(text)[:16] }

// mark returns a hash of a name that prevents a person from estimating a task again. It hides the name from
// readers of the file, but not from those who guess names.
func (h *Header) mark(estimator string) string {
	return short([]byte(h.Benchmark + "\n" + h.TasksHash + "\n" + strings.ToLower(strings.Join(strings.Fields(estimator), " "))))
}

// Item returns the task with an id; nil if the round does not have it.
func (h *Header) Item(id string) *Item {
	for i := range h.Items {
		if h.Items[i].Task == id {
			return &h.Items[i]
		}
	}
	return nil
}

// CheckMinutes checks a scale of times.
func CheckMinutes(minutes []int) error {
	if len(minutes) < 2 || len(minutes) > 8 {
		return fmt.Errorf("\"minutes\" has %d times: a scale takes 2 to 8, with one more category beyond the last", len(minutes))
	}
	for i, m := range minutes {
		if m < 1 || i > 0 && m <= minutes[i-1] {
			return fmt.Errorf("\"minutes\" must be increasing whole numbers from 1: %d is not", m)
		}
	}
	return nil
}

// Check returns the first problem of a header, naming the field.
func (h *Header) Check() error {
	switch {
	case h.Version != Version:
		return fmt.Errorf("\"assay_estimates\" is %d, but this version reads %d", h.Version, Version)
	case h.Round < 1:
		return fmt.Errorf("\"round\" is %d: rounds count from 1", h.Round)
	case h.Rounds < h.Round:
		return fmt.Errorf("\"rounds\" is %d in round %d: it is the maximum number of rounds", h.Rounds, h.Round)
	case h.Estimators < 2:
		return fmt.Errorf("\"estimators\" is %d: agreement takes at least 2", h.Estimators)
	case !(h.Threshold > -1 && h.Threshold <= 1):
		return fmt.Errorf("\"threshold\" is %v: agreement lies between -1 and 1", h.Threshold)
	case len(h.Items) == 0:
		return fmt.Errorf("\"tasks\" is empty: there is nothing to estimate")
	}
	if err := CheckMinutes(h.Minutes); err != nil {
		return err
	}
	for i := range h.Examples {
		if err := h.Examples[i].check(fmt.Sprintf("\"examples\"[%d]", i), h.Categories()); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	for i, item := range h.Items {
		at := fmt.Sprintf("\"tasks\"[%d]", i)
		switch {
		case item.Task == "":
			return fmt.Errorf("%s: \"task\" is empty", at)
		case seen[item.Task]:
			return fmt.Errorf("%s: \"task\" %q is duplicated", at, item.Task)
		case len(item.Phrasings) == 0 || slices.ContainsFunc(item.Phrasings, func(p Phrasing) bool { return strings.TrimSpace(p.Text) == "" }):
			return fmt.Errorf("%s: \"phrasings\" of %q: each task has at least one, with a text", at, item.Task)
		case len(item.Before) > 0 && h.Round == 1:
			return fmt.Errorf("%s: \"before\" of %q: nothing is before round 1", at, item.Task)
		}
		for _, e := range item.Before {
			if !e.Time.within(0, h.Categories()-1) || !e.Difficulty.within(1, Points) {
				return fmt.Errorf("%s: \"before\" of %q is outside the scales", at, item.Task)
			}
		}
		seen[item.Task] = true
	}
	return nil
}

// CheckName returns an error if a name is not allowed.
func CheckName(estimator string) error {
	const most = 80 // bytes
	switch {
	case strings.TrimSpace(estimator) == "":
		return fmt.Errorf("the estimator has no name")
	case estimator != strings.TrimSpace(estimator) || strings.ContainsFunc(estimator, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("the estimator's name %q begins or ends with a space, or contains unprintable characters", estimator)
	case len(estimator) > most:
		return fmt.Errorf("the estimator's name is longer than %d bytes", most)
	}
	return nil
}
