package work

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// The view while the tester fetches an answer from a chat page and pastes it.

// pasteKeys returns the keys while an answer is pasted.
func (m *Model) pasteKeys() []frame.Key {
	return append([]frame.Key{
		{Press: "ctrl+y", Does: "copy prompt", Do: func() tea.Cmd {
			m.Notice = "The prompt was sent to the clipboard."
			return m.opts.Copy(m.Text(m.State.Attempt().Sent.Asked()))
		}},
		{Press: "ctrl+s", Does: "hand in", Do: m.handInPasted},
		{Press: "tab", Does: "prompt", Do: m.turnAbove, Fit: func(k *frame.Key) {
			if m.compose.above == abovePrompt {
				k.Does = "task"
			}
		}},
		{Press: "esc", Does: "back to the prompt", Do: m.dropPasted}, frame.HelpKey, {Press: "f2", Does: "pause", More: true, Do: m.pauseKey().Do},
		{Press: "f4 f5", Does: "scroll what stands above", More: true, Run: m.scrollAbove},
	}, m.editingKeys()...)
}

func (m *Model) handInPasted() tea.Cmd {
	text := m.compose.area.Value()
	if strings.TrimSpace(text) == "" {
		m.Notice = "Nothing is pasted yet. An answer that is really empty: write (empty)."
	} else if err := m.eng.Pasted(text); err != nil {
		m.Trouble = err.Error()
	}
	return nil
}

// dropPasted goes back to the prompt. If something is pasted, it asks first.
func (m *Model) dropPasted() tea.Cmd {
	switch {
	case m.compose.area.Selecting():
		m.compose.area.Deselect()
	case strings.TrimSpace(m.compose.area.Value()) == "":
		m.eng.Stop()
	default:
		m.ask = &question{text: "Go back to the prompt? The answer that stands here is dropped.", yes: "go back", do: func() tea.Cmd {
			return m.intend(m.savesDraft(func(ctx context.Context) error {
				defer m.eng.Stop()
				return m.eng.Draft(ctx, session.WordsAnswer, "")
			}))
		}}
	}
	return nil
}

// promptToTake shows the prompt with instructions. The prompt is shown in full, since not every
// terminal passes on copied text.
func (m *Model) promptToTake(width int) string {
	return " " + m.Theme.Strong.Render("Take the prompt to your chat page; paste its answer here.") + "\n" +
		frame.Indent(frame.Wrap(m.keyed("{ctrl+y} copies the prompt. Give it to the model as it is, then paste the whole answer, text and code."), width-2), " ") + "\n\n" +
		frame.Indent(frame.Wrap(frame.Plain(m.Text(m.State.Attempt().Sent.Asked())), width-4), "   ")
}
