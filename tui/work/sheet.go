package work

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// sheet is what a tab shows, laid out in rows, with the spots that keys act on.
type sheet struct {
	rows  []string
	spots []spot
}

// spot is a stretch of rows that stands for something.
type spot struct {
	item
	row, rows int
	folds     bool // enter folds and unfolds it
	folded    item // what enter folds instead, if not itself
}

// item is what a spot stands for: the n-th of its kind.
type item struct {
	kind itemKind
	n    int
}

type itemKind int

const (
	blockItem  itemKind = iota + 1 // prose or code of an answer
	sameItem                       // lines that two texts share
	changeItem                     // lines that differ
	rangeItem                      // test cases in one line, by the first one's index
	caseItem                       // one test case, by its index
	fileItem                       // a file of the program
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

// sheetKey is all that a sheet depends on: a state is never changed once it is shown.
type sheetKey struct {
	state         *session.State
	task, attempt int
	tab           tab
	size          frame.Size // of the column
	look          markdown.Look
	changes       int    // of the reviewer
	running       string // how far the tests are
}

type keptSheet struct {
	key sheetKey
	*sheet
}

// Columns that stand beside the chosen tab keep their sheets under names of their own.
const (
	besideTests tab = 100 + iota
	besideTask
)

// sheet is the chosen tab laid out for a column.
func (m *viewer) sheet(size frame.Size) *sheet {
	return m.keptSheet(m.review.tab, size, func() *sheet { return m.tabSheet(size) })
}

// keptSheet is the sheet that was made last under a name, or a new one where that is
// out of date.
func (m *viewer) keptSheet(name tab, size frame.Size, make func() *sheet) *sheet {
	r := &m.review
	key := sheetKey{state: m.state, attempt: -1, tab: name, size: size, look: m.answerLook(size.Width), changes: r.changes, running: m.runningText()}
	if p := m.underway(); name == tabTests || name == besideTests {
		key.running += fmt.Sprint(len(p.Ended), int(p.Elapsed/time.Second))
	}
	key.task = m.state.Current
	if m.past != nil {
		key.task, key.attempt = m.past.task, m.past.attempt
	}
	kept, ok := r.sheets[name]
	if !ok || kept.key != key {
		kept = keptSheet{key, make()}
		r.sheets[name] = kept
	}
	return kept.sheet
}

// textSize is the room of the chosen tab.
func (m *viewer) textSize() frame.Size {
	_, width, _ := m.columns()
	height := m.size.Body().Height - 2 - len(m.truncation())
	if m.awaited() {
		height -= waitRows
	}
	return frame.Size{Width: width, Height: max(1, height)}
}

// top is the first row of the chosen tab that is seen. Where the reader went is kept as
// it is, also while a terminal is so large that the text ends before.
func (m *viewer) top(s *sheet, height int) int {
	return max(0, min(m.review.tops[m.review.tab], len(s.rows)-height))
}

// view is what is seen of the chosen tab.
func (m *viewer) view(size frame.Size) string {
	if m.streaming() {
		return m.streamText(size)
	}
	s := m.sheet(size)
	top := m.top(s, size.Height)
	rows := slices.Clone(s.rows[top:min(len(s.rows), top+size.Height)])
	m.markHits(s, top, rows)
	if m.review.tab == tabTests {
		if at := m.cursor(s); at >= 0 && s.spots[at].row >= top && s.spots[at].row < top+len(rows) {
			i := s.spots[at].row - top
			rows[i] = " " + m.theme.Accent.Render("▸") + strings.TrimPrefix(rows[i], "  ")
		}
	}
	return strings.Join(m.review.pan.Rows(rows, size.Width, m.theme), "\n")
}

// streamText is what is seen of an answer that streams.
func (m *viewer) streamText(size frame.Size) string {
	m.stream.Resize(m.answerLook(size.Width), size.Height)
	return strings.Join(m.review.pan.Rows(m.stream.View(), size.Width, m.theme), "\n")
}

// motion is where a key leads in a text of so many rows, seen height at a time.
func motion(press string, top, height, rows int) int {
	if press == "b" {
		return top - height
	}
	to, _ := frame.Move(press, top, height, rows)
	return to
}

// scroll moves the view, or in the tests what is chosen.
func (m *viewer) scroll(press string) tea.Cmd {
	size := m.textSize()
	if m.streaming() {
		scrollStream(m.stream, press, size.Height)
		return nil
	}
	s := m.sheet(size)
	top := m.top(s, size.Height)
	to := motion(press, top, size.Height, len(s.rows))
	if m.review.tab != tabTests || !m.moveCursor(s, press, to, size.Height) {
		m.review.tops[m.review.tab] = to
	}
	return nil
}

// scrollStream moves the view of an answer that streams.
func scrollStream(s *markdown.Stream, press string, height int) {
	switch press {
	case "home":
		s.Top()
	case "end", "G":
		s.Follow()
	default:
		s.Scroll(motion(press, 0, height, 0))
	}
}

// changed keeps what stands at the top where it is while the sheet is laid out anew.
func (m *viewer) changed(change func()) {
	before := m.sheet(m.textSize())
	change()
	m.review.changes++
	m.anchor(before)
}

// anchor scrolls the sheet to what stood at the top of the one before.
func (m *viewer) anchor(before *sheet) {
	if before == nil || m.streaming() || m.attempt() == nil {
		return
	}
	r, size := &m.review, m.textSize()
	top := m.top(before, size.Height)
	anchor, has := spot{}, false
	for _, s := range before.spots {
		if s.row <= top {
			anchor, has = s, true
		}
	}
	if !has {
		return
	}
	after := m.sheet(size)
	if i := after.find(anchor.item); i >= 0 {
		into := top - anchor.row
		if into < anchor.rows {
			into = min(into, max(0, after.spots[i].rows-1))
		} else {
			into += after.spots[i].rows - anchor.rows
		}
		r.tops[r.tab] = after.spots[i].row + into
	}
}

// find is the index of the spot of an item, or -1.
func (s *sheet) find(of item) int {
	return slices.IndexFunc(s.spots, func(spot spot) bool { return spot.item == of })
}

// reveal scrolls as little as shows rows of a spot, its first ones before all.
func (m *viewer) reveal(s *sheet, row, rows, height int) {
	top := m.top(s, height)
	if last := row + min(rows, height) - 1; last >= top+height {
		top = last - height + 1
	}
	m.review.tops[m.review.tab] = min(top, row)
}

// fold folds or unfolds all of the tab that can be.
func (m *viewer) fold() {
	r := &m.review
	s := m.sheet(m.textSize())
	all, some := true, false
	for _, spot := range s.spots {
		if spot.folds {
			some = true
			all = all && r.toggled[spot.item]
		}
	}
	switch {
	case !some && r.tab == tabAnswer:
		m.notice = "z: no part of this answer is longer than the screen"
	case !some:
		m.notice = "z: nothing is folded here"
	default:
		m.changed(func() {
			for _, spot := range s.spots {
				if spot.folds {
					r.toggled[spot.item] = !all
				}
			}
		})
	}
}

// foldable is the index of the spot that enter acts on: what is chosen, or else the first
// that is seen, the folded ones before all; -1 where there is none.
func (m *viewer) foldable(s *sheet, height int) int {
	if m.review.tab == tabTests {
		return m.cursor(s)
	}
	top, at := m.top(s, height), -1
	for i, spot := range s.spots {
		seen := spot.row < top+height && spot.row+spot.rows > top
		if !spot.folds || !seen {
			continue
		}
		if at < 0 || m.foldedAway(spot.item) && !m.foldedAway(s.spots[at].item) {
			at = i // what is folded first: its row says that enter unfolds it
		}
	}
	return at
}

// fitFold names what enter does in the chosen tab; without anything to fold it has no key.
func (m *viewer) fitFold(k *frame.Key) {
	if k.More = m.review.tab != tabTests; m.size.Width == 0 || m.attempt() == nil || m.streaming() {
		k.Press = ""
		return
	}
	size := m.textSize()
	s := m.sheet(size)
	at := m.foldable(s, size.Height)
	if at < 0 {
		k.Press = ""
		return
	}
	switch of := s.spots[at]; {
	case of.kind == fileItem:
		k.Does = "picture"
	case of.folded != item{}:
	case !of.folds:
		k.Press = ""
	case of.kind == caseItem && !m.review.toggled[of.item], of.kind != caseItem && m.foldedAway(of.item):
		k.Does = "unfold"
	}
}

// foldOne folds or unfolds what enter acts on.
func (m *viewer) foldOne() {
	r, size := &m.review, m.textSize()
	s := m.sheet(size)
	at := m.foldable(s, size.Height)
	if at < 0 {
		return
	}
	of := s.spots[at]
	if of.kind == fileItem {
		m.choosePicture(of.n)
		return
	}
	if of.folded != (item{}) {
		of.item, of.folds, r.chosen = of.folded, true, of.folded
	}
	if !of.folds {
		return
	}
	m.changed(func() { r.toggled[of.item] = !r.toggled[of.item] })
	if after := m.sheet(size); r.tab == tabTests {
		if i := m.cursor(after); i >= 0 {
			m.reveal(after, after.spots[i].row, after.spots[i].rows, size.Height)
		}
	}
}

// foldedAway reports whether an item is folded: a stretch that two texts share from the
// beginning, a block when it was toggled. A search unfolds everything.
func (m *viewer) foldedAway(of item) bool {
	if m.review.find.needle != "" {
		return false
	}
	switch of.kind {
	case sameItem, rangeItem:
		return !m.review.toggled[of]
	}
	return m.review.toggled[of]
}
