package tuitest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/session/report/sessions"
	"assay/session/trajectory"
	"assay/tui/frame"
	"assay/tui/results"
	"assay/tui/work"
	"assay/tui/work/viewer"
)

// Model is a client that answers by a function.
type Model func(ctx context.Context, delta func(string)) (string, error)

func (f Model) Stream(ctx context.Context, _ llm.Request, delta func(string)) (llm.Answer, error) {
	text, err := f(ctx, delta)
	return llm.Answer{Text: text, FinishReason: "stop"}, err
}

// Agent is the resolving answer of an agent that took so many steps, each with one use of a tool.
func Agent(steps int) llm.Answer {
	a := llm.Answer{Text: enginetest.ResolvingDiff, Transcript: "no event: {\x1b[2J\n", FinishReason: "stop"}
	for i := range steps {
		a.Steps = append(a.Steps, trajectory.Step{Text: fmt.Sprintf("I try number %d.", i+1), InputTokens: 1000 + i, OutputTokens: 10,
			Calls: []trajectory.Call{{Tool: []string{"bash", "read"}[i%2], Input: fmt.Sprintf("ls %d", i+1), Output: strings.Repeat("a\x1b[2Jb\n", 1+i%30)}}})
	}
	return a
}

// AnsweredBy returns a session that the model answers, on the screen of its first prompt.
func AnsweredBy(t testing.TB, client llm.Client, opts work.Options, adjust ...func(*session.Choice)) (*Driver, *engine.Engine) {
	t.Helper()
	rig, err := enginetest.New(3, adjust...)
	fatal.If(t, err)
	eng := rig.Reopen(t, func(cfg *engine.Config) { cfg.Client = client })
	return Drive(t, work.New(eng, opts), 80, 24).Sees("enter open").Press("enter").Sees("your prompt"), eng
}

// Refined returns a session at its second prompt; the first was "Double it, quickly.".
func Refined(t *testing.T, adjust ...func(*session.Choice)) (*Driver, *enginetest.Rig) {
	t.Helper()
	d, rig := Begin(t, 2, adjust...)
	rig.Client.Say(WrongAnswer)
	d.Press("enter").Sees("your prompt").Press("Double it, quickly.", "ctrl+s").Sees("tests ✗ 2/3").Press("r").Sees("your next")
	return d, rig
}

// Reviewing returns the first answer of a session, with its verdict.
func Reviewing(t *testing.T, answer string) *Driver {
	t.Helper()
	d, rig := Begin(t, 3, func(c *session.Choice) { c.K = 3 })
	rig.Client.Say(answer)
	d.Press("enter").Sees("your prompt").Press("Write it.", "ctrl+s").Sees("y satisfied")
	return d.Until("the verdict", func(screen string) bool {
		return strings.Contains(screen, "tests ✓") || strings.Contains(screen, "tests ✗")
	}).Settled()
}

// LongAnswer has numbered lines of prose and of code, more of each than a screen shows.
func LongAnswer(lines int) string {
	var b strings.Builder
	b.WriteString("# Plan\n\n")
	for i := range lines {
		fmt.Fprintf(&b, "- point %d of the **needle** plan\n", i+1)
	}
	b.WriteString("\n```python\ndef double(n):\n")
	for i := range lines {
		fmt.Fprintf(&b, "    step_%d = n  # needle\n", i+1)
	}
	b.WriteString("    return 2 * n\n```\n\nThat is all.\n")
	return b.String()
}

// Reading returns the first answer of a session, rendered, with its verdict.
func Reading(t *testing.T, opts work.Options, answers ...string) (*Driver, *enginetest.Rig) {
	t.Helper()
	rig, err := enginetest.New(1, func(c *session.Choice) { c.K = 5 })
	fatal.If(t, err)
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	if opts.Copy == nil {
		opts.Copy = func(string) tea.Cmd { return nil }
	}
	d := Drive(t, work.New(rig.Engine, opts), 80, 24).Press("enter").Sees("your prompt")
	for i, answer := range answers {
		if i > 0 {
			d.Press("r").Sees("your next message")
		}
		rig.Client.Say(answer)
		d.Press("x", "ctrl+s").Sees("satisfied", "/3", fmt.Sprintf("attempt %d of 5", i+1))
	}
	return d.Settled(), rig
}

// Version is one of three answers whose code differs in a word, then in lines.
func Version(n int) string {
	var b strings.Builder
	b.WriteString("```python\ndef double(n):\n")
	for i := range 30 {
		fmt.Fprintf(&b, "    step_%d = n\n", i)
		if i == 3 && n > 1 {
			b.WriteString("    extra = 1\n")
		}
	}
	fmt.Fprintf(&b, "    return 2 * n + %d\n```\n", n)
	return b.String()
}

const PaintingAnswer = "```python\ndef double(n):\n    paint(), savefig('plot.png')\n    return 2 * n\n```\n"

// Ruled starts a session with the rules of a study on the screen.
func Ruled(t *testing.T, tasks int, adjust func(*session.Choice)) (*Driver, *enginetest.Rig) {
	t.Helper()
	rig, err := enginetest.New(tasks, adjust)
	fatal.If(t, err)
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	return Drive(t, work.New(rig.Engine, work.Options{Editor: "nano"}), 80, 24), rig
}

