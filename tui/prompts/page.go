package prompts

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session/prompts"
	"assay/tui/editor"
	"assay/tui/frame"
)

// headRows is the number of rows above the texts: the prompt's id, facts about it, and two rows
// of doubts.
const headRows = 4

// besideWidth is the width from which original and candidate are side by side.
const besideWidth = 100

// columns returns the widths of the two texts.
func columns(size frame.Size) (left, right int) {
	if size.Width < besideWidth {
		return size.Width, size.Width
	}
	left = (size.Width - 1) / 2
	return left, size.Width - 1 - left
}

// Page draws the prompt, or the list of prompts.
func (s *Screen) Page(size frame.Size, theme frame.Theme) frame.Page {
	p := frame.Page{Scope: frame.ScopePrompts, Title: "Prompts · " + frame.OneLine(s.opts.Set.Header.Benchmark)}
	if s.opts.Subject != nil {
		p.Title = frame.OneLine(s.opts.Subject.Title)
	}
	p.Status = fmt.Sprintf("%d of %d decided", s.decided(), len(s.items))
	p.Place = frame.OneLine(s.opts.Reviewer)
	if s.filter != all {
		p.Place = fmt.Sprintf("%s · %d %s", p.Place, s.shown.Len(), s.filter)
	}
	body := size.Body()
	switch {
	case s.mode == listing:
		p.Body = s.list(body, theme)
		p.Seen = s.shown.Seen()
	case s.at() == nil:
		p.Body = "\n   " + theme.Strong.Render(s.none()) + "\n"
	default:
		p.Body, p.Cursor = s.prompt(body, theme)
	}
	last, cursor := s.lastRow(body, theme)
	if cursor != nil {
		p.Cursor = cursor
	}
	p.Body = frame.Under(p.Body, strings.Split(last, "\n"), body)
	p.Keys = s.keys() // after drawing, which knows what can be scrolled
	return p
}

// none reports that there is nothing to show.
func (s *Screen) none() string {
	switch {
	case len(s.items) == 0:
		return "The file has no " + s.noun() + "s to decide on."
	case s.filter == undecided:
		return "No " + s.noun() + " is undecided: the review is done."
	}
	return "No " + s.noun() + " is " + s.filter.String() + "."
}

// lastRow draws the line of a reason, or the last message; errors are shown completely, over the
// last rows of the texts.
func (s *Screen) lastRow(body frame.Size, theme frame.Theme) (row string, cursor *tea.Cursor) {
	press := func(own string) string { return theme.Press(frame.ScopePrompts, own) }
	switch {
	case s.mode == reasoning:
		const label = " Why is it rejected? "
		s.reason.SetWidth(max(1, body.Width-len(label)-2))
		if cursor = s.reason.Cursor(); cursor != nil {
			cursor.X, cursor.Y = cursor.X+len(label), body.Height-1
		}
		return theme.Strong.Render(label) + s.reason.View(), cursor
	case s.notice != "" && s.bad:
		return strings.Join(frame.Notice("✗ "+s.notice, theme.Bad, body.Width, 4), "\n"), nil
	case s.notice != "":
		return strings.Join(frame.Notice(s.notice, theme.Dim, body.Width, 4), "\n"), nil
	case s.mode == editing && s.area.Selecting():
		return " " + theme.Dim.Render(theme.Keyed(frame.ScopePrompts, true, editor.Selecting)), nil
	case s.settling:
		return " " + theme.Warn.Render("Your next decision settles the disagreement for all."), nil
	case s.arrived != nil:
		return " " + theme.Dim.Render("The other wording has arrived: it is shown when this one is closed."), nil
	case s.asking != nil:
		it := s.items[s.asking.index]
		text := fmt.Sprintf("… %s writes %s %s anew", frame.OneLine(s.opts.Writer), frame.OneLine(it.task.ID), s.name(it.entry))
		if s.mode == reading {
			text += "; " + press("esc") + " stops it"
		}
		return " " + theme.Dim.Render(text), nil
	}
	return "", nil
}

