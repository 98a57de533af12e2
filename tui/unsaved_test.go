package tui_test

import (
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/estimate"
	"assay/session/overlap"
	estimatescreen "assay/tui/estimate"
	overlapscreen "assay/tui/overlap"
	"assay/tui/tuitest"
)

// A note that the store refuses when it is handed in stays in its line, and is not said to
// be saved.
func TestRefusedWordsStay(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 2)
	d.Press("enter").Sees("your prompt")
	rig.Store.Fail(tuitest.ErrRefusing)
	d.Press("f12", "a thought", "enter").Sees("no space left")
	d.Press("ctrl+c").Sees("Not saved").Press("esc")
	rig.Store.Fail(nil)
	d.Sees("a thought").Press("enter").Until("the note", func(string) bool {
		return rig.Engine.State().Task().Note == "a thought"
	})
}

// Words that are taken away again are away in the log, too.
func TestErasedWordsAreErased(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 2)
	d.Press("enter").Sees("your prompt").Press("f12", "x").Words(rig, session.WordsNote, "x")
	d.Press("backspace").Words(rig, session.WordsNote, "")
}

// Screens over files of their own say what is not saved, too, and leave with an error.
func TestLeavingFilesThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	cases := map[string]func(t *testing.T) (d *tuitest.Driver, broken func() error){
		"a rater's note": func(t *testing.T) (*tuitest.Driver, func() error) {
			f := tuitest.Changing(t, tuitest.Shared(t, 2, nil, nil))
			d := tuitest.Drive(t, overlapscreen.NewRating(overlapscreen.RatingOptions{File: f, Rater: "ann", Now: tuitest.Noon, Work: tuitest.Silent()}), 80, 24)
			return d.Sees("1 answer").Settled().Press("v", "f12"), f.Close
		},
		"an adjudicator's reason": func(t *testing.T) (*tuitest.Driver, func() error) {
			f := tuitest.Changing(t, tuitest.Closed(t))
			a, err := overlapscreen.NewAdjudication(overlapscreen.AdjudicationOptions{File: f, By: "eve", Apart: overlap.Apart, Now: tuitest.Noon, Work: tuitest.Silent()})
			fatal.If(t, err)
			return tuitest.Drive(t, a, 80, 24).Sees("1 of 4").Settled().Press("down", "3"), f.Close
		},
		"an estimate": func(t *testing.T) (*tuitest.Driver, func() error) {
			f, err := estimate.Change(tuitest.Round(t))
			fatal.If(t, err)
			d := tuitest.Drive(t, estimatescreen.New(estimatescreen.Options{File: f, Estimator: "ann", Now: tuitest.Noon}), 80, 24)
			return d.Sees("Estimate").Settled().Press("enter"), f.Close
		},
		"a reviewer's wording": func(t *testing.T) (*tuitest.Driver, func() error) {
			set := tuitest.Written(t, 1)
			return tuitest.Reviewer(t, set, "ann").Press("e").Sees("your wording"), set.Close
		},
	}
	for name, open := range cases {
		t.Run(name, func(t *testing.T) {
			d, broken := open(t)
			kept := ""
			d.App.Own(func(_, text string) (string, error) { kept = text; return "/home/me/unsaved.md", nil }, nil)
			fatal.If(t, broken())
			d.Press("half a thought", "ctrl+c").Sees("Not saved").Lacks("Everything is saved")
			d.Press("w").Sees("/home/me/unsaved.md").Press("esc").Sees("half a thought")
			if !strings.Contains(kept, "half a thought") {
				t.Errorf("kept: %q", kept)
			}
			d.Press("ctrl+c").Sees("Not saved").Press("y").Ends()
			if d.App.Unsaved() == nil {
				t.Error("it ends as if all were saved")
			}
		})
	}
}
