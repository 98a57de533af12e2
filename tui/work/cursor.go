package work

import (
	"slices"

	"assay/benchmark/judge"
)

// cursor returns the index of the chosen spot in the tests: the tester's choice, else the first
// failure, else the first spot; -1 if there is none.
func (m *viewer) cursor(s *sheet) int {
	if len(s.spots) == 0 {
		return -1
	}
	chosen := m.review.chosen
	if i := s.find(chosen); i >= 0 {
		return i
	}
	if chosen.kind == rangeItem || chosen.kind == caseItem { // its run was folded or unfolded
		if i := s.find(item{caseItem, chosen.n}); i >= 0 {
			return i
		}
		for i, spot := range slices.Backward(s.spots) {
			if spot.kind == rangeItem && spot.n <= chosen.n {
				return i
			}
		}
	}
	return max(0, slices.IndexFunc(s.spots, func(spot spot) bool { return spot.kind == caseItem && spot.folds }))
}

// moveCursor chooses another spot. It returns false if the view should scroll instead, since there
// is no other spot or the chosen one is longer than the view.
func (m *viewer) moveCursor(s *sheet, press string, to, height int) bool {
	at := m.cursor(s)
	if at < 0 {
		return false
	}
	r, top := &m.review, m.top(s, height)
	now := s.spots[at]
	switch press {
	case "up", "k":
		if now.row < top && now.row+now.rows > top || at == 0 {
			return false
		}
		at--
	case "down", "j":
		if now.row < top+height && now.row+now.rows > top+height || at == len(s.spots)-1 {
			return false
		}
		at++
	case "home", "end", "G":
		if at = 0; press != "home" {
			at = len(s.spots) - 1
		}
		r.chosen, r.tops[r.tab] = s.spots[at].item, to
		return true
	default: // a page: what is chosen stays in view
		r.tops[r.tab] = to
		top = m.top(s, height)
		for i, spot := range s.spots {
			if spot.row >= top && spot.row < top+height {
				at = i
				break
			}
		}
		r.chosen = s.spots[at].item
		return true
	}
	r.chosen = s.spots[at].item
	m.reveal(s, s.spots[at].row, s.spots[at].rows, height)
	return true
}

// filterTests lists all test cases, or only those that failed.
func (m *viewer) filterTests() {
	a := m.attempt()
	if a.Verdict == nil {
		return
	}
	result, err := m.results(a.Verdict)
	failed := slices.ContainsFunc(result.Cases, func(c judge.CaseResult) bool { return c.Status != judge.Passed })
	if err != nil || !failed && !m.review.failing {
		m.notice = "f: no test failed"
		return
	}
	m.changed(func() { m.review.failing = !m.review.failing })
}
