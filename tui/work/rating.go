package work

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// rater is the rating form while it is filled in.
type rater struct {
	row     int  // of ratingRows
	top     int  // the first line that is shown, where not all fit
	viewing bool // the answer is shown in the place of the form, or beside it has the keys

	lines []string // of the form as it was drawn last
	rows  []int    // the row that each of them belongs to
}

// begin opens the form where something is missing.
func (r *rater) begin(s *session.State) {
	r.viewing, r.top = false, 0
	r.row = nextMissing(s, 0)
}

// ratingRow is one line of the form: an attribute, the attention check, or a label.
type ratingRow struct {
	id        string
	name      string
	meaning   string
	low, high string         // what the ends of the scale mean
	label     *session.Label // nil for a row that is rated
}

// ratingRows are the lines of the form: the attributes with the attention check in
// their middle, then the labels that the open task's outcome asks for.
func ratingRows(s *session.State) []ratingRow {
	var rows []ratingRow
	for i, a := range s.Plan.Attributes {
		if check := s.Task().Check; check != nil && i == s.Plan.CheckPlace() {
			rows = append(rows, ratingRow{id: session.CheckID, name: check.Text})
		}
		low, high := a.Anchors()
		rows = append(rows, ratingRow{id: a.ID, name: a.Name, meaning: a.Meaning, low: low, high: high})
	}
	for _, l := range s.Plan.LabelsFor(s.Task().Decided(s.Plan.K)) {
		rows = append(rows, ratingRow{id: l.ID, name: l.Name, label: &l})
	}
	return rows
}

// value is what a row is set to, "" while it is not.
func (r ratingRow) value(t *session.Task) string {
	score := t.Ratings[r.id]
	switch {
	case r.label != nil:
		return t.Labels[r.id]
	case r.id == session.CheckID:
		score = t.Checked
	}
	if score == 0 {
		return ""
	}
	return strconv.Itoa(score)
}

// missingRows lists the rows without a value.
func missingRows(s *session.State) []int {
	var missing []int
	for i, row := range ratingRows(s) {
		if row.value(s.Task()) == "" {
			missing = append(missing, i)
		}
	}
	return missing
}

// nextMissing is the first row from on that is missing, else the first at all, else the
// last one that is rated.
func nextMissing(s *session.State, from int) int {
	missing := missingRows(s)
	for _, row := range missing {
		if row >= from {
			return row
		}
	}
	if len(missing) > 0 {
		return missing[0]
	}
	rows := ratingRows(s)
	rated := slices.IndexFunc(rows, func(r ratingRow) bool { return r.label != nil })
	if rated < 0 {
		rated = len(rows)
	}
	return min(from, rated-1)
}

// predict shows what an intent will do before it is committed, so that the next
// key finds the form as it will be. The engine's own state takes its place when
// nothing is under way any more.
func (m *Model) predict(payload session.Payload) bool {
	next := m.state.Clone()
	if next.Apply(session.Event{Seq: next.Seq + 1, Stamp: next.Last, Payload: payload}) != nil {
		return false
	}
	m.state = next
	m.predicted++
	return true
}

// LabelKey is the key that gives a label a value.
type LabelKey struct{ Press, Label, Value string }

// LabelKeys are the keys of labels in a form: of each value the first letter that does
// nothing else there.
func LabelKeys(labels []session.Label) []LabelKey {
	const taken = "jkuvq"
	var keys []LabelKey
	for _, l := range labels {
		for _, value := range l.Values {
			for _, letter := range strings.ToLower(value) + "abcdefghilmnoprswxyz" {
				press := string(letter)
				used := slices.ContainsFunc(keys, func(k LabelKey) bool { return k.Press == press })
				if letter >= 'a' && letter <= 'z' && !used && !strings.Contains(taken, press) {
					keys = append(keys, LabelKey{press, l.ID, value})
					break
				}
			}
		}
	}
	return keys
}

