package tui_test

import (
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session/prompts"
	"assay/tui/tuitest"
)

func init() { screens = append(screens, promptScreens...) }

// promptScreens are those of the review of prompts.
var promptScreens = []goldenScreen{
	{"prompts", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewer(t, tuitest.Written(t, 1), "ann").Sees("no doubts")
	}},
	{"prompts-flagged", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewer(t, tuitest.Written(t, 1), "ann").Press("right", "right").Sees("ordered_list", "it names what")
	}},
	{"prompts-edit", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewer(t, tuitest.Written(t, 1), "ann").Press("e").Sees("your wording").Press(" Quickly.").Sees("Quickly.")
	}},
	{"prompts-edited", func(t *testing.T) *tuitest.Driver {
		d := tuitest.Reviewer(t, tuitest.Written(t, 1), "ann").Press("e").Sees("your wording").Press(" Quickly.", "ctrl+s").Sees("context-1.2")
		return d.Press("left", "c").Sees("the model's wording", "candidate, edited")
	}},
	{"prompts-reject", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewer(t, tuitest.Written(t, 1), "ann").Press("r").Sees("Why is it rejected?").Press("too long").Sees("too long")
	}},
	{"prompts-list", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewer(t, tuitest.Written(t, 1), "ann").Press("a").Sees("1 of 4").Press("l").Sees("✓ accepted", "! names")
	}},
	{"prompts-disputed", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewer(t, tuitest.Disagree(t), "ann").Press("left").Sees("≠ disputed", "bob rejected it")
	}},
	{"prompts-settle", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewer(t, tuitest.Disagree(t), "ann").Press("left").Sees("≠ disputed").Press("s").Sees("settles the disagreement")
	}},
	{"prompts-none", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewer(t, tuitest.Written(t, 1), "ann").Press("f", "f").Sees("No prompt is accepted")
	}},
	{"prompts-draft", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewer(t, tuitest.Written(t, 1), "ann").Press("e").Sees("your wording").Press("x", "esc").Sees("e continues it", "your draft is saved")
	}},
	{"prompts-long", func(t *testing.T) *tuitest.Driver {
		set := tuitest.Written(t, 1)
		task := tuitest.Worded()[0]
		long := "Write median.\n" + strings.Repeat("It is one of the numbers, or between two.\n", 40)
		fatal.If(t, set.Propose(prompts.Candidate{Task: "median", Basis: prompts.Basis(task), Level: 1, Wording: 1, Text: long, Asked: 3, At: tuitest.Noon()}))
		return tuitest.Reviewer(t, set, "ann").Press("down", "down", "down").Sees("4-")
	}},
	{"harden", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hardener(t, "ann").Sees("floor-tally", "mutants: 1 of 16")
	}},
	{"harden-solution", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hardener(t, "ann").Press("right").Sees("disagreement").Press("c", "c", "c", "c").Sees("the second solution, of other")
	}},
	{"harden-list", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hardener(t, "ann").Press("a").Sees("floor-tally is accepted.").Press("l").Sees("✓ accepted", "! disagreement")
	}},
}
