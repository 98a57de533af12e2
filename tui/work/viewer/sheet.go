package viewer

import (
	"slices"
	"strings"
)

// sheet is what a tab shows, laid out in rows, with the spots that keys act on.
type sheet struct {
	rows  []string
	spots []spot
}

// spot is a range of rows that belongs to an item.
type spot struct {
	item
	row, rows int
	folds     bool // enter folds and unfolds it
	failed    bool // it is a test case that failed
	folded    item // the item that enter folds instead; zero for the spot's own
}

// item identifies the content of a spot: the n-th of its kind.
type item struct {
	kind itemKind
	n    int
}

type itemKind int

const (
	blockItem       itemKind = iota + 1 // prose or code of an answer
	thinkingItem                        // thinking in an answer
	sameItem                            // unchanged lines
	changeItem                          // lines that differ
	rangeItem                           // test cases folded into one line, by the index of the first
	failuresItem                        // test cases that failed in the same way, by the index of the first
	caseItem                            // one test case, by its index
	fileItem                            // a file that the program left
	changedFileItem                     // a file of a repository that the answer changes
	stepItem                            // a step of an agent
)

// add appends the lines of text.
func (s *sheet) add(text string) { s.rows = append(s.rows, strings.Split(text, "\n")...) }

// begin opens a spot at the next row; end closes it.
func (s *sheet) begin(of item, folds bool) {
	s.spots = append(s.spots, spot{item: of, row: len(s.rows), folds: folds})
}

func (s *sheet) end() {
	last := &s.spots[len(s.spots)-1]
	last.rows = len(s.rows) - last.row
}

// find returns the index of the spot of an item, or -1.
func (s *sheet) find(of item) int {
	return slices.IndexFunc(s.spots, func(spot spot) bool { return spot.item == of })
}

func (s *sheet) addLines(lines [][]string) {
	for _, l := range lines {
		s.rows = append(s.rows, l...)
	}
}
