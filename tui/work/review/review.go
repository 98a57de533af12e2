// Package review has the room in which an answer is judged, and tried out with calls of the tester's own.
package review

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/scoring/pairs"
	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
	"assay/tui/work/live"
	"assay/tui/work/viewer"
)

// Room judges an answer.
type Room struct{ *live.Session }

func (m *Room) Page() frame.Page {
	return m.Finding(frame.Page{Body: m.ReviewBody(m.Size.Body()), Seen: m.Seen()}, m.Size.Body())
}

func (m *Room) Keys() []frame.Key {
	if over := m.OverKeys(); over != nil {
		return over
	}
	return m.JudgingKeys()
}

func (m *Room) Typing() bool { return m.Searching() }

func (m *Room) Typed(msg tea.Msg) tea.Cmd { return m.FindTyped(msg) }

func (m *Room) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if m.Busy() {
		return nil
	}
	m.Point(msg, x, y)
	return tea.Batch(m.Active(), m.Render())
}

// JudgingKeys returns the keys while an answer is judged.
func (m *Room) JudgingKeys() []frame.Key {
	judge := func(d session.Decision) func() tea.Cmd {
		return func() tea.Cmd {
			seen := m.SawTests(m.State.Attempt())
			return m.Intend(live.Step(func(ctx context.Context) error { return m.Eng.Judge(ctx, d, seen) }))
		}
	}
	return append([]frame.Key{
		{Press: "y", Does: "satisfied", Do: judge(session.DecideSatisfied), Not: func() string {
			if a := m.State.Attempt(); a != nil && a.Unusable() {
				return "you said that neither answer is usable"
			}
			return ""
		}},
		{Press: "r", Does: "refine", Do: judge(session.DecideRefine), Not: func() string {
			if a := m.State.Attempt(); a != nil && a.N >= m.State.Plan.K {
				return fmt.Sprintf("attempt %d was the last", a.N)
			}
			return ""
		}},
		{Press: "g", Does: "give up", Do: judge(session.DecideGiveUp)},
		m.ViewsKey(), m.takeKey(), m.scratchKey(), m.againKey(),
	}, append(m.ViewKeys(), m.ScrollKey(), frame.Key{Press: "esc", Does: "end the search; how to leave", More: true, Do: frame.Only(func() {
		if !m.FindNothing() {
			m.Notice = m.Keyed("Everything is saved. {f2} pauses, ctrl+c leaves.")
		}
	})})...)
}

// takeKey has another block of the answer judged.
func (m *Room) takeKey() frame.Key {
	return frame.Key{Press: "t", Does: "judge another block", Fit: func(k *frame.Key) {
		if !m.OnTab(viewer.TabAnswer) || m.Size.Width > 0 && len(m.Parts()) < 2 {
			k.Press = ""
		}
	}, Not: m.noOtherBlock, Do: frame.Only(m.askTake)}
}

// noOtherBlock says why no other block can be judged, or is "".
func (m *Room) noOtherBlock() string {
	t, a := m.State.Task(), m.Attempt()
	switch {
	case t == nil || a == nil || m.otherBlock(a) < 0:
		return "the answer has no other block"
	case !m.State.Plan.TakesBlocks(t.Practice):
		return "the study lets nobody choose the code that is judged"
	case a.Extracted == nil || a.Verdict == nil || a.Measured == nil:
		return "the answer is still being judged"
	}
	return ""
}

// otherBlock returns the index of the next block that is not judged, from the first again after the last, or -1.
func (m *Room) otherBlock(a *session.Attempt) int {
	parts := m.Parts()
	n, at := len(parts), -1
	for i := range parts {
		if engine.Judged(a.Extracted, parts, i) {
			at = i
		}
	}
	for i := range n {
		next := (at + 1 + i) % n
		if parts[next].Lines > 0 && !engine.Judged(a.Extracted, parts, next) {
			return next
		}
	}
	return -1
}

// askTake offers to have the next block judged.
func (m *Room) askTake() {
	parts, next := m.Parts(), m.otherBlock(m.Attempt())
	part := parts[next]
	line, _, _ := strings.Cut(strings.TrimLeft(m.Text(m.Attempt().Answer.Answer)[part.Start:part.End], "\r\n"), "\n")
	text := fmt.Sprintf("Judge block %d of %d instead (%s, from %q)? Your choice is recorded, and its verdict replaces this one.",
		next+1, len(parts), frame.Count(part.Lines, "line"), frame.OneLine(strings.TrimSpace(line)))
	m.Confirm(text, "judge it", func() tea.Cmd {
		return m.Intend(live.Record(false, func(ctx context.Context) error { return m.Eng.Take(ctx, next+1) }))
	})
}

// againKey takes a pick back.
func (m *Room) againKey() frame.Key {
	return frame.Key{Press: "u", Does: "compare again", More: true, Fit: func(k *frame.Key) {
		if m.State.Plan.Arena == nil && m.Size.Width > 0 {
			k.Press = ""
		} else if m.State.CanUndo() == 0 {
			k.Why = "the comparison stands once the answer was judged or tried out"
		}
	}, Do: func() tea.Cmd { return m.Intend(live.Step(m.Eng.Undo)) }}
}

// Picked says what follows from a pick.
func Picked(a *session.Attempt) string {
	switch p := a.Picked; {
	case p == nil:
		return ""
	case p.Outcome == pairs.Neither:
		return "Neither is usable: later prompts are sent without this one and its answers. " + strings.ToUpper(string(p.Goes)) + ", drawn from the two, stands here."
	case p.Outcome == pairs.Equal:
		return "Equal: " + strings.ToUpper(string(p.Goes)) + " goes on, drawn from the two."
	default:
		return strings.ToUpper(string(p.Goes)) + " is better, and goes on."
	}
}

// scratchKey runs the code with a call of the tester's own.
func (m *Room) scratchKey() frame.Key {
	return frame.Key{Press: "i", Does: "run a call of your own", More: true, Not: func() string {
		switch a := m.Attempt(); {
		case a == nil || a.Extracted == nil || a.Extracted.Code == "":
			return "there is no code in this answer"
		case m.State.Plan.Sees(a) != session.SeeTests:
			return "the study does not show the tests"
		}
		return ""
	}, Do: func() tea.Cmd {
		what := "Which call shall be run? Its value is shown with the tests, and is no verdict."
		if !m.Task().HasTests() {
			what = "Which call shall be run? Its value is shown with the tests, and is no verdict. A text after < is an input of the program."
		}
		if m.Task().Tests.Style == benchmark.Stdin {
			what = "Which input shall the program get? What it prints is shown with the tests, and is no verdict."
		}
		m.Turn(viewer.TabTests)
		return m.Wants(session.WordsCall, what, "run it", "", "Write a call in one line; esc goes back.", func(text string) (live.Intent, string) {
			return live.Record(false, func(ctx context.Context) error { return m.Eng.Scratch(ctx, text) }), "What comes of it is listed below the tests."
		})
	}}
}
