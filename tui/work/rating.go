package work

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/form"
	"assay/tui/frame"
	"assay/tui/work/live"
	"assay/tui/work/result"
	"assay/tui/work/viewer"
)

// ratingRoom is the rating form while it is filled in.
type ratingRoom struct {
	mergeRoom
	form   form.Form
	beside int // columns of the form beside the answer, with the line between them; 0: it has the page
}

// begin opens the form at the first missing row.
func (m *ratingRoom) begin() {
	m.viewing, m.merging, m.form.Window = false, false, frame.Window{}
	m.form.Row = nextMissing(m.State, 0)
}

// ratingRows lists the rows of the form: the attributes, with the attention check among them, then
// the labels that the task's outcome asks for.
func ratingRows(s *session.State) []form.Row {
	t := s.Task()
	rows := form.Rows(s.Plan.Attributes, t.Ratings, s.Plan.LabelsFor(t.Decided(s.Plan.K)), t.Labels, form.Keys(s.Plan.AskedLabels()))
	for i := range rows {
		if rows[i].ID == session.LabelErrorCause {
			rows[i].Meaning = ": wrong code, or a misunderstood task"
		}
	}
	if t.Check != nil {
		check := form.Row{ID: session.CheckID, Name: t.Check.Text, Points: points(s), Always: true}
		if t.Checked > 0 {
			check.Value = strconv.Itoa(t.Checked)
		}
		rows = slices.Insert(rows, s.Plan.CheckPlace(), check)
	}
	return rows
}

// missingRows counts the rows without a value.
func missingRows(s *session.State) int {
	return frame.CountIf(ratingRows(s), func(r *form.Row) bool { return r.Value == "" })
}

// nextMissing returns the first missing row from a row on, else the first missing row of all, else the
// row itself, but no label.
func nextMissing(s *session.State, from int) int {
	rows := ratingRows(s)
	if row := form.Missing(rows, min(from, len(rows))); row >= 0 {
		return row
	}
	rated := slices.IndexFunc(rows, form.Row.Label)
	if rated < 0 {
		rated = len(rows)
	}
	return max(0, min(from, rated-1))
}

func (m *ratingRoom) Typing() bool { return m.Searching() }

// Typed hands text to the search, or explains why the key of a label that is not asked for does nothing.
func (m *ratingRoom) Typed(msg tea.Msg) tea.Cmd {
	if m.Searching() || m.viewing || m.merging {
		return m.FindTyped(msg)
	}
	for _, k := range form.Keys(m.State.Plan.AskedLabels()) {
		if k.Press == fmt.Sprint(msg) {
			return m.labelRow(k.Label, k.Value)
		}
	}
	return nil
}

// rateRow sets the score of the chosen attribute and goes on to the next one
// that is missing.
func (m *ratingRoom) rateRow(score int) tea.Cmd {
	r := &m.form
	row := ratingRows(m.State)[r.Row]
	if score > row.Points {
		m.Notice = fmt.Sprintf("The scale ends at %d.", row.Points)
		return nil
	}
	predicted := m.Predict(session.Rated{Attribute: row.ID, Score: score})
	if predicted {
		r.Row = nextMissing(m.State, r.Row+1)
	}
	return m.Intend(live.Record(predicted, func(ctx context.Context) error { return m.Eng.Rate(ctx, row.ID, score) }))
}

// points returns the number of points of the scale, 0 if nothing is rated.
func points(s *session.State) int {
	if len(s.Plan.Attributes) == 0 {
		return 0
	}
	return s.Plan.Attributes[0].Max()
}

func (m *ratingRoom) labelRow(label, value string) tea.Cmd {
	if !m.Predict(session.Labelled{Label: label, Value: value}) {
		m.Notice = "This label is asked for only when you were not satisfied."
		return nil
	}
	m.form.Row = nextMissing(m.State, m.form.Row)
	return m.Intend(live.Record(true, func(ctx context.Context) error { return m.Eng.Label(ctx, label, value) }))
}

