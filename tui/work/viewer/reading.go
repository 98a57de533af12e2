package viewer

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// tab is one view of an answer.
type tab int

const (
	TabAnswer tab = iota
	TabTests
	TabChanges
	tabMeasures
	tabPrompt
	tabTask
	tabSolution
	tabResult // for past sessions
	tabTranscript
)

// tabNames are the tabs as the log names them.
var tabNames = [...]string{"answer", "tests", "changes", "measures", "prompt", "task", "solution", "result", "transcript"}

// tabSeen is a tab as it is on the screen.
type tabSeen struct {
	name     string
	verbatim bool
}

// reading is what all tabs share: the attempt, the room to draw it in, and where the reader is.
type reading struct {
	subject
	Size    frame.Size
	Beside  int  // columns at the right that belong to another view
	Aside   bool // keys are for that view
	Theme   frame.Theme
	Trouble string // the last problem, with what to do
	Notice  string // what just happened, until the next key
	review  reviewer
}

// reviewer is the state of a review.
type reviewer struct {
	tab   tab
	tops  map[tab]int // the first row that is seen
	pan   frame.Pan
	shown tabSeen // what the log knows

	toggled map[item]bool // items that are not in their initial state, folded or unfolded
	chosen  item          // in the tests; a missing item stands for the first failure
	failing bool          // only failed test cases are listed
	tool    string        // only an agent's steps with it are listed; "": all
	beside  bool          // changes are shown side by side
	stacked bool          // those of a repository are not
	against int           // the index in compared() of the text that changes are against
	picture int           // the file whose picture is shown: 0 for the first, n+1 for the n-th, -1 for none
	full    bool          // a picture fills the page

	changes int // counts changes of the fields above, see sheetKey
	sheets  map[tab]keptSheet
	find    Finder
}

func newReviewer() reviewer {
	r := reviewer{find: NewFinder(), sheets: map[tab]keptSheet{}}
	r.begin()
	return r
}

