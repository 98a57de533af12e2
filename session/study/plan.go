package study

import (
	"fmt"
	"math/rand/v2"
)

// Assignment is one tester's work: a session for each of their arms.
type Assignment struct {
	Tester   int    `json:"tester"` // from 1
	Code     string `json:"code"`   // the tester's join code
	Taken    string `json:"taken"`  // who has the place, in words; empty: it is free, or not known to be taken
	Sessions []Part `json:"sessions"`
}

// Part is one session: an arm, and the test sets in working order.
type Part struct {
	Arm  int   `json:"arm"`  // index of the study's arm, from 0
	Sets []int `json:"sets"` // indexes of the study's test sets, from 0
}

// Assignments lists the assignments of all planned testers.
func (s *Study) Assignments(hash string) []Assignment {
	var all []Assignment
	for t := 1; t <= s.Design.Testers; t++ {
		all = append(all, Assignment{Tester: t, Code: Code(hash, t), Sessions: s.Assign(t)})
	}
	return all
}

// Assign returns the sessions of a tester; testers are numbered from 1.
//
// Between testers, arms alternate, so that after each round of testers all arms have equally many; the
// order of sets alternates with the rounds. Within testers, the orders of arms and of sets each follow a
// Latin square balanced for first-order carry-over (Williams 1949), and sets are assigned to arms in
// rotation, so that over a full cycle every set is worked on with every arm equally often. Crossed arms follow that square,
// too, and each gets all sets, in an order that a tester keeps.
func (s *Study) Assign(tester int) []Part {
	arms, i := len(s.Arms), tester-1
	if s.Design.Arms == Between {
		return []Part{{Arm: i % arms, Sets: s.order(i/arms, tester, s.Tasks.Sets)}}
	}
	var parts []Part
	dealt := i / len(square(arms)) // the arm that gets the first set
	each := s.Tasks.Sets / arms
	whole := s.order(i/len(square(arms)), tester, s.Tasks.Sets)
	for _, arm := range square(arms)[i%len(square(arms))] {
		if s.Design.Arms == Crossed {
			parts = append(parts, Part{Arm: arm, Sets: whole})
			continue
		}
		share := (arm + dealt) % arms
		var sets []int
		for _, j := range s.order(i/(len(square(arms))*arms), tester*arms+arm, each) {
			sets = append(sets, share*each+j)
		}
		parts = append(parts, Part{Arm: arm, Sets: sets})
	}
	return parts
}

// order returns the order of n sets for the tester whose turn it is.
func (s *Study) order(turn, tester, n int) []int {
	switch s.Design.Order {
	case LatinSquare:
		square := square(n)
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

// square returns a Williams design for n treatments: each occupies each position equally often, and directly
// follows every other one equally often. It has n rows if n is even, else 2n: the second half is the first
// one backwards (E. J. Williams, Australian Journal of Scientific Research A 2, 1949).
func square(n int) [][]int {
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

// Describe describes a part in words.
func (s *Study) Describe(p Part) string {
	text := s.Arms[p.Arm].Name + ":"
	for _, set := range p.Sets {
		text += fmt.Sprintf(" T%d", set)
	}
	return text
}
