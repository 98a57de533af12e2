package prompts

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session/prompts"
	"assay/tui/frame"
)

// key routes a key to what is shown.
func (s *Screen) key(msg tea.KeyPressMsg) tea.Cmd {
	press := msg.String()
	switch s.mode {
	case listing:
		return s.listKey(press)
	case editing:
		return s.editKey(msg)
	case reasoning:
		return s.reasonKey(msg)
	}
	if why := frame.Refused(s.readKeys(), press); why != "" {
		s.notice = why
		return nil
	}
	if to, moved := frame.Move(press, s.top, s.page-1, s.below+1); moved {
		s.top = max(0, min(to, s.below))
		return nil
	}
	return s.readKey(press)
}

// readKey handles the keys of a prompt that is read.
func (s *Screen) readKey(press string) tea.Cmd {
	switch press {
	case "a":
		return s.decide(s.at().entry, prompts.Accept, "", "")
	case "e":
		return s.edit()
	case "r":
		s.mode, s.open = reasoning, s.at().entry
		s.reason.Reset()
		return s.reason.Focus()
	case "n":
		return s.ask()
	case "u":
		return s.takeBack()
	case "s":
		s.settling = !s.settling
	case "right", "]":
		s.step(1)
	case "left", "[":
		s.step(-1)
	case "tab":
		s.next(false)
	case "f":
		s.filter = (s.filter + 1) % filters
		s.sift(s.index())
	case "c":
		s.against++
		s.top = 0
	case "l":
		s.mode = listing
	case "esc":
		switch {
		case s.asking != nil:
			s.asking.stop()
		case s.settling:
			s.settling = false
		default:
			return frame.Back
		}
	case "q":
		return frame.Back
	}
	return nil
}

// step goes to the next or previous prompt of those that are shown.
func (s *Screen) step(by int) {
	to := s.row + by
	switch {
	case to < 0:
		s.notice = "This is the first prompt here."
	case to >= len(s.shown):
		s.notice = "This is the last prompt here."
	default:
		s.goTo(to)
	}
}

// decide writes the reviewer's decision about the prompt that is shown, as it was when he
// began to decide.
func (s *Screen) decide(e prompts.Entry, v prompts.Verdict, text, reason string) tea.Cmd {
	c, index := e.Candidate, s.index()
	d := prompts.Decision{
		Task: c.Task, Level: c.Level, Wording: c.Wording, Number: c.Number, Reviewer: s.opts.Reviewer,
		Verdict: v, Text: text, Reason: reason, Resolution: s.settling, At: s.opts.Now().UTC(),
	}
	said := map[prompts.Verdict]string{prompts.Accept: "accepted", prompts.Edit: "accepted as you edited it", prompts.Reject: "rejected"}[v]
	if s.settling {
		said += ", and settled"
	}
	return s.save(index, fmt.Sprintf("%s %s is %s.", c.Task, c.Name(), said), &undo{index: index, number: c.Number}, false, func() error { return s.opts.Set.Decide(d) })
}

// takeBack undoes the last decision, or drops the last candidate that was asked for.
func (s *Screen) takeBack() tea.Cmd {
	last := s.undos[len(s.undos)-1]
	s.undos = s.undos[:len(s.undos)-1]
	it := s.items[last.index]
	now, set, by := s.opts.Now().UTC(), s.opts.Set, s.opts.Reviewer
	if last.wrote {
		return s.save(last.index, "The other wording is dropped, and the one before is back.", nil, true, func() error { return set.Drop(it.entry, by, now) })
	}
	d := prompts.Decision{Task: it.entry.Task, Level: it.entry.Level, Wording: it.entry.Wording, Number: last.number, Reviewer: by, Verdict: prompts.Undone, At: now}
	return s.save(last.index, "The decision is taken back.", nil, true, func() error { return set.Decide(d) })
}

// edit opens the editor with the draft, or with the text as it stands.
func (s *Screen) edit() tea.Cmd {
	it := s.at()
	text := it.entry.Text
	if s.settling {
		for _, d := range it.entry.Decisions {
			if d.Verdict == prompts.Edit {
				text = d.Text
			}
		}
	}
	if it.entry.Draft != "" {
		text = it.entry.Draft
	}
	s.area.Reset(text, true)
	s.mode, s.open = editing, it.entry
	return nil
}

