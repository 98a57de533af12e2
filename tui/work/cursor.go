package work

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark/verdicts"
	"assay/session"
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
	if chosen.kind == rangeItem || chosen.kind == failuresItem || chosen.kind == caseItem { // its run was folded or unfolded
		if i := s.find(item{caseItem, chosen.n}); i >= 0 {
			return i
		}
		for i, spot := range slices.Backward(s.spots) {
			if spot.kind == rangeItem && spot.n <= chosen.n {
				return i
			}
		}
	}
	return max(0, slices.IndexFunc(s.spots, func(spot spot) bool { return spot.failed || spot.folds && spot.kind == failuresItem }))
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
	failed := slices.ContainsFunc(result.Cases, func(c verdicts.CaseResult) bool { return c.Status != verdicts.Passed })
	if err != nil || !failed && !m.review.failing {
		m.notice = "f: no test failed"
		return
	}
	m.changed(func() { m.review.failing = !m.review.failing })
}

// lineNamed finds the line of the answer's code that a message about a failure names.
var lineNamed = regexp.MustCompile(`\bline (\d+)|\.\w+:(\d+)`)

// showLine shows the line of code at which the chosen test failed, as a search for it.
func (m *viewer) showLine() {
	line, which := m.failedLine()
	if line == "" {
		m.notice = "e: this failure names no line of the code"
		return
	}
	m.turn(tabAnswer)
	size := m.textSize()
	m.changed(func() { m.review.find.seek(line) })
	f, s := &m.review.find, m.sheet(size)
	f.search(s, s.rows)
	judged := func(h hit) bool { return strings.Contains(s.rows[h.parts[0].row], "▌") }
	for i, h := range f.hits {
		if judged(h) {
			if f.at = i; which == 0 {
				break
			}
			which--
		}
	}
	m.showHit()
}

// failedLine returns the line of code that the chosen failure names, and how many lines before it are the same.
func (m *viewer) failedLine() (line string, before int) {
	a := m.attempt()
	if a == nil || a.Verdict == nil || a.Extracted == nil || m.state.Plan.Sees(a) != session.SeeTests {
		return "", 0
	}
	result, err := m.results(a.Verdict)
	at := m.cursor(m.sheet(m.textSize()))
	message := result.Message
	if err == nil && at >= 0 {
		chosen := m.sheet(m.textSize()).spots[at].n
		if i := slices.IndexFunc(result.Cases, func(c verdicts.CaseResult) bool { return c.Index == chosen }); i >= 0 && result.Cases[i].Message != "" {
			message = result.Cases[i].Message
		}
	}
	lines := strings.Split(m.text(a.Extracted.Code), "\n")
	for _, found := range lineNamed.FindAllStringSubmatch(message, -1) {
		if n, err := strconv.Atoi(found[1] + found[2]); err == nil && n > 0 && n <= len(lines) {
			line, before = strings.TrimSpace(lines[n-1]), 0
			for _, other := range lines[:n-1] {
				if strings.Contains(other, line) {
					before++
				}
			}
		}
	}
	return line, before
}
