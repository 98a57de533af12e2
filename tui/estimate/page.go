package estimate

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session/estimate"
	"assay/tui/editor"
	"assay/tui/frame"
)

const (
	nameWidth = 16 // width of the names of rows, with the cursor's mark
	extraRows = 2  // rows below the chosen one for a long scale or text
	formRows  = int(estimate.Fields) + extraRows
)

// wrapped is a text wrapped to a width.
type wrapped struct {
	width int
	lines []string
}

// Page draws the task, and the form below it or beside it.
func (s *Screen) Page(size frame.Size, theme frame.Theme) frame.Page {
	p := frame.Page{Scope: frame.ScopeEstimate, Title: fmt.Sprintf("Estimate · %s · round %d", frame.OneLine(s.header.Benchmark), s.header.Round), Place: frame.OneLine(s.opts.Estimator)}
	p.Status = fmt.Sprintf("%d of %d kept", s.estimated(), len(s.items))
	body := size.Body()
	switch {
	case s.mode == leaving:
		where := "Your estimates can no longer be changed."
		if !s.opts.Shared {
			where = "Your estimates are in " + frame.OneLine(filepath.Base(s.opts.File.Path)) + " and can no longer be changed. If the file is a copy, return it to the person who gave it to you."
		}
		p.Body = "\n   " + theme.Good.Render("✓ handed in") + fmt.Sprintf("   %d of %s\n\n", s.estimated(), frame.Count(len(s.items), "task")) +
			frame.Indent(frame.Wrap(where, body.Width-6), "   ")
	case s.mode == reading:
		p.Body = s.exampleBody(body, theme)
	case size.Wide():
		p.Body, p.Cursor = s.wide(body, theme)
	default:
		p.Body, p.Cursor = s.narrow(body, theme)
	}
	p.Body = frame.Under(p.Body, s.lastRows(body, theme), body)
	p.Keys = s.keys() // after drawing, which knows what can be scrolled
	return p
}

// lastRows draws the last message, or a question.
func (s *Screen) lastRows(body frame.Size, theme frame.Theme) []string {
	text, style := s.notice, theme.Dim
	switch {
	case s.mode == asking:
		style, text = theme.Warn, fmt.Sprintf("Hand in %d of %d estimates? Nothing can be changed afterwards.", s.estimated(), len(s.items))
		if n := s.changed(); n > 0 {
			text += fmt.Sprintf(" Your changes to %d are not kept: those estimates count as they were.", n)
		}
		text += " " + s.theme.Press(frame.ScopeEstimate, "y") + " hands in."
	case s.bad:
		style, text = theme.Bad, "✗ "+text
	case text == "" && s.mode == writing && s.area.Selecting():
		text = theme.Keyed(frame.ScopeEstimate, true, editor.Selecting)
	}
	return frame.Notice(text, style, body.Width, 4)
}

// narrow draws the form below the text.
func (s *Screen) narrow(body frame.Size, theme frame.Theme) (string, *tea.Cursor) {
	s.view = min(s.view, s.views()-1)
	head := s.head(body.Width, theme)
	room := max(1, body.Height-len(head)-1-1-formRows-1) // two headings and the last row
	upper := append(head, s.phrasing(body.Width, room, theme)...)
	form, cursor := s.form(body.Width, extraRows, theme)
	if cursor != nil {
		cursor.Y += len(upper) + 1
	}
	s.areaX, s.areaY = nameWidth, s.areaY+len(upper)+1
	return strings.Join(append(append(upper, frame.Section("your estimate", s.state(), body.Width, theme)), form...), "\n"), cursor
}

// wide draws the text at the left, and the form and others' estimates at the right.
func (s *Screen) wide(body frame.Size, theme frame.Theme) (string, *tea.Cursor) {
	s.view = min(s.view, s.views()-1)
	left := body.Width * 52 / 100
	right := body.Width - left - 1
	height := body.Height - 1
	head := s.head(left, theme)
	text := append(head, s.phrasing(left, max(1, height-len(head)-1), theme)...)
	extra := 4
	form, cursor := s.form(right, extra, theme)
	beside := append([]string{frame.Section("your estimate", s.state(), right, theme)}, form...)
	if cursor != nil {
		cursor.X, cursor.Y = cursor.X+left+1, cursor.Y+1
	}
	s.areaX, s.areaY = left+1+nameWidth, s.areaY+1
	if s.others() {
		said := s.wrap(len(s.item().Phrasings), right-2, theme)
		beside = append(beside, frame.Section("what others said", "", right, theme))
		rows := max(1, height-len(beside))
		if len(said) > rows {
			said = append(said[:rows-1:rows-1], theme.Dim.Render(frame.Position(0, rows-1, len(said))+": "+theme.Press(frame.ScopeEstimate, "p")+" shows all"))
		}
		beside = append(beside, strings.Split(frame.Indent(strings.Join(said, "\n"), " "), "\n")...)
	}
	return frame.Columns(strings.Join(text, "\n"), strings.Join(beside, "\n"), left, right, height, theme), cursor
}