// prompt draws the shown prompt beside the text it is compared with, or below it.
func (s *Screen) prompt(body frame.Size, theme frame.Theme) (string, *tea.Cursor) {
	room := body.Height - headRows - 1
	leftWidth, rightWidth := columns(body)
	list := s.others()
	key, rows, ready := s.differ.Last()
	if want := s.wanted(body, theme); !ready || key != want {
		rows = drawn{[]string{theme.Dim.Render("… comparing")}, []string{theme.Dim.Render("… comparing")}}
	}
	with := list[s.against%len(list)].Name
	rest := ""
	if used := max(len(rows.left), len(rows.right)) + 2; body.Width >= besideWidth && s.mode != editing && room-used >= restRows {
		rest = "\n" + s.rest(frame.Size{Width: body.Width, Height: room - used}, theme)
		room = used
	}
	upper, lower := room-1, room-1
	if body.Width < besideWidth {
		upper = (room - 2) / 2
		lower = room - 2 - upper
	}
	page, below := min(upper, lower), len(rows.left)-upper
	if s.mode != editing {
		below = max(below, len(rows.right)-lower)
	}
	s.texts.Fit(page, page+below)
	left := frame.Section(with, s.part(len(rows.left), upper), leftWidth, theme) + "\n" + s.rows(rows.left, upper)
	var right string
	var cursor *tea.Cursor
	if s.mode == editing {
		s.area.SetSize(rightWidth-1, lower)
		s.area.SetStyle(theme.Chosen)
		right = frame.FocusedSection("your wording", "", rightWidth, theme) + "\n" + frame.Indent(s.area.View(), " ")
		if x, y, ok := s.area.Cursor(); ok {
			cursor = tea.NewCursor(x+1, headRows+1+y)
		}
	} else {
		title := "candidate"
		if s.at().entry.Text != s.at().entry.Candidate.Text {
			title = "candidate, edited"
		}
		right = frame.Section(title, s.part(len(rows.right), lower), rightWidth, theme) + "\n" + s.rows(rows.right, lower)
	}
	head := strings.Join(s.head(body.Width, theme), "\n") + "\n"
	if body.Width >= besideWidth {
		s.areaX, s.areaY = leftWidth+2, headRows+1
		if cursor != nil {
			cursor.X += leftWidth + 1
		}
		return head + frame.Columns(left, right, leftWidth, rightWidth, room, theme) + rest, cursor
	}
	s.areaX, s.areaY = 1, headRows+2+upper
	if cursor != nil {
		cursor.Y += upper + 1
	}
	return head + strings.Join(frame.Fit(left, frame.Size{Width: leftWidth, Height: upper + 1}), "\n") + "\n" + right, cursor
}

// restRows is the least height for the texts that the shown prompt is not compared with.
const restRows = 6

// rest draws the beginning of the other texts in a height.
func (s *Screen) rest(size frame.Size, theme frame.Theme) string {
	list := s.others()
	var rows []string
	for i, of := range list {
		if i != s.against%len(list) {
			rows = append(append(rows, frame.Section(of.Name, "", size.Width, theme)), strings.Split(frame.Indent(frame.Wrap(frame.Plain(of.Text), size.Width-2), " "), "\n")...)
			rows = append(rows, "")
		}
	}
	if len(rows) > size.Height {
		rows = append(rows[:size.Height-1], theme.Dim.Render(" …"))
	}
	return strings.Join(rows, "\n")
}

// rows returns the visible rows of a text.
func (s *Screen) rows(all []string, height int) string {
	top := max(0, min(s.texts.Top(), len(all)-height))
	return frame.Indent(strings.Join(all[top:min(len(all), top+height)], "\n"), " ")
}

// part explains the marks in a text, and which rows are visible if not all are.
func (s *Screen) part(rows, height int) string {
	meaning := "bold: only here"
	if list := s.others(); list[s.against%len(list)].Apart {
		meaning = "not compared"
	}
	if rows <= height {
		return meaning
	}
	top := max(0, min(s.texts.Top(), rows-height))
	return meaning + " · " + frame.Position(top, height, rows)
}

