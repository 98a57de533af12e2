package study

import (
	"fmt"
	"math/rand/v2"
)

// Assignment is what one tester does: a session for each arm that they work with.
type Assignment struct {
	Tester   int    // from 1
	Code     string // that a tester joins with; see Code
	Sessions []Part
}

// Part is one session: an arm, and the test sets in the order worked on.
type Part struct {
	Arm  int // index of the study's arms
	Sets []int
}

// Assignments are those of all testers that the study is planned for.
func (s *Study) Assignments(hash string) []Assignment {
	var all []Assignment
	for t := 1; t <= s.Design.Testers; t++ {
		all = append(all, Assignment{Tester: t, Code: Code(hash, t), Sessions: s.Assign(t)})
	}
	return all
}

// Assign says what a tester does; testers are numbered from 1.
//
// Between testers the arms take turns, so that after each round of testers all have
// equally many; the sets' order turns with the rounds. Within testers the order of the
// arms and that of the sets each follow a Latin square that is balanced for what comes
// directly before (Williams 1949), and the sets are dealt to the arms in turn, so that
// over a full cycle every set is worked on with every arm equally often.
func (s *Study) Assign(tester int) []Part {
	arms, i := len(s.Arms), tester-1
	if s.Design.Arms == Between {
		return []Part{{Arm: i % arms, Sets: s.order(i/arms, tester, s.Tasks.Sets)}}
	}
	var parts []Part
	dealt := i / len(Square(arms)) // which arm begins with the first set
	each := s.Tasks.Sets / arms
	for _, arm := range Square(arms)[i%len(Square(arms))] {
		share := (arm + dealt) % arms
		var sets []int
		for _, j := range s.order(i/(len(Square(arms))*arms), tester*arms+arm, each) {
			sets = append(sets, share*each+j)
		}
		parts = append(parts, Part{Arm: arm, Sets: sets})
	}
	return parts
}

// order is that of n sets for the tester whose turn it is.
func (s *Study) order(turn, tester, n int) []int {
	switch s.Design.Order {
	case LatinSquare:
		square := Square(n)
		return square[turn%len(square)]
	case Drawn:
		return rand.New(rand.NewPCG(s.Design.Seed, uint64(tester))).Perm(n)
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// Square is a Williams design for n treatments: each stands at each place equally often,
// and each directly follows every other equally often. It has n rows if n is even, else
// 2n: the second half is the first one backwards (E. J. Williams, Australian Journal of
// Scientific Research A 2, 1949).
func Square(n int) [][]int {
	first := make([]int, n) // 0, 1, n-1, 2, n-2, …
	for i := 1; i < n; i++ {
		if i%2 == 1 {
			first[i] = (i + 1) / 2
		} else {
			first[i] = n - i/2
		}
	}
	var rows [][]int
	for shift := range n {
		row := make([]int, n)
		for i, v := range first {
			row[i] = (v + shift) % n
		}
		rows = append(rows, row)
	}
	if n%2 == 1 && n > 1 {
		for _, row := range rows[:n] {
			back := make([]int, n)
			for i, v := range row {
				back[n-1-i] = v
			}
			rows = append(rows, back)
		}
	}
	return rows
}

// Describe says in words what a part is.
func (s *Study) Describe(p Part) string {
	text := s.Arms[p.Arm].Name + ":"
	for _, set := range p.Sets {
		text += fmt.Sprintf(" T%d", set)
	}
	return text
}
