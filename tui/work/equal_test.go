package work_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/llm"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// An answer that equals an earlier one is on the screen like any other: in the next
// attempt, in the next task, and whichever way it came.
func TestEqualAnswers(t *testing.T) {
	const answer = "The same words.\n\n" + tuitest.RightAnswer
	all := func(d *tuitest.Driver) *tuitest.Driver {
		t.Helper()
		return d.Sees("The same words.", "return 2 * n", "y satisfied", "tests ✓").Settled()
	}
	clipboard := llm.NewPaste("paste")
	for _, tc := range []struct {
		name   string
		begin  func(t *testing.T) *tuitest.Driver
		answer func(d *tuitest.Driver)
	}{
		{"at once", func(t *testing.T) *tuitest.Driver {
			d, _ := tuitest.AnsweredBy(t, tuitest.Model(func(context.Context, func(string)) (string, error) { return answer, nil }), work.Options{})
			return d
		}, func(d *tuitest.Driver) { d.Press("x", "ctrl+s") }},
		{"in one piece", func(t *testing.T) *tuitest.Driver {
			d, _ := tuitest.AnsweredBy(t, tuitest.Model(func(_ context.Context, delta func(string)) (string, error) {
				delta(answer)
				return answer, nil
			}), work.Options{})
			return d
		}, func(d *tuitest.Driver) { d.Press("x", "ctrl+s") }},
		{"pasted", func(t *testing.T) *tuitest.Driver {
			d, _ := tuitest.AnsweredBy(t, clipboard, work.Options{}, func(c *session.Choice) {
				c.Model = session.Model{Name: "paste", Provider: "paste"}
			})
			return d
		}, func(d *tuitest.Driver) {
			d.Press("x", "ctrl+s").Sees("Take the prompt to your chat page")
			d.Send(tea.PasteMsg{Content: answer})
			for !clipboard.Waiting() {
				runtime.Gosched()
			}
			d.Press("ctrl+s")
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := tc.begin(t)
			for attempt := 1; attempt < 4; attempt++ {
				if attempt > 1 {
					d.Press("r").Sees("your next message", fmt.Sprintf("attempt %d of ", attempt))
				}
				tc.answer(d)
				all(d.Sees(fmt.Sprintf("attempt %d of ", attempt), "y satisfied"))
			}
			all(d.Press("r").Sees("your next message").Press("f6")) // back to the answer …
			d.Press("r").Sees("your next message")                  // … and forth
			tc.answer(d)
			all(d)
			d.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
			all(d)
			d.Press("y").Sees("9 to go")
			tuitest.Rate(d).Sees("task 2 of 3").Press("enter").Sees("your prompt")
			tc.answer(d)
			all(d)
		})
	}
}

// The window may change, in size or in colours, while an answer streams: all that came
// stays on the screen, also when the answer is one that was there before.
func TestEqualStreamResized(t *testing.T) {
	said := make(chan string)
	d, _ := tuitest.AnsweredBy(t, tuitest.Model(func(ctx context.Context, delta func(string)) (string, error) {
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
		d.Press("x", "ctrl+s").Sees("waiting for the first words")
		said <- "The first words.\n\n"
		d.Sees("The first words.")
		d.Send(tea.WindowSizeMsg{Width: 100, Height: 30})
		d.Sees("The first words.")
		d.App.SetColor(attempt == 1)
		d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.Sees("The first words.")
		said <- tuitest.RightAnswer
		said <- ""
		d.Sees("The first words.", "return 2 * n", "y satisfied", "tests ✓").Settled()
		d.Press("r").Sees("your next message")
	}
}