// undo undoes the last rating or label and goes to its row or, if there is none, undoes the
// judgement.
func (m *ratingRoom) undo() tea.Cmd {
	before := m.State
	if !m.Predict(session.Undone{Seq: before.CanUndo()}) {
		return nil
	}
	if m.State.Phase == session.Rate {
		m.form.Row = changedRow(before, m.State)
	}
	return m.Intend(live.Record(true, m.Eng.Undo))
}

// changedRow returns the first row in which two states differ.
func changedRow(a, b *session.State) int {
	before, after := ratingRows(a), ratingRows(b)
	for i := range min(len(before), len(after)) {
		if before[i].Value != after[i].Value {
			return i
		}
	}
	return 0
}

func (m *ratingRoom) commit() tea.Cmd {
	if n := missingRows(m.State); n > 0 {
		m.form.Row = form.Missing(ratingRows(m.State), 0)
		m.Notice = fmt.Sprintf("%d still to go: nothing is rated for you.", n)
		return nil
	}
	if m.State.AsksMerge() {
		m.merging = true
		return nil
	}
	return m.Intend(live.Step(m.Eng.Commit))
}

func (m *ratingRoom) Page() frame.Page {
	if m.merging && !m.viewing {
		return m.mergePage()
	}
	body := m.Size.Body()
	p := frame.Page{Status: m.toGo()}
	form, seen := m.ratingForm(frame.Size{Width: m.form.Width, Height: body.Height})
	switch beside := m.beside > 0; {
	case beside:
		p.Body = frame.Columns(m.ReviewBody(frame.Size{Width: m.Room(), Height: body.Height}), form, m.Room(), m.form.Width, body.Height, m.Theme)
		p.Seen = m.Seen()
	case m.viewing:
		p.Body, p.Seen = m.ReviewBody(body), m.Seen()
	default:
		p.Body, p.Seen = form, seen
	}
	return m.Finding(p, body)
}

func (m *ratingRoom) toGo() string {
	n := missingRows(m.State)
	switch {
	case n > 0:
		return fmt.Sprintf("%d to go", n)
	case m.State.AsksMerge():
		return m.Theme.Good.Render("✓ complete: enter goes on")
	}
	return m.Theme.Good.Render("✓ complete: enter commits")
}

// ratingForm draws the form and returns its position.
func (m *ratingRoom) ratingForm(body frame.Size) (text, seen string) {
	t, r := m.State.Task(), &m.form
	r.Scope, r.Theme = frame.ScopeRating, m.Theme
	text = cmp.Or(result.Mends(t), result.Ended(t.Decided(m.State.Plan.K), len(t.Attempts)))
	if m.nothingSet() && m.State.CanUndo() > 0 {
		text = result.Ended(t.Decided(m.State.Plan.K), 0) + m.Keyed(": {u} takes it back")
	}
	head := " " + m.Theme.Strong.Render("Rate the final answer") + m.Theme.Dim.Render("   "+text)
	return r.Draw(ratingRows(m.State), frame.Cut(head, r.Width), t.Note, body.Height)
}

// nothingSet reports whether neither a rating nor a label is set, so that the judgement is what is undone next.
func (m *ratingRoom) nothingSet() bool {
	t := m.State.Task()
	return len(t.Ratings)+len(t.Labels)+t.Checked == 0
}

// Keys lists the keys of what is shown, with those of the labels.
func (m *ratingRoom) Keys() []frame.Key {
	over := m.OverKeys()
	switch {
	case over != nil:
		return over
	case m.viewing:
		return m.answerKeys()
	case m.merging:
		return m.mergeKeys()
	}
	keys := m.formKeys()
	for _, row := range ratingRows(m.State) {
		for _, k := range row.Keys {
			keys = append(keys, frame.Key{Press: k.Press, Does: frame.OneLine(row.Name + ": " + k.Value), More: true, Do: func() tea.Cmd { return m.labelRow(k.Label, k.Value) }})
		}
	}
	return keys
}

