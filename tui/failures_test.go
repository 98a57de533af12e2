package tui_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"assay/session/estimate"
	"assay/tui/difficulty"
	estimatescreen "assay/tui/estimate"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/models"
	"assay/tui/results"
	"assay/tui/tasks"
)

// A session that cannot be begun leaves the form as it is, with the reason.
func TestNothingCanBeBegun(t *testing.T) {
	t.Parallel()
	d := drive(t, home.New(&begun{}, noon), 80, 24).press("n").sees("New session", "5 tasks in one set")
	d.press("enter").sees("✗ nothing can be begun here", "New session").press("esc").sees("Rehearse with recorded answers")
}

// A filter that is not written is not said to be saved.
func TestFilterThatIsNotSaved(t *testing.T) {
	t.Parallel()
	keeps := &kept{}
	d := browse(t, 80, 24, func(o *tasks.Options) { o.Scenarios = keeps })
	d.press("/", "difficulty:hard").sees("15 of 45 tasks").press("enter", "w").sees("save as")
	keeps.err = errors.New("no space left on device")
	d.press("hard", "enter").sees("no space left on device").lacks("saved in")
}

// An estimate that is lost by the last write, after the question whether to leave, is asked
// about again.
func TestLastWriteOfAnEstimate(t *testing.T) {
	t.Parallel()
	f, err := estimate.Change(round(t))
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, estimatescreen.New(estimatescreen.Options{File: f, Estimator: "ann", Now: noon}), 80, 24).sees("Estimate").settled()
	d.press("ctrl+c").sees("Everything is saved")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	d.press("y").sees("Not saved: your estimate")
}

// Unsaved work that cannot be put into a file either is not said to be there.
func TestRescueThatFails(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	d.App.Own(func(string) (string, error) { return "", errors.New("read-only file system") }, nil)
	d.press("enter").sees("your prompt").press("Double ").drafted(rig, "Double ", 0)
	rig.Store.Fail(errRefusing)
	d.press("it.", "ctrl+c").sees("Not saved").press("w").sees("✗ read-only file system").lacks("It was written")
}

// Tasks of which none has a topic have no list of topics.
func TestTopicsOfNone(t *testing.T) {
	d := hard(t, func(o *difficulty.Options) { o.Analysis.Topics = nil })
	d.press("t").sees("not now: there are no topics")
}

// A session that does not open from its results is said to be in trouble, and is tried again.
func TestResultsThatDoNotGoOn(t *testing.T) {
	t.Parallel()
	tries := 0
	opts := results.Options{Library: study(), Continue: func(context.Context, string) (frame.Screen, error) {
		tries++
		return nil, fmt.Errorf("no model %d", tries)
	}}
	d := drive(t, results.NewScreen(opts, "S2"), 80, 24).sees("1 numbers")
	d.press("c").sees("no model 1").press("c").sees("no model 2")
}

// While a model is asked the screen says so.
func TestModelIsAsked(t *testing.T) {
	t.Parallel()
	answer := make(chan error)
	opts := models.Options{Path: "/models.toml", Models: []models.Model{{Name: "hosted", Provider: "openai", Ready: true}}}
	opts.Check = func(context.Context, string) (string, error) { return "hosted says hello", <-answer }
	d := drive(t, models.New(opts), 80, 24).press("c").sees("Send one small request to hosted?").press("y").sees("… hosted is asked")
	answer <- nil
	d.sees("✓ hosted says hello").lacks("is asked")
}

// A result is scrolled to its end, and not beyond.
func TestResultIsScrolledToItsEnd(t *testing.T) {
	t.Parallel()
	d := openTasks(t, "S1").press("down", "enter").sees("judged")
	for range 30 {
		d.press("pgdown")
	}
	d.sees("note: terse, but right", "3-15 of 15").press("pgup").sees("1-13 of 15", "total 24 of 40")
}
