package work

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// Between two tasks: ready for the next one, or pausing.

func (m *Model) readyKey(msg tea.KeyPressMsg) tea.Cmd {
	if m.welcoming() {
		return m.welcomeKey(msg)
	}
	switch msg.String() {
	case "enter":
		return m.intend("open", m.eng.OpenTask)
	case "b":
		return m.intend("pause", func(ctx context.Context) error { return m.eng.Pause(ctx, "break") })
	case "x":
		m.confirmSkip()
	case "esc", "q":
		return frame.Back
	}
	return nil
}

// confirmSkip asks before a task is left out.
func (m *Model) confirmSkip() {
	m.ask = &question{
		text: "Leave this task out? It will have no result, and this cannot be undone.",
		yes:  "leave it out",
		do: func() tea.Cmd {
			return m.intend("skip", func(ctx context.Context) error { return m.eng.Skip(ctx, "by the tester") })
		},
	}
}

func (m *Model) readyPage() frame.Page {
	if m.welcoming() {
		return m.welcomePage()
	}
	next := m.state.Next()
	var b strings.Builder
	if next < 0 {
		return frame.Page{Keys: []frame.Key{{Press: "esc", Does: "home"}}}
	}
	t := m.state.Tasks[next]
	b.WriteString("\n\n   " + m.theme.Strong.Render(t.Title) + "\n")
	if t.Practice {
		b.WriteString("   " + m.theme.Dim.Render("a practice task: try the keys, it is not part of the results") + "\n")
	}
	b.WriteString("\n")
	facts := []string{}
	for _, f := range []string{string(t.Difficulty), t.Type, t.Category} {
		if f != "" {
			facts = append(facts, f)
		}
	}
	if len(facts) > 0 {
		b.WriteString("   " + m.theme.Dim.Render(strings.Join(facts, " · ")) + "\n\n")
	}
	paragraph := func(text string) {
		b.WriteString(frame.Indent(frame.Wrap(text, max(20, m.size.Width-6)), "   ") + "\n")
	}
	paragraph(fmt.Sprintf("The clock starts when you open the task. You have %s.", count(m.state.Plan.K, "attempt")))
	b.WriteString("\n")
	paragraph(m.state.Plan.Criterion)
	if m.state.Plan.Model.Recorded {
		b.WriteString("\n")
		paragraph(m.theme.Warn.Render("Recorded answers") + ": they were written beforehand and do not depend on your prompt. This is a rehearsal, not an evaluation.")
	}
	if done := m.state.Done(); done > 0 {
		b.WriteString("\n   " + m.theme.Dim.Render(fmt.Sprintf("%s done, %d to go", count(done, "task"), len(m.state.Tasks)-done)) + "\n")
	}
	return frame.Page{
		Body: b.String(),
		Keys: []frame.Key{
			{Press: "enter", Does: "open the task"}, {Press: "b", Does: "break"},
			{Press: "x", Does: "leave out"}, {Press: "esc", Does: "home"}, frame.HelpKey,
			{Press: "f2", Does: "pause", More: true},
		},
		Status: m.state.Plan.ModelShown(),
	}
}

func (m *Model) pausedKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter", "f2", "space":
		return m.intend("resume", m.eng.Resume)
	case "esc", "q":
		return frame.Back
	}
	return nil
}

func (m *Model) pausedPage() frame.Page {
	head := "‖ Paused"
	if m.state.Paused == "break" {
		head = "‖ Break"
	}
	body := "\n\n   " + m.theme.Strong.Render(head) + "\n\n   The clock stands still. Everything is saved.\n"
	if m.state.Phase == session.Wait {
		body += "   The model goes on answering.\n"
	}
	return frame.Page{
		Body: body,
		Keys: []frame.Key{{Press: "enter", Does: "go on"}, {Press: "esc", Does: "home"}, frame.HelpKey},
	}
}
