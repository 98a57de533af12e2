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

// titleRoom is the minimum width of a title.
const titleRoom = 20

// Twins finds sessions whose visible titles are equal, and maps their ids to when they began, as
// precisely as needed to distinguish them.
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
		slices.SortFunc(alike, func(a, b session.Summary) int { return cmp.Compare(a.ID, b.ID) }) // ids are ordered by time
		for _, layout := range []string{minute, minute + ":05"} {
			if written(alike, twins, layout) {
				break
			}
		}
	}
	return twins
}

// minute is the layout of the beginning of a session.
const minute = "2006-01-02 15:04"

// written formats when sessions began and reports whether all results differ; equal ones get
// numbers.
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
