package tui_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/llm"
	"assay/tui/work"
)

// An answer that equals an earlier one is on the screen like any other: in the next
// attempt, in the next task, and whichever way it came.
func TestEqualAnswers(t *testing.T) {
	const answer = "The same words.\n\n" + rightAnswer
	all := func(d *driver) *driver {
		t.Helper()
		return d.sees("The same words.", "return 2 * n", "y satisfied", "tests ✓").settled()
	}
	clipboard := llm.NewPaste("paste")
	for _, tc := range []struct {
		name   string
		begin  func(t *testing.T) *driver
		answer func(d *driver)
	}{
		{"at once", func(t *testing.T) *driver {
			d, _ := answeredBy(t, model(func(context.Context, func(string)) (string, error) { return answer, nil }), work.Options{})
			return d
		}, func(d *driver) { d.press("x", "ctrl+s") }},
		{"in one piece", func(t *testing.T) *driver {
			d, _ := answeredBy(t, model(func(_ context.Context, delta func(string)) (string, error) {
				delta(answer)
				return answer, nil
			}), work.Options{})
			return d
		}, func(d *driver) { d.press("x", "ctrl+s") }},
		{"pasted", func(t *testing.T) *driver {
			d, _ := answeredBy(t, clipboard, work.Options{}, func(c *session.Choice) {
				c.Model = session.Model{Name: "paste", Provider: "paste"}
			})
			return d
		}, func(d *driver) {
			d.press("x", "ctrl+s").sees("Take the prompt to your chat page")
			d.send(tea.PasteMsg{Content: answer})
			for !clipboard.Waiting() {
				runtime.Gosched()
			}
			d.press("ctrl+s")
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := tc.begin(t)
			for attempt := 1; attempt < 4; attempt++ {
				if attempt > 1 {
					d.press("r").sees("your next message", fmt.Sprintf("attempt %d/", attempt))
				}
				tc.answer(d)
				all(d.sees(fmt.Sprintf("attempt %d/", attempt), "y satisfied"))
			}
			all(d.press("r").sees("your next message").press("f6")) // back to the answer …
			d.press("r").sees("your next message")                  // … and forth
			tc.answer(d)
			all(d)
			d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
			all(d)
			d.press("y").sees("9 to go")
			rate(d).sees("task 2 of 3").press("enter").sees("your prompt")
			tc.answer(d)
			all(d)
		})
	}
}

// The window may change, in size or in colours, while an answer streams: all that came
// stays on the screen, also when the answer is one that was there before.
func TestEqualStreamResized(t *testing.T) {
	said := make(chan string)
	d, _ := answeredBy(t, model(func(ctx context.Context, delta func(string)) (string, error) {
		whole := ""
		for {
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case piece := <-said:
				if piece == "" {
					return whole, nil
				}
				whole += piece
				delta(piece)
			}
		}
	}), work.Options{})
	for attempt := 1; attempt < 3; attempt++ {
		d.press("x", "ctrl+s").sees("waiting for the first words")
		said <- "The first words.\n\n"
		d.sees("The first words.")
		d.send(tea.WindowSizeMsg{Width: 100, Height: 30})
		d.sees("The first words.")
		d.App.SetColor(attempt == 1)
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.sees("The first words.")
		said <- rightAnswer
		said <- ""
		d.sees("The first words.", "return 2 * n", "y satisfied", "tests ✓").settled()
		d.press("r").sees("your next message")
	}
}