// head names the task and, from the second round on, how others' estimates spread.
func (s *Screen) head(width int, theme frame.Theme) []string {
	it := s.item()
	name := " " + frame.OneLine(it.Task)
	if it.Title != "" && it.Title != it.Task {
		name += " · " + frame.OneLine(it.Title)
	}
	place := fmt.Sprintf(" %d of %d ", s.at+1, len(s.items))
	return []string{frame.Spread(theme.Strong.Render(frame.Cell(name, max(1, width-len(place)))), theme.Dim.Render(place), width)}
}

// state returns a glyph and words for whether the estimate is kept.
func (s *Screen) state() string {
	switch it := s.item(); {
	case it.Changed():
		return "! changed, not kept"
	case it.Given != nil:
		return "✓ kept"
	case len(it.Form.Missing()) == 0:
		return "· complete, not kept"
	}
	return fmt.Sprintf("· %d to go", len(s.item().Form.Missing()))
}

// phrasing draws a heading and as many rows of the shown text as fit.
func (s *Screen) phrasing(width, room int, theme frame.Theme) []string {
	it, view := s.item(), s.view
	title := "what others said"
	if view < len(it.Phrasings) {
		title = frame.OneLine(it.Phrasings[view].Name)
		if len(it.Phrasings) > 1 {
			title = fmt.Sprintf("phrasing %d of %d · %s", view+1, len(it.Phrasings), title)
		}
	}
	lines := s.wrap(view, width-2, theme)
	text := frame.Indent(strings.Join(s.text.Of(lines, room), "\n"), " ")
	return append([]string{frame.Section(title, s.text.Seen(), width, theme)}, frame.Fit(text, frame.Size{Width: width, Height: room})...)
}

// wrap wraps a text, once for each width.
func (s *Screen) wrap(view, width int, theme frame.Theme) []string {
	it := s.item()
	if view >= len(it.Phrasings) {
		return s.said(width, theme)
	}
	if w, ok := s.rows[view]; ok && w.width == width {
		return w.lines
	}
	lines := strings.Split(frame.Wrap(strings.Trim(frame.Plain(it.Phrasings[view].Text), "\n"), width), "\n")
	s.rows[view] = wrapped{width, lines}
	return lines
}

// said returns the results of earlier rounds, the last one first, in rows.
func (s *Screen) said(width int, theme frame.Theme) []string {
	var lines []string
	labels, points := s.header.Labels(), estimate.DifficultyLabels()
	for i := len(s.item().Before) - 1; i >= 0; i-- {
		e := s.item().Before[i]
		lines = append(lines, theme.Strong.Render(fmt.Sprintf("Round %d: %d estimates that did not agree", e.Round, e.N)),
			"least, median, most")
		lines = append(lines, hanging("time        ", between(e.Time, labels, 0), width)...)
		lines = append(lines, hanging("difficulty  ", between(e.Difficulty, points, 1), width)...)
		for _, c := range e.Comments {
			lines = append(lines, hanging("– ", frame.Plain(c), width)...)
		}
		if i > 0 {
			lines = append(lines, "")
		}
	}
	return lines
}

// hanging wraps a text after a mark, with further rows indented as far.
func hanging(mark, text string, width int) []string {
	in := frame.Width(mark)
	lines := strings.Split(frame.Wrap(text, max(1, width-in)), "\n")
	for i, l := range lines {
		if lines[i] = mark + l; i > 0 {
			lines[i] = strings.Repeat(" ", in) + l
		}
	}
	return lines
}

// between formats minimum, median and maximum on a scale that starts at from.
func between(s estimate.Spread, labels []string, from int) string {
	median := labels[s.Low-from]
	if s.High != s.Low {
		median += " to " + labels[s.High-from]
	}
	return labels[s.Min-from] + " · " + median + " · " + labels[s.Max-from]
}

