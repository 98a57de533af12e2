package sessions

import (
	"fmt"
	"slices"
	"strings"
)

// numberTesters numbers the people: in a study by the plan's tester and the pseudonym, else by the pseudonym.
// Two pseudonyms in one place count as two people. Sessions without a pseudonym count as those of one person,
// so that intervals are not too narrow.
func numberTesters(logs []folded) int {
	numbers := map[string]int{}
	var names []string // of each tester
	for i := range logs {
		if logs[i].withdrawn() {
			continue // without a result, and without a name
		}
		h := logs[i].header
		key := "named " + h.Tester
		if h.automatic() {
			key = automatic // one program, whatever its policy
		}
		if h.Study.Name != "" {
			key = fmt.Sprintf("%s named %s", h.Study.place(), h.Tester)
		}
		n, known := numbers[key]
		if !known {
			n = len(numbers)
			numbers[key] = n
			names = append(names, h.Tester)
		}
		logs[i].tester = n
	}
	taken := map[string]int{}
	for _, name := range names {
		taken[name]++
	}
	for i := range logs {
		if n := logs[i].tester; !logs[i].withdrawn() {
			if logs[i].person = names[n]; taken[names[n]] > 1 {
				logs[i].person = strings.TrimSpace(fmt.Sprintf("%s #%d", names[n], n+1))
			}
		}
	}
	numberPeople(logs, len(numbers))
	return len(numbers)
}

// numberPeople numbers the people as testers are. A withdrawn session, which has no name, is of
// the person whose other session has its place.
func numberPeople(logs []folded, testers int) {
	places := map[string]int{} // of people who did not withdraw, and then of those who did
	for i := range logs {
		if h := &logs[i].header; !logs[i].withdrawn() && !h.automatic() {
			if h.Participant = logs[i].tester + 1; places[h.Study.place()] == 0 {
				places[h.Study.place()] = h.Participant
			}
		}
	}
	for i := range logs {
		h := &logs[i].header
		if !logs[i].withdrawn() || h.automatic() {
			continue
		}
		if h.Study.Name == "" || places[h.Study.place()] == 0 {
			testers++
			places[h.Study.place()] = testers
		}
		h.Participant = places[h.Study.place()]
	}
}

// place names a tester's place in a study, without the session.
func (s Study) place() string { return fmt.Sprintf("tester %d of %s %s", s.Tester, s.Name, s.Hash) }

// Shared is a place of a study with sessions of several pseudonyms.
type Shared struct {
	Study  string   `json:"study"`  // name of the study
	Tester int      `json:"tester"` // number in the study's plan
	Names  []string `json:"names"`  // the pseudonyms, in the order of their sessions
}

// sharedPlaces returns the places that several pseudonyms hold.
func sharedPlaces(logs []folded) []Shared {
	all, at := []Shared{}, map[string]int{}
	for i := range logs {
		h := logs[i].header
		if logs[i].withdrawn() || h.Study.Name == "" || h.automatic() {
			continue
		}
		n, known := at[h.Study.place()]
		if !known {
			n = len(all)
			at[h.Study.place()] = n
			all = append(all, Shared{Study: h.Study.Name, Tester: h.Study.Tester})
		}
		if !slices.Contains(all[n].Names, h.Tester) {
			all[n].Names = append(all[n].Names, h.Tester)
		}
	}
	return slices.DeleteFunc(all, func(s Shared) bool { return len(s.Names) < 2 })
}
