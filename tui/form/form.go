// Package form is the form for rating a final answer: a row for each attribute with its scale,
// and one for each label with the keys of its values. A session's tester and the raters of an
// overlap use the same form; the caller sets and stores its values.
package form

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// Key is a key that gives a label a value.
type Key struct{ Press, Label, Value string }

// Letters are all keys that labels may have, in the form of a legend.
const Letters = "a b c d e f g h i l m n o p r s t w x y z"

// Keys assigns a key to each value of labels: the first letter that does nothing else in a form.
func Keys(labels []session.Label) []Key {
	var keys []Key
	for _, l := range labels {
		for _, value := range l.Values {
			for _, letter := range strings.ToLower(value) + strings.ReplaceAll(Letters, " ", "") {
				press := string(letter)
				used := slices.ContainsFunc(keys, func(k Key) bool { return k.Press == press })
				if press != " " && !used && strings.Contains(Letters, press) {
					keys = append(keys, Key{press, l.ID, value})
					break
				}
			}
		}
	}
	return keys
}

// Of returns the keys of a label.
func Of(keys []Key, label string) []Key {
	return slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.Label != label })
}

// Row is one line of the form.
type Row struct {
	ID, Name, Meaning string
	Low, High         string   // meaning of the ends of the scale
	Words             []string // what scores mean, while the row is chosen
	Points            int      // of the scale; 0 for a label
	Keys              []Key    // of the values, for a label
	Value             string   // "": not set
	Always            bool     // show the meaning in windows of any size
}

// Rows returns the rows of attributes, then of labels, with their values.
func Rows(attributes []session.Attribute, scores map[string]int, labels []session.Label, values map[string]string, keys []Key) []Row {
	var rows []Row
	for _, a := range attributes {
		low, high := a.Anchors()
		row := Row{ID: a.ID, Name: a.Name, Meaning: a.Meaning, Low: low, High: high, Points: a.Max()}
		lowest, middle, highest := a.Words()
		for _, w := range []struct {
			score int
			means string
		}{{session.MinScore, lowest}, {(a.Max() + 1) / 2, middle}, {a.Max(), highest}} {
			if w.means != "" {
				row.Words = append(row.Words, fmt.Sprintf("%d %s", w.score, frame.OneLine(w.means)))
			}
		}
		if score := scores[a.ID]; score > 0 {
			row.Value = strconv.Itoa(score)
		}
		rows = append(rows, row)
	}
	for _, l := range labels {
		rows = append(rows, Row{ID: l.ID, Name: l.Name, Keys: Of(keys, l.ID), Value: values[l.ID]})
	}
	return rows
}

// Label reports whether a row is a label, set with letters.
func (r Row) Label() bool { return r.Points == 0 }

// Letters names the keys of a label's values, as "y or n".
func (f *Form) Letters(r Row) string {
	var keys []string
	for _, k := range r.Keys {
		keys = append(keys, f.Theme.Press(f.Scope, k.Press))
	}
	return strings.Join(keys, " or ")
}

// Form is the drawn form.
type Form struct {
	Row    int          // the chosen row
	Window frame.Window // the visible lines
	Scope  frame.Scope
	Theme  frame.Theme
	Width  int

	lines  []string // as last drawn
	owners []int    // the row of each line
}

const (
	nameWidth  = 26 // of the names of attributes, after the mark
	labelWidth = 33 // of the names of labels
	headRows   = 2  // rows above the form
)

// Move chooses the previous or next row, wrapping around.
func (f *Form) Move(press string, rows int) {
	if rows == 0 {
		return
	}
	if press == "up" || press == "k" || press == "shift+tab" {
		f.Row = (f.Row + rows - 1) % rows
	} else {
		f.Row = (f.Row + 1) % rows
	}
}

// Missing returns the first row that is not set, starting at from and wrapping around; -1 if all
// are set.
func Missing(rows []Row, from int) int {
	return frame.Next(len(rows), from, func(i int) bool { return rows[i].Value == "" })
}

// Draw draws rows below a heading and the ends of the scale, and reports which of its lines are
// visible.
func (f *Form) Draw(rows []Row, head, note string, height int) (text, seen string) {
	if len(rows) == 0 {
		f.lines, f.owners = nil, nil
		return head + "\n\n   Nothing is asked about this answer.", ""
	}
	head += "\n"
	if first := slices.IndexFunc(rows, func(r Row) bool { return r.Low != "" }); first >= 0 {
		head += f.Theme.Dim.Render(strings.Repeat(" ", nameWidth+3) + f.anchors(rows[first]))
	}
	head += "\n"
	var lines []string
	var owners []int
	at, labelled := 0, false
	for i, row := range rows {
		if row.Label() && !labelled {
			lines, owners, labelled = append(lines, ""), append(owners, i), true
		}
		if i == f.Row {
			at = len(lines)
		}
		for n, line := range strings.Split(f.rowText(row), "\n") {
			lines, owners = append(lines, f.Theme.Item(line, i == f.Row && n == 0, f.Width)), append(owners, i)
		}
	}
	below := at + 1
	for below < len(owners) && owners[below] == f.Row {
		below++
	}
	left := height - headRows - len(lines)
	explained := f.meaning(rows, left)
	if last := len(lines); len(explained)+1 < left && !rows[f.Row].Always { // in a place of its own no row moves
		lines, owners, below = append(lines, ""), append(owners, f.Row), last+1
	}
	for _, line := range explained {
		lines, owners = slices.Insert(lines, below, line), slices.Insert(owners, below, f.Row)
		below++
	}
	f.lines, f.owners = lines, owners
	if note != "" {
		lines = append(lines, "", "   "+f.Theme.Dim.Render(frame.Cut("note: "+frame.OneLine(note), f.Width-4)))
	}
	f.Window.Fit(height-headRows, len(lines))
	f.Window.Show(at)
	return head + strings.Join(f.Window.Of(lines, height-headRows), "\n"), f.Window.Seen()
}