// begin resets the state for another answer.
func (r *reviewer) begin() {
	r.tab, r.shown, r.chosen = TabAnswer, tabSeen{}, item{}
	r.find.Seek("")
	r.failing, r.tool, r.full, r.against, r.picture = false, "", false, 0, 0
	r.tops, r.pan, r.toggled = map[tab]int{}, frame.Pan{}, map[item]bool{}
	r.changes++
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

// cached returns the last sheet made under a name, or a new one if that is out of date.
func (m *reading) cached(name tab, size frame.Size, make func() *sheet) *sheet {
	r := &m.review
	key := sheetKey{state: m.State, attempt: -1, tab: name, size: size, look: m.WrittenLook(size.Width), changes: r.changes, running: m.runningText(), aside: m.Aside}
	if p := m.underway(); name == TabTests || name == besideTests {
		key.running += fmt.Sprint(len(p.Ended), int(p.Elapsed/time.Second))
	}
	key.task = m.State.Current
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

// tabs lists the tabs of this session. A reference solution that the plan hides is hidden until
// the session has ended, also in results.
func (m *reading) tabs() []tab {
	list := []tab{TabAnswer, TabTests, TabChanges, tabMeasures, tabPrompt, tabTask}
	if m.OfRepository() { // whose files are not measured
		list = []tab{TabAnswer, TabTests, TabChanges, tabPrompt, tabTask}
	}
	if a := m.Attempt(); a != nil && a.Answer != nil && a.Answer.Transcript != "" {
		list = append(list, tabTranscript)
	}
	if t := m.Task(); t != nil && t.Reference != "" && (m.State.Plan.Reference || m.past != nil && m.State.Closed != "") {
		list = append(list, tabSolution)
	}
	if m.past != nil && !m.past.blind {
		list = append(list, tabResult)
	}
	return list
}

// Room returns the width of the viewer in columns.
func (m *reading) Room() int { return m.Size.Width - m.Beside }

// unfolds names the keys that unfold what is folded.
func (m *reading) unfolds() string {
	if m.Aside {
		return m.Theme.Press(frame.ScopeRating, "v") + ", then enter"
	}
	return "enter"
}

// ThreeWidth is the minimum width for statement, answer and tests side by side.
const ThreeWidth = 160

// columns returns the widths of statement, chosen tab and tests; a missing column is 0. A line
// separates two columns.
func (m *reading) columns() (left, text, right int) {
	if m.review.tab == TabTests && m.Room() >= frame.WideWidth && m.judged() != "" {
		text = min(m.Room()*60/100, frame.ProseWidth)
		return 0, text, m.Room() - text - 1
	}
	if m.review.tab != TabAnswer {
		if text = m.Room(); m.review.tab != TabChanges && m.review.tab != tabSolution {
			text = min(text, frame.ProseWidth)
		}
		return 0, text, 0
	}
	return m.answerColumns()
}

func (m *reading) answerColumns() (left, text, right int) {
	width := m.Room()
	beside := width >= frame.WideWidth && (m.open() || m.Attempt().HasAnswer())
	switch {
	case !beside:
		return 0, min(width, frame.ProseWidth), 0
	case width < ThreeWidth || m.Task() == nil:
		text = width * 60 / 100
		return 0, text, width - text - 1
	}
	left, right = width*26/100, width*28/100
	return left, width - left - right - 2, right
}

// foldedAway reports whether an item is folded. Unchanged lines, ranges of tests and steps start folded,
// blocks unfolded; a search unfolds everything.
func (m *reading) foldedAway(of item) bool {
	if m.review.find.Needle != "" {
		return false
	}
	switch of.kind {
	case sameItem, rangeItem, failuresItem, thinkingItem, stepItem:
		return !m.review.toggled[of]
	}
	return m.review.toggled[of]
}

// top returns the first visible row of the chosen tab. The reader's position is kept even while the
// terminal is so large that the text ends earlier.
func (m *reading) top(s *sheet, height int) int {
	return max(0, min(m.review.tops[m.review.tab], len(s.rows)-height))
}

// cursor returns the index of the chosen spot in the tests: the tester's choice, else the first
// failure, else the first spot; -1 if there is none.
func (m *reading) cursor(s *sheet) int {
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

func (m *reading) AnswerLook(width int) markdown.Look { return markdown.LookOf(m.Theme, width) }

// WrittenLook returns how the answer's text is shown.
func (m *reading) WrittenLook(width int) markdown.Look {
	look := m.AnswerLook(width)
	look.Verbatim = m.Verbatim()
	return look
}

// Verbatim reports whether answers are shown as they were written: as the study wants or, else, the tester.
func (m *reading) Verbatim() bool {
	if fixed := m.State.Plan.Answers; fixed != "" {
		return fixed == session.AnswerVerbatim
	}
	return m.Theme.Verbatim
}

// addBlock adds rows that fold if they are more than a number.
func (m *reading) addBlock(s *sheet, block item, rows []string, least int) {
	s.begin(block, len(rows) > least)
	if s.spots[len(s.spots)-1].folds && m.foldedAway(block) {
		s.rows = append(s.rows, rows[:blockRows]...)
		s.rows = append(s.rows, " "+m.Theme.Dim.Render(fmt.Sprintf("… %s more lines: %s unfolds", thousands(len(rows)-blockRows), m.unfolds())))
	} else {
		s.rows = append(s.rows, rows...)
	}
	s.end()
}

// blockRows is the number of visible rows of a folded block.
const blockRows = 6

// thousands formats a number with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Searching reports whether words to search for are being typed.
func (m *reading) Searching() bool { return m.review.find.Typing }

// FindTyped hands a key or a paste to the line of the search, while that is typed.
func (m *reading) FindTyped(msg tea.Msg) (cmd tea.Cmd) {
	if m.review.find.Typing {
		m.review.find.Line, cmd = m.review.find.Line.Update(msg)
	}
	return cmd
}

// OnTab reports whether a tab is chosen.
func (m *reading) OnTab(t tab) bool { return m.review.tab == t }
