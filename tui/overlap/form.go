package overlap

import (
	"fmt"
	"strings"

	"assay/session"
	"assay/tui/frame"
)

const nameWidth = 26 // of the names of rows, behind the cursor's mark

// Page draws the answer, and the form beside it or in its place.
func (s *Rating) Page(size frame.Size, theme frame.Theme) frame.Page {
	s.size, s.theme = size, theme
	p := frame.Page{
		Scope: frame.ScopeOverlap, Title: "Rate · " + frame.OneLine(s.header.Name+" · "+s.item().Title()),
		Place: fmt.Sprintf("%d of %d", s.at+1, len(s.items)), Keys: s.keys(), Status: fmt.Sprintf("%d of %d rated", s.done(), len(s.items)),
	}
	form, seen := s.form()
	if s.open {
		p = s.page(p, form)
		if s.notice == "" {
			return p
		}
		return footed(p, size, theme, s.notice, s.bad, false, "", &s.line)
	}
	p.Body, p.Seen = s.body(form, seen)
	p = footed(p, size, theme, s.notice, s.bad, s.noting, " note: ", &s.line)
	if s.noting && s.notice != "" {
		p.Status = theme.Warn.Render("! " + frame.OneLine(s.notice))
	}
	return p
}

// state says in a glyph and words how far the item is.
func (s *Rating) state() string {
	if n := s.header.Rows() - s.item().Form.Filled(); n > 0 {
		return fmt.Sprintf("· %d to go", n)
	}
	return "✓ rated"
}

// formHead is how many rows stand above the rows of the form.
const formHead = 2

// form draws the rows that are filled in, and which of them are in view.
func (s *Rating) form() (text, seen string) {
	width, height := s.width(), s.size.Body().Height-1
	low, high := s.header.Attributes[0].Anchors()
	head := []string{
		frame.Section("your rating of the final answer", s.state(), width, s.theme),
		s.theme.Dim.Render(strings.Repeat(" ", nameWidth+3) + anchors(low, high, s.header.Attributes[0].Max())),
	}
	var lines []string
	s.rows = nil
	chosen := 0
	roomy := height >= s.header.Rows()+7
	for row := range s.header.Rows() {
		for len(s.rows) < len(lines) {
			s.rows = append(s.rows, row-1)
		}
		if row == len(s.header.Attributes) {
			lines, s.rows = append(lines, ""), append(s.rows, row)
		}
		mark := "   "
		if row == s.row {
			mark, chosen = s.theme.Accent.Render(" ▸ "), len(lines)
		}
		if l := s.label(row); l != nil {
			lines = append(lines, s.labelRow(l, mark, width)...)
			continue
		}
		a := s.header.Attributes[row]
		lines = append(lines, mark+frame.Cell(frame.OneLine(a.Name), nameWidth)+scale(a.Max(), s.value(row), s.theme))
		if row == s.row && roomy {
			lines = append(lines, s.meaning(a, low, high, width))
		}
	}
	for len(s.rows) < len(lines) {
		s.rows = append(s.rows, s.header.Rows()-1)
	}
	s.lines = lines
	if note := s.item().Form.Note; note != "" {
		lines = append(lines, "", "   "+s.theme.Dim.Render(frame.Cell("note: "+frame.OneLine(note), width-4)))
	}
	room := max(1, height-len(head))
	s.top = max(0, min(frame.Scroll(s.top, chosen, room), len(lines)-room))
	return strings.Join(append(head, lines[s.top:min(len(lines), s.top+room)]...), "\n"), frame.Position(s.top, room, len(lines))
}

// meaning says below the chosen row what is meant, and the ends of its scale where they are
// not those above the form.
func (s *Rating) meaning(a session.Attribute, low, high string, width int) string {
	text := a.Meaning
	if l, h := a.Anchors(); l != low || h != high {
		text = strings.TrimSpace(fmt.Sprintf("%s   1 %s, %d %s", text, l, a.Max(), h))
	}
	return "     " + s.theme.Dim.Render(frame.Cell(frame.OneLine(text), max(1, width-6)))
}

// anchors name the ends of the scale above its scores.
func anchors(low, high string, points int) string {
	low, high = frame.OneLine(low), frame.OneLine(high)
	return frame.Spread(low, high, max(points*3, frame.Width(low)+2+frame.Width(high)))
}

// scale draws the points of a scale: the chosen one in brackets.
func scale(points int, chosen string, theme frame.Theme) string {
	var b strings.Builder
	for n := session.MinScore; n <= points; n++ {
		if text := fmt.Sprint(n); text == chosen {
			b.WriteString(theme.Chosen.Render("[" + text + "]"))
		} else {
			b.WriteString(" " + text + " ")
		}
	}
	return b.String()
}

// labelRow draws the values of a label with their keys, below its name where they need room.
func (s *Rating) labelRow(l *session.Label, mark string, width int) []string {
	chosen := s.item().Form.Labels[l.ID]
	var values []string
	wide := 0
	for _, k := range s.keysOf {
		if k.Label != l.ID {
			continue
		}
		text := s.theme.Press(frame.ScopeOverlap, k.Press) + " " + frame.OneLine(k.Value)
		wide += frame.Width(text) + 3
		if k.Value == chosen {
			values = append(values, s.theme.Chosen.Render("["+text+"]"))
		} else {
			values = append(values, " "+text+" ")
		}
	}
	name := frame.OneLine(l.Name)
	if 3+max(nameWidth, frame.Width(name)+1)+wide <= width {
		return []string{mark + frame.Cell(name, max(nameWidth, frame.Width(name)+1)) + strings.Join(values, " ")}
	}
	lines := []string{mark + frame.Cell(name, width-4)}
	row := ""
	for _, v := range values {
		if row != "" && 4+frame.Width(row+v) > width {
			lines, row = append(lines, "    "+row), ""
		}
		row += v
	}
	return append(lines, "    "+row)
}

// keys are those that do something now, and why others do not.
func (s *Rating) keys() []frame.Key {
	if s.noting {
		return lineKeys()
	}
	rate := frame.Key{Press: fmt.Sprintf("1-%d", s.header.Attributes[0].Max()), Does: "rate, go on"}
	if s.label(s.row) != nil {
		rate.Why = "this row is answered with its letters"
	}
	undo := frame.Key{Press: "u", Does: "undo"}
	if s.steps == 0 {
		undo.Why = "you have rated nothing yet"
	}
	keys := []frame.Key{
		rate, {Press: "v", Does: "answer"}, {Press: "enter", Does: "next"}, undo, {Press: "f12", Does: "note"}, frame.HelpKey,
		{Press: "↑↓", Does: "row"}, {Press: "←→", Does: "other answer"}, {Press: "[ ]", Does: "answer before, next answer", More: true},
		{Press: "tab", Does: "next row", More: true}, {Press: "shift+tab", Does: "row before", More: true}, {Press: "k j", Does: "row before, next row", More: true},
	}
	for _, k := range s.keysOf {
		keys = append(keys, frame.Key{Press: k.Press, Does: frame.OneLine(s.header.Label(k.Label).Name + ": " + k.Value), More: true})
	}
	return append(keys, frame.Key{Press: "q", Does: "leave; you can go on later", More: true}, frame.Key{Press: "esc", Does: "leave; you can go on later", More: true})
}

// lineKeys are those of a line that is typed in.
func lineKeys() []frame.Key {
	return []frame.Key{{Press: "enter", Does: "keep"}, {Press: "esc", Does: "leave as it was"}}
}
