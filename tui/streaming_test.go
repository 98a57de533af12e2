package tui_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/tui/work"
)

// speaker is a model that says piece by piece what a test wants, and ends when it is
// told to.
type speaker struct {
	pieces chan string
	once   sync.Once
}

func (s *speaker) say(piece string) { s.pieces <- piece }
func (s *speaker) end()             { s.once.Do(func() { close(s.pieces) }) }

func (s *speaker) Stream(ctx context.Context, _ llm.Request, delta func(string)) (llm.Answer, error) {
	var whole strings.Builder
	for {
		select {
		case <-ctx.Done():
			return llm.Answer{}, ctx.Err()
		case piece, more := <-s.pieces:
			if !more {
				return llm.Answer{Text: whole.String(), FinishReason: "stop"}, nil
			}
			whole.WriteString(piece)
			delta(piece)
		}
	}
}

// streaming is a screen that waits for the first words of a speaker.
func streaming(t *testing.T) (*driver, *speaker) {
	t.Helper()
	rig, err := enginetest.New(1)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := rig.Engine.Close(ctx); err != nil {
		t.Fatal(err)
	}
	s := &speaker{pieces: make(chan string)}
	cfg := rig.Config()
	cfg.Client = s
	eng, err := engine.Reopen(ctx, cfg, rig.ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = eng.Close(ctx) })
	d := drive(t, work.New(eng, work.Options{}), 80, 24).press("enter").sees("your prompt")
	return d.press("x", "ctrl+s").sees("waiting for the first words").settled(), s
}

// An answer is followed while it streams; scrolling up keeps what is seen until the end
// key follows again, and when the answer is whole, the same text is at the top.
func TestReadWhileItStreams(t *testing.T) {
	d, s := streaming(t)
	piece := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "Step %d is **simple**.\n\n", i)
		}
		return b.String()
	}
	s.say(piece(0, 40))
	d.sees("Step 39 is").press("up", "up", "up", "up").sees("↓ more")
	top := d.screen()
	s.say(piece(40, 80) + "```python\ndef double(n):\n    return 2 * ")
	d.send(tea.FocusMsg{}) // whatever is drawn next shows what has come
	d.until("the same text", func(screen string) bool { return screen == top })
	d.press("end").sees("def double(n):", "return 2 *")
	for _, judge := range []string{"y", "r", "g"} { // what is asked for cannot be done yet, and says why
		d.press(judge).sees("not now: the answer is still arriving").press("end").lacks("not now")
	}
	s.say("n\n```\n\n" + piece(80, 120))
	d.sees("Step 119 is").press("home").sees("Step 0 is").press("space").sees("Step 10 is").press("down", "ctrl+d", "ctrl+u", "G").sees("Step 119 is")
	for i := 0; i < 300 && !strings.Contains(d.row(0), "Step 60 "); i++ {
		d.press("up")
	}
	before := strings.TrimSpace(d.row(0))
	s.end()
	d.sees("y satisfied", "tests ✓").settled()
	if after := strings.TrimSpace(d.row(0)); !strings.HasPrefix(before, "Step 60 ") || !strings.HasPrefix(after, "Step 60 ") {
		t.Errorf("%q was at the top, and now %q is", before, after)
	}
}

// An answer that comes in one piece is read from its first row: nobody has read along.
func TestAnswerAtOnce(t *testing.T) {
	d, s := streaming(t)
	s.say("The first words.\n\n" + strings.Repeat("A line.\n\n", 60) + "The last one.\n")
	s.end()
	d.sees("y satisfied", "The first words.").settled().sees("The first words.")
}

// The wheel scrolls an answer that streams, and a click does nothing to it.
func TestWheelWhileItStreams(t *testing.T) {
	d, s := streaming(t)
	d.use("mouse = true")
	t.Cleanup(s.end)
	s.say(strings.Repeat("A line.\n\n", 60) + "The last one.\n")
	d.sees("The last one.")
	d.send(tea.MouseWheelMsg{X: 4, Y: 4, Button: tea.MouseWheelUp})
	d.until("no end", func(screen string) bool { return !strings.Contains(screen, "The last one.") })
	d.send(tea.MouseClickMsg{X: 12, Y: 0, Button: tea.MouseLeft})
	d.send(tea.MouseWheelMsg{X: 4, Y: 4, Button: tea.MouseWheelDown})
	d.sees("The last one.", "esc stop")
}
