package estimate

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"assay/session/estimate"
	"assay/tui/editor"
	"assay/tui/frame"
)

// Keys returns all keys of the screen, for the settings.
func Keys() []frame.Key {
	s := &Screen{}
	return frame.Merged(s.formKeys(), s.writeKeys(), s.askKeys(), leaveKeys(), s.readKeys())
}

// keys returns the keys of the current mode.
func (s *Screen) keys() []frame.Key {
	switch s.mode {
	case writing:
		return s.writeKeys()
	case asking:
		return s.askKeys()
	case leaving:
		return leaveKeys()
	case reading:
		return s.readKeys()
	}
	return s.formKeys()
}

func (s *Screen) pressed(msg tea.KeyPressMsg) tea.Cmd {
	s.notice, s.bad = "", false
	if s.mode == asking && msg.String() != "y" {
		s.mode, s.notice = choosing, "Nothing is handed in."
		return nil
	}
	press := msg.String()
	if s.mode == writing {
		press = msg.Keystroke()
	}
	cmd, why, taken := frame.Pressed(s.keys(), press)
	if s.notice += why; s.mode == writing && !taken {
		return s.typed(msg)
	}
	return cmd
}

func (s *Screen) askKeys() []frame.Key {
	return []frame.Key{{Press: "y", Does: "hand in", Do: s.handIn}, {Press: "esc", Does: "continue"}, frame.HelpKey}
}

func leaveKeys() []frame.Key {
	return []frame.Key{
		{Press: "enter", Also: "esc q", Does: "leave", Do: frame.GoBack}, frame.HelpKey,
	}
}

// formKeys returns the keys of the form, and for moving among the tasks.
func (s *Screen) formKeys() []frame.Key {
	move := func(press string) tea.Cmd {
		by := estimate.Field(1)
		if slices.Contains([]string{"up", "k", "shift+tab"}, press) {
			by = estimate.Fields - 1
		}
		s.row = (s.row + by) % estimate.Fields
		return nil
	}
	seen := func() string {
		if s.text.Below() == 0 {
			return "all of it is visible"
		}
		return ""
	}
	return []frame.Key{
		{Press: "enter", Does: "write", Do: frame.Only(s.open), Fit: func(k *frame.Key) {
			if !textRow(s.row) {
				k.Why = "digits answer this row"
			}
		}},
		{Press: "1-9", Does: "estimate", Run: func(press string) tea.Cmd { return s.digit(int(press[0] - '0')) }, Fit: func(k *frame.Key) {
			if k.Press = fmt.Sprintf("1-%d", max(s.points(), 5)); textRow(s.row) {
				k.Why = "this row takes text: " + s.theme.Press(frame.ScopeEstimate, "enter") + " opens it"
			}
		}},
		{Press: "ctrl+s", Does: "keep, go on", Do: s.keep},
		{Press: "h", Does: "hand in", Do: frame.Only(func() { s.mode = asking }), Fit: func(k *frame.Key) {
			if k.More = s.estimated() < len(s.items); s.estimated() == 0 {
				k.Why = "no estimate is kept yet"
			}
		}},
		{Press: "p", Does: "phrasing", Do: frame.Only(func() {
			s.view = (s.view + 1) % s.views()
			s.text.To(0)
		}), Fit: func(k *frame.Key) {
			if s.views() == 1 {
				k.Why = "the task has one phrasing"
			} else if s.view == len(s.item().Phrasings)-1 && s.others() {
				k.Does = "what others said"
			}
		}},
		{Press: "u", Does: "undo", Do: s.takeBack, Not: func() string {
			if len(s.undos) == 0 {
				return "you have changed nothing since the screen was opened"
			}
			return ""
		}},
		frame.HelpKey, {Press: "←→", Also: "[ ]", Does: "task", Run: s.step}, {Press: "↑↓", Also: "k j shift+tab tab", Does: "row", Run: move},
		{Press: "n", Does: "next without an estimate", More: true, Do: s.forward},
		{Press: "e", Does: "worked examples", More: true, Do: func() tea.Cmd {
			s.pass()
			s.read()
			return nil
		}, Not: func() string {
			if len(s.header.Examples) == 0 {
				return "the round has none"
			}
			return ""
		}},
		{Press: "pgup pgdn home end", Also: "space g G", Does: "scroll the text", More: true, Not: seen, Run: s.text.Move},
		{Press: "ctrl+u ctrl+d", Does: "scroll the text by half a page", More: true, Not: seen, Run: s.text.Move},
		{Press: "esc", Also: "q", Does: "leave; you can continue later", More: true, Do: frame.GoBack},
	}
}

// writeKeys returns the keys of an open row of text.
func (s *Screen) writeKeys() []frame.Key {
	next := func() tea.Cmd {
		cmd := s.shut()
		s.goOn()
		return cmd
	}
	before := func() tea.Cmd {
		cmd := s.shut()
		s.row = max(0, s.row-1)
		return cmd
	}
	return append([]frame.Key{
		{Press: "enter", Also: "tab", Does: "next row", Do: next, Fit: func(k *frame.Key) {
			if s.row != estimate.FieldSummary {
				k.Press = "" // a line break
			}
		}},
		{Press: "tab", Does: "next row", Do: next, Fit: func(k *frame.Key) {
			if s.row == estimate.FieldSummary {
				k.Press = ""
			}
		}},
		{Press: "ctrl+s", Does: "keep, go on", Do: func() tea.Cmd { return tea.Batch(s.shut(), s.keep()) }}, {Press: "esc", Does: "close", Do: s.shut},
		frame.HelpKey, {Press: "shift+tab", Does: "row before", More: true, Do: before},
	}, editor.Keys()...)
}

// typed passes a key to the editor.
func (s *Screen) typed(msg tea.KeyPressMsg) tea.Cmd {
	var clip, says string
	cmd := s.edit(func() { clip, says = s.area.Press(msg) })
	s.notice = s.theme.Keyed(frame.ScopeEstimate, true, says)
	if clip == "" {
		return cmd
	}
	return tea.Batch(cmd, tea.SetClipboard(clip))
}

// step goes to the previous or next task.
func (s *Screen) step(press string) tea.Cmd {
	to, why := frame.Step(s.at, press == "right" || press == "]", len(s.items))
	if s.notice = why; why != "" {
		return nil
	}
	return s.goTo(to)
}

// digit sets the row to a point of its scale, and moves on.
func (s *Screen) digit(n int) tea.Cmd {
	if most := s.points(); n > most {
		s.notice = fmt.Sprintf("The scale ends at %d.", most)
		return nil
	}
	cmd := s.change(func(f *estimate.Form) {
		if s.row == estimate.FieldTime {
			category := n - 1
			f.Time = &category
		} else {
			f.Difficulty = n
		}
	})
	s.goOn()
	return cmd
}

// points returns the number of points of the row's scale, 0 for a row of text.
func (s *Screen) points() int {
	switch s.row {
	case estimate.FieldTime:
		return s.header.Categories()
	case estimate.FieldDifficulty:
		return estimate.Points
	}
	return 0
}

// Mouse scrolls text, and sets the cursor in an open row.
func (s *Screen) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	_, wheeled := msg.(tea.MouseWheelMsg)
	switch {
	case s.mode == writing && (!wheeled || y >= s.areaY && x >= s.areaX):
		s.area.Mouse(msg, x-s.areaX, y-s.areaY)
	case s.mode != leaving && s.mode != asking:
		s.text.Wheel(msg)
	}
	return nil
}
