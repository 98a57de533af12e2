package prompts

import (
	"assay/session/prompts"
)

// filter selects prompts to show.
type filter int

const (
	all filter = iota
	undecided
	accepted
	edited
	rejected
	disputed
	flagged
	filters
)

// String names the selected prompts.
func (f filter) String() string {
	return [...]string{"all", "undecided", "accepted", "edited", "rejected", "disputed", "flagged"}[f]
}

func (f filter) has(it item) bool {
	switch f {
	case undecided:
		return it.entry.Review == prompts.Unreviewed
	case accepted:
		return it.entry.Review == prompts.Accepted
	case edited:
		return it.entry.Review == prompts.Edited
	case rejected:
		return it.entry.Review == prompts.Rejected
	case disputed:
		return it.entry.Review == prompts.Disputed
	case flagged:
		return len(it.flags) > 0
	}
	return true
}

// sift applies the filter now; prompts decided later stay listed.
func (s *Screen) sift() {
	var shown []int
	for i, it := range s.items {
		if s.filter.has(it) {
			shown = append(shown, i)
		}
	}
	s.shown.Set(shown)
	s.settling = false
}
