package estimate

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session/estimate"
	"assay/tui/frame"
)

// read shows the worked examples.
func (s *Screen) read() {
	s.mode, s.example, s.text = reading, 0, frame.Window{}
}

// readKeys returns the keys of the worked examples.
func (s *Screen) readKeys() []frame.Key {
	turn := func(forward bool) (why string) {
		to, why := frame.Step(s.example, forward, len(s.header.Examples))
		if why == "" {
			s.example, s.text = to, frame.Window{}
		}
		return why
	}
	last := s.example == len(s.header.Examples)-1
	begin := func() tea.Cmd {
		s.mode, s.text, s.since = choosing, frame.Window{}, s.opts.Now()
		return nil
	}
	return []frame.Key{
		{Press: "enter", Does: "next example", Do: func() tea.Cmd {
			if last {
				return begin()
			}
			turn(true)
			return nil
		}, Fit: func(k *frame.Key) {
			if last {
				k.Does = "estimate"
			}
		}},
		{Press: "←→", Also: "[ ]", Does: "example", Run: func(press string) tea.Cmd {
			s.notice = turn(press == "right" || press == "]")
			return nil
		}},
		{Press: "e", Does: "skip examples", Do: begin},
		{Press: "pgup pgdn home end", Also: "space g G up down k j", Does: "scroll the text", More: true, Run: s.text.Move},
		{Press: "esc", Also: "q", Does: "leave; you can continue later", More: true, Do: frame.GoBack},
		frame.HelpKey,
	}
}

// exampleBody draws a worked example: the task, and the form as somebody could fill it in.
func (s *Screen) exampleBody(body frame.Size, theme frame.Theme) string {
	x := &s.header.Examples[s.example]
	width := body.Width - 2
	place := fmt.Sprintf(" example %d of %d ", s.example+1, len(s.header.Examples))
	head := frame.Spread(theme.Strong.Render(frame.Cell(" "+frame.OneLine(x.Title), max(1, body.Width-len(place)))), theme.Dim.Render(place), body.Width)
	lines := strings.Split(frame.Wrap(strings.Trim(frame.Plain(x.Text), "\n"), width), "\n")
	lines = append(lines, "", theme.Strong.Render("An estimate of it"))
	for _, row := range [][2]string{{"What it is", x.Summary}, {"Time", s.header.Labels()[x.Time]}, {"Difficulty", estimate.DifficultyLabels()[x.Difficulty-1]}, {"Why", x.Reason}} {
		lines = append(lines, hanging(frame.Cell(row[0], nameWidth-3), frame.OneLine(row[1]), width)...)
	}
	intro := hanging("", "It shows what is meant; the tasks that you estimate are others.", width)
	room := max(1, body.Height-len(intro)-3) // the two headings and the last row
	text := s.text.Of(lines, room)           // before the heading, which says what is seen
	all := append([]string{frame.Indent(theme.Dim.Render(strings.Join(intro, "\n")), " "), head, frame.Section("worked example", s.text.Seen(), body.Width, theme)}, frame.Indent(strings.Join(text, "\n"), " "))
	return strings.Join(all, "\n")
}
