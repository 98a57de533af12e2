package work_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/tui/tuitest"
)

// An answer stays at its beginning while it streams, until the end key follows it; scrolling up keeps what is seen, and
// when the answer is whole, the same text is at the top.
func TestReadWhileItStreams(t *testing.T) {
	d, s := tuitest.Streaming(t)
	piece := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "Step %d is **simple**.\n\n", i)
		}
		return b.String()
	}
	s.Say(piece(0, 40))
	d.Sees("Step 0 is", "↓ more").Press("end").Sees("Step 39 is").Press("up", "up", "up", "up").Sees("↓ more")
	top := d.Screen()
	s.Say(piece(40, 80) + "```python\ndef double(n):\n    return 2 * ")
	d.Send(tea.FocusMsg{}) // whatever is drawn next shows what has come
	d.Until("the same text", func(screen string) bool { return screen == top })
	d.Press("end").Sees("def double(n):", "return 2 *")
	for _, judge := range []string{"y", "r", "g"} { // what is asked for cannot be done yet, and says why
		d.Press(judge).Sees("not now: the answer is still arriving").Press("end").Lacks("not now")
	}
	s.Say("n\n```\n\n" + piece(80, 120))
	d.Sees("Step 119 is").Press("home").Sees("Step 0 is").Press("space").Sees("Step 10 is").Press("down", "ctrl+d", "ctrl+u", "G").Sees("Step 119 is")
	for i := 0; i < 300 && !strings.Contains(d.Row(0), "Step 60 "); i++ {
		d.Press("up")
	}
	before := strings.TrimSpace(d.Row(0))
	s.End()
	d.Sees("y satisfied", "tests ✓").Settled()
	if after := strings.TrimSpace(d.Row(0)); !strings.HasPrefix(before, "Step 60 ") || !strings.HasPrefix(after, "Step 60 ") {
		t.Errorf("%q was at the top, and now %q is", before, after)
	}
}

// An answer is read from its first row: nothing moves that the reader did not move.
func TestAnswerFromItsBeginning(t *testing.T) {
	d, s := tuitest.Streaming(t)
	s.Say("The first words.\n\n" + strings.Repeat("A line.\n\n", 60))
	d.Sees("The first words.", "↓ more")
	s.Say("The last one.\n")
	s.End()
	d.Sees("y satisfied", "The first words.").Settled().Sees("The first words.")
}

// The wheel scrolls an answer that streams, and a click does nothing to it.
func TestWheelWhileItStreams(t *testing.T) {
	d, s := tuitest.Streaming(t)
	d.Use("mouse = true")
	t.Cleanup(s.End)
	s.Say(strings.Repeat("A line.\n\n", 60) + "The last one.\n")
	d.Sees("A line.").Press("end").Sees("The last one.")
	d.Send(tea.MouseWheelMsg{X: 4, Y: 4, Button: tea.MouseWheelUp})
	d.Until("no end", func(screen string) bool { return !strings.Contains(screen, "The last one.") })
	d.Send(tea.MouseClickMsg{X: 12, Y: 0, Button: tea.MouseLeft})
	d.Send(tea.MouseWheelMsg{X: 4, Y: 4, Button: tea.MouseWheelDown})
	d.Sees("The last one.", "esc stop")
}