func (m *Model) ratingKey(msg tea.KeyPressMsg) tea.Cmd {
	r := &m.rating
	if m.review.finding {
		return m.lineKey(msg)
	}
	press := msg.String()
	if r.viewing {
		if press == "v" || press == "esc" {
			r.viewing = false
			return nil
		}
		return m.viewKey(msg)
	}
	rows := len(ratingRows(m.state))
	switch press {
	case "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return m.rateRow(int(press[0] - '0'))
	case "up", "k", "shift+tab":
		r.row = (r.row + rows - 1) % rows
	case "down", "j", "tab":
		r.row = (r.row + 1) % rows
	case "u":
		return m.undo()
	case "v":
		r.viewing = true
		m.turn(tabAnswer)
	case "enter":
		return m.commit()
	case "esc":
		m.notice = m.keyed("The ratings are saved as they stand. {u} takes the last step back, ctrl+c leaves.")
	default:
		for _, k := range LabelKeys(m.state.Plan.AskedLabels()) {
			if k.Press == press {
				return m.labelRow(k.Label, k.Value)
			}
		}
	}
	return nil
}

// rateRow sets the score of the chosen attribute and goes on to the next one
// that is missing.
func (m *Model) rateRow(score int) tea.Cmd {
	r := &m.rating
	row := ratingRows(m.state)[r.row]
	if row.label != nil {
		m.notice = "This row is no rating: " + m.letters(*row.label) + " answers it."
		return nil
	}
	if most := m.points(); score > most {
		m.notice = fmt.Sprintf("The scale ends at %d.", most)
		return nil
	}
	predicted := m.predict(session.Rated{Attribute: row.id, Score: score})
	if predicted {
		r.row = nextMissing(m.state, r.row+1)
	}
	return m.intend(record(predicted, func(ctx context.Context) error { return m.eng.Rate(ctx, row.id, score) }))
}

// points are those of the scale.
func (m *Model) points() int { return m.state.Plan.Attributes[0].Max() }

func (m *Model) labelRow(label, value string) tea.Cmd {
	if !m.predict(session.Labelled{Label: label, Value: value}) {
		m.notice = "This label is asked for only when you were not satisfied."
		return nil
	}
	m.rating.row = nextMissing(m.state, 0)
	return m.intend(record(true, func(ctx context.Context) error { return m.eng.Label(ctx, label, value) }))
}

// undo takes back the last rating or label and goes to its row, or, when there
// is none, takes back the judgement.
func (m *Model) undo() tea.Cmd {
	before := m.state
	if before.CanUndo() == 0 || !m.predict(session.Undone{Seq: before.CanUndo()}) {
		m.notice = "u: nothing was set yet"
		return nil
	}
	if m.state.Phase == session.Rate {
		m.rating.row = changedRow(before, m.state)
	}
	return m.intend(record(true, m.eng.Undo))
}

// changedRow is the row in which two states of one form differ.
func changedRow(a, b *session.State) int {
	rows := ratingRows(a)
	return max(0, slices.IndexFunc(rows, func(r ratingRow) bool { return r.value(a.Task()) != r.value(b.Task()) }))
}

func (m *Model) commit() tea.Cmd {
	if missing := missingRows(m.state); len(missing) > 0 {
		m.rating.row = missing[0]
		m.notice = fmt.Sprintf("%d still to go: nothing is rated for you.", len(missing))
		return nil
	}
	return m.intend(step(m.eng.Commit))
}

func (m *Model) ratingPage() frame.Page {
	body := m.size.Body()
	p := frame.Page{Keys: m.ratingKeys(), Status: m.toGo()}
	form, seen := m.ratingForm(frame.Size{Width: m.formWidth(), Height: body.Height})
	switch beside := m.beside > 0; {
	case beside:
		p.Body = frame.Columns(m.reviewBody(frame.Size{Width: m.room(), Height: body.Height}), form, m.room(), m.formWidth(), body.Height, m.theme)
		p.Seen = m.seen()
	case m.rating.viewing:
		p.Body, p.Seen = m.reviewBody(body), m.seen()
	default:
		p.Body, p.Seen = form, seen
	}
	if m.rating.viewing {
		p.Keys = []frame.Key{{Press: "v", Does: "back to the rating"}, {Press: "1-" + fmt.Sprint(len(m.tabs())), Does: "views"}}
		p.Keys = append(append(p.Keys, m.saveKey()...), frame.Key{Press: "↑↓", Does: "scroll"}, frame.HelpKey)
	}
	if m.review.finding {
		return m.linePage(p, body)
	}
	return p
}

