package work_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// telling is a client that reports the stages it is given, and says the pieces.
type telling struct {
	stages chan llm.Progress
	pieces chan string
	ends   llm.Answer
}

func (c *telling) Stream(ctx context.Context, _ llm.Request, delta func(string)) (llm.Answer, error) {
	var text strings.Builder
	for {
		select {
		case <-ctx.Done():
			return llm.Answer{}, ctx.Err()
		case p := <-c.stages:
			llm.Tell(ctx, p)
		case piece, more := <-c.pieces:
			if !more {
				answer := c.ends
				answer.Text = text.String()
				return answer, nil
			}
			text.WriteString(piece)
			delta(piece)
		}
	}
}

// awaiting is a screen that waits for a client which reports what it does, and the clock of
// its session.
func awaiting(t *testing.T, width, height int, adjust ...func(*session.Choice)) (*tuitest.Driver, *telling, *enginetest.Clock) {
	t.Helper()
	rig, err := enginetest.New(1, adjust...)
	fatal.If(t, err)
	c := &telling{stages: make(chan llm.Progress), pieces: make(chan string), ends: llm.Answer{FinishReason: "stop"}}
	eng := rig.Reopen(t, func(cfg *engine.Config) { cfg.Client = c })
	d := tuitest.Drive(t, work.New(eng, work.Options{}), width, height).Press("enter").Sees("ctrl+s send")
	return d.Press("Double it", "ctrl+s").Sees("esc stop"), c, rig.Clock
}

// A wait shows its time and what the request is doing: before the first words, while the
// client waits to try again, and when the stream stalls.
func TestWaitTellsHowItGoes(t *testing.T) {
	d, c, clock := awaiting(t, 80, 23)
	t.Cleanup(func() { close(c.pieces) })
	d.Sees("0:00  waiting for the first words of scripted")
	c.stages <- llm.Progress{Stage: llm.Connecting, Try: 1, Tries: 4, Silence: 10 * time.Second}
	d.Sees("connecting to scripted")
	c.stages <- llm.Progress{Stage: llm.Retrying, Try: 2, Tries: 4, Why: "429 Too Many Requests", Asked: true, Wait: 8 * time.Second}
	d.Sees("429 Too Many Requests, asked to wait 8 s, try 2 of 4 in 8 s")
	clock.Advance(3000)
	d.Tick().Sees("0:03  429 Too Many Requests, asked to wait 8 s, try 2 of 4 in 5 s")
	c.stages <- llm.Progress{Stage: llm.Asked, Try: 2, Tries: 4, Silence: 5 * time.Minute, Total: 10 * time.Minute}
	d.Sees("waiting for the first words of scripted, try 2 of 4")
	c.pieces <- "Here are the first words"
	d.Sees("Here are the first words", "the answer is arriving · first words after 3.0 s")
	clock.Advance(2000)
	d.Tick().Sees("0:05  the answer is arriving · first words after 3.0 s · about 3 tokens/s")
	clock.Advance(40_000)
	d.Tick().Sees("0:45  nothing for 42 s, given up at 5 min")
	clock.Advance(7*60_000 + 15_000)
	c.pieces <- ", and more"
	d.Sees("first words, and more")
	clock.Advance(60_000) // the limit of the whole request is nearer now
	d.Tick().Sees("9:00  nothing for 60 s, given up at 2 min")
}

// The line of the wait fits the smallest terminal.
func TestWaitOnASmallTerminal(t *testing.T) {
	d, c, _ := awaiting(t, 60, 20)
	t.Cleanup(func() { close(c.pieces) })
	c.stages <- llm.Progress{Stage: llm.Retrying, Try: 2, Tries: 4, Why: "429 Too Many Requests", Asked: true, Wait: 8 * time.Second}
	d.Sees("429 Too Many Requests, try 2 of 4 in 8 s")
}

// A study that hides clocks hides those of the work. That of a wait is the model's.
func TestWaitWithHiddenClock(t *testing.T) {
	d, c, clock := awaiting(t, 80, 24, func(ch *session.Choice) { ch.Clock = session.ClockHidden })
	t.Cleanup(func() { close(c.pieces) })
	clock.Advance(12_000)
	d.Tick().Sees("0:12  nothing for 12 s")
}

