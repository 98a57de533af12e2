package results

import (
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
		for _, format := range []func(Session) string{
			func(s Session) string { return s.Begun.Format(minute) },
			func(s Session) string { return s.Begun.Format(minute + ":05") },
			func(s Session) string { return s.ID },
		} {
			if distinct(alike, twins, format) {
				break
			}
		}
	}
	return twins
}

// minute is how the beginning of a session is written.
const minute = "2006-01-02 15:04"

// distinct writes the sessions in a format, and reports whether no two are the same in it.
func distinct(sessions []Session, into map[string]string, format func(Session) string) bool {
	seen := map[string]bool{}
	for _, s := range sessions {
		into[s.ID] = format(s)
		seen[into[s.ID]] = true
	}
	return len(seen) == len(sessions)
}
