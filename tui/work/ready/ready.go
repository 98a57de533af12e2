// Package ready has the rooms between two tasks: a welcome to the study, what comes next, and a pause.
package ready

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
	"assay/tui/work/live"
)

// Room shows what comes next, or that the session is paused.
type Room struct {
	*live.Session
	intro    frame.Window // the text before a task
	counting bool         // the next look at the rest of a break is on its way
}

// Keys returns the keys before a task.
func (m *Room) Keys() []frame.Key {
	keys := []frame.Key{
		{Press: "enter", Does: "open the task", Not: m.notYet, Do: func() tea.Cmd { return m.Intend(live.Step(m.Eng.OpenTask)) }},
		{Press: "↑↓", Also: "k j", Does: "scroll", Run: m.intro.Move, Fit: func(k *frame.Key) {
			if m.intro.Below() == 0 {
				k.Press = ""
			}
		}},
		{Press: "f2", Also: "b", Does: "break", Do: func() tea.Cmd { return m.PauseFor(engine.PauseForBreak) }},
		{Press: "f3", Also: "x", Does: "leave out", Not: m.Unskippable, Do: m.ConfirmSkip},
		{Press: "f6", Also: "u", Does: "correct last rating", Not: m.incorrectable, Do: func() tea.Cmd { return m.Intend(live.Step(m.Eng.Correct)) }},
		{Press: "esc", Also: "q", Does: "home", Do: frame.GoBack}, frame.HelpKey,
	}
	return append(keys, frame.Motions(m.intro.Move)...)
}

func (m *Room) Page() frame.Page {
	next := m.State.Next()
	var b strings.Builder
	if next < 0 {
		return frame.Page{}
	}
	t := m.State.Tasks[next]
	b.WriteString("\n\n   " + m.Theme.Strong.Render(t.Title) + "\n")
	paragraph := func(text string) {
		b.WriteString(frame.Indent(frame.Wrap(text, max(20, m.Size.Width-6)), "   ") + "\n")
	}
	if t.Practice {
		paragraph(m.Theme.Dim.Render("a practice task: try the keys, it is not part of the results"))
	}
	b.WriteString("\n")
	if facts := live.Joined(string(t.Difficulty), t.Type, t.Category); facts != "" {
		b.WriteString("   " + m.Theme.Dim.Render(facts) + "\n\n")
	}
	if text := m.studyWants(t); text != "" {
		paragraph(m.Theme.Warn.Render(text))
		b.WriteString("\n")
	}
	paragraph(fmt.Sprintf("The clock starts when you open the task. You have %s.", frame.Count(m.State.Plan.K, "attempt")))
	b.WriteString("\n")
	paragraph(m.State.Plan.Criterion)
	if m.State.Plan.Model.Recorded {
		b.WriteString("\n")
		paragraph(m.Theme.Warn.Render("Recorded answers") + ": they were written beforehand and do not depend on your prompt. This is a rehearsal, not an evaluation.")
	}
	if why, _ := m.Eng.NotRun(next); why != "" {
		b.WriteString("\n")
		paragraph(m.Theme.Warn.Render("! No tests run here") + ": " + frame.OneLine(why))
	}
	if m.State.Done() == 0 {
		b.WriteString("\n")
		paragraph(m.course())
	}
	shown := m.intro.Of(strings.Split(strings.TrimRight(b.String(), "\n"), "\n"), m.Size.Body().Height-m.TroubleRows())
	return frame.Page{Body: strings.Join(shown, "\n"), Seen: m.intro.Seen(), Status: m.State.Plan.ModelShown()}
}

// incorrectable explains why the last rating cannot be corrected, or is "".
func (m *Room) incorrectable() string {
	switch {
	case m.State.Correctable() >= 0:
		return ""
	case !m.State.Plan.Corrections:
		return "this study keeps ratings as they were committed"
	}
	return "no task was rated just before"
}

