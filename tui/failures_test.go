package tui_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"assay/data/fatal"
	"assay/session/estimate"
	"assay/tui/difficulty"
	estimatescreen "assay/tui/estimate"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/models"
	"assay/tui/results"
	"assay/tui/tasks"
	"assay/tui/tuitest"
)

// A session that cannot be begun leaves the form as it is, with the reason.
func TestNothingCanBeBegun(t *testing.T) {
	t.Parallel()
	d := tuitest.Drive(t, home.New(&tuitest.Begun{}, tuitest.Noon), 80, 24).Press("n").Sees("New session", "5 tasks in one set")
	d.Press("ctrl+s").Sees("✗ nothing can be begun here", "New session").Press("esc").Sees("Rehearse with recorded answers")
}

// A filter that is not written is not said to be saved.
func TestFilterThatIsNotSaved(t *testing.T) {
	t.Parallel()
	keeps := &tuitest.Kept{}
	d := tuitest.Browse(t, 80, 24, func(o *tasks.Options) { o.SavedFilters = keeps })
	d.Press("/", "difficulty:hard").Sees("15 of 45 tasks").Press("enter", "w").Sees("save as")
	keeps.Fail(errors.New("no space left on device"))
	d.Press("hard", "enter").Sees("no space left on device").Lacks("saved in")
}

// An estimate that is lost by the last write, after the question whether to leave, is asked
// about again.
func TestLastWriteOfAnEstimate(t *testing.T) {
	t.Parallel()
	f, err := estimate.Change(tuitest.Round(t))
	fatal.If(t, err)
	d := tuitest.Drive(t, estimatescreen.New(estimatescreen.Options{File: f, Estimator: "ann", Now: tuitest.Noon}), 80, 24).Sees("Estimate").Settled()
	d.Press("ctrl+c").Sees("Everything is saved")
	fatal.If(t, f.Close())
	d.Press("y").Sees("Not saved: your estimate")
}

// Unsaved work that cannot be put into a file either is not said to be there.
func TestRescueThatFails(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	d.App.Own(func(string, string) (string, error) { return "", errors.New("read-only file system") }, nil)
	d.Press("enter").Sees("your prompt").Press("Double ").Drafted(rig, "Double ", 0)
	rig.Store.Fail(tuitest.ErrRefusing)
	d.Press("it.", "ctrl+c").Sees("Not saved").Press("w").Sees("✗ read-only file system").Lacks("It was written")
}

// Tasks of which none has a topic have no list of topics.
func TestTopicsOfNone(t *testing.T) {
	d := tuitest.Hard(t, func(o *difficulty.Options) { o.Analysis.Topics = nil })
	d.Press("t").Sees("not now: there are no topics")
}

// A session that does not open from its results is said to be in trouble, and is tried again.
func TestResultsThatDoNotGoOn(t *testing.T) {
	t.Parallel()
	tries := 0
	opts := results.Options{Library: tuitest.Study(), Continue: func(context.Context, string) (frame.Screen, error) {
		tries++
		return nil, fmt.Errorf("no model %d", tries)
	}}
	d := tuitest.Drive(t, results.NewScreen(opts, "S2"), 80, 24).Sees("1 numbers")
	d.Press("c").Sees("no model 1").Press("c").Sees("no model 2")
}

// While a model is asked the screen says so.
func TestModelIsAsked(t *testing.T) {
	t.Parallel()
	answer := make(chan error)
	opts := models.Options{Path: "/models.toml", Models: []models.Model{{Name: "hosted", Provider: "openai", Ready: true}}}
	opts.Check = func(context.Context, string) (string, error) { return "hosted says hello", <-answer }
	d := tuitest.Drive(t, models.New(opts), 80, 24).Press("c").Sees("Send one small request to hosted?").Press("y").Sees("… hosted is asked")
	answer <- nil
	d.Sees("✓ hosted says hello").Lacks("is asked")
}

// A result is scrolled to its end, and not beyond.
func TestResultIsScrolledToItsEnd(t *testing.T) {
	t.Parallel()
	d := tuitest.OpenTasks(t, "S1").Press("down", "enter").Sees("judged")
	for range 30 {
		d.Press("pgdown")
	}
	d.Sees("note: terse, but right", "3-15 of 15").Press("pgup").Sees("1-13 of 15", "total 24 of 40")
}
