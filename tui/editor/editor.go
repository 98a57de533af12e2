package editor

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// Editor is a text area. Make one with New.
type Editor struct {
	text    text
	caret   caret
	marked  bool // motions select until any other key
	goal    int  // the column that up and down return to
	hasGoal bool

	origin  origin
	history history
	clip    string // last text cut or copied
	killed  string // last text deleted by ctrl+w, ctrl+u or ctrl+k

	height   int
	top      place // the first visible row
	follow   bool  // keep the cursor in view
	dragging bool
	selected lipgloss.Style
}

// place is a row of a line.
type place struct{ line, row int }

// minWidth is the smallest width that rows are laid out for.
const minWidth = 8

// New makes an empty editor.
func New() Editor {
	e := Editor{height: 1, selected: lipgloss.NewStyle().Reverse(true)}
	e.Reset("", false)
	return e
}

// Reset sets the text, with the cursor at its end and nothing to undo. inserted marks it as
// inserted, not typed.
func (e *Editor) Reset(whole string, inserted bool) {
	version := e.text.version
	e.text = newText(clean(whole), max(e.text.limit, minWidth-2))
	e.text.version += version
	e.caret, e.marked, e.hasGoal = caret{at: e.text.end()}, false, false
	e.origin, e.history, e.dragging = origin{}, history{}, false
	if n := len(e.Value()); inserted && n > 0 {
		e.origin.inserted = []span{{0, n}}
	}
	e.top, e.follow = place{}, true
}

// SetSize sets the size. The last column is for the cursor after a full row.
func (e *Editor) SetSize(width, height int) {
	e.height = max(1, height)
	if limit := max(width, minWidth) - 2; limit != e.text.limit {
		e.text.limit, e.top.row, e.follow = limit, 0, true
	}
}

// Rows counts the rows of the whole text, up to most.
func (e *Editor) Rows(most int) int {
	rows := 0
	for i := 0; i < len(e.text.lines) && rows < most; i++ {
		rows += e.text.rows(i)
	}
	return min(rows, most)
}

// SetStyle sets the style of the selection.
func (e *Editor) SetStyle(selected lipgloss.Style) { e.selected = selected }

// Value returns the whole text.
func (e *Editor) Value() string { return e.text.value() }

// Version changes with each change of the text.
func (e *Editor) Version() uint64 { return e.text.version }

// AtLineStart reports whether the line is empty before the cursor, or before the selection.
func (e *Editor) AtLineStart() bool {
	from, _ := e.selection()
	return from.at == 0
}

// Most is how many bytes a text may have for more to be inserted: it and its undo steps are kept in memory, for each of
// many guests.
const Most = 1 << 20

// TooLong says that nothing was inserted.
const TooLong = "Nothing was inserted: with it the text would be longer than 1 MB."

// Insert inserts a text that was not typed at the cursor, replacing the selection. what names its
// origin. It reports whether the text fits; otherwise nothing is changed.
func (e *Editor) Insert(text, what string) bool {
	from, to := e.selection()
	if e.text.offset(e.text.end())+len(text) > Most {
		return false
	}
	e.change(single, from, to, clean(text), what)
	return true
}

// Replace replaces the whole text, in one step and by one change that is as small as possible.
func (e *Editor) Replace(whole, what string) {
	whole = clean(whole)
	old := e.Value()
	start, end := alike(old, whole)
	e.change(single, e.text.position(start), e.text.position(len(old)-end), whole[start:len(whole)-end], what)
	e.caret = caret{at: e.text.end()}
	e.moved()
}

// alike returns the lengths of the common prefix and suffix of two texts, in bytes of whole UTF-8
// characters.
func alike(a, b string) (start, end int) {
	least := min(len(a), len(b))
	for start < least && a[start] == b[start] {
		start++
	}
	for start > 0 && (start < len(a) && a[start]&0xc0 == 0x80 || start < len(b) && b[start]&0xc0 == 0x80) {
		start--
	}
	for end < least-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	for end > 0 && a[len(a)-end]&0xc0 == 0x80 {
		end--
	}
	return start, end
}

// Selection returns the selected text, or "".
func (e *Editor) Selection() string {
	from, to := e.selection()
	return e.text.slice(from, to)
}