// course explains the course of a task before the first one.
func (m *Room) course() string {
	who := m.State.Plan.ModelShown() + " answers"
	switch {
	case m.Pasting():
		who = "you take it to a chat page and bring the answer back"
	case m.State.Plan.Model.Recorded:
		who = "a recorded answer comes"
	}
	if m.State.Plan.K == 1 {
		return "In each task: you write a prompt, " + who + ", its code is run, you judge it, and rate it at the end."
	}
	return "In each task: you write a prompt, " + who + ", its code is run. Then you are satisfied, refine the prompt, or give up; at the end you rate the last answer."
}

// studyWants tells what the study requires before the task.
func (m *Room) studyWants(t session.Task) string {
	if m.State.BreakDue() {
		text := m.Keyed("‖ Time for a break: {f2} begins it.")
		if ms := m.State.Plan.Breaks.MS; ms > 0 {
			text = fmt.Sprintf(m.Keyed("‖ Time for a break of %s: {f2} begins it."), frame.WholeSeconds(time.Duration(ms)*time.Millisecond))
			if taken := m.State.Rested(); taken > 0 {
				text = fmt.Sprintf(m.Keyed("‖ Still to rest: %s. {f2} goes on with the break."), frame.WholeSeconds(time.Duration(ms-taken)*time.Millisecond))
			}
		}
		return text
	}
	switch again, sure := m.State.Repeating(); {
	case again && sure:
		return fmt.Sprintf("✗ The study wants an answer here that passes all tests, and your last one did not. Try it once more: repeat %d of %d.", t.Repeats+1, m.State.Plan.Gate.Repeats)
	case again:
		return "… The study wants an answer here that passes all tests. Those of your last one are still running."
	}
	return ""
}

// notYet explains why the next task cannot be opened, or is "".
func (m *Room) notYet() string {
	if m.State.Next() < 0 {
		return "no task is left"
	}
	if m.State.BreakDue() && m.State.Plan.Breaks.Forced {
		return "the study wants a break first"
	}
	if again, sure := m.State.Repeating(); again && !sure {
		return "the tests of your last answer are still running"
	}
	return ""
}

// WatchBreak counts down while a break is required.
func (m *Room) WatchBreak() tea.Cmd {
	if m.counting || m.Eng.BreakLeft() == 0 {
		return nil
	}
	m.counting = true
	return tea.Tick(time.Second, func(time.Time) tea.Msg {
		return live.ThenMsg(func() tea.Cmd { m.counting = false; return m.WatchBreak() })
	})
}

// Paused is a session that is paused.
type Paused struct {
	*live.Session
	Departure func() frame.Departure
}

func (m *Paused) Keys() []frame.Key {
	return []frame.Key{
		{Press: "enter", Also: "f2 space", Does: "go on", Do: m.ResumeSession}, {Press: "esc", Also: "q", Does: "home", Do: frame.GoBack}, frame.HelpKey,
	}
}

func (m *Paused) Page() frame.Page {
	head := "‖ Paused"
	if m.State.Paused == string(engine.PauseForBreak) {
		head = "‖ Break"
	}
	saved := "Everything is saved."
	switch d := m.Departure(); {
	case d.Saving:
		saved = "… saving"
	case len(d.Lost) > 0:
		saved = m.Theme.Bad.Render("✗ Not saved: "+d.Losses()+".") + " It is saved when you go on and the store takes it."
	}
	body := "\n\n   " + m.Theme.Strong.Render(head) + "\n\n" + frame.Indent(frame.Wrap("The clock stands still. "+saved, max(20, m.Size.Width-6)), "   ") + "\n"
	if left := m.Eng.BreakLeft(); left > 0 {
		body += fmt.Sprintf("   The study wants it to last %s more.\n", frame.WholeSeconds(time.Duration((left+999)/1000)*time.Second))
	}
	if text := m.State.Meanwhile(); text != "" {
		body += "\n" + frame.Indent(frame.Wrap(text, max(20, m.Size.Width-6)), "   ") + "\n"
	}
	return frame.Page{Body: body}
}
