package work

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// While an answer is awaited that the tester fetches from a chat page and pastes.

func (m *Model) pasteKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+s":
		text := m.compose.area.Value()
		if strings.TrimSpace(text) == "" {
			m.notice = "Nothing is pasted yet. An answer that is really empty: write (empty)."
			return nil
		}
		if err := m.eng.Pasted(text); err != nil {
			m.trouble = err.Error()
		}
		return nil
	case "tab":
		return m.showAbove(m.nextAbove())
	case "f5", "f4", "ctrl+pgdown", "ctrl+pgup":
		m.scrollAbove(msg.Keystroke())
		return nil
	case "ctrl+y":
		m.notice = "The prompt was sent to the clipboard."
		return m.opts.Copy(m.text(m.state.Attempt().Sent.Asked()))
	case "esc":
		if m.compose.area.Selecting() {
			m.compose.area.Deselect()
			return nil
		}
		if strings.TrimSpace(m.compose.area.Value()) == "" {
			m.eng.Stop()
			return nil
		}
		m.ask = &question{text: "Go back to the prompt? The answer that stands here is dropped.", yes: "go back", do: func() tea.Cmd {
			return m.intend(m.savesDraft(func(ctx context.Context) error {
				defer m.eng.Stop()
				return m.eng.Draft(ctx, session.WordsAnswer, "")
			}))
		}}
		return nil
	}
	return m.editKey(msg)
}

func (m *Model) pastePage() frame.Page {
	other := "prompt"
	if m.compose.above == abovePrompt {
		other = "task"
	}
	return m.writePage(frame.Page{
		Keys: append([]frame.Key{
			{Press: "ctrl+y", Does: "copy prompt"}, {Press: "ctrl+s", Does: "hand in"}, {Press: "tab", Does: other},
			{Press: "esc", Does: "back to the prompt"}, frame.HelpKeyTyping, {Press: "f2", Does: "pause", More: true},
			{Press: "f4 f5", Does: "scroll what stands above", More: true},
		}, editingKeys()...),
		Status: m.attemptStatus(),
	}, "the answer", m.selectedLabel())
}

// promptToTake is the prompt with what to do with it. It can be read, since not every
// terminal passes on what is copied.
func (m *Model) promptToTake(width int) string {
	return " " + m.theme.Strong.Render("Take the prompt to your chat page; paste its answer here.") + "\n" +
		frame.Indent(frame.Wrap(m.keyed("{ctrl+y} copies the prompt. Give it to the model as it is, then paste the whole answer, text and code."), width-2), " ") + "\n\n" +
		frame.Indent(frame.Wrap(frame.Plain(m.text(m.state.Attempt().Sent.Asked())), width-4), "   ")
}
