package study

import (
	"errors"
	"fmt"
	"slices"
)

// Taken is a tester number that somebody has in a store that testers share.
type Taken struct {
	Tester int
	Lost   bool // a session of theirs was abandoned or withdrawn: somebody else takes their place
}

// ErrFull is wrapped by the error of a study that needs no more testers.
var ErrFull = errors.New("the study is full")

// Seat is the number for the next tester of a store that testers share: the first one
// whose assignment is short of testers, who finished it or are at work. So a study stays
// balanced over those who stay, whoever leaves.
func (s *Study) Seat(taken []Taken) (int, error) {
	var planned []string // an assignment for each place
	for t := 1; t <= s.Design.Testers; t++ {
		planned = append(planned, s.row(t))
	}
	used := map[int]bool{}
	for _, t := range taken {
		used[t.Tester] = true
		if i := slices.Index(planned, s.row(t.Tester)); i >= 0 && !t.Lost {
			planned = slices.Delete(planned, i, i+1)
		}
	}
	if len(planned) > 0 {
		for t := 1; t <= maxTesters; t++ {
			if !used[t] && slices.Contains(planned, s.row(t)) {
				return t, nil
			}
		}
	}
	return 0, fmt.Errorf("%w: %s is planned for %d testers, who have finished or begun; its owner must raise `testers` and freeze it again", ErrFull, s.Name, s.Design.Testers)
}

// row is what a tester does, told apart from what others do; an order that was drawn is
// everybody's own, and does not count.
func (s *Study) row(tester int) string {
	parts := s.Assign(tester)
	if s.Design.Order == Drawn {
		for _, p := range parts {
			slices.Sort(p.Sets)
		}
	}
	return fmt.Sprint(parts)
}
