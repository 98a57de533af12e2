package viewer

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
)

// LinesKey scrolls by lines. Only the list of keys has it where nothing can be scrolled or chosen.
func (m *Viewer) LinesKey() frame.Key {
	return frame.Key{Press: "↑↓", Also: "k j", Does: "scroll", Run: m.Scroll, Fit: func(k *frame.Key) { k.More = !m.scrolls() }}
}

// scrolls reports whether not all of the chosen tab is in view, or it has several test cases to choose from.
func (m *Viewer) scrolls() bool {
	switch {
	case m.Size.Width == 0 || m.Attempt() == nil:
		return false
	case m.streaming():
		return m.stream.Long()
	}
	s, _, height := m.inView()
	return len(s.rows) > height || m.review.tab == TabTests && len(s.spots) > 1
}

// Scroll moves the view, or in the tests the cursor.
func (m *Viewer) Scroll(press string) tea.Cmd {
	if m.streaming() {
		scrollStream(m.stream, press, m.textSize().Height)
		return nil
	}
	s, top, height := m.inView()
	to := motion(press, top, height, len(s.rows))
	if m.review.tab != TabTests || !m.moveCursor(s, press, to, height) {
		m.review.tops[m.review.tab] = to
	}
	return nil
}

// changed applies a change to the layout and keeps the top of the view in place.
func (m *Viewer) changed(change func()) {
	before := m.sheet(m.textSize())
	change()
	m.review.changes++
	m.anchor(before)
}