// Solve works on the task that is offered until it is judged.
func Solve(d *Driver, rig *enginetest.Rig, answer string) *Driver {
	d.T.Helper()
	rig.Client.Say(answer)
	d.Sees("enter open the task").Press("enter").Sees("your prompt").Press("Double it").Press("ctrl+s").Sees("y satisfied")
	tests := "3/3"
	if answer == WrongAnswer {
		tests = "2/3"
	}
	return d.Sees(tests).Press("y").Sees("Rate the final answer")
}

// Rate fills the standard form in.
func Rate(d *Driver) *Driver { return d.Press("54321234", "y").Sees("complete").Press("enter") }

const (
	RightAnswer    = "Here it is:\n\n```python\ndef double(n):\n    return 2 * n\n```\n\nIt multiplies the number by **two**.\n"
	PlottingAnswer = "```python\ndef double(n):\n    savefig('plot.png')\n    return 2 * n\n```\n"
	WrongAnswer    = "Try this:\n\n```python\ndef double(n):\n    return n  # wrong\n```\n"
)

// Begin starts a session on the screen, at its first task's ready page.
func Begin(t testing.TB, tasks int, adjust ...func(*session.Choice)) (*Driver, *enginetest.Rig) {
	t.Helper()
	rig, err := enginetest.New(tasks, adjust...)
	fatal.If(t, err)
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	d := Drive(t, work.New(rig.Engine, work.Options{Editor: "nano",
		Report: func(context.Context, string) (string, error) { return "reports/one.md", nil },
		Results: func(_ context.Context, id string) (*sessions.Report, error) {
			events, err := rig.Store.Events(id, 1)
			if err != nil {
				return nil, err
			}
			return sessions.Build(events)
		},
		Look: func(context.Context, string) (frame.Screen, error) {
			return results.NewTasks(results.Options{Library: Study()}, "S1"), nil
		},
		Options: viewer.Options{SaveOutputs: func(_ context.Context, id, task string, attempt int, files []verdicts.OutputFile) (string, error) {
			if attempt > 1 {
				return "", errors.New("the disk is full; make room, and press o again")
			}
			return fmt.Sprintf("outputs/%s/%s-%d with %d and %d bytes", id, task, attempt, len(files[0].Data), len(files[1].Data)), nil
		}},
	}), 80, 24)
	return d.Sees("enter open the task"), rig
}

// Begun is a library that remembers what was begun.
type Begun struct {
	Shelf
	Choice session.Choice
}

func (b *Begun) Begin(ctx context.Context, c session.Choice) (*engine.Engine, error) {
	b.Choice = c
	return b.Shelf.Begin(ctx, c)
}

// Speaker is a model that says piece by piece what a test wants, and ends when it is
// told to.
type Speaker struct {
	pieces chan string
	once   sync.Once
}

func (s *Speaker) Say(piece string) { s.pieces <- piece }

func (s *Speaker) End() { s.once.Do(func() { close(s.pieces) }) }

func (s *Speaker) Stream(ctx context.Context, _ llm.Request, delta func(string)) (llm.Answer, error) {
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

// Streaming returns a screen that waits for the first words of a speaker.
func Streaming(t *testing.T) (*Driver, *Speaker) {
	t.Helper()
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	s := &Speaker{pieces: make(chan string)}
	eng := rig.Reopen(t, func(cfg *engine.Config) { cfg.Client = s })
	d := Drive(t, work.New(eng, work.Options{Editor: "nano"}), 80, 24).Press("enter").Sees("your prompt")
	return d.Press("x", "ctrl+s").Sees("waiting for the first words").Settled(), s
}

// InStudy starts a session of a study on the screen.
func InStudy(t *testing.T, in session.InStudy, tests session.TestsSeen) (*Driver, *enginetest.Rig) {
	t.Helper()
	rig, err := enginetest.New(1, func(c *session.Choice) { c.Study, c.Tests = &in, tests })
	fatal.If(t, err)
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	return Drive(t, work.New(rig.Engine, work.Options{Editor: "nano"}), 80, 24), rig
}

// Shopping starts a session of tasks that are repositories, and asks for each answer in an attempt of its own.
func Shopping(t *testing.T, adjust func(*session.Choice), answers ...string) (*Driver, *enginetest.Rig) {
	t.Helper()
	d, rig := Begin(t, 2, func(c *session.Choice) {
		c.Benchmark, c.K = enginetest.Repositories(2), 5
		if adjust != nil {
			adjust(c)
		}
	})
	d.Press("enter").Sees("your prompt")
	for i, answer := range answers {
		if i > 0 {
			d.Press("r").Sees("your next message")
		}
		rig.Client.Say(answer)
		d.Press("Correct it.", "ctrl+s").Sees("satisfied", fmt.Sprintf("attempt %d of 5", i+1)).Until("the verdict", func(screen string) bool {
			return !strings.Contains(screen, "– none") && !strings.Contains(screen, "running")
		})
	}
	return d, rig
}