// form draws the rows of the form. Below the chosen one is room for a long scale or text.
func (s *Screen) form(width, extra int, theme frame.Theme) (lines []string, cursor *tea.Cursor) {
	names := [...]string{"What it is", "Time", "Difficulty", "Why"}
	room := max(8, width-nameWidth-1)
	for f := range estimate.Fields {
		mark, name := "   ", frame.Cell(names[f], nameWidth-3)
		if f == s.row {
			mark = theme.Accent.Render(" ▸ ")
		}
		rows := s.value(f, room, theme)
		if f == s.row {
			if s.mode == writing {
				s.area.SetSize(room, extra+1)
				s.area.SetStyle(theme.Chosen)
				s.areaY = len(lines)
				rows = strings.Split(s.area.View(), "\n")
				if x, y, ok := s.area.Cursor(); ok {
					cursor = tea.NewCursor(x+nameWidth, len(lines)+y)
				}
			}
			rows = frame.Fit(strings.Join(append(rows, s.beside(f, theme)...), "\n"), frame.Size{Width: room, Height: extra + 1})
		} else if len(rows) > 1 {
			rows = []string{s.brief(f, room, theme)}
		}
		for i, row := range rows {
			if i > 0 {
				mark, name = "   ", strings.Repeat(" ", nameWidth-3)
			}
			lines = append(lines, mark+name+row)
		}
	}
	return lines, cursor
}

// beside returns others' estimates of the previous round for a row.
func (s *Screen) beside(f estimate.Field, theme frame.Theme) []string {
	if !s.others() || textRow(f) {
		return nil
	}
	last := s.item().Before[len(s.item().Before)-1]
	text := between(last.Time, s.header.Labels(), 0)
	if f == estimate.FieldDifficulty {
		text = between(last.Difficulty, estimate.DifficultyLabels(), 1)
	}
	return []string{theme.Dim.Render("others: " + strings.ReplaceAll(text, "more than ", ">"))}
}

// value returns the content of a row, in as many lines as it needs.
func (s *Screen) value(f estimate.Field, room int, theme frame.Theme) []string {
	form := &s.item().Form
	switch f {
	case estimate.FieldTime:
		chosen := -1
		if form.Time != nil {
			chosen = *form.Time
		}
		labels := s.header.Labels()
		lines := scale(labels, chosen, room, theme)
		if last := len(labels) - 1; len(lines) > 1 {
			labels[last] = strings.Replace(labels[last], "more than ", ">", 1)
			lines = scale(labels, chosen, room, theme)
		}
		return lines
	case estimate.FieldDifficulty:
		return scale(estimate.DifficultyLabels(), form.Difficulty-1, room, theme)
	}
	text, hint := form.Reason, "why so long, and why so difficult"
	if f == estimate.FieldSummary {
		text, hint = form.Summary, "what the task is, in one line"
	}
	if strings.TrimSpace(text) == "" {
		return []string{theme.Dim.Render(hint)}
	}
	return strings.Split(frame.Wrap(frame.Plain(text), room), "\n")
}

// brief returns the content of a row in one line.
func (s *Screen) brief(f estimate.Field, room int, theme frame.Theme) string {
	form := &s.item().Form
	switch f {
	case estimate.FieldTime:
		if form.Time != nil {
			return theme.Given(fmt.Sprintf("%d %s", *form.Time+1, s.header.Labels()[*form.Time]))
		}
	case estimate.FieldDifficulty:
		if form.Difficulty > 0 {
			return theme.Given(fmt.Sprintf("%d %s", form.Difficulty, estimate.DifficultyLabels()[form.Difficulty-1]))
		}
	case estimate.FieldSummary:
		return frame.Cell(frame.OneLine(form.Summary), room)
	case estimate.FieldReason:
		return frame.Cell(frame.OneLine(form.Reason), room)
	}
	return theme.Dim.Render("not estimated yet")
}

// scale draws the points of a scale with their digits, in as many lines as they need: the chosen
// one in brackets, which always fit.
func scale(labels []string, chosen, room int, theme frame.Theme) []string {
	lines, width := []string{""}, 0
	for i, label := range labels {
		digit := fmt.Sprint(i + 1)
		text := " " + theme.Accent.Render(digit) + " " + label + " "
		if i == chosen {
			text = theme.Given(digit + " " + label)
		}
		if w := frame.Width(text); width > 0 && width+w > room {
			lines, width = append(lines, text), w
		} else {
			lines[len(lines)-1] += text
			width += w
		}
	}
	return lines
}