// editKey handles the keys of the editor.
func (s *Screen) editKey(msg tea.KeyPressMsg) tea.Cmd {
	before := s.area.Version()
	switch press := msg.Keystroke(); press {
	case "ctrl+s":
		return s.keepEdit()
	case "esc":
		s.mode = reading
		switch {
		case s.edited():
			said := "Your draft is kept; " + s.theme.Press(frame.ScopePrompts, "e") + " goes on with it."
			if m := s.arrived; m != nil && m.err == nil && m.of.index == s.index() {
				said = "Your draft is kept with the wording before, which " + s.theme.Press(frame.ScopePrompts, "u") + " brings back."
			}
			return s.save(s.index(), said, nil, true, s.keepDraft(s.area.Value()))
		case s.open.Draft != "":
			return s.save(s.index(), "The draft is gone: it was the text as it stands.", nil, true, s.keepDraft(""))
		}
	case "ctrl+x", "ctrl+g":
		take := s.area.Cut
		if press == "ctrl+g" {
			take = s.area.Copy
		}
		if text := take(); text != "" {
			s.notice = s.theme.Press(frame.ScopePrompts, "ctrl+v") + " inserts what was cut or copied."
			return tea.SetClipboard(text)
		}
		s.notice = "Nothing is selected: shift and the arrow keys select."
	default:
		s.area.Key(msg)
		if s.area.Version() == before {
			s.notice = map[string]string{
				"ctrl+z": "There is no typing to take back.", "ctrl+r": "Nothing was taken back that could come again.",
				"ctrl+v": "Nothing was cut or copied here.",
			}[press]
		}
	}
	return nil
}

// edited reports whether the editor holds another text than the prompt has.
func (s *Screen) edited() bool {
	return strings.TrimSpace(s.area.Value()) != strings.TrimSpace(s.open.Text)
}

// keepDraft is how a draft of the prompt that is edited is kept.
func (s *Screen) keepDraft(text string) func() error {
	c, set := s.open.Candidate, s.opts.Set
	d := prompts.Draft{Task: c.Task, Level: c.Level, Wording: c.Wording, Number: c.Number, Reviewer: s.opts.Reviewer, Text: text, At: s.opts.Now().UTC()}
	return func() error { return set.KeepDraft(d) }
}

// keepEdit keeps the edited text as the reviewer's decision.
func (s *Screen) keepEdit() tea.Cmd {
	text := strings.TrimSpace(s.area.Value())
	if text == "" {
		s.notice = "The prompt is empty: write it, or leave the editor and reject it."
		return nil
	}
	s.mode = reading
	if text == strings.TrimSpace(s.open.Candidate.Text) {
		return s.decide(s.open, prompts.Accept, "", "")
	}
	return s.decide(s.open, prompts.Edit, text, "")
}

// reasonKey handles the line in which a rejection is explained.
func (s *Screen) reasonKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		s.mode = reading
		return nil
	case "enter":
		s.mode = reading
		return s.decide(s.open, prompts.Reject, "", strings.TrimSpace(s.reason.Value()))
	}
	var cmd tea.Cmd
	s.reason, cmd = s.reason.Update(msg)
	return cmd
}

// listKey handles the keys of the list.
func (s *Screen) listKey(press string) tea.Cmd {
	if to, moved := frame.Move(press, s.row, s.height, len(s.shown)); moved {
		s.goTo(max(0, min(to, len(s.shown)-1)))
		return nil
	}
	switch press {
	case "enter", "esc", "l":
		s.mode = reading
	case "f":
		s.filter = (s.filter + 1) % filters
		s.sift(s.index())
	case "tab":
		s.next(false)
	case "q":
		return frame.Back
	}
	return nil
}

// Mouse scrolls what is read, and chooses and opens in the list.
func (s *Screen) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	switch s.mode {
	case listing:
		to, means := frame.PointAt(msg, y-1, s.first, s.row, len(s.shown), s.height)
		switch means {
		case frame.PointChosen:
			s.goTo(to)
		case frame.PointOpened:
			s.mode = reading
		}
	case editing:
		s.area.Mouse(msg, x-s.areaX, y-s.areaY)
	case reading:
		if wheel, ok := msg.(tea.MouseWheelMsg); ok {
			const rows = 3
			switch wheel.Button {
			case tea.MouseWheelUp:
				s.top = max(0, s.top-rows)
			case tea.MouseWheelDown:
				s.top = min(s.below, s.top+rows)
			}
		}
	}
	return s.compare()
}