// Selecting reports whether something is selected, or about to be.
func (e *Editor) Selecting() bool { return e.marked || e.caret.selecting }

// Selected returns how many lines the selection touches, 0 without a selection, and its number of
// characters if that is one line. Characters of a very long line are counted only up to a bound.
func (e *Editor) Selected() (lines, characters int) {
	const most = 10_000
	from, to := e.selection()
	if from == to {
		return 0, 0
	}
	if from.line != to.line {
		return to.line - from.line + 1, 0
	}
	for from.at < to.at && characters < most {
		n, _ := charAt(e.text.lines[from.line].text, from.at)
		from.at += n
		characters++
	}
	return 1, characters
}

// selection returns the ends of the selection; both are the cursor if there is none.
func (e *Editor) selection() (from, to pos) {
	c := e.caret
	switch {
	case !c.selecting:
		return c.at, c.at
	case c.anchor.before(c.at):
		return c.anchor, c.at
	}
	return c.at, c.anchor
}

// Deselect ends the selection.
func (e *Editor) Deselect() { e.caret.selecting, e.marked = false, false }

// selectAll selects the whole text.
func (e *Editor) selectAll() {
	e.caret = caret{at: e.text.end(), anchor: pos{}, selecting: true}
	e.marked = false
	e.moved()
}

// mark starts a selection that motions extend, or ends it.
func (e *Editor) mark() {
	if e.marked {
		e.Deselect()
		return
	}
	e.caret.anchor, e.caret.selecting, e.marked = e.caret.at, true, true
}

// Copy keeps the selected text for Paste, and returns it.
func (e *Editor) Copy() string {
	if text := e.Selection(); text != "" {
		e.clip = strings.Clone(text)
		e.marked = false
		return e.clip
	}
	return ""
}

// Cut is Copy followed by deleting the selection.
func (e *Editor) Cut() string {
	text := e.Copy()
	if text != "" {
		from, to := e.selection()
		e.change(single, from, to, "", "")
	}
	return text
}

// paste inserts the text that was cut or copied last.
func (e *Editor) paste() bool {
	if e.clip == "" {
		return false
	}
	e.Insert(e.clip, "paste")
	return true
}

// moved must be called after the cursor moved: it brings the cursor into view.
func (e *Editor) moved() { e.follow, e.hasGoal = true, false }

// View draws the visible rows, each at most as wide as the editor; fewer at the end of the text.
func (e *Editor) View() string {
	e.settle()
	var b strings.Builder
	from, to := e.selection()
	at := e.top
	for row := range e.height {
		if row > 0 {
			b.WriteByte('\n')
		}
		e.drawRow(&b, at, from, to)
		var ok bool
		if at, ok = e.down(at); !ok {
			break
		}
	}
	return b.String()
}

// drawRow draws one row and its part of the selection.
func (e *Editor) drawRow(b *strings.Builder, at place, selFrom, selTo pos) {
	l := e.text.wrapped(at.line)
	from, to := l.row(at.row)
	clip := func(p pos) int {
		switch {
		case p.line < at.line:
			return from
		case p.line > at.line:
			return to
		}
		return max(from, min(to, p.at))
	}
	a, z := clip(selFrom), clip(selTo)
	tabs := func(s string) string { return strings.ReplaceAll(s, "\t", "    ") }
	if selFrom == selTo {
		b.WriteString(tabs(l.text[from:to]))
		return
	}
	b.WriteString(tabs(l.text[from:a]))
	marked := tabs(l.text[a:z])
	if end := (pos{at.line, len(l.text)}); to == len(l.text) && !end.before(selFrom) && end.before(selTo) {
		marked += " " // the end of the line
	}
	if marked != "" {
		b.WriteString(e.selected.Render(marked))
	}
	b.WriteString(tabs(l.text[z:to]))
}

// Cursor returns the cursor's position in View; ok is false if it is out of view.
func (e *Editor) Cursor() (x, y int, ok bool) {
	e.settle()
	row, column := e.text.column(e.caret.at)
	want := place{e.caret.at.line, row}
	at := e.top
	for y := range e.height {
		if at == want {
			return column, y, true
		}
		var more bool
		if at, more = e.down(at); !more {
			break
		}
	}
	return 0, 0, false
}