// anchors names the ends of the scale above its scores.
func (f *Form) anchors(r Row) string {
	low, high := frame.OneLine(r.Low), frame.OneLine(r.High)
	cell := f.cellWidth(r)
	room := max((r.Points-1)*cell+1, frame.Width(low)+2+frame.Width(high))
	return strings.Repeat(" ", (cell-3)/2+1) + frame.Spread(low, high, room)
}

// cellWidth returns the width of one score.
func (f *Form) cellWidth(r Row) int {
	if (f.Width-labelWidth)/r.Points >= 5 {
		return 5
	}
	return 3
}

// rowText draws a row after its mark.
func (f *Form) rowText(r Row) string {
	name := func(width int) string { return frame.Cell(frame.OneLine(r.Name), width) }
	if r.Label() {
		choices := f.choices(r)
		if len(choices) > 1 || frame.Width(choices[0]) > f.Width-labelWidth-3 { // they get their own lines
			return name(f.Width-4) + "\n " + strings.Join(choices, "\n ")
		}
		return name(labelWidth-1) + choices[0]
	}
	text := name(nameWidth)
	for score := session.MinScore; score <= r.Points; score++ {
		text += f.score(r, score)
	}
	return text
}

// score draws one point of a scale, with brackets if chosen, as wide in the last column as in others.
func (f *Form) score(r Row, score int) string {
	text, pad := strconv.Itoa(score), f.cellWidth(r)-3
	cell := " " + text + " "
	if text == r.Value {
		cell = f.Theme.Given(text)
	}
	return strings.Repeat(" ", pad/2) + cell + strings.Repeat(" ", pad-pad/2)
}

// choices draws the values of a label with their keys, each as wide as with the brackets of the chosen one, in as many
// lines as they need.
func (f *Form) choices(r Row) []string {
	lines := []string{""}
	for _, k := range r.Keys {
		press := f.Theme.Press(f.Scope, k.Press)
		text := " " + f.Theme.Accent.Render(press) + " " + frame.OneLine(k.Value) + " "
		if k.Value == r.Value {
			text = f.Theme.Given(press + " " + frame.OneLine(k.Value))
		}
		last := len(lines) - 1
		switch {
		case lines[last] == "":
			lines[last] = text
		case frame.Width(lines[last]+text) > f.Width-6:
			lines = append(lines, text)
		default:
			lines[last] += text
		}
	}
	return lines
}

// meaning explains the chosen row, and its scores, in at most so many rows: in one or two rows where every row's words
// fit, else in as many as they need. Without room only what always shows is explained.
func (f *Form) meaning(rows []Row, most int) []string {
	r := rows[f.Row]
	text := frame.OneLine(r.Meaning)
	if r.Label() {
		text = f.Letters(r) + " answers it" + text
	}
	if r.Always && frame.Width(r.Name) > nameWidth {
		text = frame.OneLine(r.Name)
	}
	long := func(row Row) bool { return frame.Width(joined(row)) > f.Width-6 }
	parts := append([]string{text}, r.Words...)
	if !slices.ContainsFunc(rows, long) {
		parts = []string{text, joined(r)}
	}
	for _, parts := range [][]string{parts, {text, joined(r)}, {joined(r)}, {text}} {
		var list []string
		for _, part := range parts {
			if part != "" {
				list = append(list, strings.Split(frame.Indent(frame.Wrap(part, f.Width-6), "     "), "\n")...)
			}
		}
		if len(list) > 0 && (len(list) <= most || r.Always) {
			return list
		}
	}
	return nil
}

// joined returns what the scores of a row mean in one line.
func joined(r Row) string { return strings.Join(r.Words, " · ") }

// Clicked is the effect of a click: a score, the value of a label, or neither if it only chose
// the row.
type Clicked struct {
	Score int
	Value *Key
}

// Click chooses the clicked row. ok is false if there is none.
func (f *Form) Click(rows []Row, msg tea.MouseMsg, x, y int) (set Clicked, ok bool) {
	click, clicked := msg.(tea.MouseClickMsg)
	at := f.Window.Top() + y - headRows
	if !clicked || click.Button != tea.MouseLeft || y < headRows || at >= len(f.owners) {
		return set, false
	}
	f.Row = f.owners[at]
	row := rows[f.Row]
	if row.Label() {
		var texts []string
		for _, k := range row.Keys {
			texts = append(texts, f.Theme.Press(f.Scope, k.Press)+" "+frame.OneLine(k.Value))
		}
		if i := frame.TextAt(f.lines[at], x, texts); i >= 0 {
			set.Value = &row.Keys[i]
		}
		return set, true
	}
	const first = 3 + nameWidth // after the mark and the name
	own := at == 0 || f.owners[at-1] != f.Row
	if score := (x - first) / f.cellWidth(row); own && x >= first && score < row.Points {
		set.Score = score + session.MinScore
	}
	return set, true
}
