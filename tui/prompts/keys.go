package prompts

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session/prompts"
	"assay/tui/editor"
	"assay/tui/frame"
)

// Keys returns all keys of the screen, for the settings.
func Keys() []frame.Key {
	s := &Screen{}
	return frame.Merged(s.readKeys(), s.listKeys(), s.editKeys(), s.reasonKeys())
}

// keys returns the keys of the current mode.
func (s *Screen) keys() []frame.Key {
	switch s.mode {
	case listing:
		return s.listKeys()
	case editing:
		return s.editKeys()
	case reasoning:
		return s.reasonKeys()
	}
	return s.readKeys()
}

// key passes a key to the current table, or to the text being typed.
func (s *Screen) key(msg tea.KeyPressMsg) (cmd tea.Cmd) {
	press := msg.String()
	if s.mode == editing {
		press = msg.Keystroke()
	}
	if press != "A" {
		s.toAccept = 0
	}
	cmd, why, taken := frame.Pressed(s.keys(), press)
	if s.notice += why; taken {
		return cmd
	}
	switch s.mode {
	case editing:
		before := s.area.Version()
		clip, says := s.area.Press(msg)
		s.notice = s.theme.Keyed(frame.ScopePrompts, true, says)
		if clip != "" {
			cmd = tea.SetClipboard(clip)
		}
		if s.area.Version() != before {
			cmd = tea.Batch(cmd, s.saver.Typed())
		}
	case reasoning:
		s.reason, cmd = s.reason.Update(msg)
	}
	return cmd
}

// readKeys returns the keys of the shown prompt, or why they have no action now.
func (s *Screen) readKeys() []frame.Key {
	shown := func() string {
		if s.at() == nil {
			return "no " + s.noun() + " is shown"
		}
		return ""
	}
	cannotScroll := func() string {
		if why := shown(); why != "" || s.texts.Below() > 0 {
			return why
		}
		return "all of it is visible"
	}
	return []frame.Key{
		{Press: "a", Does: "accept", Not: shown, Do: func() tea.Cmd { return s.decide(s.at().entry, prompts.Accept, "", "") }},
		{Press: "e", Does: "edit", Not: shown, Do: s.edit}, {Press: "r", Does: "reject", Not: shown, Do: s.askReason},
		{Press: "s", Does: "settle", Not: s.undisputed, Do: frame.Only(func() { s.settling = !s.settling }), Fit: func(k *frame.Key) {
			if s.settling {
				k.Does = "do not settle"
			}
		}},
		{Press: "n", Does: "another", Not: s.noOther, Do: s.ask},
		{Press: "u", Does: "undo", Do: s.takeBack, Not: func() string {
			if len(s.undos) == 0 {
				return "you have decided nothing since the screen was opened"
			}
			return ""
		}},
		s.nextKey(), frame.HelpKey,
		{Press: "l", Does: "list", Do: frame.Only(func() { s.mode = listing })}, s.filterKey(),
		{Press: "c", Does: "compare with another", More: true, Do: frame.Only(func() {
			s.against++
			s.texts.To(0)
		}), Not: func() string {
			if why := shown(); why != "" || len(s.others()) > 1 {
				return why
			}
			return "there is only the original to compare with"
		}},
		{Press: "←→", Also: "[ ]", Does: "the one before, the next one", More: true, Not: shown, Run: s.step},
		{Press: "↑↓ pgup pgdn home end", Also: "k j space g G", Does: "scroll", More: true, Not: cannotScroll, Run: s.texts.Move},
		{Press: "ctrl+u ctrl+d", Does: "scroll by half a page", More: true, Not: cannotScroll, Run: s.texts.Move},
		{Press: "q", Does: "leave", More: true, Do: frame.GoBack}, {Press: "esc", Does: "leave, or stop the request", More: true, Do: s.escape},
	}
}

// undisputed returns why there is nothing to settle, or "".
func (s *Screen) undisputed() string {
	switch it := s.at(); {
	case it == nil:
		return "no " + s.noun() + " is shown"
	case it.entry.Review != prompts.Disputed:
		return "nobody disagrees about this " + s.noun() + ", as far as you may see"
	}
	return ""
}

// noOther returns why no other wording can be requested, or "".
func (s *Screen) noOther() string {
	switch {
	case s.at() == nil:
		return "no " + s.noun() + " is shown"
	case s.opts.Another == nil:
		return s.opts.NoWriter
	case s.asking != nil:
		return "another wording is being written"
	}
	return ""
}

func (s *Screen) filterKey() frame.Key {
	return frame.Key{Press: "f", Does: "filter", Do: frame.Only(func() {
		s.filter = (s.filter + 1) % filters
		s.sift()
	})}
}

// escape stops a running request, or leaves.
func (s *Screen) escape() tea.Cmd {
	switch {
	case s.asking != nil:
		s.asking.stop()
	case s.settling:
		s.settling = false
	default:
		return frame.Back
	}
	return nil
}

// listKeys returns the keys of the list.
func (s *Screen) listKeys() []frame.Key {
	read := frame.Only(func() { s.mode = reading })
	choose := s.shown.Key()
	choose.More = true
	return append([]frame.Key{
		{Press: "enter", Does: "show", Do: read}, s.filterKey(), s.nextKey(),
		frame.HelpKey, {Press: "esc", Also: "l", Does: "back", Do: read},
		{Press: "A", Does: "accept all without doubts", Not: s.noneClear, Do: s.acceptClear, More: true},
		choose, {Press: "q", Does: "leave", More: true, Do: frame.GoBack},
	}, frame.Motions(s.shown.Move)...)
}

