package repository

import (
	"testing"
	"time"
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