func (m *Model) toGo() string {
	n := len(missingRows(m.state))
	if n == 0 {
		return m.theme.Good.Render("✓ complete: enter commits")
	}
	return fmt.Sprintf("%d to go", n)
}

// ratingForm draws the form, and which of its lines are in view.
func (m *Model) ratingForm(body frame.Size) (text, seen string) {
	t, r := m.state.Task(), &m.rating
	rows, first := ratingRows(m.state), m.state.Plan.Attributes[0]
	low, high := first.Anchors()
	head := " " + m.theme.Strong.Render("Rate the final answer") + m.theme.Dim.Render("   "+outcomeText(t.Decided(m.state.Plan.K), len(t.Attempts))) + "\n" +
		m.theme.Dim.Render(strings.Repeat(" ", nameWidth-3)+m.anchors(low, high)) + "\n"
	var lines []string
	var owners []int
	at, labelled := 0, false
	roomy := body.Height >= len(rows)+6
	for i, row := range rows {
		if row.label != nil && !labelled {
			lines, owners, labelled = append(lines, ""), append(owners, i), true
		}
		if i == r.row {
			at = len(lines)
		}
		lines = append(lines, strings.Split(m.cursorMark(i == r.row)+m.rowText(row, t), "\n")...)
		if i == r.row && (roomy || row.id == session.CheckID) {
			lines = append(lines, m.meaning(row, low, high)...)
		}
		for len(owners) < len(lines) {
			owners = append(owners, i)
		}
	}
	r.lines, r.rows = lines, owners
	if t.Note != "" {
		lines = append(lines, "", "   "+m.theme.Dim.Render(frame.Fit("note: "+oneLine(frame.Plain(t.Note)), frame.Size{Width: body.Width - 4, Height: 1})[0]))
	}
	room := max(1, body.Height-2)
	r.top = max(0, min(frame.Scroll(r.top, at, room), len(lines)-room))
	return head + strings.Join(lines[r.top:min(len(lines), r.top+room)], "\n"), frame.Position(r.top, room, len(lines))
}

// anchors name the ends of the scale above its scores.
func (m *Model) anchors(low, high string) string {
	low, high = frame.OneLine(low), frame.OneLine(high)
	cell := m.cellWidth()
	room := max((m.points()-1)*cell+1, frame.Width(low)+2+frame.Width(high))
	return strings.Repeat(" ", (cell-3)/2+1) + frame.Spread(low, high, room)
}

// rowText draws a row behind its mark.
func (m *Model) rowText(row ratingRow, t *session.Task) string {
	name := frame.OneLine(row.name)
	if row.label != nil {
		choices := m.labelChoices(*row.label, row.value(t))
		if len(choices) > 1 || frame.Width(choices[0]) > m.formWidth()-nameWidth-3 { // they get lines of their own
			return frame.Cell(name, m.formWidth()-4) + "\n     " + strings.Join(choices, "\n     ")
		}
		return frame.Cell(name, nameWidth) + choices[0]
	}
	var b strings.Builder
	b.WriteString(frame.Cell(name, nameWidth-6))
	for score := session.MinScore; score <= m.points(); score++ {
		b.WriteString(m.scale(score, row.value(t)))
	}
	return b.String()
}

