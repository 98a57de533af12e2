package work

import (
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// The rating form beside the answer, where there is room for both, and the mouse on it.

// formColumns are those of the form beside the answer.
const formColumns = 78

// besideFormWidth is the number of columns from which the form stands beside the answer.
const besideFormWidth = 150

// reserve keeps room for the form at the right of the answer.
func (m *Model) reserve() {
	if m.beside = 0; m.state.Phase == session.Rate && m.state.Paused == "" && m.size.Width >= besideFormWidth {
		m.beside = formColumns + 1 // and the line between them
	}
}

// formWidth is the room for the form.
func (m *Model) formWidth() int {
	if m.beside > 0 {
		return formColumns
	}
	return m.size.Width
}

// ratingHead is how many rows stand above the rows of the form.
const ratingHead = 2

// rateMouse handles the mouse on the form: a click on a cell gives its score or value, one
// elsewhere in a row chooses the row, and the wheel moves.
func (m *Model) rateMouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	r := &m.rating
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		if press, ok := frame.WheelKey(msg); ok {
			return m.ratingKey(press)
		}
		return nil
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft {
			return nil
		}
	default:
		return nil
	}
	at := r.top + y - ratingHead
	if y < ratingHead || at >= len(r.rows) {
		return nil
	}
	m.notice, m.trouble = "", ""
	r.row = r.rows[at]
	row := ratingRows(m.state)[r.row]
	if row.label != nil {
		return m.clickLabel(row.label.ID, r.lines[at], x)
	}
	const first = 3 + nameWidth - 6 // behind the mark and the name
	own := at == 0 || r.rows[at-1] != r.row
	if score := (x - first) / m.cellWidth(); own && x >= first && score < m.points() {
		return m.rateRow(score + session.MinScore)
	}
	return nil
}

// clickLabel gives a label the value that stands in a column of its line.
func (m *Model) clickLabel(label, line string, x int) tea.Cmd {
	var keys []LabelKey
	var texts []string
	for _, k := range LabelKeys(m.state.Plan.AskedLabels()) {
		if k.Label == label {
			keys, texts = append(keys, k), append(texts, m.theme.Press(frame.ScopeRating, k.Press)+" "+frame.OneLine(k.Value))
		}
	}
	if i := frame.TextAt(line, x, texts); i >= 0 {
		return m.labelRow(keys[i].Label, keys[i].Value)
	}
	return nil
}
