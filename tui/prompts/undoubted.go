package prompts

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"assay/session/prompts"
	"assay/tui/frame"
)

// acceptedUnread is the reason of decisions about many prompts at once, so that readers know them from others.
const acceptedUnread = "accepted with all in which no doubt was found"

// undoubted returns the indexes of the listed items that the reviewer has not decided on and in which no doubt was found.
func (s *Screen) undoubted() []int {
	var list []int
	for _, i := range s.shown.Rows() {
		if it := &s.items[i]; s.undecided(i) && it.known && len(it.flags) == 0 {
			list = append(list, i)
		}
	}
	return list
}

// noneClear returns why nothing can be accepted at once, or "".
func (s *Screen) noneClear() string {
	if s.opts.Subject != nil {
		return "each " + s.noun() + " is decided on alone"
	}
	for i := range s.items {
		if !s.items[i].known {
			return "doubts are still being looked for"
		}
	}
	if len(s.undoubted()) == 0 {
		return "each " + s.noun() + " here raises a doubt or is decided on"
	}
	return ""
}

// acceptClear accepts all listed items in which no doubt was found, once the reviewer has confirmed their number.
func (s *Screen) acceptClear() tea.Cmd {
	list := s.undoubted()
	if s.toAccept != len(list) {
		s.toAccept = len(list)
		s.notice = fmt.Sprintf("%s here: no doubt was found. %s accepts all of them unread.", frame.Count(len(list), "undecided "+s.noun()), s.theme.Press(frame.ScopePrompts, "A"))
		return nil
	}
	s.toAccept = 0
	now, set := s.opts.Now().UTC(), s.opts.Set
	var written []int
	return s.saver.WriteHolding(func() error {
		for _, i := range list {
			c := s.items[i].entry.Candidate
			if err := set.Decide(prompts.Decision{Task: c.Task, Level: c.Level, Wording: c.Wording, Number: c.Number, Reviewer: s.opts.Reviewer, Verdict: prompts.Accept, Reason: acceptedUnread, At: now}); err != nil {
				return err
			}
			written = append(written, i)
		}
		return nil
	}, func(err error) tea.Cmd {
		for _, i := range written {
			s.undos = append(s.undos, undo{index: i, number: s.items[i].entry.Candidate.Number})
			s.refresh(i)
		}
		if err == nil {
			s.notice = fmt.Sprintf("%s accepted; %s takes them back, the last one first.", frame.Count(len(written), s.noun()), s.theme.Press(frame.ScopePrompts, "u"))
			s.next(true)
		}
		return tea.Batch(s.arrive(), s.compare())
	})
}
