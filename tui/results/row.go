package results

import (
	"cmp"
	"fmt"
	"slices"

	"assay/session"
	"assay/tui/frame"
)

// NotWithdrawn lists the sessions that were not withdrawn.
func NotWithdrawn(sessions []session.Summary) []session.Summary {
	var list []session.Summary
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
func Twins(sessions []session.Summary) map[string]string {
	byTitle := map[string][]session.Summary{}
	for _, s := range sessions {
		title := frame.Cell(frame.OneLine(s.Title()), titleRoom)
		byTitle[title] = append(byTitle[title], s)
	}
	twins := map[string]string{}
	for _, alike := range byTitle {
		if len(alike) < 2 {
			continue
		}
		slices.SortFunc(alike, func(a, b session.Summary) int { return cmp.Compare(a.ID, b.ID) }) // which is by time
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
func written(sessions []session.Summary, into map[string]string, layout string) (distinct bool) {
	seen := map[string]int{}
	for _, s := range sessions {
		when := s.Began().Format(layout)
		seen[when]++
		if into[s.ID] = when; seen[when] > 1 {
			into[s.ID] = fmt.Sprintf("%s #%d", when, seen[when])
		}
	}
	return len(seen) == len(sessions)
}