// The prompt and the task are read by the keys of the review while the answer streams, and
// stay on the screen when it has arrived.
func TestReadPromptAndTaskWhileWaiting(t *testing.T) {
	d, c, _ := awaiting(t, 80, 23)
	d.Press("5").Sees("Double it", "9 characters").Press("6").Sees("Return twice the number", "esc back to the answer")
	c.pieces <- "Here are the first words"
	d.Press("7").Sees("The reference solution is shown with the answer").Press("2").Sees("There is no answer yet").Press("esc").Sees("Here are the first words", "esc stop").Press("6")
	close(c.pieces)
	d.Sees("y satisfied", "Return twice the number", "The answer is there: 1 shows it").Press("1").Sees("Here are the first words")
}

// Where the screen is wide, the task stands beside the answer that is awaited.
func TestTaskBesideTheAwaitedAnswer(t *testing.T) {
	d, c, _ := awaiting(t, 120, 40)
	c.pieces <- "Here are the first words"
	d.Sees("Here are the first words", "Return twice the number")
	close(c.pieces)
	d.Sees("y satisfied", "tests ✗")
}

// An answer that was stopped before its end says so above it, however long it is and
// wherever the reader is in it.
func TestTruncatedAnswer(t *testing.T) {
	for finish, says := range map[string]string{
		"length": "The answer reached its length limit", "content_filter": "A content filter stopped the answer", "refusal": "The model refused and stopped",
	} {
		d, c, _ := awaiting(t, 80, 23)
		c.ends.FinishReason = finish
		c.pieces <- strings.Repeat("A line of the answer.\n\n", 60)
		close(c.pieces)
		d.Sees("y satisfied", "! "+says).Settled().Sees("! " + says).Press("G").Sees("! " + says).Press("5")
		d.Until("no warning over the prompt", func(screen string) bool { return !strings.Contains(screen, says) })
	}
}

// What had arrived of an answer is kept when the tester stops it or leaves in its midst,
// and can be read on return.
func TestWhatHadArrived(t *testing.T) {
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	open := func() (*tuitest.Driver, *telling) {
		c := &telling{stages: make(chan llm.Progress), pieces: make(chan string)}
		eng := rig.Reopen(t, func(cfg *engine.Config) { cfg.Client = c })
		return tuitest.Drive(t, work.New(eng, work.Options{}), 80, 24), c
	}
	d, c := open()
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("esc stop")
	c.pieces <- "The first half"
	d.Sees("The first half").Press("esc").Sees("You stopped the answer", "what had arrived").Press("tab").Sees("it is not judged", "The first half")
	d.Press("ctrl+s").Sees("esc stop")
	c.pieces <- "Another half"
	d.Sees("Another half").Press("ctrl+c", "y").Ends()
	d, _ = open()
	d.Sees("cut off when assay ended", "what had arrived").Press("tab").Sees("Another half")
}

// An answer that was stopped before its end says so in the browser of results, too.
func TestTruncatedAnswerInResults(t *testing.T) {
	a := &tuitest.Archive{Logs: map[string]*tuitest.Scribe{}, Opened: map[string]int{}}
	s := tuitest.NewScribe()
	s.Begin("S1", "starter", 1)
	s.Add(session.TaskOpened{Index: 0, Task: "task-01"}, session.EditStarted{Attempt: 1},
		session.PromptSent{Attempt: 1, Try: 1, Prompt: s.Text("Please write f."), Bytes: 15},
		session.AnswerReceived{Attempt: 1, Answer: s.Text("Here is half of"), Bytes: 15, FinishReason: "length"})
	a.Keep("S1", s, session.Summary{Status: "open", Benchmark: "starter", Model: "m", Progress: session.Progress{Tasks: 1}})
	d := tuitest.LookAt(t, a, 80, 24).Sees("starter").Press("v").Sees("No task has a result yet").Press("enter").Sees("all tasks").Press("enter").Sees("attempt  judged")
	d.Press("enter").Sees("Here is half of", "! The answer reached its length limit: its end is missing.")
}

// The time of a wait goes on by itself, also after another screen lay over it.
func TestWaitTimeGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _, clock := awaiting(t, 80, 24)
		clock.Advance(2000)
		d.Sees("0:02  waiting")
		d.Send(frame.OpenMsg{Screen: home.New(&tuitest.Shelf{}, tuitest.Noon)})
		d.During(3 * time.Second) // its ticks go to the other screen
		d.Send(frame.BackMsg{})
		d.During(10 * time.Millisecond)
		if count := d.During(time.Minute); count["wait.Tick"] < 59 || count["wait.Tick"] > 61 {
			t.Errorf("in a minute the time was drawn anew %v", count)
		}
		d.Leaves()
	})
}
