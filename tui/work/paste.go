package work

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// pasteRoom is where the tester pastes an answer that they fetch from a chat page.
type pasteRoom struct{ *composeRoom }

func (m *pasteRoom) Page() frame.Page {
	return m.writePage(frame.Page{}, "the answer", m.selectedLabel())
}

// Keys returns the keys while an answer is pasted.
func (m *pasteRoom) Keys() []frame.Key {
	return append([]frame.Key{
		{Press: "ctrl+y", Does: "copy prompt", Do: func() tea.Cmd {
			m.Notice = "The prompt was sent to the clipboard."
			return m.Opts.Copy(m.Text(m.State.Attempt().Sent.Asked()))
		}},
		{Press: "ctrl+s", Does: "hand in", Do: m.handInPasted},
		{Press: "tab", Does: "prompt", Do: m.turnAbove, Fit: func(k *frame.Key) {
			if m.above == abovePrompt {
				k.Does = "task"
			}
		}},
		{Press: "esc", Does: "back to the prompt", Do: m.dropPasted}, frame.HelpKey, {Press: "f2", Does: "pause", More: true, Do: m.PauseKey().Do},
		{Press: "f4 f5", Does: "scroll what stands above", More: true, Run: m.scrollAbove},
	}, m.editingKeys()...)
}

func (m *pasteRoom) handInPasted() tea.Cmd {
	text := m.area.Value()
	if strings.TrimSpace(text) == "" {
		m.Notice = "Nothing is pasted yet. An answer that is really empty: write (empty)."
	} else if err := m.Eng.Pasted(text); err != nil {
		m.Trouble = err.Error()
	}
	return nil
}

// dropPasted goes back to the prompt. If something is pasted, it asks first.
func (m *pasteRoom) dropPasted() tea.Cmd {
	switch {
	case m.area.Selecting():
		m.area.Deselect()
	case strings.TrimSpace(m.area.Value()) == "":
		m.Eng.Stop()
	default:
		m.Confirm("Go back to the prompt? The answer that stands here is dropped.", "go back", func() tea.Cmd {
			return m.Intend(m.SavesDraft(func(ctx context.Context) error {
				defer m.Eng.Stop()
				return m.Eng.Draft(ctx, session.WordsAnswer, "")
			}))
		})
	}
	return nil
}
