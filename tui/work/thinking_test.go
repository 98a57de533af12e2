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

// Thinking at the head of an answer is shown as thinking while it streams, stays when the answer is stopped, and is on no
// screen of a study that hides it.
func TestThinkingStreams(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		for _, marks := range [][2]string{{"<think>", "</think>"}, {"[THINK]", "[/THINK]"}, {"◁think▷", "◁/think▷"}} {
			model := thinker{make(chan string), make(chan string)}
			d, rig := configured(t, func(c *session.Choice) { c.Rules.HideThinking = hidden }, func(c *engine.Config) { c.Client = silent{model} })
			see := func(text string) {
				if hidden {
					d.Lacks("secret")
					return
				}
				d.Sees(text)
			}
			d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("waiting for the first words")
			model.begin <- marks[0] + "\nA secret thought.\n"
			d.Sees("thinking · 4 words · not judged")
			see("A secret thought.")
			model.begin <- marks[1] + "\n\nSo far.\n\n"
			d.Sees("So far.", "thinking · 5 words · not judged · in full when", "the answer is arriving").Lacks("secret")
			d.Press("esc").Sees("You stopped the answer").Press("tab").Sees("So far.")
			see("A secret thought.")
			d.Press("ctrl+s").Sees("waiting for the first words")
			model.answer <- marks[0] + "\nA secret thought.\n" + marks[1] + "\n\n```python\ndef double(n):\n    return 3 * n\n```\n"
			d.Sees("tests ✓", "▌     return 3 * n")
			see("A secret thought.")
			d.Press("r").Sees("your next message").Press("tab").Sees("return 3 * n")
			see("A secret thought.")
			if text, err := rig.Engine.Text(rig.Engine.State().Tasks[0].Attempts[0].Answer.Answer); err != nil || !strings.Contains(text, "secret") {
				t.Errorf("the log has %q, %v", text, err)
			}
		}
	}
}

// silent is a thinker that does not think apart.
type silent struct{ thinker }

func (m silent) Stream(ctx context.Context, _ llm.Request, delta func(string)) (llm.Answer, error) {
	for said := ""; ; {
		select {
		case <-ctx.Done():
			return llm.Answer{}, ctx.Err()
		case piece := <-m.begin:
			said += piece
			delta(piece)
		case piece := <-m.answer:
			delta(piece)
			return llm.Answer{Text: said + piece, FinishReason: "stop"}, nil
		}
	}
}