// meaning is what stands below the chosen row: what is meant, and the ends of its scale
// where they are not those above the form.
func (m *Model) meaning(row ratingRow, low, high string) []string {
	text := frame.OneLine(row.meaning)
	if row.label != nil {
		text = m.letters(*row.label) + " answers it"
	}
	if row.id == session.LabelErrorCause {
		text += ": wrong code, or a misunderstood task"
	}
	if row.id == session.CheckID && frame.Width(row.name) > nameWidth-6 {
		text = frame.OneLine(row.name)
	}
	if row.low != "" && (row.low != low || row.high != high) {
		text = strings.TrimPrefix(text+fmt.Sprintf("   1 %s, %d %s", frame.OneLine(row.low), m.points(), frame.OneLine(row.high)), "   ")
	}
	if text == "" {
		return nil
	}
	return []string{"     " + m.theme.Dim.Render(text)}
}

// cellWidth is the room for one score.
func (m *Model) cellWidth() int { return max(3, min(5, (m.formWidth()-nameWidth)/m.points())) }

func outcomeText(o session.Outcome, attempts int) string {
	switch o {
	case session.Satisfied:
		return "satisfied after " + frame.Count(attempts, "attempt")
	case session.GaveUp:
		return "given up after " + frame.Count(attempts, "attempt")
	}
	return "not satisfied after all " + frame.Count(attempts, "attempt")
}

func (m *Model) cursorMark(here bool) string {
	if here {
		return m.theme.Accent.Render(" ▸ ")
	}
	return "   "
}

// letters are the keys of a label's values, as "c or d".
func (m *Model) letters(l session.Label) string {
	var keys []string
	for _, k := range LabelKeys(m.state.Plan.AskedLabels()) {
		if k.Label == l.ID {
			keys = append(keys, m.theme.Press(frame.ScopeRating, k.Press))
		}
	}
	return strings.Join(keys, " or ")
}

// scale draws one value of a row: the chosen one in brackets.
func (m *Model) scale(score int, chosen string) string {
	text, pad := fmt.Sprint(score), m.cellWidth()-3
	if text == chosen {
		return strings.Repeat(" ", pad/2) + m.theme.Chosen.Render("["+text+"]") + strings.Repeat(" ", pad-pad/2)
	}
	return strings.Repeat(" ", pad/2+1) + text + strings.Repeat(" ", pad-pad/2+1)
}

// labelChoices draws the values of a label, each with its key, in as many lines as they
// need.
func (m *Model) labelChoices(l session.Label, chosen string) []string {
	lines := []string{""}
	for _, k := range LabelKeys(m.state.Plan.AskedLabels()) {
		if k.Label != l.ID {
			continue
		}
		press := m.theme.Press(frame.ScopeRating, k.Press)
		text := m.theme.Accent.Render(press) + " " + frame.OneLine(k.Value)
		if k.Value == chosen {
			text = m.theme.Chosen.Render("[" + press + " " + frame.OneLine(k.Value) + "]")
		}
		last := len(lines) - 1
		switch {
		case lines[last] == "":
			lines[last] = text
		case frame.Width(lines[last]+"  "+text) > m.formWidth()-6:
			lines = append(lines, text)
		default:
			lines[last] += "  " + text
		}
	}
	return lines
}

func (m *Model) ratingKeys() []frame.Key {
	undo := frame.Key{Press: "u", Does: "undo"}
	if m.state.CanUndo() == 0 {
		undo.Why = "nothing was set yet"
	}
	if t := m.state.Task(); len(t.Ratings)+len(t.Labels)+t.Checked == 0 {
		undo.Does = "back"
	}
	rate := frame.Key{Press: fmt.Sprintf("1-%d", m.points()), Does: "rate, go on"}
	if ratingRows(m.state)[m.rating.row].label != nil {
		rate.Why = "this row is answered with its letters"
	}
	keys := []frame.Key{
		rate, {Press: "↑↓", Does: "move"}, undo,
		{Press: "v", Does: "answer"}, {Press: "enter", Does: "commit"}, frame.HelpKey,
	}
	for _, row := range ratingRows(m.state) {
		for _, k := range LabelKeys(m.state.Plan.AskedLabels()) {
			if row.label != nil && k.Label == row.id {
				keys = append(keys, frame.Key{Press: k.Press, Does: frame.OneLine(row.name + ": " + k.Value), More: true})
			}
		}
	}
	return append(keys, frame.Key{Press: "f2", Does: "pause", More: true})
}
