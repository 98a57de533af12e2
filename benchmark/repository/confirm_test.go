package repository

import (
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/testlog"
)

// Each test has as many coins as all have to have together where copies are quick, and no more than take a short run.
func TestAffordableCoins(t *testing.T) {
	drawn := func(copies int, tests ...string) *alteration {
		a := &alteration{copies: copies}
		for _, of := range tests {
			a.coins = append(a.coins, coin{of: of, counts: true})
		}
		return a
	}
	three := drawn(3, "a", "b", "c", "a", "b", "c")
	for _, c := range []struct {
		a    *alteration
		wall time.Duration
		want int
	}{
		{three, 0, 3 * (wantedBits + moreCoins)},
		{three, 10 * time.Millisecond, 3 * (wantedBits + moreCoins)},
		{three, time.Second, 6 * 5},
		{three, time.Minute, 0},
		{drawn(0, "a", "b"), time.Millisecond, 0}, // cannot be copied
	} {
		if got := c.a.affordable(c.wall); got != c.want {
			t.Errorf("%v: %d coins, want %d", c.wall, got, c.want)
		}
	}
}

// A test that passed has the coins of its own name alone; the fewest count.
func TestFewestCoins(t *testing.T) {
	a := &alteration{coins: []coin{{of: "test_a", counts: true}, {of: "test_a", counts: true}, {of: "test_b", counts: true}, {of: "test_b"}}}
	passed := func(ids ...string) (tests []Test) {
		for _, id := range ids {
			tests = append(tests, Test{ID: id, List: failToPass, Passed: true})
		}
		return tests
	}
	for _, c := range []struct {
		tests []Test
		want  int
	}{
		{passed("t.py::test_a"), 2}, {passed("t.py::test_a[x]", "t.py::test_b"), 1}, {passed("t.py::test_a", "t.py::test_c"), 0}, {nil, 0},
		{append(passed("t.py::test_a"), Test{ID: "t.py::test_c", List: failToPass}), 2},
	} {
		if got := a.fewest(c.tests); got != c.want {
			t.Errorf("%v: %d, want %d", c.tests, got, c.want)
		}
	}
}

// A list may have an id that is cut off within its parameters: the test that it means decides all the same.
func TestCutIDsDecide(t *testing.T) {
	a := &alteration{some: true, failing: []string{"t.py::test_a[one"}}
	for id, want := range map[string]bool{"t.py::test_a[one two]": true, "t.py::test_a[two]": false, "t.py::test_b[one two]": false} {
		if a.decides(id, testlog.Passed) != want {
			t.Errorf("%s: want %v", id, want)
		}
	}
	if good, found := a.goodness(map[string]testlog.Status{"t.py::test_a_copy[one two]": testlog.Passed}, coin{name: "test_a_copy", of: "test_a"}); !good || !found {
		t.Errorf("of a copy: %v, %v", good, found)
	}
}

// Where logs name failures alone, no test passes in a run that reports nothing.
func TestNothingReportedPassesNothing(t *testing.T) {
	j := &job{task: &benchmark.Task{Repository: &benchmark.Repository{FailToPass: []string{"a"}, PassToPass: []string{"b"}}}}
	j.env.FailOnly = true
	var empty, some Result
	j.conclude(&empty, ran{}, &testlog.Results{}, "")
	j.conclude(&some, ran{}, &testlog.Results{Status: map[string]testlog.Status{"c": testlog.Failed}}, "")
	if empty.Outcome != outcomes.Unresolved || empty.Tests[0].Passed || empty.Tests[1].Passed {
		t.Errorf("without a report: %s %+v", empty.Outcome, empty.Tests)
	}
	if some.Outcome != outcomes.Resolved || !some.Tests[0].Passed || !some.Tests[1].Passed {
		t.Errorf("of another test alone: %s %+v", some.Outcome, some.Tests)
	}
}