// anchor scrolls the new sheet so that the item at the top of the previous one stays there.
func (m *Viewer) anchor(before *sheet) {
	if before == nil || m.streaming() || m.Attempt() == nil {
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

// reveal scrolls as little as possible to show a spot, or at least its first rows.
func (m *Viewer) reveal(s *sheet, row, rows, height int) {
	top := m.top(s, height)
	if last := row + min(rows, height) - 1; last >= top+height {
		top = last - height + 1
	}
	m.review.tops[m.review.tab] = min(top, row)
}

// fold folds or unfolds everything in the tab that can be folded.
func (m *Viewer) fold() {
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
	case !foldable && r.tab == TabAnswer:
		m.Notice = "z: no part of this answer is longer than the screen"
	case !foldable:
		m.Notice = "z: nothing is folded here"
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

// foldable returns the spot that enter acts on, if there is one: the chosen one in the tests, else the
// first visible folded one, else the first visible one that folds.
func (m *Viewer) foldable() (of spot, ok bool) {
	s, top, height := m.inView()
	at := -1
	if m.review.tab == TabTests {
		at = m.cursor(s)
	} else {
		for i, spot := range s.spots {
			seen := spot.row < top+height && spot.row+spot.rows > top
			if spot.folds && seen && (at < 0 || m.foldedAway(spot.item) && !m.foldedAway(s.spots[at].item)) {
				at = i // a folded spot has priority: its row says that enter unfolds it
			}
		}
	}
	if at < 0 {
		return spot{}, false
	}
	return s.spots[at], true
}

// fitFold names what enter does in the chosen tab, and removes the key if nothing can be folded.
func (m *Viewer) fitFold(k *frame.Key) {
	if k.More = m.review.tab != TabTests; m.Size.Width == 0 || m.Attempt() == nil || m.streaming() {
		k.Press = ""
		return
	}
	switch of, _ := m.foldable(); {
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
func (m *Viewer) foldOne() {
	r := &m.review
	of, _ := m.foldable()
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
	if s, _, height := m.inView(); r.tab == TabTests {
		if i := m.cursor(s); i >= 0 {
			m.reveal(s, s.spots[i].row, s.spots[i].rows, height)
		}
	}
}

// moveCursor chooses another spot. It returns false if the view should scroll instead, since there
// is no other spot or the chosen one is longer than the view.
func (m *Viewer) moveCursor(s *sheet, press string, to, height int) bool {
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

// filter lists all tests or the failed ones, or an agent's steps by tool.
func (m *Viewer) filter() {
	a := m.Attempt()
	switch {
	case m.walks():
		m.nextTool()
		return
	case a.Verdict == nil:
		return
	}
	result, err := m.Results(a.Verdict)
	failed := slices.ContainsFunc(result.Cases, func(c verdicts.CaseResult) bool { return c.Status != verdicts.Passed })
	if err != nil || !failed && !m.review.failing {
		m.Notice = "f: no test failed"
		return
	}
	m.changed(func() { m.review.failing = !m.review.failing })
}

// lineNamed finds the line of the answer's code that a message about a failure names.
var lineNamed = regexp.MustCompile(`\bline (\d+)|\.\w+:(\d+)`)

// showLine shows the line of code at which the chosen test failed, as a search for it.
func (m *Viewer) showLine() {
	line, which := m.failedLine()
	if line == "" {
		m.Notice = "e: this failure names no line of the code"
		return
	}
	m.Turn(TabAnswer)
	f := &m.review.find
	s, _ := m.search(line)
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
func (m *Viewer) failedLine() (line string, before int) {
	a := m.Attempt()
	if a == nil || a.Verdict == nil || a.Extracted == nil || m.State.Plan.Sees(a) != session.SeeTests {
		return "", 0
	}
	result, err := m.Results(a.Verdict)
	message := result.Message
	if chosen, ok := m.foldable(); err == nil && ok {
		if i := slices.IndexFunc(result.Cases, func(c verdicts.CaseResult) bool { return c.Index == chosen.n }); i >= 0 && result.Cases[i].Message != "" {
			message = result.Cases[i].Message
		}
	}
	lines := strings.Split(m.Text(a.Extracted.Code), "\n")
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

// Back shows the answer again, as it was left.
func (m *reading) Back() { m.review.tab = TabAnswer }

// Begin prepares for another answer.
func (m *reading) Begin() { m.review.begin() }

// ToRecord returns the tab that is shown, with how; other is false if that was the last that it returned.
func (m *reading) ToRecord() (name string, verbatim, other bool) {
	now := tabSeen{tabNames[m.review.tab], m.OnTab(TabAnswer) && m.Verbatim()}
	other = m.review.shown != now
	m.review.shown = now
	return now.name, now.verbatim, other
}

// Turn shows another tab at the position where the tester left it.
func (m *Viewer) Turn(to tab) {
	m.FindNothing()
	m.review.tab, m.review.pan = to, frame.Pan{}
}

// findFirst starts a search in the chosen tab, at the first visible row.
func (m *Viewer) findFirst(needle string) {
	if strings.TrimSpace(needle) == "" {
		m.FindNothing()
		return
	}
	_, top := m.search(needle)
	m.review.find.GoOn(top)
	m.showHit()
}

// search finds the hits in the chosen tab, and returns that with its first visible row.
func (m *Viewer) search(needle string) (s *sheet, top int) {
	m.changed(func() { m.review.find.Seek(needle) })
	s, top, _ = m.inView()
	m.review.find.Search(s, s.rows)
	return s, top
}

// FindNothing ends a search, and reports whether there was one; what it unfolded is folded again.
func (m *Viewer) FindNothing() bool {
	searched := m.review.find.Needle != ""
	if searched {
		m.changed(func() { m.review.find.Seek("") })
	}
	return searched
}

// findNext goes to the next hit, or with N to the previous one.
func (m *Viewer) findNext(press string) tea.Cmd {
	s := m.sheet(m.textSize())
	m.review.find.Search(s, s.rows)
	m.review.find.Step(press)
	m.showHit()
	return nil
}

// showHit scrolls to the current hit if it is out of view, and tells its number.
func (m *Viewer) showHit() {
	_, before, _ := m.inView()
	top, notice := m.review.find.Show(before, m.textSize(), &m.review.pan, m.Theme)
	if m.Notice = notice; top != before {
		m.review.tops[m.review.tab] = top
	}
}

// walk goes to the next step of an agent, or with N to the previous one.
func (m *Viewer) walk(press string) tea.Cmd {
	s, top := m.sheet(m.textSize()), m.review.tops[m.review.tab] // which may be below the last row that top returns
	to, found := 0, false
	for _, spot := range s.spots {
		if row := spot.row - 1; spot.kind == stepItem && (press == "n" && row > top && !found || press == "N" && row < top) { // its head is the row before
			to, found = row, true
		}
	}
	if !found {
		m.Notice = map[string]string{"n": "n: this is the last step", "N": "N: this is the first step"}[press]
		return nil
	}
	m.review.tops[m.review.tab] = to
	return nil
}

// nextTool lists the steps with the next tool alone, and after the last tool all.
func (m *Viewer) nextTool() {
	tools := []string{""}
	for _, step := range m.stepsOf(m.Attempt().Answer) {
		for _, c := range step.Calls {
			if !slices.Contains(tools, c.Tool) {
				tools = append(tools, c.Tool)
			}
		}
	}
	m.changed(func() { m.review.tool = tools[(slices.Index(tools, m.review.tool)+1)%len(tools)] })
	m.review.tops[m.review.tab] = 0
}

// goToItem scrolls to the next or previous item of a kind.
func (m *Viewer) goToItem(next bool, kind itemKind, press, what string) tea.Cmd {
	s, at, height := m.inView()
	const above = 1 // a row of context
	to := -1
	for _, spot := range s.spots {
		row := max(0, spot.row-above)
		if spot.kind != kind {
			continue
		}
		if next && row > at && to < 0 || !next && row < at {
			to = row
		}
	}
	if to < 0 {
		m.Notice = press + " this is the " + map[bool]string{true: "last ", false: "first "}[next] + what
		return nil
	}
	m.review.tops[TabChanges] = to
	if m.top(s, height) == at {
		m.Notice = press + " the last " + what + "s are all in view"
	}
	return nil
}

// choosePicture shows a file's picture in the list, or hides it.
func (m *Viewer) choosePicture(n int) {
	files := m.leftFiles()
	if n >= len(files) || !isPicture(files[n]) {
		m.Notice = "enter: this file is no picture that can be shown here"
		return
	}
	shown := m.shownPicture()
	m.changed(func() {
		m.review.picture = n + 1
		if shown == n {
			m.review.picture = -1
		}
	})
}
