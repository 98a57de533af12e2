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

// sheetKey holds everything that a sheet depends on; a state that is shown is never changed.
type sheetKey struct {
	state         *session.State
	task, attempt int
	tab           tab
	size          frame.Size // of the column
	look          markdown.Look
	changes       int    // of the reviewer
	running       string // how far the tests are
	aside         bool   // keys are for what stands next to it
}

type keptSheet struct {
	key sheetKey
	*sheet
}

// Columns beside the chosen tab have sheets of their own, under these names.
const (
	besideTests tab = 100 + iota
	besideTask
	besideCode
)

// sheet returns the chosen tab laid out for a column.
func (m *viewer) sheet(size frame.Size) *sheet {
	return m.cached(m.review.tab, size, func() *sheet { return m.tabSheet(size) })
}

// cached returns the last sheet made under a name, or a new one if that is out of date.
func (m *viewer) cached(name tab, size frame.Size, make func() *sheet) *sheet {
	r := &m.review
	key := sheetKey{state: m.state, attempt: -1, tab: name, size: size, look: m.writtenLook(size.Width), changes: r.changes, running: m.runningText(), aside: m.aside}
	if p := m.underway(); name == tabTests || name == besideTests {
		key.running += fmt.Sprint(len(p.Ended), int(p.Elapsed/time.Second))
	}
	key.task = m.state.Current
	if m.past != nil {
		key.task, key.attempt = m.past.task, m.past.attempt
	}
	last, ok := r.sheets[name]
	if !ok || last.key != key {
		last = keptSheet{key, make()}
		r.sheets[name] = last
	}
	return last.sheet
}

// textSize returns the size of the chosen tab's text.
func (m *viewer) textSize() frame.Size {
	_, width, _ := m.columns()
	height := m.size.Body().Height - 2 - len(m.truncation())
	if m.awaited() {
		height -= waitRows
	}
	return frame.Size{Width: width, Height: max(1, height)}
}

// top returns the first visible row of the chosen tab. The reader's position is kept even while the
// terminal is so large that the text ends earlier.
func (m *viewer) top(s *sheet, height int) int {
	return max(0, min(m.review.tops[m.review.tab], len(s.rows)-height))
}

// view draws the visible part of the chosen tab.
func (m *viewer) view(size frame.Size) string {
	if m.streaming() {
		return m.streamText(size)
	}
	s := m.sheet(size)
	top := m.top(s, size.Height)
	rows := slices.Clone(s.rows[top:min(len(s.rows), top+size.Height)])
	m.review.find.search(s, s.rows)
	m.review.find.mark(top, rows)
	if m.review.tab == tabTests {
		if at := m.cursor(s); at >= 0 && s.spots[at].row >= top && s.spots[at].row < top+len(rows) {
			i := s.spots[at].row - top
			rows[i] = m.theme.Ground(" "+m.theme.Accent.Render("▸")+strings.TrimPrefix(rows[i], "  "), size.Width)
		}
	}
	return strings.Join(m.review.pan.Rows(rows, size.Width, m.theme), "\n")
}

// streamText draws the visible part of a streaming answer.
func (m *viewer) streamText(size frame.Size) string {
	m.stream.Resize(m.writtenLook(size.Width), size.Height)
	return strings.Join(m.review.pan.Rows(m.stream.View(), size.Width, m.theme), "\n")
}

// motion returns the first visible row after a key, in a text of the given rows of which height are
// visible.
func motion(press string, top, height, rows int) int {
	if press == "b" {
		return top - height
	}
	to, _ := frame.Move(press, top, height, rows)
	return to
}

// linesKey scrolls by lines. Only the list of keys has it where nothing can be scrolled or chosen.
func (m *viewer) linesKey() frame.Key {
	return frame.Key{Press: "↑↓", Also: "k j", Does: "scroll", Run: m.scroll, Fit: func(k *frame.Key) { k.More = !m.scrolls() }}
}

// scrolls reports whether not all of the chosen tab is in view, or it has several test cases to choose from.
func (m *viewer) scrolls() bool {
	switch {
	case m.size.Width == 0 || m.attempt() == nil:
		return false
	case m.streaming():
		return m.stream.Long()
	}
	size := m.textSize()
	s := m.sheet(size)
	return len(s.rows) > size.Height || m.review.tab == tabTests && len(s.spots) > 1
}

// scroll moves the view, or in the tests the cursor.
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

// scrollStream moves the view of a streaming answer.
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

// changed applies a change to the layout and keeps the top of the view in place.
func (m *viewer) changed(change func()) {
	before := m.sheet(m.textSize())
	change()
	m.review.changes++
	m.anchor(before)
}

// anchor scrolls the new sheet so that the item at the top of the previous one stays there.
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

// find returns the index of the spot of an item, or -1.
func (s *sheet) find(of item) int {
	return slices.IndexFunc(s.spots, func(spot spot) bool { return spot.item == of })
}

// reveal scrolls as little as possible to show a spot, or at least its first rows.
func (m *viewer) reveal(s *sheet, row, rows, height int) {
	top := m.top(s, height)
	if last := row + min(rows, height) - 1; last >= top+height {
		top = last - height + 1
	}
	m.review.tops[m.review.tab] = min(top, row)
}

// fold folds or unfolds everything in the tab that can be folded.
func (m *viewer) fold() {
	r := &m.review
	s := m.sheet(m.textSize())
	files := slices.ContainsFunc(s.spots, func(spot spot) bool { return spot.kind == changedFileItem })
	folds := func(spot spot) bool { return spot.folds && (!files || spot.kind == changedFileItem) }
	all, foldable := true, false
	for _, spot := range s.spots {
		if folds(spot) {
			foldable = true
			all = all && r.toggled[spot.item]
		}
	}
	switch {
	case !foldable && r.tab == tabAnswer:
		m.notice = "z: no part of this answer is longer than the screen"
	case !foldable:
		m.notice = "z: nothing is folded here"
	default:
		m.changed(func() {
			for _, spot := range s.spots {
				if folds(spot) {
					r.toggled[spot.item] = !all
				}
			}
		})
	}
}

// foldable returns the index of the spot that enter acts on: the chosen one in the tests, else the
// first visible folded one, else the first visible one that folds; -1 if there is none.
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
			at = i // a folded spot has priority: its row says that enter unfolds it
		}
	}
	return at
}

// fitFold names what enter does in the chosen tab, and removes the key if nothing can be folded.
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
		k.Does = "preview"
	case of.folded != item{}:
	case !of.folds:
		k.Press = ""
	case of.kind == caseItem && !m.review.toggled[of.item], of.kind != caseItem && m.foldedAway(of.item):
		k.Does = "unfold"
	}
}

// foldOne folds or unfolds the spot that enter acts on.
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

// foldedAway reports whether an item is folded. Unchanged lines, ranges of tests and steps start folded,
// blocks unfolded; a search unfolds everything.
func (m *viewer) foldedAway(of item) bool {
	if m.review.find.needle != "" {
		return false
	}
	switch of.kind {
	case sameItem, rangeItem, failuresItem, thinkingItem, stepItem:
		return !m.review.toggled[of]
	}
	return m.review.toggled[of]
}
