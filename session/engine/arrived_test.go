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
			if piece == "" {
				return llm.Answer{}, errors.New("the connection broke")
			}
			delta(piece)
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
	const text = "Sure, here is\nthe 漢字 of it."
	for _, word := range strings.SplitAfter(text, " ") {
		model.pieces <- word
	}
	stored := func(s *session.State) bool {
		var got strings.Builder
		for _, ref := range s.Attempt().Arriving {
			piece, err := e.Text(ref)
			fatal.If(t, err)
			got.WriteString(piece)
		}
		return got.String() == text
	}
	fatal.If(t, rig.Until(ctx, stored))
	for range 2 {
		rig.Kill()
		cfg := rig.Config()
		configure(&cfg)
		e, err = engine.Reopen(ctx, cfg, rig.ID)
		fatal.If(t, err)
		a := e.State().Attempt()
		if got, err := e.Text(a.Arrived()); err != nil || got != text || a.Broken.Reason != "crashed" || len(a.Arriving) > 0 {
			t.Fatalf("%q, %v, %+v", got, err, a)
		}
	}
	fatal.If(t, e.Send(ctx, "Double"))
	if a := e.State().Attempt(); a.Arrived() != "" || len(a.Arriving) > 0 {
		t.Errorf("%+v", a)
	}
	fatal.If(t, e.Close(ctx))
}
