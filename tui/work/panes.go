package work

import "assay/tui/frame"

// The columns beside the editor on wide screens.

// composeWide lays out statement, editor and, if there is one and room for it, a text about the
// previous attempt side by side.
func (m *Model) composeWide(p frame.Page, body frame.Size, head, label string) frame.Page {
	left, middle, right := m.composeColumns()
	height := body.Height - m.troubleRows()
	area := frame.Section(head, label, middle, m.theme) + "\n" + m.editor(middle, height-1)
	if right > 0 {
		area = frame.Columns(area, m.scrolled(m.besideEditor(), right, height), middle, right, body.Height, m.theme)
		p.Body = frame.Columns(m.scrolled(aboveStatement, left, height), area, left, middle+1+right, body.Height, m.theme)
	} else {
		p.Body = frame.Columns(m.scrolled(m.compose.above, left, height), area, left, middle, body.Height, m.theme)
	}
	p.Cursor = m.cursor(left+1, 1)
	return p
}

// composeColumns returns the widths of the columns while a prompt is written; the last is 0 if
// there are two.
func (m *Model) composeColumns() (left, middle, right int) {
	width := m.size.Width
	if !m.threePanes() {
		left = min(width*45/100, frame.ProseWidth)
		return left, min(width-left-1, frame.ProseWidth), 0
	}
	left, middle = min(width*26/100, frame.ProseWidth), min(width*42/100, frame.ProseWidth)
	return left, middle, min(width-left-middle-2, frame.ProseWidth)
}

// threePanes reports whether a text about the previous attempt stands beside the editor.
func (m *Model) threePanes() bool {
	return m.size.Width >= threeWidth && m.besideEditor() != aboveStatement
}

// besideEditor returns the text in the third column: the one chosen with tab, or the first that tab
// would choose.
func (m *Model) besideEditor() above {
	if m.compose.above != aboveStatement {
		return m.compose.above
	}
	return m.nextAbove()
}

// aboveAt returns the text above or beside the editor in column x of the body.
func (m *Model) aboveAt(x int) above {
	switch {
	case !m.threePanes():
		return m.compose.above
	case x < m.compose.room.x:
		return aboveStatement
	}
	return m.besideEditor()
}