// nextKey goes to the next prompt without a decision.
func (s *Screen) nextKey() frame.Key {
	return frame.Key{Press: "tab", Does: "next undecided", Do: frame.Only(func() { s.next(false) }), Not: func() string {
		left := s.shown.Rows()
		if at, ok := s.shown.Chosen(); !slices.ContainsFunc(left, func(i int) bool { return s.undecided(i) && !(ok && i == at) }) {
			return "no other " + s.noun() + " here is left to decide on"
		}
		return ""
	}}
}

// editKeys returns the keys of the editor.
func (s *Screen) editKeys() []frame.Key {
	return append([]frame.Key{
		{Press: "ctrl+s", Does: "accept as edited", Do: s.keepEdit}, {Press: "esc", Does: "back, with a draft", Do: s.leaveEdit}, frame.HelpKey,
	}, editor.Keys()...)
}

// reasonKeys returns the keys of the line in which a rejection is explained.
func (s *Screen) reasonKeys() []frame.Key {
	return []frame.Key{
		{Press: "enter", Does: "reject", Do: func() tea.Cmd {
			s.mode = reading
			return s.decide(s.open, prompts.Reject, "", strings.TrimSpace(s.reason.Value()))
		}},
		{Press: "esc", Does: "back", Do: frame.Only(func() { s.mode = reading })}, frame.HelpKey,
	}
}

// askReason asks why the prompt is rejected.
func (s *Screen) askReason() tea.Cmd {
	s.mode, s.open = reasoning, s.at().entry
	s.reason.Reset()
	return s.reason.Focus()
}

// step goes to the previous or next listed prompt.
func (s *Screen) step(press string) tea.Cmd {
	to, why := frame.Step(s.shown.Row(), press == "right" || press == "]", s.shown.Len())
	if s.notice = why; why == "" {
		s.shown.Choose(to)
	}
	return nil
}

// decide writes the reviewer's decision about the prompt, in the version that the reviewer saw.
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
	return s.save(index, fmt.Sprintf("%s is %s.", strings.TrimSpace(c.Task+" "+s.name(e)), said), &undo{index: index, number: c.Number}, false, func() error { return s.opts.Set.Decide(d) })
}

// takeBack undoes the last decision, or drops the last requested candidate.
func (s *Screen) takeBack() tea.Cmd {
	last := s.undos[len(s.undos)-1]
	s.undos = s.undos[:len(s.undos)-1]
	it := s.items[last.index]
	now, set, by := s.opts.Now().UTC(), s.opts.Set, s.opts.Reviewer
	if last.wrote {
		return s.save(last.index, "The other wording is dropped, and the previous one is back.", nil, true, func() error { return set.Drop(it.entry, by, now) })
	}
	d := prompts.Decision{Task: it.entry.Task, Level: it.entry.Level, Wording: it.entry.Wording, Number: last.number, Reviewer: by, Verdict: prompts.Undone, At: now}
	return s.save(last.index, "The decision is taken back.", nil, true, func() error { return set.Decide(d) })
}

// edit opens the editor with the draft, or with the current text.
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
	s.saver.BeginTyping(it.entry.Draft != "")
	return nil
}

// leaveEdit closes the editor and keeps a draft of what is in it.
func (s *Screen) leaveEdit() tea.Cmd {
	s.mode = reading
	switch drafted := s.saver.TypedOut(); {
	case s.edited():
		said := s.theme.Keyed(frame.ScopePrompts, false, "Your draft is saved; {e} continues it.")
		if m := s.arrived; m != nil && m.err == nil && m.of.index == s.index() {
			said = s.theme.Keyed(frame.ScopePrompts, false, "Your draft is saved with the previous wording, which {u} brings back.")
		}
		return s.save(s.index(), said, nil, true, s.keepDraft(s.area.Value()))
	case drafted:
		return s.save(s.index(), "The draft is removed: it was the same as the text.", nil, true, s.keepDraft(""))
	}
	return nil
}

// edited reports whether the editor's text differs from the prompt.
func (s *Screen) edited() bool {
	return strings.TrimSpace(s.area.Value()) != strings.TrimSpace(s.open.Text)
}

// keepDraft returns how to save a draft of the edited prompt.
func (s *Screen) keepDraft(text string) func() error {
	c, set := s.open.Candidate, s.opts.Set
	d := prompts.Draft{Task: c.Task, Level: c.Level, Wording: c.Wording, Number: c.Number, Reviewer: s.opts.Reviewer, Text: text, At: s.opts.Now().UTC()}
	return func() error { return set.KeepDraft(d) }
}

// keepEdit saves the edited text as the reviewer's decision.
func (s *Screen) keepEdit() tea.Cmd {
	text := strings.TrimSpace(s.area.Value())
	if text == "" {
		s.notice = "The " + s.noun() + " is empty: write it, or leave the editor and reject it."
		return nil
	}
	s.mode = reading
	s.saver.TypedOut()
	if text == strings.TrimSpace(s.open.Candidate.Text) {
		return s.decide(s.open, prompts.Accept, "", "")
	}
	return s.decide(s.open, prompts.Edit, text, "")
}

// Mouse scrolls text, and chooses and opens rows of the list.
func (s *Screen) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	switch s.mode {
	case listing:
		s.shown.Mouse(msg, y, frame.Only(func() { s.mode = reading }))
	case editing:
		s.area.Mouse(msg, x-s.areaX, y-s.areaY)
	case reading:
		s.texts.Wheel(msg)
	}
	return s.compare()
}
