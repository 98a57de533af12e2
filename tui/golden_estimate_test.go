package tui_test

import (
	"testing"

	"assay/data/fatal"
	"assay/session/estimate"
	screen "assay/tui/estimate"
	"assay/tui/tuitest"
)

func init() { screens = append(screens, estimateScreens...) }

// estimateScreens are those of an estimation round.
var estimateScreens = []goldenScreen{
	{"estimate", func(t *testing.T) *tuitest.Driver {
		return tuitest.Estimator(t, tuitest.Round(t), "ann").Sees("phrasing 1 of 2", "4 to go")
	}},
	{"estimate-example", func(t *testing.T) *tuitest.Driver {
		return tuitest.Estimator(t, tuitest.ExplainedRound(t), "ann").Press("right").Sees("example 2 of 2", "20 min")
	}},
	{"estimate-writing", func(t *testing.T) *tuitest.Driver {
		return tuitest.Estimator(t, tuitest.Round(t), "ann").Press("enter", "Twice a number").Sees("Twice a number")
	}},
	{"estimate-scale", func(t *testing.T) *tuitest.Driver {
		return tuitest.Estimator(t, tuitest.Round(t), "ann").Press("enter", "Twice a number", "enter", "3", "up").Sees("[3 10 min]", "2 to go")
	}},
	{"estimate-reason", func(t *testing.T) *tuitest.Driver {
		return tuitest.Estimator(t, tuitest.Round(t), "ann").Press("j", "1", "2", "enter", "One multiplication.", "enter", "Nothing to look up.").Sees("Nothing to look up.")
	}},
	{"estimate-kept", func(t *testing.T) *tuitest.Driver {
		d := tuitest.Fill(tuitest.Estimator(t, tuitest.Round(t), "ann"), "twice a number", 1, 1, "one multiplication, nothing else").Sees("1 of 4 kept", "Snake")
		return d.Press("left").Sees("✓ kept")
	}},
	{"estimate-long", func(t *testing.T) *tuitest.Driver {
		return tuitest.Estimator(t, tuitest.Round(t), "ann").Press("right").Sees("Snake").Press("pgdown", "pgdown").Sees("of 4")
	}},
	{"estimate-missing", func(t *testing.T) *tuitest.Driver {
		return tuitest.Estimator(t, tuitest.Round(t), "ann").Press("ctrl+s").Sees("4 still to go")
	}},
	{"estimate-hand-in", func(t *testing.T) *tuitest.Driver {
		d := tuitest.Fill(tuitest.Estimator(t, tuitest.Round(t), "ann"), "twice a number", 1, 1, "one multiplication, nothing else").Sees("1 of 4 kept")
		return d.Press("h").Sees("Hand in 1 of 4")
	}},
	{"estimate-handed-in", func(t *testing.T) *tuitest.Driver {
		d := tuitest.Fill(tuitest.Estimator(t, tuitest.Round(t), "ann"), "twice a number", 1, 1, "one multiplication, nothing else").Sees("1 of 4 kept")
		return d.Press("h").Sees("Hand in 1 of 4").Press("y").Sees("✓ handed in")
	}},
	{"estimate-trouble", func(t *testing.T) *tuitest.Driver {
		path := tuitest.Round(t)
		f, err := estimate.Change(path)
		fatal.If(t, err)
		d := tuitest.Drive(t, screen.New(screen.Options{File: f, Estimator: "ann", Now: tuitest.Noon}), 80, 24).Sees("Estimate · starter").Settled()
		fatal.If(t, f.Close())
		return d.Press("j", "1").Sees("✗ Not saved", "closed")
	}},
	{"estimate-again", func(t *testing.T) *tuitest.Driver {
		return tuitest.Estimator(t, tuitest.SecondRound(t, tuitest.FirstRound(t)), "fay").Sees("round 2", "Snake").Press("down").Sees("others: 1 min · >40 min · >40 min")
	}},
	{"estimate-others", func(t *testing.T) *tuitest.Driver {
		return tuitest.Estimator(t, tuitest.SecondRound(t, tuitest.FirstRound(t)), "fay").Press("p").Sees("5 estimates that did not agree", "1 min · more than 40 min · more than 40 min")
	}},
}
