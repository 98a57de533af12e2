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

// numberPeople numbers the people as testers are. A withdrawn session, which has no name, is of the person
// whose sessions its tombstone lists.
func numberPeople(logs []folded, testers int) {
	linked := map[string]string{} // from a session to another of the same person
	root := func(id string) string {
		for linked[id] != "" {
			id = linked[id]
		}
		return id
	}
	numbers, places := map[string]int{}, map[string][]*Header{}
	var unlisted []*Header
	for i := range logs {
		for _, id := range logs[i].state.Same {
			if from, to := root(logs[i].header.ID), root(id); from != to {
				linked[from] = to
			}
		}
	}
	for i := range logs {
		if h := &logs[i].header; !logs[i].withdrawn() && !h.automatic() {
			h.Participant = logs[i].tester + 1
			numbers[root(h.ID)] = h.Participant
			places[h.Study.place()] = append(places[h.Study.place()], h)
		}
	}
	for i := range logs {
		h := &logs[i].header
		switch {
		case !logs[i].withdrawn() || h.automatic():
			continue
		case logs[i].state.Same == nil && h.Study.Name != "":
			unlisted = append(unlisted, h)
			continue
		case numbers[root(h.ID)] == 0:
			testers++
			numbers[root(h.ID)] = testers
		}
		h.Participant = numbers[root(h.ID)]
	}
	numberUnlisted(unlisted, places, testers)
}

// numberUnlisted numbers the people of tombstones of earlier versions, which list no sessions: each is of
// somebody in its place who has no other session with its number in the study, if there is such a person.
func numberUnlisted(tombstones []*Header, places map[string][]*Header, testers int) {
	slices.SortStableFunc(tombstones, func(a, b *Header) int { return a.Study.Part - b.Study.Part })
	for _, h := range tombstones {
		there := places[h.Study.place()]
		for _, o := range there {
			if !slices.ContainsFunc(there, func(x *Header) bool {
				return x.Participant == o.Participant && x.Study.Part == h.Study.Part
			}) {
				h.Participant = o.Participant
				break
			}
		}
		if h.Participant == 0 {
			testers++
			h.Participant = testers
		}
		places[h.Study.place()] = append([]*Header{h}, there...) // the next is rather of who withdrew already
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
