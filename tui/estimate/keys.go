package estimate

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"assay/session/estimate"
	"assay/tui/frame"
)

// key routes a key to what it is for now.
func (s *Screen) key(msg tea.KeyPressMsg) tea.Cmd {
	press := msg.String()
	switch s.mode {
	case writing:
		return s.writeKey(msg)
	case asking:
		s.mode = choosing
		if press == "y" {
			return s.handIn()
		}
		s.notice = "Nothing is handed in."
		return nil
	case leaving:
		if press == "q" || press == "esc" || press == "enter" {
			return frame.Back
		}
		return nil
	}
	if why := frame.Refused(s.keys(), press); why != "" {
		s.notice = why
		return nil
	}
	switch press {
	case "up", "k", "shift+tab":
		s.row = (s.row + estimate.Fields - 1) % estimate.Fields
		return nil
	case "down", "j", "tab":
		s.row = (s.row + 1) % estimate.Fields
		return nil
	}
	if to, moved := frame.Move(press, s.top, s.page-1, s.below+1); moved {
		s.top = max(0, min(to, s.below))
		return nil
	}
	return s.chooseKey(press)
}

// chooseKey handles the keys of the form and of its place among the tasks.
func (s *Screen) chooseKey(press string) tea.Cmd {
	switch press {
	case "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return s.digit(int(press[0] - '0'))
	case "enter":
		s.open()
	case "ctrl+s":
		return s.keep()
	case "u":
		return s.takeBack()
	case "p":
		s.view, s.top = (s.view+1)%s.views(), 0
	case "n":
		return s.forward()
	case "right", "]":
		return s.step(1)
	case "left", "[":
		return s.step(-1)
	case "h":
		s.mode = asking
	case "q", "esc":
		return frame.Back
	}
	return nil
}

// step goes to the task before or to the next one.
func (s *Screen) step(by int) tea.Cmd {
	switch to := s.at + by; {
	case to < 0:
		s.notice = "This is the first task."
	case to >= len(s.items):
		s.notice = "This is the last task."
	default:
		return s.goTo(to)
	}
	return nil
}

