package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
)

// slow is a model that says pieces, each when it is asked to, and never ends.
type slow struct{ pieces chan string }

func (m slow) Stream(ctx context.Context, _ llm.Request, delta func(string)) (llm.Answer, error) {
	for {
		select {
		case <-ctx.Done():
			return llm.Answer{}, ctx.Err()
		case piece := <-m.pieces:
			thought, thinks := strings.CutPrefix(piece, "thinks ")
			switch {
			case piece == "":
				return llm.Answer{}, errors.New("the connection broke")
			case thinks:
				llm.Think(ctx, thought)
			default:
				delta(piece)
			}
		}
	}
}

// What had arrived of an answer is there when the session is continued after its program was killed, and after that
// was killed, too; once the prompt is sent again, it is gone.
func TestWhatArrivedSurvivesACrash(t *testing.T) {
	ctx := context.Background()
	rig, err := enginetest.New(1, func(*session.Choice) {})
	fatal.If(t, err)
	model := slow{make(chan string)}
	configure := func(c *engine.Config) { c.Client, c.KeepEvery = model, time.Millisecond }
	e := rig.Reopen(t, configure)
	t.Cleanup(rig.Bury)
	fatal.If(t, e.OpenTask(ctx))
	fatal.If(t, e.Send(ctx, "Double"))
	const text, thoughts = "Sure, here is\nthe 漢字 of it.", "First I double. Then I check."
	for _, thought := range strings.SplitAfter(thoughts, ". ") {
		model.pieces <- "thinks " + thought
	}
	for _, word := range strings.SplitAfter(text, " ") {
		model.pieces <- word
	}
	stored := func(s *session.State) bool {
		var said, thought string
		for _, piece := range s.Attempt().Arriving {
			got, err := e.Text(piece.Text)
			fatal.If(t, err)
			said += got
			got, err = e.Text(piece.Thinking)
			fatal.If(t, err)
			thought += got
		}
		return said == text && thought == thoughts
	}
	fatal.If(t, rig.Until(ctx, stored))
	for range 2 {
		rig.Kill()
		model = slow{make(chan string)} // the killed one may still listen
		cfg := rig.Config()
		configure(&cfg)
		e, err = engine.Reopen(ctx, cfg, rig.ID)
		fatal.If(t, err)
		arrived(t, e, text, thoughts)
		if a := e.State().Attempt(); a.Broken.Reason != "crashed" || len(a.Arriving) > 0 {
			t.Fatalf("%+v", a)
		}
	}
	fatal.If(t, e.Send(ctx, "Double"))
	arrived(t, e, "", "")
	model.pieces <- "thinks " + thoughts
	model.pieces <- ""
	for e.State().Attempt().Failed == nil {
		<-e.Changes()
	}
	arrived(t, e, "", thoughts)
	fatal.If(t, e.Send(ctx, "Double"))
	model.pieces <- "thinks " + thoughts
	e.Stop()
	for e.State().Attempt().Broken == nil {
		<-e.Changes()
	}
	arrived(t, e, "", thoughts)
	fatal.If(t, e.Close(ctx))
}

// arrived fails unless that is what had arrived of an answer.
func arrived(t *testing.T, e *engine.Engine, text, thoughts string) {
	t.Helper()
	list := e.State().Attempt().Arrived()
	if text == "" && thoughts == "" {
		if len(list) > 0 {
			t.Errorf("%+v arrived", list)
		}
		return
	}
	if len(list) != 1 || list[0].Side != "" {
		t.Fatalf("%+v arrived", list)
	}
	if got, err := e.Text(list[0].Text); err != nil || got != text {
		t.Errorf("the answer is %q, %v; want %q", got, err, text)
	}
	if got, err := e.Text(list[0].Thinking); err != nil || got != thoughts {
		t.Errorf("the thinking is %q, %v; want %q", got, err, thoughts)
	}
}
