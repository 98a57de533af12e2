package study

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// TestSeatsStayBalanced: whichever testers leave, once all places are taken each assignment of the plan has
// its planned number of remaining testers, and each number is used once.
func TestSeatsStayBalanced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arms := rapid.IntRange(1, 4).Draw(t, "arms")
		way := rapid.SampledFrom([]string{Between, Within}).Draw(t, "way")
		order := rapid.SampledFrom([]string{LatinSquare, Drawn, Fixed}).Draw(t, "order")
		s := &Study{Name: "s", Tasks: Tasks{Sets: arms * rapid.IntRange(1, 3).Draw(t, "sets")}, Arms: make([]Arm, arms),
			Design: Design{Arms: way, Order: order, Testers: rapid.IntRange(1, 12).Draw(t, "testers")}}
		var taken []Taken
		numbers := map[int]bool{}
		for {
			n, err := s.seat(taken)
			if errors.Is(err, ErrFull) {
				break
			}
			if err != nil || numbers[n] {
				t.Fatalf("tester %d: %v", n, err)
			}
			numbers[n] = true
			taken = append(taken, Taken{n, len(taken) < 30 && rapid.Bool().Draw(t, "leaves")})
		}
		want, got := map[string]int{}, map[string]int{}
		for n := 1; n <= s.Design.Testers; n++ {
			want[s.row(n)]++
		}
		for _, x := range taken {
			if !x.Lost {
				got[s.row(x.Tester)]++
			}
		}
		for row, n := range want {
			if got[row] != n {
				t.Fatalf("%s has %d testers, not %d", row, got[row], n)
			}
		}
	})
}

// TestSeatWithoutLeavers gives the numbers in order.
func TestSeatWithoutLeavers(t *testing.T) {
	s := &Study{Name: "s", Tasks: Tasks{Sets: 2}, Arms: make([]Arm, 2), Design: Design{Arms: Within, Order: LatinSquare, Testers: 5}}
	var taken []Taken
	for want := 1; want <= 5; want++ {
		n, err := s.seat(taken)
		if err != nil || n != want {
			t.Fatalf("place %d is number %d, %v", want, n, err)
		}
		taken = append(taken, Taken{Tester: n})
	}
	if _, err := s.seat(taken); !errors.Is(err, ErrFull) {
		t.Errorf("a sixth: %v", err)
	}
	s.Design.Order = Drawn
	n, err := s.seat([]Taken{{Tester: 1}, {Tester: 2, Lost: true}, {Tester: 3}, {Tester: 4}, {Tester: 5}})
	if err != nil || n != 6 || s.row(6) != s.row(2) {
		t.Errorf("number %d takes the place of 2, %v", n, err)
	}
}
