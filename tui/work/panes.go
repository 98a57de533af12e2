package work

import (
	"fmt"
	"slices"
	"strings"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
)

// The columns beside the editor on wide screens.

// composeWide lays out statement, editor and, if there is one and room for it, a text about the
// previous attempt side by side.
func (m *Model) composeWide(p frame.Page, body frame.Size, head, label string) frame.Page {
	left, middle, right := m.composeColumns()
	height := body.Height - 1 - m.troubleRows()
	beside := m.compose.above
	if right > 0 {
		beside = aboveStatement
	}
	text := m.scrolled(beside, left, height)
	if spare := height - strings.Count(text, "\n") - 2; right == 0 && beside != aboveStatement && spare >= minEditor {
		text += "\n" + frame.Section(aboveStatement.String(), "", left, m.theme) + "\n" + m.scrolled(aboveStatement, left, spare)
	}
	failed, tests := m.failure(middle), m.lastFailure(middle, height/2)
	rows := height - len(failed) - len(tests)
	area := slices.Concat(failed, frame.Fit(m.editor(middle, rows), frame.Size{Width: middle, Height: rows}), tests)
	panes := []frame.Pane{
		{Title: beside.String(), Text: text, Width: left},
		{Title: head, Note: label, Text: strings.Join(area, "\n"), Width: middle, Focused: true},
	}
	if right > 0 {
		panes = append(panes, frame.Pane{Title: m.besideEditor().String(), Text: m.scrolled(m.besideEditor(), right, height), Width: right})
	}
	p.Body = frame.Panes(height, m.theme, panes...)
	p.Cursor = m.cursor(left+1, 1+len(failed))
	return p
}

// lastFailure draws the verdict on the attempt before and its first failed test, in at most so many rows; none where
// the tests stand beside the editor.
func (m *Model) lastFailure(width, most int) []string {
	a := m.previous()
	if a == nil || a.Verdict == nil || m.state.Plan.Sees(a) == session.SeeNothing || m.threePanes() || m.compose.above == aboveTests {
		return nil
	}
	rows := []string{frame.Section("last attempt", m.theme.Chip(verdictText(a.Verdict, false)), width, m.theme)}
	if result, err := m.results(a.Verdict); err == nil && m.state.Plan.Sees(a) == session.SeeTests {
		failed := slices.DeleteFunc(slices.Clone(result.Cases), func(c verdicts.CaseResult) bool { return c.Status == verdicts.Passed || c.Status == verdicts.NotRun })
		if len(failed) > 0 {
			text, _ := m.caseText(failed[0], width, false)
			rows = append(rows, strings.Split(strings.TrimRight(text, "\n"), "\n")...)
		}
		if len(failed) > 1 {
			rows = append(rows, m.theme.Dim.Render(fmt.Sprintf("            and %s: ", frame.Count(len(failed)-1, "other failure"))+m.keyed("{tab} shows the tests")))
		}
	}
	return rows[:min(len(rows), most)]
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
