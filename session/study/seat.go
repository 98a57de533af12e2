package study

import (
	"errors"
	"fmt"
	"slices"
)

// Taken is a tester number in use, in a store shared by several testers.
type Taken struct {
	Tester int
	Lost   bool // a session of theirs was abandoned or withdrawn: another tester replaces them
}

// ErrFull is wrapped by the error for a study that needs no more testers.
var ErrFull = errors.New("the study is full")

// seat returns the number for the next tester of a shared store: the first whose assignment lacks testers
// who have finished it or are working. So a study stays balanced over the testers who stay.
func (s *Study) seat(taken []Taken) (int, error) {
	var planned []string // the assignment of each place
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

// row identifies an assignment by its work; a random order is ignored, since everybody has their own.
func (s *Study) row(tester int) string {
	parts := s.Assign(tester)
	if s.Design.Order == Drawn {
		for _, p := range parts {
			slices.Sort(p.Sets)
		}
	}
	return fmt.Sprint(parts)
}