// head draws the facts about the shown prompt.
func (s *Screen) head(width int, theme frame.Theme) []string {
	it := s.at()
	where := strings.TrimSuffix(fmt.Sprintf(" %s · %s", frame.OneLine(it.task.ID), s.name(it.entry)), " · ")
	rows := []string{
		frame.Spread(theme.Strong.Render(where), state(it.entry.Review, theme)+theme.Dim.Render(fmt.Sprintf("   %d of %d ", s.shown.Row()+1, s.shown.Len())), width),
		" " + s.about(it, theme),
	}
	var doubts []string
	switch {
	case !it.known:
		doubts = []string{theme.Dim.Render("… looking for doubts")}
	case len(it.flags) == 0:
		doubts = []string{theme.Dim.Render("✓ no doubts")}
	default:
		text := "! " + frame.OneLine(prompts.Describe(it.flags))
		for _, line := range strings.Split(frame.Wrap(text, width-2), "\n") {
			doubts = append(doubts, theme.Warn.Render(line))
		}
		if len(doubts) > 2 {
			doubts[1] = theme.Warn.Render(frame.Cell(strings.Split(frame.Wrap(text, width-2), "\n")[1]+" …", width-2))
		}
	}
	for i := range 2 {
		if i < len(doubts) {
			rows = append(rows, " "+doubts[i])
		} else {
			rows = append(rows, "")
		}
	}
	return rows
}

// about returns the reviewers' decisions, if they may be seen, or the kind of prompt.
func (s *Screen) about(it *item, theme frame.Theme) string {
	var said []string
	for _, d := range it.entry.Decisions {
		text := map[prompts.Verdict]string{prompts.Accept: "accepted it", prompts.Edit: "edited it", prompts.Reject: "rejected it"}[d.Verdict]
		if d.Reason != "" {
			text += " (" + d.Reason + ")"
		}
		if d.Resolution {
			text += ", which settles it"
		}
		said = append(said, d.Reviewer+" "+text)
	}
	if it.entry.Draft != "" {
		said = append(said, "your draft is saved")
	}
	if len(said) > 0 {
		line := frame.OneLine(strings.Join(said, " · "))
		if it.entry.Review == prompts.Disputed {
			return theme.Warn.Render(line)
		}
		return theme.Dim.Render(line)
	}
	if s.opts.Subject != nil {
		return theme.Dim.Render(frame.OneLine(s.opts.Subject.About(it.task)))
	}
	kind := [...]string{"", "inputs, outputs and intent", "the method, without the names of the code", "steps, with the names of the code"}[it.entry.Level]
	text := fmt.Sprintf("level %d: %s · wording %d", it.entry.Level, kind, it.entry.Wording)
	if n := it.entry.Candidate.Number; n > 1 {
		text += fmt.Sprintf(" · candidate %d", n)
	}
	return theme.Dim.Render(text)
}

// state returns a glyph and a word.
func state(r prompts.Review, theme frame.Theme) string {
	switch r {
	case prompts.Accepted:
		return theme.Good.Render("✓ accepted")
	case prompts.Edited:
		return theme.Good.Render("✓ edited")
	case prompts.Rejected:
		return theme.Bad.Render("✗ rejected")
	case prompts.Disputed:
		return theme.Warn.Render("≠ disputed")
	}
	return theme.Dim.Render("· undecided")
}

// list draws the prompts that pass the filter.
func (s *Screen) list(body frame.Size, theme frame.Theme) string {
	if s.shown.Len() == 0 {
		return "\n   " + theme.Strong.Render(s.none())
	}
	width, named := max(12, body.Width-48), 13
	if s.opts.Subject != nil {
		width, named = width+named, 0
	}
	height, below := body.Height-2, ""
	if spare := height - max(3, min(s.shown.Len(), height/3)) - 1; body.Width >= besideWidth && spare >= headRows+restRows && s.at() != nil {
		height -= spare + 1
		shown, _ := s.prompt(frame.Size{Width: body.Width, Height: spare}, theme)
		below = "\n\n" + shown
	}
	lines := s.shown.Draw(1, height, func(i int, chosen bool) string {
		it := s.items[i]
		doubts := ""
		if len(it.flags) > 0 {
			kind, _, _ := strings.Cut(string(it.flags[0].Kind), ":")
			doubts = theme.Warn.Render("! " + kind)
		}
		return theme.Item(frame.Cell(frame.OneLine(it.task.ID), width)+"  "+frame.Cell(s.name(it.entry), named)+"  "+frame.Cell(state(it.entry.Review, theme), 12)+"  "+doubts, chosen, body.Width)
	})
	return "\n" + strings.Join(frame.Fit(strings.Join(lines, "\n"), frame.Size{Width: body.Width, Height: height}), "\n") + below
}
