package tui_test

import (
	"testing"

	"assay/tui/tuitest"
)

func init() { screens = append(screens, overlapScreens...) }

// overlapScreens are those of raters and of an adjudicator.
var overlapScreens = []goldenScreen{
	{"overlap-answer", func(t *testing.T) *tuitest.Driver {
		return tuitest.Rating(t, tuitest.Shared(t, 2, nil, nil), "ann").Sees("1 answer", "0 of 2 rated")
	}},
	{"overlap-form", func(t *testing.T) *tuitest.Driver {
		return tuitest.Rating(t, tuitest.Shared(t, 2, nil, nil), "ann").Press("v").Sees("9 to go").Press("4", "2").Sees("[4]", "7 to go").Settled()
	}},
	{"overlap-label", func(t *testing.T) *tuitest.Driver {
		return tuitest.Rating(t, tuitest.Shared(t, 2, nil, nil), "ann").Press("v", "up").Sees("y yes").Settled()
	}},
	{"overlap-note", func(t *testing.T) *tuitest.Driver {
		return tuitest.Rating(t, tuitest.Shared(t, 2, nil, nil), "ann").Press("v", "3", "f12", "terse").Sees("note:", "terse")
	}},
	{"overlap-rated", func(t *testing.T) *tuitest.Driver {
		return tuitest.Rating(t, tuitest.Shared(t, 2, nil, nil), "ann").Press("v", "12345123", "y", "f12", "terse", "enter").Sees("✓ rated", "1 of 2 rated", "note: terse").Settled()
	}},
	{"overlap-pair", func(t *testing.T) *tuitest.Driver {
		return tuitest.Comparing(t, tuitest.Paired(t, 2), 80, 24).Sees("which is better?", "0 of 2 judged")
	}},
	{"overlap-settle", func(t *testing.T) *tuitest.Driver {
		return tuitest.Settling(t, tuitest.Closed(t)).Sees("≠ not settled", "0 of 4 settled")
	}},
	{"overlap-reason", func(t *testing.T) *tuitest.Driver {
		return tuitest.Settling(t, tuitest.Closed(t)).Press("3", "It fails").Sees("3 because:", "It fails")
	}},
	{"overlap-settled", func(t *testing.T) *tuitest.Driver {
		return tuitest.Settling(t, tuitest.Closed(t)).Press("3", "It fails on 2", "enter").Sees("✓ settled", "1 of 4 settled").Settled()
	}},
	{"overlap-settle-label", func(t *testing.T) *tuitest.Driver {
		return tuitest.Settling(t, tuitest.Closed(t)).Press("down", "down").Sees("A yes  B no", "settles it").Settled()
	}},
}
