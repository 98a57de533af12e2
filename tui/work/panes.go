package work

import "assay/tui/frame"

// What stands beside the editor on wide screens.

// composeWide sets statement, editor and what came of the attempt before side by side;
// statement and editor alone where there is nothing of the latter or no room for it.
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

// composeColumns are the widths of what stands side by side while a prompt is written; the
// last is 0 where there are two.
func (m *Model) composeColumns() (left, middle, right int) {
	width := m.size.Width
	if !m.threePanes() {
		left = min(width*45/100, frame.ProseWidth)
		return left, min(width-left-1, frame.ProseWidth), 0
	}
	left, middle = min(width*26/100, frame.ProseWidth), min(width*42/100, frame.ProseWidth)
	return left, middle, min(width-left-middle-2, frame.ProseWidth)
}

// threePanes reports whether something of the attempt before stands beside the editor.
func (m *Model) threePanes() bool {
	return m.size.Width >= threeWidth && m.besideEditor() != aboveStatement
}

// besideEditor is what stands in the third column: what tab chose, or would choose first.
func (m *Model) besideEditor() above {
	if m.compose.above != aboveStatement {
		return m.compose.above
	}
	return m.nextAbove()
}

// aboveAt is the text above or beside the editor in column x of the body.
func (m *Model) aboveAt(x int) above {
	switch {
	case !m.threePanes():
		return m.compose.above
	case x < m.compose.room.x:
		return aboveStatement
	}
	return m.besideEditor()
}
