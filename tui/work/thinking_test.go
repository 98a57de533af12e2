package work_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
)

// thinker is a model that thinks apart from its answer, and answers when it is told to.
type thinker struct{ begin, answer chan string }

const thoughts = "First I double.\n\nThen I *check*."

func (m thinker) Stream(ctx context.Context, _ llm.Request, delta func(string)) (llm.Answer, error) {
	llm.Tell(ctx, llm.Progress{Stage: llm.Arriving, Try: 1})
	llm.Think(ctx, thoughts)
	for begun := ""; ; {
		select {
		case <-ctx.Done():
			return llm.Answer{}, ctx.Err()
		case begun = <-m.begin:
			delta(begun)
		case text := <-m.answer:
			delta(text)
			return llm.Answer{Text: begun + text, Thinking: thoughts, FinishReason: "stop"}, nil
		}
	}
}

// What a model thinks apart from its answer is shown while it thinks and above the answer, is not judged, and is in
// the log; a study may keep it from its testers.
func TestThinkingApart(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		model := thinker{make(chan string), make(chan string)}
		d, rig := configured(t, func(c *session.Choice) { c.Rules.HideThinking = hidden }, func(c *engine.Config) { c.Client = model })
		d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("thinking · 6 words · not judged")
		if hidden {
			d.Lacks("First I double")
		} else {
			d.Sees("│ First I double.", "│ Then I *check*.")
		}
		if !hidden {
			model.begin <- "So far.\n\n"
			d.Sees("So far.", "thinking · 6 words · not judged · in full when the answer is complete", "the answer is arriving").Lacks("First I double")
		}
		model.answer <- "So:\n\n```python\ndef double(n):\n    return 2 * n\n```\n"
		d.Sees("tests ✓", "thinking · 6 words · not judged\n", "\n So:\n", "▌     return 2 * n")
		if hidden {
			d.Sees("(the study does not show it)").Lacks("First I double")
		} else {
			d.Sees(" First I double.\n\n Then I *check*.\n")
		}
		if text, err := rig.Engine.Text(rig.Engine.State().Attempt().Answer.Thinking); err != nil || text != thoughts {
			t.Errorf("the log has %q, %v", text, err)
		}
	}
}

// Thinking that an answer holds does not look like the answer: it is folded, and says that it is not judged.
func TestThinkingInTheAnswer(t *testing.T) {
	d, rig := configured(t, asIs, func(*engine.Config) {})
	var thoughts strings.Builder
	for i := range 20 {
		fmt.Fprintf(&thoughts, "thought %d\n\n", i+1)
	}
	rig.Client.Say("<think>\n" + thoughts.String() + "</think>\n\nSo:\n\n```python\ndef double(n):\n    return 2 * n\n```\n")
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("tests ✓", "thinking · 42 words · not judged", " <think>\n thought 1\n",
		"36 more lines: enter unfolds", "\n So:\n", "▌     return 2 * n").Lacks("thought 9")
	d.Press("home", "enter").Sees("thought 8").Press("m").Sees("thinking · 42 words", "   1 ┊ <think>")
}
