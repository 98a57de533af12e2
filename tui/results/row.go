package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/session"
	"assay/tui/frame"
)

// Session is one session as lists have it, without reading its log.
type Session struct {
	ID        string
	Status    string // "open", "finished", "abandoned", "withdrawn"
	Name      string // given by its tester, "" for none
	Benchmark string
	Model     string
	Scenario  string // the filter that chose its tasks
	Sets      string // its test sets: "T0, T1"
	Tester    string
	session.Progress
	Begun, Last time.Time
	Worked      time.Duration // observed and not paused
	Events      uint64        // in its log: another number is another state
	Imported    bool
	Automatic   string // the feedback of the program that worked in place of a human, "" for a human
	Study       bool   // it is part of a study
}

// Open reports whether the session has not ended.
func (s Session) Open() bool { return s.Status == "open" }

// Title is what people call a session: the name that it was given, else what it is of.
func (s Session) Title() string {
	if s.Name != "" {
		return s.Name
	}
	return s.of()
}

// of is what a session is of. The first test set is what nearly every session has.
func (s Session) of() string {
	parts := []string{s.Benchmark, s.Model}
	if s.Scenario != "" {
		parts = append(parts, s.Scenario)
	}
	switch {
	case strings.Contains(s.Sets, ","):
		parts = append(parts, "sets "+s.Sets)
	case s.Sets != "" && s.Sets != "T0":
		parts = append(parts, "set "+s.Sets)
	}
	return strings.Join(parts, " · ")
}

// Kept are the sessions that were not withdrawn.
func Kept(sessions []Session) []Session {
	var list []Session
	for _, s := range sessions {
		if s.Status != "withdrawn" {
			list = append(list, s)
		}
	}
	return list
}

// titleRoom is how many columns of a title are shown at least.
const titleRoom = 20

// Twins finds the sessions that cannot be told apart by what is shown of their titles, and
// says by id when each was begun, as exactly as it takes.
func Twins(sessions []Session) map[string]string {
	byTitle := map[string][]Session{}
	for _, s := range sessions {
		title := frame.Cell(frame.OneLine(s.Title()), titleRoom)
		byTitle[title] = append(byTitle[title], s)
	}
	twins := map[string]string{}
	for _, alike := range byTitle {
		if len(alike) < 2 {
			continue
		}
		slices.SortFunc(alike, func(a, b Session) int { return cmp.Compare(a.ID, b.ID) }) // which is by time
		for _, layout := range []string{minute, minute + ":05"} {
			if written(alike, twins, layout) {
				break
			}
		}
	}
	return twins
}

// minute is how the beginning of a session is written.
const minute = "2006-01-02 15:04"

// written writes when sessions were begun, and reports whether no two of them are the same
// in that layout. Those that are have numbers.
func written(sessions []Session, into map[string]string, layout string) (distinct bool) {
	seen := map[string]int{}
	for _, s := range sessions {
		when := s.Begun.Format(layout)
		seen[when]++
		if into[s.ID] = when; seen[when] > 1 {
			into[s.ID] = fmt.Sprintf("%s #%d", when, seen[when])
		}
	}
	return len(seen) == len(sessions)
}