// formKeys lists the keys of the form without those of labels.
func (m *ratingRoom) formKeys() []frame.Key {
	move := func(press string) tea.Cmd { m.form.Move(press, len(ratingRows(m.State))); return nil }
	return []frame.Key{
		{Press: "1-9", Does: "rate, go on", Run: func(press string) tea.Cmd { return m.rateRow(int(press[0] - '0')) }, Fit: func(k *frame.Key) {
			if points(m.State) == 0 {
				k.Why = "nothing is rated in this study"
				return
			}
			k.Press = fmt.Sprintf("1-%d", points(m.State))
			if row := ratingRows(m.State)[m.form.Row]; row.Label() {
				k.Why = "this row is answered with " + m.form.Letters(row)
			}
		}},
		m.mendKey("ctrl+o", "edit", m.files.showFiles),
		{Press: "↑↓", Also: "k j shift+tab tab", Does: "move", Run: move},
		{Press: "u", Also: "f6", Does: "undo", Do: m.undo, Fit: func(k *frame.Key) {
			if m.nothingSet() {
				k.Does = "back"
			}
			if m.State.CanUndo() == 0 {
				k.Why = "nothing was set yet"
			}
		}},
		{Press: "v", Does: "answer", Do: frame.Only(func() { m.viewing = true; m.Turn(viewer.TabAnswer) })},
		{Press: "enter", Does: "commit", Do: m.commit, Fit: func(k *frame.Key) {
			if missingRows(m.State) > 0 {
				k.Does = "next open"
			}
		}},
		frame.HelpKey,
		{Press: "esc", Does: "how to leave", More: true, Do: frame.Only(func() {
			m.Notice = m.Keyed("The ratings are saved as they stand. {u} takes the last step back, ctrl+c leaves.")
		})},
	}
}

// reserve reserves room for the form at the right of the answer.
func (m *ratingRoom) reserve() {
	if m.beside, m.form.Width = 0, m.Size.Width; m.State.Phase == session.Rate && m.State.Paused == "" && !m.merging && m.Size.Wide() {
		m.beside = min(max(m.Size.Width*9/20, 50), 78) + 1 // and the line between them
		m.form.Width = m.beside - 1
	}
	m.Beside, m.Aside = m.beside, m.beside > 0 && !m.viewing
}

// Mouse handles the mouse: on the form a click on a cell sets its score or value, a click elsewhere chooses the row, and the
// wheel moves.
func (m *ratingRoom) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	switch {
	case m.Busy() || m.merging && !m.viewing:
		return nil
	case m.viewing || m.beside > 0 && x <= m.Room():
		m.Point(msg, x, y)
		return tea.Batch(m.Active(), m.Render())
	case m.beside > 0:
		x -= m.Room() + 1
	}
	return tea.Batch(m.Active(), m.point(msg, x, y), m.Render())
}

// point handles the mouse on the form.
func (m *ratingRoom) point(msg tea.MouseMsg, x, y int) tea.Cmd {
	if wheel, is := msg.(tea.MouseWheelMsg); is {
		if press, ok := frame.WheelKey(wheel); ok {
			m.form.Move(press.String(), len(ratingRows(m.State)))
		}
		return nil
	}
	set, ok := m.form.Click(ratingRows(m.State), msg, x, y)
	if !ok {
		return nil
	}
	m.Notice, m.Trouble = "", ""
	switch {
	case set.Value != nil:
		return m.labelRow(set.Value.Label, set.Value.Value)
	case set.Score > 0:
		return m.rateRow(set.Score)
	}
	return nil
}

// answerKeys returns the keys of the answer while it is rated.
func (m *ratingRoom) answerKeys() []frame.Key {
	back := frame.Only(func() { m.viewing = false })
	return append([]frame.Key{
		{Press: "v", Also: "esc", Does: "back to the rating", Do: back}, m.ViewsKey(), m.LinesKey(),
	}, m.ViewKeys()...)
}