// digit answers the row with a point of its scale, and goes on.
func (s *Screen) digit(n int) tea.Cmd {
	most := s.points()
	switch {
	case most == 0:
		s.notice = "This row takes words: " + s.theme.Press(frame.ScopeEstimate, "enter") + " writes them."
		return nil
	case n > most:
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

// points are those of the row's scale, 0 where it takes words.
func (s *Screen) points() int {
	switch s.row {
	case estimate.FieldTime:
		return s.header.Categories()
	case estimate.FieldDifficulty:
		return estimate.Points
	}
	return 0
}

// writeKey handles the keys of a row of text.
func (s *Screen) writeKey(msg tea.KeyPressMsg) tea.Cmd {
	switch press := msg.Keystroke(); {
	case press == "esc":
		return s.shut()
	case press == "tab", press == "enter" && s.row == estimate.FieldSummary:
		cmd := s.shut()
		s.goOn()
		return cmd
	case press == "shift+tab":
		cmd := s.shut()
		s.row = max(0, s.row-1)
		return cmd
	case press == "ctrl+s":
		return tea.Batch(s.shut(), s.keep())
	case press == "ctrl+x", press == "ctrl+g":
		var text string
		cmd := s.edit(func() {
			if press == "ctrl+x" {
				text = s.area.Cut()
			} else {
				text = s.area.Copy()
			}
		})
		if text == "" {
			s.notice = "Nothing is selected: shift and the arrow keys select."
			return cmd
		}
		s.notice = s.theme.Press(frame.ScopeEstimate, "ctrl+v") + " inserts what was cut or copied."
		return tea.Batch(cmd, tea.SetClipboard(text))
	}
	before := s.area.Version()
	cmd := s.edit(func() { s.area.Key(msg) })
	if s.area.Version() == before {
		s.notice = map[string]string{
			"ctrl+z": "There is no typing to take back.", "ctrl+r": "Nothing was taken back that could come again.",
			"ctrl+v": "Nothing was cut or copied here.",
		}[msg.Keystroke()]
	}
	return cmd
}

// Mouse scrolls what is read, and sets the cursor in what is written.
func (s *Screen) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	wheel, ok := msg.(tea.MouseWheelMsg)
	switch {
	case s.mode == writing && (!ok || y >= s.areaY && x >= s.areaX):
		s.area.Mouse(msg, x-s.areaX, y-s.areaY)
	case ok && (s.mode == choosing || s.mode == writing):
		const rows = 3
		switch wheel.Button {
		case tea.MouseWheelUp:
			s.top = max(0, s.top-rows)
		case tea.MouseWheelDown:
			s.top = min(s.below, s.top+rows)
		}
	}
	return nil
}

// keys are those that do something now, and why others do not.
func (s *Screen) keys() []frame.Key {
	switch s.mode {
	case writing:
		return s.writeKeys()
	case asking:
		return []frame.Key{{Press: "y", Does: "hand in"}, {Press: "esc", Does: "go on estimating"}, frame.HelpKey}
	case leaving:
		return []frame.Key{{Press: "enter", Does: "leave"}, frame.HelpKey, {Press: "q", Does: "leave", More: true}, {Press: "esc", Does: "leave", More: true}}
	}
	write, rate := frame.Key{Press: "enter", Does: "write"}, frame.Key{Press: fmt.Sprintf("1-%d", max(s.points(), 5)), Does: "estimate"}
	if textRow(s.row) {
		rate.Why = "this row takes words"
	} else {
		write.Why = "digits answer this row"
	}
	undo, other, hand, scroll := frame.Key{Press: "u", Does: "undo"}, frame.Key{Press: "p", Does: "phrasing"}, frame.Key{Press: "h", Does: "hand in"}, ""
	if len(s.undos) == 0 {
		undo.Why = "you have changed nothing since the screen was opened"
	}
	if s.views() == 1 {
		other.Why = "the task has one phrasing"
	} else if s.view == len(s.item().Phrasings)-1 && s.views() > len(s.item().Phrasings) {
		other.Does = "what others said"
	}
	if s.kept() == 0 {
		hand.Why = "no estimate is kept yet"
	}
	hand.More = s.kept() < len(s.items)
	if s.below == 0 {
		scroll = "all of it is seen"
	}
	keys := []frame.Key{
		write, rate, {Press: "ctrl+s", Does: "keep, go on"}, hand, other, undo, frame.HelpKey, {Press: "←→", Does: "task"}, {Press: "↑↓", Does: "row"},
		{Press: "n", Does: "next without an estimate", More: true}, {Press: "[ ]", Does: "task before, next task", More: true},
		{Press: "tab", Does: "next row", More: true}, {Press: "shift+tab", Does: "row before", More: true}, {Press: "k j", Does: "row before, next row", More: true},
		{Press: "pgup pgdn home end", Does: "scroll the text", Why: scroll, More: true},
	}
	if scroll == "" {
		keys = append(keys, frame.Key{Press: "space", Does: "scroll on", More: true}, frame.Key{Press: "ctrl+u ctrl+d g G", Does: "half a page, first, last", More: true})
	}
	return append(keys, frame.Key{Press: "q", Does: "leave; you can go on later", More: true}, frame.Key{Press: "esc", Does: "leave; you can go on later", More: true})
}

func (s *Screen) writeKeys() []frame.Key {
	keys := []frame.Key{{Press: "tab", Does: "next row"}, {Press: "ctrl+s", Does: "keep, go on"}, {Press: "esc", Does: "close"}, frame.HelpKeyTyping, {Press: "shift+tab", Does: "row before", More: true}}
	if s.row == estimate.FieldSummary {
		keys[0] = frame.Key{Press: "enter", Does: "next row"}
		keys = append(keys, frame.Key{Press: "tab", Does: "next row", More: true})
	}
	return append(keys, frame.Key{Press: "ctrl+z ctrl+r", Does: "undo, redo", More: true}, frame.Key{Press: "ctrl+space", Does: "select, as shift+arrows do", More: true},
		frame.Key{Press: "f9", Does: "select all", More: true}, frame.Key{Press: "ctrl+x ctrl+g ctrl+v", Does: "cut, copy, paste", More: true})
}
