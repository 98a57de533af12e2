package testlog

import (
	"regexp"
	"slices"
	"strings"
)

// Lists are the tests that decide about a repository task.
type Lists struct {
	FailToPass []string // fail before the change and must pass after it
	PassToPass []string // pass before and must still pass
	// FailOnly grades logs that name only failing tests: every other test passed. SWE-bench uses it for
	// some repositories in JavaScript.
	FailOnly bool
}

// Outcome is how far an answer solves a task, by its tests.
type Outcome string

// The outcomes.
const (
	Resolved   Outcome = "resolved"   // all tests of both lists passed
	Partly     Outcome = "partly"     // some of FAIL_TO_PASS, and all of PASS_TO_PASS
	Unresolved Outcome = "unresolved" // anything else
)

// Graded are the tests of a list that succeeded, and those that did not.
type Graded struct {
	Success []string `json:"success"`
	Failure []string `json:"failure"`
}

// Grades are the graded lists of a task. Peculiar names tests whose success rests on one of the two
// peculiarities of SWE-bench: an id cut off in its parameters was matched by prefix, or a test counts as
// passed that was expected to fail and did.
type Grades struct {
	FailToPass Graded
	PassToPass Graded
	Peculiar   map[string]string
}

// Outcome returns how far the task is solved. An empty list is passed.
func (g Grades) Outcome() Outcome {
	switch {
	case len(g.PassToPass.Failure) > 0:
		return Unresolved
	case len(g.FailToPass.Failure) == 0:
		return Resolved
	case len(g.FailToPass.Success) > 0:
		return Partly
	}
	return Unresolved
}

// Grade grades the tests of both lists. A missing test failed. A skipped test of FAIL_TO_PASS failed; a
// skipped one of PASS_TO_PASS did not. A test with an unknown status is in neither list, as in the harness.
func Grade(status map[string]Status, l Lists) Grades {
	g := Grades{Peculiar: map[string]string{}}
	g.FailToPass = g.list(status, l.FailToPass, l.FailOnly, false)
	g.PassToPass = g.list(status, l.PassToPass, l.FailOnly, true)
	return g
}

func (g *Grades) list(status map[string]Status, ids []string, failOnly, skipped bool) Graded {
	list := Graded{Success: []string{}, Failure: []string{}}
	for _, id := range ids {
		if failOnly {
			if status[id] == Failed {
				list.Failure = append(list.Failure, id)
			} else {
				list.Success = append(list.Success, id)
			}
			continue
		}
		key, found := Match(status, id)
		switch s := status[key]; {
		case !found || s == Failed || s == Error:
			list.Failure = append(list.Failure, id)
		case s.Good() || s == Skipped && skipped:
			list.Success = append(list.Success, id)
			switch {
			case s == XFail:
				g.Peculiar[id] = "counts as passed although it failed, as it was expected to (XFAIL)"
			case key != id:
				g.Peculiar[id] = "is cut off, and was matched with " + key
			}
		case s == Skipped:
			list.Failure = append(list.Failure, id)
		}
	}
	return list
}

// Match returns the id in a log that an expected id stands for: itself, or, if it is cut off within its
// parameters, the first one that begins with it, provided that all such agree on having passed.
func Match(status map[string]Status, id string) (string, bool) {
	if _, ok := status[id]; ok {
		return id, true
	}
	if strings.Count(id, "[") <= strings.Count(id, "]") {
		return "", false
	}
	match, passed, failed := "", 0, 0
	for key, s := range status {
		if !strings.HasPrefix(key, id) {
			continue
		}
		if s.Good() {
			passed++
		} else {
			failed++
		}
		if match == "" || key < match {
			match = key
		}
	}
	return match, match != "" && (passed == 0 || failed == 0)
}

// Misspelt returns the expected ids that are not in a log but have another spelling there: with the module or the
// directory before the name, behind it or left out, with dots, slashes or colons. Each is returned with that
// spelling. One that fits several tests of the log, or a test that is expected itself, is no spelling.
func Misspelt(status map[string]Status, l Lists) map[string]string {
	ids := slices.Concat(l.FailToPass, l.PassToPass)
	endings := map[string][]string{} // tests of the log by the last word of their names
	for key := range status {
		if names := words(key); len(names) > 0 && !slices.Contains(ids, key) {
			last := names[len(names)-1]
			endings[last] = append(endings[last], key)
		}
	}
	found := map[string]string{}
	for _, id := range ids {
		names := words(id)
		if _, known := Match(status, id); known || len(names) == 0 || l.FailOnly {
			continue
		}
		var same []string
		for _, key := range endings[names[len(names)-1]] {
			if other := words(key); endsWith(names, other) || endsWith(other, names) {
				same = append(same, key)
			}
		}
		if len(same) == 1 {
			found[id] = same[0]
		}
	}
	return found
}

var idWord = regexp.MustCompile(`[\p{L}\p{N}_]+`)

// words are the names that make up an id, the test's own last.
func words(id string) []string {
	if whole := unittestID(id); whole != "" && strings.HasSuffix(id, ")") {
		id = whole
	}
	return slices.DeleteFunc(idWord.FindAllString(id, -1), func(word string) bool { return word == "py" })
}

func endsWith(names, end []string) bool {
	return len(end) <= len(names) && slices.Equal(names[len(names)-len(end):], end)
}