// down returns the row below another.
func (e *Editor) down(p place) (place, bool) {
	if p.row+1 < e.text.rows(p.line) {
		return place{p.line, p.row + 1}, true
	}
	if p.line+1 < len(e.text.lines) {
		return place{p.line + 1, 0}, true
	}
	return p, false
}

// up returns the row above another.
func (e *Editor) up(p place) (place, bool) {
	if p.row > 0 {
		return place{p.line, p.row - 1}, true
	}
	if p.line > 0 {
		return place{p.line - 1, e.text.rows(p.line-1) - 1}, true
	}
	return p, false
}

// settle makes the first visible row valid, brings the cursor into view unless the view was
// scrolled, and leaves no empty rows below a text that could fill them.
func (e *Editor) settle() {
	if e.top.line >= len(e.text.lines) {
		e.top = place{len(e.text.lines) - 1, 0}
	}
	e.top.row = min(e.top.row, e.text.rows(e.top.line)-1)
	if e.follow {
		e.reveal()
	}
	at, rows := e.top, 1
	for ok := true; rows < e.height; rows++ {
		if at, ok = e.down(at); !ok {
			break
		}
	}
	for ok := true; rows < e.height; rows++ {
		if e.top, ok = e.up(e.top); !ok {
			break
		}
	}
}

// reveal scrolls no further than necessary to show the cursor.
func (e *Editor) reveal() {
	row, _ := e.text.column(e.caret.at)
	want := place{e.caret.at.line, row}
	if want.line < e.top.line || want.line == e.top.line && want.row < e.top.row {
		e.top = want
		return
	}
	// The last top row that shows the cursor; no row far from it is wrapped.
	last := want
	for range e.height - 1 {
		var ok bool
		if last, ok = e.up(last); !ok {
			break
		}
	}
	if e.top.line < last.line || e.top.line == last.line && e.top.row < last.row {
		e.top = last
	}
}

// scroll moves the view by a number of rows and leaves the cursor where it is.
func (e *Editor) scroll(rows int) {
	e.settle()
	e.follow = false
	move := e.down
	if rows < 0 {
		move, rows = e.up, -rows
	}
	for range rows {
		e.top, _ = move(e.top)
	}
	e.settle()
}

// Mouse handles a mouse message at x and y, relative to the editor's first column and row: a
// click sets the cursor, dragging selects, the wheel scrolls.
func (e *Editor) Mouse(msg tea.MouseMsg, x, y int) {
	switch m := msg.Mouse(); msg.(type) {
	case tea.MouseClickMsg:
		if m.Button == tea.MouseLeft {
			e.click(x, y, m.Mod.Contains(tea.ModShift))
		}
	case tea.MouseMotionMsg:
		if e.dragging && m.Button == tea.MouseLeft {
			e.drag(x, y)
		}
	case tea.MouseReleaseMsg:
		e.dragging = false
	case tea.MouseWheelMsg:
		const rows = 3
		switch m.Button {
		case tea.MouseWheelUp:
			e.scroll(-rows)
		case tea.MouseWheelDown:
			e.scroll(rows)
		}
	}
}

func (e *Editor) click(x, y int, extend bool) {
	if extend && !e.caret.selecting {
		e.caret.anchor = e.caret.at
	}
	e.caret.at = e.hit(x, max(0, min(y, e.height-1)))
	if !extend {
		e.caret.anchor = e.caret.at
	}
	e.caret.selecting = e.caret.at != e.caret.anchor
	e.marked, e.dragging, e.history.open = false, true, false
	e.moved()
}

// drag selects up to x and y; beyond an edge it scrolls by a row.
func (e *Editor) drag(x, y int) {
	if y < 0 {
		e.scroll(-1)
	} else if y >= e.height {
		e.scroll(1)
	}
	e.caret.at = e.hit(x, max(0, min(y, e.height-1)))
	e.caret.selecting = e.caret.at != e.caret.anchor
	e.moved()
}

// hit returns the position drawn at x and y.
func (e *Editor) hit(x, y int) pos {
	e.settle()
	at := e.top
	for range y {
		var ok bool
		if at, ok = e.down(at); !ok {
			return e.text.end()
		}
	}
	return e.text.at(at.line, at.row, max(0, x))
}
