package tui_test

import (
	"strings"
	"testing"

	"assay/session"
	"assay/session/estimate"
	"assay/session/overlap"
	estimatescreen "assay/tui/estimate"
	overlapscreen "assay/tui/overlap"
)

// A note that the store refuses when it is handed in stays in its line, and is not said to
// be saved.
func TestRefusedWordsStay(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 2)
	d.press("enter").sees("your prompt")
	rig.Store.Fail(errRefusing)
	d.press("f12", "a thought", "enter").sees("no space left")
	d.press("ctrl+c").sees("Not saved").press("esc")
	rig.Store.Fail(nil)
	d.sees("a thought").press("enter").until("the note", func(string) bool {
		return rig.Engine.State().Task().Note == "a thought"
	})
}

// Words that are taken away again are away in the log, too.
func TestErasedWordsAreErased(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 2)
	d.press("enter").sees("your prompt").press("f12", "x").words(rig, session.WordsNote, "x")
	d.press("backspace").words(rig, session.WordsNote, "")
}

// Screens over files of their own say what is not saved, too, and leave with an error.
func TestLeavingFilesThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	cases := map[string]func(t *testing.T) (d *driver, broken func() error){
		"a rater's note": func(t *testing.T) (*driver, func() error) {
			f := changing(t, shared(t, 2, nil, nil))
			d := drive(t, overlapscreen.NewRating(overlapscreen.RatingOptions{File: f, Rater: "ann", Now: noon, Work: silent()}), 80, 24)
			return d.sees("1 answer").settled().press("v", "f12"), f.Close
		},
		"an adjudicator's reason": func(t *testing.T) (*driver, func() error) {
			f := changing(t, closed(t))
			a, err := overlapscreen.NewAdjudication(overlapscreen.AdjudicationOptions{File: f, By: "eve", Apart: overlap.Apart, Now: noon, Work: silent()})
			if err != nil {
				t.Fatal(err)
			}
			return drive(t, a, 80, 24).sees("1 of 4").settled().press("down", "3"), f.Close
		},
		"an estimate": func(t *testing.T) (*driver, func() error) {
			f, err := estimate.Change(round(t))
			if err != nil {
				t.Fatal(err)
			}
			d := drive(t, estimatescreen.New(estimatescreen.Options{File: f, Estimator: "ann", Now: noon}), 80, 24)
			return d.sees("Estimate").settled().press("enter"), f.Close
		},
		"a reviewer's wording": func(t *testing.T) (*driver, func() error) {
			set := written(t, 1)
			return reviewer(t, set, "ann").press("e").sees("your wording"), set.Close
		},
	}
	for name, open := range cases {
		t.Run(name, func(t *testing.T) {
			d, broken := open(t)
			kept := ""
			d.App.Own(func(text string) (string, error) { kept = text; return "/home/me/unsaved.md", nil }, nil)
			if err := broken(); err != nil {
				t.Fatal(err)
			}
			d.press("half a thought", "ctrl+c").sees("Not saved").lacks("Everything is saved")
			d.press("w").sees("/home/me/unsaved.md").press("esc").sees("half a thought")
			if !strings.Contains(kept, "half a thought") {
				t.Errorf("kept: %q", kept)
			}
			d.press("ctrl+c").sees("Not saved").press("y").ends()
			if d.App.Unsaved() == nil {
				t.Error("it ends as if all were saved")
			}
		})
	}
}
